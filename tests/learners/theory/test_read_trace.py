"""A trace from a file: bound to its data, played again, and never a reason to follow a wild row."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

import novikoff
from novikoff.errors import FileError, NovikoffError

X = np.array([[6.0, 7.0], [8.0, 4.0], [4.0, 4.0], [5.5, 3.0], [7.0, 7.5]])
Y = [1, 1, -1, -1, 1]
KEY = b"novikoff-trace"


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "run.parquet"
    novikoff.trace(X, Y, separator=([1.0, 1.0], -10.0), eta0=0.5).to_parquet(path)
    return path


def rewrite(path, *, about=None, **columns):
    """The same file with other numbers in it, and another description."""
    table = pq.read_table(path)
    description = json.loads(table.schema.metadata[KEY])
    description |= about or {}
    for name, change in columns.items():
        values = change(table[name].to_numpy().copy())
        table = table.set_column(table.column_names.index(name), name, pa.array(values))
    pq.write_table(table.replace_schema_metadata({KEY: json.dumps(description).encode()}), path)


def put(at, value):
    def change(values):
        values[at] = value
        return values

    return change


def test_it_comes_back_for_its_own_data_in_any_storage(written):
    run = novikoff.trace(X, Y, separator=([1.0, 1.0], -10.0), eta0=0.5)
    assert novikoff.read_trace(written, X, Y) == run
    again = novikoff.read_trace(written, sp.csr_array(X), Y)
    assert again.rows.tolist() == run.rows.tolist()
    assert novikoff.read_trace(written, X.astype(np.float32), Y).scores.tolist() == (
        run.scores.tolist()
    )


def test_other_data_of_the_same_shape_is_refused(written):
    other = X.copy()
    other[3, 1] = np.nextafter(other[3, 1], 0)
    for data, labels in ((other, Y), (X, [1, 1, -1, -1, -1]), (X[::-1], Y), (-X, Y)):
        with pytest.raises(FileError, match="other data"):
            novikoff.read_trace(written, data, labels)


@pytest.mark.parametrize("version", [0, 1, 99, "2", None])
def test_other_versions_are_refused(written, version):
    rewrite(written, about={"version": version})
    with pytest.raises(FileError, match="version"):
        novikoff.read_trace(written, X, Y)


@pytest.mark.parametrize(
    "columns",
    [
        {"row": put(1, 10**11)},
        {"row": put(1, 10**6)},
        {"row": put(0, 5)},
        {"row": put(0, -1)},
        {"row": put(0, 4)},  # a row that is there, and was not mistaken then
        {"score_before": put(1, 17.0)},
        {"score_before": put(1, np.nan)},
        {"round": put(0, -7)},
        {"round": put(-1, 10**15)},
        {"round": lambda rounds: rounds[::-1].copy()},
        {"row": lambda rows: rows.astype(float)},
        {"row": lambda rows: [None, *rows[1:].tolist()]},
    ],
)
def test_numbers_that_are_no_run_are_refused(written, columns):
    rewrite(written, **columns)
    with pytest.raises(FileError, match=r"not a run|not a trace"):
        novikoff.read_trace(written, X, Y)


@pytest.mark.parametrize(
    "about",
    [
        {"eta0": -1.0},
        {"eta0": "big"},
        {"order": "sideways"},
        {"tie": 3},
        {"fit_intercept": "no"},
        {"fit_intercept": False},
        {"status": "DREAMT"},
        {"n": 10**9},
        {"mistakes_per_epoch": [1, 2, 3]},
        {"mistakes_per_epoch": "many"},
        {"mistakes_per_epoch": [2**70]},
        {"separator": [1.0, np.nan, 2.0]},
        {"separator": [1.0]},
        {"separator": 3},
        {"encoding": "morse"},
        {"sha256": 17},
    ],
    ids=str,
)
def test_a_description_that_cannot_be_is_refused(written, about):
    rewrite(written, about=about)
    with pytest.raises(FileError, match=str(written)):
        novikoff.read_trace(written, X, Y)


@pytest.mark.parametrize("text", [b"{", b"[]", b"3", b"[" * 100_000, b"\xff\xfe"])
def test_a_damaged_description_is_refused(written, text):
    table = pq.read_table(written).replace_schema_metadata({KEY: text})
    pq.write_table(table, written)
    with pytest.raises(FileError, match="trace"):
        novikoff.read_trace(written, X, Y)


def test_damaged_bytes_are_refused_or_read(written):
    whole = written.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(150):
        changed = bytearray(whole)
        for at in rng.integers(0, len(whole), 3):
            changed[at] = rng.integers(0, 256)
        written.write_bytes(changed[: rng.integers(len(whole) // 2, len(whole) + 1)])
        try:
            run = novikoff.read_trace(written, X, Y)
        except NovikoffError:
            continue
        assert run.first_that_is_no_mistake() is None
