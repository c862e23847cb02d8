"""The perceptron on a stream: one example a call, what it learned and its account in flat arrays.

The mistake is decided and the weights are pushed exactly as in `perceptron`, so the bits are those
of `partial_fit`. The arrays are few and flat because each costs some 50 ns a call from Python, and
a call on twenty numbers takes no longer than that itself.

`W` holds ŵ in its first row. A second row is Σ t·η·y·x̂ over the mistakes for the average (see
`averaged`), or the weights in the pocket (see `pocket`). `numbers` and `counts` have the places
named below; behind its named places `counts` is a ring that remembers which of the last examples
were mistakes.
"""

import math

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.signs import (
    SAFE_HIGH,
    TINY,
    UNIT,
    error_bound,
    norm_after_update,
    norm_bound,
    row_norm,
    score_sign,
    signed_score,
)
from novikoff.learners.unit import LARGEST_EXACT, Rule, is_mistake, update
from novikoff.matrix.rows import Csr, Floats, Rows, entry, n_entries, sqnorm

__all__ = [
    "AVERAGED",
    "CHANGES",
    "DRIFT",
    "EXAMPLES",
    "HAS_RATCHET",
    "KEPT",
    "KEPT_NORM",
    "KEPT_RUN",
    "LARGE",
    "MISTAKE",
    "MISTAKES",
    "NORM",
    "NOT_FINITE",
    "OUTGROWN",
    "PLAIN",
    "POCKET",
    "RADIUS",
    "RECENT",
    "REJECTED",
    "RIGHT",
    "RUN",
    "TRIAL",
    "TRIAL_DUE",
    "WRONG_WIDTH",
    "counts_of",
    "has_fewer_errors",
    "learn_dense",
    "learn_large_sparse",
    "learn_rows",
    "learn_sparse",
    "numbers_of",
    "pass_over_right_ones",
    "sign_dense",
    "sign_large_sparse",
    "sign_sparse",
]

Counts = NDArray[np.int64]

# Places in `numbers`: upper bounds on ‖ŵ‖, on R = max ‖x̂‖, on how far all roundings together have
# moved ŵ, and on the norm of the weights in the pocket; then the options η, the tie rule as a sign,
# and the bias (0 or 1).
NORM, RADIUS, DRIFT, KEPT_NORM, ETA, TIE, BIAS = range(7)

# Places in `counts`: examples, mistakes, mistakes among the last ones; mistakes since the bound on
# ‖ŵ‖ was computed anew; which learner it is. For the pocket: correct answers in a row of the
# weights at work and of those kept, how the weights at work have fared, how often it changed,
# whether a window is kept to try weights on (then the runs are those just now).
EXAMPLES, MISTAKES, RECENT, SINCE, KIND, RUN, KEPT_RUN, TRIAL, CHANGES, HAS_RATCHET = range(10)
RING = 10
PLAIN, AVERAGED, POCKET = range(3)
PENDING, REJECTED, KEPT = range(3)

# What came of an example. TRIAL_DUE: right, and the weights at work have run longer than those in
# the pocket. Below 0 nothing was learned, but for OUTGROWN: the weights are beyond float64.
RIGHT, MISTAKE, TRIAL_DUE = 0, 1, 2
NOT_FINITE, WRONG_WIDTH, OUTGROWN, LARGE = -10, -11, -12, -13

# Mistakes after which the bound on ‖ŵ‖, which only grows, is computed anew.
TIGHTEN_EVERY = 64


def numbers_of(eta0: float, tie: int, bias: float) -> Floats:
    """The numbers of a stream that is about to start."""
    return np.array([0.0, 0.0, 0.0, 0.0, eta0, float(tie), bias])


def counts_of(kind: int, window: int) -> Counts:
    """The counts of a stream that is about to start."""
    counts = np.zeros(RING + window, np.int64)
    counts[KIND] = kind
    return counts


@kernel
def learn_dense(x: Floats, sign: float, W: Floats, numbers: Floats, counts: Counts) -> int:
    """Present one example given as a flat array."""
    if x.shape[0] != W.shape[1] - 1:
        return WRONG_WIDTH
    return present(x.reshape((1, x.shape[0])), 0, sign, W, numbers, counts)


@kernel
def learn_sparse(
    values: Floats,
    columns: NDArray[np.uint64],
    sign: float,
    W: Floats,
    numbers: Floats,
    counts: Counts,
) -> int:
    """Present one example given as columns and values; the caller sees to it that they fit.

    Nothing is learned if a value is so large that it may have been rounded on its way here.
    """
    for value in values:
        if abs(value) >= LARGEST_EXACT:
            return LARGE
    return learn_large_sparse(values, columns, sign, W, numbers, counts)


@kernel
def learn_large_sparse(
    values: Floats,
    columns: NDArray[np.uint64],
    sign: float,
    W: Floats,
    numbers: Floats,
    counts: Counts,
) -> int:
    """The same for values that are known not to have been rounded."""
    bounds = np.array([0, len(values)], np.uint64)
    rows = Csr(values, columns, bounds, W.shape[1] - 1)
    return present(rows, 0, sign, W, numbers, counts)


@kernel
def learn_rows(
    rows: Rows,
    signs: Floats,
    W: Floats,
    numbers: Floats,
    counts: Counts,
    outcomes: NDArray[np.int8],
) -> int:
    """Present row after row, and note what came of each; return how many were presented.

    It stops after a row that made a trial due, and at one that could not be learned.
    """
    for i in range(len(signs)):
        outcome = present(rows, i, signs[i], W, numbers, counts)
        outcomes[i] = outcome
        if outcome < 0 or outcome == TRIAL_DUE:
            return i + 1
    return len(signs)


@kernel
def present(rows: Rows, i: int, sign: float, W: Floats, numbers: Floats, counts: Counts) -> int:
    """Present one example: learn from it if it is a mistake, and keep the account."""
    if not is_usable(rows, i):
        return NOT_FINITE
    w, kind = W[0], counts[KIND]
    norm = row_norm(rows, i, numbers[BIAS])
    bound = norm * numbers[NORM]
    error = error_bound(n_entries(rows, i), bound)
    side = signed_score(rows, i, sign, w)
    wrong = side < -error
    if not wrong and not side > error:
        wrong = is_mistake(rows, i, sign, w, bound, Rule(int(numbers[TIE]), 0.0))
    outcome = RIGHT
    if wrong:
        push = numbers[ETA] * sign
        update(rows, i, push, w, numbers[BIAS])
        if kind == AVERAGED:
            update(rows, i, push * counts[EXAMPLES], W[1], numbers[BIAS])
        keep_bounds(w, push, norm, numbers, counts)
        outcome = MISTAKE if math.isfinite(numbers[NORM]) else OUTGROWN
    if kind == POCKET:
        if counts[HAS_RATCHET]:
            test_pocket(rows, i, sign, W[1], norm * numbers[KEPT_NORM], numbers, counts)
        if not wrong:
            outcome = run_on(counts)
    numbers[RADIUS] = max(numbers[RADIUS], norm)
    count(counts, wrong)
    return outcome


@kernel
def is_usable(rows: Rows, i: int) -> bool:
    """Whether all numbers of a row are finite."""
    if sqnorm(rows, i) < SAFE_HIGH:
        return True
    for k in range(n_entries(rows, i)):  # noqa: SIM110 (Numba has no generators)
        if not math.isfinite(entry(rows, i, k)[1]):
            return False
    return True


@kernel
def keep_bounds(w: Floats, push: float, norm: float, numbers: Floats, counts: Counts) -> None:
    """After an update: bounds on ‖ŵ‖ and on what all roundings have added to it.

    Each weight was rounded as w_j + (push·x_j), so this update moved ŵ by at most
    u(‖ŵ‖ + |push|·‖x̂‖) from where it should be, ŵ being the new one.
    """
    numbers[NORM] = norm_after_update(numbers[NORM], push, norm)
    counts[SINCE] += 1
    if counts[SINCE] >= TIGHTEN_EVERY:
        counts[SINCE] = 0
        numbers[NORM] = min(numbers[NORM], norm_bound(w))
    step = 1.0 + 8 * UNIT
    moved = UNIT * (numbers[NORM] + abs(push) * norm) * step + TINY
    numbers[DRIFT] = (numbers[DRIFT] + moved) * step


@kernel
def test_pocket(
    rows: Rows, i: int, sign: float, kept: Floats, bound: float, numbers: Floats, counts: Counts
) -> None:
    """On a stream whose plane may turn, the run to beat is the one that the pocket has just now."""
    if is_mistake(rows, i, sign, kept, bound, Rule(int(numbers[TIE]), 0.0)):
        counts[KEPT_RUN] = 0
    else:
        counts[KEPT_RUN] += 1


@kernel
def run_on(counts: Counts) -> int:
    """The weights at work were right once more: does their run call for a trial?"""
    counts[RUN] += 1
    if counts[TRIAL] == KEPT:
        counts[KEPT_RUN] = max(counts[KEPT_RUN], counts[RUN])
        return RIGHT
    return TRIAL_DUE if counts[TRIAL] == PENDING and counts[RUN] > counts[KEPT_RUN] else RIGHT


@kernel
def count(counts: Counts, wrong: bool) -> None:
    """Count an example, and whether it was a mistake, in all and among the last ones."""
    window = len(counts) - RING
    if window > 0:
        at = RING + counts[EXAMPLES] % window
        counts[RECENT] += np.int64(wrong) - counts[at]
        counts[at] = np.int64(wrong)
    counts[EXAMPLES] += 1
    if wrong:
        counts[MISTAKES] += 1
        counts[RUN] = 0
        counts[TRIAL] = PENDING


@kernel
def pass_over_right_ones(counts: Counts, examples: int) -> None:
    """Count examples that are known to have been right, without seeing them again."""
    window = len(counts) - RING
    for _ in range(min(examples, window)):
        at = RING + counts[EXAMPLES] % window
        counts[RECENT] -= counts[at]
        counts[at] = 0
        counts[EXAMPLES] += 1
    counts[EXAMPLES] += max(0, examples - window)


@kernel
def sign_dense(x: Floats, w: Floats, w_norm: float) -> int:
    """The sign of x · w + b, exactly; `w_norm` ≥ ‖ŵ‖. WRONG_WIDTH or NOT_FINITE for a bad x."""
    if x.shape[0] != w.shape[0] - 1:
        return WRONG_WIDTH
    rows = x.reshape((1, x.shape[0]))
    if not is_usable(rows, 0):
        return NOT_FINITE
    return score_sign(rows, 0, w, row_norm(rows, 0, 1.0) * w_norm, 0.0)


@kernel
def sign_sparse(values: Floats, columns: NDArray[np.uint64], w: Floats, w_norm: float) -> int:
    """The same for columns and values; LARGE if one may have been rounded on its way here."""
    for value in values:
        if abs(value) >= LARGEST_EXACT:
            return LARGE
    return sign_large_sparse(values, columns, w, w_norm)


@kernel
def sign_large_sparse(values: Floats, columns: NDArray[np.uint64], w: Floats, w_norm: float) -> int:
    """The same for values that are known not to have been rounded."""
    rows = Csr(values, columns, np.array([0, len(values)], np.uint64), w.shape[0] - 1)
    if not is_usable(rows, 0):
        return NOT_FINITE
    return score_sign(rows, 0, w, row_norm(rows, 0, 1.0) * w_norm, 0.0)


@kernel
def has_fewer_errors(rows: Rows, signs: Floats, W: Floats, numbers: Floats) -> bool:
    """Whether the weights at work misclassify fewer of these examples than those in the pocket."""
    kept = errors_up_to(rows, signs, W[1], numbers, len(signs))
    return kept > 0 and errors_up_to(rows, signs, W[0], numbers, kept) < kept


@kernel
def errors_up_to(rows: Rows, signs: Floats, w: Floats, numbers: Floats, most: int) -> int:
    """How many of these examples the weights misclassify; once there are `most`, it is enough."""
    rule, bias = Rule(int(numbers[TIE]), 0.0), numbers[BIAS]
    w_norm, errors = norm_bound(w), 0
    for i in range(len(signs)):
        side = signed_score(rows, i, signs[i], w)
        error = error_bound(n_entries(rows, i), numbers[RADIUS] * w_norm)
        if side > error:
            continue
        wrong = side < -error
        if wrong or is_mistake(rows, i, signs[i], w, row_norm(rows, i, bias) * w_norm, rule):
            errors += 1
            if errors == most:
                break
    return errors
