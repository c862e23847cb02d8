"""Skipping what cannot be a mistake: most rows of a long run are far from the plane.

By Cauchy–Schwarz row j stays right while ‖ŵ − ŵ₀‖·‖x̂ⱼ‖ < yⱼ·s₀(xⱼ), where s₀ is the score under
earlier weights ŵ₀. So one pass under ŵ₀ tells which rows are *near*: those that could be mistaken
before ŵ has moved a certain distance, its *reach*. Until then only near rows are presented. This is
exact: the mistakes, and the bits of the weights, are those of the plain loop.

A survey costs a pass, so it must pay: where mistakes move ŵ too fast (in the first epochs, or for
ever where no separator exists), the plain loop runs, for longer and longer between two attempts.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.signs import (
    SAFE_HIGH,
    SAFE_LOW,
    TINY,
    UNIT,
    error_bound,
    norm_after_update,
    norm_bound,
    row_norm,
    signed_score,
)
from novikoff.learners import perceptron
from novikoff.learners.epochs import epoch_length, epochs, learner, rounds_per_call
from novikoff.learners.status import GO_ON, UNFINISHED
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update
from novikoff.matrix.rows import Floats, Rows, dot

__all__ = ["NearRows", "SkipSchedule", "SkippingRun", "new_survey", "take_survey"]

LONGEST_REST = 64  # plain epochs between two surveys that did not pay
HORIZONS = 12  # reaches of 2, 4, 8, … epochs' movement are considered
SAMPLE = 512  # rows that are asked first whether a survey would pay
PAID_OFF = 2  # epochs that a survey must last to be worth its pass
WORTHWHILE = 0.35  # of the plain loop's work

# Places in `Schedule.counts`: whether the survey holds, and held when the epoch began, the epochs
# that it has lasted, plain epochs to go until the next one, how many there will be after one that
# does not pay, and where among the near rows the epoch is.
HOLDS, HELD, LASTED, REST, PATIENCE, CURSOR = 0, 1, 2, 3, 4, 5


class NearRows(NamedTuple):
    """Weights ŵ₀, the positions of the rows near them, how far ŵ has moved, and may move.

    `slacks` holds how far ŵ can move before each row is a mistake, as far as `known[0]` of them
    have been worked out; `size[0]` rows are near.
    """

    origin: Floats
    near: NDArray[np.int64]
    size: NDArray[np.int64]
    moved: Floats
    reach: Floats
    slacks: Floats
    known: NDArray[np.int64]


class SkipSchedule(NamedTuple):
    """When to survey: counts, ŵ as the epoch began, and how far ŵ moved in the last one."""

    counts: NDArray[np.int64]
    began: Floats
    pace: Floats


class SkippingState(NamedTuple):
    """A run of the perceptron that nobody watches, its survey, and when to take another."""

    plain: perceptron.PerceptronState
    survey: NearRows
    schedule: SkipSchedule


@dataclass(frozen=True)
class SkippingRun:
    """`epochs` of the perceptron, faster on long runs; it keeps no journal and watches no cycle."""

    survey: NearRows
    schedule: SkipSchedule

    @classmethod
    def over(cls, n: int, p: int) -> "SkippingRun":
        """A run over n rows with p weights."""
        counts = np.zeros(6, np.int64)
        counts[REST] = counts[PATIENCE] = 1
        return cls(new_survey(n, p), SkipSchedule(counts, np.zeros(p), np.zeros(1)))

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,
        state: perceptron.PerceptronState,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch in the same order; return how many were run, and why it stopped."""
        skipping = SkippingState(state, self.survey, self.schedule)
        return epochs(examples, order, tie, skipping, mistakes_per_epoch)


def new_survey(n: int, p: int) -> NearRows:
    """Room for a survey of n rows with p weights."""
    return NearRows(
        np.zeros(p), np.empty(n, np.int64), np.zeros(1, np.int64), np.zeros(1), np.zeros(1),
        np.empty(n), np.zeros(1, np.int64),
    )  # fmt: skip


@kernel
def slack(rows: Rows, i: int, push: float, w: Floats, norm: float, error: float) -> float:
    """How far ŵ can move, at the least, before row i is a mistake; negative where it may be one."""
    room = signed_score(rows, i, push, w) - error
    return room / norm * (1.0 - 4 * UNIT) if room > 0.0 else -1.0


@kernel
def find_slacks(
    examples: Examples,
    order: NDArray[np.int64],
    weights: Weights,
    slacks: Floats,
    part: tuple[int, int],
) -> None:
    """Fill in a part of `slacks`, whose places stand for rows evenly spread over all."""
    rows, push, norms, w = examples.rows, examples.push, examples.norms, weights.w
    stride = epoch_length(examples, order) // len(slacks)
    error = error_bound(examples.entries, examples.radius * weights.norm[0])
    for k in range(part[0], part[1]):
        i = order[k * stride] if len(order) > 0 else k * stride
        slacks[k] = slack(rows, i, push[i], w, norms[i], error)


@kernel
def best_reach(slacks: Floats, pace: float) -> float:
    """The reach that would save most if ŵ moves by `pace` an epoch, or 0 if none saves enough."""
    within = np.zeros(HORIZONS + 1)
    for k in range(len(slacks)):
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
    examples: Examples, order: NDArray[np.int64], weights: Weights, pace: float, survey: NearRows
) -> bool:
    """A block of a pass under the present weights, if a sample says that it pays; whether it does.

    It is taken when all slacks are known (`survey.known[0]`); until then it wants to go on.
    """
    n = epoch_length(examples, order)
    if survey.known[0] == 0:
        sample = np.empty(min(SAMPLE, n))
        if pace > 0.0:
            find_slacks(examples, order, weights, sample, (0, len(sample)))
        if pace == 0.0 or best_reach(sample, pace) == 0.0:
            return False
    slacks, start = survey.slacks[:n], survey.known[0]
    stop = min(n, start + rounds_per_call(examples))
    find_slacks(examples, order, weights, slacks, (start, stop))
    survey.known[0] = stop
    if stop < n:
        return True
    reach = best_reach(slacks, pace)
    size = 0
    for t in range(n):
        if slacks[t] <= reach:
            survey.near[size] = t
            size += 1
    survey.size[0], survey.reach[0], survey.moved[0] = size, reach, 0.0
    survey.origin[:] = weights.w
    return reach > 0.0


@kernel
def begin(examples: Examples, order: NDArray[np.int64], state: SkippingState) -> int:
    """Before an epoch: survey the rows if it is time to."""
    counts, weights, survey = state.schedule.counts, state.plain.weights, state.survey
    if counts[HOLDS] == 0 and counts[REST] == 0:
        pays = take_survey(examples, order, weights, state.schedule.pace[0], survey)
        if pays and survey.known[0] < epoch_length(examples, order):
            return UNFINISHED
        survey.known[0] = 0
        counts[HOLDS], counts[LASTED] = int(pays), 0
        if not pays:
            counts[REST] = counts[PATIENCE]
            counts[PATIENCE] = min(2 * counts[PATIENCE], LONGEST_REST)
    counts[HELD], counts[CURSOR] = counts[HOLDS], 0
    state.schedule.began[:] = weights.w
    return GO_ON


@kernel
def distance_after(survey: NearRows, examples: Examples, i: int, weights: Weights) -> float:
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
def present_near(
    examples: Examples, order: NDArray[np.int64], tie: int, state: SkippingState, stop: int
) -> tuple[int, int]:
    """Present the near rows before `stop`; the mistakes, and from where all must be looked at."""
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    weights, survey, counts = state.plain.weights, state.survey, state.schedule.counts
    w, w_norm, near = weights.w, weights.norm, survey.near
    rule, entries, R = rule_of(examples, tie), examples.entries, examples.radius
    error = error_bound(entries, R * w_norm[0])
    mistakes = 0
    for k in range(counts[CURSOR], survey.size[0]):
        t = near[k]
        if t >= stop:
            counts[CURSOR] = k
            return mistakes, stop
        i = order[t] if len(order) > 0 else t
        side = signed_score(rows, i, push[i], w)
        if side > error:
            continue
        if side < -error or is_mistake(rows, i, push[i], w, norms[i] * w_norm[0], rule):
            survey.moved[0] = distance_after(survey, examples, i, weights)
            update(rows, i, push[i], w, bias)
            mistakes += 1
            w_norm[0] = norm_after_update(w_norm[0], push[i], row_norm(rows, i, bias))
            error = error_bound(entries, R * w_norm[0])
            if not survey.moved[0] < survey.reach[0]:
                return mistakes, t + 1
    counts[CURSOR] = survey.size[0]
    return mistakes, stop


@kernel
def present_rows(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: SkippingState,
    start: int,
    stop: int,
) -> tuple[int, int]:
    """The mistakes of the plain loop, found among the near rows as long as the survey holds."""
    counts, mistakes, position = state.schedule.counts, 0, start
    if counts[HOLDS] == 1:
        mistakes, position = present_near(examples, order, tie, state, stop)
        counts[HOLDS] = int(state.survey.moved[0] < state.survey.reach[0])
    if position < stop:
        more, _ = perceptron.present_rows(examples, order, tie, state.plain, position, stop)
        mistakes += more
    return mistakes, stop


@kernel
def end(examples: Examples, tie: int, state: SkippingState, mistakes: int) -> int:
    """After an epoch: how far ŵ moved, and when to survey next."""
    counts, schedule, w = state.schedule.counts, state.schedule, state.plain.weights.w
    if counts[HELD] == 0:
        counts[REST] -= 1
    else:
        counts[LASTED] += 1
        if counts[HOLDS] == 0:
            # A survey that did not last was not worth its pass.
            paid = counts[LASTED] > PAID_OFF
            counts[PATIENCE] = 1 if paid else min(2 * counts[PATIENCE], LONGEST_REST)
            counts[REST] = 0 if paid else counts[PATIENCE]
    schedule.pace[0] = norm_bound(w - schedule.began)
    return perceptron.end(examples, tie, state.plain, mistakes)


learner(SkippingState, begin_with=begin, present_with=present_rows, end_with=end)
