import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.estimators.fewest_errors import by_certificates, by_integer_program
from tests.estimators.problems import orders, problems, signs, versicolor_virginica
from tests.oracles import exact_dot, is_mistake, pocket

from novikoff import Status
from novikoff.errors import OptionError
from novikoff.estimators.pocket import PocketPerceptron

PROBLEM = {"deadline": None, "max_examples": 150}


@settings(**PROBLEM)
@given(
    problems(), st.booleans(), st.sampled_from(["cyclic", "shuffled", "random"]), st.integers(0, 9)
)
def test_matches_the_oracle_bit_for_bit(problem, ratchet, order, seed):
    X, labels = problem
    model = PocketPerceptron(max_iter=5, ratchet=ratchet, order=order, random_state=seed)
    model.fit(X, labels)
    epochs = orders(order, len(X), model.n_iter_, seed)
    kept, errors, lengths = pocket(X.tolist(), signs(labels), epochs, ratchet=ratchet)
    assert [*model.coef_[0], *model.intercept_] == kept
    assert model.run_lengths_.tolist() == lengths
    assert model.n_errors_ == errors
    if model.status_ is Status.CONVERGED:
        assert errors == 0
    assert model.training_error_ == model.n_errors_ / len(X)


@settings(deadline=None, max_examples=20)
@given(problems(), st.booleans())
def test_dense_and_sparse_are_the_same_bits(problem, ratchet):
    X, labels = problem
    dense = PocketPerceptron(max_iter=5, ratchet=ratchet, random_state=0).fit(X, labels)
    sparse = PocketPerceptron(max_iter=5, ratchet=ratchet, random_state=0)
    sparse.fit(sp.csr_array(X), labels)
    assert dense.coef_.tobytes() == sparse.coef_.tobytes()
    assert dense.run_lengths_.tolist() == sparse.run_lengths_.tolist()


def test_iris_reaches_the_fewest_errors_a_plane_can_make():
    X, y = versicolor_virginica()
    y = np.where(y == 2, 1, -1)
    proposed, w_hat = by_integer_program(X, y)
    wrong = sum(
        is_mistake(exact_dot(w_hat.tolist(), x), label, "mistake")
        for x, label in zip(X.tolist(), y.tolist(), strict=True)
    )
    assert proposed == wrong == by_certificates(X, y) == 1
    # Centred, so that the bias need not travel far: 1000 epochs are enough from these seeds.
    for seed in range(5):
        model = PocketPerceptron(max_iter=1000, random_state=seed).fit(X - X.mean(axis=0), y)
        assert model.n_errors_ == 1
        assert model.training_error_ == 0.01
        assert model.status_ is Status.REACHED_MAX_ITER
    # Raw, in centimetres, it takes longer.
    raw = PocketPerceptron(order="shuffled", max_iter=100_000, random_state=0).fit(X, y)
    assert raw.n_errors_ == 1


@pytest.mark.parametrize("seed", range(8))
def test_small_problems_reach_the_optimum(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-5, 6, (14, 2)).astype(float)
    y = np.where(X @ [2, -1] + rng.normal(0, 4, 14) > 0, 1, -1)
    y[:2] = 1, -1
    fewest, w_hat = by_integer_program(X, y)
    wrong = sum(
        is_mistake(exact_dot(w_hat.tolist(), x), label, "mistake")
        for x, label in zip(X.tolist(), y.tolist(), strict=True)
    )
    assert fewest == wrong == by_certificates(X, y)
    model = PocketPerceptron(max_iter=2000, random_state=0).fit(X, y)
    assert model.n_errors_ == fewest


def test_stops_at_zero_errors():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    model = PocketPerceptron(random_state=0).fit(X, y)
    assert model.status_ is Status.CONVERGED
    assert (model.n_errors_, model.training_error_) == (0, 0.0)
    assert model.n_iter_ < 1000
    assert model.predict(X).tolist() == y


def test_the_ratchet_never_lets_the_pocket_get_worse():
    X, y = versicolor_virginica()
    errors = [
        PocketPerceptron(max_iter=epochs, random_state=1).fit(X, y).n_errors_
        for epochs in (1, 2, 5, 20, 100)
    ]
    assert errors == sorted(errors, reverse=True)


def test_weights_count_in_the_error():
    X, y, weights = [[0.0], [1.0], [2.0]], [0, 1, 0], [1.0, 5.0, 1.0]
    model = PocketPerceptron(max_iter=200, random_state=0).fit(X, y, weights)
    assert model.predict([[1.0]]) == [1]
    assert model.training_error_ == model.n_errors_ / 7


def test_batches_are_one_pass():
    X, y = versicolor_virginica()
    whole = PocketPerceptron(ratchet=False, order="cyclic", max_iter=1).fit(X, y)
    pieces = PocketPerceptron(ratchet=False, order="cyclic")
    for first in range(0, 100, 7):
        pieces.partial_fit(X[first : first + 7], y[first : first + 7], classes=[1, 2])
    assert whole.coef_.tobytes() == pieces.coef_.tobytes()
    assert whole.run_lengths_.tolist() == pieces.run_lengths_.tolist()


def test_the_ratchet_needs_all_the_data():
    assert not hasattr(PocketPerceptron(), "partial_fit")
    assert hasattr(PocketPerceptron(ratchet=False), "partial_fit")


def test_several_classes_have_a_pocket_each():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0], [0.0, 9.0], [1.0, 9.0]])
    y = np.array(["a", "a", "b", "b", "c", "c"])
    model = PocketPerceptron(random_state=0).fit(X, y)
    assert model.n_errors_.tolist() == [0, 0, 0]
    assert len(model.run_lengths_) == 3
    assert model.predict(X).tolist() == y.tolist()


def test_warm_start_goes_on_from_the_pocket():
    X, y = versicolor_virginica()
    model = PocketPerceptron(max_iter=3, random_state=0, warm_start=True).fit(X, y)
    before = model.n_errors_
    model.set_params(max_iter=50).fit(X, y)
    assert model.n_errors_ <= before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "worst"}, "order must be one of 'cyclic', 'shuffled', 'random'; got 'worst'"),
        ({"ratchet": "yes"}, "ratchet must be True or False; got 'yes'"),
        ({"max_iter": 0}, "max_iter must be a whole number of at least 1; got 0"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        PocketPerceptron(**options).fit([[0.0], [1.0]], [0, 1])
