"""A scan reads its file again and again: in little memory, the same file, or an error."""

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from novikoff import Perceptron, separate
from novikoff.data import scan
from novikoff.errors import FileError


def points(n):
    X = np.random.default_rng(0).standard_normal((n, 3)).round(3)
    return X, (X[:, 0] > 0).astype(int)


def write(path, n):
    X, y = points(n)
    if path.suffix == ".csv":
        path.write_text(
            "a,b,c,y\n" + "".join(f"{a},{b},{c},{t}\n" for (a, b, c), t in zip(X, y, strict=True))
        )
    elif path.suffix == ".svm":
        path.write_text("".join(f"{t} 1:{a} {n}:{b}\n" for (a, b, _), t in zip(X, y, strict=True)))
    elif path.suffix == ".npy":
        np.save(path, np.column_stack([X, y]))
    else:
        pq.write_table(pa.table({"a": X[:, 0], "b": X[:, 1], "y": y}), path)


@pytest.mark.parametrize("name", ["a.csv", "a.svm", "a.npy", "a.parquet"])
@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_file_that_has_changed_is_no_longer_the_one_that_was_scanned(name, kept, tmp_path):
    path = tmp_path / name
    write(path, 50)
    cache = tmp_path / "cache" if kept else False
    made = scan(path, label={"a.svm": None, "a.npy": 3}.get(name, "y"), batch_rows=20, cache=cache)
    Perceptron(max_iter=2).fit(made)
    write(path, 70)  # an svmlight file has more columns, too, than weights were made for
    for use in (Perceptron(max_iter=2).fit, separate, list):
        with pytest.raises(FileError, match="changed since it was first read: scan it anew"):
            use(made)
    path.unlink()
    with pytest.raises(FileError, match="cannot be read"):
        list(made)


def test_a_damaged_cache_is_not_used(tmp_path):
    path, folder = tmp_path / "a[1].csv", tmp_path / "cache"
    write(path, 50)

    def rows():
        made = scan(path, label="y", cache=folder)
        return np.concatenate([batch.X for batch in made]).tobytes()

    right = rows()
    (kept,) = folder.iterdir()
    whole = kept.read_bytes()
    for place in range(0, len(whole), 61):
        flipped = bytearray(whole)
        flipped[place] ^= 0x5A
        kept.write_bytes(flipped)
        os.utime(kept, ns=(place, place))
        assert rows() == right
    for size in (0, 3, 100, len(whole) - 1):
        kept.write_bytes(whole[:size])
        assert rows() == right
    assert kept.read_bytes() == whole
    (folder / f".{kept.stem}.novikoff-k1ll3d__.arrow").write_bytes(whole[:100])
    (folder / "other.arrow").touch()
    scan(path, label="y", cache=folder).clear_cache()
    assert [file.name for file in folder.iterdir()] == ["other.arrow"]


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.arrows"])
def test_a_file_in_one_piece_is_not_read_in_one(name, tmp_path):
    n, path = 400_000, tmp_path / name
    data = pa.table({f"c{j}": np.random.default_rng(j).standard_normal(n) for j in range(8)})
    data = data.append_column("y", pa.array(np.arange(n) % 2))
    if name == "a.parquet":
        pq.write_table(data, path, row_group_size=n, use_dictionary=False)
    else:
        opened = pa.ipc.new_file if name == "a.arrow" else pa.ipc.new_stream
        with opened(str(path), data.schema) as writer:
            writer.write_table(data)
    size = data.nbytes
    del data
    before = most = pa.total_allocated_bytes()
    for batch in scan(path, label="y", batch_rows=5000):
        most = max(most, pa.total_allocated_bytes())
        assert len(batch.y) <= 5000
    assert most - before < size / 2


@pytest.mark.parametrize("name", ["a.csv", "a.svm"])
def test_a_usual_cache_that_cannot_be_written_is_done_without(name, tmp_path, monkeypatch):
    text = "".join(f"{k % 2},{k / 8}\n" for k in range(40))
    lines = "".join(f"{k % 2} 1:{k / 8}\n" for k in range(40))
    (tmp_path / name).write_text(lines if name == "a.svm" else f"y,x\n{text}")
    (tmp_path / "file").write_text("no folder")
    options = {} if name == "a.svm" else {"label": "y"}
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    parts = [[batch.X for batch in scan(tmp_path / name, cache=cache, batch_rows=7, **options)]
             for cache in (True, False)]  # fmt: skip
    dense = [np.concatenate([X if name == "a.csv" else X.toarray() for X in one]) for one in parts]
    assert dense[0].shape == (40, 1)
    assert (dense[0] == dense[1]).all()
    with pytest.raises(FileError, match="choose another folder"):
        list(scan(tmp_path / name, cache=tmp_path / "file" / "kept", **options))
