"""Cover's number against counting: every labelling of a few points, decided one by one."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from tests.oracles import separability

import novikoff
from novikoff.probes.conclusions import cover_probability, shown_probability


@pytest.mark.parametrize(("n", "d"), [(1, 1), (3, 1), (5, 1), (4, 2), (6, 2), (5, 3)])
def test_the_separable_labellings_of_points_in_general_position_are_counted(n, d):
    # On the moment curve any d + 1 points are affinely independent.
    X = [[t**k for k in range(1, d + 1)] for t in range(n)]
    separable = 0
    for signs in product((-1, 1), repeat=n):
        one_class = len(set(signs)) == 1
        separable += one_class or separability(X, list(signs), True) == "separable"
    assert cover_probability(n, d) == Fraction(separable, 2**n)


@pytest.mark.parametrize(("n", "d"), [(2000, 1000), (300, 10), (7, 3)])
def test_it_is_the_sum_of_the_formula(n, d):
    assert cover_probability(n, d) == Fraction(
        sum(comb(n - 1, k) for k in range(d + 1)), 2 ** (n - 1)
    )


def test_it_is_one_for_few_points_and_a_half_at_twice_the_columns():
    assert cover_probability(11, 10) == 1
    assert cover_probability(12, 10) < 1
    assert cover_probability(22, 10) == Fraction(1, 2)
    assert cover_probability(100_000, 800) > 0  # exactly: a float has no room for it


def test_it_is_shown_with_its_small_part():
    assert shown_probability(Fraction(1)) == "1"
    assert shown_probability(Fraction(1, 2)) == "0.5000"
    assert shown_probability(cover_probability(60, 4)) == "8.5e-13"
    assert shown_probability(1 - Fraction(1, 10**7)) == "1 − 1.0e-07"
    assert shown_probability(cover_probability(10_000, 20)) == "nearly 0"


@pytest.mark.parametrize(("n", "d"), [(0, 1), (5, -1), (2.5, 1), (3, True)])
def test_sizes_that_make_no_sense_are_refused(n, d):
    with pytest.raises(novikoff.NovikoffError):
        cover_probability(n, d)


def test_numpy_integers_will_do():
    assert cover_probability(np.int64(4), np.int64(2)) == Fraction(7, 8)
