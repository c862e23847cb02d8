"""One worker's covering program, its walk from conflict to conflict, and what it has found lately.

Workers run at the same time and share a pool, which nobody changes while they run: what a worker
finds it keeps to itself until all are done. So what is found depends on no thread's speed.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray  # noqa: TC002

from novikoff.rows import Floats
from novikoff.search.covering import MOST_ADDED, Cover, Pool, Rows, Uncovered
from novikoff.search.nodes import Instance
from novikoff.search.vertices import FORBIDDEN, UNAVOIDABLE, harvest, new_walk

__all__ = ["Worker"]

FOUND = 1000  # conflicts that one harvest brings at most
REPEATS = 10
NOISES = (0.0, 0.05, 0.2, 0.5)


class Worker:
    """A covering program and a walk, with a view of the pool."""

    def __init__(self, instance: Instance, pool: Pool, seed: int) -> None:
        n, rank = instance.U.shape
        self.pool = pool
        self.walk = new_walk(instance.U, seed)
        self.cover = Cover(instance.weights)
        self.fresh = Pool(instance.widest)  # found since all workers were last done
        self.separators: list[Floats] = []  # likewise: planes that are right on all other rows
        self._found: NDArray[np.int64] = np.empty((FOUND, rank + 1), dtype=np.int64)
        self._seed = seed
        self._rng = np.random.default_rng(seed)
        self._n = n

    def uncovered(self, x: Floats) -> Uncovered:
        """The known conflicts that x covers least, worst first."""
        fresh = self.fresh.uncovered(x) if len(self.fresh) else []
        return sorted(self.pool.uncovered(x) + fresh)[:MOST_ADDED]

    def within(self, right: frozenset[int]) -> Rows | None:
        """A known conflict of rows that are all taken to be right, if there is one."""
        return self.pool.within(right, self._n) or self.fresh.within(right, self._n)

    def harvest(self, x: Floats, wrong: frozenset[int], is_late: Callable[[], bool]) -> list[Rows]:
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
            if repeat > 0 or self._seed > 0:
                noise = NOISES[repeat % len(NOISES)] * highest
                cost = x * (0.75 + 0.5 * self._rng.random(self._n))
                cost += noise * self._rng.random(self._n)
            cost = np.where(forbidden, FORBIDDEN, cost)
            ended, count = harvest(self.walk, cost, x, self._found, count)
            if ended == UNAVOIDABLE:
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
