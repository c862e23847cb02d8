"""The base of all threshold classifiers: abstract or final, and its steps by an oracle."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from sklearn.utils.class_weight import compute_class_weight

from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from novikoff.errors import NovikoffError, OptionError
from novikoff.estimators.base import ThresholdClassifier
from novikoff.estimators.training_data import StepSizes
from novikoff.estimators.validation import class_factors
from novikoff.matrix.batches import Batch

LEARNERS = [
    AveragedPerceptron,
    KernelPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
]
# scikit-learn's own names, and a method that is there under some options only.
MAY_BE_REPLACED = {"__init__", "__sklearn_tags__", "partial_fit"}


@pytest.mark.parametrize("kind", LEARNERS)
def test_what_a_base_does_no_subclass_does_otherwise(kind):
    ours = [base for base in kind.__mro__ if base.__module__.startswith("novikoff.")]
    for place, base in enumerate(ours):
        for name, member in vars(base).items():
            is_concrete = callable(member) or isinstance(member, property)
            if not is_concrete or getattr(member, "__isabstractmethod__", False):
                continue
            replaced = [sub.__name__ for sub in ours[:place] if name in vars(sub)]
            assert not replaced or name in MAY_BE_REPLACED or name.startswith("__sklearn"), (
                f"{name} of {base.__name__} is replaced by {replaced}"
            )


@pytest.mark.parametrize("kind", LEARNERS)
def test_a_fit_asks_its_learner_four_things(kind, monkeypatch):
    asked = []
    for name in ThresholdClassifier.__abstractmethods__:
        method = getattr(kind, name)

        def counted(self, *args, method=method, name=name):
            asked.append(name)
            return method(self, *args)

        monkeypatch.setattr(kind, name, counted)
    kind(max_iter=50).fit([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 2])
    assert asked == ["_check_options", "_forget", "_learner", "_keep"]


def points(d, seed=0, classes=2):
    X = np.random.default_rng(seed).standard_normal((60, d))
    return X, np.digitize(X[:, 0] + 0.1, np.linspace(-1, 1, classes + 1)[1:-1])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("before", "after"), [(4, 3), (3, 4)])
@pytest.mark.parametrize("kind", LEARNERS)
def test_a_warm_start_on_other_columns_is_a_new_start(kind, before, after):
    X, y = points(after)
    warm = kind(max_iter=5, warm_start=True, random_state=0).fit(*points(before)).fit(X, y)
    cold = kind(max_iter=5, random_state=0).fit(X, y)
    assert warm.decision_function(X).tolist() == cold.decision_function(X).tolist()
    assert warm.mistakes_per_epoch_.tolist() == cold.mistakes_per_epoch_.tolist()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "bad",
    [
        lambda X, y: (X, None),
        lambda X, y: (X, y[:-1]),
        lambda X, y: (X, np.zeros(len(y))),
        lambda X, y: (np.where(X > 2, np.nan, X), y),
        lambda X, y: (X, y, -np.ones(len(y))),
        lambda X, y: (X, y + 5),  # classes that class_weight does not know
    ],
    ids=["no y", "short y", "one class", "NaN", "weights", "classes"],
)
@pytest.mark.parametrize("kind", LEARNERS)
def test_what_cannot_be_learned_from_changes_nothing(kind, bad):
    X, y = points(3)
    model = kind(max_iter=5, warm_start=True, class_weight={0: 1.0, 1: 2.0}).fit(X, y)
    before = pickle.dumps(model)
    with pytest.raises(NovikoffError):
        model.fit(*bad(*points(4)))
    assert pickle.dumps(model) == before
    assert len(model.predict(X)) == len(X)
    with pytest.raises(NovikoffError, match="expecting 3 features"):
        model.predict(points(4)[0])


def steps(classes, factors, eta0=0.5, **options):
    return StepSizes(eta0, np.array(classes), np.array(factors), **options)


@pytest.mark.parametrize("weights", [None, np.array([1.0, 3.0, 0.0, 0.1, 2.0])])
@pytest.mark.parametrize(
    ("classes", "factors"), [(["a", "b"], [2.0, 0.3]), (["a", "b", "c"], [2.0, 0.3, 0.7])]
)
def test_steps_by_an_oracle(classes, factors, weights):
    given = steps(classes, factors)
    labels = (classes * 3)[:5]
    index = np.array([classes.index(label) for label in labels])
    assert given.n_runs == (1 if len(classes) == 2 else 3)
    for k in range(given.n_runs):
        own = classes[1] if len(classes) == 2 else classes[k]
        other = factors[0] if len(classes) == 2 else 1.0
        expected = [
            (factors[classes.index(own)] if label == own else -other) * 0.5 * weight
            for label, weight in zip(
                labels, np.ones(5) if weights is None else weights, strict=True
            )
        ]
        np.testing.assert_allclose(given.push(k, index, weights), expected, rtol=1e-15)
        batch = Batch(np.empty((5, 1)), np.array(labels), weights)
        sent = pickle.loads(pickle.dumps(given))
        assert sent.push_of_batch(k, batch).tolist() == given.push(k, index, weights).tolist()
        exact = given.exact_push(k, index, weights)
        if weights is None:
            assert exact == [Fraction(step) for step in given.push(k, index, None)]
        np.testing.assert_allclose([float(step) for step in exact], expected, rtol=1e-15)
    lengths = [0.5 * factors[i] for i in index]
    assert given.lengths(index, None).tolist() == lengths


def test_one_run_for_classes_that_are_learned_together():
    assert steps(["a", "b", "c"], [1.0, 1.0, 1.0], together=True).n_runs == 1
    assert steps(["a", "b"], [1.0, 1.0], together=True).n_runs == 1


def test_balanced_factors_are_those_of_scikit_learn_to_the_bit():
    rng = np.random.default_rng(0)
    for _ in range(200):
        counts = rng.integers(1, 1000, rng.integers(2, 9))
        classes = np.arange(len(counts))
        theirs = compute_class_weight("balanced", classes=classes, y=np.repeat(classes, counts))
        ours = class_factors("balanced", classes, lambda counts=counts: counts)
        assert ours.tobytes() == theirs.tobytes()
    assert class_factors({1: 2}, np.array([0, 1]), None).tolist() == [1.0, 2.0]
    with pytest.raises(OptionError, match="never sees all rows"):
        class_factors("balanced", classes, None)
