"""Every loop of the extension pauses after some tenths of a millisecond of work, to hear Ctrl-C.

Pauses are counted, and not timed. What is not listed does a row a call.
"""

import numpy as np
import pytest

from novikoff import _core
from novikoff.data.number_text import POWERS

N, D = 1 << 19, 4
FOREVER = float("inf")
ONE_ROW = {
    "exact_comparison", "exact_dot", "exact_score", "learn_dense", "learn_large_sparse",
    "learn_sparse", "norm_after_update", "norm_bound", "number_at", "pass_over_right_ones",
    "pauses", "perceptron_begin", "perceptron_end", "score_sign", "sign_dense", "sign_large_sparse",
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


EPOCHS = np.zeros(1, np.int64)


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
        "add_row": lambda: (np.zeros(1 << 22), 1.0, np.zeros(1 << 22), 1.0),
        "add_weighted_gram": lambda: (*sparse(), np.ones(N), np.zeros((1, 1), order="F"), FOREVER),
        "averaged_epochs": lambda: (examples, GIVEN, 0, (weights(), W.copy(), one()), EPOCHS),
        "averaged_present": lambda: (examples, GIVEN, 0, (weights(), W.copy(), one()), 0, N),
        "class_means": lambda: (X, y, FOREVER),
        "column_extents": lambda: (X, FOREVER),
        "column_ranges": lambda: (X, ROWS[:D].copy(), ROWS[:D].copy(), np.zeros(D), FOREVER),
        "cone_tree_bound": lambda: (
            np.ones((9, 3), np.int64), np.ones((9, 3), np.int64), np.ones(9, np.int64),
            np.full(8, 255, np.uint8), FOREVER,
        ),
        "count_mistakes": lambda: (examples, 0, weights()),
        "count_places": lambda: (X, TENS, np.zeros(D, np.int64), FOREVER),
        "cover_sums": lambda: (np.zeros((1 << 16, 64), np.int64), np.ones(1), np.zeros(1 << 16)),
        "csr_is_sound": lambda: (np.zeros(1 << 22, np.uint64), np.zeros(2, np.uint64), 1),
        "doubled_sums": lambda: (X, ROWS, np.ones(N), 1, np.zeros(D), np.zeros(D), FOREVER),
        "eliminate_columns": lambda: (
            np.ones((30_000, 64)), 0, 0, 8388593, np.zeros((30_000, 64)), np.zeros(64, bool),
            FOREVER,
        ),
        "entry_residues": lambda: (
            ROWS, np.ones(N), np.zeros(1, np.int64), np.zeros(1), 2147483647, ROWS.copy(), FOREVER
        ),
        "exact_signs": lambda: (X, y, ROWS, W, np.zeros(N, np.int8), FOREVER),
        "filtered_signs": lambda: (X, y, W, 3, 0.0, np.zeros(N, np.int8), FOREVER),
        "first_doubt": lambda: (
            (X, np.ones(N), NORMS, 1.0, 0.0, 1.0, D), GIVEN, (W + 1, np.ones(1)), 0
        ),
        "first_false": lambda: (
            (X, push, NORMS, 0.0, 0.0, 1.0, D), np.arange(N), NORMS, np.zeros(D + 1), 0
        ),
        "follow": lambda: (examples, ROWS, np.zeros(D + 1), np.ones(D + 1), (np.zeros(N),) * 4),
        "greedy_epochs": lambda: (
            (X, push[:512], NORMS[:512], 1.0, 0.0, 1.0, D), GIVEN, 0, state, np.zeros(512), EPOCHS
        ),
        "has_fewer_errors": lambda: (X, push, *stream),
        "has_long_number": lambda: (np.zeros(1 << 20, np.uint8),),
        "joint_epochs": lambda: (examples, GIVEN, 0, joint, EPOCHS),
        "joint_errors": lambda: (examples, 0, joint),
        "kernel_errors": lambda: (examples, 0, kernel),
        "learn_rows": lambda: (X, push, *stream, np.zeros(N, np.int8)),
        "least_row": lambda: (X, push, W),
        "least_scores": lambda: (X, y, W, 100, 3, 0.0, FOREVER),
        "loss_on": lambda: (examples, 0, weights(), 0.0, np.inf),
        "next_doubtful": lambda: (X, np.ones(N), NORMS, np.arange(N), 0, W + 1, 1.0),
        "parse_svmlight": lambda: (
            np.full(1 << 20, ord("\n"), np.uint8), POWERS, np.zeros(1), np.zeros(2, np.int64),
            np.zeros(1, np.int32), np.zeros(1), np.zeros((1, 2), np.int64),
        ),
        "perceptron_epochs": lambda: (examples, GIVEN, 0, state, EPOCHS, 2),
        "perceptron_present": lambda: (examples, GIVEN, 0, state, 0),
        "pocket_epochs": lambda: (examples, GIVEN, 0, (*pocket, False), EPOCHS),
        "present_near": lambda: (examples, 0, weights(), survey()),
        "rank_below": lambda: (np.arange(N + 1), ROWS, ROWS + 1, 1, 2147483647, FOREVER),
        "read_texts": lambda: (
            np.zeros(0, np.uint8), np.zeros(N + 1, np.int32), POWERS, np.zeros(N),
            np.zeros(N, np.int8),
        ),
        "reduce_block": lambda: (np.zeros((N, 8)), 0, N, 0, 8388593),
        "replay": lambda: (examples, np.concatenate([ROWS] * 4), np.zeros(D + 1)),
        "rough_perceptron": lambda: (X, y, True, 1, W.copy(), W.copy(), FOREVER),
        "row_norms": lambda: (X, False, np.zeros(N)),
        "row_scores": lambda: (np.zeros((N, 24)), np.zeros(25), np.zeros(N)),
        "score_residues": lambda: (
            X, np.zeros(D, np.int64), np.zeros(D), ROWS, np.zeros(D, np.int64), 0, 2147483647,
            ROWS.copy(), FOREVER,
        ),
        "scores": lambda: (X, W, np.zeros(N)),
        "sha256_update": lambda: (np.zeros(8, np.uint32), np.zeros(1 << 24, np.uint8)),
        "skipping_epochs": lambda: (
            examples, GIVEN, 0, state, survey(), (np.array([0, 0, 1, 1]), np.zeros(1)), EPOCHS
        ),
        "slacks": lambda: (examples, GIVEN, weights(), np.zeros(N)),
        "sparse_echelon": lambda: (
            np.arange(N + 1), ROWS, ROWS + 1, np.arange(N), 1, 2147483647, 9, FOREVER
        ),
        "sum_of_rows": lambda: (
            X, np.zeros(D, np.int64), np.zeros(D), ROWS, ROWS, 2147483647,
            np.zeros(D, np.int64), FOREVER,
        ),
        "sure_signs": lambda: (X, W, np.zeros(N, np.int8), FOREVER),
        "take_out_one_sided": lambda: (
            *sparse(), np.array([0, N], np.int32), np.arange(N, dtype=np.int32), FOREVER
        ),
        "votes": lambda: (
            X, X, (ROWS[:1].copy(), np.ones(1), np.ones(2, np.int64), one() + 1), 1.0, 0,
            np.zeros(1 << 17),
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
    "pocket_until_trial", "search_cones", "take_survey",
}  # fmt: skip


def test_no_loop_is_left_out():
    functions = {name for name in dir(_core) if callable(getattr(_core, name)) and name[0] != "_"}
    assert functions == ONE_ROW | ELSEWHERE | calls("", np.empty(0), None)


@pytest.mark.parametrize("name", sorted(calls("", np.empty(0), None)))
def test_it_pauses_again_and_again(name, push, y):
    arguments, before = calls(name, push, y), _core.pauses()
    getattr(_core, name)(*arguments)
    assert _core.pauses() - before >= 8


def test_a_line_of_svmlight_that_says_nothing_pauses_too(push, y):
    arguments, before = list(calls("parse_svmlight", push, y)), _core.pauses()
    arguments[0] = np.frombuffer(b"1" + b" " * (1 << 20) + b"\n", np.uint8)
    assert _core.parse_svmlight(*arguments)[:2] == (1, 0)
    assert _core.pauses() - before >= 8
