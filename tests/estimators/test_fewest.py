"""The classifier with the fewest errors, and the bound beside the pocket."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from tests.separability.fewest.cases import flips, grid, iris

import novikoff
from novikoff import FewestErrorsClassifier, PocketPerceptron
from novikoff.errors import LabelError, OptionError
from novikoff.estimators import fewest


def test_two_classes():
    X, y = iris(1, 2)
    model = FewestErrorsClassifier().fit(X, y)
    assert (model.n_errors_, str(model.errors_)) == (1, "1")
    assert (model.predict(X) != y).sum() == 1
    assert np.flatnonzero(model.predict(X) != y).tolist() == model.wrong_rows_.tolist()
    assert novikoff.verify(model.certificate_, X, y)
    assert [float(value) for value in model.exact_coef_[0]] != [0.0] * 4


def test_one_against_the_rest():
    X, y = load_iris(return_X_y=True)
    model = FewestErrorsClassifier().fit(X, y)
    assert model.coef_.shape == (3, 4)
    assert model.n_errors_.tolist() == [0, 25, 1]
    for k in range(3):
        assert novikoff.verify(model.certificate_[k], X, y == k)


def test_sample_weights():
    X, y = grid(20, 2, 1)
    weights = np.random.default_rng(0).integers(0, 4, 20)
    model = FewestErrorsClassifier().fit(X, y, sample_weight=weights)
    copies = FewestErrorsClassifier().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert model.errors_ == copies.errors_
    assert np.array_equal(model.coef_, copies.coef_)


def test_a_fit_that_does_not_end_leaves_no_weights_of_other_columns(monkeypatch):
    X, y = grid(20, 2, 1)
    wide = np.column_stack([X, X])
    model = FewestErrorsClassifier().fit(X, y)
    with pytest.raises(LabelError):
        model.fit(wide, np.zeros(20))
    assert model.n_features_in_ == 2
    assert model.predict(X).shape == (20,)

    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(fewest, "fewest_errors", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(wide, y)
    with pytest.raises(NotFittedError):
        model.predict(wide)


def test_bad_options():
    with pytest.raises(OptionError, match="time_limit must be seconds, 0 or more"):
        FewestErrorsClassifier(time_limit=-1).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(OptionError, match="bound"):
        PocketPerceptron(bound="yes").fit([[0.0], [1.0]], [0, 1])


def test_the_pocket_and_its_bound():
    X, y = flips(80, 2, 6)
    pocket = PocketPerceptron(bound=True, max_iter=30, random_state=0).fit(X, y)
    assert pocket.bound_.lower == pocket.bound_.upper <= pocket.n_errors_
    weighted = PocketPerceptron(bound=True, max_iter=30, random_state=0)
    weighted.fit(X, y, sample_weight=np.full(80, 2.0))
    assert weighted.bound_.upper == 2 * pocket.bound_.upper
    pocket.set_params(bound=False).fit(X, y)
    assert not hasattr(pocket, "bound_")


def test_saved_and_loaded(tmp_path):
    X, y = iris(1, 2)
    model = FewestErrorsClassifier().fit(X, y)
    pocket = PocketPerceptron(bound=True, max_iter=5, random_state=0).fit(X, y)
    for fitted, bounds in ((model, model.errors_), (pocket, pocket.bound_)):
        novikoff.save(fitted, tmp_path / "model.novikoff")
        again = novikoff.load(tmp_path / "model.novikoff")
        assert bounds in (getattr(again, "errors_", None), getattr(again, "bound_", None))
        assert np.array_equal(again.predict(X), fitted.predict(X))
