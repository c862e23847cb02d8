"""Runs and steps beside the textbook's perceptron in plain Python, and the charts of the proof."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lab.asking import AND, XOR

import novikoff
from novikoff.errors import OptionError
from novikoff.lab.engine.runs import run, steps
from novikoff.lab.messages.requests import RunRequest, StepsRequest

OR = {**XOR, "y": [-1, 1, 1, 1]}


def plain_run(points, epochs, eta=1, tie="mistake"):
    """The textbook, on whole numbers: the row of each mistake and ŵ after it."""
    w = [0] * (len(points["names"]) + 1)
    states = [(None, list(w))]
    for _ in range(epochs):
        before = len(states)
        for i, (x, y) in enumerate(zip(points["X"], points["y"], strict=True)):
            score = sum(a * b for a, b in zip(w, [*x, 1], strict=True))
            at_zero = {"mistake": True, "+1": y < 0, "-1": y > 0}[tie]
            if y * score < 0 or (score == 0 and at_zero):
                w = [a + eta * y * b for a, b in zip(w, [*x, 1], strict=True)]
                states.append((i, list(w)))
        if len(states) == before:
            break
    return states


def all_steps(points, **options):
    request = StepsRequest(points=points, options=options, first=0, count=64)
    return steps(request).steps


@pytest.mark.parametrize("tie", ["mistake", "+1", "-1"])
@pytest.mark.parametrize("points", [AND, OR, XOR], ids=["and", "or", "xor"])
def test_steps_are_those_of_the_textbook(points, tie):
    shown = all_steps(points, tie=tie, max_iter=12)
    expected = plain_run(points, 12, tie=tie)[: len(shown)]
    assert [step.row for step in shown] == [row for row, _ in expected]
    for step, (_, w) in zip(shown, expected, strict=True):
        wrong = []
        for i, (x, y) in enumerate(zip(points["X"], points["y"], strict=True)):
            score = w[0] * x[0] + w[1] * x[1] + w[2]
            at_zero = {"mistake": True, "+1": y < 0, "-1": y > 0}[tie]
            if y * score < 0 or (score == 0 and at_zero):
                wrong.append(i)
        assert step.wrong == wrong
        if step.new_line is not None:
            for x, y in step.new_line:
                assert w[0] * x + w[1] * y + w[2] == pytest.approx(0, abs=1e-9)


def test_the_words_of_an_update_have_its_numbers():
    step = all_steps(AND)[2]
    assert step.title == "Mistake 2 of 18"
    words = " ".join(step.words)
    assert "row 3, `x = (1, 1)`, `y = +1`" in words
    assert "(0, 0)·(1, 1) + (−1) = −1`: `y·s = −1`" in words
    assert "`w ← w + η·y·x = (0, 0) + 1·(+1)·(1, 1) = (1, 1)`." in words
    assert "`b ← b + η·y = −1 + 1·(+1) = 0`." in words


def test_a_window_of_steps_is_a_part_of_the_whole():
    whole = all_steps(AND)
    part = steps(StepsRequest(points=AND, first=5, count=4)).steps
    assert part == whole[5:9]
    last = steps(StepsRequest(points=AND, first=18, count=9)).steps
    assert [step.k for step in last] == [18]
    with pytest.raises(OptionError, match="at most 18"):
        steps(StepsRequest(points=AND, first=19))


def test_the_charts_are_the_inequalities():
    answer = run(RunRequest(points=AND))
    charts = {chart.key: chart for chart in answer.charts}
    assert set(charts) == {"bound", "squares", "lengths", "cosine"}
    proof = novikoff.inequalities(
        novikoff.trace(AND["X"], AND["y"], separator=novikoff.separate(AND["X"], AND["y"]))
    )
    norm, bound, alignment, floor = charts["squares"].curves
    assert [float(text.replace("−", "-")) for text in norm.texts[1:]] == pytest.approx(
        proof.squared_norm.tolist(), rel=1e-5
    )
    for (_, low), (_, high) in zip(norm.places, bound.places, strict=True):
        assert low <= high
    for (_, high), (_, low) in zip(alignment.places, floor.places, strict=True):
        assert low <= high + 1e-9
    made, allowed = charts["bound"].curves
    assert max(y for _, y in made.places) < allowed.places[0][1]
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in norm.places + bound.places)


def test_without_a_separator_one_inequality_is_left():
    answer = run(RunRequest(points=XOR))
    assert [chart.key for chart in answer.charts] == ["bound", "squares"]
    assert [curve.role for curve in answer.charts[0].curves] == ["mistakes"]


def test_xor_cycles_and_proves_it():
    answer = run(RunRequest(points=XOR))
    cycle = answer.cycle
    assert (cycle.first, cycle.last, cycle.epochs, cycle.counts) == (0, 4, 1, [1, 1, 1, 1])
    labels = ["−1" if y < 0 else "+1" for y in XOR["y"]]
    assert novikoff.verify(cycle.certificate, XOR["X"], labels).valid


def test_a_cycle_among_decimals_is_found_too():
    """0.1 + 0.2 is not 0.3 in float64, but the counts are about tenths."""
    points = {"X": [[0.1], [0.3], [0.2]], "y": [1, 1, -1], "names": ["x"]}
    cycle = run(RunRequest(points=points)).cycle
    assert cycle is not None
    total = [Fraction(0), Fraction(0)]
    for row, count in zip(cycle.rows, cycle.counts, strict=True):
        y = points["y"][row]
        total[0] += count * y * Fraction(str(points["X"][row][0]))
        total[1] += count * y
    assert total == [0, 0]


@pytest.mark.parametrize("order", ["shuffled", "random"])
def test_chance_has_no_cycle(order):
    assert run(RunRequest(points=XOR, options={"order": order, "max_iter": 50})).cycle is None


def test_a_long_run_is_thinned_and_keeps_its_ends():
    generator = np.random.default_rng(0)
    points = {
        "X": generator.normal(size=(60, 2)).round(2).tolist(),
        "y": generator.choice([-1, 1], 60).tolist(),
        "names": ["a", "b"],
    }
    answer = run(RunRequest(points=points, options={"max_iter": 300}))
    chart = answer.charts[1]
    assert len(chart.steps) <= 400
    assert (chart.steps[0], chart.steps[-1]) == (0, answer.n_mistakes)


whole = st.integers(-3, 3)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(whole, whole, st.sampled_from([-1, 1])), min_size=2, max_size=7),
    st.sampled_from(["cyclic", "shuffled", "random", "worst"]),
    st.booleans(),
    st.sampled_from([0.5, 1.0, 3.0]),
)
def test_any_run_can_be_told(rows, order, fit_intercept, eta0):
    if len({row[2] for row in rows}) < 2:
        rows = [*rows, (0, 0, -rows[0][2])]
    points = {"X": [row[:2] for row in rows], "y": [row[2] for row in rows], "names": ["a", "b"]}
    options = {"order": order, "fit_intercept": fit_intercept, "eta0": eta0, "max_iter": 30}
    answer = run(RunRequest(points=points, options=options))
    separable = novikoff.separate(points["X"], points["y"], fit_intercept=fit_intercept).word
    assert (answer.cycle is not None) <= (separable != "separable")
    if answer.n_mistakes:
        assert len(answer.charts) == (4 if separable == "separable" else 2)
    shown = steps(StepsRequest(points=points, options=options, count=64)).steps
    assert [step.k for step in shown] == list(range(len(shown)))
