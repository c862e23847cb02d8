import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, make_moons
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.svm import SVC
from tests.estimators.problems import problems, signs, versicolor_virginica
from tests.oracles import kernel_perceptron

from novikoff import Perceptron, Status
from novikoff.errors import NotFiniteError, OptionError, ShapeError
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.estimators.kernels import Kernel

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
TIES = st.sampled_from(["mistake", "+1", "-1"])


@settings(deadline=None, max_examples=60)
@given(problems(), TIES, st.booleans())
def test_matches_the_oracle_bit_for_bit(problem, tie, fit_intercept):
    X, labels = problem
    K = pairwise_kernels(X, metric="rbf", gamma=0.3)
    model = KernelPerceptron(
        kernel="precomputed", max_iter=4, tie=tie, fit_intercept=fit_intercept
    ).fit(K, labels)
    coef, _, mistaken = kernel_perceptron(
        K.tolist(), signs(labels), epochs=model.n_iter_, bias=float(fit_intercept), tie=tie
    )
    assert model.support_.tolist() == [i for i, c in enumerate(coef) if c != 0]
    assert model.dual_coef_[0].tolist() == [c for c in coef if c != 0]
    assert model.n_mistakes_ == len(mistaken)


@settings(deadline=None, max_examples=60)
@given(
    problems(), TIES, st.booleans(), st.sampled_from(["cyclic", "shuffled", "random"]),
    st.sampled_from([1.0, 0.1]),
)  # fmt: skip
def test_the_linear_kernel_makes_the_mistakes_of_the_perceptron(
    problem, tie, fit_intercept, order, eta0
):
    X, labels = problem
    options = {
        "tie": tie, "fit_intercept": fit_intercept, "order": order, "eta0": eta0, "max_iter": 6,
        "random_state": 0,
    }  # fmt: skip
    ours = KernelPerceptron(kernel="linear", **options).fit(X, labels)
    plain = Perceptron(**options).fit(X, labels)
    n = ours.n_iter_  # where the perceptron finds a cycle it stops
    assert plain.n_iter_ <= n
    assert ours.mistakes_per_epoch_[: plain.n_iter_].tolist() == plain.mistakes_per_epoch_.tolist()
    if plain.n_iter_ == n:
        assert ours.coef_.tobytes() == plain.coef_.tobytes()
        assert ours.intercept_.tobytes() == plain.intercept_.tobytes()
        assert ours.status_ is plain.status_ or plain.status_ is Status.CYCLED


@pytest.mark.parametrize("sparse", [False, True])
def test_so_it_does_on_long_runs_where_scores_round(sparse):
    X, y = load_breast_cancer(return_X_y=True)
    X = X / 3.0
    plain = Perceptron(max_iter=300).fit(X, y)
    ours = KernelPerceptron(kernel="linear", max_iter=300)
    ours.fit(sp.csr_array(X) if sparse else X, y)
    assert ours.mistakes_per_epoch_.tolist() == plain.mistakes_per_epoch_.tolist()
    assert ours.coef_.tobytes() == plain.coef_.tobytes()
    assert ours.predict(X).tolist() == plain.predict(X).tolist()


def test_near_ties_are_decided_by_the_weights():
    # Rounding alone decides the sign of a sum of kernel values here; the true score is 0 or not.
    X = np.array([[0.1, 0.2, 0.3], [0.3, 0.6, 0.9], [1e-9, 1.0, -1.0], [0.7, 0.1, 0.5]]) / 3
    for y in ([0, 1, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]):
        ours = KernelPerceptron(kernel="linear", fit_intercept=False, max_iter=400).fit(X, y)
        plain = Perceptron(fit_intercept=False, max_iter=400).fit(X, y)
        assert ours.coef_.tobytes() == plain.coef_.tobytes()
        assert ours.n_mistakes_ == plain.n_mistakes_


@pytest.mark.parametrize(
    ("options", "exact"),
    [
        ({"kernel": "linear"}, True),
        ({"kernel": "poly", "degree": 3, "gamma": 1.0, "coef0": 2.0}, True),
        ({"kernel": "rbf", "gamma": 0.7}, False),
        ({"kernel": "sigmoid", "gamma": 0.1, "coef0": 0.5}, False),
    ],
)
def test_kernel_values_are_scikit_learns(options, exact):
    model = KernelPerceptron(**options)
    kernel = Kernel.of(model, options.get("gamma", 1.0))
    X = np.random.default_rng(0).integers(-4, 5, (30, 5)).astype(float)
    names = {"gamma", "degree", "coef0"} if options["kernel"] != "rbf" else {"gamma"}
    params = {name: value for name, value in options.items() if name in names}
    expected = pairwise_kernels(X, metric=options["kernel"], **params)
    wanted = np.array([3, 17, 5])
    for matrix in (X, sp.csr_array(X)):
        rows = kernel.rows_of(matrix)(wanted)
        if exact:
            assert rows.tolist() == expected[wanted].tolist()
        np.testing.assert_allclose(rows, expected[wanted], rtol=1e-12, atol=1e-14)


def test_xor():
    y = [0, 1, 1, 0]
    for options in ({"kernel": "poly", "degree": 2, "coef0": 1.0}, {"kernel": "rbf"}):
        model = KernelPerceptron(**options).fit(XOR, y)
        assert model.status_ is Status.CONVERGED
        assert model.predict(XOR).tolist() == y


def test_a_callable_is_any_function_of_two_rows():
    def squared(x, z, shift=0.0):
        return (float(x @ z) + shift) ** 2

    options = {"max_iter": 50, "fit_intercept": False}
    ours = KernelPerceptron(kernel=squared, kernel_params={"shift": 1.0}, **options)
    named = KernelPerceptron(kernel="poly", degree=2, gamma=1.0, coef0=1.0, **options)
    for model in (ours, named):
        model.fit(XOR, [0, 1, 1, 0])
    assert ours.dual_coef_.tolist() == named.dual_coef_.tolist()
    assert ours.decision_function(XOR).tolist() == named.decision_function(XOR).tolist()


def test_keeps_only_the_rows_it_was_mistaken_on():
    X, y = make_moons(300, noise=0.1, random_state=0)
    model = KernelPerceptron(gamma=3.0).fit(X, y)
    assert model.status_ is Status.CONVERGED
    assert 0 < len(model.support_) < 150
    assert model.support_vectors_.tolist() == X[model.support_].tolist()
    assert (model.dual_coef_ != 0).all()
    assert np.abs(model.dual_coef_).sum() == model.n_mistakes_
    assert model.predict(X).tolist() == y.tolist()


def test_the_cache_changes_nothing_but_time():
    X, y = make_moons(200, noise=0.3, random_state=0)
    X = np.round(10 * X)  # with whole numbers every kernel value is exact
    options = {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0, "max_iter": 20}
    small = KernelPerceptron(cache_size=1e-3, **options).fit(X, y)
    large = KernelPerceptron(cache_size=100, **options).fit(X, y)
    assert small.dual_coef_.tolist() == large.dual_coef_.tolist()
    assert small.support_.tolist() == large.support_.tolist()


@pytest.mark.parametrize("megabytes", [2, 8])
def test_memory_stays_within_the_cache(megabytes):
    X, y = make_moons(4000, noise=0.3, random_state=0)  # the Gram matrix: 128 MB
    KernelPerceptron(max_iter=1).fit(X[:50], y[:50])
    model = KernelPerceptron(cache_size=megabytes, max_iter=2)
    tracemalloc.start()
    try:
        model.fit(X, y)
        fitting = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        model.predict(X)
        predicting = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    few_arrays = 20 * 8 * len(X)
    assert fitting < megabytes * 2**20 + few_arrays
    assert predicting < megabytes * 2**20 + few_arrays
    assert len(model.support_) > 200


def test_one_against_the_rest_on_any_number_of_threads():
    X, y = load_digits(return_X_y=True)
    X, y = X[:400], y[:400]
    alone = KernelPerceptron(max_iter=20).fit(X, y)
    together = KernelPerceptron(max_iter=20, n_jobs=2).fit(X, y)
    assert alone.dual_coef_.shape == (10, len(alone.support_))
    assert alone.n_mistakes_ == together.n_mistakes_
    np.testing.assert_allclose(alone.dual_coef_, together.dual_coef_)


def test_precomputed_is_split_on_both_sides():
    X, y = versicolor_virginica()
    K = pairwise_kernels(X, metric="rbf", gamma=0.5)
    given = cross_val_score(KernelPerceptron(kernel="precomputed", max_iter=20), K, y, cv=4)
    named = cross_val_score(KernelPerceptron(gamma=0.5, max_iter=20), X, y, cv=4)
    assert given.tolist() == named.tolist()


@pytest.mark.parametrize("kernel", ["linear", "rbf", "precomputed"])
def test_warm_start_goes_on(kernel):
    X, y = versicolor_virginica()
    X = pairwise_kernels(X, metric="rbf") if kernel == "precomputed" else X
    options = {"kernel": kernel, "gamma": 0.5}
    pieces = KernelPerceptron(max_iter=2, warm_start=True, **options).fit(X, y)
    pieces.set_params(max_iter=3).fit(X, y)
    whole = KernelPerceptron(max_iter=5, **options).fit(X, y)
    np.testing.assert_allclose(pieces.decision_function(X), whole.decision_function(X), atol=1e-9)
    assert pieces.mistakes_per_epoch_.tolist() == whole.mistakes_per_epoch_[2:].tolist()


def test_a_stream_of_the_linear_kernel_is_the_perceptrons():
    X, y = versicolor_virginica()
    ours, plain = KernelPerceptron(kernel="linear"), Perceptron()
    for first in range(0, 100, 3):
        for model in (ours, plain):
            model.partial_fit(X[first : first + 3], y[first : first + 3], classes=[1, 2])
    assert ours.coef_.tobytes() == plain.coef_.tobytes()
    assert ours.n_mistakes_ == plain.n_mistakes_


def test_accuracy_beside_the_support_vector_machine():
    digits, labels = load_digits(return_X_y=True)
    moons, halves = make_moons(2000, noise=0.1, random_state=0)
    for X, y, loss in ((digits, labels, 0.02), (moons, halves, 0.03)):
        train, test, y_train, y_test = train_test_split(X, y, random_state=0)
        ours = KernelPerceptron(max_iter=20).fit(train, y_train).score(test, y_test)
        assert ours >= SVC().fit(train, y_train).score(test, y_test) - loss


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kernel": "gaussian"}, "kernel must be one of 'linear', 'poly', 'rbf', 'sigmoid'"),
        ({"degree": 0}, "degree must be a whole number of at least 1; got 0"),
        ({"gamma": -1.0}, "gamma must be a positive number; got -1.0"),
        ({"gamma": "wide"}, "gamma must be one of 'scale', 'auto'; got 'wide'"),
        ({"coef0": np.inf}, "coef0 must be a finite number; got inf"),
        ({"kernel_params": {"a": 1}}, "kernel_params are for a kernel that is a function"),
        ({"budget": -3}, "budget must be a whole number of at least 1; got -3"),
        ({"removal": "newest"}, "removal must be one of 'forgetron', 'random'; got 'newest'"),
        ({"cache_size": 0}, "cache_size must be a positive number; got 0"),
        ({"order": "worst"}, "order must be one of 'cyclic', 'shuffled', 'random'; got 'worst'"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        KernelPerceptron(**options).fit(XOR, [0, 1, 1, 0])


def test_precomputed_must_be_square():
    with pytest.raises(ShapeError, match="needs the square matrix of all kernel values; X is 4×2"):
        KernelPerceptron(kernel="precomputed").fit(XOR, [0, 1, 1, 0])
    assert not hasattr(KernelPerceptron(kernel="precomputed"), "partial_fit")


def test_a_kernel_that_overflows_says_which_rows():
    X = 1e200 * XOR
    with pytest.raises(NotFiniteError, match="scale the data"):
        KernelPerceptron(kernel="poly", gamma=1.0).fit(X, [0, 1, 1, 0])


def test_random_order_sees_every_row_before_it_stops():
    X, y = make_moons(60, noise=0.1, random_state=0)
    model = KernelPerceptron(order="random", random_state=0, gamma=3.0).fit(X, y)
    assert model.status_ is Status.CONVERGED
    assert model.predict(X).tolist() == y.tolist()
