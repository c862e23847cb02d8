"""Conflicts and packings in exact numbers: what floating point proposed, proven or refused.

A conflict is proven by its α: the one solution of Σ αᵢyᵢx̂ᵢ = 0 on its rows, worked out in
integers, which must be positive. A packing is proven by counting: shares as fractions with a small
denominator, such that no row exceeds its limit.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import floor, inf
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.exact.nearest_point import nearest_point
from novikoff.exact.points import ExactProblem, signed_rows
from novikoff.exact.rational import primitive

# Denominators that are tried, the simplest first; the last ones approximate anything.
DENOMINATORS = (1, 2, 3, 4, 6, 12, 60, 840, 10_000, 1_000_000, 10**12)
MOST_SOLVED = 150  # shares that are solved for together
MOST_NUMBERS = 1 << 20  # of data that is made integers at once, and not conflict by conflict


class ProvenConflict(NamedTuple):
    """Rows with α > 0 and Σ αᵢyᵢx̂ᵢ = 0."""

    rows: tuple[int, ...]
    alpha: tuple[Fraction, ...]


class Conflicts:
    """Conflicts among some rows of a problem, proven once each, until the clock shows `ends`."""

    def __init__(self, points: ExactProblem, rows: NDArray[np.intp], ends: float) -> None:
        self._points, self._rows, self._ends = points, rows, ends
        self._table: list[list[Any]] | None = None
        if len(rows) * (points.problem.d + 1) <= MOST_NUMBERS:
            self._table = signed_rows(points, rows).matrix.table()
        self._known: dict[tuple[int, ...], ProvenConflict | None] = {}
        self._seconds, self._proofs = 0.0, 0

    def prove(self, places: tuple[int, ...]) -> ProvenConflict | None:
        """The conflict of the rows at these places, with its α; None if there is none.

        None also if it is not known and the time is over.
        """
        start = time.monotonic()
        if places not in self._known and start < self._ends:
            self._known[places] = self._prove(places)
            self._seconds += time.monotonic() - start
            self._proofs += 1
        return self._known.get(places)

    def is_refused(self, places: tuple[int, ...]) -> bool:
        """Whether there is no such conflict, proven."""
        return places in self._known and self._known[places] is None

    def seconds_for(self, conflicts: set[tuple[int, ...]]) -> float:
        """How long the proofs of these will take, by those that were made."""
        unknown = len(conflicts - self._known.keys())
        return unknown * self._seconds / max(self._proofs, 1)

    def keep(self, places: tuple[int, ...], alpha: tuple[Fraction, ...]) -> None:
        """Remember a conflict that was proven elsewhere."""
        self._known[places] = ProvenConflict(places, alpha)

    def _prove(self, places: tuple[int, ...]) -> ProvenConflict | None:
        matrix = self._integers(places)
        kernel, nullity = matrix.transpose().nullspace()
        if nullity == 1:
            column = [row[0] for row in kernel.table()]
            if all(value <= 0 for value in column):
                column = [-value for value in column]
            if any(value < 0 for value in column):
                return None
            return self._with_positive(places, column)
        if nullity == 0:
            return None
        start = dict.fromkeys(range(len(places)), flint.fmpq(1))
        nearest = nearest_point(matrix, [0] * len(places), start, until_optimal=False)
        if any(nearest.point.entries()):
            return None
        values: list[Any] = [0] * len(places)
        for k, value in zip(nearest.rows, nearest.alpha, strict=True):
            values[k] = value
        return self._with_positive(places, values)

    def _integers(self, places: tuple[int, ...]) -> Any:
        """The rows yᵢx̂ᵢ as integers, the columns in whatever units."""
        if self._table is None:
            return signed_rows(self._points, self._rows[list(places)]).matrix
        return flint.fmpz_mat([self._table[i] for i in places])

    @staticmethod
    def _with_positive(places: tuple[int, ...], values: list[Any]) -> ProvenConflict:
        """The conflict without the rows whose α is 0."""
        chosen = [k for k, value in enumerate(values) if value != 0]
        alpha = primitive([values[k] for k in chosen])
        return ProvenConflict(tuple(places[k] for k in chosen), alpha)


def pack_shares(
    conflicts: Sequence[ProvenConflict],
    floats: Sequence[float],
    limits: Mapping[int, Fraction | None],
    goal: Fraction,
    is_enough: Callable[[Sequence[int], int], bool],
) -> list[Fraction]:
    """Shares near `floats` that exceed no row's limit (None: there is no limit), exactly.

    The simplest fractions that are enough, given as numerators and their denominator, or else the
    greatest sum found. A share without any limit is made to exceed `goal`.
    """
    best: list[Fraction] = [Fraction(0)] * len(conflicts)
    for denominator in DENOMINATORS:
        counts = _round_shares(conflicts, floats, limits, goal, denominator)
        enough = is_enough(counts, denominator)
        if enough or sum(counts) > sum(best) * denominator:
            best = [Fraction(count, denominator) for count in counts]
        if enough:
            return best
    exact = _solve_shares(conflicts, floats, limits)
    return exact if exact is not None and sum(exact) > sum(best) else best


def _round_shares(
    conflicts: Sequence[ProvenConflict],
    floats: Sequence[float],
    limits: Mapping[int, Fraction | None],
    goal: Fraction,
    denominator: int,
) -> list[int]:
    """Shares in units of 1/denominator: rounded down, then as much more as there is room."""
    left = {
        row: None if limit is None else floor(limit * denominator) for row, limit in limits.items()
    }
    enough = floor(goal * denominator) + denominator  # where nothing limits a share
    counts = []
    for conflict, share in zip(conflicts, floats, strict=True):
        wanted = enough if share == inf else floor(share * denominator + 1e-6)
        counts.append(_take(conflict, wanted, left))
    order = np.argsort([-(share * denominator) % 1.0 if share < inf else 0.0 for share in floats])
    for k in order.tolist():
        counts[k] += _take(conflicts[k], 1, left)
    return counts


def _take(conflict: ProvenConflict, wanted: int, left: dict[int, int | None]) -> int:
    """Take as much of `wanted` as all rows of the conflict have left; how much that is."""
    limited = [row for row in conflict.rows if left[row] is not None]
    taken = max(0, min([wanted, *(left[row] or 0 for row in limited)]))
    for row in limited:
        left[row] = (left[row] or 0) - taken
    return taken


def _solve_shares(
    conflicts: Sequence[ProvenConflict],
    floats: Sequence[float],
    limits: Mapping[int, Fraction | None],
) -> list[Fraction] | None:
    """The shares that fill up exactly the rows that are full, if these determine them."""
    chosen = [k for k, share in enumerate(floats) if share > 0]
    loads: dict[int, float] = {}
    for k in chosen:
        for row in conflicts[k].rows:
            loads[row] = loads.get(row, 0.0) + floats[k]
    full = [
        row
        for row, load in loads.items()
        if (limit := limits[row]) is not None and load > float(limit) * (1 - 1e-6) - 1e-9
    ]
    if not 0 < len(chosen) <= min(len(full), MOST_SOLVED):
        return None
    table = [[int(row in conflicts[k].rows) for k in chosen] for row in full]
    right = [
        [flint.fmpq(v.numerator, v.denominator)] for v in (limits[r] for r in full) if v is not None
    ]
    reduced, rank = flint.fmpq_mat(
        [[*row, *value] for row, value in zip(table, right, strict=True)]
    ).rref()
    if rank != len(chosen) or any(reduced[k, k] != 1 for k in range(rank)):
        return None
    shares = [Fraction(0)] * len(conflicts)
    for place, k in enumerate(chosen):
        value = reduced[place, len(chosen)]
        shares[k] = Fraction(int(value.p), int(value.q))
    return shares if _fits(conflicts, shares, limits) else None


def _fits(
    conflicts: Sequence[ProvenConflict],
    shares: Sequence[Fraction],
    limits: Mapping[int, Fraction | None],
) -> bool:
    if min(shares) < 0:
        return False
    loads: dict[int, Fraction] = {}
    for conflict, share in zip(conflicts, shares, strict=True):
        for row in conflict.rows:
            loads[row] = loads.get(row, Fraction(0)) + share
    return all((limit := limits[row]) is None or load <= limit for row, load in loads.items())
