"""Cells: a base level, or a combination of two levels, whose rows all have one outcome.

A level is a column of zeros and ones. One level whose rows all have one outcome is a column that
separates by itself; the base of a factor, which has no column, and an interaction of two levels do
the same. Counts of pairs come from one sparse product, so that hundreds of levels are no trouble.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.certificates.certificate import scalar_of
from novikoff.explain.columns import has_constant
from novikoff.explain.factors import factors_of, levels_in
from novikoff.problem import Problem

__all__ = ["Cell", "pure_bases", "pure_cells"]

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
