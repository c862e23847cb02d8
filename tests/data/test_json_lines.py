"""JSON lines and folders: the rows and labels of the same table written in another way."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import novikoff
from novikoff.data import scan
from novikoff.data.write import write_columns
from novikoff.errors import DataError, FileError

ROWS = [
    {"a": 1, "town": "Rome", "b": 0.1, "y": 0},
    {"a": 2.5, "town": "Oslo", "b": 1e3, "y": 1},
    {"town": None, "a": -3, "b": -2, "y": 1},
    {"a": 7, "town": "Rome", "b": 0.30000000000000004, "y": 0},
]
OPTIONS = {"label": "y", "categorical": ["town"], "impute": "mode"}


def lines(rows=ROWS):
    return "".join(json.dumps(row) + "\n" for row in rows)


def whole(batches):
    return np.concatenate([batch.X for batch in batches]), np.concatenate([b.y for b in batches])


def test_json_lines_hold_what_a_csv_holds(tmp_path):
    (tmp_path / "a.jsonl").write_text(lines())
    with gzip.open(tmp_path / "b.jsonl.gz", "wt") as file:
        file.write(lines())
    table = pa.Table.from_pylist([{"a": 0.0} | row | {"a": float(row["a"])} for row in ROWS])
    write_columns([table], tmp_path / "a.csv", [table])
    expected = novikoff.read(tmp_path / "a.csv", **OPTIONS)
    for name in ("a.jsonl", "b.jsonl.gz"):
        found = novikoff.read(tmp_path / name, **OPTIONS)
        assert (found.names, found.decimals) == (expected.names, expected.decimals)
        assert found.X.tobytes() == expected.X.tobytes()
        assert found.classes == expected.classes == (0, 1)
        X, y = whole(scan(tmp_path / name, batch_rows=3, **OPTIONS))
        assert X.tobytes() == expected.X.tobytes()
        assert y.tolist() == expected.y.tolist()


@pytest.mark.parametrize("number", ["0.12345678901234567890", "9007199254740993", "1e-400"])
def test_a_number_that_float64_would_change_is_refused(number, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"x": 0.5, "y": 0}}\n{{"x": {number}, "y": 1}}\n')
    for reader in (novikoff.read, lambda path, **k: whole(scan(path, **k))):
        with pytest.raises(DataError, match=r"column 'x' holds .* at row 1 \(line 2\)"):
            reader(path, label="y")
    assert novikoff.read(path, label="y", float64=True).X[1, 0] == float(number)


@pytest.mark.parametrize(
    "text", ['[{"x": 1}]\n', '{"x": 1\n', '{"x": [1], "y": 0}\n{"x": [2], "y": 1}\n', '"x"\n'],
)  # fmt: skip
def test_what_is_no_json_lines_is_said(text, tmp_path):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises((FileError, DataError), match=r"a\.jsonl"):
        novikoff.read(tmp_path / "a.jsonl", label="y")


def write(rows, path):
    table = pa.Table.from_pylist(rows)
    if path.suffix == ".jsonl":
        path.write_text(lines(rows))
    elif path.suffix == ".arrow":
        feather.write_feather(table, path, compression="uncompressed")
    elif path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        write_columns([table], path, [table])


@pytest.mark.parametrize("kind", ["csv", "jsonl", "arrow", "parquet"])
def test_a_folder_is_its_files_one_after_the_other(kind, tmp_path):
    rows = [{"a": k / 4, "b": -k / 2, "y": "no" if k % 3 else "yes"} for k in range(12)]
    write(rows, tmp_path / f"all.{kind}")
    folder = tmp_path / "parts"
    folder.mkdir()
    for k, part in enumerate((rows[:5], rows[5:6], rows[6:])):
        write(part, folder / f"{k}.{kind}")
    (folder / ".hidden").write_text("x")
    expected = novikoff.read(tmp_path / f"all.{kind}", label="y")
    table = novikoff.read(folder, label="y")
    assert table.X.tobytes() == expected.X.tobytes()
    assert table.y.tolist() == expected.y.tolist()
    X, y = whole(scan(folder, label="y", batch_rows=4))
    assert X.tobytes() == expected.X.tobytes()
    assert y.tolist() == expected.y.tolist()


def test_a_folder_names_the_file_of_an_error(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,0\n2,1\n")
    (tmp_path / "b.csv").write_text("x,y\n3,0\n,1\n")
    for reader in (novikoff.read, lambda path, **k: whole(scan(path, **k))):
        with pytest.raises(DataError, match=r"row 1 \(line 3\) of .*b\.csv"):
            reader(tmp_path, label="y")
    (tmp_path / "c.jsonl").write_text(lines())
    with pytest.raises(FileError, match="one kind"):
        novikoff.read(tmp_path, label="y")
