"""The perceptron on Python's integers: as slow as it must be, and never wrong.

Each score is an exact integer. The only short cut is a filter in front: rows that rounded weights
already put beyond doubt on their right side need no exact score.
"""

from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.signs import error_bound, norm_bound, row_norms
from novikoff.learners.run import Plan, Run
from novikoff.learners.status import Status
from novikoff.rows import Floats, Rows, dot, n_entries

__all__ = ["run_big"]

# Rounding x and w to float64 first costs two more units a term than the bound allows for.
ROUNDED_INPUTS = 3


class Unit:
    """Integer weights, their float64 shadow, and the mistakes made since they were last saved."""

    def __init__(self, X: NDArray[Any], push: list[int], w: list[int], tie: int) -> None:
        self.rows = [row.tolist() for row in X]
        self.push, self.w, self.tie = push, w, tie
        self.counts = np.zeros(len(push), np.int64)
        self.signs = np.array([(step > 0) - (step < 0) for step in push], dtype=np.float64)
        self.scale = _scale(max(map(abs, X.flat), default=1))
        self.shadow_rows = np.array([[x / self.scale for x in row] for row in self.rows])
        self.norms = row_norms(self.shadow_rows, len(push), False)
        self._cast_shadow()

    def _cast_shadow(self) -> None:
        scale = _scale(max(map(abs, self.w), default=1))
        self.shadow = np.array([*(value / scale for value in self.w), 0.0])
        self.shadow_norm = norm_bound(self.shadow)

    def next_doubtful(self, order: NDArray[np.int64], t: int) -> int:
        """The next position from t on whose row may be a mistake."""
        return _next_doubtful(
            self.shadow_rows, self.signs, order, t, self.shadow, self.norms * self.shadow_norm
        )

    def side(self, i: int) -> int:
        """yᵢ·(xᵢ·w) up to a positive factor, exactly."""
        score: int = sum(map(mul, self.rows[i], self.w))
        return score if self.push[i] > 0 else -score

    def is_mistake(self, i: int, side: int) -> bool:
        """Whether row i, with y·s = side, is misclassified."""
        return side < 0 or (side == 0 and self.tie * self.push[i] <= 0)

    def update(self, i: int) -> None:
        """w ← w + push·x."""
        push = self.push[i]
        self.w = [w + push * x for w, x in zip(self.w, self.rows[i], strict=True)]
        self.counts[i] += 1
        self._cast_shadow()


def _scale(largest: int) -> int:
    """A power of two near `largest`: dividing by it is exact and overflows nothing."""
    return 1 << max(0, largest.bit_length() - 1)


@kernel
def _next_doubtful(
    rows: Rows, signs: Floats, order: NDArray[np.int64], start: int, w: Floats, bounds: Floats
) -> int:
    for t in range(start, len(order)):
        i = order[t]
        error = error_bound(ROUNDED_INPUTS * (n_entries(rows, i) + 1), bounds[i])
        if not signs[i] * dot(rows, i, w) > error:
            return t
    return len(order)


def run_big(
    X: NDArray[Any], push: list[int], w: list[int], plan: Plan
) -> tuple[Run, list[int], NDArray[np.int64] | None]:
    """Run the perceptron on integers of any size; return the report, the weights, and any cycle."""
    unit = Unit(X, push, w, plan.tie)
    presented = np.flatnonzero(unit.signs)
    saved, lap, power = unit.w, 0, 1
    mistakes_per_epoch: list[int] = []
    status = Status.REACHED_MAX_ITER
    repeats = plan.order in ("cyclic", "worst")
    while len(mistakes_per_epoch) < plan.max_iter and status is Status.REACHED_MAX_ITER:
        mistakes_per_epoch.append(_one_epoch(unit, presented, plan))
        if plan.watch is not None:
            plan.watch(len(mistakes_per_epoch), mistakes_per_epoch[-1])
        if mistakes_per_epoch[-1] == 0:
            doubtful = plan.order == "random" and _any_mistake(unit, presented)
            status = Status.REACHED_MAX_ITER if doubtful else Status.CONVERGED
        elif repeats and unit.w == saved:
            status = Status.CYCLED
        else:
            lap += 1
            if lap == power:  # Brent: save anew at each power of two
                saved, lap, power = unit.w, 0, 2 * power
                unit.counts[:] = 0
    report = Run(status, np.array(mistakes_per_epoch, dtype=np.int64))
    return report, unit.w, unit.counts if status is Status.CYCLED else None


def _one_epoch(unit: Unit, presented: NDArray[np.int64], plan: Plan) -> int:
    if plan.order == "worst":
        return _one_greedy_epoch(unit, presented)
    order = presented
    if plan.order == "shuffled":
        order = presented[plan.random_state.permutation(len(presented))]
    elif plan.order == "random":
        order = presented[
            plan.random_state.randint(0, len(presented), len(presented), dtype=np.int64)
        ]
    mistakes = 0
    t = unit.next_doubtful(order, 0)
    while t < len(order):
        i = int(order[t])
        if unit.is_mistake(i, unit.side(i)):
            unit.update(i)
            mistakes += 1
        t = unit.next_doubtful(order, t + 1)
    return mistakes


def _one_greedy_epoch(unit: Unit, presented: NDArray[np.int64]) -> int:
    for mistakes in range(len(presented)):
        sides = [(unit.side(i), i) for i in presented.tolist()]
        wrong = [(side, i) for side, i in sides if unit.is_mistake(i, side)]
        if not wrong:
            return mistakes
        unit.update(min(wrong)[1])
    return len(presented)


def _any_mistake(unit: Unit, presented: NDArray[np.int64]) -> bool:
    return any(unit.is_mistake(i, unit.side(i)) for i in presented.tolist())
