"""Skipping what cannot be a mistake: most rows of a long run are far from the plane.

By Cauchy–Schwarz row j stays right while ‖ŵ − ŵ₀‖·‖x̂ⱼ‖ < yⱼ·s₀(xⱼ), where s₀ is the score under
earlier weights ŵ₀. So one pass under ŵ₀ tells which rows are *near*: those that could be mistaken
before ŵ has moved a certain distance, its *reach*. Until then only near rows are presented. This is
exact: the mistakes, and the bits of the weights, are those of the plain loop.

A survey costs a pass, so it must pay: where mistakes move ŵ too fast (in the first epochs, or for
ever where no separator exists), the plain loop runs, for longer and longer between two attempts.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.signs import (
    SAFE_HIGH,
    SAFE_LOW,
    TINY,
    UNIT,
    error_bound,
    norm_after_update,
    norm_bound,
    row_norm,
    side_of,
)
from novikoff.learners.perceptron import State, must_pause, one_epoch, outcome_of
from novikoff.learners.status import PAUSED
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update
from novikoff.rows import Floats, Rows, dot

__all__ = ["skipping_epochs"]

LONGEST_REST = 64  # plain epochs between two surveys that did not pay
HORIZONS = 12  # reaches of 2, 4, 8, … epochs' movement are considered
SAMPLE = 512  # rows that are asked first whether a survey would pay
PAID_OFF = 2  # epochs that a survey must last to be worth its pass
WORTHWHILE = 0.35  # of the plain loop's work


class Survey(NamedTuple):
    """Weights ŵ₀, the positions of the rows near them, how far ŵ has moved, and may move."""

    origin: Floats
    near: NDArray[np.int64]
    size: NDArray[np.int64]
    moved: Floats
    reach: Floats


@kernel
def slack(rows: Rows, i: int, push: float, w: Floats, norm: float, error: float) -> float:
    """How far ŵ can move, at the least, before row i is a mistake; negative where it may be one."""
    room = side_of(rows, i, push, w) - error
    return room / norm * (1.0 - 4 * UNIT) if room > 0.0 else -1.0


@kernel
def best_reach(
    examples: Examples, order: NDArray[np.int64], weights: Weights, pace: float, slacks: Floats
) -> float:
    """The reach that would save most if ŵ moves by `pace` an epoch, or 0 if none saves enough.

    Looks at as many rows as `slacks` has places (which it fills), evenly spread over all.
    """
    rows, push, norms, w = examples.rows, examples.push, examples.norms, weights.w
    n = len(order) if len(order) > 0 else len(push)
    stride = n // len(slacks)
    error = error_bound(examples.entries, examples.radius * weights.norm[0])
    within = np.zeros(HORIZONS + 1)
    for k in range(len(slacks)):
        i = order[k * stride] if len(order) > 0 else k * stride
        slacks[k] = slack(rows, i, push[i], w, norms[i], error)
        epochs_away = max(slacks[k], pace) / pace  # 2^h ≤ it < 2^(h+1)
        within[min(math.frexp(epochs_away)[1] - 1, HORIZONS)] += 1
    cheapest, reach, near = WORTHWHILE, 0.0, 0.0
    for h in range(HORIZONS):
        near += within[h]
        cost = 0.5 ** (h + 1) + near / len(slacks)
        if cost < cheapest:
            cheapest, reach = cost, pace * 2.0 ** (h + 1)
    return reach


@kernel
def take_survey(
    examples: Examples, order: NDArray[np.int64], weights: Weights, pace: float, survey: Survey
) -> bool:
    """One pass under the present weights, if a sample says that it pays; whether it does."""
    n = len(order) if len(order) > 0 else len(examples.push)
    if pace == 0.0 or best_reach(examples, order, weights, pace, np.empty(min(SAMPLE, n))) == 0.0:
        return False
    slacks = np.empty(n)
    reach = best_reach(examples, order, weights, pace, slacks)
    size = 0
    for t in range(n):
        if slacks[t] <= reach:
            survey.near[size] = t
            size += 1
    survey.size[0], survey.reach[0], survey.moved[0] = size, reach, 0.0
    survey.origin[:] = weights.w
    return reach > 0.0


@kernel
def distance_after(survey: Survey, examples: Examples, i: int, weights: Weights) -> float:
    """An upper bound on ‖ŵ − ŵ₀‖ after the update with row i that is about to be made.

    With δ = ŵ − ŵ₀ and p = push: ‖δ + p·x̂‖² = ‖δ‖² + 2p(δ·x̂) + p²‖x̂‖², and δ·x̂ is the difference of
    two scores. All that rounds (the scores, the update itself) is added.
    """
    rows, push, norm, w = examples.rows, examples.push[i], examples.norms[i], weights.w
    score = dot(rows, i, w) + w[-1]
    before = dot(rows, i, survey.origin) + survey.origin[-1]
    lengths = norm * (2.0 * weights.norm[0] + survey.moved[0])
    error = 2.0 * abs(push) * error_bound(examples.entries + 8, lengths)
    squares = (survey.moved[0] ** 2 + (push * norm) ** 2) * (1.0 + 8 * UNIT)
    longest = weights.norm[0] + abs(push) * norm
    if not SAFE_LOW < squares < SAFE_HIGH:  # squares that vanish or overflow say nothing
        return float(
            (survey.moved[0] + abs(push) * norm) * (1.0 + 8 * UNIT) + 4 * UNIT * longest + TINY
        )
    square = max(squares + 2.0 * push * (score - before) + error, 0.0)
    return float(math.sqrt(square) * (1.0 + 8 * UNIT) + 4 * UNIT * longest)


@kernel
def near_epoch(
    examples: Examples, order: NDArray[np.int64], tie: int, state: State, survey: Survey
) -> tuple[int, int]:
    """Present the near rows; return the mistakes, and from where on all rows must be looked at."""
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm = state.weights.w, state.weights.norm
    rule, near = rule_of(examples, tie), survey.near
    n = len(order) if len(order) > 0 else len(push)
    error = error_bound(examples.entries, examples.radius * w_norm[0])
    mistakes = 0
    for k in range(survey.size[0]):
        t = near[k]
        i = order[t] if len(order) > 0 else t
        side = side_of(rows, i, push[i], w)
        if side > error:
            continue
        surely_wrong = side < -error
        if not surely_wrong and not is_mistake(rows, i, push[i], w, norms[i] * w_norm[0], rule):
            continue
        survey.moved[0] = distance_after(survey, examples, i, state.weights)
        update(rows, i, push[i], w, bias)
        # The row is at hand; its entry in `norms` would have to be fetched (100 ns).
        w_norm[0] = norm_after_update(w_norm[0], push[i], row_norm(rows, i, bias))
        error = error_bound(examples.entries, examples.radius * w_norm[0])
        mistakes += 1
        if not survey.moved[0] < survey.reach[0]:
            return mistakes, t + 1
    return mistakes, n


@kernel
def skipping_epochs(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: State,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """`epochs` of `perceptron`, faster on long runs; it keeps no journal and watches no cycle."""
    n = len(order) if len(order) > 0 else len(examples.push)
    w = state.weights.w
    one = np.empty(1)
    survey = Survey(w.copy(), np.empty(n, np.int64), np.zeros(1, np.int64), one.copy(), one.copy())
    valid, lasted, rest, patience, pace = False, 0, 1, 1, 0.0
    for epoch in range(len(mistakes_per_epoch)):
        pause = must_pause(examples, state)
        if pause >= 0:
            return epoch, pause
        if not valid and rest == 0:
            valid = take_survey(examples, order, state.weights, pace, survey)
            lasted = 0
            rest = 0 if valid else patience
            patience = patience if valid else min(2 * patience, LONGEST_REST)
        start = w.copy()
        mistakes, stopped = 0, 0
        if valid:
            mistakes, stopped = near_epoch(examples, order, tie, state, survey)
            valid, lasted = stopped == n, lasted + 1
            if not valid:
                # A survey that did not last was not worth its pass.
                patience = 1 if lasted > PAID_OFF else min(2 * patience, LONGEST_REST)
                rest = 0 if lasted > PAID_OFF else patience
        else:
            rest -= 1
        if stopped < n:
            mistakes += one_epoch(examples, order, tie, state, stopped)
        pace = norm_bound(w - start)
        mistakes_per_epoch[epoch] = mistakes
        outcome = outcome_of(mistakes, state)
        if outcome >= 0:
            return epoch + 1, outcome
    return len(mistakes_per_epoch), PAUSED
