"""Columns that are combinations of the ones before them, exactly: R sets these aside.

`score_levels` ranks the exact scores xᵢ·δ.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.exact.projection import null_space_of
from novikoff.exact.rational import Vector, over_one_denominator, primitive
from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.remote import RemoteMatrix

AT_LEAST = 32  # columns that are looked at together


def independent_columns(rows: Any, among: NDArray[np.intp], decimals: bool) -> tuple[int, ...]:
    """The columns that are no combination of those before them, on some of the rows.

    Of more columns than rows, some at a time: what is aliased changes nothing for later columns.
    """
    p, kept = rows.shape[1], np.empty(0, dtype=np.intp)
    step = p if isinstance(rows, RemoteMatrix) else max(len(among), AT_LEAST)
    for start in range(0, p, step):
        some = np.append(kept, np.arange(start, min(start + step, p)))
        part = rows if len(some) == p else rows[:, some]
        basis = null_space_of(ExactMatrix(part, decimals), among, False)
        kept = some[list(independent_of(basis, len(some)))]
        if len(kept) == len(among):
            break
    return tuple(kept.tolist())


def combinations_of(basis: list[Vector], kept: Sequence[int]) -> dict[int, Vector]:
    """Each column that is not kept, as a combination of those that are: its share of each.

    The basis is that of the columns' null space, and the kept ones are independent.
    """
    if not basis:
        return {}
    p, k = len(basis[0]), len(kept)
    others = sorted(set(range(p)) - set(kept))
    whole = map(primitive, basis)
    table = [[int(vector[j]) for j in (*others, *kept)] for vector in whole]
    echelon, lead, _ = flint.fmpz_mat(table).rref()
    rows = [[Fraction(-int(value), int(lead)) for value in row[-k:]] for row in echelon.table()]
    return dict(zip(others, map(tuple, rows), strict=False))


def independent_of(basis: list[Vector], p: int) -> tuple[int, ...]:
    """The columns that are not aliased, from a basis of the null space of all p columns.

    A null vector says that its last column is a combination of the ones before. So the aliased
    columns are those in which the basis, made echelon from the right, begins.
    """
    if not basis:
        return tuple(range(p))
    table = [[int(value) for value in reversed(primitive(vector))] for vector in basis]
    echelon, _, rank = flint.fmpz_mat(table).rref()
    aliased, j = set(), 0
    for i in range(rank):
        while int(echelon[i, j]) == 0:
            j += 1
        aliased.add(p - 1 - j)
    return tuple(j for j in range(p) if j not in aliased)


BLOCK = 1 << 18  # numbers made integers together


def score_levels(reading: ExactMatrix, direction: Vector) -> NDArray[np.intp]:
    """The rank of xᵢ·δ among its distinct values, for each row; nothing is rounded."""
    columns = [j for j, value in enumerate(direction) if value]
    n = reading.X.shape[0]
    if not columns:
        return np.zeros(n, dtype=np.intp)
    scores: list[Fraction] = []
    step = max(1, BLOCK // len(columns))
    for start in range(0, n, step):
        integers, factors = reading.integers(slice(start, start + step), columns)
        weights = [direction[j] / factor for j, factor in zip(columns, factors, strict=True)]
        integer, shared = over_one_denominator(weights)
        whole = np.array(integer, dtype=object)
        scores += [Fraction(int(value), shared) for value in integers @ whole]
    ranks = {score: rank for rank, score in enumerate(sorted(set(scores)))}
    return np.array([ranks[score] for score in scores], dtype=np.intp)
