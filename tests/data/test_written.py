"""Numbers that float64 would change: refused by row and column, whatever they come in."""

import gzip
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff
from novikoff._core import has_long_number
from novikoff.data.rounding import is_held
from novikoff.errors import DataError

LOST = [
    "0.12345678901234567890",
    "0.12345678901234567891",
    "9007199254740993",
    "123456789012345678901234567891",
    "0.10000000000000000555111512312578271",
    "1e-400",
    "4.5e-324",
]
HELD = [
    "0.30000000000000004",
    "9007199254740992",
    "1152921504606846976",
    "100000000000000000000000",
    "0.10000000000000000",
    "1e300",
    "5e-324",
    "0.000000000000000000",
    "0e400",
    "2.5000000000000000000000",
]


def csv(tmp_path, *numbers, name="t.csv"):
    path = tmp_path / name
    rows = [f"{number},{i % 2}" for i, number in enumerate(numbers)]
    content = "a,y\n" + "\n".join(rows) + "\n"
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(content.encode()))
    else:
        path.write_text(content)
    return path


@pytest.mark.parametrize("number", LOST)
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
def test_text_that_float64_would_change_is_refused(tmp_path, number, name):
    path = csv(tmp_path, "1.5", number, "2", name=name)
    with pytest.raises(DataError, match=r"column 'a' holds .* at row 1 \(line 3\), which float64"):
        novikoff.read(path, label="y")
    table = novikoff.read(path, label="y", float64=True)
    assert table.X[1, 0] == float(number)
    assert table.decimals is False


@pytest.mark.parametrize("number", HELD)
def test_text_that_float64_holds_is_read(tmp_path, number):
    table = novikoff.read(csv(tmp_path, "1.5", number, "2"), label="y")
    assert table.X[1, 0] == float(number)
    assert table.decimals is True


@pytest.mark.parametrize("number", ["0.10000000000000001", "1.000000000000000056e-01"])
def test_what_only_programs_write_is_a_binary_number(tmp_path, number):
    table = novikoff.read(csv(tmp_path, "1.5", number, "2"), label="y")
    assert (table.X[1, 0], table.decimals) == (0.1, False)
    assert "17 digits" in table.notes[0]
    path = tmp_path / "t.svm"
    path.write_text(f"1 1:0.5\n-1 1:{number}\n")
    assert novikoff.read(path).decimals is False


@pytest.mark.parametrize("form", ["%.18e", "%.17g"])
def test_what_savetxt_writes_is_read(tmp_path, form):
    X = np.random.default_rng(1).normal(size=(100, 3))
    np.savetxt(tmp_path / "t.csv", np.column_stack([X, X[:, 0] > 0]), fmt=form, delimiter=",")
    table = novikoff.read(tmp_path / "t.csv", label=3, header=False)
    assert np.array_equal(table.X, X)


def test_only_columns_in_use_and_rows_that_stay_are_looked_at(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"id,a,y\n{LOST[0]},1,p\n{LOST[1]},2,q\n3,{LOST[0]},r\n")
    assert novikoff.read(path, label="y", features=["a"], classes=["p", "q"]).n == 2
    with pytest.raises(DataError, match="column 'id'"):
        novikoff.read(path, label="y", classes=["p", "q"])


def test_files_without_names_and_with_missing_values(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"1,,0\n2,{LOST[0]},1\n3,4,0\n")
    with pytest.raises(DataError, match=r"column 'x1' .* row 1 \(line 2\)"):
        novikoff.read(path, label=2, header=False, drop_missing=True)


def test_labels_that_float64_would_make_one(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"a,y\n1,{LOST[0]}\n2,{LOST[1]}\n3,0.5\n")
    with pytest.raises(DataError, match="column 'y'"):
        novikoff.read(path, label="y")


def test_svmlight(tmp_path):
    path = tmp_path / "t.svm"
    path.write_text("1 1:0.5 2:0.30000000000000004\n-1 1:2 # 0.12345678901234567890\n")
    assert novikoff.read(path).decimals is True
    path.write_text(f"1 1:0.5\n\n-1 1:2 3:{LOST[0]}\n")
    with pytest.raises(DataError, match=r"column 3 holds 0.1234.* at row 1"):
        novikoff.read(path)
    assert novikoff.read(path, float64=True).decimals is False


def test_arrow_integers_and_decimals(tmp_path):
    y = [0, 1, 0]
    for values, kind in [
        ([1, 2**53 + 1, 3], pa.int64()),
        ([1, 2**64 - 1, 3], pa.uint64()),
        ([Decimal(text) for text in ("1", LOST[0], "2")], pa.decimal128(38, 20)),
        ([Decimal(text) for text in ("1", LOST[3], "2")], pa.decimal256(60, 0)),
    ]:
        table = pa.table({"a": pa.array(values, type=kind), "y": y})
        pq.write_table(table, tmp_path / "t.parquet")
        for source in (table, tmp_path / "t.parquet"):
            with pytest.raises(DataError, match=r"column 'a' holds .* at row 1"):
                novikoff.read(source, label="y")
            assert novikoff.read(source, label="y", float64=True).n == 3
    held = pa.table(
        {"a": pa.array([2**60, 1, 2]), "b": [Decimal("0.1"), Decimal("2"), None], "y": y}
    )
    assert novikoff.read(held, label="y", drop_missing=True).decimals is True


def test_a_decimal_beside_floats_must_be_one_of_them():
    table = pa.table({"a": [Decimal("0.5"), Decimal("0.1")], "b": [0.5, 0.25], "y": [0, 1]})
    with pytest.raises(DataError, match=r"column 'a' holds 0\.1 at row 1"):
        novikoff.read(table, label="y")
    assert novikoff.read(table, label="y", float64=True).n == 2


def test_frames_of_objects():
    for values in ([10**30, 1], [Decimal(LOST[0]), Decimal(1)], [2**53 + 1, 0.5]):
        with pytest.raises(novikoff.NovikoffError):
            novikoff.read(
                pd.DataFrame({"a": pd.Series(values, dtype=object), "y": [0, 1]}), label="y"
            )


def test_python_objects_are_told_apart():
    near = [Fraction(text) for text in LOST[:2]]
    for values in (
        near,
        [Decimal(text) for text in LOST[:2]],
        [10**40, 10**40 + 1],
        [np.int64(2**53), np.int64(2**53 + 1)],
        [np.longdouble(1), np.nextafter(np.longdouble(1), np.longdouble(2))],
    ):
        X = np.array(values, dtype=object).reshape(-1, 1)
        verdict = novikoff.separate(X, [0, 1])
        assert verdict.word == "separable"
        assert novikoff.verify(verdict.certificate(), X, [0, 1])


@given(st.text("0123456789.eE+-, \n", max_size=60))
@settings(deadline=None)
def test_no_long_number_is_overlooked(text):
    found = re.search(r"[0-9.]{16,}|[eE][-+]?[0-9]{3,}", text) is not None
    if found:
        assert has_long_number(np.frombuffer(text.encode(), dtype=np.uint8))


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None, max_examples=60)
def test_what_python_prints_is_held(value):
    assert is_held(repr(value), value, printed=True, stored=False)
    assert is_held(str(Fraction(value)), value, printed=False, stored=True)
