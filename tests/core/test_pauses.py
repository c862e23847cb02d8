"""Every loop of the extension comes back to Python several times a second, to hear Ctrl-C.

Each is given work for long. Those that take seconds must say that the time is up; in the others
signals must be handled again and again before they return. What is not listed does a row a call.
"""

import signal

import numpy as np
import pytest

from novikoff import _core
from novikoff.core.progress import OutOfTime
from novikoff.data.number_text import POWERS

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="Windows has no interval timers"
)

N, D = 1 << 23, 4
ONE_ROW = {
    "exact_comparison", "exact_dot", "exact_score", "learn_dense", "learn_large_sparse",
    "learn_sparse", "norm_after_update", "norm_bound", "number_at", "pass_over_right_ones",
    "perceptron_begin", "perceptron_end", "score_sign", "sign_dense", "sign_large_sparse",
    "sign_sparse",
}  # fmt: skip
GIVEN = np.empty(0, np.int64)
# Zeros that are only read cost no memory. Every score is 0, which takes exact arithmetic.
X = np.zeros((N, D))
W = np.zeros(D + 1)
NORMS, COUNTS = np.zeros(N), np.zeros(N, np.int64)
ROWS = np.zeros(N, np.int64)
TENS = np.array([10.0**k for k in range(23)])


def one():
    return np.zeros(1, np.int64)


def weights():
    return (np.zeros(D + 1), np.zeros(1))


@pytest.fixture(scope="module")
def push():
    return np.tile([1.0, -1.0], N // 2)


@pytest.fixture(scope="module")
def y():
    return np.tile(np.array([1, -1], np.int8), N // 2)


EPOCHS = np.zeros(100, np.int64)


def sparse():
    return (np.arange(N + 1, dtype=np.int32), np.zeros(N, np.int32), np.ones(N))


def survey():
    return (np.zeros(D + 1), np.arange(N), np.array([N]), np.zeros(1), np.full(1, np.inf))


def calls(name, push, y):
    """A call of this loop that would last for long."""
    examples = (X, push, NORMS, 1.0, 0.0, 1.0, D)
    state = (weights(), (None, None), one())
    joint = (ROWS, np.zeros((2, D + 1)), np.zeros(2), np.zeros((2, D + 1)), one())
    kernel = (NORMS, NORMS, weights(), np.zeros(1), one())
    pocket = (weights(), weights(), np.full(1, 1e9), np.zeros(4, np.int64), np.zeros(99, np.int64))
    stream = (np.zeros((2, D + 1)), np.array([0, 0, 0, 0, 1.0, 0, 1.0]), np.zeros(12, np.int64))
    long = {
        "add_columns": lambda: (X, np.zeros(D), True, W[:D].copy(), W[:D].copy(), np.zeros((2, D))),
        "add_row": lambda: (np.zeros(1 << 27), 1.0, np.zeros(1 << 27), 1.0),
        "add_weighted_gram": lambda: (*sparse(), np.ones(N), np.zeros((1, 1), order="F"), 0.0),
        "averaged_epochs": lambda: (examples, GIVEN, 0, (weights(), W.copy(), one()), EPOCHS),
        "averaged_present": lambda: (examples, GIVEN, 0, (weights(), W.copy(), one()), 0, N),
        "class_means": lambda: (X, y, 0.0),
        "column_extents": lambda: (X, 0.0),
        "column_ranges": lambda: (X, ROWS[:D].copy(), ROWS[:D].copy(), np.zeros(D), 0.0),
        "count_mistakes": lambda: (examples, 0, weights()),
        "count_places": lambda: (X, TENS, np.zeros(D, np.int64), 0.0),
        "cover_sums": lambda: (np.zeros((1 << 20, 64), np.int64), np.ones(1), np.zeros(1 << 20)),
        "csr_is_sound": lambda: (np.zeros(1 << 28, np.uint64), np.zeros(2, np.uint64), 1),
        "doubled_sums": lambda: (X, ROWS, np.ones(N), 1, np.zeros(D), np.zeros(D), 0.0),
        "eliminate_columns": lambda: (
            np.ones((30_000, 64)), 0, 0, 8388593, np.zeros((30_000, 64)), np.zeros(64, bool), 0.0
        ),
        "entry_residues": lambda: (
            ROWS, np.ones(N), np.zeros(1, np.int64), np.zeros(1), 2147483647, ROWS.copy(), 0.0
        ),
        "exact_signs": lambda: (X, y, ROWS, W, np.zeros(N, np.int8), 0.0),
        "filtered_signs": lambda: (X, y, W, 3, 0.0, np.zeros(N, np.int8), 0.0),
        "first_doubt": lambda: (
            (X, np.ones(N), NORMS, 1.0, 0.0, 1.0, D), GIVEN, (W + 1, np.ones(1)), 0
        ),
        "first_false": lambda: (
            (X, push, NORMS, 0.0, 0.0, 1.0, D), np.arange(N), NORMS, np.zeros(D + 1), 0
        ),
        "follow": lambda: (examples, ROWS, np.zeros(D + 1), np.ones(D + 1), (np.zeros(N),) * 4),
        "greedy_epochs": lambda: (examples, GIVEN, 0, state, np.zeros(N), EPOCHS),
        "has_fewer_errors": lambda: (X, push, *stream),
        "has_long_number": lambda: (np.zeros(1 << 28, np.uint8),),
        "joint_epochs": lambda: (examples, GIVEN, 0, joint, EPOCHS),
        "joint_errors": lambda: (examples, 0, joint),
        "kernel_errors": lambda: (examples, 0, kernel),
        "learn_rows": lambda: (X, push, *stream, np.zeros(N, np.int8)),
        "least_row": lambda: (X, push, W),
        "least_scores": lambda: (X, y, W, 100, 3, 0.0, 0.0),
        "loss_on": lambda: (examples, 0, weights(), 0.0, np.inf),
        "next_doubtful": lambda: (X, np.ones(N), NORMS, np.arange(N), 0, W + 1, 1.0),
        "parse_svmlight": lambda: (
            np.full(1 << 26, ord("\n"), np.uint8), POWERS, np.zeros(1), np.zeros(2, np.int64),
            np.zeros(1, np.int32), np.zeros(1), np.zeros((1, 2), np.int64),
        ),
        "perceptron_epochs": lambda: (examples, GIVEN, 0, state, EPOCHS, 2),
        "perceptron_present": lambda: (examples, GIVEN, 0, state, 0),
        "pocket_epochs": lambda: (examples, GIVEN, 0, (*pocket, False), EPOCHS),
        "present_near": lambda: (examples, 0, weights(), survey()),
        "read_texts": lambda: (
            np.zeros(0, np.uint8), np.zeros(N + 1, np.int32), POWERS, np.zeros(N),
            np.zeros(N, np.int8),
        ),
        "reduce_block": lambda: (np.zeros((N, 8)), 0, N, 0, 8388593),
        "replay": lambda: (examples, np.concatenate([ROWS] * 4), np.zeros(D + 1)),
        "rough_perceptron": lambda: (X, y, True, 10**6, W.copy(), W.copy(), 0.0),
        "row_norms": lambda: (X, False, np.zeros(N)),
        "row_scores": lambda: (np.zeros((N, 24)), np.zeros(25), np.zeros(N)),
        "score_residues": lambda: (
            X, np.zeros(D, np.int64), np.zeros(D), ROWS, np.zeros(D, np.int64), 0, 2147483647,
            ROWS.copy(), 0.0,
        ),
        "scores": lambda: (X, W, np.zeros(N)),
        "sha256_update": lambda: (np.zeros(8, np.uint32), np.zeros(1 << 29, np.uint8)),
        "skipping_epochs": lambda: (
            examples, GIVEN, 0, state, survey(), (np.array([0, 0, 1, 1]), np.zeros(1)), EPOCHS
        ),
        "slacks": lambda: (examples, GIVEN, weights(), np.zeros(N)),
        "sum_of_rows": lambda: (
            X, np.zeros(D, np.int64), np.zeros(D), ROWS, ROWS, 2147483647,
            np.zeros(D, np.int64), 0.0,
        ),
        "sure_signs": lambda: (X, W, np.zeros(N, np.int8), 0.0),
        "take_out_one_sided": lambda: (
            *sparse(), np.array([0, N], np.int32), np.arange(N, dtype=np.int32), 0.0
        ),
        "votes": lambda: (
            X, X, (ROWS[:9].copy(), np.ones(9), np.ones(10, np.int64), np.array([9])), 1.0, 0,
            np.zeros(N),
        ),
        "voted_epochs": lambda: (
            examples, GIVEN, 0, weights(), (ROWS.copy(), np.zeros(N), np.zeros(N + 1, np.int64),
            one()), N, EPOCHS
        ),
    }  # fmt: skip
    return long[name]() if name else set(long)


# These are asked the time by what calls them, or work on a few rows: tests of their own.
ELSEWHERE = {
    "descend", "enumerate_conflicts", "kernel_advance", "kernel_next_mistake", "nearest_point",
    "null_vectors", "pocket_until_trial", "take_survey",
}  # fmt: skip


class HeardError(Exception):
    """A signal was handled often enough."""


def test_no_loop_is_left_out():
    functions = {name for name in dir(_core) if callable(getattr(_core, name)) and name[0] != "_"}
    assert functions == ONE_ROW | ELSEWHERE | calls("", None, None)


@pytest.mark.parametrize("name", sorted(calls("", None, None)))
def test_it_comes_back_again_and_again(name, push, y):
    arguments, heard = calls(name, push, y), 0

    def hear(*_):
        nonlocal heard
        heard += 1
        if heard == 4:  # a call that never pauses is told once or twice, when it is over
            raise HeardError

    if isinstance(arguments[-1], float) and arguments[-1] == 0.0 and name != "next_doubtful":
        with pytest.raises(OutOfTime):
            getattr(_core, name)(*arguments)
        return
    before = signal.signal(signal.SIGALRM, hear)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        with pytest.raises(HeardError):
            getattr(_core, name)(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
