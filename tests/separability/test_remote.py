"""Rows in a file, read in batches: the same verdicts, the same bits, the same certificates."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import dump_svmlight_file

import novikoff
from novikoff.data import read, scan
from novikoff.errors import DataError, NotFiniteError, OptionError
from novikoff.exact.duplicates import distinct_columns
from novikoff.exact.points import ExactProblem
from novikoff.matrix.sources import as_problem


def _many(rng, kind):
    """Data with enough rows to be decided by passes."""
    n, d = 90_000, 30
    if kind in ("separable", "flipped", "overlapping"):
        X = rng.normal(size=(n, d))
        scores = X @ rng.normal(size=d)
        X, scores = X[np.abs(scores) > 0.2], scores[np.abs(scores) > 0.2]
        y = (scores > 0).astype(int)
        if kind == "flipped":
            y[[5, 700]] ^= 1
        return X, rng.integers(0, 2, len(y)) if kind == "overlapping" else y
    cells = rng.integers(0, d - 5, n), rng.integers(d - 5, d, n)
    X = np.zeros((n, d))
    for column in cells:
        X[np.arange(n), column] = 1.0
    y = rng.integers(0, 2, n)
    if kind == "touching dummies":
        y[cells[0] == 3] = 1
    return X, y


KINDS = ["separable", "flipped", "overlapping", "touching dummies", "overlapping dummies"]


def _told(verdict):
    """All that a certificate says but names."""
    written = verdict.certificate().to_dict()
    return {k: v for k, v in written.items() if k not in ("columns", "label", "classes", "digest")}


@pytest.mark.parametrize(
    ("kind", "batch_rows"), [*((kind, 8_191) for kind in KINDS), ("separable", 65_536)]
)
def test_a_scan_has_the_verdict_and_the_certificate_of_memory(tmp_path, kind, batch_rows):
    X, y = _many(np.random.default_rng(3), kind)
    np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
    batches = scan(tmp_path / "rows.npy", label=X.shape[1], batch_rows=batch_rows)
    here, there = novikoff.separate(X, y), novikoff.separate(batches)
    assert here.word == there.word == kind.split()[0].replace("flipped", "overlapping")
    assert _told(here) == _told(there)
    if here.word == "separable":
        assert (here.margin, here.mistake_bound) == (there.margin, there.mistake_bound)
    else:
        assert here.contradiction == there.contradiction
    certificate = there.certificate()
    assert novikoff.verify(certificate, batches)
    assert novikoff.verify(certificate, X, y.astype(float))


def test_more_columns_than_rationals_are_asked_about(tmp_path):
    """Their overlap is proven in floating point, without columns that repeat others in all rows."""
    rng = np.random.default_rng(11)
    X = np.round(8 * rng.normal(size=(70_000, 104))) / 8  # long numbers make a long proof
    X[:, 3], X[:, 5], X[:, 6] = X[:, 1], -4 * X[:, 0], 2.0
    X[:, 7] = X[:, 2]
    X[-2:, 7] += 1
    y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int)
    y[-2:] = 0, 1
    np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
    batches = scan(tmp_path / "rows.npy", label=104, batch_rows=17_000)
    points = ExactProblem.of(as_problem(batches, None))
    near = points.take(np.arange(50))
    for with_one in (True, False):
        expected = distinct_columns(X, with_one=with_one).tolist()
        found = distinct_columns(points.remote, with_one=with_one, near=near)
        assert found.tolist() == expected
        assert 7 in expected
    here, there = novikoff.separate(X, y), novikoff.separate(batches)
    assert here.word == there.word == "overlapping"
    assert here.certificate() == there.certificate()
    assert novikoff.verify(there.certificate(), batches)


def test_a_sparse_scan_has_them_too(tmp_path):
    X, y = _many(np.random.default_rng(4), "touching dummies")
    dump_svmlight_file(X, y, str(tmp_path / "rows.svm"), zero_based=False)
    batches = scan(tmp_path / "rows.svm", cache=False, batch_rows=10_000)
    table = read(tmp_path / "rows.svm")
    here, there = novikoff.separate(table.X, table.y, names=table.names), novikoff.separate(batches)
    assert here.word == there.word == "touching"
    assert here.certificate() == there.certificate()
    assert novikoff.verify(there.certificate(), batches)


def test_decimals_of_a_file_are_read_as_they_are_among_all_rows(tmp_path):
    """A column that is decimal in all batches but one stands for its binary numbers in all."""
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(80_000, 27)), 1)
    X[-1, 0] = 0.1 + 2.0**-50
    y = rng.integers(0, 2, len(X))
    np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
    batches = scan(tmp_path / "rows.npy", label=27, batch_rows=9_999)
    here = ExactProblem.of(as_problem(X, y), decimals=True)
    there = ExactProblem.of(as_problem(batches, None), decimals=True)
    np.testing.assert_array_equal(here.places, there.places)
    part = there.part(np.arange(5))
    np.testing.assert_array_equal(part.reading.places, here.places)
    verdicts = [novikoff.separate(X, y, decimals=True), novikoff.separate(batches, decimals=True)]
    assert _told(verdicts[0]) == _told(verdicts[1])
    assert novikoff.verify(verdicts[1].certificate(), batches)


def test_a_folder_of_parquet_and_a_few_rows(tmp_path):
    for k in range(3):
        table = {"x": [k - 1.0, k + 0.5], "kind": ["a", "b"]}
        pq.write_table(pa.table(table), tmp_path / f"part-{k}.parquet")
    batches = scan(tmp_path, label="kind", batch_rows=1)
    verdict = novikoff.separate(batches)
    assert verdict.word == "overlapping"
    assert verdict.certificate().columns == ("x",)
    assert novikoff.verify(verdict.certificate(), batches)


def test_a_changed_file_is_not_the_certificates(tmp_path):
    X, y = _many(np.random.default_rng(6), "separable")
    np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
    batches = scan(tmp_path / "rows.npy", label=30)
    certificate = novikoff.separate(batches).certificate()
    X[17, 3] += 1e-9
    np.save(tmp_path / "other.npy", np.column_stack([X, y]))
    answer = novikoff.verify(certificate, scan(tmp_path / "other.npy", label=30))
    assert not answer
    assert "SHA-256" in answer.reason
    swapped = np.column_stack([X, 1 - y])
    np.save(tmp_path / "swapped.npy", swapped)
    assert not novikoff.verify(certificate, scan(tmp_path / "swapped.npy", label=30))


def test_what_a_scan_cannot_do_is_a_sentence(tmp_path):
    X, y = _many(np.random.default_rng(7), "touching dummies")
    np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
    batches = scan(tmp_path / "rows.npy", label=30)
    with pytest.raises(OptionError, match="a scan has its labels"):
        novikoff.separate(batches, y)
    verdict = novikoff.separate(batches)
    with pytest.raises(DataError, match="read the data whole"):
        verdict.explain()
    X[70_000, 4] = np.inf
    np.save(tmp_path / "bad.npy", np.column_stack([X, y]))
    with pytest.raises(NotFiniteError, match="holds inf at row 70000"):
        novikoff.separate(scan(tmp_path / "bad.npy", label=30))


LIMITED = """
import resource, sys
import novikoff
from novikoff.data import scan
from novikoff.exact.points import ExactProblem
novikoff.separate([[0.0, 1.0], [1.0, 0.0]], [0, 1]).certificate()
batches = scan(sys.argv[1], label=40, batch_rows=8192)
next(iter(batches))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
most = used + (160 << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))
verdict = novikoff.separate(batches)
certificate = verdict.certificate()
print(verdict.word, bool(novikoff.verify(certificate, batches)))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
def test_a_file_of_several_times_the_memory_is_decided_under_a_hard_limit(tmp_path):
    """500 MB of numbers in 160 MB beyond what the program itself needs."""
    rng = np.random.default_rng(8)
    n, w = 1_550_000, np.random.default_rng(9).normal(size=40)
    rows = np.lib.format.open_memmap(tmp_path / "r.npy", "w+", np.float64, (n, 41))
    for start in range(0, n, 50_000):
        X = rng.normal(size=(50_000, 40))
        scores = X @ w
        X += np.outer(np.sign(scores) * 0.05, w)
        rows[start : start + 50_000] = np.column_stack([X, scores > 0])
    del rows
    ran = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path / "r.npy")],
        capture_output=True, text=True, timeout=300, check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"},
    )  # fmt: skip
    assert ran.stdout.strip() == "separable True", ran.stderr[-2000:]
