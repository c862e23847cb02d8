import io
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rich.console import Console
from sklearn.datasets import load_iris
from tests.oracles import dot, rank, recession_cone

from novikoff.regression import cone
from novikoff.regression.explain import explain_verdict
from novikoff.separability.api import separate
from novikoff.separability.verdicts import Undecided

LEVELS = np.eye(3)[[0, 0, 1, 1, 2, 2]]


def estimates(explanation):
    return {c.name: c.estimate for c in explanation.coefficients}


def test_the_classic_quasi_complete_separation():
    found = separate([[-1], [0], [0], [1]], ["no", "no", "yes", "yes"], names=["dose"]).explain()
    assert found.separation == "quasi-complete"
    assert estimates(found) == {"dose": "+∞", "(intercept)": "finite"}
    assert found.cone_dimension == 1
    assert found.idle_dimension == 0
    assert found.rows_on_plane == (1, 2)
    (alone,) = found.single_columns
    assert (alone.name, alone.separation, alone.rows) == ("dose", "quasi-complete", 2)
    assert (alone.lower, alone.upper) == ("no", "yes")


def test_complete_separation_by_one_column():
    found = separate([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], names=["dose"]).explain()
    assert found.separation == "complete"
    # Every separator has a positive slope, and so a negative intercept; moved to the left of 0,
    # the sign of the intercept is open.
    assert estimates(found) == {"dose": "+∞", "(intercept)": "−∞"}
    moved = separate([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1], names=["dose"]).explain()
    assert estimates(moved) == {"dose": "+∞", "(intercept)": "not determined"}
    assert moved.cone_dimension == 2
    assert moved.rows_on_plane == ()
    (alone,) = moved.single_columns
    assert (alone.separation, alone.lower_end, alone.upper_start) == ("complete", -1.0, 1.0)
    assert "up to -1 all are 0, from 1 all are 1" in str(moved)


def test_the_other_way_round():
    found = separate([[1.0], [2.0], [3.0], [4.0]], [1, 1, 0, 0], names=["dose"]).explain()
    assert estimates(found) == {"dose": "−∞", "(intercept)": "+∞"}
    assert (found.single_columns[0].lower, found.single_columns[0].upper) == (1, 0)


def test_a_level_that_predicts_perfectly_is_named():
    outcome = [0, 1, 0, 1, 1, 1]
    found = separate(LEVELS[:, 1:], outcome, names=["level b", "level c"]).explain()
    assert estimates(found) == {"level b": "finite", "level c": "+∞", "(intercept)": "finite"}
    assert [column.name for column in found.single_columns] == ["level c"]
    assert "above 0 all are 1 (2 rows)" in str(found)
    assert any("level c" in step and "Merge" in step for step in found.advice)


def test_a_level_beside_a_measurement():
    x = np.column_stack([LEVELS[:, 2], [1.0, 2.0, 3.0, 2.5, 7.0, -1.0]])
    found = separate(x, [0, 1, 1, 0, 1, 1], names=["level", "x"]).explain()
    assert estimates(found) == {"level": "+∞", "x": "finite", "(intercept)": "finite"}
    assert found.rows_on_plane == (0, 1, 2, 3)


def test_overlap_means_that_the_estimate_exists():
    X, y = load_iris(return_X_y=True)
    found = separate(X[50:], y[50:]).explain()
    assert found.separation == "none"
    assert set(estimates(found).values()) == {"finite"}
    assert found.cone_dimension == 0
    assert found.single_columns == ()
    assert found.advice == ()


def test_collinear_columns_are_not_identified():
    x = np.array([0.0, 1.0, 2.0, 3.0])
    X = np.column_stack([x, 2 * x + 1, [1.0, 0.0, 0.0, 1.0]])
    found = separate(X, [0, 1, 0, 1], names=["x", "again", "other"]).explain()
    assert found.separation == "none"
    assert estimates(found) == {
        "x": "finite",
        "again": "aliased",
        "other": "finite",
        "(intercept)": "finite",
    }
    assert (found.cone_dimension, found.idle_dimension) == (1, 1)
    assert "Drop 'again'" in found.advice[0]


def test_collinear_columns_of_separated_data():
    found = separate(LEVELS, [0, 1, 0, 1, 1, 1], names=["a", "b", "c"]).explain()
    # Without c its level is the intercept's, which runs off, and takes the contrasts to it along.
    assert estimates(found) == {
        "a": "−∞",
        "b": "−∞",
        "c": "aliased",
        "(intercept)": "+∞",
    }
    assert (found.cone_dimension, found.idle_dimension) == (2, 1)
    assert [column.name for column in found.single_columns] == ["c"]


def test_a_face_within_a_face():
    # α comes in two stages here: the rows on the plane are more than the first α can span.
    X = [[0, 0], [0, 0], [1, 0], [1, 0], [2, 0], [0, 1]]
    found = separate(X, [0, 1, 0, 1, 0, 1]).explain()
    assert estimates(found) == {"x0": "finite", "x1": "+∞", "(intercept)": "finite"}
    assert found.cone_dimension == 1
    assert found.rows_on_plane == (0, 1, 2, 3, 4)


def test_without_an_intercept_the_threshold_is_0():
    X = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, -1.0], [4.0, -3.0]])
    found = separate(X, [1, 1, 0, 0], fit_intercept=False, names=["a", "b"]).explain()
    assert [column.name for column in found.single_columns] == ["b"]
    assert estimates(found) == {"a": "not determined", "b": "+∞"}


def test_a_constant_column_is_an_intercept():
    X = np.array([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0], [1.0, 4.0]])
    found = separate(X, [0, 0, 1, 1], fit_intercept=False, names=["const", "x"]).explain()
    assert [column.name for column in found.single_columns] == ["x"]
    assert estimates(found) == {"const": "−∞", "x": "+∞"}


def test_decimals_decide():
    # On the decimals the four points of the two classes are on one line, with the binary ones not.
    x = np.array([[0.1, 0.4], [0.7, -0.2], [0.1, 0.4], [0.7, -0.2], [0.1, 0.2], [0.3, 0.3]])
    y = [0, 1, 1, 0, 0, 1]
    found = separate(x, y, decimals=True).explain()
    assert found.separation == "quasi-complete"
    assert found.cone_dimension == 1
    assert estimates(found) == {"x0": "+∞", "x1": "+∞", "(intercept)": "−∞"}


@pytest.mark.parametrize("convert", [sp.csr_array, lambda X: np.vectorize(Fraction, [object])(X)])
def test_storage_does_not_matter(convert):
    X = np.column_stack([LEVELS[:, 1:], [1.0, 2.0, 3.0, 2.5, 7.0, -1.0]])
    y = [0, 1, 1, 0, 1, 1]
    assert separate(convert(X), y).explain() == separate(X, y).explain()


@pytest.mark.parametrize("kind", ["int64", "uint64", ">i8", object])
def test_integers_that_float64_would_round_are_explained_exactly(kind):
    X = np.array([[2**62, 2**62 + 2], [2**53 + 1, 0], [2**62 + 2, 2**62]])
    found = separate(X.astype(kind), [0, 0, 1]).explain()
    assert estimates(found) == {"x0": "+∞", "x1": "not determined", "(intercept)": "−∞"}


def test_undecided_claims_nothing():
    decided = separate([[-1.0], [1.0]], [0, 1])
    found = Undecided(problem=decided.problem, reason="a limit", advice="more time").explain()
    assert found.separation == "undecided"
    assert set(estimates(found).values()) == {"undecided"}
    assert found.cone_dimension is None


def test_what_is_not_asked_is_undetermined(monkeypatch):
    monkeypatch.setattr(cone, "MOST_QUESTIONS", 1)
    found = separate([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]).explain()
    assert estimates(found) == {"x0": "+∞", "(intercept)": "undecided"}


def test_a_direction_on_the_edge_of_the_cone_proves_nothing():
    verdict = separate([[0, 0], [0, 0], [1, 0], [0, 1], [2, 1]], [0, 1, 1, 1, 1])
    assert estimates(verdict.explain())["x0"] == "+∞"
    # x0 alone separates weakly too, but leaves row 3 on its plane, where it need not be.
    edge = replace(
        verdict,
        exact_weights=(Fraction(1), Fraction(0)),
        exact_intercept=Fraction(0),
        rows_on_plane=np.array([0, 1, 3]),
    )
    found = edge.explain()
    assert set(estimates(found).values()) == {"undecided"}
    assert found.cone_dimension is None


def test_one_row_among_many_makes_columns_independent():
    rng = np.random.default_rng(4)
    x = rng.integers(-5, 5, size=1000).astype(float)
    X = np.column_stack([x, 3 * x])
    y = rng.integers(0, 2, size=1000)
    assert separate(X, y).explain().idle_dimension == 1
    X[1, 1] += 1.0
    assert separate(X, y).explain().idle_dimension == 0


def test_several_directions_on_a_face():
    # Rows 0 and 1 pin the intercept; the two columns are then free in their own half-lines.
    X = [[0, 0], [0, 0], [1, 0], [0, 1], [2, 1], [1, 2.5]]
    found = separate(X, [0, 1, 1, 1, 1, 1]).explain()
    assert estimates(found) == {"x0": "+∞", "x1": "+∞", "(intercept)": "finite"}
    assert found.cone_dimension == 2
    mixed = separate([*X[:2], [1, 0], [2, 1], [1, 2.5]], [0, 1, 1, 1, 1]).explain()
    assert estimates(mixed) == {"x0": "+∞", "x1": "not determined", "(intercept)": "finite"}


def test_it_shows_itself_to_people_and_programs():
    found = separate(LEVELS[:, 1:], [0, 1, 0, 1, 1, 1], names=["b", "<c>"]).explain()
    text = str(found)
    assert text.splitlines()[0].startswith("quasi-complete separation")
    assert "+∞" in text
    fields = json.loads(found.to_json())
    assert fields["coefficients"][1] == {"name": "<c>", "estimate": "+∞", "direction": 1.0}
    assert fields["single_columns"][0]["name"] == "<c>"
    html = found._repr_html_()
    assert "&lt;c&gt;" in html
    assert "<c>" not in html
    console = Console(width=100, file=io.StringIO())
    console.print(found)
    assert "+∞" in console.file.getvalue()
    assert found["b"].estimate == "finite"
    with pytest.raises(KeyError):
        found["absent"]


def check_against_the_oracle(X, y, fit_intercept):
    A, corners = recession_cone(X, y, fit_intercept)
    verdict = separate(np.array(X, dtype=float), y, fit_intercept=fit_intercept)
    found = explain_verdict(verdict)
    p = len(A[0])
    null = p - rank(A)
    assert found.cone_dimension == rank(corners)
    assert found.idle_dimension == null
    on_plane = [i for i, row in enumerate(A) if not any(dot(row, corner) for corner in corners)]
    assert list(found.rows_on_plane) == on_plane
    kept = kept_columns(A, fit_intercept)
    features = [j for j in kept if j < len(X[0])]
    _, edges = recession_cone([[row[j] for j in features] for row in X], y, fit_intercept)
    for j, coefficient in enumerate(found.coefficients):
        if j not in kept:
            assert coefficient.estimate == "aliased"
            continue
        signs = {(c[kept.index(j)] > 0) - (c[kept.index(j)] < 0) for c in edges} - {0}
        expected = {(): "finite", (1,): "+∞", (-1,): "−∞", (-1, 1): "not determined"}
        assert coefficient.estimate == expected[tuple(sorted(signs))]
    return found


def kept_columns(A, fit_intercept):
    """The columns that are no combination of those before them, the intercept before all."""
    p = len(A[0])
    order = [p - 1, *range(p - 1)] if fit_intercept else list(range(p))
    kept = []
    for j in order:
        if rank([[row[k] for k in [*kept, j]] for row in A]) > len(kept):
            kept.append(j)
    return sorted(kept)


points = st.tuples(st.integers(2, 7), st.integers(1, 3)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(-2, 2), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@given(points, st.data(), st.booleans())
@settings(deadline=None, max_examples=120)
def test_every_estimate_is_that_of_the_cone(X, data, fit_intercept):
    y = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X)))
    assume(len(set(y)) == 2)
    check_against_the_oracle(X, y, fit_intercept)


def test_all_kinds_are_met_on_the_way():
    rng = np.random.default_rng(2)
    met = set()
    for _ in range(80):
        n, d = int(rng.integers(3, 7)), int(rng.integers(1, 4))
        X = rng.integers(-1, 3, size=(n, d)).tolist()
        y = [-1, 1, *rng.choice([-1, 1], size=n - 2).tolist()]
        found = check_against_the_oracle(X, y, bool(rng.integers(2)))
        met |= {found.separation, *estimates(found).values()}
    assert met == {
        "complete",
        "quasi-complete",
        "none",
        "finite",
        "+∞",
        "−∞",
        "not determined",
        "aliased",
    }


@given(points, st.data())
@settings(deadline=None, max_examples=60)
def test_single_columns_are_those_that_separate_by_themselves(X, data):
    y = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X)))
    assume(len(set(y)) == 2)
    X = np.array(X, dtype=float)
    verdict = separate(X, y)
    assume(verdict.word != "overlapping")
    named = {column.name: column.separation for column in explain_verdict(verdict).single_columns}
    words = {"separable": "complete", "touching": "quasi-complete"}
    for j in range(X.shape[1]):
        word = separate(X[:, [j]], y).word
        assert named.get(f"x{j}") == words.get(word)


class TestTheTable:
    """What becomes of the coefficients: the infinite ones first, and no line twice."""

    def test_one_line_if_nothing_is_determined(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(14, 11))
        found = separate(X, [0, 1] * 7).explain()
        assert set(estimates(found).values()) == {"not determined"}
        everything = "not determined: +∞, −∞ and finite are all possible"
        assert found.table() == [("all 12 coefficients", everything)]
        assert str(found).count("not determined") == 1

    def test_aliased_columns_stand_beside_it(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(14, 11))
        X = np.column_stack([X, X[:, 0], X[:, 1]])
        found = separate(X, [0, 1] * 7, names=[*"abcdefghijklm"]).explain()
        assert set(estimates(found).values()) == {"not determined", "aliased"}
        lines = found.table()
        assert lines[0][0] == "all 12 coefficients"
        assert lines[1:] == [("l", "aliased"), ("m", "aliased")]
        meanings = [line for line in str(found).splitlines() if line.startswith("aliased:")]
        assert meanings == ["aliased: a combination of the columns before it; dropped"]

    def test_infinite_ones_come_first_and_a_word_is_explained_once(self):
        X = [[5.0, -2.0], [3.0, -1.0], [4.0, 1.0], [6.0, 2.0]]
        found = separate(X, [0, 0, 1, 1], names=["noise", "dose"]).explain()
        assert estimates(found)["noise"] == "not determined"
        assert next(name for name, _ in found.table()) == "dose"
        console = Console(file=io.StringIO(), width=80)
        console.print(found)
        shown = console.file.getvalue()
        for text in (str(found), shown, found._repr_html_()):
            assert text.count("+∞, −∞ and finite are all possible") == 1

    def test_many_of_one_kind_are_counted(self):
        rng = np.random.default_rng(0)
        X = np.column_stack([np.arange(-60.0, 60), rng.normal(size=(120, 50))])
        found = separate(X, np.arange(120) >= 60, names=["x", *(f"n{j}" for j in range(50))])
        lines = found.explain().table()
        assert lines[0] == ("x", "+∞")
        assert lines[-1] == ("and 11 more", "not determined")
        assert len(lines) == 42

    def test_steps_hang_below_their_dash(self):
        found = separate([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1], names=["dose"]).explain()
        console = Console(file=io.StringIO(), width=60)
        console.print(found)
        lines = console.file.getvalue().splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("- "))
        assert all(line.startswith(("- ", "  ")) for line in lines[start:])


@pytest.mark.parametrize("least", [5e-324, 1e-310, 1e-200, 1.0])
@pytest.mark.parametrize("most", [1.0, 1.7e308])
def test_a_direction_does_not_contradict_the_signs(least, most):
    """Its parts differ by more than float64 has between 1 and 0."""
    X = [[0.0, 0.0, 1.0], [least, 0.0, 2.0], [0.0, most, 3.0], [least, 0.0, 1.0]]
    for y in ([0, 1, 1, 1], [1, 0, 0, 0], [0, 1, 0, 1]):
        explanation = separate(X, y).explain()
        for c in explanation.coefficients:
            wanted = {"+∞": c.direction > 0, "−∞": c.direction < 0}
            assert wanted.get(c.estimate, True), (c, X, y)
            assert np.isfinite(c.direction)
            assert str(c.direction) != "-0.0"
    found = separate([[0.0], [least]], [0, 1]).explain()
    assert found["x0"].direction > 0 > found["(intercept)"].direction
    ratio = Fraction(found["(intercept)"].direction) / Fraction(found["x0"].direction)
    assert -Fraction(least) <= ratio < 0
