"""The bounds under a proof in floating point: against exact arithmetic, whatever is proposed."""

from fractions import Fraction
from itertools import product
from math import isqrt
from types import SimpleNamespace
from unittest import mock

import flint
import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.certificates import claims, cones, floating_point, span
from novikoff.certificates.conflicts import Cones
from novikoff.certificates.floating_point import ENTRY
from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.problem import matrix_of

UNIT = Fraction(1, 1 << ENTRY)


def matrices():
    """Integers of 62 bits: columns that are orthogonal, and some that nearly repeat each other."""
    rng = np.random.default_rng(0)
    for p, closeness in product((1, 2, 3), (0, 10, 18)):
        for _ in range(3):
            C = rng.normal(size=(p + 3, p))
            C[:, 1:] = C[:, [0]] + C[:, 1:] * 2.0**-closeness
            C *= 0.9 / np.abs(C).max(axis=0)
            yield (C * 2.0**52).astype(np.int64) * 1024 + rng.integers(0, 1024, C.shape)
    yield np.array([[1], [0], [0]]) << (ENTRY - 1)


def least_singular_value_is_at_least(F, bound):
    """Whether FᵀF − bound² is positive semidefinite, by elimination in fractions."""
    whole = [[int(x) for x in row] for row in F]
    p = len(whole[0])
    A = [[sum(r[i] * r[j] for r in whole) * UNIT**2 - (i == j) * bound**2 for j in range(p)]
         for i in range(p)]  # fmt: skip
    for k in range(p):
        if A[k][k] < 0 or (A[k][k] == 0 and any(A[k][k:])):
            return False
        for i in range(k + 1, p):
            if A[k][k]:
                factor = A[i][k] / A[k][k]
                A[i] = [a - factor * b for a, b in zip(A[i], A[k], strict=True)]
    return True


def proposals(F):
    """An inverse of the triangular factor, and what somebody might say instead."""
    inverse = floating_point._approximate_inverse(F)
    yield inverse
    yield from (inverse * factor for factor in (0.5, 0.9, 0.999, 1.001, 1.1))
    yield from (inverse * 2.0**k for k in (-60, -20, 8, 12, 20, 30, 31, 40, 60))
    yield floating_point._approximate_inverse(F >> 37 << 37)  # of the first 25 bits
    yield inverse @ np.diag(2.0 ** np.arange(F.shape[1]))
    yield inverse + 1e-3
    yield inverse.T
    yield np.zeros_like(inverse)


def test_no_proposal_makes_the_least_singular_value_too_large():
    tight = 0
    for F in matrices():
        for k, inverse in enumerate(proposals(F)):
            for digits in (1, 2, 3):
                bound = floating_point._least_singular_value(F, inverse, digits)
                assert bound <= 0 or least_singular_value_is_at_least(F, bound), (F, k, digits)
                tight += k == 0 and bound > 0 and not least_singular_value_is_at_least(F, 2 * bound)
    assert tight > 60  # of 84 that are asked about a true inverse


def test_the_residual_is_that_of_the_worst_matrix_within_the_roundings():
    rare = np.zeros((5000, 1), dtype=np.int64)
    rare[0] = 1 << (ENTRY - 1)
    for F in [*matrices(), rare]:
        squares = Fraction(0)
        for column in F.T:
            sizes = [(abs(int(x)) + Fraction(1, 2)) / (1 - Fraction(1, 1 << 51)) for x in column]
            off = sum((size / (1 << 51) + Fraction(1, 2) for size in sizes), Fraction(0))
            squares += (abs(sum(int(x) for x in column)) + off) ** 2
        bound = floating_point._residual_above(F) / UNIT
        assert squares <= bound**2 <= 4 * (squares + len(F) ** 2 * 16)


@pytest.mark.parametrize("square", [0, 2, Fraction(1, 3), Fraction(10**40, 7), Fraction(1, 10**30)])
def test_roots_are_below_and_above_and_near(square):
    square = Fraction(square)
    below, above = floating_point._root_below(square), floating_point._root_above(square)
    assert below**2 <= square <= above**2
    assert above - below <= Fraction(1, 1 << 127)
    assert isqrt(int(square)) <= above


def said_of_a_solution(kind=np.asarray):
    """What is said of rows that both classes have, whose signed sum is 0."""
    A = np.random.default_rng(0).integers(-9, 10, (20, 3)).astype(float)
    reading = ExactMatrix(matrix_of(kind(np.vstack([A, A]))), False)
    y, alpha = np.repeat([1, -1], 20).astype(np.int8), [Fraction(1)] * 40
    return floating_point.positive_solution_reason(reading, y, range(40), alpha, with_one=True)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_a_solution_is_proven_and_only_by_a_bound_above_the_residual(kind):
    residuals = []

    def residual_above(F):
        residuals.append(bound(F))
        return residuals[-1]

    bound = floating_point._residual_above
    with mock.patch.object(floating_point, "_residual_above", residual_above):
        assert said_of_a_solution(kind) is None
    for above, answer in ((0, floating_point.NOT_PROVEN), (Fraction(1, 10**9), None)):
        least = mock.Mock(return_value=residuals[0] + above)
        with mock.patch.object(floating_point, "_least_singular_value", least):
            assert said_of_a_solution(kind) == answer


def test_without_an_approximate_inverse_nothing_is_proven():
    failing = mock.Mock(side_effect=np.linalg.LinAlgError)
    with mock.patch.object(floating_point, "orthonormalizer", failing):
        assert said_of_a_solution() == floating_point.NOT_PROVEN


# What is said of spans


DEPENDENT = ExactMatrix(np.array([[1.0, 2, 3], [2, 4, 6], [0, 1, 1], [0, 0, 0]]), False)
ALONG = (Fraction(1), Fraction(1), Fraction(-1))


@pytest.mark.parametrize(
    "proposed", [[], [ALONG, ALONG], [ALONG, tuple(2 * value for value in ALONG)]]
)
def test_null_vectors_that_are_too_few_or_dependent_are_not_believed(proposed):
    assert span.span_reason(DEPENDENT, [0, 2], False) is None
    with mock.patch.object(span, "null_space", return_value=proposed):
        assert span.span_reason(DEPENDENT, [0, 2], False) == span.NOT_PROVEN
        assert span.span_reason(DEPENDENT, [0], False) is not None


def test_vectors_are_independent_where_a_prime_says_so():
    prime = span.PRIMES[0]
    for vectors, answer in (
        ([(1, 1), (1, -1)], True),
        ([(prime, prime), (prime, -prime)], True),  # 0 modulo the first prime
        ([(1, 2), (2, 4)], False),
        ([(1, 0, 1), (0, 1, 1), (1, 1, 2)], False),
        ([(1, 0, 1), (0, 1, 1)], True),
        ([], True),
    ):
        exact = [tuple(map(Fraction, vector)) for vector in vectors]
        assert span._are_independent(exact) == answer


def test_the_ones_are_added_to_the_products_of_wide_rows():
    X = np.array([[1.0, 0, 0], [1.0, 1, 0]])
    assert "row 0 is outside" in span.span_reason(ExactMatrix(X, False), [1], True)


@pytest.mark.parametrize("block", [1, 6, span.BLOCK])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_every_column_of_wide_rows_counts(kind, block):
    for j in range(5):
        X = np.zeros((3, 5))
        X[0, j] = X[1:, (j + 1) % 5] = 1
        with mock.patch.object(span, "BLOCK", block):
            reading = ExactMatrix(kind(X), False)
            assert "row 0 is outside" in span.span_reason(reading, [1], False)
            assert span.span_reason(reading, [0, 2], False) is None


@pytest.mark.parametrize("decimals", [False, True])
def test_a_rank_is_the_same_row_by_row(decimals):
    rng = np.random.default_rng(1)
    for _ in range(30):
        X = rng.integers(-99, 100, (8, 3)).astype(float)
        X = np.column_stack([X, X @ rng.integers(-9, 10, 3)])
        if decimals:
            X = X * 10.0 ** -rng.integers(0, 3, 4)
            X = np.round(X, 3)
        near = ExactMatrix(matrix_of(X), decimals)
        for with_one, prime in product((False, True), span.PRIMES):
            asked = (near, np.arange(8), with_one, 9, prime)
            assert span._rank_of_many_columns(*asked) == span._rank_of_few_columns(*asked)
            assert span._rank_of_many_columns(*asked) == 3 + with_one


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_a_rank_of_rows_with_zeros_is_the_same_row_by_row(kind):
    rng = np.random.default_rng(2)
    for _ in range(60):
        n, d, inner = rng.integers(2, 9, 3)
        left, right = rng.integers(-2, 3, (n, inner)), rng.integers(-2, 3, (inner, d))
        X = (left * (rng.random((n, inner)) < 0.5)) @ (right * (rng.random((inner, d)) < 0.4))
        near = ExactMatrix(matrix_of(kind(X.astype(float))), False)
        for with_one in (False, True):
            rank = flint.fmpz_mat(
                np.column_stack([X, np.ones((n, int(with_one)), int)]).tolist()
            ).rank()
            asked = (near, np.arange(n), with_one, d + 1, span.PRIMES[0])
            assert span._rank_of_many_columns(*asked) == span._rank_of_few_columns(*asked) == rank


THIRDS = [[Fraction(1, 3), Fraction(4, 3)], [Fraction(1, 10**30), Fraction(4, 10**30)]]


@pytest.mark.parametrize(
    ("rows", "decimals", "rank"),
    [
        ([[1 / 3, 4 / 3], [0.1, 0.4]], False, 1),
        ([[0.1, 0.3], [0.7, 2.1]], False, 2),
        ([[0.1, 0.3], [0.7, 2.1]], True, 1),
        (THIRDS, False, 1),
        (THIRDS, True, 1),
    ],
)
def test_a_rank_row_by_row_takes_numbers_as_they_are(rows, decimals, rank):
    near = ExactMatrix(matrix_of(np.array(rows)), decimals)
    assert span._rank_of_many_columns(near, np.arange(2), False, 2, span.PRIMES[0]) == rank


def test_a_prime_that_divides_a_denominator_is_no_help():
    half = Fraction(1, span.PRIMES[0])
    X = np.array([[half, half], [2 * half, 2 * half], [3 * half, 3 * half], [half, half]])
    for width in (span.MOST_DENSE, 0):
        with mock.patch.object(span, "MOST_DENSE", width):
            assert span.span_reason(ExactMatrix(X, False), [0], False) is None


# Which rows go together in a proof of fewest errors


def equal_rows(X, y, row, with_one):
    X = matrix_of(X)
    claim = SimpleNamespace(n=X.shape[0], d=X.shape[1], fit_intercept=with_one)
    return claims._equal_rows(claim, ExactMatrix(X, False), np.array(y, dtype=np.int8), row)


@pytest.mark.parametrize("block", [1, claims.BLOCK])
def test_rows_are_equal_where_the_exact_numbers_are(block):
    with mock.patch.object(claims, "BLOCK", block):
        third = np.array([[Fraction(1, 3)], [Fraction(1 / 3)], [Fraction(2, 6)]])
        assert equal_rows(third, [1, 1, 1], 0, True) == [0, 2]
        long = np.array([[2**60], [2**60 + 1], [2**60]])
        assert equal_rows(long, [1, 1, -1], 0, True) == [0]
        for kind in (np.asarray, sp.csr_array):
            turned = kind(np.array([[1.0, 0], [-1, 0], [1, 0], [1, 2]]))
            assert equal_rows(turned, [1, -1, 1, 1], 2, True) == [0, 2]
            assert equal_rows(turned, [1, -1, 1, 1], 2, False) == [0, 1, 2]
            assert equal_rows(turned, [1, 1, -1, 1], 1, False) == [1, 2]


# Cones of planes


def test_cones_that_count_nothing_or_too_much():
    whole = Cones(((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))), bytes([255] * 4))
    reading, y = ExactMatrix(np.array([[1.0], [2.0]]), False), np.array([1, -1], dtype=np.int8)

    def least(*weights):
        exact = tuple(map(Fraction, weights))
        return cones.least_errors_of_cones(whole, reading, y, exact, True)

    assert least(0, 0) == 0
    assert "too many digits" in least(cones.MOST_WEIGHT - 1, 1)
    assert least(cones.MOST_WEIGHT - 2, 1) == 0
    with mock.patch.object(cones, "MOST_NUMBERS", 4):
        assert least(1, 1) == 0
    with mock.patch.object(cones, "MOST_NUMBERS", 3):
        assert "too many numbers" in least(1, 1)
