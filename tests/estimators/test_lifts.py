from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_circles, make_moons
from tests.estimators.problems import versicolor_virginica

from novikoff import separate, verify
from novikoff.errors import LabelError, LimitError, OptionError
from novikoff.estimators.lifts import lift_until_separable

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def assert_proven(search, X, y):
    """Every step's certificate, checked against the lifted points."""
    for step in search.steps:
        lifted = step.transform(X)
        assert lifted.shape == (len(y), step.q)
        assert verify(step.verdict.certificate(), lifted, y).valid


def test_xor_needs_degree_two_where_the_product_does_it():
    y = [0, 1, 1, 0]
    search = lift_until_separable(XOR, y)
    assert [(step.name, step.q, step.verdict.word) for step in search.steps] == [
        ("raw", 2, "overlapping"),
        ("degree 2", 5, "separable"),
    ]
    step = search.smallest
    assert step.exact
    weights = dict(zip(step.verdict.names, step.verdict.weights, strict=True))
    assert max(weights, key=lambda name: abs(weights[name])) == "x0 x1"
    assert_proven(search, XOR, y)
    assert str(search).endswith("Separable after the lift “degree 2” to 5 features.")


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_parity_of_k_bits_needs_degree_k(k):
    X = np.array(list(product([0, 1], repeat=k)))
    y = X.sum(axis=1) % 2
    search = lift_until_separable(X, y, max_degree=k)
    assert len(search.steps) == k
    assert [step.verdict.word for step in search.steps[:-1]] == ["overlapping"] * (k - 1)
    assert search.smallest is search.steps[-1]
    assert_proven(search, X, y)


def test_a_circle_needs_squares():
    X, y = make_circles(100, noise=0.05, factor=0.4, random_state=0)
    search = lift_until_separable(X, y)
    assert search.smallest.name == "degree 2"
    assert_proven(search, X, y)


def test_rbf_features_come_after_the_polynomials():
    X, y = make_moons(150, noise=0.15, random_state=0)
    search = lift_until_separable(X, y, max_degree=1, rbf=(2, 150))
    assert [step.name for step in search.steps] == [
        "raw",
        "RBF, 2 components",
        "RBF, 150 components",
    ]
    assert search.smallest.q == 150
    assert not search.smallest.exact
    assert_proven(search, X, y)


def test_when_no_lift_helps():
    X, y = [[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1]
    search = lift_until_separable(X, y, max_degree=3, rbf=(2,))
    assert search.smallest is None
    assert {step.verdict.word for step in search.steps} <= {"touching", "overlapping"}
    assert str(search).endswith("No lift that was tried makes the classes separable.")


def test_decimals_are_lifted_as_the_decimals_they_are():
    X, y = versicolor_virginica()
    written = lift_until_separable(X, y, decimals=True)
    assert [step.exact for step in written.steps] == [True, True]
    lifted = written.smallest.transform(X)
    assert (lifted == np.rint(lifted)).all()
    binary = lift_until_separable(X, y)
    assert [step.exact for step in binary.steps] == [True, False]
    assert_proven(written, X, y)


def test_a_lift_that_rounds_does_not_call_itself_exact():
    X = np.array([[1 + 2.0**-40], [0.5], [3.0]])
    search = lift_until_separable(X, [1, 0, 0], max_degree=2, rbf=())
    assert [step.exact for step in search.steps] == [True, False]
    assert search.steps[1].transform(X)[0, 1] != Fraction(X[0, 0]) ** 2
    assert_proven(search, X, [1, 0, 0])


def test_fractions_are_scaled_to_whole_numbers():
    X = np.array([[Fraction(1, 3)], [Fraction(2, 3)], [Fraction(1)]], dtype=object)
    search = lift_until_separable(X, [0, 1, 0])
    assert search.smallest.name == "degree 2"
    assert search.smallest.exact
    assert search.smallest.transform(X).tolist() == [[1, 1], [2, 4], [3, 9]]


def test_sparse_points_and_names():
    search = lift_until_separable(sp.csr_array(XOR), [0, 1, 1, 0], names=["a", "b"])
    assert search.smallest.verdict.names == ("a", "b", "a^2", "a b", "b^2")


def test_a_lift_that_would_not_fit_is_refused_with_an_estimate():
    X = np.random.default_rng(0).normal(size=(1000, 100))
    y = np.arange(1000) % 2
    message = (
        "the lift “degree 2” of 1,000 rows has 5,150 features and would take 39.3 MB, more than "
        r"max_bytes allows \(9.5 MB\). Tried so far: raw: overlapping"
    )
    with pytest.raises(LimitError, match=message):
        lift_until_separable(X, y, max_bytes=1e7)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_degree": 0}, "max_degree must be a whole number of at least 1; got 0"),
        ({"rbf": (0,)}, "rbf must be a whole number of at least 1; got 0"),
        ({"max_bytes": -1}, "max_bytes must be a positive number; got -1"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        lift_until_separable(XOR, [0, 1, 1, 0], **options)


def test_three_classes_are_refused():
    with pytest.raises(LabelError, match="3 classes"):
        lift_until_separable(XOR, [0, 1, 2, 0])


LONG = 123456789012345


def test_decimals_that_outgrow_float64_are_lifted_as_python_numbers():
    """Times 1000, the first column is beyond 2⁵³: rounded there, the classes came apart."""
    X = [[0, 0], [3 * LONG, 3], [LONG, 1], [0.001, 0]]
    y = [0, 0, 1, 0]
    assert separate(X, y, decimals=True).word == "touching"
    search = lift_until_separable(X, y, decimals=True, max_degree=2)
    assert search.steps[0].verdict.word == "touching"
    assert [step.exact for step in search.steps[:2]] == [True, True]
    assert search.steps[0].transform(X)[3, 0] == Fraction(1, 1000)
    assert_proven(search, X, y)


def test_decimals_are_numerators_and_not_their_neighbours():
    """Numerators between 2⁵⁰ and 2⁵³, where a rounded product may be off by one."""
    column = [9007199254740.99, 9007199254740.98, 4503599627370.51, 0.01]
    search = lift_until_separable(np.array([column]).T, [0, 1, 0, 1], decimals=True, max_degree=1)
    lifted = search.steps[0].transform(np.array([column]).T)
    assert [int(x) for x in lifted[:, 0]] == [900719925474099, 900719925474098, 450359962737051, 1]


@pytest.mark.parametrize("power", [-1070, -900, -600, -300, 300, 600, 1000])
@pytest.mark.parametrize("storage", [np.array, sp.csr_array])
def test_lifts_at_every_size(power, storage):
    """Squares of 2⁻⁶⁰⁰ vanish, and those of 2⁶⁰⁰ are infinite: the answer is that of 5, 4, 4, 5."""
    X, y = np.array([[-5.0], [-4.0], [4.0], [5.0]]) * 2.0**power, [0, 1, 1, 0]
    search = lift_until_separable(storage(X), y)
    words = [(step.name, step.exact, step.verdict.word) for step in search.steps]
    assert words == [("raw", True, "overlapping"), ("degree 2", True, "separable")]
    assert_proven(search, storage(X), y)


def test_products_that_vanish_are_not_called_exact():
    X, y = np.array([[1.0], [-1.0], [2.0**-600], [0.0]]), [0, 1, 1, 0]
    search = lift_until_separable(X, y, max_degree=2, rbf=())
    assert [step.exact for step in search.steps] == [True, False]
    assert_proven(search, X, y)


def test_integers_that_float64_cannot_hold_are_lifted_exactly():
    X, y = np.array([[2**53], [2**53 + 1], [2**53 + 2]]), [0, 1, 0]
    search = lift_until_separable(X, y)
    assert search.smallest.name == "degree 2"
    assert search.smallest.exact
    assert search.smallest.transform(X)[1, 1] == (2**53 + 1) ** 2
    assert_proven(search, X, y)
    huge = np.array([[Fraction(10) ** 400], [Fraction(2)], [Fraction(3)]], dtype=object)
    search = lift_until_separable(huge, [1, 0, 0])
    assert search.smallest.name == "raw"
    assert_proven(search, huge, [1, 0, 0])


def test_new_points_are_scaled_and_not_rounded():
    X, y = np.array([[0.1], [0.2], [0.3]]), [0, 1, 0]
    search = lift_until_separable(X, y, decimals=True)
    assert search.smallest.transform(np.array([[0.25]]))[0, 0] == 2.5
