"""What a scan makes of messy columns is what `read` makes of them, whichever rows stay."""

import json
from datetime import date
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from novikoff import Perceptron, read
from novikoff.data import scan
from novikoff.data.features import FeatureRecipe
from novikoff.errors import DataError, FileError, LimitError, ShapeError
from novikoff.estimators.persistence.predict import read_for_model


def same_as_read(path, folder, **options):
    """The scan of a file, found to be what `read` gives, with a cache and without."""
    whole = read(path, **options)
    for cache in (False, folder / "cache"):
        made = scan(path, **options, batch_rows=2, cache=cache)
        parts = list(made)
        assert np.concatenate([part.X for part in parts]).tobytes() == whole.X.tobytes()
        assert np.concatenate([part.y for part in parts]).tolist() == whole.y.tolist()
        assert (made.n, made.names, made.classes) == (whole.n, whole.names, whole.classes)
        assert list(map(type, made.classes)) == list(map(type, whole.classes))
        assert made.labels.tolist() == np.unique(whole.y).tolist()
        assert made.decimals == whole.decimals
    return whole


@pytest.mark.parametrize(
    ("values", "names"),
    [
        (["1", "2", "10", "3"], ("k[2]", "k[3]", "k[10]")),
        (["007", "7", "1", "+1"], ("k[7.0]",)),
        (["1", "1.0", ".5", "2"], ("k[1.0]", "k[2.0]")),
        (["true", "FALSE", "true", "True"], ("k[True]",)),
        (["2020-01-02", "2020-01-01", "2020-01-02", "2021-01-01"], None),
        (["0x10", "1", "2", "10"], ("k[1]", "k[10]", "k[2]")),
        ([" 1", "2 ", "3", "1"], ("k[2]", "k[3]")),
        (['"NA"', "1", "2", "10"], ("k[10]", "k[2]", "k[NA]")),
    ],
)
def test_categories_of_a_text_file_have_the_type_of_the_whole_column(values, names, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("k,y\n" + "".join(f"{k},{i % 2}\n" for i, k in enumerate(values)))
    whole = same_as_read(path, tmp_path, label="y", categorical=["k"])
    assert names in (None, whole.names)


def test_the_type_is_that_of_all_rows_also_of_those_left_out(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("k,x,y\n1,0,0\n10,1,1\n2,2,0\nblue,,1\n")
    options = {"label": "y", "categorical": ["k"], "drop_missing": True}
    assert same_as_read(path, tmp_path, **options).names == ("k[10]", "k[2]", "x")


def test_more_values_than_can_be_coded_are_refused_as_they_come(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("k,y\n" + "".join(f"v{i},{i % 2}\n" for i in range(10_100)))
    with pytest.raises(LimitError, match=r"column 'k' has 10\d+ different values"):
        scan(path, label="y", categorical=["k"], cache=False).n  # noqa: B018
    pq.write_table(pa.table({"k": [f"v{i}" for i in range(10_100)], "y": [0, 1] * 5050}),
                   tmp_path / "a.parquet")  # fmt: skip
    with pytest.raises(LimitError, match=r"column 'k' has 10\d+ different values"):
        scan(tmp_path / "a.parquet", label="y", categorical=["k"], batch_rows=50).n  # noqa: B018


def test_a_class_whose_rows_are_all_left_out_is_none(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,w,y\n1,1,a\n2,0,b\n-1,1,c\n,1,b\n")
    options = {"label": "y", "weights": "w", "drop_missing": True}
    assert same_as_read(path, tmp_path, **options).classes == ("a", "c")
    fitted = Perceptron().fit(scan(path, **options, cache=False))
    assert fitted.classes_.tolist() == ["a", "c"]
    path.write_text("x,w,y\n1,1,a\n2,0,b\n")
    for reader in (read, scan):
        with pytest.raises(ShapeError, match="only class 'a' of column 'y' is left"):
            reader(path, **options).classes  # noqa: B018
    path.write_text("x,w,y\n1,0,a\n2,0,b\n")
    for reader in (read, scan):
        with pytest.raises(ShapeError, match="after leaving rows out, none is left"):
            reader(path, **options).names  # noqa: B018


def test_labels_and_categories_that_are_no_numbers_of_numpy(tmp_path):
    for k, labels in enumerate(
        ([Decimal("0.5"), Decimal("1.5")], [date(2020, 1, 1), date(2021, 1, 1)], [True, False])
    ):
        path = tmp_path / f"{k}.parquet"
        half = pa.array(np.array([0.5, 0.25] * 3, np.float16))
        pq.write_table(pa.table({"x": half, "y": labels * 3}), path)
        same_as_read(path, tmp_path, label="y", categorical=["x"])
    path = tmp_path / "a.csv"
    path.write_text("x,y\n0.10000000000000001,2020-01-01 10:00\n1,2021-01-01 11:00\n")
    assert same_as_read(path, tmp_path, label="y").classes[0] == "2020-01-01 10:00"
    path.write_text("x,y\n1,inf\n2,0.5\n3,1.5\n")
    assert same_as_read(path, tmp_path, label="y", drop_missing=True).classes == (0.5, 1.5)


def test_a_beginning_without_rows(tmp_path):
    data = pa.table({"x": [1.0, 2.0], "y": [0, 1]})
    path = tmp_path / "a.arrow"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, data.schema) as writer:
        writer.write_batch(data.to_batches()[0].slice(0, 0))
        writer.write_table(data)
    same_as_read(path, tmp_path, label="y")
    folder = tmp_path / "folder"
    folder.mkdir()
    pq.write_table(data.slice(0, 0), folder / "a.parquet")
    pq.write_table(data, folder / "b.parquet")
    assert scan(folder, label="y").n == 2
    for name, write in (("none.arrow", pa.ipc.new_file), ("none.arrows", pa.ipc.new_stream)):
        with pa.OSFile(str(tmp_path / name), "wb") as sink, write(sink, data.schema):
            pass
        with pytest.raises(FileError, match="no rows"):
            scan(tmp_path / name, label="y")


def write(folder, text, name="a.csv"):
    path = folder / name
    path.write_text(text)
    return path


def test_numbered_columns_are_those_of_the_file_where_dates_become_others(tmp_path):
    path = write(tmp_path, "2020-01-01,5,a,1,y\n2020-01-02,6,b,0,n\n2020-01-03,7,a,3,n\n")
    options = {"header": False, "label": 4, "weights": 3, "categorical": [2]}
    for dates, names in (
        ("ordinal", ("x1", "x2[b]")),
        ("parts", ("x0.year", "x0.month", "x0.day", "x0.weekday", "x1", "x2[b]")),
    ):
        kept = same_as_read(path, tmp_path, dates=dates, **options)
        assert kept.weights.tolist() == [1, 3]
        assert set(kept.names) <= {"x0", *names}


def test_decimal_commas_make_texts_of_points(tmp_path, monkeypatch):
    comma = {"label": "y", "decimal": ",", "delimiter": ";"}
    path = write(tmp_path, "k;z;y\n1,5;1;0,5\n-0,25;2;1,5\n1,5;3;0,5\n")
    assert same_as_read(path, tmp_path, categorical=["k"], **comma).names == ("k[1.5]", "z")
    path = write(tmp_path, "k;z;y\n1.0;1;n\n1;2;y\n2;3;n\n")
    names = same_as_read(path, tmp_path, categorical=["k"], **comma).names
    assert names == ("k[1.0]", "k[2]", "z")
    monkeypatch.setattr("novikoff.data.scans.csv.TEXT_BLOCK", 12)
    path = write(tmp_path, "k;y\n1,5;n\n2,5;n\n3,5;n\n1.234;y\n")
    for float64 in (False, True):
        with pytest.raises(DataError, match=r"'1.234' at row 3"):
            list(scan(path, float64=float64, cache=False, **comma))


@pytest.mark.parametrize("cell", ["12:30", "2020-01-01 10:30", "2020-01-01"])
def test_dates_and_times_can_be_categories_of_a_model(cell, tmp_path):
    lines = [f"{cell},0,n", f"{cell.replace('30', '45').replace('-01', '-02')},1,y", ",2,n"]
    path = write(tmp_path, "\n".join(["t,x,y", *lines]))
    options = {"label": "y", "categorical": ["t"], "impute": "mode"}
    table = same_as_read(path, tmp_path, **options)
    recipe = FeatureRecipe.from_dict(json.loads(json.dumps(table.recipe.to_dict())))
    (data,) = read_for_model(str(path), recipe)
    assert data.X.tolist() == table.X.tolist() == [[0, 0], [1, 1], [0, 2]]


def test_the_two_zeros_are_one_level(tmp_path):
    path = write(tmp_path, "k,x,y\n-0.0,1,a\n0.0,2,b\n1.5,3,a\n")
    assert same_as_read(path, tmp_path, label="y", categorical=["k"]).names == ("k[1.5]", "x")


def test_columns_of_one_value_each(tmp_path):
    path = write(tmp_path, "k,y\na,1\na,0\n")
    for reader in (read, lambda *a, **k: list(scan(*a, **k, cache=False))):
        with pytest.raises(ShapeError, match="'k' have one value each"):
            reader(path, label="y", categorical=["k"], degree=2)


def test_dates_as_labels_of_json_lines(tmp_path):
    lines = [f'{{"x": {k}, "y": "202{k % 2}-01-01"}}\n' for k in range(5)]
    path = write(tmp_path, "".join(lines), "a.jsonl")
    assert same_as_read(path, tmp_path, label="y").classes == ("2020-01-01", "2021-01-01")


def test_a_text_among_dates_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("novikoff.data.scans.csv.TEXT_BLOCK", 100)
    days = [f"2020-01-{k:02d},{k % 2}" for k in range(1, 20)]
    path = write(tmp_path, "\n".join(["t,y", *days, "soon,1"]))
    with pytest.raises(DataError, match=r"'t' holds date32.*'soon' at row 19 \(line 21\)"):
        list(scan(path, label="y", dates="ordinal", cache=False))


def test_twins_among_columns_of_hexadecimal_text(tmp_path):
    path = write(tmp_path, "a,a,y\n1,0x10,1\n2,3,0\n")
    for reader in (read, scan):
        with pytest.raises(DataError, match="both called 'a'"):
            reader(path, label="y")
