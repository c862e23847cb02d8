"""All classifiers in one table: the module each is in, and what `novikoff fit` calls it.

Nothing is imported before it is asked for, because scikit-learn is slow to load.
"""

from importlib import import_module
from typing import Any, NamedTuple


class Listed(NamedTuple):
    """Where a class is, and its name on the command line, if it has one."""

    module: str
    learner: str | None = None


ESTIMATORS: dict[str, Listed] = {
    "AveragedPerceptron": Listed("averaged", "averaged"),
    "FewestErrorsClassifier": Listed("fewest"),
    "KernelPerceptron": Listed("kernel", "kernel"),
    "MaximumMarginClassifier": Listed("maximum_margin"),
    "Perceptron": Listed("perceptron", "perceptron"),
    "PocketPerceptron": Listed("pocket", "pocket"),
    "ReluNetwork": Listed("network", "network"),
    "VotedPerceptron": Listed("voted", "voted"),
}


def class_of(name: str) -> Any:
    """The class of this name."""
    return getattr(import_module(f"novikoff.estimators.{ESTIMATORS[name].module}"), name)


def class_of_learner(learner: str) -> Any:
    """The class that the command line calls so."""
    return class_of(next(name for name, entry in ESTIMATORS.items() if entry.learner == learner))
