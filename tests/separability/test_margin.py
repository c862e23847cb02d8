"""Margins: intervals that hold the exact number, and exact numbers that are known."""

from fractions import Fraction
from itertools import combinations, pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given, settings
from tests.oracles import dot, nearest_square

from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem, default_names
from novikoff.separability.api import separate
from novikoff.separability.proofs.margin import (
    augmented_margin_above,
    bound_of,
    exact_margin,
    norm_above,
)
from novikoff.separability.search.passes import merge, pass_over
from novikoff.separability.verdicts import Interval, Separable


@pytest.mark.parametrize(
    ("X", "y", "bias", "square"),
    [
        ([[0.0], [2.0]], [0, 1], True, Fraction(1)),
        ([[0.0, 0.0], [3.0, 4.0]], [0, 1], True, Fraction(25, 4)),
        ([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], [1, 1, 0], False, Fraction(1, 2)),
        # (1, 0) against the segment from (0, 1) to (0, −3): nearest in (0, 0).
        ([[1.0, 0.0], [0.0, 1.0], [0.0, -3.0]], [1, 0, 0], True, Fraction(1, 4)),
    ],
)
def test_margins_that_are_known(X, y, bias, square):
    verdict = separate(X, y, fit_intercept=bias)
    assert isinstance(verdict, Separable)
    assert verdict.exact_margin_squared == square
    assert float(square) ** 0.5 in verdict.margin


def brute_margin(X, y):
    """The greatest min y(w·x + b) over ‖w‖ = 1 in the plane, over all pairs and triples."""
    best = 0.0
    directions = []
    for i, j in combinations(range(len(X)), 2):
        difference = X[i] - X[j]
        directions += [difference, np.array([-difference[1], difference[0]])]
    for w in directions:
        length = np.linalg.norm(w)
        if length == 0:
            continue
        for sign in (1, -1):
            scores = sign * (X @ w) / length
            best = max(best, (scores[y > 0].min() - scores[y < 0].max()) / 2)
    return best


def test_margins_in_the_plane_by_brute_force():
    rng = np.random.default_rng(0)
    seen = 0
    for _ in range(60):
        X = rng.normal(size=(6, 2))
        y = np.where(X @ rng.normal(size=2) > rng.normal() * 0.3, 1, -1)
        if abs(y.sum()) == 6:
            continue
        verdict = separate(X, y)
        assert isinstance(verdict, Separable)
        assert verdict.margin.lower <= brute_margin(X, y) * (1 + 1e-12)
        assert verdict.margin.upper >= brute_margin(X, y) * (1 - 1e-12)
        seen += 1
    assert seen > 30


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([1.0, 1e-7, 1e9]))
def test_intervals_hold_both_exact_margins(seed, bias, scale):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(3, 20)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, d)) * scale + rng.normal() * scale
    y = np.where(X @ rng.normal(size=d) + (rng.normal() * scale if bias else 0) > 0, 1, -1)
    y[0] = -y[1]
    verdict = separate(X, y, fit_intercept=bias)
    if not isinstance(verdict, Separable):
        return
    points = ExactProblem.of(Problem.of(X, y, fit_intercept=bias))
    for interval, with_one in ((verdict.margin, False), (verdict.augmented_margin, bias)):
        square = exact_margin(points, verdict.support, with_one=with_one).square
        assert Fraction(interval.lower) ** 2 <= square <= Fraction(interval.upper) ** 2
    radius = max(sum(Fraction(v) ** 2 for v in [*row, float(bias)]) for row in X.tolist())
    assert Fraction(verdict.radius.lower) ** 2 <= radius <= Fraction(verdict.radius.upper) ** 2
    assert radius / square in verdict.mistake_bound


def test_insisting_gives_the_narrowest_interval():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 4))
    y = X @ [1, 2, -1, 0.5] > 0.2
    verdict = separate(X, y, exact=True)
    assert np.nextafter(verdict.margin.lower, 1) >= verdict.margin.upper
    assert separate(X, y, exact=False).exact_margin_squared is None


def test_an_upper_bound_holds_for_any_alpha():
    rng = np.random.default_rng(2)
    for _ in range(50):
        k, d = int(rng.integers(2, 12)), int(rng.integers(1, 6))
        A = rng.normal(size=(k, d)) * 10.0 ** rng.integers(-8, 8) + 1e6
        group = rng.permutation(np.arange(k) % 2)
        group[-2:] = 0, 1
        A[group == 0] *= -1  # the two halves cancel, as those of a small margin do
        alpha = rng.dirichlet(np.ones(k)) / 2
        exact = [Fraction(0)] * d
        for g in range(2):
            share = sum(
                Fraction(a) for a, h in zip(alpha[:-2].tolist(), group[:-2], strict=True) if h == g
            )
            weights = [
                Fraction(a) if h == g else 0
                for a, h in zip(alpha[:-2].tolist(), group[:-2], strict=True)
            ]
            weights += [1 - share if g == 0 else 0, 1 - share if g == 1 else 0]
            for j in range(d):
                exact[j] += sum(
                    a * Fraction(x) for a, x in zip(weights, A[:, j].tolist(), strict=True)
                )
        bound = norm_above(A, group, alpha, 2, rounded=False)
        assert sum(v * v for v in exact) <= Fraction(bound) ** 2
        assert float(sum(v * v for v in exact)) ** 0.5 >= bound * (1 - 1e-12)


def test_an_unbounded_margin_bounds_nothing():
    assert bound_of(Interval(1.0, 1.0), Interval(0.0, 2.0)) == Interval(0.25, np.inf)


def _points(X, y):
    return ExactProblem.of(Problem(X, y, True, default_names(X.shape[1]), (-1, 1)))


def test_a_pass_is_the_sum_of_its_parts():
    """Also where many rows have the same score: the earlier ones are kept."""
    rng = np.random.default_rng(0)
    X, w = rng.integers(-2, 3, size=(1000, 5)).astype(float), rng.integers(-2, 3, 6).astype(float)
    y = rng.choice([-1, 1], 1000).astype(np.int8)
    whole = pass_over(_points(X, y), w, 10)
    cuts = [0, 300, 301, 1000]
    parts = [pass_over(_points(X[a:b], y[a:b]), w, 10) for a, b in pairwise(cuts)]
    together = merge(parts, cuts[:-1], y, 10)
    np.testing.assert_array_equal(together.rows, whole.rows)
    np.testing.assert_array_equal(together.scores, whole.scores)
    np.testing.assert_array_equal(together.lowest, whole.lowest)
    np.testing.assert_array_equal(together.highest, whole.highest)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_bounds_of_a_pass_hold_exactly(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(8, 3)) * 10.0 ** rng.integers(-300, 300, 3)
    w = rng.normal(size=4) * 10.0 ** rng.integers(-150, 150, 4)
    y = np.where(np.arange(8) % 2, 1, -1).astype(np.int8)
    with np.errstate(all="ignore"):
        seen = pass_over(_points(X, y), w, 8)
    for c, sign in enumerate((-1, 1)):
        exact = [
            sign
            * sum(Fraction(a) * Fraction(b) for a, b in zip([*x, 1.0], w.tolist(), strict=True))
            for x, label in zip(X.tolist(), y, strict=True)
            if label == sign
        ]
        assert seen.lowest[c] == -np.inf or Fraction(float(seen.lowest[c])) <= min(exact)
        assert seen.highest[c] == np.inf or Fraction(float(seen.highest[c])) >= min(exact)


SIZES = [0.0, 5e-324, 1.5e-323, 1e-310, 1e-300, 1e-160, 1.0, 1e160, 1e300]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.tuples(st.integers(-9, 9), st.sampled_from(SIZES))] * 2),
        min_size=2,
        max_size=5,
    ),
    st.sampled_from([None, *SIZES[1:]]),
    st.booleans(),
    st.sampled_from(["auto", False]),
)
@example([((7, 0.0), (3, 0.0)), ((0, 0.0), (-4, 0.0))], 5e-324, False, "auto")
@example([((7, 0.0), (3, 0.0)), ((0, 0.0), (-4, 0.0))], 5e-324, True, False)
@example([((5, 1e160), (3, 1e160)), ((0, 1.0), (-4, 5e-324))], None, False, False)
def test_intervals_hold_the_truth_at_every_size(rows, size, bias, exact):
    X = [[whole * (size or own) for whole, own in row] for row in rows]
    y = [-1, *[1] * (len(X) - 1)]
    verdict = separate(X, y, fit_intercept=bias, exact=exact)
    if not isinstance(verdict, Separable):
        return
    A = [[label * Fraction(x) for x in row] for row, label in zip(X, y, strict=True)]
    augmented = nearest_square([[*row, y[i]] for i, row in enumerate(A)] if bias else A)
    apart = [[x + z for x, z in zip(A[0], row, strict=True)] for row in A[1:]]
    geometric = nearest_square(apart) / 4 if bias else augmented
    radius = max(dot(row, row) for row in A) + bias
    for known in (verdict.known, verdict.margins):
        for interval, square in (
            (known.margin, geometric),
            (known.augmented_margin, augmented),
            (known.radius, radius),
        ):
            assert Fraction(interval.lower) ** 2 <= square
            assert interval.upper == np.inf or square <= Fraction(interval.upper) ** 2
        assert radius / augmented in known.mistake_bound


def test_the_mistake_bound_of_subnormal_numbers():
    X = np.array([[7, 3], [0, -4]]) * 5e-324
    bound = separate(X, [0, 1], fit_intercept=False).mistake_bound
    # R² is 58, and γ² is 16 − 12²/98 = 784/50.
    assert Fraction(58) / nearest_square([[-7, -3], [0, -4]]) in bound
    assert bound.upper < 8


def test_undecided_bounds_the_margin_of_subnormal_numbers():
    X = np.array([[7, 3], [0, -4]]) * 5e-324
    points = ExactProblem.of(Problem.of(X, [0, 1], fit_intercept=False))
    above = augmented_margin_above(points, np.arange(2), np.array([0.5, 0.5]))
    assert Fraction(above) ** 2 >= nearest_square([[-x for x in X[0]], X[1]])


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-160, 1.0, 1e160, 1e300])
@pytest.mark.parametrize("bias", [True, False])
def test_the_radius_where_squares_overflow_or_vanish(scale, bias):
    X = np.array([[1.0, 1.0], [3.0, 4.0], [2.0, -1.0], [-1.0, -1.5]]) * scale
    verdict = separate(X, [1, 1, 1, 0], fit_intercept=bias)
    assert isinstance(verdict, Separable)
    square = max(sum(Fraction(v) ** 2 for v in [*row, float(bias)]) for row in X.tolist())
    assert Fraction(verdict.radius.lower) ** 2 <= square <= Fraction(verdict.radius.upper) ** 2
    if bias or scale > 1e-310:  # subnormal numbers have few digits
        assert verdict.radius.upper < verdict.radius.lower * (1 + 1e-9)
