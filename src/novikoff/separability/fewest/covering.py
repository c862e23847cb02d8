"""The covering program: how much must be wrong so that every known conflict has a row that is.

    minimise Σ wᵢxᵢ   over x ≥ 0, Σ xᵢ ≥ 1 over the rows of each conflict

The pool keeps all conflicts that were ever found; a program has the few that matter at the moment,
and goes on from its last basis. The dual solution is a packing: shares of the conflicts that add up
to at most wᵢ on every row. It is the lower bound, once it is proven in rational numbers.
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import highspy
import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.matrix.rows import Floats

Rows: TypeAlias = tuple[int, ...]  # of a conflict, in order: they are its name
Uncovered: TypeAlias = list[tuple[float, Rows]]

WRONG = 2.0  # the x of a row taken to be wrong: its conflicts have slack, hence no share
MOST_ADDED = 200  # conflicts added to a program at a time
SLACK = 1e-6
MOST_ROWS = 700  # conflicts in a program before those with slack leave it
MOST_NUMBERS = 4_000_000  # rows of all conflicts in a pool: beyond, the older half is forgotten
FIRST_LINES = 1024
DEVEX = 1  # how HiGHS chooses pivots: half the time of its own choice on these programs
TRIED_PIVOTS = 60  # of a program that is only tried


class ConflictPool:
    """Conflicts found so far, each a set of rows."""

    def __init__(self, width: int) -> None:
        self._table = np.full((FIRST_LINES, width), -1, dtype=np.int64)
        self._found: list[Rows] = []
        self._known: set[Rows] = set()
        self._most = max(FIRST_LINES, MOST_NUMBERS // width)

    def __len__(self) -> int:
        return len(self._found)

    def add(self, conflicts: Iterable[Rows]) -> bool:
        """Take conflicts in; whether one of them was not known."""
        size = len(self._found)
        for rows in conflicts:
            if rows not in self._known:
                self._known.add(rows)
                self._write(rows)
        is_news = len(self._found) > size
        if len(self._found) > self._most:
            self._keep(self._found[-self._most // 2 :])
        return is_news

    def _write(self, rows: Rows) -> None:
        at = len(self._found)
        if at == len(self._table):
            self._table = np.vstack([self._table, np.full_like(self._table, -1)])
        self._table[at, : len(rows)] = rows
        self._found.append(rows)

    def _keep(self, kept: list[Rows]) -> None:
        self._table[:] = -1
        self._found, self._known = [], set(kept)
        for rows in kept:
            self._write(rows)

    def ban(self, conflict: Rows) -> None:
        """Use a conflict no more, and take it in no more: it could not be proven."""
        if conflict in self._known:
            known = self._known
            self._keep([rows for rows in self._found if rows != conflict])
            self._known = known

    def clear(self) -> list[Rows]:
        """Empty the pool; what it held, in the order in which it came."""
        found = self._found
        self._table[: len(found)] = -1
        self._found, self._known = [], set()
        return found

    def sums(self, x: Floats) -> Floats:
        """Σ x over the rows of every conflict."""
        sums: Floats = np.empty(len(self._found))
        _core.cover_sums(self._table, x, sums)
        return sums

    def uncovered(self, x: Floats) -> Uncovered:
        """The conflicts that x covers least, worst first, with Σ x over their rows."""
        sums = self.sums(x)
        open_ones = np.flatnonzero(sums < 1.0 - SLACK)
        if len(open_ones) > MOST_ADDED:
            open_ones = open_ones[np.argsort(sums[open_ones], kind="stable")[:MOST_ADDED]]
        return sorted((float(sums[j]), self._found[j]) for j in open_ones.tolist())

    def within(self, right: Iterable[int], n: int) -> Rows | None:
        """A conflict all of whose rows are among those taken to be right, if there is one."""
        outside = np.ones(n)
        outside[list(right)] = 0.0
        sums = self.sums(outside)
        return self._found[int(np.argmin(sums))] if len(sums) and sums.min() == 0.0 else None

    def greedy_cover(self, x: Floats | None, weights: Floats) -> NDArray[np.bool_]:
        """Rows of which every conflict has one: those that x points at, the best for their weight.

        Rows that turn out to be needless are left out again.
        """
        n = len(weights)
        chosen = np.zeros(n, dtype=np.bool_)
        table = self._table[: len(self._found)]
        hint = np.ones(n) if x is None else 1.0 + 1e3 * x
        left = table
        while len(left):
            counts = np.bincount(left[left >= 0], minlength=n)
            best = int(np.argmax(counts * hint / weights))
            chosen[best] = True
            left = left[~(left == best).any(axis=1)]
        often = np.append(chosen, [False])[table].sum(axis=1)
        for row in np.flatnonzero(chosen)[np.argsort(-weights[chosen], kind="stable")].tolist():
            has_it = (table == row).any(axis=1)
            if (often[has_it] > 1).all():
                chosen[row] = False
                often[has_it] -= 1
        return chosen


class Solution(NamedTuple):
    """A fractional cover x, what it weighs, and the shares of conflicts that are above 0.

    `spare` is what each row counts beyond the shares of its conflicts: a plane that is wrong on the
    row has at least `value + spare` errors.
    """

    x: Floats
    value: float
    shares: dict[Rows, float]
    spare: Floats


class Cover:
    """A covering program on HiGHS, with some rows taken to be right or wrong."""

    def __init__(self, weights: Floats) -> None:
        self.weights = weights
        self._conflicts: list[Rows] = []
        self._present: set[Rows] = set()
        self._fixed: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
        self._highs = _empty_program(weights)

    def fix(self, right: frozenset[int], wrong: frozenset[int]) -> None:
        """Take rows to be right (x = 0) or wrong; all others are free."""
        changed = sorted((self._fixed[0] ^ right) | (self._fixed[1] ^ wrong))
        lowers = np.array([WRONG if row in wrong else 0.0 for row in changed])
        uppers = np.array(
            [
                0.0 if row in right else WRONG if row in wrong else highspy.kHighsInf
                for row in changed
            ]
        )
        if changed:
            places = np.array(changed, dtype=np.int32)
            self._highs.changeColsBounds(len(changed), places, lowers, uppers)
        self._fixed = (right, wrong)

    def add(self, conflicts: Uncovered) -> int:
        """Add conflicts; how many of them were not there."""
        new = [rows for _, rows in conflicts if rows not in self._present]
        if new:
            starts = np.cumsum([0, *map(len, new)])
            self._highs.addRows(
                len(new),
                np.ones(len(new)),
                np.full(len(new), highspy.kHighsInf),
                int(starts[-1]),
                starts[:-1].astype(np.int32),
                np.concatenate(new).astype(np.int32),
                np.ones(int(starts[-1])),
            )
            self._conflicts += new
            self._present.update(new)
        return len(new)

    def solve(self, seconds: float) -> Solution | None:
        """The best cover of the conflicts in the program.

        None if the fixed rows allow none, or if that could not be told in so many seconds.
        """
        self._run(seconds)
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solution = self._highs.getSolution()
        x = np.array(solution.col_value)
        duals = np.array(solution.row_dual)
        value = float(x @ self.weights) - self._excess()
        shares = {self._conflicts[k]: float(duals[k]) for k in np.flatnonzero(duals > SLACK)}
        spare = self.weights.copy()
        for rows, share in shares.items():
            spare[list(rows)] -= share
        if len(self._conflicts) > MOST_ROWS:
            self._drop(np.array(solution.row_value), duals)
        return Solution(x, value, shares, spare)

    def value_after_some_pivots(self, seconds: float) -> float:
        """What the best cover weighs, or somewhat less; infinity if there is none."""
        self._highs.setOptionValue("simplex_iteration_limit", TRIED_PIVOTS)
        self._run(seconds)
        self._highs.setOptionValue("simplex_iteration_limit", highspy.kHighsIInf)
        if self._highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            return math.inf
        return float(self._highs.getInfo().objective_function_value) - self._excess()

    def _run(self, seconds: float) -> None:
        # HiGHS counts the seconds of all runs of a program together.
        until = self._highs.getRunTime() + max(seconds, 0.0)
        self._highs.setOptionValue("time_limit", min(until, highspy.kHighsInf))
        self._highs.run()

    def _excess(self) -> float:
        """What the rows taken to be wrong weigh too much, for their x is `WRONG` and not 1."""
        return sum(float(self.weights[row]) * (WRONG - 1.0) for row in sorted(self._fixed[1]))

    def drop(self, conflict: Rows) -> None:
        """Take a conflict out of the program."""
        self._delete([k for k, rows in enumerate(self._conflicts) if rows == conflict])

    def _drop(self, covered: NDArray[np.float64], duals: NDArray[np.float64]) -> None:
        """Let the conflicts go that have slack: the pool brings them back when they are missed."""
        self._delete(np.flatnonzero((covered > 1.0 + 0.05) & (duals <= SLACK)).tolist())

    def _delete(self, places: list[int]) -> None:
        if not places:
            return
        self._highs.deleteRows(len(places), np.array(places, dtype=np.int32))
        gone = set(places)
        self._conflicts = [rows for k, rows in enumerate(self._conflicts) if k not in gone]
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
        ("simplex_scale_strategy", 0),
        ("simplex_dual_edge_weight_strategy", DEVEX),
    ):
        highs.setOptionValue(option, value)
    highs.passModel(program)
    return highs
