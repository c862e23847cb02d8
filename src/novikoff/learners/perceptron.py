"""The perceptron (Rosenblatt 1958): find ŵ with yᵢ ŵ·x̂ᵢ > 0 for all i, one mistake at a time.

On a mistake, w ← w + η·y·x and b ← b + η·y. If a separator of augmented margin γ exists, at most
R²/γ² mistakes are made, in any order (Novikoff 1962); if none exists, the run never stops.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.signs import error_bound, norm_after_update, norm_bound, row_norm, side_of
from novikoff.learners.cycles import Watch, has_cycled, may_round, no_watch
from novikoff.learners.journal import Journal, has_room, journal_of, record
from novikoff.learners.status import CONVERGED, CYCLED, OUTGROWN, PAUSED
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update

__all__ = ["State", "epochs", "must_pause", "one_epoch", "outcome_of", "state_of"]


class State(NamedTuple):
    """What a run carries: the weights, its journal, its watch for cycles, the round it is in."""

    weights: Weights
    journal: Journal
    watch: Watch
    clock: NDArray[np.int64]


def state_of(weights: Weights, journal: Journal | None = None, watch: Watch | None = None) -> State:
    """The state of a run that is about to start at `weights`."""
    return State(weights, journal or journal_of(0), watch or no_watch(), np.zeros(1, np.int64))


@kernel
def one_epoch(
    examples: Examples, order: NDArray[np.int64], tie: int, state: State, start: int
) -> int:
    """Present every example once from position `start` on, and learn from each mistake.

    `order` says which example is at which position (empty: as given).
    """
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm = state.weights.w, state.weights.norm
    counts, recording = state.watch.counts, len(state.journal.rounds) > 0
    rule = rule_of(examples, tie)
    n = len(order) if len(order) > 0 else len(push)
    error = error_bound(examples.entries, examples.radius * w_norm[0])
    mistakes = 0
    for t in range(start, n):
        i = order[t] if len(order) > 0 else t
        side = side_of(rows, i, push[i], w)
        if side > error:  # most rows are right beyond doubt
            continue
        # In doubt (and where the product overflowed) the sign is decided exactly.
        surely_wrong = side < -error
        if not surely_wrong and not is_mistake(rows, i, push[i], w, norms[i] * w_norm[0], rule):
            continue
        if recording:
            record(state.journal, state.clock[0] + t, i, rows, w)
        if len(counts) > 0:
            counts[i] += 1
        update(rows, i, push[i], w, bias)
        # The row is at hand; its entry in `norms` would have to be fetched (100 ns).
        w_norm[0] = norm_after_update(w_norm[0], push[i], row_norm(rows, i, bias))
        error = error_bound(examples.entries, examples.radius * w_norm[0])
        mistakes += 1
    state.clock[0] += n
    return mistakes


@kernel
def must_pause(examples: Examples, state: State) -> int:
    """Before an epoch: why it must not begin, or −1."""
    if not has_room(state.journal, len(examples.push)):
        return PAUSED
    if may_round(state.watch, examples.unit, state.weights):
        return OUTGROWN
    return -1


@kernel
def outcome_of(mistakes: int, state: State) -> int:
    """After an epoch: why no other is needed, or −1."""
    if mistakes == 0:
        return CONVERGED
    if has_cycled(state.watch, state.weights):
        return CYCLED
    # The bound on ‖ŵ‖ only grows with mistakes; the norm itself may not.
    state.weights.norm[0] = min(state.weights.norm[0], norm_bound(state.weights.w))
    return -1


@kernel
def epochs(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: State,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """Epoch after epoch in the same order; return how many were run, and why it stopped."""
    for epoch in range(len(mistakes_per_epoch)):
        pause = must_pause(examples, state)
        if pause >= 0:
            return epoch, pause
        mistakes_per_epoch[epoch] = one_epoch(examples, order, tie, state, 0)
        outcome = outcome_of(mistakes_per_epoch[epoch], state)
        if outcome >= 0:
            return epoch + 1, outcome
    return len(mistakes_per_epoch), PAUSED
