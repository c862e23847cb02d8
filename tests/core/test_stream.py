"""A stream in the extension: what plain Python learns and counts, within memory."""

import signal
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from tests.core.rows import (
    STORAGES,
    STRANGE,
    is_mistake,
    push_by,
    random_rows,
    score,
    sign,
)

from novikoff import _core
from novikoff.learners import online
from novikoff.learners.online import (
    AVERAGED,
    LARGE,
    MISTAKE,
    NOT_FINITE,
    OUTGROWN,
    PLAIN,
    POCKET,
    RIGHT,
    TRIAL_DUE,
    WRONG_WIDTH,
)

WINDOW = 5


def stream(kind=PLAIN, d=3, *, eta=1.0, tie=0, bias=1.0, window=WINDOW):
    """Weights, numbers and counts of a stream that is about to start."""
    W = np.zeros((1 if kind == PLAIN else 2, d + 1))
    return W, online.numbers_of(eta, tie, bias), online.counts_of(kind, window)


class ByHand:
    """The same in plain Python: rounded weights, exact decisions."""

    def __init__(self, kind, d, eta, tie, bias, ratchet):
        self.kind, self.eta, self.tie, self.bias, self.ratchet = kind, eta, tie, bias, ratchet
        self.W, self.wrong = np.zeros((2, d + 1)), []
        self.run = self.kept_run = 0
        self.trial = "pending"

    def present(self, entries, y):
        wrong = is_mistake(score(entries, self.W[0]), y, self.tie)
        step, came = self.eta * y, MISTAKE if wrong else RIGHT
        if wrong:
            push_by(entries, step, self.W[0], self.bias)
            if self.kind == AVERAGED:
                push_by(entries, step * len(self.wrong), self.W[1], self.bias)
        if self.kind == POCKET:
            if self.ratchet:
                lost = is_mistake(score(entries, self.W[1]), y, self.tie)
                self.kept_run = 0 if lost else self.kept_run + 1
            self.run = 0 if wrong else self.run + 1
            if not wrong and self.trial == "kept":
                self.kept_run = max(self.kept_run, self.run)
            elif not wrong and self.trial == "pending" and self.run > self.kept_run:
                came = TRIAL_DUE
            if wrong:
                self.trial = "pending"
        self.wrong.append(wrong)
        return came

    def hold_trial(self, keeps):
        self.trial = "kept" if keeps else "rejected"
        if keeps:
            self.W[1], self.kept_run = self.W[0], self.run


def hold_trial(W, numbers, counts, keeps):
    counts[online.TRIAL] = online.KEPT if keeps else online.REJECTED
    if keeps:
        W[1] = W[0]
        numbers[online.KEPT_NORM] = numbers[online.NORM]
        counts[online.KEPT_RUN] = counts[online.RUN]


def norm_of(w):
    """‖w‖² without any rounding."""
    return sum(Fraction(value) ** 2 for value in w)


@pytest.mark.parametrize("kind", [PLAIN, AVERAGED, POCKET])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize(("seed", "strange"), [(0, 0), (1, 1), (2, 0), (3, 1), (4, 0), (5, 1)])
def test_a_stream_of_rows_is_that_of_plain_python(kind, storage, seed, strange):
    rng = np.random.default_rng(seed)
    n, d, tie, bias, eta = 90, 3, [-1, 0, 1][seed % 3], float(seed > 1), [1.0, 0.3][seed % 2]
    rows, entries = random_rows(storage, n, d, rng, STRANGE if strange else None)
    signs = rng.choice([-1.0, 1.0], n)
    W, numbers, counts = stream(kind, d, eta=eta, tie=tie, bias=bias)
    counts[online.HAS_RATCHET] = seed % 2
    hand, outcomes, done = ByHand(kind, d, eta, tie, bias, seed % 2), np.zeros(n, np.int8), 0
    while done < n:
        part = rows[done:] if isinstance(rows, np.ndarray) else (*rows[:2], rows[2][done:], d)
        here = _core.learn_rows(part, signs[done:], W, numbers, counts, outcomes[done:])
        expected = [hand.present(entries[i], signs[i]) for i in range(done, done + here)]
        assert outcomes[done : done + here].tolist() == expected
        done += here
        assert done == n or expected[-1] == TRIAL_DUE
        if expected[-1] == TRIAL_DUE:
            keeps = bool(rng.random() < 0.7)
            hand.hold_trial(keeps)
            hold_trial(W, numbers, counts, keeps)
        assert W.tobytes() == hand.W[: len(W)].tobytes()
    assert counts[online.EXAMPLES] == n
    assert counts[online.MISTAKES] == sum(hand.wrong)
    assert counts[online.RECENT] == sum(hand.wrong[-WINDOW:])
    assert sorted(counts[-WINDOW:].tolist()) == sorted(hand.wrong[-WINDOW:])
    if kind == POCKET:
        assert (counts[online.RUN], counts[online.KEPT_RUN]) == (hand.run, hand.kept_run)
    assert Fraction(numbers[online.NORM]) ** 2 >= norm_of(W[0])
    longest = max(sum(Fraction(x) ** 2 for _, x in row) + int(bias) for row in entries)
    assert longest <= Fraction(numbers[online.RADIUS]) ** 2 <= longest * 2 + Fraction(1e-290)


@pytest.mark.parametrize("kind", [PLAIN, AVERAGED, POCKET])
@pytest.mark.parametrize("strange", [False, True])
def test_one_example_a_call_is_the_same_as_all_at_once(kind, strange):
    rng = np.random.default_rng(3)
    values = [v for v in STRANGE if abs(v) < 2**53] if strange else [-2.0, -1.0, 0.0, 1.0, 3.0]
    X, signs = rng.choice(values, (200, 3)), rng.choice([-1.0, 1.0], 200)
    whole, one, sparse = stream(kind), stream(kind), stream(kind)
    outcomes, columns = np.zeros(200, np.int8), np.arange(3, dtype=np.uint64)
    for x, y in zip(X, signs, strict=True):
        _core.learn_rows(x[None], np.array([y]), *whole, outcomes[:1])
        assert _core.learn_dense(x, y, *one) == outcomes[0]
        assert _core.learn_sparse(x[::-1].copy(), columns[::-1].copy(), y, *sparse) == outcomes[0]
    for expected, dense, named in zip(whole, one, sparse, strict=True):
        assert expected.tobytes() == dense.tobytes() == named.tobytes()


def test_what_rounds_is_on_the_account():
    """η = 0.1 rounds; ŵ is off by `DRIFT` at most from what exact steps would give."""
    rng = np.random.default_rng(8)
    X, signs = rng.standard_normal((500, 3)), rng.choice([-1.0, 1.0], 500)
    state, exact = stream(eta=0.1), [Fraction(0)] * 4
    for x, y in zip(X, signs, strict=True):
        if _core.learn_dense(x, y, *state) == MISTAKE:
            push = Fraction(0.1 * y)
            exact = [w + push * Fraction(v) for w, v in zip(exact, [*x, 1.0], strict=True)]
    moved = norm_of([Fraction(a) - b for a, b in zip(state[0][0], exact, strict=True)])
    assert 0 < moved <= Fraction(state[1][online.DRIFT]) ** 2


def test_what_cannot_be_learned_changes_nothing():
    for x, came in [
        ([np.nan, 0.0, 0.0], NOT_FINITE),
        ([0.0, -np.inf, 0.0], NOT_FINITE),
        ([1.0, 2.0], WRONG_WIDTH),
        ([], WRONG_WIDTH),
    ]:
        state = stream()
        before = [array.copy() for array in state]
        assert _core.learn_dense(np.array(x), 1.0, *state) == came
        assert all((a == b).all() for a, b in zip(state, before, strict=True))
        assert _core.sign_dense(np.array(x), state[0][0], 0.0) == came
    state, column = stream(), np.array([2], np.uint64)
    assert _core.learn_dense(np.array([1.0]), 1.0, np.zeros((1, 0)), *state[1:]) == WRONG_WIDTH
    for value, came in [(2.0**53, LARGE), (-np.inf, LARGE), (np.nan, NOT_FINITE)]:
        assert _core.learn_sparse(np.array([value]), column, 1.0, *state) == came
        assert _core.sign_sparse(np.array([value]), column, state[0][0], 1.0) == came
    assert not state[0].any()
    assert not state[2].any()
    assert _core.learn_large_sparse(np.array([2.0**53]), column, 1.0, *state) == MISTAKE
    assert state[0][0].tolist() == [0.0, 0.0, 2.0**53, 1.0]
    assert _core.learn_large_sparse(np.array([np.inf]), column, 1.0, *state) == NOT_FINITE
    state = stream(eta=1e300)
    assert _core.learn_dense(np.array([1e300, 0.0, 0.0]), 1.0, *state) == OUTGROWN
    assert state[2][online.MISTAKES] == 1


@pytest.mark.parametrize("seed", range(30))
def test_a_sign_is_that_of_fractions(seed):
    rng = np.random.default_rng(seed)
    w, x = rng.choice(STRANGE, 5), rng.choice([v for v in STRANGE if abs(v) < 2**53], 4)
    expected = sign(score(enumerate(x.tolist()), w))
    norm, columns = _core.norm_bound(w), np.arange(4, dtype=np.uint64)
    assert _core.sign_dense(x, w, norm) == expected
    assert _core.sign_sparse(x, columns, w, norm) == expected
    assert _core.sign_large_sparse(x, columns, w, norm) == expected


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("seed", range(8))
def test_fewer_errors_are_those_of_fractions(storage, seed):
    rng = np.random.default_rng(seed)
    rows, entries = random_rows(storage, 30, 3, rng, STRANGE)
    signs = rng.choice([-1.0, 1.0], 30)
    W, numbers, counts = stream(POCKET, tie=[-1, 0, 1][seed % 3])
    W[:] = rng.integers(-1, 2, W.shape)
    norms = np.empty(30)
    _core.row_norms(rows, True, norms)
    numbers[online.RADIUS] = norms.max()
    working, kept = (
        sum(is_mistake(score(entries[i], w), signs[i], numbers[online.TIE]) for i in range(30))
        for w in W
    )
    assert _core.has_fewer_errors(rows, signs, W, numbers, counts) == (working < kept)


@pytest.mark.parametrize("window", [0, 1, 5])
@pytest.mark.parametrize("examples", [0, 3, 5, 17])
def test_right_ones_that_are_passed_over_are_counted(window, examples):
    state = stream(d=1, window=window)
    for k in range(11):
        assert _core.learn_dense(np.zeros(1), (-1.0) ** k, *state) == MISTAKE
    seen, shown = state[2].copy(), state[2].copy()
    assert seen[online.RECENT] == window
    _core.pass_over_right_ones(shown, examples)
    assert shown[online.EXAMPLES] == 11 + examples
    ring = seen[online.RING :].tolist() if window else []
    for k in range(examples if window else 0):
        ring[(11 + k) % window] = 0
    assert shown[online.RING :].tolist() == ring
    if window:
        assert shown[online.RECENT] == sum(ring)


def legal():
    """What each function takes, so that a test can break one thing at a time."""
    W, numbers, counts = stream(POCKET)
    state = {"W": W, "numbers": numbers, "counts": counts}
    x, columns = np.ones(3), np.arange(3, dtype=np.uint64)
    rows = {"rows": np.ones((4, 3)), "signs": np.ones(4)}
    sparse = {"values": x, "columns": columns}
    return {
        "learn_dense": {"x": x, "sign": 1.0} | state,
        "learn_sparse": sparse | {"sign": 1.0} | state,
        "learn_large_sparse": sparse | {"sign": 1.0} | state,
        "learn_rows": rows | state | {"outcomes": np.zeros(4, np.int8)},
        "sign_dense": {"x": x, "w": np.ones(4), "w_norm": 2.0},
        "sign_sparse": sparse | {"w": np.ones(4), "w_norm": 2.0},
        "sign_large_sparse": sparse | {"w": np.ones(4), "w_norm": 2.0},
        "has_fewer_errors": rows | state,
        "pass_over_right_ones": {"counts": counts, "examples": 3},
    }


I64 = np.iinfo(np.int64)


def counts_with(place, value):
    """Counts of a pocket with another value at a place."""
    counts = stream(POCKET)[2]
    counts[place] = value
    return counts


def read_only(values):
    """The same, not to be written."""
    values.flags.writeable = False
    return values


LEARN = ("learn_dense", "learn_sparse", "learn_large_sparse", "learn_rows", "has_fewer_errors")
BROKEN = [
    (name, *broken)
    for name in LEARN
    for broken in [
        ("W", np.zeros((1, 4))),
        ("W", np.zeros((0, 4))),
        ("W", np.zeros(8)),
        ("W", np.zeros((2, 4), np.float32)),
        ("W", np.zeros((2, 8))[:, ::2]),
        ("W", read_only(np.zeros((2, 4)))),
        ("numbers", np.zeros(6)),
        ("numbers", np.zeros(7, ">f8" if sys.byteorder == "little" else "<f8")),
        ("numbers", np.zeros(7, np.int64)),
        ("counts", np.zeros(9, np.int64)),
        ("counts", np.zeros(15)),
        ("counts", np.zeros(15, np.uint64)),
        ("counts", np.zeros(15, np.int32)),
        ("counts", counts_with(online.EXAMPLES, -1)),
        ("counts", counts_with(online.EXAMPLES, I64.max)),
        ("counts", counts_with(online.RUN, I64.max)),
        ("counts", counts_with(online.KIND, I64.min)),
        ("counts", None),
    ]
] + [
    ("learn_dense", "x", np.ones((1, 3))),
    ("learn_dense", "x", np.ones(3, np.float32)),
    ("learn_dense", "x", [1.0, 1.0, 1.0]),
    ("learn_dense", "x", "abc"),
    ("learn_sparse", "columns", np.array([0, 1, 3], np.uint64)),
    ("learn_sparse", "columns", np.array([0, 1, 2**64 - 1], np.uint64)),
    ("learn_sparse", "columns", np.arange(2, dtype=np.uint64)),
    ("learn_sparse", "columns", np.arange(3)),
    ("learn_large_sparse", "W", np.zeros((2, 0))),
    ("learn_rows", "signs", np.ones(5)),
    ("learn_rows", "outcomes", np.zeros(3, np.int8)),
    ("learn_rows", "W", np.zeros((2, 3))),
    ("learn_rows", "rows", np.ones(12)),
    ("sign_dense", "w", np.ones((1, 4))),
    ("sign_sparse", "w", np.ones(3)),
    ("sign_sparse", "w", np.ones(0)),
    ("sign_large_sparse", "columns", np.array([0, 1, 2**63], np.uint64)),
    ("has_fewer_errors", "signs", np.ones(5)),
    ("has_fewer_errors", "W", np.zeros((2, 5))),
    ("pass_over_right_ones", "examples", -1),
    ("pass_over_right_ones", "examples", I64.max),
    ("pass_over_right_ones", "counts", np.full(15, -1)),
    ("pass_over_right_ones", "counts", np.zeros(9, np.int64)),
]


@pytest.mark.parametrize("name", legal())
def test_what_is_legal_is_taken(name):
    getattr(_core, name)(**legal()[name])


@pytest.mark.parametrize(("name", "argument", "new"), BROKEN)
def test_sizes_and_indices_that_do_not_fit_are_refused(name, argument, new):
    given = legal()[name] | {argument: new}
    with pytest.raises((ValueError, TypeError, BufferError)):
        getattr(_core, name)(**given)


def test_strange_numbers_are_no_danger():
    """Counts, numbers and rings that no stream has: nothing sensible is learned, and safely."""
    rng = np.random.default_rng(2)
    strange = [np.nan, np.inf, -np.inf, 1e308, -5e-324, 0.0]
    for _ in range(200):
        W, numbers, counts = stream(int(rng.integers(0, 3)))
        W[:], numbers[:] = rng.choice(strange, W.shape), rng.choice(strange, 7)
        counts[online.RUN :] = rng.choice([0, 1, 2**61], len(counts) - online.RUN)
        counts[online.RING :] = rng.choice([I64.min, I64.max, -1], WINDOW)
        x = rng.choice(strange, 3)
        _core.learn_dense(x, float(rng.choice(strange)), W, numbers, counts)
        _core.sign_dense(x, W[0], float(rng.choice(strange)))


# Scores of exactly 0, each of which is worked out exactly: a second and more in one call.
PROGRAM = """
import signal, time
import numpy as np
from novikoff import _core
from tests.core.test_stream import POCKET, stream

n = 10**7
X, signs = np.ones((n, 2), np.int8), np.ones(n)
state = stream(POCKET, 2, tie=1)
state[2][:] = 0
CALLS = {
    "rows": lambda: _core.learn_rows(X, signs, *state, np.zeros(n, np.int8)),
    "errors": lambda: _core.has_fewer_errors(X, signs, *state),
}
signal.signal(signal.SIGALRM, signal.default_int_handler)
for name, call in CALLS.items():
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    began = time.process_time()
    try:
        call()
    except KeyboardInterrupt:
        print(name, time.process_time() - began < 0.5)
print(0 < state[2][0] < n)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no interval timers")
def test_every_long_call_hears_a_signal():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout.split("\n")[:-1] == ["rows True", "errors True", "True"], done.stderr
