"""The search for the fewest errors, in floating point: planes from above, conflicts from below.

Line searches find planes with few errors. Walks from conflict to conflict find those that the
covering program has not covered, until its value, rounded up, reaches the errors of the best plane.
Where it falls short, a tree of rows taken to be right or wrong goes on: best bound first, a worker
a core, each with a program of its own and one pool of conflicts.

Nothing here is proven: the planes and the shares are proposals.
"""

import math
import threading
import time
from collections.abc import Callable  # noqa: TC003
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray  # noqa: TC002

from novikoff.rows import Floats
from novikoff.search.covering import Cover, Pool
from novikoff.search.line_search import RIGHT, descend
from novikoff.search.vertices import FORBIDDEN, UNAVOIDABLE, Walk, harvest, new_walk, walk

__all__ = ["Instance", "Node", "Search"]

WORKERS = 2
FOUND = 1000  # conflicts that one harvest brings at most
REPEATS = 20
PATIENCE = 4  # harvests in a row that bring nothing, before a bound is left as it is
TAIL = 12  # solutions over which a bound in the tree must have moved
STEPS = 3000  # line searches in one descent
CHUNKS = 10  # between which it looks at the time
CANDIDATES = 8  # rows tried before one is chosen to split on
ALMOST = 1e-6


class Instance(NamedTuple):
    """Rows that differ, with weights, in coordinates that floating point likes.

    `U` has rows of length 1 (or 0) in a basis of the span of the rows yᵢx̂ᵢ; errors are multiples of
    `unit`, if that is not 0.
    """

    U: Floats
    weights: Floats
    unit: float
    widest: int  # rows of a conflict at most

    def rounded_up(self, value: float) -> float:
        """The least total of weights that is not below `value`, as far as one can tell."""
        if self.unit <= ALMOST or math.isinf(value):
            return value
        return self.unit * math.ceil(value / self.unit - ALMOST)


@dataclass(eq=False)
class Node:
    """Hyperplanes that are right on some rows and wrong on others, and what they are bound to."""

    right: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()
    bound: float = 0.0
    shares: dict[int, float] = field(default_factory=dict)
    x: Floats | None = None
    row: int | None = None
    children: tuple["Node", "Node"] | None = None  # right on `row`, wrong on it

    def leaves(self) -> list["Node"]:
        """The leaves below, or the node itself."""
        if self.children is None:
            return [self]
        return [leaf for child in self.children for leaf in child.leaves()]


class Worker:
    """One thread's covering program and walk."""

    def __init__(self, search: "Search", seed: int) -> None:
        self.search = search
        self.walk: Walk = new_walk(search.instance.U, seed)
        self.cover = Cover(search.pool, search.instance.weights)
        self.found: NDArray[np.int64] = np.empty(
            (FOUND, search.instance.U.shape[1] + 1), dtype=np.int64
        )
        self.rng = np.random.default_rng(seed)
        self.separates = False  # whether the last harvest ended with a separator of the rest

    def harvest(self, x: Floats, wrong: frozenset[int] = frozenset()) -> list[tuple[int, ...]]:
        """Conflicts that x leaves uncovered, without the rows taken to be wrong; worst first."""
        forbidden = np.zeros(len(x), dtype=np.bool_)
        forbidden[list(wrong)] = True
        ended, count = harvest(self.walk, x, forbidden, REPEATS, self.found, self.rng)
        self.separates = ended == UNAVOIDABLE
        if count == 0:
            return []
        lines = np.unique(np.sort(self.found[:count], axis=1), axis=0)
        sums = np.append(x, 0.0)[lines].sum(axis=1)
        return [tuple(line[line >= 0].tolist()) for line in lines[np.argsort(sums)]]


class Search:
    """What is known so far: the best plane, the pool of conflicts, the tree."""

    def __init__(self, instance: Instance, deadline: float) -> None:
        self.instance, self.deadline = instance, deadline
        n, rank = instance.U.shape
        self.pool = Pool(n, instance.widest)
        self.plane: Floats = np.zeros(rank)
        self.upper = math.inf
        self.root = Node()
        self.tell: Callable[[float, float], None] = _tell_nobody
        self._lock = threading.Lock()
        self.workers = [Worker(self, seed) for seed in range(WORKERS)]

    @property
    def lower(self) -> float:
        """The bound of the worst leaf."""
        return min(leaf.bound for leaf in self.root.leaves())

    @property
    def late(self) -> bool:
        """Whether time is up."""
        return time.monotonic() > self.deadline

    def is_closed(self, node: Node) -> bool:
        """Whether no plane in this node can be better than the best one known."""
        return self.instance.rounded_up(node.bound) >= self.upper - ALMOST

    def offer(self, plane: Floats, steps: int = 200, seed: int = 0) -> None:
        """Improve a plane by line searches, and keep it if it is the best."""
        if not np.isfinite(plane).all() or not plane.any():
            return
        rng = np.random.default_rng(seed)
        self._take(*descend(self.instance.U, self.instance.weights, plane, steps, rng))

    def _take(self, plane: Floats, loss: float) -> None:
        with self._lock:
            if loss < self.upper - ALMOST:
                self.plane, self.upper = plane, loss

    def find_planes(self, restarts: int = 4) -> None:
        """Planes with few errors: from least squares and from random starts."""
        U, weights = self.instance.U, self.instance.weights
        rng = np.random.default_rng(0)
        starts = [U.T @ weights, *rng.standard_normal((restarts - 1, U.shape[1]))]

        until = time.monotonic() + (self.deadline - time.monotonic()) / 4

        def descent(k: int) -> tuple[Floats, float]:
            rng = np.random.default_rng(k)
            plane, loss = descend(U, weights, starts[k], 1, rng)
            for _ in range(CHUNKS):
                if time.monotonic() > until:
                    break
                plane, loss = descend(U, weights, plane, STEPS // CHUNKS, rng)
            return plane, loss

        with ThreadPoolExecutor(WORKERS) as threads:
            for plane, loss in threads.map(descent, range(restarts)):
                if np.isfinite(plane).all():
                    self._take(plane, loss)

    def exchange(self) -> None:
        """Put rows that the best plane has wrong right again, where the others allow it."""
        U, worker = self.instance.U, self.workers[0]
        wrong = np.flatnonzero(U @ self.plane <= RIGHT)
        for row in wrong[np.argsort(-self.instance.weights[wrong])].tolist():
            if self.late:
                return
            if (U[row] @ self.plane) > RIGHT:
                continue
            cost = np.where(U @ self.plane <= RIGHT, FORBIDDEN, 0.0)
            cost[row] = 0.0
            nothing = np.empty((0, 0), dtype=np.int64)
            ended, _ = walk(worker.walk, cost, np.zeros(len(U)), nothing, 0)
            if ended == UNAVOIDABLE:
                self.offer(worker.walk.separator)

    def bound_root(self) -> None:
        """Raise the bound of the root until it is closed, nothing more is found, or time is up."""
        cover, failed = self.workers[0].cover, 0
        with ThreadPoolExecutor(WORKERS) as threads:
            while not self.late:
                solution = cover.solve()
                assert solution is not None
                self.root.bound, self.root.x = solution.value, solution.x
                self.root.shares = solution.shares
                self.tell(self.instance.rounded_up(solution.value), self.upper)
                if self.is_closed(self.root) or failed >= PATIENCE:
                    return
                if cover.add(self.pool.uncovered(solution.x)):
                    continue
                xs = [solution.x] * WORKERS
                batches = threads.map(Worker.harvest, self.workers, xs)
                self.pool.add(rows for batch in batches for rows in batch)
                for worker in self.workers:
                    if worker.separates:
                        self.offer(worker.walk.separator)
                failed = 0 if cover.add(self.pool.uncovered(solution.x)) else failed + 1

    def bound_node(self, worker: Worker, node: Node) -> None:
        """The same for a node of the tree, by one worker, and less stubbornly."""
        cover, failed, values = worker.cover, 0, [node.bound]
        cover.fix(node.right, node.wrong)
        while not self.late:
            solution = cover.solve()
            if solution is None:
                self._close(node)
                return
            if solution.value > node.bound or not node.shares:
                node.bound, node.shares = solution.value, solution.shares
            node.x = solution.x
            values.append(solution.value)
            if self.is_closed(node) or failed >= PATIENCE:
                return
            if len(values) > TAIL and values[-1] - values[-TAIL] < 0.02 * self.instance.unit:
                return
            if cover.add(self.pool.uncovered(solution.x)):
                continue
            self.pool.add(worker.harvest(solution.x, node.wrong))
            if worker.separates:
                self.offer(worker.walk.separator)
            failed = 0 if cover.add(self.pool.uncovered(solution.x)) else failed + 1

    def ban(self, conflict: int) -> None:
        """Go on without a conflict that could not be proven."""
        self.pool.ban(conflict)
        for worker in self.workers:
            worker.cover.drop([conflict])
        for leaf in self.root.leaves():
            if conflict in leaf.shares:
                leaf.bound, leaf.shares = 0.0, {}
                self.bound_node(self.workers[0], leaf)

    def _close(self, node: Node) -> None:
        """A node in which a whole conflict is taken to be right: there is no plane in it."""
        conflict = self.pool.within(node.right)
        if conflict is not None:
            node.bound, node.shares = math.inf, {conflict: math.inf}

    def split(self, worker: Worker, node: Node) -> tuple[int, tuple[Node, Node]] | None:
        """The row that raises the bounds of both children most, and these, bounded themselves."""
        assert node.x is not None
        x, best, best_score = node.x, -1, -1.0
        free = np.flatnonzero((x > 1e-4) & (x < 1.0 - 1e-4))
        if len(free) == 0:
            rest = [i for i in np.flatnonzero(x > 1e-4).tolist() if i not in node.wrong]
            free = np.array(rest, dtype=np.intp)
        order = free[np.argsort(np.abs(x[free] - 0.6))][:CANDIDATES]
        for row in order.tolist():
            gains = []
            for child in self._children(node, row):
                worker.cover.fix(child.right, child.wrong)
                solution = worker.cover.solve()
                value = self.upper if solution is None else min(solution.value, self.upper)
                gains.append(max(value - node.bound, 1e-3 * self.instance.unit))
            score = gains[0] * gains[1]
            if score > best_score:
                best, best_score = row, score
        if best < 0:
            return None
        children = self._children(node, best)
        for child in children:
            self.bound_node(worker, child)
            if child.bound < node.bound - ALMOST:  # time was up
                return None
        return best, children

    @staticmethod
    def _children(node: Node, row: int) -> tuple[Node, Node]:
        one = frozenset((row,))
        kept = Node(node.right | one, node.wrong, node.bound, dict(node.shares))
        # A share of a conflict with `row` cannot be kept where `row` is wrong.
        gone = Node(node.right, node.wrong | one)
        return kept, gone

    def grow(self, most_leaves: int) -> None:
        """Split the worst leaves until all are closed, the tree is large enough, or time is up."""
        busy: set[Node] = set()
        stuck: set[Node] = set()
        condition = threading.Condition(self._lock)

        def run(worker: Worker) -> None:
            while True:
                with condition:
                    while True:
                        leaves = self.root.leaves()
                        open_leaves = [
                            leaf
                            for leaf in leaves
                            if leaf not in busy and leaf not in stuck and not self.is_closed(leaf)
                        ]
                        done = self.late or len(leaves) + len(busy) >= most_leaves
                        if done or (not open_leaves and not busy):
                            condition.notify_all()
                            return
                        if open_leaves:
                            break
                        condition.wait(0.05)
                    node = min(open_leaves, key=lambda leaf: leaf.bound)
                    busy.add(node)
                made = self.split(worker, node)
                with condition:
                    busy.discard(node)
                    if made is None:
                        stuck.add(node)
                    else:
                        node.row, node.children = made
                    condition.notify_all()
                self.tell(self.instance.rounded_up(self.lower), self.upper)

        with ThreadPoolExecutor(WORKERS) as threads:
            list(threads.map(run, self.workers))


def _tell_nobody(_lower: float, _upper: float) -> None:
    """Tell nobody."""
