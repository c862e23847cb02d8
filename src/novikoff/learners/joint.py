"""The multiclass perceptron: one ŵ a class, and the true class must score more than every other.

Kessler's construction (Nilsson 1965) turns "ŵ_y·x̂ > ŵ_r·x̂ for all r ≠ y" into a binary problem of
differences. On a mistake the best of the other classes is pushed away from x̂, and the true one
towards it: an ultraconservative update (Crammer and Singer, "Ultraconservative online algorithms
for multiclass problems", JMLR 3, 2003). The result is the average over all rounds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.accumulator import exact_comparison
from novikoff.exact.signs import INFLATE, TINY, error_bound, norm_bound
from novikoff.learners.epochs import epoch_length, learner
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import Examples, Rule, rule_of, update
from novikoff.matrix.rows import Floats, Rows, dot, n_entries

__all__ = ["JointState", "average_of", "errors", "state_of"]


class JointState(NamedTuple):
    """What a run carries: each row's class, one ŵ a class with its norm, delays, rounds so far."""

    labels: NDArray[np.int64]
    W: Floats
    norms: Floats
    delayed: Floats
    rounds: NDArray[np.int64]


def state_of(labels: NDArray[np.int64], W: Floats, delayed: Floats, rounds: int) -> JointState:
    """The state of a run that goes on from `W` after so many rounds (nothing is copied)."""
    return JointState(labels, W, np.array([norm_bound(w) for w in W]), delayed, np.array([rounds]))


def average_of(state: JointState) -> Floats:
    """The mean of the weights after each round, one row a class."""
    return state.W - state.delayed / max(1, int(state.rounds[0]))


@kernel
def comparison(rows: Rows, i: int, u: Floats, v: Floats, bound: float, exact_below: float) -> int:
    """The sign of u·x̂_i − v·x̂_i, given bound ≥ ‖x̂_i‖·(‖u‖ + ‖v‖)."""
    difference = (dot(rows, i, u) + u[-1]) - (dot(rows, i, v) + v[-1])
    error = error_bound(n_entries(rows, i) + 1, bound)  # one more rounding than a score has
    if difference > error:
        return 1
    if difference < -error:
        return -1
    if bound < exact_below:
        return int(difference > 0) - int(difference < 0)
    return exact_comparison(rows, i, u, v)


@kernel
def rival_of(examples: Examples, i: int, rule: Rule, state: JointState) -> int:
    """The best other class (of equals, the first) if it makes row i a mistake, or −1."""
    rows, W, norms = examples.rows, state.W, state.norms
    y, x_norm = state.labels[i], examples.norms[i]
    rival = -1
    for r in range(len(W)):
        if r == y:
            continue
        if rival < 0:
            rival = r
            continue
        bound = x_norm * (norms[r] + norms[rival])
        if comparison(rows, i, W[r], W[rival], bound, rule.exact_below) > 0:
            rival = r
    bound = x_norm * (norms[y] + norms[rival])
    side = comparison(rows, i, W[y], W[rival], bound, rule.exact_below)
    return rival if side < 0 or (side == 0 and rule.tie <= 0) else -1


@kernel
def errors(examples: Examples, tie: int, state: JointState) -> int:
    """How many of the presented examples are misclassified, without learning from them."""
    rule = rule_of(examples, tie)
    wrong = 0
    for i in range(len(examples.push)):
        if examples.push[i] != 0.0 and rival_of(examples, i, rule, state) >= 0:
            wrong += 1
    return wrong


@kernel
def push_class(
    examples: Examples, i: int, step: float, delay: int, k: int, state: JointState
) -> None:
    """ŵ_k ← ŵ_k + step·x̂_i, with what the average has to know."""
    update(examples.rows, i, step, state.W[k], examples.bias)
    update(examples.rows, i, step * delay, state.delayed[k], examples.bias)
    state.norms[k] = (state.norms[k] + abs(step) * examples.norms[i]) * INFLATE + TINY


@kernel
def present_rows(
    examples: Examples, order: NDArray[np.int64], tie: int, state: JointState, start: int, stop: int
) -> tuple[int, int]:
    """Present the examples at positions `start` to `stop` of `order` (empty: as they are given)."""
    push, before = examples.push, state.rounds[0]
    rule = rule_of(examples, tie)
    mistakes = 0
    for t in range(start, stop):
        i = order[t] if len(order) > 0 else t
        rival = rival_of(examples, i, rule, state)
        if rival >= 0:
            push_class(examples, i, push[i], before + t, state.labels[i], state)
            push_class(examples, i, -push[i], before + t, rival, state)
            mistakes += 1
    if stop == epoch_length(examples, order):
        state.rounds[0] += stop
    return mistakes, stop


@kernel
def end(examples: Examples, tie: int, state: JointState, mistakes: int) -> int:  # noqa: ARG001
    """After an epoch: why no other is needed, or GO_ON."""
    for k in range(len(state.W)):
        state.norms[k] = min(state.norms[k], norm_bound(state.W[k]))
    return CONVERGED if mistakes == 0 else GO_ON


learner(JointState, present_with=present_rows, end_with=end)
