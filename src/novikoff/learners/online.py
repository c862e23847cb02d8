"""The perceptron on a stream: one example a call, what it learned and its account in flat arrays.

The mistake is decided and the weights are pushed exactly as in `perceptron`, so the bits are those
of `partial_fit`. The arrays are few and flat because each costs some 70 ns a call from Python, and
a call on twenty numbers takes no longer than that itself.

`W` holds ŵ in its first row. A second row is Σ t·η·y·x̂ over the mistakes for the average (see
`averaged`), or the weights in the pocket (see `pocket`). `numbers` and `counts` have the places
named below; behind its named places `counts` is a ring that remembers which of the last examples
were mistakes.
"""

import numpy as np
from numpy.typing import NDArray

from novikoff.matrix.rows import Floats

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


def numbers_of(eta0: float, tie: int, bias: float) -> Floats:
    """The numbers of a stream that is about to start."""
    return np.array([0.0, 0.0, 0.0, 0.0, eta0, float(tie), bias])


def counts_of(kind: int, window: int) -> Counts:
    """The counts of a stream that is about to start."""
    counts = np.zeros(RING + window, np.int64)
    counts[KIND] = kind
    return counts
