"""The perceptron's relatives in the extension: what plain Python learns, within memory."""

import signal
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from tests.core.rows import (
    STORAGES,
    STRANGE,
    examples_of,
    is_mistake,
    push_by,
    random_rows,
    score,
    sign,
    weights_at,
)

from novikoff import _core
from novikoff.learners.status import CONVERGED, FULL, PAUSED

ALL = np.empty(0, np.int64)
MANY = 10**9  # entries of a row, so many that each is a block of its own


def data(storage, seed, n=12, d=3, strange=False):
    """Rows, their entries, pushes and an order with rows that come twice and some that never do."""
    rng = np.random.default_rng(seed)
    rows, entries = random_rows(storage, n, d, rng, STRANGE if strange else None)
    push = rng.choice([-2.0, -1.0, 0.5, 1.0], n)
    order = ALL if seed % 2 else rng.integers(0, n, n + 3)
    tie, bias = [-1, 0, 1][seed % 3], float(seed % 4 > 0)
    return rows, entries, push, order, tie, bias


def in_order(order, n):
    return order.tolist() if len(order) else list(range(n))


cases = pytest.mark.parametrize(
    ("storage", "seed", "strange"),
    [(storage, seed, strange) for storage in STORAGES for seed in range(6) for strange in (0, 1)],
)


def averaged_by_hand(entries, push, order, tie, bias, epochs, d):
    w, delayed, rounds, mistakes = np.zeros(d + 1), np.zeros(d + 1), 5, []
    for _ in range(epochs):
        mistakes.append(0)
        for t, i in enumerate(in_order(order, len(push))):
            if is_mistake(score(entries[i], w), sign(push[i]), tie):
                push_by(entries[i], push[i], w, bias)
                push_by(entries[i], push[i] * (rounds + t), delayed, bias)
                mistakes[-1] += 1
        rounds += t + 1
        if mistakes[-1] == 0:
            break
    return w, delayed, rounds, mistakes


@cases
def test_the_average_is_that_of_plain_python(storage, seed, strange):
    rows, entries, push, order, tie, bias = data(storage, seed, strange=strange)
    expected = averaged_by_hand(entries, push, order, tie, bias, 6, 3)
    for block in (8, MANY):
        state = (weights_at(np.zeros(4)), np.zeros(4), np.array([5]))
        mistakes = np.zeros(6, np.int64)
        examples = examples_of(rows, push, bias=bias, entries=block)
        done, reason = _core.averaged_epochs(examples, order, tie, state, mistakes)
        found = (state[0][0], state[1], state[2][0], mistakes[:done].tolist())
        assert found[0].tobytes() == expected[0].tobytes()
        assert found[1].tobytes() == expected[1].tobytes()
        assert found[2:] == expected[2:]
        assert reason == (CONVERGED if mistakes[done - 1] == 0 else PAUSED)


@pytest.mark.parametrize("storage", STORAGES)
def test_an_epoch_in_parts_is_the_same_epoch(storage):
    rows, entries, push, order, tie, bias = data(storage, 4)
    examples = examples_of(rows, push, bias=bias)
    expected = averaged_by_hand(entries, push, order, tie, bias, 1, 3)
    state = (weights_at(np.zeros(4)), np.zeros(4), np.array([5]))
    places = [0, 1, 4, 4, len(order)]
    mistakes = [
        _core.averaged_present(examples, order, tie, state, start, stop)
        for start, stop in pairwise(places)
    ]
    assert (state[0][0].tolist(), state[1].tolist()) == (expected[0].tolist(), expected[1].tolist())
    assert (state[2][0], [sum(mistakes)]) == expected[2:]


def empty_history(room):
    return (
        np.zeros(room, np.int64),
        np.zeros(room),
        np.zeros(room + 1, np.int64),
        np.zeros(1, np.int64),
    )


def voted_by_hand(entries, push, order, tie, bias, epochs, d, room):
    w, mistaken, survived = np.zeros(d + 1), [], [0]
    for epoch in range(epochs):
        before = len(mistaken)
        for i in in_order(order, len(push)):
            if is_mistake(score(entries[i], w), sign(push[i]), tie):
                if len(mistaken) == room:
                    return w, mistaken, survived, epoch + 1, FULL
                push_by(entries[i], push[i], w, bias)
                mistaken.append(i)
                survived.append(0)
            survived[-1] += 1
        if len(mistaken) == before:
            return w, mistaken, survived, epoch + 1, CONVERGED
    return w, mistaken, survived, epochs, PAUSED


@cases
def test_a_history_is_that_of_plain_python_and_its_votes_too(storage, seed, strange):
    rows, entries, push, order, tie, bias = data(storage, seed, strange=strange)
    room = 7 if seed == 3 else 200
    expected = voted_by_hand(entries, push, order, tie, bias, 4, 3, room)
    for block in (8, MANY):
        weights, history = weights_at(np.zeros(4)), empty_history(room)
        examples = examples_of(rows, push, bias=bias, entries=block)
        mistakes = np.zeros(4, np.int64)
        found = _core.voted_epochs(examples, order, tie, weights, history, 7, mistakes)
        mistaken, pushes, survived, (size,) = history
        assert found == expected[3:]
        assert weights[0].tobytes() == expected[0].tobytes()
        assert (mistaken[:size].tolist(), survived[: size + 1].tolist()) == expected[1:3]
        assert pushes[:size].tolist() == push[expected[1]].tolist()
    points, shown = random_rows(STORAGES[seed % 3], 5, 3, np.random.default_rng(seed))
    result, by_hand = np.empty(5), [0] * 5
    _core.votes(points, rows, history, bias, tie, result)
    w = np.zeros(4)
    for k, lived in enumerate(expected[2]):
        if k:
            push_by(entries[expected[1][k - 1]], push[expected[1][k - 1]], w, bias)
        for p in range(5):
            by_hand[p] += lived * (sign(score(shown[p], w)) or (-1 if tie < 0 else 1))
    assert result.tolist() == by_hand


def test_a_history_without_room_waits_before_an_epoch():
    rows, _, push, _, tie, _ = data("float64", 1)
    for room, most, reason in [(11, 12, PAUSED), (12, 12, None), (11, 11, None)]:
        history, mistakes = empty_history(room), np.zeros(1, np.int64)
        weights = weights_at(np.zeros(4))
        found = _core.voted_epochs(
            examples_of(rows, push), ALL, tie, weights, history, most, mistakes
        )
        if reason == PAUSED:
            assert (*found, history[3][0]) == (0, PAUSED, 0)
        else:
            assert found[0] == 1
            assert history[3][0] > 0


class PocketByHand:
    """Gallant's algorithm, as the module's docstring has it."""

    def __init__(self, entries, push, tie, bias, ratchet, d):
        self.entries, self.push, self.tie, self.bias, self.ratchet = (
            entries, push, tie, bias, ratchet
        )  # fmt: skip
        self.kept, self.w = np.zeros(d + 1), np.zeros(d + 1)
        self.run = self.kept_run = 0
        self.trial, self.lengths, self.loss = "pending", [], self.loss_of(np.zeros(d + 1))

    def is_wrong(self, i, w):
        return is_mistake(score(self.entries[i], w), sign(self.push[i]), self.tie)

    def loss_of(self, w):
        wrong = [i for i in range(len(self.push)) if self.is_wrong(i, w)]
        return sum((abs(self.push[i]) for i in wrong), 0.0)

    def keep(self):
        self.kept, self.kept_run, self.trial = self.w.copy(), self.run, "kept"
        self.lengths.append(self.run)

    def epoch(self, order):
        mistakes = 0
        for i in order:
            if self.is_wrong(i, self.w):
                push_by(self.entries[i], self.push[i], self.w, self.bias)
                self.run, self.trial = 0, "pending"
                mistakes += 1
                continue
            self.run += 1
            if self.run <= self.kept_run:
                continue
            if self.trial == "kept":
                self.kept_run = self.lengths[-1] = self.run
            elif self.trial == "pending":
                loss = self.loss_of(self.w) if self.ratchet else self.loss
                self.trial = "rejected"
                if loss < self.loss or not self.ratchet:
                    self.keep()
                    self.loss = loss
            if self.loss == 0:
                return mistakes
        if mistakes == 0 and self.loss > 0 and self.loss_of(self.w) == 0:
            if self.trial != "kept":
                self.keep()
            self.loss = 0.0
        return mistakes


def pocket_state(loss, ratchet, room=100, d=3):
    return (
        weights_at(np.zeros(d + 1)),
        weights_at(np.zeros(d + 1)),
        np.array([loss]),
        np.zeros(4, np.int64),
        np.zeros(room, np.int64),
        ratchet,
    )


@cases
@pytest.mark.parametrize("ratchet", [True, False])
def test_the_pocket_is_that_of_plain_python(storage, seed, strange, ratchet):
    rows, entries, push, order, tie, bias = data(storage, seed, strange=strange)
    hand = PocketByHand(entries, push, tie, bias, ratchet, 3)
    first_loss, by_hand = hand.loss, []
    while len(by_hand) < 5 and (not by_hand or hand.loss > 0):
        by_hand.append(hand.epoch(in_order(order, len(push))))
    for block in (8, MANY):
        examples = examples_of(rows, push, bias=bias, entries=block)
        state = pocket_state(first_loss, ratchet)
        mistakes = np.zeros(5, np.int64)
        done, reason = _core.pocket_epochs(examples, order, tie, state, mistakes)
        (kept, _), (w, _), (loss,), tally, lengths, _ = state
        assert mistakes[:done].tolist() == by_hand
        assert (kept.tobytes(), w.tobytes()) == (hand.kept.tobytes(), hand.w.tobytes())
        assert (loss, tally[0], tally[1]) == (hand.loss, hand.run, hand.kept_run)
        assert lengths[: tally[3]].tolist() == hand.lengths
        assert reason == (CONVERGED if hand.loss == 0 else PAUSED)
        assert _core.loss_on(examples, tie, state[0], 0.0, np.inf)[0] == hand.loss_of(kept)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("block", [8, MANY])
def test_trials_that_the_caller_holds_are_the_same_trials(storage, block):
    rows, entries, push, order, tie, bias = data(storage, 2, n=30)
    hand = PocketByHand(entries, push, tie, bias, True, 3)
    examples = examples_of(rows, push, bias=bias, entries=block)
    state = pocket_state(hand.loss, True)
    kept, working, loss, tally, lengths, _ = state
    for _ in range(4):
        at, mistakes = 0, 0
        while at < len(order) and loss[0] > 0:
            at, more, is_due = _core.pocket_until_trial(examples, order, tie, state, at)
            mistakes += more
            assert is_due or at == len(order)
            if is_due:
                assert tally[2] == 0
                assert tally[0] > tally[1]
                tally[2] = 1
                tried, errors = _core.loss_on(examples, tie, working, 0.0, loss[0])
                assert errors > 0 or tried == 0.0
                if tried < loss[0]:
                    kept[0][:], loss[0], tally[2] = working[0], tried, 2
                    tally[1] = lengths[tally[3]] = tally[0]
                    tally[3] += 1
        assert mistakes == hand.epoch(order.tolist())
        assert kept[0].tobytes() == hand.kept.tobytes()
        if hand.loss == 0:
            break
    assert lengths[: tally[3]].tolist() == hand.lengths


def rival_by_hand(entries, i, y, W, tie):
    scores = [score(entries[i], w) for w in W]
    others = [r for r in range(len(W)) if r != y]
    rival = max(others, key=lambda r: (scores[r], -r))
    side = scores[y] - scores[rival]
    return rival if side < 0 or (side == 0 and tie <= 0) else None


@cases
@pytest.mark.parametrize("classes", [2, 4])
def test_classes_together_are_learned_as_in_plain_python(storage, seed, strange, classes):
    rows, entries, push, order, tie, bias = data(storage, seed, strange=strange)
    push = np.abs(push)
    labels = np.random.default_rng(seed).integers(0, classes, len(push))
    W, delayed, rounds, by_hand = np.zeros((classes, 4)), np.zeros((classes, 4)), 3, []
    while len(by_hand) < 4 and (not by_hand or by_hand[-1]):
        by_hand.append(0)
        for t, i in enumerate(in_order(order, len(push))):
            rival = rival_by_hand(entries, i, labels[i], W, tie)
            if rival is not None:
                for k, step in ((labels[i], push[i]), (rival, -push[i])):
                    push_by(entries[i], step, W[k], bias)
                    push_by(entries[i], step * (rounds + t), delayed[k], bias)
                by_hand[-1] += 1
        rounds += t + 1
    for block in (8, MANY):
        examples = examples_of(rows, push, bias=bias, entries=block)
        zeros = np.zeros((classes, 4)), np.zeros(classes), np.zeros((classes, 4))
        state = (labels, *zeros, np.array([3]))
        mistakes = np.zeros(4, np.int64)
        done, reason = _core.joint_epochs(examples, order, tie, state, mistakes)
        assert mistakes[:done].tolist() == by_hand
        assert (state[1].tobytes(), state[3].tobytes()) == (W.tobytes(), delayed.tobytes())
        assert state[4][0] == rounds
        assert reason == (CONVERGED if by_hand[-1] == 0 else PAUSED)
        wrong = [rival_by_hand(entries, i, labels[i], W, tie) is not None for i in range(len(push))]
        assert _core.joint_errors(examples, tie, state) == sum(wrong)


def kernel_state(n, w):
    norm = _core.norm_bound(w)
    return (
        np.zeros(n),
        np.zeros(n),
        (w, np.array([norm])),
        np.array([norm]),
        np.zeros(1, np.int64),
    )


def gram_at_hand(K, here):
    """A cache that holds these rows, in their order."""
    slots = np.full(len(K), -1)
    slots[here] = np.arange(len(here))
    return (np.ascontiguousarray(K[here]), slots, np.zeros(len(K), np.int64))


@pytest.mark.parametrize("seed", range(9))
@pytest.mark.parametrize("is_linear", [True, False])
@pytest.mark.parametrize("block", [8, MANY])
def test_a_kernel_learns_as_plain_python_and_returns_where_a_row_is_missing(seed, is_linear, block):
    rng = np.random.default_rng(seed)
    n, tie, bias = 14, [-1, 0, 1][seed % 3], float(seed % 2)
    X = rng.integers(-3, 4, (n, 3)).astype(float)
    K = X @ X.T if is_linear else np.round((X @ X.T + 1.0) ** 2 / 7, 3)
    push = rng.choice([-1.0, 1.0, 2.0, 0.0], n)
    order = ALL if seed % 2 else rng.permutation(np.flatnonzero(push))
    scores, coef, mistaken = np.zeros(n), np.zeros(n), []
    for _ in range(3):
        for i in in_order(order, n):
            if push[i] and is_mistake(scores[i], sign(push[i]), tie):
                for j in range(n):
                    scores[j] += push[i] * (K[i, j] + bias)
                coef[i] += push[i]
                mistaken.append(i)
    examples = examples_of(X, push, bias=bias, entries=block)
    state = kernel_state(n, np.zeros(4) if is_linear else np.empty(0))
    here, length = [i for i in range(n) if i % 3], len(order) or n
    for _ in range(3):
        t = 0
        while t < length:
            cache = gram_at_hand(K, here)
            at = _core.kernel_advance(examples, order, t, tie, state, cache)
            assert at == length or at >= t
            if at < length:
                missing = in_order(order, n)[at]
                assert missing not in here
                assert _core.kernel_next_mistake(examples, order, at, tie, state) == at
                here = [i for i in here if i != here[seed % len(here)]] + [missing]
            t = at
    assert state[4][0] == len(mistaken)
    assert (state[0].tobytes(), state[1].tobytes()) == (coef.tobytes(), scores.tobytes())
    wrong = [push[i] and is_mistake(scores[i], sign(push[i]), tie) for i in range(n)]
    assert _core.kernel_errors(examples, tie, state) == sum(map(bool, wrong))
    if is_linear:
        assert state[2][0][:3].tolist() == (coef @ X).tolist()
        assert state[3][0] >= np.linalg.norm(state[2][0])


def test_scores_that_rounding_leaves_in_doubt_are_decided_by_the_weights():
    """The scores say mistake, ŵ says none: they differ by less than rounding can explain."""
    X = np.array([[1.0], [1.0]])
    state = kernel_state(2, np.array([1e-16, 0.0]))
    state[3][0] = 1.0
    state[1][:] = -1e-17
    examples = examples_of(X, [1.0, 1.0])
    assert _core.kernel_next_mistake(examples, ALL, 0, 0, state) == 2
    state[1][:] = -1e-10
    assert _core.kernel_next_mistake(examples, ALL, 0, 0, state) == 0


def test_a_row_is_added_in_place():
    scores, row = np.array([1.0, -2.0, 1e300]), np.array([0.5, 5e-324, -1e300])
    _core.add_row(scores, -2.0, row, 1.0)
    assert scores.tolist() == [-2.0, -4.0, 3e300]
    with pytest.raises(ValueError, match="a score"):
        _core.add_row(scores, 1.0, row[:2], 1.0)


def legal():
    """What each function takes, so that a test can break one thing at a time."""
    rows, _, push, _, _, _ = data("float64", 1)
    examples, w = examples_of(rows, push), weights_at(np.zeros(4))
    one = np.zeros(1, np.int64)
    average = (w, np.zeros(4), one.copy())
    joint = (np.zeros(12, np.int64), np.zeros((2, 4)), np.zeros(2), np.zeros((2, 4)), one.copy())
    kernel, cache = kernel_state(12, np.zeros(4)), gram_at_hand(np.zeros((12, 12)), [0])
    epochs = {"mistakes_per_epoch": np.zeros(2, np.int64)}
    run = {"examples": examples, "order": ALL, "tie": 0}
    counted = {"examples": examples, "tie": 0}
    return {
        "averaged_epochs": run | {"state": average} | epochs,
        "averaged_present": run | {"state": average, "start": 0, "stop": 12},
        "voted_epochs": run
        | {"weights": w, "history": empty_history(30), "max_mistakes": 30}
        | epochs,
        "votes": {
            "points": np.zeros((2, 3)), "rows": rows, "history": empty_history(3), "bias": 1.0,
            "tie": 0, "result": np.zeros(2),
        },
        "pocket_epochs": run | {"state": pocket_state(9.0, True)} | epochs,
        "pocket_until_trial": run | {"state": pocket_state(9.0, True), "start": 0},
        "loss_on": counted | {"weights": w, "loss": 0.0, "limit": 1.0},
        "joint_epochs": run | {"state": joint} | epochs,
        "joint_errors": counted | {"state": joint},
        "kernel_next_mistake": run | {"start": 0, "state": kernel},
        "kernel_errors": counted | {"state": kernel},
        "kernel_advance": run | {"start": 0, "state": kernel, "cache": cache},
    }  # fmt: skip


def replaced(values, path, new):
    """The same tuple with another value at a path of places."""
    first, *rest = path
    values = list(values)
    values[first] = replaced(values[first], rest, new) if rest else new
    return tuple(values)


I64 = np.iinfo(np.int64)
BROKEN = [
    ("averaged_epochs", "order", (), np.array([12])),
    ("averaged_epochs", "order", (), np.array([I64.min])),
    ("averaged_epochs", "order", (), np.array([1.0])),
    ("averaged_epochs", "state", (0, 0), np.zeros(3)),
    ("averaged_epochs", "state", (0, 1), np.zeros(2)),
    ("averaged_epochs", "state", (1,), np.zeros(5)),
    ("averaged_epochs", "state", (1,), np.zeros(8)[::2]),
    ("averaged_epochs", "state", (1,), np.zeros(4, np.float32)),
    ("averaged_epochs", "state", (2,), np.zeros(0, np.int64)),
    ("averaged_epochs", "state", (2,), np.array([-1])),
    ("averaged_epochs", "state", (2,), np.array([I64.max])),
    ("averaged_epochs", "state", (), ()),
    ("averaged_epochs", "examples", (6,), -8),
    ("averaged_epochs", "examples", (6,), I64.max),
    ("averaged_epochs", "examples", (1,), np.ones(13)),
    ("averaged_epochs", "examples", (2,), np.ones(11)),
    ("averaged_present", "stop", (), 13),
    ("averaged_present", "start", (), -1),
    ("averaged_present", "start", (), I64.max),
    ("voted_epochs", "history", (1,), np.zeros(29)),
    ("voted_epochs", "history", (2,), np.zeros(30, np.int64)),
    ("voted_epochs", "history", (2,), np.full(31, I64.max)),
    ("voted_epochs", "history", (3,), np.array([31])),
    ("voted_epochs", "history", (3,), np.array([-1])),
    ("voted_epochs", "weights", (0,), np.zeros(5)),
    ("votes", "points", (), np.zeros((2, 2))),
    ("votes", "points", (), np.zeros((1, 3))),
    ("votes", "history", (0,), np.full(3, 12)),
    ("votes", "history", (0,), np.full(3, -1)),
    ("pocket_epochs", "state", (0, 0), np.zeros(5)),
    ("pocket_epochs", "state", (1, 0), np.zeros(3)),
    ("pocket_epochs", "state", (2,), np.zeros(0)),
    ("pocket_epochs", "state", (3,), np.zeros(3, np.int64)),
    ("pocket_epochs", "state", (3,), np.array([0, 0, 2, 0])),
    ("pocket_epochs", "state", (3,), np.array([0, 0, 0, 101])),
    ("pocket_epochs", "state", (3,), np.array([0, 0, 0, -1])),
    ("pocket_epochs", "state", (3,), np.array([I64.max, 0, 0, 0])),
    ("pocket_epochs", "state", (4,), np.zeros(0, np.int64)),
    ("pocket_until_trial", "start", (), 13),
    ("pocket_until_trial", "start", (), I64.min),
    ("loss_on", "weights", (0,), np.zeros(0)),
    ("joint_epochs", "state", (0,), np.zeros(11, np.int64)),
    ("joint_epochs", "state", (0,), np.full(12, 2)),
    ("joint_epochs", "state", (0,), np.full(12, I64.min)),
    ("joint_epochs", "state", (1,), np.zeros((1, 4))),
    ("joint_epochs", "state", (1,), np.zeros((2, 3))),
    ("joint_epochs", "state", (2,), np.zeros(1)),
    ("joint_epochs", "state", (3,), np.zeros((3, 4))),
    ("joint_errors", "state", (0,), np.full(12, -1)),
    ("kernel_next_mistake", "start", (), -1),
    ("kernel_next_mistake", "state", (1,), np.zeros(11)),
    ("kernel_next_mistake", "state", (2, 0), np.zeros(3)),
    ("kernel_next_mistake", "state", (3,), np.zeros(0)),
    ("kernel_errors", "state", (0,), np.zeros(13)),
    ("kernel_advance", "start", (), I64.min),
    ("kernel_advance", "cache", (0,), np.zeros((1, 11))),
    ("kernel_advance", "cache", (0,), np.zeros((0, 12))),
    ("kernel_advance", "cache", (1,), np.full(12, 1)),
    ("kernel_advance", "cache", (1,), np.full(12, I64.max)),
    ("kernel_advance", "cache", (1,), np.zeros(11, np.int64)),
    ("kernel_advance", "cache", (2,), np.zeros(11, np.int64)),
]


@pytest.mark.parametrize("name", legal())
def test_what_is_legal_is_taken(name):
    getattr(_core, name)(**legal()[name])


@pytest.mark.parametrize(("name", "argument", "path", "new"), BROKEN)
def test_sizes_and_indices_that_do_not_fit_are_refused(name, argument, path, new):
    given = legal()[name]
    given[argument] = replaced(given[argument], path, new) if path else new
    if name == "votes":
        given["history"][3][0] = 1
    with pytest.raises((ValueError, TypeError, IndexError, RuntimeError)):
        getattr(_core, name)(**given)


def test_nobody_is_presented_and_nothing_is_learned():
    examples = examples_of(np.zeros((0, 3)), [])
    state = (weights_at(np.zeros(4)), np.zeros(4), np.zeros(1, np.int64))
    assert _core.averaged_epochs(examples, ALL, 0, state, np.zeros(0, np.int64)) == (0, PAUSED)
    assert _core.averaged_epochs(examples, ALL, 0, state, np.zeros(3, np.int64)) == (1, CONVERGED)
    _core.votes(np.zeros((0, 3)), np.zeros((0, 3)), empty_history(0), 1.0, 0, np.empty(0))


# Each would take minutes; an interval timer is as good as a key.
PROGRAM = """
import signal, sys, time
import numpy as np
from novikoff import _core
from tests.core.rows import examples_of, weights_at
from tests.core.test_relatives import ALL, empty_history, kernel_state, pocket_state

n, d = 20_000, 50
rng = np.random.default_rng(0)
X, push = rng.standard_normal((n, d)), rng.choice([-1.0, 1.0], n)
examples, w = examples_of(X, push), weights_at(np.zeros(d + 1))
epochs, one = np.zeros(10**6, np.int64), np.zeros(1, np.int64)
long = empty_history(10**6)
long[3][0], long[2][:] = 10**6, 1
joint = (one.repeat(n), np.zeros((3, d + 1)), np.zeros(3), np.zeros((3, d + 1)), one)
gram = (np.zeros((1, n)), np.zeros(n, np.int64), np.zeros(n, np.int64))
CALLS = {
    "averaged": lambda: _core.averaged_epochs(examples, ALL, 0, (w, w[0].copy(), one), epochs),
    "voted": lambda: _core.voted_epochs(examples, ALL, 0, w, empty_history(10**7), 1, epochs),
    "votes": lambda: _core.votes(X, X, long, 1.0, 0, np.empty(n)),
    "pocket": lambda: _core.pocket_epochs(
        examples, ALL, 0, pocket_state(float(n), True, 10**6, d), epochs
    ),
    "joint": lambda: _core.joint_epochs(examples, ALL, 0, joint, epochs),
    "kernel": lambda: _core.kernel_advance(
        examples, rng.integers(0, n, 10**6), 0, 0, kernel_state(n, np.empty(0)), gram
    ),
}
signal.signal(signal.SIGALRM, signal.default_int_handler)
for name, call in CALLS.items():
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    began = time.process_time()
    try:
        call()
    except KeyboardInterrupt:
        print(name, time.process_time() - began < 0.5)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no interval timers")
def test_every_long_call_hears_a_signal():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    calls = ["averaged", "voted", "votes", "pocket", "joint", "kernel"]
    assert done.stdout.split("\n")[:-1] == [f"{name} True" for name in calls], done.stderr
