"""What the theory's functions claim, held against rational numbers: at any size, with any bias."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff
from novikoff.errors import DataError, LabelError, NotFiniteError, OptionError, ShapeError

SIZES = [5e-324, 1e-310, 1e-200, 1e-100, 1.0, 1e100, 1e200, 1e300]
FLOATS = st.one_of(
    st.floats(-3, 3, width=16),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, 5e-324, -5e-324, 1e-310, 1e-160, 1e160, -1e300, 1.7e308]),
)


def nearest_side(w, b, X, y) -> Fraction:
    return min(
        label * (sum(Fraction(a) * Fraction(x) for a, x in zip(w, row, strict=True)) + Fraction(b))
        for row, label in zip(X, y, strict=True)
    )


def length(values) -> Fraction:
    """√Σv², to 200 digits."""
    square = sum(Fraction(value) ** 2 for value in values)
    return Fraction(math.isqrt(square.numerator * square.denominator * 100**400), 10**400) / (
        square.denominator
    )


@st.composite
def planes(draw):
    d = draw(st.integers(1, 3))
    X = draw(st.lists(st.lists(FLOATS, min_size=d, max_size=d), min_size=2, max_size=5))
    w = draw(st.lists(FLOATS, min_size=d, max_size=d))
    others = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X) - 2, max_size=len(X) - 2))
    return X, [-1, 1, *others], w, draw(FLOATS)


@settings(max_examples=150, deadline=None)
@given(planes(), st.booleans())
def test_margins_are_those_of_the_rational_numbers(case, fit_intercept):
    X, y, w, b = case
    b = b if fit_intercept else 0.0
    exact = nearest_side(w, b, X, y)
    for storage in (np.array, sp.csr_array):
        found = novikoff.margins((w, b), storage(X), y, fit_intercept=fit_intercept)
        assert_near(found.functional, exact)
        for value, weights in ((found.augmented, [*w, b]), (found.geometric, w)):
            if any(weights):
                assert_near(value, exact / length(weights))
            else:
                assert math.isnan(value)


def assert_near(value, exact):
    """Of the right sign always, 0 only for 0, and right to the last digits but two."""
    assert (value > 0, value < 0) == (exact > 0, exact < 0)
    if math.isinf(value):
        assert abs(exact) > Fraction(1.79e308)
    elif abs(exact) > Fraction(1e-307):
        assert abs(Fraction(value) / exact - 1) < Fraction(2) ** -51


@pytest.mark.parametrize("function", [novikoff.margins, novikoff.mistake_bound_of])
def test_without_a_bias_there_is_no_bias(function):
    X, y = [[1.0], [2.0]], [-1, 1]
    with pytest.raises(DataError, match=r"bias -1\.5, and with fit_intercept=False there is none"):
        function(([1.0], -1.5), X, y, fit_intercept=False)
    run = novikoff.trace(X, y, fit_intercept=False, max_iter=5)
    with pytest.raises(DataError, match="bias"):
        novikoff.inequalities(run, ([1.0], -1.5))
    with pytest.raises(DataError, match="bias"):
        novikoff.trace(X, y, fit_intercept=False, max_iter=5, separator=([1.0], -1.5))
    with pytest.raises(DataError, match="not a separator"):
        novikoff.mistake_bound_of(([1.0], 0.0), X, y, fit_intercept=False)


@pytest.mark.parametrize("size", SIZES)
def test_a_separator_of_any_length_is_the_same_plane(size):
    X, y = [[2.0, 1.0], [-1.0, -3.0]], [1, -1]
    base = novikoff.mistake_bound_of(([1.0, 1.0], 0.0), X, y)
    assert novikoff.mistake_bound_of(([size, size], 0.0), X, y) == pytest.approx(base, rel=1e-12)
    found = novikoff.margins(([size, size], 0.0), X, y)
    assert found.augmented == pytest.approx(3 / math.sqrt(2), rel=1e-12)
    run = novikoff.trace(X, y)
    proof = novikoff.inequalities(run, ([size, size], 0.0))
    assert proof.hold
    assert proof.gamma == pytest.approx(3 / math.sqrt(2), rel=1e-12)
    assert (proof.cosine <= 1 + 1e-12).all()


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_numbers_that_are_none_give_no_margin(bad):
    X, y = [[1.0], [2.0]], [-1, 1]
    for separator in (([bad], 0.0), ([1.0], bad)):
        with pytest.raises(NotFiniteError, match="separator"):
            novikoff.margins(separator, X, y)
        with pytest.raises(NotFiniteError, match="separator"):
            novikoff.training_error(separator, X, y)
    with pytest.raises(ShapeError, match="pair"):
        novikoff.margins(3.0, X, y)
    with pytest.raises(DataError, match="numbers"):
        novikoff.margins((["a"], 0.0), X, y)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("storage", [np.array, sp.csr_array])
def test_the_radius_at_every_size(size, storage):
    X = np.array([[3.0, 4.0], [1.0, 0.0]]) * size
    exact = length(X[0].tolist())
    found = novikoff.radius(storage(X), fit_intercept=False)
    assert exact <= Fraction(found) <= exact * (1 + Fraction(1, 10**9)) + Fraction(5e-324)
    augmented = novikoff.radius(storage(X))
    exact = length([*X[0].tolist(), 1.0])
    assert exact <= Fraction(augmented) <= exact * (1 + Fraction(1, 10**9))


def test_a_radius_beyond_float64_is_refused():
    with pytest.raises(NotFiniteError, match="R = max"):
        novikoff.radius([[1.7e308, 1.7e308]])
    with pytest.raises(NotFiniteError, match="R = max"):
        novikoff.into_unit_ball([[1.7e308, 1.7e308]])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("storage", [np.array, sp.csr_array])
def test_the_unit_ball_at_every_size(size, storage):
    X = np.array([[3.0, -4.0], [1.0, 0.0]]) * size
    ball = novikoff.into_unit_ball(storage(X))
    dense = ball.X.toarray() if sp.issparse(ball.X) else ball.X
    assert dense == pytest.approx(np.array([[0.6, -0.8], [0.2, 0.0]]))
    assert ball.R == pytest.approx(5 * size)


def test_the_unit_ball_of_other_numbers():
    ball = novikoff.into_unit_ball([[Fraction(1, 3)], [Fraction(-2, 3)]])
    assert ball.X.tolist() == [[0.5], [-1.0]]
    assert ball == novikoff.into_unit_ball([[Fraction(1, 3)], [Fraction(-2, 3)]])
    assert ball != novikoff.into_unit_ball([[1.0], [2.0]])
    assert novikoff.into_unit_ball(np.array([[-128]], dtype=np.int8)).X.tolist() == [[-1.0]]
    assert novikoff.into_unit_ball([[0.0]]).R == 0.0
    with pytest.raises(DataError, match="cannot hold"):
        novikoff.into_unit_ball([[1e300, 1e-300]])
    with pytest.raises(DataError, match=r"beyond 2\*\*53"):
        novikoff.into_unit_ball([[2**53 + 1, 0]])


def test_the_positive_side_takes_signs_and_nothing_else():
    X = np.array([[-128], [1]], dtype=np.int8)
    turned = novikoff.to_positive_side(X, np.array([-1, 1], dtype=np.int8))
    assert turned.tolist() == [[128, -1], [1, 1]]
    with pytest.raises(LabelError, match="it has the label 0"):
        novikoff.to_positive_side(X, [0, 1])
    with pytest.raises(ShapeError, match="2 rows, but y has 1 labels"):
        novikoff.to_positive_side(X, [1])
    with pytest.raises(OptionError, match="fit_intercept"):
        novikoff.to_positive_side(X, [1, -1], fit_intercept="no")
    exact = novikoff.to_positive_side([[Fraction(1, 3)], [2**60 + 1]], [-1, 1])
    assert exact.tolist() == [[Fraction(-1, 3), -1], [2**60 + 1, 1]]
    assert novikoff.augment(np.array([[2**60 + 1]])).tolist() == [[2**60 + 1, 1]]


def test_norms_of_a_long_run_are_those_of_its_weights():
    """A million mistakes on XOR far from the origin: a sum carried along drifted, and below 0."""
    X = np.array([[0.1, 0.1], [0.1, 1.1], [1.1, 0.1], [1.1, 1.1]]) + 12345.678
    run = novikoff.trace(X, [-1, 1, 1, -1], max_iter=100_000, eta0=0.1)
    assert run.n_mistakes > 100_000
    assert (run.squared_norms >= 0).all()
    for k in np.linspace(1, run.n_mistakes, 7).astype(int):
        w, b = run.weights_after(int(k))
        exact = sum(Fraction(value) ** 2 for value in [*w.tolist(), b])
        assert Fraction(run.squared_norms[k - 1]) == pytest.approx(exact, rel=1e-14)
    w_star = np.array([1.0, -1.0, 1e-9])
    compared = run.compared_with((w_star[:2], w_star[2]))
    for k in np.linspace(1, run.n_mistakes, 7).astype(int):
        w, b = run.weights_after(int(k))
        pairs = zip([*w.tolist(), b], w_star.tolist(), strict=True)
        exact = sum(Fraction(u) * Fraction(v) for u, v in pairs)
        assert Fraction(compared.alignments[k - 1]) == pytest.approx(exact, rel=1e-13)


def test_a_run_with_a_row_that_was_no_mistake_does_not_hold():
    X, y = [[1.0, 0.2], [1.0, -0.2], [-1.0, 0.1]], [1, 1, -1]
    run = novikoff.trace(X, y)
    changed = novikoff.Trace(**{**vars(run), "rows": np.zeros(9, int), "rounds": np.arange(9)})
    assert novikoff.inequalities(run, ([1.0, 0.0], 0.0)).hold
    assert not novikoff.inequalities(changed, ([1.0, 0.0], 0.0)).hold


@pytest.mark.parametrize("eta0", [1e-300, 1e-200, 1e200, 1e300])
def test_steps_that_no_square_survives_are_refused_by_name(eta0):
    run = novikoff.trace([[1.0], [2.0]], [-1, 1], eta0=eta0, separator=([1.0], -1.5))
    assert run.status is novikoff.Status.CONVERGED
    with pytest.raises(NotFiniteError, match="eta0"):
        novikoff.inequalities(run)
    with pytest.raises(NotFiniteError, match="eta0"):
        _ = run.squared_norms
    assert (np.abs(run.cosines) <= 1 + 1e-12).all()


def test_a_trace_equals_itself_and_no_other():
    X, y = [[1.0], [2.0]], [-1, 1]
    run = novikoff.trace(X, y)
    assert run == run
    assert run == novikoff.trace(X, y)
    assert run != novikoff.trace([[1.0], [2.5]], y)
    assert run != novikoff.trace(X, y, eta0=2.0)
    assert run != "a trace"
    proof = novikoff.inequalities(run, ([1.0], -1.5))
    assert proof == novikoff.inequalities(run, ([1.0], -1.5))
    sparse = novikoff.trace(sp.csr_array(X), y)
    assert sparse == novikoff.trace(sp.csr_array(X), y)
    assert sparse != run
