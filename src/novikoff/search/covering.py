"""The covering program: how much must be wrong so that every known conflict has a row that is.

    minimise Σ wᵢxᵢ   over x ≥ 0, Σ xᵢ ≥ 1 over the rows of each conflict

The pool keeps all conflicts that were ever found; a program has the few that matter at the moment,
and goes on from its last basis. The dual solution is a packing: shares of the conflicts that add up
to at most wᵢ on every row. It is the lower bound, once it is proven in rational numbers.
"""

import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from novikoff.rows import Floats

__all__ = ["Cover", "Pool", "Solution"]

WRONG = 2.0  # the x of a row taken to be wrong: its conflicts have slack, hence no share
MOST_ADDED = 200  # conflicts added to a program at a time
SLACK = 1e-6
MOST_ROWS = 1500  # conflicts in a program before those with slack leave it


class Pool:
    """All conflicts found so far, each a set of rows; shared by threads."""

    def __init__(self, n: int, width: int) -> None:
        self.n = n
        self._rows = np.full((1024, width), n, dtype=np.int32)
        self._known: dict[tuple[int, ...], int] = {}
        self._lock = threading.Lock()
        self.size = 0
        self.banned: set[int] = set()

    def add(self, conflicts: Iterable[tuple[int, ...]]) -> list[int]:
        """Take new conflicts in; the places of those that were not known."""
        new = []
        with self._lock:
            for rows in conflicts:
                if rows in self._known:
                    continue
                if self.size == len(self._rows):
                    self._rows = np.vstack([self._rows, np.full_like(self._rows, self.n)])
                self._rows[self.size, : len(rows)] = rows
                self._known[rows] = self.size
                new.append(self.size)
                self.size += 1
        return new

    def ban(self, conflict: int) -> None:
        """Use a conflict no more: it could not be proven."""
        with self._lock:
            self.banned.add(conflict)
            self._rows[conflict] = -1

    def rows(self, conflict: int) -> tuple[int, ...]:
        """The rows of a conflict."""
        rows = self._rows[conflict]
        return tuple(rows[(rows >= 0) & (rows < self.n)].tolist())

    def covered(self, x: Floats) -> Floats:
        """Σ x over the rows of every conflict; infinity for those that are banned."""
        with self._lock:
            table = self._rows[: self.size]
        sums: Floats = np.append(x, [0.0])[table].sum(axis=1)
        sums[list(self.banned)] = np.inf
        return sums

    def uncovered(self, x: Floats) -> list[int]:
        """The conflicts that x covers least, worst first."""
        sums = self.covered(x)
        order = np.argsort(sums)[:MOST_ADDED]
        return [int(j) for j in order if sums[j] < 1.0 - SLACK]

    def within(self, right: Iterable[int]) -> int | None:
        """A conflict all of whose rows are among those taken to be right, if there is one."""
        outside = np.ones(self.n)
        outside[list(right)] = 0.0
        sums = self.covered(outside)
        return int(np.argmin(sums)) if len(sums) and sums.min() == 0.0 else None

    def greedy_cover(self, x: Floats | None, weights: Floats) -> NDArray[np.bool_]:
        """Rows of which every conflict has one: those that x points at, the best for their weight.

        Rows that turn out to be needless are left out again.
        """
        chosen = np.zeros(self.n, dtype=np.bool_)
        tables = [list(self.rows(j)) for j in range(self.size) if j not in self.banned]
        hint = np.zeros(self.n) if x is None else x
        left = tables
        while left:
            counts = np.bincount(np.concatenate(left), minlength=self.n)
            best = int(np.argmax(np.where(counts > 0, (counts + 1e3 * hint * counts), 0) / weights))
            chosen[best] = True
            left = [rows for rows in left if best not in rows]
        for row in np.flatnonzero(chosen)[np.argsort(-weights[chosen])].tolist():
            if all(chosen[rows].sum() > 1 for rows in tables if row in rows):
                chosen[row] = False
        return chosen


class Solution(NamedTuple):
    """A fractional cover x, what it weighs, and the shares of conflicts that are above 0."""

    x: Floats
    value: float
    shares: dict[int, float]


class Cover:
    """A covering program on HiGHS, with some rows taken to be right or wrong."""

    def __init__(self, pool: Pool, weights: Floats) -> None:
        self.pool, self.weights = pool, weights
        self.n = len(weights)
        self._conflicts: list[int] = []
        self._present: set[int] = set()
        self._fixed: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
        self._highs = _empty_program(weights)

    def fix(self, right: frozenset[int], wrong: frozenset[int]) -> None:
        """Take rows to be right (x = 0) or wrong; all others are free."""
        for row in self._fixed[0] | self._fixed[1]:
            self._highs.changeColBounds(row, 0.0, highspy.kHighsInf)
        for row in right:
            self._highs.changeColBounds(row, 0.0, 0.0)
        for row in wrong:
            self._highs.changeColBounds(row, WRONG, WRONG)
        self._fixed = (right, wrong)

    def add(self, conflicts: Iterable[int]) -> int:
        """Add conflicts of the pool; how many of them were not there."""
        new = [j for j in conflicts if j not in self._present]
        if new:
            rows = [self.pool.rows(j) for j in new]
            starts = np.cumsum([0, *map(len, rows)])
            self._highs.addRows(
                len(new),
                np.ones(len(new)),
                np.full(len(new), highspy.kHighsInf),
                int(starts[-1]),
                starts[:-1].astype(np.int32),
                np.concatenate(rows).astype(np.int32),
                np.ones(int(starts[-1])),
            )
            self._conflicts += new
            self._present.update(new)
        return len(new)

    def solve(self) -> Solution | None:
        """The best cover of the conflicts in the program; None if the fixed rows allow none."""
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solution = self._highs.getSolution()
        x = np.array(solution.col_value)
        duals = np.array(solution.row_dual)
        _, wrong = self._fixed
        value = float(x @ self.weights)
        value -= sum(float(self.weights[row]) * (x[row] - 1.0) for row in wrong)
        shares = {self._conflicts[k]: float(duals[k]) for k in np.flatnonzero(duals > SLACK)}
        if len(self._conflicts) > MOST_ROWS:
            self._drop(np.array(solution.row_value), duals)
        return Solution(x, value, shares)

    def drop(self, conflicts: Iterable[int]) -> None:
        """Take conflicts out of the program."""
        gone = set(conflicts)
        self._delete([k for k, j in enumerate(self._conflicts) if j in gone])

    def _drop(self, covered: NDArray[np.float64], duals: NDArray[np.float64]) -> None:
        """Let the conflicts go that have slack: the pool brings them back when they are missed."""
        self._delete(np.flatnonzero((covered > 1.0 + 0.05) & (duals <= SLACK)).tolist())

    def _delete(self, places: list[int]) -> None:
        if not places:
            return
        self._highs.deleteRows(len(places), np.array(places, dtype=np.int32))
        gone = set(places)
        self._conflicts = [j for k, j in enumerate(self._conflicts) if k not in gone]
        self._present = set(self._conflicts)


def _empty_program(weights: Floats) -> Any:
    n = len(weights)
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = n, 0
    program.col_cost_ = weights
    program.col_lower_, program.col_upper_ = np.zeros(n), np.full(n, highspy.kHighsInf)
    program.a_matrix_.start_ = np.zeros(n + 1, dtype=np.int32)
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("presolve", "off"),
        ("solver", "simplex"),
    ):
        highs.setOptionValue(option, value)
    highs.passModel(program)
    return highs
