"""One fitted model of every learner and every way of learning: what the fuzzers start from."""

import warnings

import numpy as np
import scipy.sparse as sp

from novikoff import (
    AveragedPerceptron,
    FewestErrorsClassifier,
    KernelPerceptron,
    MaximumMarginClassifier,
    Perceptron,
    PocketPerceptron,
    ReluNetwork,
    VotedPerceptron,
)

rng = np.random.default_rng(0)
POINTS = np.round(rng.normal(size=(24, 3)), 2)
TWO = np.where(POINTS[:, 0] + 0.3 * rng.normal(size=24) > 0, "yes", "no")
THREE = rng.integers(0, 3, 24)


def corpus():
    """Names and fitted estimators."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from _corpus()


def _corpus():
    sparse = sp.csr_array(np.where(np.abs(POINTS) > 0.5, POINTS, 0.0))
    learners = {
        "perceptron": Perceptron(max_iter=5),
        "shuffled": Perceptron(max_iter=5, order="shuffled", random_state=1),
        "exact": Perceptron(max_iter=3, arithmetic="exact"),
        "averaged": AveragedPerceptron(max_iter=3),
        "averaged exact": AveragedPerceptron(max_iter=2, arithmetic="exact"),
        "joint": AveragedPerceptron(max_iter=3, multi_class="joint"),
        "pocket": PocketPerceptron(max_iter=3, random_state=0),
        "pocket stream": PocketPerceptron(max_iter=3, ratchet=False, random_state=0),
        "voted": VotedPerceptron(max_iter=3),
        "rbf": KernelPerceptron(max_iter=3),
        "linear kernel": KernelPerceptron(max_iter=3, kernel="linear"),
        "budget": KernelPerceptron(max_iter=3, budget=4),
    }
    for name, learner in learners.items():
        yield name, learner.fit(POINTS, TWO)
    for name in ("perceptron", "joint", "pocket", "voted", "budget"):
        yield (
            f"{name}, three classes",
            type(learners[name])(**learners[name].get_params()).fit(POINTS, THREE),
        )
    for name in ("voted", "rbf"):
        yield (
            f"{name}, sparse",
            type(learners[name])(**learners[name].get_params()).fit(sparse, TWO),
        )
    yield "cycled", Perceptron().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    gram = POINTS @ POINTS.T
    yield "precomputed", KernelPerceptron(max_iter=3, kernel="precomputed").fit(gram, TWO)
    yield "network", ReluNetwork(restarts=1, random_state=0).fit(POINTS, TWO)
    yield "fewest errors", FewestErrorsClassifier().fit(POINTS[:8], TWO[:8])
    yield "fewest errors, three classes", FewestErrorsClassifier().fit(POINTS[:6], [0, 1, 2] * 2)
    apart = np.where(POINTS[:, 0] > 0.5, "yes", "no")
    yield "maximum margin", MaximumMarginClassifier().fit(POINTS, apart)
    yield "maximum margin, sparse", MaximumMarginClassifier().fit(sparse, apart)
    yield "bounded pocket", PocketPerceptron(max_iter=3, bound=True).fit(POINTS[:8], TWO[:8])
    stream = VotedPerceptron()
    stream.partial_fit(POINTS[:12], TWO[:12], classes=["no", "yes"])
    yield "voted stream", stream.partial_fit(POINTS[12:], TWO[12:])


def use(estimator) -> None:
    """Everything a loaded model is for."""
    d = estimator.n_features_in_
    X = np.resize(POINTS, (6, d))
    labels = np.resize(estimator.classes_, 6)
    estimator.predict(X)
    estimator.decision_function(sp.csr_array(X))
    if hasattr(estimator, "partial_fit"):
        estimator.partial_fit(X, labels)
        estimator.predict(X)
