"""The nearest point in rationals: optimal by its own conditions, whatever the start."""

from fractions import Fraction

import flint
import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

from novikoff.exact.nearest_point import nearest_point
from novikoff.exact.rational import above, below, root_above, root_below


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 2))
def test_the_optimality_conditions_hold(seed, n_groups):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(n_groups, 9)), int(rng.integers(1, 4))
    A = rng.integers(-3, 4, (n, p))
    groups = rng.integers(0, n_groups, n)
    groups[:n_groups] = np.arange(n_groups)
    many = {int(i): 1 for i in rng.permutation(n)[: rng.integers(1, n + 1)]}
    start = {**many, **dict.fromkeys(range(n_groups), 1)}
    found = nearest_point(flint.fmpz_mat(A.tolist()), groups.tolist(), start, until_optimal=True)
    alpha = dict(zip(found.rows, found.alpha, strict=True))
    assert all(value > 0 for value in alpha.values())
    for g in range(n_groups):
        assert sum(value for i, value in alpha.items() if groups[i] == g) == 1
    point = [sum(value * int(A[i, j]) for i, value in alpha.items()) for j in range(p)]
    assert [value * found.scale for value in point] == found.point.entries()
    for i in range(n):
        score = sum(int(a) * v for a, v in zip(A[i], point, strict=True))
        level = found.levels[groups[i]] / found.scale
        assert score >= level
        assert i not in alpha or score == level


@settings(max_examples=300, deadline=None)
@given(st.fractions(min_value=0), st.integers(-600, 600))
def test_roundings_are_on_the_safe_side_and_close(value, power):
    value *= Fraction(2) ** power
    assert Fraction(below(value)) <= value <= Fraction(above(value))
    assert np.nextafter(below(value), np.inf) >= above(value)
    low, high = root_below(value), root_above(value)
    assert Fraction(low) ** 2 <= value <= Fraction(high) ** 2
    assert np.nextafter(np.nextafter(low, np.inf), np.inf) >= high
