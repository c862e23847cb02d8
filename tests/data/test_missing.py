"""Missing cells: what fills them, in memory, in batches, and in the file of a prediction."""

import json
import math
from fractions import Fraction
from statistics import mode
from unittest import mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import novikoff
from novikoff.data import missing, scan
from novikoff.data.arrays import read_frame
from novikoff.data.features import FeatureRecipe
from novikoff.data.missing import _means, _medians, _modes
from novikoff.errors import DataError, FileError, OptionError, ShapeError
from novikoff.estimators.persistence.predict import read_for_model

TEXT = """size;town;when;kind
1,5;Rome;2020-01-01;s
;Oslo;2021-02-03;s
7,25;;2022-03-04;l
3;Rome;;l
8;Rome;2022-01-01;l
"""
OPTIONS = {
    "label": "kind", "decimal": ",", "categorical": "auto", "dates": "parts",
    "missing_indicator": True, "standardise": True,
}  # fmt: skip


@pytest.fixture
def messy(tmp_path):
    path = tmp_path / "messy.csv"
    path.write_text(TEXT)
    return path


cells = st.lists(
    st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=40
).filter(lambda values: any(value is not None for value in values))


@given(cells, st.integers(1, 7))
def test_means_medians_and_modes_are_those_of_plain_python(values, rows):
    column = pa.array(values, pa.float64())
    whole = [read_frame(pa.table({"x": column}))]
    parts = [
        read_frame(pa.table({"x": column.slice(start, rows)}))
        for start in range(0, len(values), rows)
    ]
    here = sorted(value for value in values if value is not None)
    low, high = here[(len(here) - 1) // 2], here[len(here) // 2]
    with np.errstate(all="ignore"):
        for sources in (whole, parts):
            for few in (missing.SORTED, 1):  # which are found bit by bit, then
                with mock.patch.object(missing, "SORTED", few):
                    median = _medians(lambda s=sources: s, ["x"])[0]
                assert median == (low if low == high else (low + high) / 2)
            found = _modes(lambda s=sources: s, ["x"])[0]
            most = here.count(mode(here))
            assert found == min(value for value in here if here.count(value) == most)
            mean = _means(lambda s=sources: s, ["x"])[0]
            exact = sum(map(Fraction, here)) / len(here)
            if max(map(abs, here)) < 1e300:
                assert (
                    math.isclose(mean, float(exact), rel_tol=1e-14, abs_tol=1e-290)
                    or abs(mean - exact) < Fraction(max(map(abs, here))) / 10**25
                )


@pytest.mark.parametrize("how", ["mean", "median", "mode"])
def test_batches_fill_as_the_whole_file_does(how, messy, tmp_path):
    table = novikoff.read(messy, impute=how, **OPTIONS)
    batches = scan(messy, impute=how, batch_rows=2, cache=tmp_path / "kept", **OPTIONS)
    assert b"".join(batch.X.tobytes() for batch in batches) == table.X.tobytes()
    assert batches.names == table.names
    assert batches.recipe == table.recipe
    assert not batches.decimals
    assert not table.decimals


def test_pandas_fills_the_same(messy):
    table = novikoff.read(messy, impute="mean", **OPTIONS | {"standardise": False})
    frame = pd.read_csv(messy, sep=";", decimal=",")
    assert table.X[:, 0].tolist() == frame["size"].fillna(frame["size"].mean()).tolist()
    assert table.X[:, table.names.index("size.missing")].tolist() == [0, 1, 0, 0, 0]
    dates = pd.to_datetime(frame["when"])
    assert table.X[0, table.names.index("when.weekday")] == dates[0].weekday()
    assert table.X[2, table.names.index("town[Rome]")] == 1  # the most frequent


def test_dates_as_days():
    frame = pa.table({"t": pa.array([0, 86_400_000_000 * 3 // 2], pa.timestamp("us")), "y": [0, 1]})
    assert novikoff.read(frame, label="y", dates="ordinal").X.tolist() == [[0.0], [1.5]]


def points(path, recipe, **options):
    (data,) = read_for_model(str(path), recipe, **options)
    return data.X


def test_a_model_reads_another_file_as_its_own(messy, tmp_path):
    table = novikoff.read(messy, impute="median", **OPTIONS)
    recipe = FeatureRecipe.from_dict(json.loads(json.dumps(table.recipe.to_dict())))
    assert recipe == table.recipe
    assert points(messy, recipe).tobytes() == table.X.tobytes()
    other = tmp_path / "other.csv"
    other.write_text("town;size;when\n;;\nOslo;2,5;2020-05-05\n")
    X = points(other, recipe)
    assert np.isfinite(X).all()
    assert X[0, table.names.index("size")] == table.X[1, 0]  # the median of the training file


def test_a_level_that_the_model_does_not_know(messy, tmp_path):
    recipe = novikoff.read(messy, impute="median", **OPTIONS).recipe
    other = tmp_path / "other.csv"
    other.write_text("town;size;when\nOslo;1;2020-05-05\nLima;1;2020-05-05\n")
    with pytest.raises(DataError, match=r"'Lima' at row 1 \(line 3\).*--unknown zero"):
        points(other, recipe)
    X = points(other, recipe, unknown="zero")
    assert (X[0] == X[1]).all()  # Oslo is the base, whose columns are zero
    with pytest.raises(OptionError, match="unknown"):
        points(other, recipe, unknown="nought")


def test_a_constant(messy):
    table = novikoff.read(messy, label="kind", decimal=",", drop=["when"], categorical=["town"],
                          impute="constant:-1")  # fmt: skip
    assert table.names == ("size", "town[Oslo]", "town[Rome]")
    assert table.X[1].tolist() == [-1, 1, 0]
    assert table.X[2].tolist() == [7.25, 0, 0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"impute": "average"}, "mean, median, mode or constant:V"),
        ({"impute": "constant:much"}, "need a number, not 'much'"),
        ({"missing_indicator": True}, "needs impute"),
        ({"dates": "weeks"}, "'ordinal' or 'parts'"),
        ({"decimal": ";"}, "a point or a comma"),
    ],
)
def test_options_that_cannot_be(options, said, messy):
    given_options = {"decimal": ",", "drop": ["when", "town"]} | options
    with pytest.raises(OptionError, match=said):
        novikoff.read(messy, label="kind", **given_options)


def test_a_column_of_nothing():
    frame = pa.table({"x": pa.array([None, None], pa.float64()), "y": [0, 1]})
    with pytest.raises(ShapeError, match=r"'x' has no value.*constant"):
        novikoff.read(frame, label="y", impute="mean")
    assert novikoff.read(frame, label="y", impute="constant:2").X.tolist() == [[2.0], [2.0]]


def test_dates_get_advice(messy):
    with pytest.raises(DataError, match=r"column 'when' holds dates.*--dates ordinal"):
        novikoff.read(messy, label="kind", decimal=",", categorical=["town"])


def test_decimal_commas_are_the_decimals_that_are_written(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("x;y\n0,1;a\n0,12345678901234567890;b\n")
    for reader in (novikoff.read, lambda *a, **k: list(scan(*a, cache=False, **k))):
        with pytest.raises(DataError, match="float64 would round"):
            reader(path, label="y", decimal=",")
    assert novikoff.read(path, label="y", decimal=",", float64=True).X[0, 0] == 0.1
    path.write_text("x;y\n0,1;a\n-1,25e3;b\n")
    table = novikoff.read(path, label="y", decimal=",")
    assert table.decimals
    assert table.X.tolist() == [[0.1], [-1250.0]]
    assert (
        next(iter(scan(path, label="y", decimal=",", cache=False))).X.tolist() == table.X.tolist()
    )


def test_a_model_that_says_nonsense_is_refused(messy):
    written = novikoff.read(messy, impute="median", **OPTIONS).recipe.to_dict()
    for wrong in ({"fills": {"size": [1]}}, {"fills": {"size": math.nan}}, {"layout": {"x": 1}}):
        with pytest.raises(FileError):
            FeatureRecipe.from_dict(written | wrong)


def test_an_indicator_gives_way_to_no_column_of_its_name(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("y,a,a.missing\n1,1,2\n0,,3\n1,2,4\n")
    options = {"label": "y", "impute": "mean", "missing_indicator": True}
    said = r"'a.missing' is in the data.*--drop"
    with pytest.raises(DataError, match=said):
        novikoff.read(path, **options)
    with pytest.raises(DataError, match=said):
        list(scan(path, **options).batches())
    table = novikoff.read(path, drop=["a.missing"], **options)
    assert table.X.tolist() == [[1, 0], [1.5, 1], [2, 0]]
    assert points(path, table.recipe).tolist() == table.X.tolist()


def test_a_missing_value_in_quotes_gets_advice_that_helps(tmp_path):
    path = tmp_path / "quoted.csv"
    path.write_text('y,a\n"1","1"\n"0",""\n"1","2"\n')
    with pytest.raises(DataError, match=r"'' at row 1 \(line 3\). In quotes that is text"):
        novikoff.read(path, label="y", impute="mean")
