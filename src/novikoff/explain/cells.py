"""Cells: combinations of two levels whose rows all have one outcome.

A level is a column of zeros and ones. One level whose rows all have one outcome is a column that
separates by itself; an interaction does the same with two. Counts of pairs come from one sparse
product, so that hundreds of levels are no trouble.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.certificates.certificate import scalar_of
from novikoff.problem import Problem

__all__ = ["Cell", "pure_cells"]

MOST_CELLS = 20
MOST_LEVELS = 3000


@dataclass(frozen=True)
class Cell:
    """Rows with a 1 in both columns: all `rows` of them are of class `outcome`."""

    names: tuple[str, str]
    outcome: Any
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """The cell as plain JSON values."""
        return {"names": list(self.names), "outcome": scalar_of(self.outcome), "rows": self.rows}

    def __str__(self) -> str:
        rows = "the one row" if self.rows == 1 else f"all {self.rows} rows"
        verb = "is" if self.rows == 1 else "are"
        return f"{self.names[0]} with {self.names[1]}: {rows} {verb} {self.outcome!r}"


def pure_cells(problem: Problem, off_plane: NDArray[np.intp]) -> list[Cell]:
    """Pairs of levels with one outcome among the rows off the plane, the largest first.

    Pairs of which one level has one outcome anyway are left out: that level says more.
    """
    levels = _levels(problem)
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


def _levels(problem: Problem) -> list[int]:
    """The columns that hold zeros and ones, some of each."""
    X = problem.X
    if X.dtype == object:
        return []
    columns = sp.csc_array(X) if sp.issparse(X) else None
    levels = []
    for j in range(problem.d):
        if columns is None:
            values = X[:, j]
        else:
            values = columns.data[columns.indptr[j] : columns.indptr[j + 1]]
        ones = int((values == 1).sum())
        if 0 < ones < problem.n and ones == int((values != 0).sum()):
            levels.append(j)
    return levels
