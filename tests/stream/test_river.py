"""River's own checks of an estimator, on the thin adapter."""

import pytest
from river import checks, datasets, evaluate, metrics, preprocessing

from novikoff import OnlinePerceptron
from novikoff.stream.for_river import (
    RiverAveragedPerceptron,
    RiverPerceptron,
    RiverPocketPerceptron,
)

pytestmark = pytest.mark.slow

MODELS = [
    RiverPerceptron(),
    RiverPerceptron(tie="-1", fit_intercept=False, hashing=64),
    RiverAveragedPerceptron(),
    RiverPocketPerceptron(),
]
CHECKS = [(model, check) for model in MODELS for check in checks.yield_checks(model)]


@pytest.mark.parametrize(
    ("model", "check"), CHECKS, ids=[f"{type(m).__name__}-{c.__name__}" for m, c in CHECKS]
)
def test_check(model, check):
    check(model.clone())


def test_no_check_is_skipped():
    assert all(not list(model._unit_test_skips()) for model in MODELS)


def test_in_a_pipeline_it_is_the_learner_itself():
    model = preprocessing.StandardScaler() | RiverPerceptron()
    metric = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    scaler, alone, right = preprocessing.StandardScaler(), OnlinePerceptron(classes=(0, 1)), 0
    for x, y in datasets.Phishing():
        scaler.learn_one(x)
        x = scaler.transform_one(x)
        right += alone.predict(x) == y
        alone.learn(x, y)
    assert metric.get() == right / alone.account.examples
    inside = model["RiverPerceptron"].learner
    assert inside.coef_.tolist() == alone.coef_.tolist()
    assert inside.names == alone.names
