"""Points are looked at once for NaN and infinity, however many functions they pass through."""

import numpy as np
import pytest
from sklearn.base import clone

import novikoff
from novikoff.matrix import problem

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
SIGNS = np.array([-1, 1, 1, -1])


@pytest.fixture
def passes(monkeypatch):
    """How often all numbers were looked at."""
    novikoff.fewest_errors(XOR, SIGNS)  # compiles, the first time, on a few rows of its own
    counted, check = [], problem.check_finite

    def counting(*args):
        counted.append(args)
        return check(*args)

    monkeypatch.setattr(problem, "check_finite", counting)
    return counted


@pytest.mark.parametrize("arithmetic", ["float64", "exact"])
def test_a_fit_that_cycles_and_proves_it(passes, arithmetic):
    unit = novikoff.Perceptron(arithmetic=arithmetic).fit(XOR, SIGNS)
    assert unit.status_ is novikoff.Status.CYCLED
    assert unit.certificate_.kind == "not separable"
    assert len(passes) == 1


LEARNERS = [
    novikoff.Perceptron(max_iter=3),
    novikoff.Perceptron(max_iter=3, order="worst"),
    novikoff.AveragedPerceptron(max_iter=3),
    novikoff.AveragedPerceptron(max_iter=3, arithmetic="exact"),
    novikoff.AveragedPerceptron(max_iter=3, multi_class="joint"),
    novikoff.PocketPerceptron(max_iter=3, ratchet=False),
    novikoff.VotedPerceptron(),
    novikoff.KernelPerceptron(max_iter=3),
    novikoff.KernelPerceptron(max_iter=3, budget=2),
    novikoff.ReluNetwork(restarts=2),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("labels", [SIGNS, [0, 1, 2, 2]], ids=["two classes", "three"])
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_whatever_learns(passes, learner, labels):
    learner = clone(learner).fit(XOR, labels)
    assert len(passes) == 1
    if hasattr(learner, "partial_fit"):
        learner.partial_fit(XOR, labels)
        assert len(passes) == 2


def test_a_trace_and_all_that_is_asked_of_it(passes):
    run = novikoff.trace(XOR, SIGNS, max_iter=50)
    assert len(run.squared_norms) == len(run.table) == run.n_mistakes
    assert len(passes) == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda: novikoff.separate(XOR, SIGNS).certificate(),
        lambda: novikoff.separate(XOR, SIGNS).explain(),
        lambda: novikoff.fewest_errors(XOR, SIGNS).certificate(),
        lambda: novikoff.mistake_bound(XOR[:3], SIGNS[:3]),
    ],
    ids=["certificate", "explain", "fewest", "mistake_bound"],
)
def test_a_verdict_and_what_follows_from_it(passes, ask):
    ask()
    assert len(passes) == 1


def test_the_certificate_of_a_cycle_is_valid_for_the_data_as_it_was_given():
    """Built from what was validated, it must say what `verify` finds in the user's own arrays."""
    rng = np.random.default_rng(3)
    X = rng.integers(-2, 3, (30, 2)).astype(float)
    y = rng.choice(["a", "b", "c"], 30)
    two = np.where(y == "a", "yes", "no")
    unit = novikoff.Perceptron(max_iter=10_000).fit(X, two)
    assert novikoff.verify(unit.certificate_, X, two).valid
    many = novikoff.Perceptron(max_iter=10_000).fit(X, y)
    for k, certificate in enumerate(many.certificate_):
        if certificate is not None:
            assert novikoff.verify(certificate, X, y == many.classes_[k]).valid
