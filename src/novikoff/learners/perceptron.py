"""The perceptron (Rosenblatt 1958): find ŵ with yᵢ ŵ·x̂ᵢ > 0 for all i, one mistake at a time.

On a mistake, w ← w + η·y·x and b ← b + η·y. If a separator of augmented margin γ exists, at most
R²/γ² mistakes are made, in any order (Novikoff 1962); if none exists, the run never stops.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.signs import error_bound, norm_after_update, norm_bound, row_norm, side_of
from novikoff.learners.epochs import epoch_length, learner
from novikoff.learners.observer import (
    Nobody,
    Observer,
    reason_to_stop,
    reason_to_wait,
    tell_mistake,
)
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update

__all__ = ["State", "before_update", "begin", "end", "present_rows", "state_of"]


class State(NamedTuple):
    """What a run carries: the weights, whoever watches it, and the rounds before this epoch."""

    weights: Weights
    observer: Nobody | Observer
    clock: NDArray[np.int64]


def state_of(weights: Weights, observer: Nobody | Observer | None = None) -> State:
    """The state of a run that is about to start at `weights`."""
    return State(weights, Nobody() if observer is None else observer, np.zeros(1, np.int64))


@kernel
def present_rows(
    examples: Examples, order: NDArray[np.int64], tie: int, state: State, start: int, stop: int
) -> tuple[int, int]:
    """Present the examples at positions `start` to `stop` of `order` (empty: as they are given)."""
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm = state.weights.w, state.weights.norm
    rule = rule_of(examples, tie)
    error = error_bound(examples.entries, examples.radius * w_norm[0])
    mistakes = 0
    for t in range(start, stop):
        i = order[t] if len(order) > 0 else t
        side = side_of(rows, i, push[i], w)  # yᵢ ŵ·x̂ᵢ, off by `error` at most
        if side > error:
            continue
        # In doubt (and where the product overflowed) the sign is decided exactly.
        if side < -error or is_mistake(rows, i, push[i], w, norms[i] * w_norm[0], rule):
            error = before_update(examples, t, i, state)
            update(rows, i, push[i], w, bias)
            mistakes += 1
    if stop == epoch_length(examples, order):
        state.clock[0] += stop
    return mistakes, stop


@kernel
def before_update(examples: Examples, t: int, i: int, state: State) -> float:
    """What must be known of a mistake before ŵ learns from it: who watches is told, ‖ŵ‖ bounded.

    Returns how far a computed score can be from the true one after the update.
    """
    rows, norm = examples.rows, state.weights.norm
    tell_mistake(state.observer, state.clock[0] + t, i, rows, state.weights.w)
    # The row is at hand; its entry in `norms` would have to be fetched (100 ns).
    norm[0] = norm_after_update(norm[0], examples.push[i], row_norm(rows, i, examples.bias))
    return error_bound(examples.entries, examples.radius * norm[0])


@kernel
def begin(examples: Examples, order: NDArray[np.int64], state: State) -> int:  # noqa: ARG001
    """Before an epoch: why it must not begin, or GO_ON."""
    return reason_to_wait(state.observer, examples, state.weights)


@kernel
def end(examples: Examples, tie: int, state: State, mistakes: int) -> int:  # noqa: ARG001
    """After an epoch: why no other is needed, or GO_ON."""
    if mistakes == 0:
        return CONVERGED
    reason = reason_to_stop(state.observer, state.weights)
    if reason == GO_ON:
        # The bound on ‖ŵ‖ only grows with mistakes; the norm itself may not.
        state.weights.norm[0] = min(state.weights.norm[0], norm_bound(state.weights.w))
    return reason


learner(State, begin_with=begin, present_with=present_rows, end_with=end)
