from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.estimators.problems import problems, signs, versicolor_virginica
from tests.oracles import averaged, joint, lazily_averaged

from novikoff import Perceptron, Status
from novikoff.errors import OptionError
from novikoff.estimators.averaged import AveragedPerceptron

TIES = st.sampled_from(["mistake", "+1", "-1"])


@settings(deadline=None, max_examples=60)
@given(problems(), TIES)
def test_matches_the_lazy_oracle_bit_for_bit(problem, tie):
    X, labels = problem
    model = AveragedPerceptron(max_iter=4, tie=tie, eta0=0.1).fit(X, labels)
    oracle = lazily_averaged(X.tolist(), signs(labels), epochs=model.n_iter_, eta=0.1, tie=tie)
    assert [*model.coef_[0], *model.intercept_] == oracle


@settings(deadline=None, max_examples=40)
@given(problems(), TIES)
def test_exact_arithmetic_is_the_definition(problem, tie):
    X, labels = problem
    model = AveragedPerceptron(max_iter=4, tie=tie, arithmetic="exact").fit(X, labels)
    oracle = averaged(X.tolist(), signs(labels), epochs=model.n_iter_, tie=tie)
    assert [*model.exact_coef_[0], *model.exact_intercept_] == oracle
    assert model.coef_[0].tolist() == [float(value) for value in oracle[:-1]]


def test_exact_arithmetic_takes_fractions_and_their_weights():
    X = np.array([[Fraction(1, 3)], [Fraction(-1, 7)], [Fraction(2, 3)]], dtype=object)
    model = AveragedPerceptron(arithmetic="exact", max_iter=3, fit_intercept=False)
    model.fit(X, [1, 0, 0], sample_weight=[2, 1, 1])
    # By hand: ŵ = 2/3 from round 1 on; row 2 is a mistake in each epoch, and pulls by 2/3.
    w, total = Fraction(0), Fraction(0)
    for _ in range(3):
        for x, y, weight in ((X[0, 0], 1, 2), (X[1, 0], -1, 1), (X[2, 0], -1, 1)):
            if y * w * x <= 0:
                w += weight * y * x
            total += w
    assert model.exact_coef_[0, 0] == total / 9
    assert model.exact_intercept_[0] == 0


@settings(deadline=None, max_examples=20)
@given(problems())
def test_dense_and_sparse_are_the_same_bits(problem):
    X, labels = problem
    dense = AveragedPerceptron(max_iter=4).fit(X, labels)
    sparse = AveragedPerceptron(max_iter=4).fit(sp.csr_array(X), labels)
    assert dense.coef_.tobytes() == sparse.coef_.tobytes()
    assert dense.intercept_.tobytes() == sparse.intercept_.tobytes()


@settings(deadline=None, max_examples=40)
@given(problems(classes=3))
def test_joint_matches_the_oracle(problem):
    X, labels = problem
    model = AveragedPerceptron(multi_class="joint", max_iter=4).fit(X, labels)
    averages, mistakes = joint(X.tolist(), labels.tolist(), [0, 1, 2], epochs=model.n_iter_)
    assert model.n_mistakes_ == mistakes
    expected = np.array(averages, dtype=float)
    np.testing.assert_allclose(
        np.column_stack([model.coef_, model.intercept_]), expected, rtol=1e-12, atol=1e-12
    )


@settings(deadline=None, max_examples=15)
@given(problems(classes=3))
def test_joint_dense_and_sparse_are_the_same_bits(problem):
    X, labels = problem
    dense = AveragedPerceptron(multi_class="joint", max_iter=4).fit(X, labels)
    sparse = AveragedPerceptron(multi_class="joint", max_iter=4).fit(sp.csr_array(X), labels)
    assert dense.coef_.tobytes() == sparse.coef_.tobytes()
    assert dense.mistakes_per_epoch_.tolist() == sparse.mistakes_per_epoch_.tolist()


def test_joint_makes_one_run_and_separates():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0], [0.0, 9.0], [1.0, 9.0]])
    y = np.array(["a", "a", "b", "b", "c", "c"])
    model = AveragedPerceptron(multi_class="joint").fit(X, y)
    assert model.status_ is Status.CONVERGED
    assert len(model.statuses_) == 1
    assert model.coef_.shape == (3, 2)
    assert (X @ model.last_coef_.T + model.last_intercept_).argmax(axis=1).tolist() == [
        0, 0, 1, 1, 2, 2,
    ]  # fmt: skip


def test_joint_with_two_classes_is_the_binary_one():
    X, y = versicolor_virginica()
    ours = AveragedPerceptron(multi_class="joint", max_iter=5).fit(X, y)
    binary = AveragedPerceptron(max_iter=5).fit(X, y)
    assert ours.coef_.tobytes() == binary.coef_.tobytes()


def test_its_mistakes_are_the_perceptrons():
    X, y = load_breast_cancer(return_X_y=True)
    plain = Perceptron(max_iter=200, random_state=3, order="shuffled")
    with pytest.warns(UserWarning, match="max_iter"):
        plain.fit(X, y)
    model = AveragedPerceptron(max_iter=200, random_state=3, order="shuffled").fit(X, y)
    assert model.mistakes_per_epoch_.tolist() == plain.mistakes_per_epoch_.tolist()
    assert model.last_coef_.tobytes() == plain.coef_.tobytes()


@pytest.mark.parametrize("size", [1, 7, 100])
def test_batches_are_one_pass(size):
    X, y = versicolor_virginica()
    whole = AveragedPerceptron(max_iter=1).fit(X, y)
    pieces = AveragedPerceptron()
    for first in range(0, 100, size):
        pieces.partial_fit(X[first : first + size], y[first : first + size], classes=[1, 2])
    assert whole.coef_.tobytes() == pieces.coef_.tobytes()
    assert whole.intercept_.tobytes() == pieces.intercept_.tobytes()


@pytest.mark.parametrize("arithmetic", ["float64", "exact"])
def test_warm_start_goes_on_with_the_average(arithmetic):
    X, y = versicolor_virginica()
    options = {"arithmetic": arithmetic, "warm_start": True}
    pieces = AveragedPerceptron(max_iter=2, **options).fit(X, y)
    pieces.set_params(max_iter=3).fit(X, y)
    whole = AveragedPerceptron(max_iter=5, **options).fit(X, y)
    assert whole.coef_.tobytes() == pieces.coef_.tobytes()


def test_accuracy_beside_scikit_learns_averaged_sgd():
    X, y = load_breast_cancer(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X, y, random_state=0)
    scores = [
        make_pipeline(StandardScaler(), model).fit(train, y_train).score(test, y_test)
        for model in (
            AveragedPerceptron(max_iter=20, order="shuffled", random_state=0),
            SGDClassifier(average=True, random_state=0),
        )
    ]
    assert scores[0] >= scores[1] - 0.02
    assert scores[0] > 0.94


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "worst"}, "order must be one of 'cyclic', 'shuffled', 'random'; got 'worst'"),
        ({"multi_class": "all"}, "multi_class must be one of 'ovr', 'joint'; got 'all'"),
        ({"arithmetic": "decimal"}, "arithmetic must be one of 'float64', 'exact'"),
        ({"multi_class": "joint", "arithmetic": "exact"}, 'use multi_class="ovr"'),
        ({"multi_class": "joint", "tie": "+1"}, "it would never learn"),
        ({"eta0": 0}, "eta0 must be a positive number; got 0"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        AveragedPerceptron(**options).fit([[0.0], [1.0]], [0, 1])
