"""Cells: a base level, or a combination of two levels, whose rows all have one outcome.

A level is a column of zeros and ones. One level whose rows all have one outcome is a column that
separates by itself; the base of a factor, which has no column, and an interaction of two levels do
the same. Counts of pairs come from one sparse product, so that hundreds of levels are no trouble.

`single_columns` finds columns that alone separate the classes. One pass keeps the least and the
greatest value of each column in each class. Column x separates completely if all values of one
class are below all values of the other, and quasi-completely if they meet in one value only.
Without an intercept the threshold has to be 0.
"""

import itertools
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import scalar_of
from novikoff.core import sparse as sp
from novikoff.core.options import with_count
from novikoff.data.factors import factors_of, levels_in
from novikoff.exact.rational import nearest_float
from novikoff.matrix.digest import row_blocks
from novikoff.matrix.problem import Problem, as_fraction
from novikoff.matrix.remote import Part, over_parts

MOST_CELLS = 20
MOST_LEVELS = 3000


@dataclass(frozen=True)
class Cell:
    """Rows of a base, or with a 1 in both columns: all `rows` of them are of class `outcome`."""

    names: tuple[str, ...]
    outcome: Any
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """The cell as plain JSON values."""
        return {"names": list(self.names), "outcome": scalar_of(self.outcome), "rows": self.rows}

    def __str__(self) -> str:
        rows = "the one row" if self.rows == 1 else f"all {self.rows} rows"
        verb = "is" if self.rows == 1 else "are"
        return f"{' with '.join(self.names)}: {rows} {verb} {self.outcome!r}"


def pure_bases(problem: Problem) -> list[Cell]:
    """The bases of factors whose rows all have one outcome, the largest first."""
    if not (problem.fit_intercept or has_constant(problem)):
        return []
    found = []
    for factor in factors_of(problem.X, problem.names, problem.bases):
        signs = problem.y[factor.base_rows]
        # A single column without a name for its base is among those that separate by themselves.
        if signs.min() == signs.max() and (factor.named or len(factor.columns) > 1):
            outcome = problem.classes[1 if signs[0] > 0 else 0]
            found.append(Cell((factor.title,), outcome, len(signs)))
    return sorted(found, key=lambda cell: -cell.rows)[:MOST_CELLS]


def pure_cells(problem: Problem, off_plane: NDArray[np.intp]) -> list[Cell]:
    """Pairs of levels with one outcome among the rows off the plane, the largest first.

    Pairs of which one level has one outcome anyway are left out: that level says more.
    """
    levels = levels_in(problem.X)
    if not 1 < len(levels) <= MOST_LEVELS or len(off_plane) == 0:
        return []
    X = sp.csr_of(problem.X)[:, levels].astype(np.float64)
    signed = sp.csr_array(sp.diags_array(problem.y.astype(np.float64)) @ X)
    counts, sums = sp.csr_array(X.T @ X), sp.csr_array(X.T @ signed)
    size, total = counts.diagonal(), sums.diagonal()
    is_pure = np.abs(total) == size
    touched = np.asarray(X[off_plane].sum(axis=0)).ravel() > 0
    pairs = sp.triu(counts, k=1).tocoo()
    found = []
    for a, b, count in zip(pairs.row, pairs.col, pairs.data, strict=True):
        if is_pure[a] or is_pure[b] or not (touched[a] and touched[b]) or count == 0:
            continue
        # A level inside the other is no combination of the two.
        if abs(sums[a, b]) != count or count in (size[a], size[b]):
            continue
        outcome = problem.classes[1 if sums[a, b] > 0 else 0]
        names = (problem.names[levels[a]], problem.names[levels[b]])
        found.append(Cell(names, outcome, int(count)))
    return sorted(found, key=lambda cell: -cell.rows)[:MOST_CELLS]


@dataclass(frozen=True)
class SingleColumn:
    """A column that alone separates: its values up to `lower_end` are of class `lower`, say.

    `lower_end` is the greatest value in the class below, `upper_start` the least in the class
    above. `rows` counts those that the column decides: all, or those off the common value.
    """

    name: str
    separation: Literal["complete", "quasi-complete"]
    lower: Any
    upper: Any
    lower_end: float
    upper_start: float
    rows: int
    decides_lower: bool
    decides_upper: bool

    def to_dict(self) -> dict[str, Any]:
        """The column as plain JSON values."""
        labels = {"lower": scalar_of(self.lower), "upper": scalar_of(self.upper)}
        return {**vars(self), **labels}

    def __str__(self) -> str:
        if self.separation == "complete":
            return (
                f"{self.name} alone separates completely: up to {self.lower_end:g} all are "
                f"{self.lower!r}, from {self.upper_start:g} all are {self.upper!r}"
            )
        parts = []
        if self.decides_lower:
            parts.append(f"below {self.lower_end:g} all are {self.lower!r}")
        if self.decides_upper:
            parts.append(f"above {self.upper_start:g} all are {self.upper!r}")
        rows = with_count(self.rows)
        return f"{self.name} alone separates quasi-completely: {', '.join(parts)} ({rows})"


def has_constant(problem: Problem) -> bool:
    """Whether some column is a constant other than 0, and so an intercept by another name."""
    least, greatest = _extremes(problem)
    both = np.minimum(least[0], least[1]) == np.maximum(greatest[0], greatest[1])
    return bool((both & (least[0] != 0)).any())


def single_columns(problem: Problem) -> list[SingleColumn]:
    """The columns that alone separate, in their order."""
    least, greatest = _extremes(problem)
    constant = problem.fit_intercept or has_constant(problem)
    halves = []
    for j in np.flatnonzero((greatest[0] <= least[1]) | (greatest[1] <= least[0])).tolist():
        for lower, upper in ((0, 1), (1, 0)):
            end, start = greatest[lower][j], least[upper][j]
            if end > start or not (constant or end <= 0 <= start):
                continue
            strict = end < start if constant else end < 0 < start
            plane = end if constant else 0
            below, above = least[lower][j] < plane, greatest[upper][j] > plane
            if strict or below or above:
                halves.append((j, lower, upper, plane, strict, below, above))
    columns = np.array([half[0] for half in halves], dtype=np.intp)
    planes = np.array([half[3] for half in halves], dtype=np.result_type(*greatest))
    off = _count_off(problem, columns, planes)
    return [
        SingleColumn(
            name=problem.names[j],
            separation="complete" if strict else "quasi-complete",
            lower=problem.classes[lower],
            upper=problem.classes[upper],
            lower_end=nearest_float(as_fraction(greatest[lower][j])),
            upper_start=nearest_float(as_fraction(least[upper][j])),
            rows=problem.n if strict else off[at],
            decides_lower=bool(strict or below),
            decides_upper=bool(strict or above),
        )
        for at, (j, lower, upper, _, strict, below, above) in enumerate(halves)
    ]


def _extremes(problem: Problem) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
    """The least and the greatest value of each column, class by class (−1 first)."""
    least: list[Any] = [None, None]
    greatest: list[Any] = [None, None]
    for side, low, high in itertools.chain(*over_parts(problem.X, problem.y, _extremes_in_part)):
        least[side] = low if least[side] is None else np.minimum(least[side], low)
        greatest[side] = high if greatest[side] is None else np.maximum(greatest[side], high)
    return least, greatest


def _extremes_in_part(part: Part) -> list[tuple[int, NDArray[Any], NDArray[Any]]]:
    """For each block of rows of a part and each class in it: the least and greatest values."""
    found, start = [], 0
    for block in row_blocks(part.X):
        signs = part.y[start : start + len(block)]
        start += len(block)
        for side, sign in enumerate((-1, 1)):
            mine = block[signs == sign]
            if len(mine):
                found.append((side, mine.min(axis=0), mine.max(axis=0)))
    return found


def _count_off(problem: Problem, columns: NDArray[np.intp], planes: NDArray[Any]) -> list[int]:
    """How many rows of each of these columns are not at its plane."""
    counts = over_parts(problem.X, problem.y, _count_off_in_part, columns, planes)
    total: list[int] = np.sum(counts, axis=0).tolist()
    return total


def _count_off_in_part(
    part: Part, columns: NDArray[np.intp], planes: NDArray[Any]
) -> NDArray[np.intp]:
    """How many rows of a class are not at these values; a sign of 0 is of none."""
    off, start = np.zeros(len(columns), dtype=np.intp), 0
    for block in row_blocks(part.X):
        here = part.y[start : start + len(block)] != 0
        start += len(block)
        off += (block[here][:, columns] != planes).sum(axis=0)
    return off
