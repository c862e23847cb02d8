"""The order "worst": epochs of as many rounds as there are examples, each on the worst mistake.

Every round looks at all the data, so an epoch is a loop in Python around a few rounds at a time:
Ctrl-C is heard between them.
"""

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.signs import norm_after_update
from novikoff.learners.journal import record
from novikoff.learners.perceptron import State, must_pause, outcome_of
from novikoff.learners.status import PAUSED
from novikoff.learners.unit import Examples, update
from novikoff.learners.worst import worst_mistake
from novikoff.rows import Floats

__all__ = ["greedy_epochs"]

# Numbers looked at between two returns to Python: a fraction of a second, even done exactly.
WORK_PER_CALL = 1 << 24


def greedy_epochs(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: State,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """`epochs` of the order "worst"."""
    n = len(order) if len(order) > 0 else len(examples.push)
    sides = np.empty(len(examples.push))
    together = max(1, WORK_PER_CALL // (len(sides) * (examples.entries + 1)))
    for epoch in range(len(mistakes_per_epoch)):
        pause = must_pause(examples, state)
        if pause >= 0:
            return epoch, pause
        mistakes = 0
        while mistakes < n:
            wanted = min(together, n - mistakes)
            made = _greedy_rounds(examples, mistakes, wanted, tie, state, sides)
            mistakes += made
            if made < wanted:
                break
        state.clock[0] += n
        mistakes_per_epoch[epoch] = mistakes
        outcome = outcome_of(mistakes, state)
        if outcome >= 0:
            return epoch + 1, outcome
    return len(mistakes_per_epoch), PAUSED


@kernel
def _greedy_rounds(
    examples: Examples, first: int, wanted: int, tie: int, state: State, sides: Floats
) -> int:
    """Learn from the worst mistake, up to `wanted` times, while there is one; how often it was."""
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm = state.weights.w, state.weights.norm
    made = 0
    while made < wanted:
        i = worst_mistake(examples, tie, state.weights, sides)
        if i < 0:
            break
        if len(state.journal.rounds) > 0:
            record(state.journal, state.clock[0] + first + made, i, rows, w)
        if len(state.watch.counts) > 0:
            state.watch.counts[i] += 1
        update(rows, i, push[i], w, bias)
        w_norm[0] = norm_after_update(w_norm[0], push[i], norms[i])
        made += 1
    return made
