"""In scikit-learn's company: pipelines, searches, calibration, frames, routing."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from novikoff import Perceptron
from novikoff.errors import DataError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


def test_pipeline_and_grid_search(cancer):
    search = GridSearchCV(
        make_pipeline(StandardScaler(), Perceptron(max_iter=20, random_state=0)),
        {"perceptron__order": ["cyclic", "shuffled"], "perceptron__tie": ["mistake", "+1"]},
        cv=3,
    )
    assert search.fit(*cancer).best_score_ > 0.93


def test_calibration(cancer):
    model = CalibratedClassifierCV(Perceptron(max_iter=20), cv=3).fit(*cancer)
    probabilities = model.predict_proba(cancer[0])
    assert probabilities.shape == (569, 2)
    assert np.allclose(probabilities.sum(axis=1), 1)


def test_in_worker_processes(cancer):
    scores = [cross_val_score(Perceptron(max_iter=10), *cancer, cv=2, n_jobs=k) for k in (1, 2)]
    assert scores[0].tolist() == scores[1].tolist()
    fitted = Perceptron(max_iter=5).fit(*cancer)
    labels = Parallel(n_jobs=2)(
        delayed(fitted.predict)(part) for part in np.split(cancer[0][:500], 2)
    )
    assert (np.concatenate(labels) == fitted.predict(cancer[0][:500])).all()


def test_clone_keeps_options_and_forgets_weights(cancer):
    unit = Perceptron(max_iter=3, tie="-1").fit(*cancer)
    copy = clone(unit)
    assert copy.get_params() == unit.get_params()
    assert not hasattr(copy, "coef_")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames(frame):
    X, y = load_iris(return_X_y=True)
    names = ["sepal length", "sepal width", "petal length", "petal width"]
    columns = {name: X[:, j] for j, name in enumerate(names)}
    unit = Perceptron().fit(frame(columns), y == 0)
    assert unit.feature_names_in_.tolist() == names
    assert (unit.coef_ == Perceptron().fit(X, y == 0).coef_).all()
    assert (unit.predict(frame(columns)) == (y == 0)).all()
    with pytest.raises(DataError, match="feature names"):
        unit.predict(frame({name[::-1]: column for name, column in columns.items()}))


def test_many_classes_are_no_regression():
    # Warnings are errors here, and scikit-learn has one for labels that are nearly all different.
    rng = np.random.default_rng(0)
    letters = rng.permutation(np.repeat(list("abcdefghijklmnopqrstuvwxyz"), 4))
    unit = Perceptron(max_iter=2).fit(rng.normal(size=(104, 3)), letters)
    assert len(unit.classes_) == 26


def test_metadata_routing(cancer):
    X, y = cancer
    weights = np.linspace(0.1, 2, len(X))
    with sklearn.config_context(enable_metadata_routing=True):
        unit = Perceptron(max_iter=3).set_fit_request(sample_weight=True)
        unit.set_score_request(sample_weight=False)
        routed = cross_validate(unit, X, y, cv=2, params={"sample_weight": weights}, return_estimator=True)  # fmt: skip # noqa: E501
        plain = cross_validate(Perceptron(max_iter=3), X, y, cv=2, return_estimator=True)
    assert not np.array_equal(routed["estimator"][0].coef_, plain["estimator"][0].coef_)


def test_verbose_speaks_of_long_runs_only(capsys, monkeypatch, cancer):
    pause = "novikoff.estimators.base.SECONDS_BETWEEN_MESSAGES"
    monkeypatch.setattr(pause, 3600.0)
    Perceptron(max_iter=3, verbose=1).fit(*cancer)
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(pause, 0.0)
    Perceptron(max_iter=3, verbose=1).fit(*cancer)
    assert "[Perceptron] epoch 3 of 3" in capsys.readouterr().out
