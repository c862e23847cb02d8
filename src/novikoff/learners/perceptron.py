"""The perceptron (Rosenblatt 1958): find ŵ with yᵢ ŵ·x̂ᵢ > 0 for all i, one mistake at a time.

On a mistake, w ← w + η·y·x and b ← b + η·y. If a separator of augmented margin γ exists, at most
R²/γ² mistakes are made, in any order (Novikoff 1962); if none exists, the run never stops.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.signs import error_bound, norm_after_update, norm_bound, row_norm, signed_score
from novikoff.learners.epochs import epoch_length, learner
from novikoff.learners.observer import (
    NullObserver,
    Observer,
    counts_of,
    journal_in,
    reason_to_stop,
    reason_to_wait,
    tell_mistake,
)
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update

__all__ = ["PerceptronState", "begin", "end", "present_rows", "state_of"]


class PerceptronState(NamedTuple):
    """What a run carries: the weights, whoever watches it, and the rounds before this epoch."""

    weights: Weights
    observer: NullObserver | Observer
    clock: NDArray[np.int64]


def state_of(weights: Weights, observer: NullObserver | Observer | None = None) -> PerceptronState:
    """The state of a run that is about to start at `weights`."""
    return PerceptronState(
        weights, NullObserver() if observer is None else observer, np.zeros(1, np.int64)
    )


@kernel
def present_rows(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: PerceptronState,
    start: int,
    stop: int,
) -> tuple[int, int]:
    """Present the examples at positions `start` to `stop` of `order` (empty: as they are given)."""
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm, before = state.weights.w, state.weights.norm, state.clock[0]
    journal, counts = journal_in(state.observer), counts_of(state.observer)
    rule, entries, R = rule_of(examples, tie), examples.entries, examples.radius
    error = error_bound(entries, R * w_norm[0])
    mistakes = 0
    for t in range(start, stop):
        i = order[t] if len(order) > 0 else t
        side = signed_score(rows, i, push[i], w)  # yᵢ ŵ·x̂ᵢ, off by `error` at most
        if side > error:
            continue
        # In doubt (and where the product overflowed) the sign is decided exactly.
        if side < -error or is_mistake(rows, i, push[i], w, norms[i] * w_norm[0], rule):
            tell_mistake(journal, counts, before + t, i, rows, w)
            update(rows, i, push[i], w, bias)
            mistakes += 1
            # ‖ŵ‖ is bounded as the proof does it. The row is at hand; `norms[i]` would be fetched.
            w_norm[0] = norm_after_update(w_norm[0], push[i], row_norm(rows, i, bias))
            error = error_bound(entries, R * w_norm[0])
    if stop == epoch_length(examples, order):
        state.clock[0] += stop
    return mistakes, stop


@kernel
def begin(examples: Examples, order: NDArray[np.int64], state: PerceptronState) -> int:  # noqa: ARG001
    """Before an epoch: why it must not begin, or GO_ON."""
    return reason_to_wait(state.observer, examples, state.weights)


@kernel
def end(examples: Examples, tie: int, state: PerceptronState, mistakes: int) -> int:  # noqa: ARG001
    """After an epoch: why no other is needed, or GO_ON."""
    if mistakes == 0:
        return CONVERGED
    reason = reason_to_stop(state.observer, state.weights)
    if reason == GO_ON:
        # The bound on ‖ŵ‖ only grows with mistakes; the norm itself may not.
        state.weights.norm[0] = min(state.weights.norm[0], norm_bound(state.weights.w))
    return reason


learner(PerceptronState, begin_with=begin, present_with=present_rows, end_with=end)
