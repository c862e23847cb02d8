"""Duplicates: equal rows, constant columns, and columns that are multiples of another.

Dead neurons, constant columns and copies make a matrix singular in a way that needs no rank to be
estimated: a column of zeros, a constant one beside an intercept, and a column that is ± a power of
two times another are combinations of the others exactly. Candidates are found by a 64-bit sum over
the bits of the numbers, and then compared number by number: nothing rests on the sums.

The arrays may be NumPy's or CuPy's: `xp` is the module that they belong to.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.exact.bounds import LEAST_NORMAL
from novikoff.matrix.remote import Part, over_parts

BLOCK = 1 << 22  # numbers looked at together
SEED = 20_260
MIXER = -7_046_029_254_386_353_131  # odd, its bits in no order


def equal_rows(X: Any, xp: Any = np) -> NDArray[np.intp]:
    """A number for each row, the same for rows that are equal and for no others."""
    n, d = X.shape
    odd = xp.asarray(_odd_numbers(d))
    sums = np.empty(n, dtype=np.int64)
    step = max(1, BLOCK // d)
    for start in range(0, n, step):
        sums[start : start + step] = _host((_bits(X[start : start + step]) * odd).sum(axis=1))
    _, first, group = np.unique(sums, return_index=True, return_inverse=True)
    later = np.flatnonzero(first[group] != np.arange(n))
    step = max(1, step // 2)
    for start in range(0, len(later), step):
        rows = later[start : start + step]
        pairs = xp.asarray(rows), xp.asarray(first[group[rows]])
        same = _host((X[pairs[0]] == X[pairs[1]]).all(axis=1))
        # One sum and different numbers: next to impossible, so it may be slow.
        for row in rows[~same].tolist():
            equal = _host((X[:row] == X[row]).all(axis=1))
            group[row] = group[equal][0] if equal.any() else int(group.max()) + 1
    return np.asarray(group, dtype=np.intp)


def distinct_rows(X: Any) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first row of each kind, in their order, and the place among them of each row's kind.

    A sparse matrix is CSR, its columns in order, without zeros.
    """
    group = _equal_sparse_rows(X) if sp.issparse(X) else equal_rows(X)
    _, first, place = np.unique(group, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(first), dtype=np.intp)
    rank[order] = np.arange(len(first))
    return first[order], rank[place]


def _equal_sparse_rows(X: Any) -> NDArray[np.intp]:
    """`equal_rows` of CSR; all are called different if two that are have the same sum."""
    counts = np.diff(X.indptr)
    sums = np.cumsum(np.append(0, _bits(X.data) * _odd_numbers(X.shape[1])[X.indices]))
    _, first, group = np.unique(
        sums[X.indptr[1:]] - sums[X.indptr[:-1]], return_index=True, return_inverse=True
    )
    like = first[group]
    if (counts == counts[like]).all():
        there = np.arange(len(X.data)) + np.repeat(X.indptr[like] - X.indptr[:-1], counts)
        if (X.indices == X.indices[there]).all() and (X.data == X.data[there]).all():
            return np.asarray(group, dtype=np.intp)
    return np.arange(X.shape[0])


def distinct_columns(
    X: Any, xp: Any = np, *, with_one: bool, near: NDArray[np.float64] | None = None
) -> NDArray[np.intp]:
    """The columns that are not 0, not constant beside a 1, and no ±2ᵏ times an earlier one.

    The others are combinations of these (and of the 1) exactly, so the rank is the same without
    them. What is left may be dependent in other ways. Of a dense matrix that is not in memory,
    `near` are some rows: only columns that are alike there are compared everywhere.
    """
    ranges = over_parts(X, None, _ranges_of_part)
    least = np.min([part[0] for part in ranges], axis=0)
    greatest = np.max([part[1] for part in ranges], axis=0)
    columns, exponents = _columns_that_vary(least, greatest, with_one)
    if len(columns) == 0:
        return columns
    sums = _column_sums(X, xp, exponents) if near is None else _column_sums(near, np, exponents)
    alike = _multiples_in_one_pass(X, columns, sums, exponents) if near is not None else None
    seen: dict[int, list[int]] = {}
    kept = []
    for j in columns.tolist():
        before = seen.setdefault(int(sums[j]), [])  # only columns of equal sums can be multiples
        if not any(
            _are_multiples(X, xp, i, j, exponents).any() if alike is None else (i, j) in alike
            for i in before
        ):
            before.append(j)
            kept.append(j)
    return np.array(kept, dtype=np.intp)


def _multiples_in_one_pass(
    X: Any, columns: NDArray[np.intp], sums: NDArray[np.int64], exponents: NDArray[np.int32]
) -> set[tuple[int, int]]:
    """The pairs of columns of equal sums of which the second is a multiple of the first."""
    pairs = [
        (i, j)
        for at, j in enumerate(columns.tolist())
        for i in columns[:at][sums[columns[:at]] == sums[j]].tolist()
    ]
    if not pairs:
        return set()
    signs = np.all(over_parts(X, None, _are_multiples_in_part, pairs, exponents), axis=0)
    return {pair for pair, same in zip(pairs, signs.any(axis=1).tolist(), strict=True) if same}


def _columns_that_vary(
    least: NDArray[np.float64], greatest: NDArray[np.float64], with_one: bool
) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """The columns that are not 0, or not constant beside a 1; and the power of two of each."""
    sizes = np.maximum(np.abs(least), np.abs(greatest))
    return np.flatnonzero(least < greatest if with_one else sizes > 0), np.frexp(sizes)[1]


def _ranges_of_part(part: Part) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    least, greatest = part.X.min(axis=0), part.X.max(axis=0)
    return _host(least).astype(np.float64), _host(greatest).astype(np.float64)


def _are_multiples_in_part(
    part: Part, pairs: list[tuple[int, int]], exponents: NDArray[np.int32]
) -> NDArray[np.bool_]:
    return np.array([_are_multiples(part.X, np, i, j, exponents) for i, j in pairs])


def _column_sums(X: Any, xp: Any, exponents: NDArray[np.int32]) -> NDArray[np.int64]:
    """A sum over each column's bits that ignores its sign and its power of two."""
    n, d = X.shape
    odd = _odd_numbers(n)
    shift = xp.asarray(-exponents)
    total = xp.zeros(d, dtype=np.int64)
    step = max(1, BLOCK // d)
    for start in range(0, n, step):
        scaled = xp.ldexp(xp.abs(X[start : start + step].astype(np.float64)), shift)
        part = _bits(scaled) * xp.asarray(odd[start : start + step])[:, None]
        total = total + part.sum(axis=0)
    return _host(total)


def _are_multiples(
    X: Any, xp: Any, i: int, j: int, exponents: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Whether column j is 2ᵏ times column i, and whether it is −2ᵏ times it; nothing is rounded."""
    first, second = X[:, i].astype(np.float64), X[:, j].astype(np.float64)
    scaled = xp.ldexp(first, int(exponents[j] - exponents[i]))
    vanished = (xp.abs(scaled) < LEAST_NORMAL) & (first != 0)
    if bool(vanished.any()):
        return np.zeros(2, np.bool_)
    return np.array([bool((scaled == second).all()), bool((scaled == -second).all())])


def _bits(values: Any) -> Any:
    """The bits of float64 numbers, mixed: short numbers differ in a few high bits only."""
    bits = (values.astype(np.float64) + 0.0).view(np.int64)  # −0.0 + 0.0 is 0.0
    mixed = (bits ^ (bits >> 32)) * MIXER
    return mixed ^ (mixed >> 29)


def _odd_numbers(count: int) -> NDArray[np.int64]:
    numbers = np.random.default_rng(SEED).integers(-(2**62), 2**62, size=count, dtype=np.int64)
    return np.asarray(numbers * 2 + 1, dtype=np.int64)


def _host(values: Any) -> NDArray[Any]:
    return np.asarray(values.get() if hasattr(values, "get") else values)
