import sys
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

from novikoff.errors import LabelError, MissingDependencyError, NotFiniteError, OptionError
from novikoff.estimators.network import ReluNetwork, xor_network
from novikoff.learners.status import Status

pytestmark = pytest.mark.slow

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
LABELS = np.array([-1, 1, 1, -1])
quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_the_classic_weights_solve_xor_without_rounding():
    network = ReluNetwork.xor()
    for weights in (network.W_, network.b_, network.v_, np.array([network.c_])):
        assert (weights == np.rint(weights)).all()
    assert network.decision_function(XOR).tolist() == [-1.0, 1.0, 1.0, -1.0]
    assert network.predict(XOR).tolist() == LABELS.tolist()
    assert network.score(XOR, LABELS) == 1.0


def test_it_says_how_it_ended():
    learned = ReluNetwork(hidden=2, random_state=0).fit(XOR, LABELS)
    assert learned.status_ is Status.FAULTLESS
    X, y = make_moons(300, noise=0.6, random_state=0)
    message = r"errors left.*\d+ of 300 are wrong after 2 starts: raise hidden \(now 1\)"
    with pytest.warns(ConvergenceWarning, match=message):
        network = ReluNetwork(hidden=1, restarts=2, random_state=0).fit(X, y)
    assert network.status_ is Status.ERRORS_LEFT
    assert network.n_errors_ == np.count_nonzero(network.predict(X) != y)
    with pytest.warns(ConvergenceWarning, match="optimiser stopped at max_iter=3"):
        ReluNetwork(hidden=4, restarts=1, max_iter=3, random_state=0).fit(X, y)


@pytest.mark.parametrize("size", [1e160, 1e300, 1.7e308])
def test_a_loss_that_is_no_number_is_an_error(size):
    with pytest.raises(NotFiniteError, match="none of 3 starts had a finite loss"):
        ReluNetwork(hidden=2, restarts=3, random_state=0).fit(XOR * size, LABELS)


def test_the_table_proves_it_row_by_row():
    table = ReluNetwork.xor().table(XOR, LABELS)
    assert list(table.columns) == ["x1", "x2", "a1", "a2", "score", "prediction", "label"]
    network = xor_network()
    for row in table.itertuples(index=False):
        a1 = max(row.x1 + row.x2 + network.b[0], 0)
        a2 = max(row.x1 + row.x2 + network.b[1], 0)
        assert (row.a1, row.a2) == (a1, a2)
        assert row.score == 2 * a1 - 4 * a2 - 1
        assert row.prediction == row.label == (1 if row.x1 != row.x2 else -1)


@pytest.mark.parametrize("seed", range(3))
def test_two_hidden_units_learn_xor(seed):
    network = ReluNetwork(hidden=2, random_state=seed).fit(XOR, ["no", "yes", "yes", "no"])
    assert network.n_errors_ == 0
    assert network.predict(XOR).tolist() == ["no", "yes", "yes", "no"]
    assert network.W_.shape == (2, 2)
    assert (network.b_.shape, network.v_.shape) == ((2,), (2,))
    assert network.n_starts_ <= 50


@quiet
def test_one_hidden_unit_cannot():
    network = ReluNetwork(hidden=1, restarts=5, random_state=0).fit(XOR, LABELS)
    assert network.n_errors_ >= 1
    assert network.training_error_ == network.n_errors_ / 4
    assert network.n_starts_ == 5


@quiet
def test_more_starts_are_never_worse():
    X, y = make_moons(200, noise=0.3, random_state=0)
    errors = [
        ReluNetwork(hidden=3, restarts=k, random_state=0).fit(X, y).n_errors_ for k in (1, 3, 6)
    ]
    assert errors == sorted(errors, reverse=True)


@quiet
def test_neurons_say_what_predict_says():
    X, y = load_iris(return_X_y=True)
    network = ReluNetwork(hidden=4, restarts=2, random_state=0).fit(X, y)
    assert network.v_.shape == (3, 4)
    activations = np.maximum(X @ network.W_.T + network.b_, 0)
    np.testing.assert_allclose(network.activations(X), activations)
    winners = (activations @ network.v_.T + network.c_).argmax(axis=1)
    assert network.predict(X).tolist() == network.classes_[winners].tolist()
    table = network.table(X)
    assert [name for name in table.columns if name.startswith("score")] == [
        "score 0", "score 1", "score 2",
    ]  # fmt: skip


@quiet
def test_it_is_scikit_learns_network():
    X, y = make_moons(150, noise=0.2, random_state=0)
    network = ReluNetwork(hidden=5, restarts=1, random_state=7).fit(X, y)
    seed = np.random.RandomState(7).randint(2**31 - 1)
    theirs = MLPClassifier((5,), solver="lbfgs", max_iter=1000, random_state=seed).fit(X, y)
    assert network.W_.tolist() == theirs.coefs_[0].T.tolist()
    assert network.predict(X).tolist() == theirs.predict(X).tolist()


def test_sparse_and_named_columns():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(XOR, columns=["left", "right"])
    network = ReluNetwork(random_state=0).fit(frame, LABELS)
    assert list(network.table(frame).columns)[:2] == ["left", "right"]
    sparse = ReluNetwork(random_state=0).fit(sp.csr_array(XOR.astype(float)), LABELS)
    assert sparse.predict(sp.csr_array(XOR.astype(float))).tolist() == LABELS.tolist()


def test_parity_of_three_bits_needs_more_units():
    X = np.array(list(product([0, 1], repeat=3)))
    y = X.sum(axis=1) % 2
    network = ReluNetwork(hidden=3, random_state=0).fit(X, y)
    assert network.n_errors_ == 0


def test_held_out_moons_beside_the_bare_network():
    X, y = make_moons(600, noise=0.2, random_state=0)
    train, test, y_train, y_test = train_test_split(X, y, random_state=0)
    ours = ReluNetwork(hidden=10, restarts=3, random_state=0).fit(train, y_train)
    theirs = MLPClassifier((10,), max_iter=3000, random_state=0).fit(train, y_train)
    assert ours.score(test, y_test) >= theirs.score(test, y_test) - 0.03


def test_the_table_needs_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingDependencyError, match="pip install pandas"):
        ReluNetwork.xor().table(XOR)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hidden": 0}, "hidden must be a whole number of at least 1; got 0"),
        ({"restarts": 0}, "restarts must be a whole number of at least 1; got 0"),
        ({"max_iter": -1}, "max_iter must be a whole number of at least 1; got -1"),
        ({"alpha": -1.0}, "alpha must be a number of at least 0; got -1.0"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        ReluNetwork(**options).fit(XOR, LABELS)


def test_one_class_is_no_problem_to_learn():
    with pytest.raises(LabelError, match="one class only"):
        ReluNetwork().fit(XOR, [1, 1, 1, 1])
