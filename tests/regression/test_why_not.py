import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from novikoff import separate
from novikoff.regression.why_not import why_not, why_not_of
from novikoff.separability.verdicts import Undecided

XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


def test_xor_is_a_contradiction_of_four_inequalities():
    reason = why_not(*XOR)
    assert reason.sentences[:4] == (
        "The point (0.5, 0.5) lies in both hulls: it is 1/2 of row 0 plus 1/2 of row 3 (class 0), "
        "and it is 1/2 of row 1 plus 1/2 of row 2 (class 1).",
        "Any separating hyperplane would have this point on both sides at once, which is "
        "impossible.",
        "In inequalities: row 0 asks for −b > 0; row 1 asks for w[x1] + b > 0; row 2 asks for "
        "w[x0] + b > 0; row 3 asks for −w[x0] − w[x1] − b > 0.",
        "Multiplied by 1, 1, 1, 1 they add up to 0 > 0: no weights satisfy them all.",
    )
    assert reason.verdict.word == "overlapping"


def test_three_points_on_a_line_have_one_between():
    reason = why_not([[0, 0], [1, 1], [3, 3]], ["a", "b", "a"], names=["u", "v"])
    assert reason.sentences[0] == (
        "Row 1 (class 'b'), the point (1, 1), lies between rows 0 and 2 (class 'a'): it is "
        "2/3 of row 0 plus 1/3 of row 2 (class 'a')."
    )
    assert "row 1 asks for w[u] + w[v] + b > 0" in reason.sentences[2]
    assert reason.sentences[3].startswith("Multiplied by 2, 3, 1 they add up to 0 > 0")


def test_a_point_with_both_labels():
    reason = why_not([[-1], [0], [0], [1]], [0, 0, 1, 1])
    assert reason.sentences[0].startswith(
        "Row 1 (class 0) and row 2 (class 1) are the same point (0)"
    )
    assert reason.sentences[-1] == (
        "They can be kept apart by touching only: with weights on x0 no point is on the wrong "
        "side, but rows 1 and 2 lie on the hyperplane, and the rows named above lie on every such "
        "hyperplane."
    )


def test_a_point_inside_a_triangle():
    reason = why_not([[0, 0], [3, 0], [0, 3], [1, 1]], [0, 0, 0, 1])
    assert reason.sentences[0].startswith(
        "Row 3 (class 1), the point (1, 1), lies in the hull of rows 0, 1 and 2 (class 0): it is "
        "1/3 of row 0 plus 1/3 of row 1 plus 1/3 of row 2"
    )


def test_without_an_intercept_the_rays_meet():
    reason = why_not([[1, 1], [2, 2]], [0, 1], fit_intercept=False)
    assert reason.sentences[0] == (
        "The vector (2, 2) is 2 times row 0 (class 0), and it is 1 times row 1 (class 1): without "
        "an intercept its score would have to be negative and positive."
    )
    assert "b" not in reason.sentences[1].split("asks for")[1]


def test_without_an_intercept_one_class_can_surround_the_origin():
    reason = why_not([[1, 1], [-1, 1], [0, -1], [0, 5]], [1, 1, 1, 0], fit_intercept=False)
    assert reason.sentences[0].startswith(
        "The zero vector is 1 times row 0 plus 1 times row 1 plus 2 times row 2 (class 1)"
    )


def test_decimals_are_written_as_decimals():
    X, y = load_iris(return_X_y=True)
    reason = why_not(X[50:], y[50:], decimals=True, names=["sl", "sw", "pl", "pw"])
    assert "6.2·w[sl]" in str(reason)
    assert "≈" not in str(reason)
    assert "≈" in str(why_not(X[50:], y[50:]))


def test_separable_data_has_no_reason():
    reason = why_not([[0.0], [1.0]], [0, 1])
    assert reason.sentences == (
        "Nothing stands in the way: the classes are separable, with a geometric margin of "
        "0.5 at least; see novikoff.separate(X, y).",
    )


def test_undecided_stays_undecided():
    problem = separate(*XOR).problem
    verdict = Undecided(problem=problem, reason="time ran out", advice="Wait longer.")
    assert why_not_of(verdict).sentences == ("It is undecided: time ran out", "Wait longer.")


def test_html_is_escaped():
    html = why_not(*XOR, names=["<a>", "b"])._repr_html_()
    assert "<a>" not in html
    assert "w[&lt;a&gt;]" in html


INEQUALITY = re.compile(r"row (\d+) asks for (.*?) > 0")
TERM = re.compile(r"([−+]?) ?(?:([\d./]+)·)?(w\[x\d\]|b|0)")


def left_side(text):
    """The coefficients of an inequality's left side, read back from the sentence."""
    terms = {}
    for sign, size, what in TERM.findall(text):
        value = Fraction(size or 1) * (-1 if sign == "−" else 1)
        terms[what] = terms.get(what, Fraction(0)) + (0 if what == "0" else value)
    return terms


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=4, max_size=8),
    st.data(),
    st.booleans(),
)
def test_the_inequalities_as_written_add_up_to_nothing(X, data, fit_intercept):
    """Whatever the data: read the sentences back, multiply, add, and compare with the data."""
    y = data.draw(st.lists(st.integers(0, 1), min_size=len(X), max_size=len(X)))
    if len(set(y)) < 2:
        return
    reason = why_not(X, y, fit_intercept=fit_intercept)
    if reason.verdict.word == "separable":
        return
    (asked,) = [s for s in reason.sentences if s.startswith("In inequalities")]
    (times,) = [s for s in reason.sentences if s.startswith("Multiplied by")]
    factors = [int(factor) for factor in re.findall(r"\d+", times.split("they")[0])]
    total = {}
    for (row, text), factor in zip(INEQUALITY.findall(asked), factors, strict=True):
        assert factor > 0
        sign = 1 if y[int(row)] == 1 else -1
        expected = {f"w[x{j}]": Fraction(sign * x) for j, x in enumerate(X[int(row)]) if x}
        if fit_intercept:
            expected["b"] = Fraction(sign)
        terms = left_side(text)
        assert {what: value for what, value in terms.items() if value} == expected
        for what, value in terms.items():
            total[what] = total.get(what, 0) + factor * value
    assert not any(total.values())


@pytest.mark.parametrize("seed", range(3))
def test_many_rows_are_not_all_listed(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 20)), np.arange(60) % 2
    reason = why_not(X, y)
    if reason.verdict.word != "separable":
        assert "more" in reason.sentences[0]
        assert not any(sentence.startswith("In inequalities") for sentence in reason.sentences)


def test_one_row_on_the_plane_is_one_row():
    sentences = why_not([[0.0], [1.0], [-1.0]], [0, 1, 0], fit_intercept=False).sentences
    assert "but row 0 lies on the hyperplane, and this row lies on every such" in sentences[-1]
