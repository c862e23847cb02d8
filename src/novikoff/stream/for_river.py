"""The online learners as river's classifiers: `RiverPerceptron() | …` in a pipeline of river's.

Needs river (`pip install river`). Thin: every call goes to the learner inside.
"""

from collections.abc import Hashable, Mapping
from typing import Any

from novikoff.core.options import Tie
from novikoff.errors import MissingDependencyError
from novikoff.stream.classifier import OnlineClassifier
from novikoff.stream.online import (
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
)

try:
    from river import base
except ImportError as error:
    raise MissingDependencyError(
        "river is needed for its own kind of classifier: pip install river."
    ) from error


class _RiverClassifier(base.Classifier):
    """Labels True and False, examples by name."""

    _inside: type[OnlineClassifier]

    def __init__(
        self,
        eta0: float = 1.0,
        tie: Tie = "mistake",
        fit_intercept: bool = True,
        hashing: int | None = None,
    ) -> None:
        self.eta0 = eta0
        self.tie = tie
        self.fit_intercept = fit_intercept
        self.hashing = hashing
        self.learner = self._inside(
            eta0=eta0,
            tie=tie,
            fit_intercept=fit_intercept,
            hashing=hashing,
            classes=(False, True),
        )

    def learn_one(self, x: Mapping[Hashable, Any], y: Any) -> None:
        """Learn from one example."""
        self.learner.learn(x, y)

    def predict_one(self, x: Mapping[Hashable, Any], **_: Any) -> bool:
        """The label of one example."""
        return bool(self.learner.predict(x))


class RiverPerceptron(_RiverClassifier):
    """`OnlinePerceptron` as one of river's classifiers; options as there.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics, preprocessing
    >>> model = preprocessing.StandardScaler() | RiverPerceptron()
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: 85.84%
    """

    _inside = OnlinePerceptron


class RiverAveragedPerceptron(_RiverClassifier):
    """`OnlineAveragedPerceptron` as one of river's classifiers."""

    _inside = OnlineAveragedPerceptron


class RiverPocketPerceptron(_RiverClassifier):
    """`OnlinePocketPerceptron` as one of river's classifiers."""

    _inside = OnlinePocketPerceptron
