"""The search for the fewest errors, in floating point: planes from above, conflicts from below.

Line searches find planes with few errors. Walks from conflict to conflict find those that the
covering program has not covered, until its value, rounded up, reaches the errors of the best plane.
Rows that no better plane can get wrong are fixed on the way: what their conflicts share is then
borne by the other rows alone. Where the value still falls short, a tree of rows taken to be right
or wrong goes on (`branching`).

Nothing here is proven: the planes and the shares are proposals. The same data gives the same
proposals on any number of cores, unless time is up before the search ends.

A worker has its own covering program and its own walk from conflict to conflict. Workers run at the
same time and share a pool, which nobody changes while they run: what a worker finds it keeps to
itself until all are done. So what is found depends on no thread's speed.

The tree works in rounds: the leaves with the least bounds, a worker each, and when all are done
everybody hears what was found. A worker bounds its leaf, and names the row to split on if that was
not enough.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff._core import FORBIDDEN, enumerate_conflicts
from novikoff.core.progress import Deadline
from novikoff.core.threads import in_threads, n_cores
from novikoff.matrix.rows import Floats
from novikoff.separability.fewest.covering import (
    MOST_ADDED,
    ConflictPool,
    Cover,
    Rows,
    Solution,
    Uncovered,
)
from novikoff.separability.fewest.instance import ALMOST, RIGHT, Fixing, Instance, Node, descend


class WalkState(NamedTuple):
    """The basic rows (n + k: artificial column k) and the inverse of their columns.

    `separator` is the dual solution of a walk that could not avoid the forbidden rows. `age` is the
    number of pivots since the inverse was fresh; it is negative as long as there is no basis.
    """

    columns: Floats  # of U, a line each
    basis: NDArray[np.int64]
    inverse: Floats
    right_sides: Floats
    separator: Floats
    age: NDArray[np.int64]


def new_walk(columns: Floats, seed: int) -> WalkState:
    """A walk at its start, for U with these columns, a line each."""
    rank = len(columns)
    m = rank + 1
    # Tiny positive right sides keep the walk from going in circles on degenerate data.
    right_sides = np.random.default_rng(seed).uniform(0.5, 1.0, m) * 1e-7
    right_sides[-1] = 1.0
    age = np.full(1, -1, dtype=np.int64)
    return WalkState(
        columns, np.zeros(m, dtype=np.int64), np.zeros((m, m)), right_sides, np.zeros(rank), age
    )


FOUND = 1000  # conflicts that one harvest brings at most
REPEATS = 10
NOISES = (0.0, 0.05, 0.2, 0.5)


class Worker:
    """A covering program and a walk, with a view of the pool."""

    def __init__(self, instance: Instance, columns: Floats, pool: ConflictPool, seed: int) -> None:
        rank, n = columns.shape
        self.pool = pool
        self.walk = new_walk(columns, seed)
        self.cover = Cover(instance.weights)
        self.fresh = ConflictPool(instance.widest)  # found since all workers were last done
        self.separators: list[Floats] = []  # likewise: planes that are right on all other rows
        self._found: NDArray[np.int64] = np.empty((FOUND, rank + 1), dtype=np.int64)
        self.seed = seed
        self._rng = np.random.default_rng(seed)
        self._n = n

    def uncovered(self, x: Floats) -> Uncovered:
        """The known conflicts that x covers least, worst first."""
        fresh = self.fresh.uncovered(x) if len(self.fresh) else []
        return sorted(self.pool.uncovered(x) + fresh)[:MOST_ADDED]

    def within(self, right: frozenset[int]) -> Rows | None:
        """A known conflict of rows that are all taken to be right, if there is one."""
        return self.pool.within(right, self._n) or self.fresh.within(right, self._n)

    def enumerate_conflicts(
        self, x: Floats, wrong: frozenset[int], is_late: Callable[[], bool]
    ) -> list[Rows]:
        """Conflicts that x leaves uncovered, without the rows taken to be wrong; worst first.

        The first walk has x itself for costs, the others x with noise. Where the rows taken to be
        wrong cannot be avoided, a plane that separates all others is kept.
        """
        forbidden = np.zeros(self._n, dtype=np.bool_)
        forbidden[list(wrong)] = True
        highest, count = max(float(x.max()), 0.1), 0
        for repeat in range(REPEATS):
            cost = x
            # Of all workers only the first walks by x itself.
            if repeat > 0 or self.seed > 0:
                noise = NOISES[repeat % len(NOISES)] * highest
                cost = x * (0.75 + 0.5 * self._rng.random(self._n))
                cost += noise * self._rng.random(self._n)
            cost = np.where(forbidden, FORBIDDEN, cost)
            is_unavoidable, count = enumerate_conflicts(
                self.walk, cost, x, self._found, count, sharpen=True, is_late=is_late
            )
            if is_unavoidable:
                self.separators.append(self.walk.separator.copy())
                break
            if count == FOUND or is_late():
                break
        if count == 0:
            return []
        lines = np.unique(np.sort(self._found[:count], axis=1), axis=0)
        sums = np.append(x, 0.0)[lines].sum(axis=1)
        order = np.argsort(sums, kind="stable")
        return [tuple(line[line >= 0].tolist()) for line in lines[order]]


CANDIDATES = 8  # rows tried before one is chosen to split on


def grow(search: "ErrorSearch", most_leaves: int) -> None:
    """Split the worst leaves until all are closed, the tree is large enough, or time is up."""
    stuck: set[Node] = set()
    while not search.is_late():
        leaves = search.root.leaves()
        waiting = [leaf for leaf in leaves if leaf not in stuck and not search.is_closed(leaf)]
        waiting.sort(key=lambda leaf: max(leaf.bound, leaf.floor))
        chosen = waiting[: len(search.workers)]
        if not chosen:
            return
        room = most_leaves - len(leaves)
        may_split = [k < room for k in range(len(chosen))]
        rows = list(
            search.together(
                lambda worker, node, may: _work_on(search, worker, node, may_split=may),
                search.workers,
                chosen,
                may_split,
            )
        )
        for leaf, row in zip(chosen, rows, strict=True):
            if row is not None:
                leaf.split(row)
            else:
                stuck.add(leaf)
        search.share()
        search.tell(search.instance.rounded_up(search.lower), search.upper)


def _work_on(search: "ErrorSearch", worker: Worker, node: Node, *, may_split: bool) -> int | None:
    """Bound a node; the row to split it on if it is still open and may be split."""
    if node.x is None:
        search.bound(node, [worker])
    if search.is_late() or not may_split or search.is_closed(node):
        return None
    return _row_to_split(search, worker, node)


def _row_to_split(search: "ErrorSearch", worker: Worker, node: Node) -> int | None:
    """The row that raises the bounds of both cases most, of some that the cover cannot decide."""
    assert node.x is not None
    x, unit, best, best_score = node.x, search.instance.unit, None, -1.0
    free = np.flatnonzero((x > 1e-4) & (x < 1.0 - 1e-4))
    if len(free) == 0:
        free = np.array(
            [row for row in np.flatnonzero(x > 1e-4).tolist() if row not in node.wrong], np.intp
        )
    right = node.all_right
    for row in free[np.argsort(np.abs(x[free] - 0.6), kind="stable")][:CANDIDATES].tolist():
        gains = []
        for cases in ((right | {row}, node.wrong), (right, node.wrong | {row})):
            worker.cover.fix(*cases)
            value = worker.cover.value_after_some_pivots(search.seconds_left)
            gains.append(max(min(value, search.upper) - node.bound, 1e-3 * unit))
        score = gains[0] * gains[1]
        if score > best_score:
            best, best_score = row, score
    return best


T = TypeVar("T")
WORKERS = 4  # whatever the number of cores, for what is found depends on it
PATIENCE = 4  # harvests in a row that bring nothing, before a bound is left as it is
TAIL = 12  # solutions over which a bound must have moved, in the tree; twice that at the root
LEAST_MOVE = 0.02  # of what is missing
RESTARTS = 4
MOST_SORTED = 3e7  # places sorted in one descent, about
KICKS = 500
MOST_PRICED = 1e8  # numbers that the walks of a worker's kicks look at, about, pivots aside
NEAR = 4  # rows for each dimension, of which a kick gives up some
MOST_GIVEN_UP = 4
FEW = 0.1  # new rows, for each that is known to be right, that are not worth a fixing
SAFE = 1e-4  # by how much a row must be out of reach to be fixed: exact shares may be less


class ErrorSearch:
    """What is known so far: the best plane, the pool of conflicts, the tree."""

    def __init__(self, instance: Instance, deadline: Deadline) -> None:
        self.instance, self.deadline = instance, deadline
        self.pool = ConflictPool(instance.widest)
        self.banned: set[Rows] = set()
        self.plane: Floats = np.zeros(instance.U.shape[1])
        self.upper = math.inf
        self.root = Node()
        self.tell: Callable[[float, float], None] = _ignore
        self.reserve = 0.0  # seconds that the proofs of what was found will take
        columns = np.ascontiguousarray(instance.U.T)
        self.workers = [Worker(instance, columns, self.pool, seed) for seed in range(WORKERS)]

    @property
    def lower(self) -> float:
        """What the tree proves, all cases together."""
        return self.root.best_bound

    def is_late(self) -> bool:
        """Whether time is up, but for what the proofs will take."""
        return self.seconds_left <= 0

    @property
    def seconds_left(self) -> float:
        """Seconds for the search: proofs need the rest."""
        return self.deadline.seconds_left() - self.reserve

    def is_closed(self, node: Node) -> bool:
        """Whether no plane in this node can be better than the best one known."""
        return self.instance.rounded_up(node.bound) >= self.upper - ALMOST

    def together(self, task: Callable[..., T], *arguments: Iterable[object]) -> Iterator[T]:
        """Run a task for each of the arguments, on all cores; the results in order."""
        return in_threads(min(WORKERS, n_cores()), self.deadline, task, *arguments)

    def offer(self, plane: Floats, steps: int = 200, seed: int = 0) -> None:
        """Improve a plane by line searches, and keep it if it is the best."""
        if not np.isfinite(plane).all() or not plane.any():
            return
        self._take(*self._descent(plane, steps, np.random.default_rng(seed)))

    def _take(self, plane: Floats, loss: float) -> None:
        if loss < self.upper - ALMOST and np.isfinite(plane).all():
            self.plane, self.upper = plane, loss

    def _descent(
        self, plane: Floats, steps: int, rng: np.random.Generator, until: float = math.inf
    ) -> tuple[Floats, float]:
        """Line searches: one, and as many more as there is time for."""
        U, weights = self.instance.U, self.instance.weights
        steps = min(steps, 1 + int(MOST_SORTED / len(U)))
        plane, loss = descend(U, weights, plane, 1, rng, lambda: False)
        further = descend(
            U, weights, plane, steps, rng, lambda: self.is_late() or time.monotonic() > until
        )
        return further if further[1] <= loss else (plane, loss)

    def find_planes(self, steps: int) -> None:
        """Planes with few errors: from least squares, from random starts, from the best one."""
        U, weights = self.instance.U, self.instance.weights
        rng = np.random.default_rng(steps)
        starts = [U.T @ weights, *rng.standard_normal((RESTARTS - 1, U.shape[1]))]
        if self.plane.any():
            starts[0] = self.plane
        until = time.monotonic() + self.seconds_left / 2

        def descent(k: int) -> tuple[Floats, float]:
            return self._descent(starts[k], steps, np.random.default_rng(k), until)

        for plane, loss in self.together(descent, range(RESTARTS)):
            self._take(plane, loss)

    def exchange(self, kicks: int = 0) -> None:
        """Put rows that the best plane has wrong right again, where the others allow it.

        A kick gives up some rows near the plane first, and puts them right last: what it leads to
        is kept unless it is worse. With kicks, each worker goes a way of its own.
        """
        U, weights = self.instance.U, self.instance.weights
        # Of thousands of wrong rows it tries as many as leave time for the bound from below.
        until = time.monotonic() + self.seconds_left / 4
        start = self.plane
        wrong = np.flatnonzero(U @ start <= RIGHT)
        kicks = min(kicks, int(MOST_PRICED / (U.size * (len(wrong) + 1))))

        def way(worker: Worker) -> Floats:
            rng = np.random.default_rng(worker.seed)
            by_weight = wrong[np.argsort(-weights[wrong], kind="stable")]
            plane, loss = self._put_right(worker, start, by_weight, until)
            for _ in range(kicks):
                if time.monotonic() > until:
                    break
                scores = U @ plane
                near = np.argsort(np.abs(scores), kind="stable")[: NEAR * U.shape[1]]
                near = near[scores[near] > RIGHT]
                given_up = rng.permutation(near)[: rng.integers(1, MOST_GIVEN_UP + 1)]
                rows = np.append(rng.permutation(np.flatnonzero(scores <= RIGHT)), given_up)
                moved, moved_loss = self._put_right(worker, plane, rows, until)
                if moved_loss <= loss + ALMOST:
                    plane, loss = moved, moved_loss
            return plane

        for plane in self.together(way, self.workers if kicks else self.workers[:1]):
            if plane is not start:
                self.offer(plane)

    def _put_right(
        self, worker: Worker, plane: Floats, rows: NDArray[np.intp], until: float
    ) -> tuple[Floats, float]:
        """Take these rows to be wrong, then put one after the other right; a plane and its loss."""
        U = self.instance.U
        wrong = U @ plane <= RIGHT
        wrong[rows] = True
        nothing = np.empty((0, 0), dtype=np.int64)
        for row in rows.tolist():
            if self.is_late() or time.monotonic() > until:
                break
            if not wrong[row]:
                continue
            cost = np.where(wrong, FORBIDDEN, 0.0)
            cost[row] = 0.0
            is_unavoidable, _ = enumerate_conflicts(
                worker.walk, cost, np.zeros(len(U)), nothing, 0, sharpen=False, is_late=self.is_late
            )
            if is_unavoidable:
                plane = worker.walk.separator / np.linalg.norm(worker.walk.separator)
                wrong = U @ plane <= RIGHT
        return plane, float(self.instance.weights[U @ plane <= RIGHT].sum())

    def bound_root(self) -> None:
        """Raise the bound of the root, with all workers, until it is closed or moves no more."""
        self.bound(self.root, self.workers)

    def bound(self, node: Node, workers: Sequence[Worker]) -> None:
        """Raise the bound of a node until it is closed, hardly moves any more, or time is up."""
        cover, failed, values = workers[0].cover, 0, [node.bound]
        cover.fix(node.all_right, node.wrong)
        patience = TAIL if len(workers) == 1 else 2 * TAIL
        while not self.is_late():
            solution = cover.solve(self.seconds_left)
            if solution is None:
                self._close(workers[0], node)
                return
            if solution.value > node.bound or not node.shares:
                node.bound, node.shares = solution.value, solution.shares
            node.x = solution.x
            values.append(solution.value)
            if node is self.root:
                self.tell(self.instance.rounded_up(solution.value), self.upper)
            if self.is_closed(node) or failed >= PATIENCE:
                return
            if len(values) > patience:
                gap = max(self.upper - values[-1], self.instance.unit)
                if values[-1] - values[-patience] < LEAST_MOVE * gap:
                    return
            if cover.add(workers[0].uncovered(solution.x)):
                continue
            if self._fix(node, solution):
                cover.fix(node.all_right, node.wrong)
            self._harvest(workers, solution.x, node.wrong)
            failed = 0 if cover.add(workers[0].uncovered(solution.x)) else failed + 1

    def _harvest(self, workers: Sequence[Worker], x: Floats, wrong: frozenset[int]) -> None:
        """New conflicts: to the worker's own, or to the pool where all of them work together."""

        def enumerate_conflicts(worker: Worker) -> list[Rows]:
            return worker.enumerate_conflicts(x, wrong, self.is_late)

        if len(workers) == 1:
            found = enumerate_conflicts(workers[0])
            workers[0].fresh.add(rows for rows in found if rows not in self.banned)
            return
        for found in self.together(enumerate_conflicts, workers):
            self.pool.add(rows for rows in found if rows not in self.banned)
        self.share_separators()

    def share(self) -> None:
        """Let all know what each has found."""
        for worker in self.workers:
            self.pool.add(worker.fresh.clear())
        self.share_separators()

    def share_separators(self) -> None:
        """Look at the planes that the workers came across."""
        for worker in self.workers:
            for plane in worker.separators:
                self.offer(plane)
            worker.separators.clear()

    def _fix(self, node: Node, solution: Solution) -> bool:
        """Fix the rows that a plane better than the best one known cannot get wrong.

        A plane that is wrong on a row has what the row can spare in errors beyond the bound.
        """
        enough = self.upper - self.instance.unit + SAFE
        out_of_reach = np.flatnonzero(solution.value + solution.spare >= enough)
        known = node.all_right
        rows = frozenset(out_of_reach.tolist()) - known - node.wrong
        # Each fixing brings conflicts of its own into the certificate, so it must be worth it.
        is_worth_it = len(rows) > FEW * len(known)
        if is_worth_it:
            node.fixings.append(Fixing(rows, solution.shares))
        return is_worth_it

    def ban(self, conflict: Rows) -> None:
        """Go on without a conflict that could not be proven."""
        self.banned.add(conflict)
        self.pool.ban(conflict)
        for worker in self.workers:
            worker.cover.drop(conflict)

    def rebound(self, conflicts: set[Rows]) -> None:
        """Bound the nodes anew that rest on one of these conflicts."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            in_fixings = [fixing.shares for fixing in node.fixings]
            is_fixed = all(conflicts.isdisjoint(shares) for shares in in_fixings)
            if not is_fixed:  # what is below takes rows to be right that need not be
                node.fixings, node.row, node.children = [], None, None
            if not is_fixed or not conflicts.isdisjoint(node.shares):
                node.bound, node.shares = 0.0, {}
                self.bound(node, self.workers[:1])
            waiting += node.children or ()
        self.share()

    def _close(self, worker: Worker, node: Node) -> None:
        """A node in which a whole conflict is taken to be right: there is no plane in it."""
        conflict = worker.within(node.all_right)
        if conflict is not None:
            node.bound, node.shares = math.inf, {conflict: math.inf}


def _ignore(_lower: float, _upper: float) -> None:
    """Show no progress."""
