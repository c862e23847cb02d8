"""Where floating point lies: every trap that broke another tool, and the answer that is right."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from tests.separability.checks import check_margins, check_proof

from novikoff.certificates.verify import verify
from novikoff.separability.api import separate
from novikoff.separability.verdicts import Overlapping, Separable, Touching

pytestmark = pytest.mark.slow


def ulps(x, steps):
    """The float64 that many steps above x."""
    for _ in range(abs(steps)):
        x = np.nextafter(x, np.inf if steps > 0 else -np.inf)
    return float(x)


@pytest.mark.parametrize("gap", [1e-8, 1e-10, 1e-16, 1e-200, 5e-324])
def test_a_small_gap_is_a_gap(gap):
    X, y = [[0.0], [gap], [-1.0], [1.0]], [0, 1, 0, 1]
    verdict = separate(X, y)
    assert isinstance(verdict, Separable)
    check_proof(verdict, X, y)
    assert verdict.exact_margin_squared == (Fraction(gap) / 2) ** 2


@pytest.mark.parametrize("gap", [1e-9, 1e-16, 5e-324])
def test_a_small_overlap_is_an_overlap(gap):
    X, y = [[gap], [0.0], [-1.0], [1.0]], [0, 1, 0, 1]
    verdict = separate(X, y)
    assert isinstance(verdict, Overlapping)
    check_proof(verdict, X, y)


@pytest.mark.parametrize("at", [1.0, 1e8, 1e300, 1e-300, 0.1])
@pytest.mark.parametrize(
    ("steps", "word"), [(1, "separable"), (0, "touching"), (-1, "overlapping")]
)
def test_one_unit_in_the_last_place_decides(at, steps, word):
    X, y = [[at], [ulps(at, steps)], [at / 2], [at * 2]], [0, 1, 0, 1]
    verdict = separate(X, y)
    assert verdict.word == word
    check_proof(verdict, X, y)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_one_unit_in_the_last_place_decides_in_the_plane(d):
    # Points of a plane w·x = 0 with w = (1, …, 1), then one moved by the least amount there is.
    rng = np.random.default_rng(d)
    base = rng.integers(-(2**20), 2**20, (8, d)).astype(float)
    base[:, -1] = -base[:, :-1].sum(axis=1)
    shift = np.zeros(d)
    shift[0] = 2.0**-20
    X = np.vstack([base, base + 4 * shift])
    y = [0] * 8 + [1] * 8
    verdict = separate(X, y)
    assert isinstance(verdict, Separable)
    check_proof(verdict, X, y)
    X[8] = X[0]
    touching = separate(X, y)
    assert isinstance(touching, Touching)
    check_proof(touching, X, y)
    X[8, 0] = np.nextafter(X[0, 0], -np.inf)
    overlapping = separate(X, y)
    check_proof(overlapping, X, y)
    assert overlapping.word != "separable" or d > 8


def gaussian(n=200, d=5, flipped=False):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = (X @ rng.normal(size=d) > 0).astype(int)
    if flipped:
        y[3] = 1 - y[3]
    return X, y


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("scale", [1e-10, 1e-300, 1e300, 1e-150, 1e150])
def test_scaling_all_of_the_data(scale, flipped):
    X, y = gaussian(flipped=flipped)
    verdict = separate(X * scale, y)
    assert verdict.word == ("overlapping" if flipped else "separable")
    check_proof(verdict, X * scale, y)
    if not flipped:
        check_margins(verdict)


@pytest.mark.parametrize("flipped", [False, True])
def test_scaling_columns_by_all_that_float64_holds(flipped):
    X, y = gaussian(flipped=flipped)
    X = X * np.array([1e300, 1e-300, 1.0, 1e150, 1e-10])
    verdict = separate(X, y)
    assert verdict.word == ("overlapping" if flipped else "separable")
    check_proof(verdict, X, y)


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("offset", [100.0, 1e8, -1e12])
def test_far_from_the_origin(offset, flipped):
    X, y = gaussian(flipped=flipped)
    verdict = separate(X + offset, y)
    check_proof(verdict, X + offset, y)
    if abs(offset) <= 1e8:
        assert verdict.word == ("overlapping" if flipped else "separable")


def fibonacci(d):
    """Rows that force w_k > w_{k-1} + w_{k-2}, so that the margin is about φ^−d; no bias."""
    X = np.eye(d, dtype=int) - np.eye(d, k=-1, dtype=int) - np.eye(d, k=-2, dtype=int)
    y = np.where(np.arange(d) % 2, 1, -1)
    return X * y[:, None], y


def decision_list(d):
    """{0,1} points: the first 1 decides by its parity, whatever two later ones say; 2d points."""
    eye = np.eye(d, dtype=int)
    later = eye + np.eye(d, k=1, dtype=int) + np.eye(d, k=3, dtype=int)
    return np.vstack([eye, later]), np.tile(np.arange(d) % 2, 2)


@pytest.mark.parametrize("d", [20, 36, 60, 80, 120])
def test_exponentially_small_margins(d):
    X, y = fibonacci(d)
    verdict = separate(X, y, fit_intercept=False)
    assert isinstance(verdict, Separable)
    check_proof(verdict, X, y)
    # One row more says w_0 < 0, where the chain says w_0 > 0.
    against = np.vstack([X, y[0] * X[0]])
    verdict = separate(against, np.append(y, -1), fit_intercept=False)
    assert verdict.word != "separable"
    check_proof(verdict, against, np.append(y, -1))


@pytest.mark.parametrize("d", [36, 80, 120])
def test_exponentially_small_margins_of_zeros_and_ones(d):
    X, y = decision_list(d)
    verdict = separate(X, y)
    assert isinstance(verdict, Separable)
    check_proof(verdict, X, y)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits])
def test_all_pairs_of_classes(load):
    data = load()
    for a, b in combinations(np.unique(data.target), 2):
        rows = (data.target == a) | (data.target == b)
        X, y = data.data[rows], data.target[rows]
        verdict = separate(X, y)
        expected = Overlapping if load is load_iris and (a, b) == (1, 2) else Separable
        assert isinstance(verdict, expected), (a, b)
        if isinstance(verdict, Separable):
            assert (np.where(y == b, 1, -1) * (X @ verdict.weights + verdict.intercept) > 0).all()
            assert verdict.margin.upper < verdict.margin.lower * (1 + 1e-6)
        else:
            check_proof(verdict, X, y)


def test_breast_cancer_as_it_is():
    X, y = load_breast_cancer(return_X_y=True)
    verdict = separate(X, y)
    assert isinstance(verdict, Separable)
    check_proof(verdict, X, y)
    check_margins(verdict)
    assert f"{verdict.margin.lower:.8e}" == "4.13713684e-05"
    assert float(verdict.exact_margin_squared) ** 0.5 in verdict.margin
    assert separate(X, y, decimals=True).word == "separable"


def test_breast_cancer_standardised_and_scaled():
    X, y = load_breast_cancer(return_X_y=True)
    assert separate((X - X.mean(axis=0)) / X.std(axis=0), y).word == "separable"
    rng = np.random.default_rng(1)
    for scales in (10.0 ** rng.choice([-6, 6], 30), 10.0 ** rng.uniform(-6, 6, 30)):
        verdict = separate(X * scales, y)
        assert isinstance(verdict, Separable)
        check_proof(verdict, X * scales, y)
        assert 0 < verdict.margin.lower <= verdict.margin.upper < 1


@pytest.mark.parametrize("d", range(2, 11))
def test_parity(d):
    X = np.array(list(product([0, 1], repeat=d)))
    verdict = separate(X, X.sum(axis=1) % 2)
    assert isinstance(verdict, Overlapping)
    check_proof(verdict, X, X.sum(axis=1) % 2)


@pytest.mark.parametrize(
    ("X", "y", "word"),
    [
        ([[3.0, 1.0], [3.0, 2.0]], [0, 1], "separable"),
        ([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [0, 1, 1], "separable"),
        ([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [0, 1, 0], "overlapping"),
        ([[-1.0], [0.0], [0.0], [1.0]], [0, 0, 1, 1], "touching"),
        ([[0.0, 1.0], [0.0, 1.0]], [0, 1], "overlapping"),
        (np.zeros((4, 2)), [0, 1, 0, 1], "overlapping"),
    ],
)
def test_few_points(X, y, word):
    verdict = separate(X, y)
    assert verdict.word == word
    check_proof(verdict, X, y)


def test_contradictory_duplicates_have_two_rows():
    # The same point in both classes, and otherwise apart: touching, and two rows say why.
    X = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [2.0, 1.0], [-1.0, 1.0], [-1.0, -3.0]])
    verdict = separate(X, [0, 1, 1, 1, 0, 0])
    assert isinstance(verdict, Touching)
    assert verdict.rows.tolist() == [0, 1]
    assert verdict.alpha == (1, 1)
    assert verdict.certificate().rows == (0, 1)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
    X[7], y[7] = X[3], 1 - y[3]
    verdict = separate(X, y)
    assert isinstance(verdict, Overlapping)
    assert verdict.contradiction == (3, 7)
    pair = verdict.contradiction_certificate()
    assert (pair.kind, pair.rows, pair.alpha) == ("not separable", (3, 7), (1, 1))
    assert verify(pair, X, y).valid
    X[7, 0] += 1.0
    assert separate(X, y).contradiction_certificate() is None


def test_norms_beyond_float64():
    # Every number fits, but no length of a row does: the verdict stands, the bound is open above.
    X, y = [[1e308, 1e308], [1.5e308, -1e308], [-1e308, 1e308], [1e308, -1.7e308]], [0, 1, 0, 1]
    verdict = separate(X, y)
    assert isinstance(verdict, Separable)
    check_proof(verdict, X, y)
    assert verdict.mistake_bound.upper == np.inf


def test_a_class_of_one_point():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(50, 3))
    y = np.zeros(50)
    y[11] = 1
    X[11] = 0.0
    inside = separate(X, y)
    assert isinstance(inside, Overlapping)
    check_proof(inside, X, y)
    X[11] = 100.0
    assert isinstance(separate(X, y), Separable)


@pytest.mark.parametrize(("n", "word"), [(30, "separable"), (200, "overlapping")])
def test_both_sides_of_covers_threshold(n, word):
    # n = 2d is where half of all labellings are separable: well below it nearly all, above none.
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(n, 30)), rng.permutation(np.arange(n) % 2)
        verdict = separate(X, y)
        assert verdict.word == word
        assert verdict.word == separate(X, y, exact=False).word


def test_decimals_are_decimals():
    # One tenth, two tenths, three tenths: 0.2 is the middle of the others, in decimals only.
    X, y = [[0.1, 1.0], [0.3, 2.0], [0.2, 1.5]], [0, 0, 1]
    assert separate(X, y).word == "separable"
    verdict = separate(X, y, decimals=True)
    assert isinstance(verdict, Overlapping)
    assert verdict.decimals
    check_proof(verdict, X, y, read=lambda value: Fraction(repr(value)))


def test_decimals_with_a_tiny_gap_separate():
    X, y = [[0.1], [0.10000000000001]], [0, 1]
    verdict = separate(X, y, decimals=True)
    assert isinstance(verdict, Separable)
    check_proof(verdict, X, y, read=lambda value: Fraction(repr(value)))
    assert verdict.exact_margin_squared == (Fraction(1, 10**14) / 2) ** 2


def test_fractions_beyond_float64():
    gap = Fraction(1, 10**30)
    X = np.array([[Fraction(1, 3)], [Fraction(1, 3) + gap]])
    verdict = separate(X, [0, 1])
    assert isinstance(verdict, Separable)
    check_proof(verdict, X, [0, 1])
    assert verdict.exact_margin_squared == gap**2 / 4


def test_logistic_regression_that_statsmodels_calls_converged():
    verdict = separate([[-1.0], [0.0], [0.0], [1.0]], [0, 0, 1, 1], names=["x"])
    assert isinstance(verdict, Touching)
    assert verdict.columns == ("x",)
    assert verdict.rows_on_plane.tolist() == [1, 2]


def test_the_smallest_number_beside_two_that_contradict_each_other():
    X, y = [[2.0], [5e-324], [2.0]], [1, -1, -1]
    verdict = separate(X, y)
    assert isinstance(verdict, Touching)
    check_proof(verdict, X, y)
