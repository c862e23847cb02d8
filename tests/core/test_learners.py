"""The loops of the perceptron in the extension: what fractions say, and nothing beyond an array."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff import _core
from novikoff.learners import perceptron
from novikoff.learners.perceptron import CycleDetector, Observer, journal_of, watch_from
from novikoff.learners.skipping import SkippingRun, new_survey, present_near, slacks
from novikoff.learners.status import CONVERGED, CYCLED, GO_ON, OUTGROWN, PAUSED
from novikoff.learners.unit import (
    Examples,
    count_mistakes,
    rows_are_integral,
    scores,
    weights_at,
    with_push,
)
from novikoff.matrix.rows import Csr, longest_row, rows_of

AS_GIVEN = np.empty(0, np.int64)
# Numbers whose sums cancel, vanish or overflow in float64.
NUMBERS = [0.0, 1.0, -1.0, 0.1, 3.0, -7.0, 1 / 3, 2.0**53, -(2.0**53) - 2, 5e-324, -1e-310, 1e200]
FEW = [0.0, 1.0, -1.0, 2.0, 0.5, -3.0]


def examples_on(X, push, w, bias=1.0):
    """Examples as runs have them, without the rest of the package that prepares them."""
    rows = rows_of(X)
    norms = np.empty(len(push))
    _core.row_norms(rows, bias > 0, norms)
    examples = Examples(
        rows, push, norms, bias, 0.0, float(norms.max(initial=0.0)), longest_row(rows)
    )
    return with_push(examples, push, weights_at(w), on_grid=rows_are_integral(rows))


@st.composite
def problems(draw, numbers=NUMBERS, most=8):
    """Rows in some storage, pushes (some 0), and ŵ."""
    n, d = draw(st.integers(1, most)), draw(st.integers(1, 4))
    table = draw(st.lists(st.lists(st.sampled_from(numbers), min_size=d, max_size=d),
                          min_size=n, max_size=n))  # fmt: skip
    push = draw(st.lists(st.sampled_from([1.0, -1.0, 0.5, -2.0, 0.0]), min_size=n, max_size=n))
    w = draw(st.lists(st.sampled_from(numbers), min_size=d + 1, max_size=d + 1))
    X = np.array(table)
    if draw(st.booleans()):
        X = sp.csr_array(X)
    return X, np.array(push), np.array(w)


def exact_scores(X, w):
    dense = X.toarray() if sp.issparse(X) else X
    w = [Fraction(value) for value in w.tolist()]
    return [sum(Fraction(x) * v for x, v in zip([*row, 1.0], w, strict=True)) for row in dense]


def is_wrong(score, push, tie):
    side = score if push > 0 else -score
    return side < 0 or (side == 0 and tie * push <= 0)


def epochs_with_fractions(X, push, w, tie, order, bias, most):
    """The perceptron as texts print it: the signs of fractions, updates in float64."""
    dense = X.toarray() if sp.issparse(X) else X
    w, counts, journal = w.copy(), [], []
    for epoch in range(most):
        counts.append(0)
        for t, i in enumerate(order):
            score = exact_scores(dense[i : i + 1], w)[0]
            if is_wrong(score, push[i], tie):
                journal.append((epoch * len(order) + t, int(i)))
                for j in np.flatnonzero(dense[i]):
                    w[j] += push[i] * dense[i, j]
                w[-1] += push[i] * bias
                counts[-1] += 1
        if counts[-1] == 0:
            break
    return w, counts, journal


def orders(push):
    presented = np.flatnonzero(push)
    return presented if len(presented) < len(push) else AS_GIVEN


@settings(max_examples=150, deadline=None)
@given(problems([x for x in NUMBERS if abs(x) < 1e20]), st.sampled_from([-1, 0, 1]),
       st.sampled_from([0.0, 1.0]), st.sampled_from([None, 10**5, 10**7]))  # fmt: skip
def test_epochs_are_those_of_fractions(problem, tie, bias, entries):
    X, push, w = problem
    if bias == 0.0:
        w[-1] = 0.0
    expected, counts, journal = epochs_with_fractions(
        X, push, w, tie, np.flatnonzero(push), bias, most=6
    )
    examples = examples_on(X, push, w, bias)
    if entries is not None:  # long rows fill a block sooner: here every row, or every tenth
        examples = examples._replace(entries=entries)
    presented = np.flatnonzero(push)
    if not len(presented):
        return
    for order in {len(orders(push)): orders(push), len(presented): presented}.values():
        for kind in ("plain", "threads", "watched", "skipping", "parts"):
            weights, mistakes = weights_at(w.copy()), np.zeros(6, np.int64)
            watched = journal_of(6 * len(push)) if kind == "watched" else None
            state = perceptron.state_of(weights, Observer(watched))
            if kind == "parts":
                done = 0
                for epoch in range(6):
                    assert perceptron.begin(examples, state) == GO_ON
                    mistakes[epoch] = perceptron.present(examples, order, tie, state)
                    done, reason = epoch + 1, perceptron.end(state, int(mistakes[epoch]))
                    if reason != GO_ON:
                        break
            else:
                loop = partial(perceptron.epochs, threads=3 if kind == "threads" else 1)
                if kind == "skipping":
                    loop = SkippingRun.over(len(push), len(w))
                    loop.schedule.counts[2:] = 0, 1  # the first epoch may be surveyed
                    loop.schedule.pace[0] = 1e-3
                done, reason = loop(examples, order, tie, state, mistakes)
            assert weights.w.tobytes() == expected.tobytes()
            assert mistakes[:done].tolist() == counts
            assert reason == CONVERGED or counts[-1] > 0
            if watched is not None:
                size = watched.size[0]
                made = zip(watched.rounds[:size], watched.rows[:size], strict=True)
                assert list(made) == journal


@settings(max_examples=100, deadline=None)
@given(problems(), st.sampled_from([-1, 0, 1]))
def test_scores_and_mistakes_are_those_of_fractions(problem, tie):
    X, push, w = problem
    exact = exact_scores(X, w)
    found = scores(rows_of(X), len(push), w)
    for value, score in zip(found, exact, strict=True):
        assert (value > 0, value < 0) == (score > 0, score < 0)
    wrong = sum(is_wrong(s, p, tie) for s, p in zip(exact, push, strict=True) if p)
    examples = examples_on(X, push, w)
    assert count_mistakes(examples, tie, weights_at(w)) == wrong
    assert count_mistakes(examples._replace(entries=10**7), tie, weights_at(w)) == wrong


@settings(max_examples=100, deadline=None)
@given(problems([x for x in NUMBERS if abs(x) < 1e20]), st.sampled_from([-1, 0, 1]))
def test_the_worst_mistake_is_that_of_fractions(problem, tie):
    X, push, w = problem
    dense = X.toarray() if sp.issparse(X) else X
    examples = examples_on(X, push, w)
    weights, journal = weights_at(w.copy()), journal_of(len(push))
    state = perceptron.state_of(weights, Observer(journal))
    mistakes = np.zeros(1, np.int64)
    _core.greedy_epochs(examples, orders(push), tie, state, np.empty(len(push)), mistakes)
    w = w.copy()
    for i in journal.rows[: journal.size[0]].tolist():
        sides = [s if p > 0 else -s for s, p in zip(exact_scores(dense, w), push, strict=True)]
        wrong = [(sides[k], k) for k in np.flatnonzero(push)
                 if is_wrong(sides[k] if push[k] > 0 else -sides[k], push[k], tie)]  # fmt: skip
        assert min(wrong)[1] == i
        for j in np.flatnonzero(dense[i]):
            w[j] += push[i] * dense[i, j]
        w[-1] += push[i]
    assert weights.w.tobytes() == w.tobytes()
    rounds = len(np.flatnonzero(push))
    if mistakes[0] < rounds:
        assert count_mistakes(examples, tie, weights) == 0


@settings(max_examples=60, deadline=None)
@given(problems(FEW))
def test_a_cycle_returns_to_the_same_weights(problem):
    """And its counts add up to nothing, Σ cᵢ pushᵢ x̂ᵢ = 0."""
    X, push, w = problem
    examples = examples_on(X, push, w)
    weights = weights_at(w.copy())
    watch = watch_from(examples, weights, "cyclic")
    if not push.any() or watch is None:
        return
    state = perceptron.state_of(weights, Observer(watch=watch))
    mistakes = np.zeros(300, np.int64)
    _, reason = perceptron.epochs(examples, orders(push), 0, state, mistakes)
    if reason == CYCLED:
        dense = X.toarray() if sp.issparse(X) else X
        rows = np.hstack([dense, np.ones((len(dense), 1))])
        assert watch.counts.sum() > 0
        assert not ((watch.counts * push) @ rows).any()
        assert watch.saved.tobytes() == weights.w.tobytes()
    else:
        assert reason in (CONVERGED, PAUSED)


def test_brent_saves_at_powers_of_two():
    """XOR: found as soon as Brent's method can, with the same counts however calls are cut."""
    X, push = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1.0, 1, 1, -1])
    found = []
    for together in (1, 3, 100):
        w = weights_at(np.zeros(3))
        examples = examples_on(X, push, w.w)
        watch = watch_from(examples, w, "cyclic")
        state = perceptron.state_of(w, Observer(watch=watch))
        total, reason = 0, PAUSED
        while reason == PAUSED:
            mistakes = np.zeros(together, np.int64)
            done, reason = perceptron.epochs(examples, AS_GIVEN, 0, state, mistakes)
            total += done
        assert reason == CYCLED
        found.append((total, watch.counts.tolist(), w.w.tolist(), state.clock.tolist()))
    assert found[0] == found[1] == found[2]
    total, counts, _, clock = found[0]
    assert clock == [4 * total]
    assert not ((np.array(counts) * push) @ np.hstack([X, np.ones((4, 1))])).any()


def test_weights_that_may_round_end_the_run_before_they_do():
    """An epoch adds up to 2·η²·(x² + 1) to ‖ŵ‖², which must stay below 2¹⁰⁶."""
    for power, expected in ((51, (2, CYCLED)), (52, (2, CYCLED)), (53, (0, OUTGROWN))):
        X, push = np.array([[2.0**power], [2.0**power]]), np.array([0.5, -0.5])
        weights = weights_at(np.array([0.5, 0.0]))
        examples = examples_on(X, push, weights.w)
        watch = watch_from(examples, weights, "cyclic")
        state = perceptron.state_of(weights, Observer(watch=watch))
        done, reason = perceptron.epochs(examples, AS_GIVEN, 0, state, np.zeros(9, np.int64))
        assert (done, reason) == expected


def test_a_full_journal_pauses_the_run():
    X, push = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    weights, journal = weights_at(np.zeros(2)), journal_of(5)
    examples = examples_on(X, push, weights.w)
    state = perceptron.state_of(weights, Observer(journal))
    mistakes = np.zeros(9, np.int64)
    assert perceptron.epochs(examples, AS_GIVEN, 0, state, mistakes) == (2, PAUSED)
    assert journal.size[0] == 4
    assert perceptron.epochs(examples, AS_GIVEN, 0, state, mistakes) == (0, PAUSED)
    with pytest.raises(ValueError, match="journal"):
        perceptron.present(examples, AS_GIVEN, 0, state)


@settings(max_examples=80, deadline=None)
@given(problems([x for x in NUMBERS if abs(x) < 1e20]), st.sampled_from([-1, 0, 1]))
def test_a_run_played_again(problem, tie):
    X, push, _ = problem
    p = X.shape[1] + 1
    examples, weights = examples_on(X, push, np.zeros(p)), weights_at(np.zeros(p))
    if not push.any():
        return
    journal = journal_of(4 * len(push))
    state = perceptron.state_of(weights, Observer(journal))
    perceptron.epochs(examples, orders(push), tie, state, np.zeros(4, np.int64))
    size = int(journal.size[0])
    rows, values = journal.rows[:size], journal.scores[:size]
    w = np.zeros(p)
    _core.replay(examples, rows, w)
    assert w.tobytes() == weights.w.tobytes()
    assert _core.first_false(examples, rows, values, np.zeros(p), tie) == -1
    if size:
        other = values.copy()
        other[-1] = np.nextafter(other[-1], np.inf)
        assert _core.first_false(examples, rows, other, np.zeros(p), tie) == size - 1
    w_star, found = np.arange(1.0, p + 1), [np.zeros(size) for _ in range(4)]
    _core.follow(examples, rows, np.zeros(p), w_star, tuple(found))
    w = np.zeros(p)
    for k in range(size):
        _core.replay(examples, rows[k : k + 1], w)
        length = math.hypot(*w.tolist())
        product = sum(Fraction(x) * Fraction(v) for x, v in zip(w, w_star, strict=True))
        assert abs(found[0][k] - length) <= 20 * np.spacing(length)
        assert abs(found[1][k] - float(product)) <= 20 * np.spacing(abs(float(product)))
    assert (np.diff(found[2]) > 0).all()
    assert (np.diff(found[3]) > 0).all()


@settings(max_examples=80, deadline=None)
@given(problems([x for x in NUMBERS if abs(x) < 1e20]))
def test_a_slack_is_never_too_long(problem):
    X, push, w = problem
    order = orders(push)
    examples = examples_on(X, push, w)
    presented = np.flatnonzero(push)
    if not len(presented):
        return
    found, exact = slacks(examples, order, weights_at(w)), exact_scores(X, w)
    dense = X.toarray() if sp.issparse(X) else X
    for room, i in zip(found, presented, strict=True):
        side = exact[i] if push[i] > 0 else -exact[i]
        squares = sum(Fraction(x) ** 2 for x in [*dense[i], 1.0])
        assert room < 0 or (side > 0 and Fraction(room) ** 2 * squares <= side**2)
    position, least = _core.first_doubt(examples, order, weights_at(w), 0)
    doubts = np.flatnonzero(found < 0)
    assert position == (doubts[0] if len(doubts) else len(presented))
    assert least == (-1.0 if len(doubts) else found.min())


def test_near_rows_are_presented_until_the_weights_have_moved_too_far():
    X, push = np.array([[1.0], [-1.0], [1.0]]), np.array([1.0, 1.0, 1.0])
    for entries in (1, 10**7):
        examples = examples_on(X, push, np.zeros(2))._replace(entries=entries)
        survey, weights = new_survey(3, 2), weights_at(np.zeros(2))
        survey.near[:], survey.size[0] = np.arange(3), 3
        survey.reach[0] = 2.0
        # (0, 0) → (1, 1), moved √2; row 1 has a score of 0 then → (0, 2), moved 2.
        assert present_near(examples, 0, weights, survey) == (2, 2)
        assert weights.w.tolist() == [0.0, 2.0]
        assert 2.0 <= survey.moved[0] < 2.0 + 1e-6
        survey.reach[0], survey.moved[0] = 100.0, 2.0
        assert present_near(examples, 0, weights, survey) == (0, 3)


@settings(max_examples=80, deadline=None)
@given(problems([x for x in NUMBERS if abs(x) < 1e20]), st.integers(0, 8))
def test_rows_that_are_passed_over_are_right(problem, start):
    X, push, w = problem
    dense = X.toarray() if sp.issparse(X) else X
    signs, n = np.sign(push), len(push)
    norms, w[-1] = np.empty(n), 0.0
    _core.row_norms(dense, False, norms)
    order, start = np.arange(n)[::-1].copy(), min(start, n)
    t = _core.next_doubtful(dense, signs, norms, order, start, w, _core.norm_bound(w))
    exact = exact_scores(dense, w)
    assert start <= t <= n
    assert all(exact[i] * int(signs[i]) > 0 for i in order[start:t])


def test_csr_of_strange_but_legal_structure():
    """Empty rows, columns out of order and twice, stored zeros, values that no row has."""
    data = np.array([2.0, 0.0, -1.0, 3.0, 1.0, np.nan])
    for kind in (np.uint32, np.uint64):
        indices = np.array([2, 0, 0, 1, 1, 2], kind)
        rows = Csr(data, indices, np.array([0, 0, 3, 3, 5, 5], kind), 3)
        dense = np.array([[0.0] * 3, [-1.0, 0, 2], [0.0] * 3, [0, 4.0, 0], [0.0] * 3])
        push, w = np.array([1.0, -1, 1, -1, 1]), np.array([1.0, 0.5, 1, -1])
        norms = np.empty(5)
        _core.row_norms(rows, True, norms)
        given = Examples(rows, push, norms, 1.0, 0.0, float(norms.max()), 3)
        ends = []
        for examples in (given, examples_on(dense, push, w)):
            weights, mistakes = weights_at(w.copy()), np.zeros(20, np.int64)
            state = perceptron.state_of(weights)
            perceptron.epochs(examples, AS_GIVEN, 0, state, mistakes)
            ends.append((weights.w.tolist(), mistakes.tolist()))
        assert ends[0] == ends[1]
        assert scores(rows, 5, w).tolist() == (dense @ w[:-1] + w[-1]).tolist()


def call_of_everything():
    """The arguments of every loop, in a form that is accepted."""
    X, push, w = np.array([[1.0, 2], [3, 4], [5, 6]]), np.array([1.0, -1, 1]), np.zeros(3)
    examples = examples_on(X, push, w)
    weights, order = weights_at(w), np.arange(3)
    state = perceptron.state_of(
        weights, Observer(journal_of(12), watch_from(examples, weights, "cyclic"))
    )
    unwatched, mistakes = perceptron.state_of(weights), np.zeros(2, np.int64)
    survey, schedule = new_survey(3, 3), SkippingRun.over(3, 3).schedule
    found = tuple(np.zeros(3) for _ in range(4))
    return {
        "count_mistakes": [examples, 0, weights],
        "scores": [examples.rows, w, np.zeros(3)],
        "perceptron_present": [examples, order, 0, state, 0],
        "perceptron_epochs": [examples, order, 0, state, mistakes],
        "greedy_epochs": [examples, order, 0, state, np.zeros(3), mistakes],
        "skipping_epochs": [examples, order, 0, unwatched, survey, schedule, mistakes],
        "take_survey": [examples, order, weights, 0.1, survey],
        "present_near": [examples, 0, weights, survey],
        "slacks": [examples, order, weights, np.zeros(3)],
        "first_doubt": [examples, order, weights, 0],
        "next_doubtful": [X, push, examples.norms, order, 0, w, 1.0],
        "replay": [examples, order, w],
        "first_false": [examples, order, np.zeros(3), w, 0],
        "follow": [examples, order, w, np.ones(3), found],
    }


def spoilt(value):
    """The same argument in forms that must be refused; tuples one element at a time."""
    if isinstance(value, tuple):
        yield value[:-1]
        yield (*value, 0)
        for k, part in enumerate(value):
            for worse in spoilt(part):
                yield (*value[:k], worse, *value[k + 1 :])
    elif isinstance(value, np.ndarray):
        if value.size > 1:
            yield np.zeros((*value.shape, 2), value.dtype)[..., 0]  # with gaps
        yield np.stack([value, value])
        yield None
        yield "w"
        yield np.zeros(value.shape, np.complex128 if value.ndim == 2 else np.int16)
        if value.ndim == 2:
            yield np.asfortranarray(value)


@pytest.mark.parametrize("name", call_of_everything())
def test_arrays_of_another_kind_are_refused(name):
    call = getattr(_core, name)
    call(*call_of_everything()[name])
    for place, value in enumerate(call_of_everything()[name]):
        for worse in spoilt(value):
            arguments = call_of_everything()[name]
            arguments[place] = worse
            with pytest.raises((TypeError, ValueError, RuntimeError)):
                call(*arguments)


def longer(value):
    return np.append(value, value[:1])


@pytest.mark.parametrize("name", call_of_everything())
def test_sizes_that_do_not_agree_are_refused(name):
    """Of every array: one number more, one less. Longer orders and journals are allowed."""
    call, places = getattr(_core, name), call_of_everything()[name]
    lines = [k for k, v in enumerate(places) if isinstance(v, np.ndarray) and v.dtype == np.float64]
    for place in lines:
        for change in (longer, lambda value: value[:-1]):
            arguments = call_of_everything()[name]
            if arguments[place].ndim == 2 or (name == "scores" and place == 2):
                continue
            arguments[place] = change(arguments[place])
            with pytest.raises(ValueError, match=r"."):
                call(*arguments)


@pytest.mark.parametrize("name", call_of_everything())
@pytest.mark.parametrize("wrong", [-1, 3, 2**62, -(2**63), 2**63 - 1])
def test_indices_out_of_range_are_refused(name, wrong):
    call = getattr(_core, name)
    for place, value in enumerate(call_of_everything()[name]):
        if not (isinstance(value, np.ndarray) and value.dtype == np.int64 and len(value) == 3):
            continue
        arguments = call_of_everything()[name]
        arguments[place] = np.array([0, 1, wrong])
        with pytest.raises(ValueError, match="exist"):
            call(*arguments)


@pytest.mark.parametrize(
    ("name", "place", "change"),
    [
        ("perceptron_present", 4, -1),
        ("perceptron_present", 4, 4),
        ("first_doubt", 3, -1),
        ("first_doubt", 3, 2**62),
        ("next_doubtful", 4, -1),
        ("next_doubtful", 4, 4),
        ("perceptron_present", 0, {"entries": -8}),
        ("perceptron_epochs", 0, {"entries": 2**63 - 1}),
        ("present_near", 0, {"push": np.ones(4), "norms": np.ones(4)}),
        ("slacks", 0, {"rows": np.ones((2, 2))}),
        ("present_near", 3, {"size": np.array([4])}),
        ("present_near", 3, {"size": np.array([-1])}),
        ("present_near", 3, {"near": np.zeros(2, np.int64)}),
        ("present_near", 3, {"size": np.array([1]), "near": np.array([3, 0, 0])}),
        ("present_near", 3, {"size": np.array([1]), "near": np.array([-1, 0, 0])}),
        ("skipping_epochs", 4, {"origin": np.zeros(2)}),
        ("skipping_epochs", 5, {"counts": np.zeros(3, np.int64)}),
        ("skipping_epochs", 5, {"counts": np.array([0, 0, 2**62, 1])}),
        ("skipping_epochs", 5, {"counts": np.array([0, 0, 1, -1])}),
        ("skipping_epochs", 5, {"pace": np.array([-1.0])}),
        ("take_survey", 3, -0.5),
        ("take_survey", 3, math.nan),
        ("skipping_epochs", 3, {"observer": Observer(journal_of(9))}),
        ("perceptron_epochs", 3, {"clock": np.zeros(0, np.int64)}),
        ("perceptron_epochs", 3, {"clock": np.array([2**63 - 1])}),
        ("perceptron_epochs", 3, {"observer": Observer(journal_of(9)._replace(rows=AS_GIVEN))}),
        (
            "perceptron_epochs", 3,
            {"observer": Observer(journal_of(9)._replace(size=np.array([10])))},
        ),
        (
            "perceptron_epochs", 3,
            {"observer": Observer(journal_of(9)._replace(size=np.array([-1])))},
        ),
        (
            "perceptron_epochs", 3,
            {"observer": Observer(None, CycleDetector(np.zeros(2), np.zeros(3, np.int64),
                                                      np.zeros(1, np.int64),
                                                      np.ones(1, np.int64), 1.0))},
        ),
        (
            "perceptron_epochs", 3,
            {"observer": Observer(None, CycleDetector(np.zeros(3), np.zeros(2, np.int64),
                                                      np.zeros(1, np.int64),
                                                      np.ones(1, np.int64), 1.0))},
        ),        (
            "perceptron_epochs", 3,
            {"observer": Observer(None, CycleDetector(np.zeros(3), np.zeros(3, np.int64),
                                                      np.array([2**63 - 1]),
                                                      np.ones(1, np.int64), 1.0))},
        ),
    ],
)  # fmt: skip
def test_what_would_leave_an_array_is_refused(name, place, change):
    arguments = call_of_everything()[name]
    if isinstance(change, dict):
        arguments[place] = arguments[place]._replace(**change)
    else:
        arguments[place] = change
    with pytest.raises(ValueError, match=r"."):
        getattr(_core, name)(*arguments)


def test_a_watched_order_longer_than_the_examples_is_refused():
    arguments = call_of_everything()["perceptron_epochs"]
    arguments[1] = np.zeros(10, np.int64)
    with pytest.raises(ValueError, match="written down"):
        _core.perceptron_epochs(*arguments)


def test_nothing_is_converted_on_the_way():
    """A converted copy of the rows would be gone before the loop begins."""
    X = np.asfortranarray(np.ones((3, 2)))
    with pytest.raises((TypeError, RuntimeError)):
        _core.scores(X, np.zeros(3), np.zeros(3))


def test_no_examples_and_no_epochs():
    examples = examples_on(np.empty((0, 2)), np.empty(0), np.zeros(3))
    state, mistakes = perceptron.state_of(weights_at(np.zeros(3))), np.zeros(3, np.int64)
    assert perceptron.epochs(examples, AS_GIVEN, 0, state, mistakes) == (1, CONVERGED)
    assert perceptron.epochs(examples, AS_GIVEN, 0, state, mistakes[:0]) == (0, PAUSED)
    assert count_mistakes(examples, 0, state.weights) == 0
    assert _core.take_survey(examples, AS_GIVEN, state.weights, 1.0, new_survey(0, 3)) is False
    assert _core.first_doubt(examples, AS_GIVEN, state.weights, 0) == (0, np.inf)
