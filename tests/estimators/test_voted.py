import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from tests.estimators.problems import problems, signs, versicolor_virginica
from tests.oracles import vote, voted

from novikoff import Perceptron, Status
from novikoff.errors import OptionError
from novikoff.estimators.voted import VotedPerceptron


@settings(deadline=None, max_examples=60)
@given(problems(), st.sampled_from(["mistake", "+1", "-1"]))
def test_matches_the_list_of_all_weights(problem, tie):
    X, labels = problem
    model = VotedPerceptron(max_iter=4, tie=tie).fit(X, labels)
    oracle = voted(X.tolist(), signs(labels), epochs=model.n_iter_, tie=tie)
    assert model.survived_[0].tolist() == [survived for _, survived in oracle]
    total = model.n_iter_ * len(X)
    expected = [vote(oracle, x, tie) / total for x in X.tolist()]
    assert model.decision_function(X).tolist() == expected


@settings(deadline=None, max_examples=20)
@given(problems())
def test_dense_and_sparse_are_the_same_bits(problem):
    X, labels = problem
    dense = VotedPerceptron(max_iter=4).fit(X, labels)
    sparse = VotedPerceptron(max_iter=4).fit(sp.csr_array(X), labels)
    assert dense.survived_[0].tolist() == sparse.survived_[0].tolist()
    assert dense.decision_function(X).tolist() == sparse.decision_function(sp.csr_array(X)).tolist()
    assert dense.decision_function(sp.csr_array(X)).tolist() == sparse.decision_function(X).tolist()


def test_stores_mistakes_and_not_vectors():
    X, y = load_breast_cancer(return_X_y=True)
    model = VotedPerceptron(max_iter=20).fit(X, y)
    (mistakes,) = model.mistakes_
    assert len(mistakes) == model.n_mistakes_
    assert model.mistaken_rows_.shape[0] <= len(X)
    bound = 24 * model.n_mistakes_ + 8 + model.mistaken_rows_.nbytes
    assert model.nbytes_ == bound
    assert len(pickle.dumps(model)) < bound + 10_000
    # All the vectors would take this much, and more with each mistake.
    assert bound < model.n_mistakes_ * 8 * X.shape[1]
    assert model.survived_[0].sum() == model.n_iter_ * len(X)


def test_replayed_mistakes_end_at_the_perceptrons_weights():
    X, y = load_breast_cancer(return_X_y=True)
    model = VotedPerceptron(max_iter=20).fit(X, y)
    w = np.zeros(X.shape[1])
    for row, push in zip(model.mistakes_[0], model.pushes_[0], strict=True):
        w = w + push * model.mistaken_rows_[row]
    with pytest.warns(UserWarning, match="max_iter"):
        plain = Perceptron(max_iter=20).fit(X, y)
    assert w.tobytes() == plain.coef_[0].tobytes()


def test_memory_is_bounded():
    X, y = load_breast_cancer(return_X_y=True)
    model = VotedPerceptron(max_mistakes=37, max_iter=50).fit(X, y)
    assert model.status_ is Status.FULL
    assert model.n_mistakes_ == 37
    assert model.nbytes_ <= 24 * 37 + 8 + 37 * 30 * 8
    first = VotedPerceptron(max_iter=50).fit(X, y)
    assert model.survived_[0][:-1].tolist() == first.survived_[0][:37].tolist()


@pytest.mark.parametrize("size", [1, 7])
def test_batches_are_one_pass(size):
    X, y = versicolor_virginica()
    whole = VotedPerceptron(max_iter=1).fit(X, y)
    pieces = VotedPerceptron()
    for first in range(0, 100, size):
        pieces.partial_fit(X[first : first + size], y[first : first + size], classes=[1, 2])
    assert whole.decision_function(X).tolist() == pieces.decision_function(X).tolist()
    assert whole.survived_[0].tolist() == pieces.survived_[0].tolist()


def test_warm_start_goes_on_voting():
    X, y = versicolor_virginica()
    pieces = VotedPerceptron(max_iter=2, warm_start=True).fit(X, y)
    pieces.set_params(max_iter=3).fit(X, y)
    whole = VotedPerceptron(max_iter=5).fit(X, y)
    assert whole.survived_[0].tolist() == pieces.survived_[0].tolist()
    assert whole.decision_function(X).tolist() == pieces.decision_function(X).tolist()


def test_digits():
    X, y = load_digits(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X, y, random_state=0)
    voting = VotedPerceptron(max_iter=5).fit(train, y_train)
    with pytest.warns(UserWarning, match="max_iter"):
        plain = Perceptron(max_iter=5).fit(train, y_train)
    assert voting.score(test, y_test) >= plain.score(test, y_test)
    assert voting.score(test, y_test) > 0.93


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "worst"}, "order must be one of 'cyclic', 'shuffled', 'random'; got 'worst'"),
        ({"max_mistakes": 0}, "max_mistakes must be a whole number of at least 1; got 0"),
        ({"max_mistakes": 2.5}, "max_mistakes must be a whole number of at least 1; got 2.5"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        VotedPerceptron(**options).fit([[0.0], [1.0]], [0, 1])
