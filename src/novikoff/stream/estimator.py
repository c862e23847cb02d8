"""Turn an online learner into a scikit-learn classifier, which can go on by `partial_fit`."""

from typing import Any

import numpy as np

from novikoff.errors import OptionError
from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.learners import online
from novikoff.learners.pocket import Past
from novikoff.learners.status import Status
from novikoff.stream.classifier import OnlineClassifier


def estimator_of(learner: OnlineClassifier) -> Any:
    """The classifier that `partial_fit` on the same examples would have made.

    A pocket with a ratchet becomes a pocket whose runs go on without one.
    """
    negative, positive = learner.classes
    if not learner.n_features:
        raise OptionError("no example has come yet, so there is no model.")
    if not negative < positive:  # type: ignore[operator]
        raise OptionError(
            f"a classifier takes the greater label as +1, and {positive!r} is not greater than "
            f"{negative!r}: name the classes the other way round."
        )
    options: dict[str, Any] = {
        "eta0": learner.eta0, "tie": learner.tie, "fit_intercept": learner.fit_intercept
    }  # fmt: skip
    kinds = {online.PLAIN: Perceptron, online.AVERAGED: AveragedPerceptron}
    if learner._kind == online.POCKET:
        estimator: Any = PocketPerceptron(ratchet=False, order="cyclic", **options)
    else:
        estimator = kinds[learner._kind](**options)
    counts = learner._counts
    estimator.n_features_in_ = learner.n_features
    estimator._begin(np.array([negative, positive]), np.ones(2))
    estimator._set_weights([np.append(learner.coef_, learner.intercept_)])
    _set_past(estimator, learner)
    mistakes = int(counts[online.MISTAKES])
    estimator.mistakes_per_epoch_ = np.array([mistakes])
    estimator.n_mistakes_, estimator.n_iter_ = mistakes, 1
    estimator.status_, estimator.statuses_ = Status.LEARNING, [Status.LEARNING]
    return estimator


def _set_past(estimator: Any, learner: OnlineClassifier) -> None:
    """What a learner needs besides the weights it predicts by, to go on."""
    d, counts = learner.n_features, learner._counts
    rows = [np.append(w[:d], w[-1]) for w in learner._W]
    if isinstance(estimator, AveragedPerceptron):
        estimator._last, estimator._delayed = [rows[0]], [rows[1]]
        estimator._rounds = [int(counts[online.EXAMPLES])]
        estimator.last_coef_, estimator.last_intercept_ = rows[0][None, :-1], rows[0][-1:]
    if isinstance(estimator, PocketPerceptron):
        places = [online.RUN, online.KEPT_RUN, online.TRIAL, online.CHANGES]
        tally = counts[places].copy()
        lengths = np.full(int(tally[3]), int(tally[1]))
        estimator._pasts = [Past(rows[1], rows[0], tally, lengths)]
        estimator.run_lengths_ = lengths
