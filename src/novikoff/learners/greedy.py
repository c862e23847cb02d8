"""The order "worst": epochs of as many rounds as there are examples, each on the worst mistake.

The order "worst": of all mistakes, the most violated one, chosen the same for every storage.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.accumulator import is_less
from novikoff.exact.signs import error_bound, norm_after_update
from novikoff.learners import perceptron
from novikoff.learners.epochs import epoch_length, epochs, learner
from novikoff.learners.observer import counts_of, journal_in, tell_mistake
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update
from novikoff.matrix.rows import Floats, dot, n_entries

__all__ = ["GreedyRun", "worst_mistake"]


@kernel
def worst_mistake(
    examples: Examples, tie: int, weights: Weights, sides: NDArray[np.float64]
) -> int:
    """The mistake with the least y·s (of equals, the first), or −1 if there is none.

    A fast pass bounds every y·s from both sides (into `sides`, from below); only rows that could be
    the least are then compared exactly.
    """
    rows, push, norms = examples.rows, examples.push, examples.norms
    w, w_norm = weights.w, weights.norm
    rule = rule_of(examples, tie)
    least_upper = np.inf
    for i in range(len(push)):
        if push[i] == 0.0:
            sides[i] = np.inf
            continue
        score = dot(rows, i, w) + w[-1]
        error = error_bound(n_entries(rows, i), norms[i] * w_norm[0])
        side = score if push[i] > 0.0 else -score
        sides[i] = side - error
        if np.isfinite(side):
            least_upper = min(least_upper, side + error)
        else:
            sides[i] = -np.inf
    worst, worst_y = -1, 0.0
    for i in range(len(push)):
        if push[i] == 0.0 or sides[i] > least_upper:
            continue
        if is_mistake(rows, i, push[i], w, norms[i] * w_norm[0], rule):
            y = 1.0 if push[i] > 0.0 else -1.0
            if worst < 0 or is_less(rows, i, y, worst, worst_y, w):
                worst, worst_y = i, y
    return worst


# Numbers looked at between two returns to Python: a fraction of a second, even done exactly.
WORK_PER_CALL = 1 << 24


class GreedyState(NamedTuple):
    """A run of the perceptron, and room for the side yᵢ ŵ·x̂ᵢ of every row."""

    plain: perceptron.PerceptronState
    sides: Floats


@dataclass(frozen=True)
class GreedyRun:
    """`epochs` of the order "worst"."""

    sides: Floats

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,
        state: perceptron.PerceptronState,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch; return how many were run, and why it stopped."""
        greedy = GreedyState(state, self.sides)
        return epochs(examples, order, tie, greedy, mistakes_per_epoch)


@kernel
def begin(examples: Examples, order: NDArray[np.int64], state: GreedyState) -> int:
    """Before an epoch: why it must not begin, or GO_ON."""
    return perceptron.begin(examples, order, state.plain)


@kernel
def present_rows(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: GreedyState,
    start: int,
    stop: int,
) -> tuple[int, int]:
    """Learn from the worst mistake once a round; the epoch ends where there is none.

    Every round looks at all the data, so a call has only a few of them.
    """
    plain, n = state.plain, epoch_length(examples, order)
    rows, push, bias, w = examples.rows, examples.push, examples.bias, plain.weights.w
    journal, counts = journal_in(plain.observer), counts_of(plain.observer)
    norms, norm, before = examples.norms, plain.weights.norm, plain.clock[0]
    together = max(1, WORK_PER_CALL // (len(push) * (examples.entries + 1)))
    stop = min(stop, start + together)
    mistakes = 0
    for t in range(start, stop):
        i = worst_mistake(examples, tie, plain.weights, state.sides)
        if i < 0:
            stop = n
            break
        tell_mistake(journal, counts, before + t, i, rows, w)
        update(rows, i, push[i], w, bias)
        norm[0] = norm_after_update(norm[0], push[i], norms[i])
        mistakes += 1
    if stop == n:
        plain.clock[0] += n
    return mistakes, stop


@kernel
def end(examples: Examples, tie: int, state: GreedyState, mistakes: int) -> int:
    """After an epoch: why no other is needed, or GO_ON."""
    return perceptron.end(examples, tie, state.plain, mistakes)


learner(GreedyState, begin_with=begin, present_with=present_rows, end_with=end)
