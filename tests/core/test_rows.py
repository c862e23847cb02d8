"""Rows of every storage and type: the numbers that NumPy reads, and nothing beside them."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from novikoff import _core
from novikoff.errors import ShapeError
from novikoff.matrix.rows import Csr, rows_of

TYPES = ["f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def csr(data, indices, indptr, d, index="u4"):
    return Csr(np.asarray(data), np.array(indices, index), np.array(indptr, index), d)


def storages(X):
    """One matrix as every kind of rows: dense, CSR, and CSR with entries before and behind."""
    sparse = sp.csr_array(X)
    around = np.concatenate([X.dtype.type([9, 9]), sparse.data, X.dtype.type([9])])
    indices = np.concatenate([[0, 0], sparse.indices, [0]])
    yield np.ascontiguousarray(X)
    for index in ("u4", "u8"):
        yield csr(sparse.data, sparse.indices, sparse.indptr, X.shape[1], index)
        yield csr(around, indices, sparse.indptr + 2, X.shape[1], index)


def numbers(kind, n, d, seed=0):
    """Small ones, the extremes of the type, and many zeros."""
    rng = np.random.default_rng(seed)
    kind = np.dtype(kind)
    if kind.kind == "f":
        ends = [np.finfo(kind).max, np.finfo(kind).smallest_subnormal, np.finfo(kind).tiny]
    else:
        ends = [np.iinfo(kind).max, np.iinfo(kind).min]
    X = rng.integers(0, 100, (n, d)).astype(kind)
    X[rng.random((n, d)) < 0.3] = 0
    for value in ends:
        X[rng.integers(n), rng.integers(d)] = value
    return X


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (5, 12), (4, 37)], ids=str)
def test_every_storage_holds_the_numbers_that_numpy_reads(kind, shape):
    X = numbers(kind, *shape)
    floats = X.astype(np.float64)
    w = np.random.default_rng(1).normal(size=shape[1] + 1)
    for rows in storages(X):
        norms = np.empty(len(X))
        _core.row_norms(rows, True, norms)
        for i, x in enumerate(floats.tolist()):
            products = [Fraction(a) * Fraction(b) for a, b in zip(x, w.tolist(), strict=False)]
            exact = sum(products, Fraction(w[-1]))
            assert _core.exact_score(rows, i, w) == float(exact)
            square = 1 + sum(Fraction(value) ** 2 for value in x)
            assert math.isinf(norms[i]) or square <= Fraction(norms[i]) ** 2 < square * 1.000001


def test_what_rows_refer_to_is_never_a_copy():
    w = np.ones(4)
    good = np.ones((2, 3))
    assert _core.exact_score(good, 0, w) == 4.0
    others = (np.ones((2, 6))[:, ::2], np.asfortranarray(good), good.astype(">f8"), good.tolist())
    for other in others:
        with pytest.raises((TypeError, ValueError, RuntimeError)):
            _core.exact_score(other, 0, w)
    strided = Csr(np.ones(4)[::2], *csr([1, 1], [0, 1], [0, 1, 2], 3)[1:])
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        _core.exact_score(strided, 0, w)


@pytest.mark.parametrize(
    "rows",
    [
        np.ones(3),
        np.ones((2, 3, 1)),
        np.ones((2, 3), complex),
        np.ones((2, 3), object),
        np.ones((2, 3), np.float16),
        csr([1.0], [0], [0, 2], 3),
        csr([1.0, 2.0], [0], [0, 1], 3),
        csr([1.0], [0, 1], [0, 1], 3),
        csr([[1.0]], [0], [0, 1], 3),
        csr([1.0], [0], [], 3),
        csr([1.0], [0], [0, 1], -1),
        csr([1.0], [0], [0, 1], 3, "i4"),
        csr([1.0], [0], [0, 1], 3, "u2"),
        csr(np.ones(1, complex), [0], [0, 1], 3),
        csr([1.0], [0], [0, 1], 3)._replace(indptr=np.array([0, 1], "u8")),
        (np.ones(1), np.zeros(1, "u4"), np.array([0, 1], "u4")),
        (1, 2, 3, 4),
        None,
    ],
    ids=lambda rows: "",
)
def test_rows_that_do_not_fit_are_refused(rows):
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        _core.row_norms(rows, True, np.empty(1))


def test_rows_without_entries_columns_or_rows():
    norms = np.empty(2)
    for rows in (np.empty((2, 0)), csr(np.empty(0), [], [0, 0, 0], 0), csr([], [], [0, 0, 0], 5)):
        _core.row_norms(rows, True, norms)
        assert (norms >= 1.0).all()
        _core.row_norms(rows, False, norms)
        assert (norms == 0.0).all()
    for rows in (np.empty((0, 3)), csr(np.empty(0), [], [0], 3)):
        _core.row_norms(rows, True, np.empty(0))
        with pytest.raises(ValueError, match="row"):
            _core.row_norms(rows, True, np.empty(1))


@given(
    st.lists(st.integers(0, 5), max_size=6),
    st.lists(st.integers(0, 7), max_size=5),
    st.integers(-1, 6),
    st.sampled_from(["u4", "u8"]),
)
def test_sound_rows_follow_each_other_within_the_arrays(indices, indptr, d, index):
    rising = all(a <= b for a, b in pairwise(indptr))
    sound = bool(indptr) and rising and indptr[-1] <= len(indices) and d >= 0
    sound = sound and all(j < d for j in indices)
    assert _core.csr_is_sound(np.array(indices, index), np.array(indptr, index), d) == sound


def test_huge_indices_are_not_sound():
    start = np.array([0, 1], "u8")
    for huge in (2**64 - 1, 2**63, 2**32):
        assert not _core.csr_is_sound(np.array([huge], "u8"), start, 3)
        assert not _core.csr_is_sound(np.array([0], "u8"), np.array([0, huge], "u8"), 3)
    assert not _core.csr_is_sound(np.array([2**32 - 1], "u4"), start.astype("u4"), 3)


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64, np.uint32])
def test_indices_of_any_two_types_become_one(kind):
    matrix = sp.csr_array(np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 4.0]]))
    matrix.indices = matrix.indices.astype(kind)
    rows = rows_of(matrix)
    assert rows.indices.dtype == rows.indptr.dtype
    assert _core.exact_score(rows, 1, np.array([1.0, 10.0, 100.0, 0.0])) == 403.0


def test_strided_arrays_of_a_sparse_matrix_are_read():
    matrix = sp.csr_array(np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 4.0]]))
    matrix.data = np.repeat(matrix.data, 2)[::2]
    matrix.indices = np.repeat(matrix.indices, 2)[::2]
    assert _core.exact_score(rows_of(matrix), 1, np.array([1.0, 10.0, 100.0, 0.0])) == 403.0


def test_numbers_between_the_places_of_memory_are_copied():
    values = np.arange(6.0).reshape(2, 3)
    between = np.frombuffer(b"?" + values.tobytes(), offset=1).reshape(2, 3)
    rows = rows_of(between)
    assert rows.flags.aligned
    assert (rows == values).all()
    assert np.shares_memory(rows_of(values), values)


def test_indices_that_were_changed_behind_our_back_are_noticed():
    matrix = sp.csr_array(np.eye(3))
    assert matrix.has_canonical_format
    matrix.indices[2] = 7
    with pytest.raises(ShapeError):
        rows_of(matrix)
