"""All planes in few dimensions, in cones that are halved until each is bounded.

The cones come from the vectors along the search's own coordinates, and their opposites. They are
rounded to few bits, so that the proof is short; the scores of the rows at them are exact, and made
floats only then. See `core/cones.hpp` for the search, `certificates/cones.py` for what it proves.

Rows in general position leave every cone with few rows that it does not decide. Where many rows
meet in one plane, no cone around that plane is small enough: the search gives up there.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import flint
import numpy as np

from novikoff import _core
from novikoff.certificates.conflicts import Cones
from novikoff.exact.points import ExactProblem, signed_rows
from novikoff.exact.rational import nearest_float, over_one_denominator
from novikoff.separability.fewest.instance import Coordinates, Groups

MOST_VECTORS = 6
MOST_NODES = 1 << 22
MOST_DEPTH = 200
MOST_ROWS = 1 << 16
MOST_NUMBERS = 1 << 23  # of the rows that count
PRIME = 2**61 - 1
BITS = 30  # of a number of a vector
MOST_WEIGHT = 1 << 50  # of all rows, in units: floats that count them exactly


class ConeProof(NamedTuple):
    """Cones that prove so many errors, and a plane with no more where a better one was found."""

    cones: Cones
    errors: Fraction
    w_hat: tuple[Fraction, ...] | None


def search_cones(
    points: ExactProblem,
    groups: Groups,
    coordinates: Coordinates,
    known: tuple[Fraction, Fraction],
    is_late: Callable[[], bool],
) -> ConeProof | None:
    """The proof, from the errors of the best plane and the unit of all errors; None if too hard."""
    errors, unit = known
    rank = coordinates.turned.shape[1]
    weights = [weight / unit for weight in groups.weights] if unit else []
    if rank > MOST_VECTORS or not weights or sum(weights) > MOST_WEIGHT:
        return None
    counting = sum(map(len, groups.members))
    if len(weights) > MOST_ROWS or counting * (points.problem.d + 1) > MOST_NUMBERS:
        return None
    planes = [coordinates.weights(axis) for axis in np.eye(rank)]
    if not all(np.isfinite(w_hat).all() for w_hat in planes):
        return None
    vectors = tuple(_short(w_hat.tolist()) for w_hat in planes)
    scores = _scores(points, groups, vectors)
    if scores is None:
        return None
    sure, rows, counts = _sides(scores, [int(weight) for weight in weights])
    found = _core.search_cones(
        np.array(rows, dtype=np.float64).reshape(len(rows), rank),
        np.array(counts, dtype=np.float64),
        float(errors / unit - sure),
        MOST_NODES,
        MOST_DEPTH,
        is_late,
    )
    is_whole, least, place, tree = found
    if not is_whole:
        return None
    w_hat = None
    if place:
        parts = [Fraction(value) for value in place]
        columns = zip(*vectors, strict=True)
        w_hat = tuple(
            sum((a * v for a, v in zip(parts, column, strict=True)), Fraction(0))
            for column in columns
        )
    return ConeProof(Cones(vectors, tree), (sure + int(least)) * unit, w_hat)


def _short(values: list[float]) -> tuple[Fraction, ...]:
    """The numbers rounded to few bits each."""
    mantissas, exponents = np.frexp(values)
    rounded = np.rint(np.ldexp(mantissas, BITS)).tolist()
    return tuple(
        Fraction(int(value)) * Fraction(2) ** (power - BITS)
        for value, power in zip(rounded, exponents.tolist(), strict=True)
    )


def _scores(
    points: ExactProblem, groups: Groups, vectors: tuple[tuple[Fraction, ...], ...]
) -> list[list[Fraction]] | None:
    """A multiple of the exact score of each group at each vector; None if they miss some plane.

    The coordinates are floats, and miss one where columns nearly depend on each other.
    """
    block = signed_rows(points, groups.first)
    inner = [
        [value * unit for value, unit in zip(vector, block.units, strict=True)]
        for vector in vectors
    ]
    integers, _ = over_one_denominator(value for vector in inner for value in vector)
    A = block.matrix
    S = A * flint.fmpz_mat(len(inner), A.ncols(), integers).transpose()
    if flint.nmod_mat(A, PRIME).rank() > len(inner):  # told soon, and never above the rank
        return None
    gram = A.transpose() * A if A.nrows() > A.ncols() else A * A.transpose()
    if gram.rank() != (S.transpose() * S).rank():
        return None
    return [[Fraction(int(value)) for value in row] for row in S.tolist()]


def _sides(
    scores: list[list[Fraction]], counts: list[int]
) -> tuple[int, list[list[float]], list[int]]:
    """Errors of every plane, and the rows that are left, at most 1 in size, with what they count.

    A row of zeros is wrong for all; of two rows that are opposites, one is always wrong.
    """
    weight_of: dict[tuple[Fraction, ...], int] = {}
    sure = 0
    for row, count in zip(scores, counts, strict=True):
        size = max(map(abs, row))
        if size == 0:
            sure += count
            continue
        key = tuple(value / size for value in row)
        weight_of[key] = weight_of.get(key, 0) + count
    rows, left = [], []
    for key, count in weight_of.items():
        opposite = weight_of.get(tuple(-value for value in key), 0)
        if opposite and key > tuple(-value for value in key):
            sure += min(count, opposite)
        if count > opposite:
            rows.append([nearest_float(value) for value in key])
            left.append(count - opposite)
    return sure, rows, left
