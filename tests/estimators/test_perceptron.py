"""The perceptron's semantics: orders, ties, batches, storages, statuses, weights."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import ConvergenceWarning
from tests.oracles import float_perceptron, perceptron, worst_perceptron

import novikoff
from novikoff import Perceptron, Status

pytestmark = pytest.mark.slow

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, 1, 1, -1])
TIES = ["mistake", "+1", "-1"]

# Few distinct values, so that scores are often exactly 0; tenths, so that they are often nearly 0.
TIE_PRONE = st.sampled_from([0.0, 1.0, -1.0, 0.1, 0.2, 0.3, -0.3, 0.5, 1e-17, 3.0, 1e8, -1e8])
quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@st.composite
def problems(draw, values=TIE_PRONE, most=12):
    """Points and labels of both classes."""
    n, d = draw(st.integers(2, most)), draw(st.integers(1, 4))
    X = draw(hnp.arrays(np.float64, (n, d), elements=values))
    y = draw(hnp.arrays(np.int64, n, elements=st.sampled_from([-1, 1])))
    y[:2] = -1, 1
    return X, y


def weights(unit: Perceptron) -> list[float]:
    return [*unit.coef_[0], unit.intercept_[0]]


@quiet
@settings(max_examples=150, deadline=None)
@given(problems(), st.sampled_from(TIES), st.sampled_from([1.0, 0.1, 3.0]))
def test_same_bits_as_the_oracle(problem, tie, eta):
    X, y = problem
    unit = Perceptron(max_iter=3, tie=tie, eta0=eta).fit(X, y)
    expected, mistaken = float_perceptron(X, y, eta=eta, epochs=unit.n_iter_, tie=tie)
    assert weights(unit) == expected
    assert unit.n_mistakes_ == len(mistaken)


@quiet
@settings(max_examples=150, deadline=None)
@given(problems(), st.sampled_from(TIES), st.data())
def test_batches_and_storages_do_not_matter(problem, tie, data):
    X, y = problem
    cuts = sorted(data.draw(st.lists(st.integers(0, len(X)), max_size=4)))
    whole = Perceptron(max_iter=1, tie=tie, eta0=0.1).fit(X, y)
    for storage in (np.asarray, sp.csr_array, sp.csc_array):
        unit = Perceptron(tie=tie, eta0=0.1)
        for start, stop in zip([0, *cuts], [*cuts, len(X)], strict=True):
            if stop > start:
                unit.partial_fit(storage(X[start:stop]), y[start:stop], classes=[-1, 1])
        assert weights(unit) == weights(whole)
        assert unit.n_mistakes_ == whole.n_mistakes_
        assert weights(Perceptron(max_iter=1, tie=tie, eta0=0.1).fit(storage(X), y)) == weights(
            unit
        )


@quiet
@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from(TIES))
def test_the_worst_first_is_the_same_for_every_storage(problem, tie):
    X, y = problem
    unit = Perceptron(order="worst", max_iter=2, tie=tie).fit(X, y)
    expected, mistaken = worst_perceptron(X, y, rounds=unit.n_mistakes_, tie=tie)
    assert weights(unit) == expected
    assert len(mistaken) == unit.n_mistakes_
    assert (
        weights(Perceptron(order="worst", max_iter=2, tie=tie).fit(sp.csr_array(X), y)) == expected
    )


@pytest.mark.parametrize("order", ["shuffled", "random"])
def test_shuffled_and_random_orders(order):
    X, y = load_iris(return_X_y=True)
    y = np.where(y == 0, 1, -1)
    unit = Perceptron(order=order, random_state=5).fit(X, y)
    assert unit.status_ is Status.CONVERGED
    assert unit.score(X, y) == 1.0
    again = Perceptron(order=order, random_state=5).fit(X, y)
    other = Perceptron(order=order, random_state=6).fit(X, y)
    assert weights(unit) == weights(again) != weights(other)
    # A permutation shows every row once an epoch, draws with replacement do not.
    rows = novikoff.trace(X, y, order=order, random_state=5)
    assert [*rows.weights_after(rows.n_mistakes)[0]] == [*unit.coef_[0]]


def test_random_draws_alone_do_not_say_converged():
    # 59 rows are right after one mistake, the last is then wrong, and an epoch of 60 draws misses
    # it once in e times: without a look at every row some of these runs would stop there.
    X = np.array([[1.0, 0.0]] * 59 + [[1.0, 1.0]])
    y = np.array([1] * 59 + [-1])
    for seed in range(20):
        unit = Perceptron(order="random", fit_intercept=False, random_state=seed).fit(X, y)
        assert unit.status_ is Status.CONVERGED
        assert unit.score(X, y) == 1.0


@pytest.mark.parametrize(
    ("tie", "label_at_zero", "mistakes_at_zero"),
    [("mistake", 1, {-1, 1}), ("+1", 1, {-1}), ("-1", -1, {1})],
)
def test_tie_rules(tie, label_at_zero, mistakes_at_zero):
    for label in (-1, 1):
        # One row at the origin, no bias: its score is 0 for ever.
        X, y = [[0.0], [5.0 * -label]], [label, -label]
        run = novikoff.trace(X, y, tie=tie, fit_intercept=False, max_iter=1)
        assert (0 in run.rows) == (label in mistakes_at_zero)
    unit = Perceptron(tie=tie).fit([[-1.0], [1.0]], [-1, 1])
    unit.coef_, unit.intercept_ = np.zeros((1, 1)), np.zeros(1)
    assert unit.predict([[7.0]]).tolist() == [label_at_zero]


class TestStatus:
    def test_converged(self):
        unit = Perceptron().fit([[0.0], [1.0]], [0, 1])
        assert unit.status_ is Status.CONVERGED
        assert str(unit.status_) == "It converged: a whole epoch without a mistake."
        assert unit.mistakes_per_epoch_[-1] == 0
        assert unit.n_iter_ == len(unit.mistakes_per_epoch_)
        assert not hasattr(unit, "certificate_")

    @pytest.mark.parametrize("arithmetic", ["float64", "exact"])
    def test_cycled_with_its_proof(self, arithmetic):
        X, y = XOR
        unit = Perceptron(arithmetic=arithmetic).fit(X, y)
        assert unit.status_ is Status.CYCLED
        certificate = unit.certificate_
        assert certificate.kind == "not separable"
        total = sum(
            Fraction(a) * int(y[i]) * np.array([*X[i], 1], dtype=object)
            for i, a in zip(certificate.rows, certificate.alpha, strict=True)
        )
        assert not total.any()
        assert novikoff.verify(certificate, X, y).valid

    def test_reached_max_iter_warns_once(self):
        X, y = load_breast_cancer(return_X_y=True)
        with pytest.warns(ConvergenceWarning, match="max_iter") as caught:
            unit = Perceptron(max_iter=3).fit(X, y)
        assert len(caught) == 1
        assert unit.status_ is Status.REACHED_MAX_ITER
        assert unit.n_iter_ == 3

    def test_versicolor_against_virginica_cycles_on_the_integer_grid(self):
        X, y = load_iris(return_X_y=True)
        X, y = np.rint(X[y > 0] * 10).astype(np.int64), y[y > 0]
        unit = Perceptron(max_iter=10_000_000).fit(X, y)
        assert unit.status_ is Status.CYCLED
        assert unit.n_iter_ == 8_388_696
        assert novikoff.verify(unit.certificate_, X, y).valid

    def test_a_cycle_is_found_with_any_step_on_the_grid(self):
        X, y = XOR
        for eta0 in (0.25, 1.0, 6.0):
            assert Perceptron(eta0=eta0).fit(X, y).status_ is Status.CYCLED
        assert Perceptron().fit(X, y, sample_weight=[1, 2, 0.5, 3]).status_ is Status.CYCLED

    def test_after_what_float64_holds_exactly_nothing_is_claimed(self):
        X = np.array([[2.0**52, 1.0], [2.0**52, -1.0], [1.0, 0.0], [-1.0, 3.0]])
        with pytest.warns(ConvergenceWarning):
            unit = Perceptron(max_iter=4).fit(X, [-1, 1, 1, -1])
        assert unit.status_ is Status.REACHED_MAX_ITER

    def test_several_classes(self):
        X, y = load_iris(return_X_y=True)
        with pytest.warns(ConvergenceWarning):
            unit = Perceptron(max_iter=50).fit(X, y)
        assert unit.statuses_[0] is Status.CONVERGED
        assert unit.status_ is Status.REACHED_MAX_ITER
        assert unit.mistakes_per_epoch_.shape == (3, 50)
        for k in range(3):
            w, _ = float_perceptron(X, np.where(y == k, 1, -1), epochs=50)
            assert [*unit.coef_[k], unit.intercept_[k]] == w
        threaded = Perceptron(max_iter=50, n_jobs=2)
        with pytest.warns(ConvergenceWarning):
            threaded.fit(X, y)
        assert (threaded.coef_ == unit.coef_).all()

    def test_several_classes_have_a_certificate_each(self):
        X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [9, 9]])
        y = np.array(["a", "b", "b", "a", "c"])
        unit = Perceptron().fit(X, y)
        assert unit.certificate_[2] is None
        assert novikoff.verify(unit.certificate_[0], X, y == "a").valid


@settings(max_examples=80, deadline=None)
@given(problems(values=st.integers(-3, 3).map(float), most=8), st.sampled_from(TIES))
@quiet
def test_integer_cycles_are_found_and_proved(problem, tie):
    X, y = problem
    unit = Perceptron(max_iter=3000, tie=tie).fit(X, y)
    if unit.status_ is Status.CYCLED:
        assert novikoff.verify(unit.certificate_, X, y).valid
    if unit.status_ is Status.CONVERGED and tie == "mistake":
        assert (y * unit.decision_function(X) > 0).all()


def test_sample_weights_scale_the_step():
    X, y = load_iris(return_X_y=True)
    y = np.where(y == 1, 1, -1)
    factors = np.random.default_rng(0).uniform(0, 3, len(X))
    with pytest.warns(ConvergenceWarning):
        unit = Perceptron(max_iter=4, eta0=0.5).fit(X, y, sample_weight=factors)
    w, _ = float_perceptron(X, y, eta=0.5, epochs=4, weights=factors)
    assert np.allclose(weights(unit), w, rtol=1e-12)


@quiet
def test_an_example_of_weight_zero_is_not_presented():
    X, y = load_iris(return_X_y=True)
    y = np.where(y == 1, 1, -1)
    present = np.arange(len(X)) % 3 != 0
    for options in ({}, {"order": "worst"}, {"order": "shuffled", "random_state": 0}):
        unit = Perceptron(max_iter=5, **options).fit(X, y, sample_weight=present.astype(float))
        without = Perceptron(max_iter=5, **options).fit(X[present], y[present])
        assert weights(unit) == weights(without)


@quiet
def test_warm_start_goes_on():
    X, y = load_breast_cancer(return_X_y=True)
    unit = Perceptron(max_iter=3, warm_start=True).fit(X, y).fit(X, y)
    assert weights(unit) == weights(Perceptron(max_iter=6).fit(X, y))
    exact = Perceptron(max_iter=2, warm_start=True, arithmetic="exact").fit(X[:, :2], y)
    exact.fit(X[:, :2], y)
    once = Perceptron(max_iter=4, arithmetic="exact").fit(X[:, :2], y)
    assert (exact.exact_coef_ == once.exact_coef_).all()


@quiet
def test_integers_and_float32_are_used_as_they_are():
    rng = np.random.default_rng(1)
    X = rng.integers(-100, 100, (50, 4))
    y = rng.integers(0, 2, 50)
    expected = weights(Perceptron(max_iter=5).fit(X.astype(np.float64), y))
    for dtype in (np.int8, np.int64, np.float32):
        assert weights(Perceptron(max_iter=5).fit(X.astype(dtype), y)) == expected


def test_a_score_has_the_right_sign_where_rounding_would_hide_it():
    # 0.1 + 0.2 − 0.3 in float64 is not 0; neither is the exact sum, and it is positive.
    unit = Perceptron().fit([[0.0], [1.0]], [0, 1])
    unit.coef_, unit.intercept_ = np.array([[1e16, 1.0, -1e16]]), np.zeros(1)
    unit.n_features_in_ = 3
    assert unit.decision_function([[1.0, 1.0, 1.0]]).tolist() == [1.0]
    unit.coef_ = np.array([[0.1, 0.2, -0.3]])
    exact = Fraction(0.1) + Fraction(0.2) - Fraction(0.3)
    assert unit.decision_function([[1.0, 1.0, 1.0]])[0] == float(exact) > 0


def test_pickles():
    X, y = load_iris(return_X_y=True)
    unit = Perceptron().fit(X, y == 0)
    assert (pickle.loads(pickle.dumps(unit)).predict(X) == unit.predict(X)).all()


def test_exact_oracle_agrees_on_tenths():
    X, y = load_iris(return_X_y=True)
    y = np.where(y == 0, 1, -1)
    unit = Perceptron(arithmetic="exact", eta0=Fraction(1, 3)).fit(X, y)
    w, mistaken, mistakes_per_epoch = perceptron(X, y, eta=Fraction(1, 3))
    assert [*unit.exact_coef_[0], unit.exact_intercept_[0]] == w
    assert unit.mistakes_per_epoch_.tolist() == mistakes_per_epoch
    assert unit.n_mistakes_ == len(mistaken)


def test_scores_too_small_for_float64_keep_their_sign():
    X = np.array([[5e-324, 1e-320], [1e-320, 5e-324], [-1e-320, -1e-322]])
    y = [1, 1, 0]
    learned = Perceptron(fit_intercept=False).fit(X, y)
    assert learned.status_ is Status.CONVERGED
    assert learned.predict(X).tolist() == y
    assert learned.predict(sp.csr_array(X)).tolist() == y
