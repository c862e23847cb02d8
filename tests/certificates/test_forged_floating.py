"""A proof in floating point is accepted only where an exact proof exists, at any scale."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from tests.oracles import faces

import novikoff
from novikoff.certificates import floating_point
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.floating_point import positive_solution_reason
from novikoff.certificates.form import FLOATING
from novikoff.exact.existence import positive_solution_exists
from novikoff.exact.points import ExactProblem
from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.problem import Problem

KINDS = [
    "small",
    "dyadic",
    "general",
    "decimal",
    "subnormal",
    "mixed",
    "near 2^53",
    "float32",
    "big",
]


def forged(X, y, rows, alpha, *, fit_intercept=True, decimals=False):
    problem = Problem.of(X, y, fit_intercept=fit_intercept)
    return Certificate.overlapping(problem, rows, alpha, decimals=decimals, proof=FLOATING)


def is_accepted(X, y, rows, alpha, **options):
    return novikoff.verify(forged(X, y, rows, alpha, **options), X, y).valid


@pytest.mark.parametrize("exponent", [0, -150, -165, -200, -300, -307, 150, 300])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_tiny_multipliers_prove_no_overlap_of_separable_data(exponent, fit_intercept):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3))
    y = np.where(X @ [1.0, 1.0, 1.0] > 0, 1, -1)
    X += y[:, None] * 0.67
    assert novikoff.separate(X, y, fit_intercept=fit_intercept).word == "separable"
    alpha = rng.uniform(0.5, 1.0, 40) * 10.0**exponent
    assert not is_accepted(X, y, range(40), alpha.tolist(), fit_intercept=fit_intercept)
    points = ExactProblem.of(Problem.of(X, y, fit_intercept=fit_intercept))
    assert not positive_solution_exists(points, np.arange(40), alpha)


def test_a_column_that_is_constant_on_the_rows_of_alpha_only_counts_in_the_rank():
    X = np.array([[-1, 0], [1, 0], [-1, 0], [1, 0], [0, -1], [0, 1]], dtype=float)
    y = np.array([0, 0, 1, 1, 0, 1])
    assert novikoff.separate(X, y).word == "touching"
    certificate = forged(X, y, [0, 1, 2, 3], [1, 1, 1, 1])
    verification = novikoff.verify(certificate, X, y)
    assert not verification.valid
    assert "do not span all rows" in verification.reason


def test_decimals_of_subnormal_numbers_are_not_within_a_relative_rounding():
    X = np.array([[38, 24], [21, 20], [-13, 39], [-30, -29]]) * 5e-324
    y = np.array([0, 1, 1, 1])
    exactly = [[Fraction(repr(value)) for value in row] for row in X.tolist()]
    assert faces(exactly, np.where(y > 0, 1, -1).tolist(), False)[0] == "separable"
    options = {"fit_intercept": False, "decimals": True}
    assert novikoff.separate(X, y, exact=False, **options).word != "overlapping"
    binary = novikoff.separate(X, y, fit_intercept=False)
    assert binary.word == "overlapping"
    alpha = binary.alpha_float.tolist()
    assert is_accepted(X, y, binary.rows, alpha, fit_intercept=False)
    assert not is_accepted(X, y, binary.rows, alpha, **options)
    points = ExactProblem.of(Problem.of(X, y, fit_intercept=False), decimals=True)
    assert not positive_solution_exists(points, binary.rows, binary.alpha_float)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e308])
@pytest.mark.parametrize("n", [4, 8, 16])
def test_whatever_is_proposed_for_an_inverse_proves_no_rank_too_high(value, n, monkeypatch):
    rng = np.random.default_rng(0)

    def proposed(C):
        inverse = np.linalg.pinv(C) @ np.linalg.qr(C)[0]
        inverse[:, 2] = rng.normal(size=3)
        inverse[rng.integers(3), 2] = value
        return inverse

    monkeypatch.setattr(floating_point, "orthonormalizer", proposed)
    for _ in range(40):
        half = rng.integers(-2, 3, (n, 2)) @ [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]  # of rank 2
        if np.linalg.matrix_rank(half) < 2 or not half.any(axis=0).all():
            continue
        reading = ExactMatrix(np.vstack([half, -half]), decimals=False)
        of_rows = np.ones(2 * n, np.int8), range(2 * n), [Fraction(1)] * (2 * n)
        reason = positive_solution_reason(reading, *of_rows, with_one=False)
        assert reason == floating_point.NOT_PROVEN


def test_rows_of_zeros_need_no_solution():
    X, y = np.zeros((3, 2)), np.array([0, 1, 1])
    assert is_accepted(X, y, range(3), [1.0, 2.0, 3.0], fit_intercept=False)
    assert is_accepted(X, y, [1], [1.0], fit_intercept=False)
    assert not is_accepted(X, y, [1, 2], [1.0, 1.0])


def test_decimals_far_beyond_float64_once_whole_are_no_crash():
    X, y = np.array([[0.0], [2e-160], [0.0], [-2e160]]), np.array([-1, 1, 1, -1])
    assert not is_accepted(X, y, [0, 1, 2], [1.0, 1.0, 1.0], decimals=True)
    assert not is_accepted(X, y, range(4), [1.0, 1.0, 1.0, 1.0], decimals=True)


@pytest.mark.parametrize("last", [[2**53, 2**53 + 1], [2**53 + 1, 2**53 + 1]])
def test_long_integers_in_other_rows_are_not_compared_as_floats(last):
    # On the rows of α the columns are copies; in the last row float64 would make them so.
    column = np.array([-2, -1, 1, 2, -3, 3])
    X = np.vstack([np.column_stack([column, column]), last]).astype(np.int64)
    y = np.array([-1, 1, -1, 1, 1, -1, 1], dtype=np.int8)
    alpha = list(map(Fraction, [2, 1, 1, 2, 1, 1]))
    reason = positive_solution_reason(ExactMatrix(X, False), y, range(6), alpha, with_one=True)
    assert reason is not None
    floats = ExactMatrix(X[:6].astype(float), False)
    assert positive_solution_reason(floats, y[:6], range(6), alpha, with_one=True) is None


def test_alpha_beyond_float64_is_refused_and_is_no_crash():
    X, y = np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([0, 0, 1, 1])
    with pytest.raises(novikoff.errors.CertificateError, match="float64 numbers"):
        forged(X, y, range(4), [10**400, 1, 1, 1])


def test_long_integers_have_proofs_in_floating_point_too():
    rng = np.random.default_rng(0)
    X, y = rng.integers(-(2**60), 2**60, (700, 260)), rng.integers(0, 2, 700)
    certificate = novikoff.separate(X, y, exact=False).certificate()
    assert (certificate.proof, certificate.encoding) == (FLOATING, "fractions")
    assert novikoff.verify(certificate, X, y).valid
    X[:, 0] += 1
    assert not novikoff.verify(certificate, X, y).valid


@st.composite
def problems(draw):
    """Small data of every kind of numbers, often degenerate; labels; and what to try."""
    kind = draw(st.sampled_from(KINDS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d = int(rng.integers(4, 9)), int(rng.integers(1, 4))
    X = rng.integers(-3, 4, (n, d)).astype(float)
    if kind == "dyadic":
        X /= 2.0 ** rng.integers(0, 9, (n, d))
    elif kind == "general":
        X = rng.normal(size=(n, d))
    elif kind == "decimal":
        X = np.round(rng.normal(size=(n, d)), 1)
    elif kind == "subnormal":
        X = rng.integers(-40, 40, (n, d)) * 5e-324
    elif kind == "mixed":
        X = np.ldexp(X, rng.integers(-1000, 1000, (n, 1)) // rng.choice([1, 10, 100]))
        X = np.ldexp(X, rng.integers(-20, 20, (1, d)))
    elif kind == "near 2^53":
        X = X + 2.0**53 * rng.choice([-1.0, 1.0], (n, d))
    elif kind == "float32":
        X = rng.normal(size=(n, d)).astype(np.float32)
    elif kind == "big":
        X = rng.integers(-2, 3, (n, d)) + rng.choice([-1, 1], (n, d)) * np.int64(2**62)
    if d > 1 and rng.random() < 0.4:  # a copy, or a constant, on some of the rows or on all
        some = slice(0, n if rng.random() < 0.5 else n - 1)
        X[some, 0] = X[some, 1] * rng.choice([-2, 0, 1]) if kind != "big" else X[some, 1]
    if rng.random() < 0.3:
        X[: n // 2] = X[n - n // 2 :]
    if rng.random() < 0.2:
        X = X.astype(X.dtype.newbyteorder(">"))
    y = rng.choice([-1, 1], n)
    y[:2] = -1, 1
    fit_intercept, decimals = bool(rng.random() < 0.6), bool(rng.random() < 0.3)
    return X, y, fit_intercept, decimals, rng


def exact_rows(X, decimals):
    """The numbers as the certificate reads them."""
    reading = ExactMatrix(Problem.of(X, [0, 1] * len(X[:1]) + [1] * (len(X) - 2)).X, decimals)
    columns = []
    for j in range(X.shape[1]):
        integers, factors = reading.integers(list(range(len(X))), [j])
        columns.append([Fraction(int(value)) / factors[0] for value in integers[:, 0]])
    return [list(row) for row in zip(*columns, strict=True)]


def near_alpha(rows, y, fit_intercept, rng):
    """Multipliers that nearly add up to 0, from a linear program in floating point."""
    A = [
        [label * value for value in [*row, *[Fraction(1)] * fit_intercept]]
        for row, label in zip(rows, y.tolist(), strict=True)
    ]
    sizes = [max(abs(row[j]) for row in A) or 1 for j in range(len(A[0]))]
    floats = np.array([[float(v / s) for v, s in zip(row, sizes, strict=True)] for row in A])
    cost = rng.normal(size=len(A))
    found = linprog(cost, A_eq=floats.T, b_eq=np.zeros(len(sizes)), bounds=(1, 1e3))
    return found.x if found.status == 0 else rng.uniform(0.5, 1.5, len(A))


@given(problems())
@settings(deadline=None, max_examples=400)
def test_what_is_accepted_has_an_exact_proof(case):
    X, y, fit_intercept, decimals, rng = case
    problem = Problem.of(X, y, fit_intercept=fit_intercept)
    rows = exact_rows(X, decimals)
    alpha = near_alpha(rows, y, fit_intercept, rng)
    alpha = np.ldexp(alpha, int(rng.choice([0, 0, -1060, -540, 900])))
    some = (
        np.arange(len(y)) if rng.random() < 0.6 else np.sort(rng.permutation(len(y))[: len(y) - 1])
    )
    alpha = np.maximum(alpha[some], 5e-324).tolist()
    reading = ExactMatrix(problem.X, decimals)
    reason = positive_solution_reason(
        reading, problem.y, some.tolist(), list(map(Fraction, alpha)), with_one=fit_intercept
    )
    event(f"accepted: {reason is None}")
    if reason is None:
        word, _ = faces(rows, y.tolist(), fit_intercept)
        assert word == "overlapping"
    if len(some) == len(y) and positive_solution_exists(
        ExactProblem.of(problem, decimals=decimals), some, np.array(alpha)
    ):
        assert reason is None  # whatever the prover proves, the verifier accepts


@given(st.integers(0, 2**32), st.integers(-300, 300))
@settings(deadline=None, max_examples=60)
def test_powers_of_two_change_no_answer(seed, power):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 12)), int(rng.integers(1, 4))
    X, y = rng.normal(size=(n, d)), rng.choice([-1, 1], n).astype(np.int8)
    alpha = near_alpha([list(map(Fraction, row)) for row in X.tolist()], y, False, rng)

    def answer(X, alpha):
        fractions = list(map(Fraction, alpha.tolist()))
        return positive_solution_reason(
            ExactMatrix(X, False), y, range(n), fractions, with_one=False
        )

    expected = answer(X, alpha)
    assert answer(X, np.ldexp(alpha, power)) == expected
    by_column = rng.integers(-300, 300, d)
    assert answer(np.ldexp(X, by_column), alpha) == expected
    by_row = rng.integers(-300, 300, n)
    assert answer(np.ldexp(X, by_row[:, None]), np.ldexp(alpha, -by_row)) == expected
