"""`OnlinePerceptron`, `OnlineAveragedPerceptron`, `OnlinePocketPerceptron`.

`estimator_of` turns one of them into a scikit-learn classifier, which can go on by `partial_fit`.
"""

from typing import Any

import numpy as np

from novikoff import _core
from novikoff.errors import OptionError
from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.learners import online
from novikoff.learners.pocket import Past
from novikoff.learners.status import Status
from novikoff.matrix.rows import Floats, rows_of
from novikoff.stream.classifier import OnlineClassifier


class OnlinePerceptron(OnlineClassifier):
    """The perceptron on a stream: the same weights, to the bit, as `Perceptron.partial_fit`.

    Parameters
    ----------
    eta0, tie, fit_intercept
        As in `Perceptron`.
    classes : (negative, positive), default=(-1, 1)
        The two labels that will come.
    window : int, default=1000
        Over how many of the last examples the recent error is taken.
    keep_rows : bool, default=False
        Whether the last `window` examples are kept, for `window_verdict`.
    hashing : int, optional
        For examples by name: a fixed number of columns. Without it the vocabulary grows.

    Examples
    --------
    >>> import novikoff
    >>> learner = novikoff.OnlinePerceptron()
    >>> learner.learn([2.0, 1.0], 1), learner.learn([-1.0, 3.0], -1), learner.learn([3.0, 0.0], 1)
    (True, True, False)
    >>> learner.predict([2.0, -1.0])
    1
    >>> learner.account.mistakes
    2
    """

    _kind, _depth = online.PLAIN, 1

    def _prediction_weights(self) -> Floats:
        return np.asarray(self._W[0])

    def _trial(self) -> None:
        """There is no pocket, and so no trial."""


class OnlineAveragedPerceptron(OnlineClassifier):
    """The averaged perceptron on a stream: it predicts by the mean of its weights so far.

    The same bits as `AveragedPerceptron.partial_fit`. Options as in `OnlinePerceptron`.

    Examples
    --------
    >>> import novikoff
    >>> learner = novikoff.OnlineAveragedPerceptron()
    >>> learner.learn_many([[2.0], [-1.0], [3.0], [-2.0]], [1, -1, 1, -1]).tolist()
    [True, False, False, False]
    >>> learner.coef_.tolist(), learner.intercept_
    ([2.0], 1.0)
    """

    _kind, _depth = online.AVERAGED, 2

    def _prediction_weights(self) -> Floats:
        rounds = max(1, int(self._counts[online.EXAMPLES]))
        return np.asarray(self._W[0] - self._W[1] / rounds)

    def _trial(self) -> None:
        """There is no pocket, and so no trial."""


class OnlinePocketPerceptron(OnlineClassifier):
    """The pocket algorithm on a stream, with a window for its ratchet.

    Weights that have been right longer in a row than those in the pocket just now are tried on the
    last `window` examples, and enter the pocket if they make fewer errors there: so it follows a
    plane that turns. With `keep_rows=False` there is no ratchet, the longest run of all decides,
    and the bits are those of `PocketPerceptron(ratchet=False).partial_fit`. Options as in
    `OnlinePerceptron`.

    Examples
    --------
    >>> import novikoff
    >>> learner = novikoff.OnlinePocketPerceptron(window=100)
    >>> _ = learner.learn_many([[1.0], [2.0], [-1.0], [-2.0]] * 5, [1, 1, -1, -1] * 5)
    >>> learner.predict([3.0]), learner.predict([-3.0])
    (1, -1)
    """

    _kind, _depth = online.POCKET, 2

    def __init__(self, *, keep_rows: bool = True, **options: Any) -> None:
        super().__init__(keep_rows=keep_rows, **options)
        self._counts[online.HAS_RATCHET] = int(keep_rows)

    def _prediction_weights(self) -> Floats:
        return np.asarray(self._W[1])

    def _trial(self) -> None:
        counts = self._counts
        counts[online.TRIAL] = online.REJECTED
        if self._memory is not None:
            matrix, signs = self._memory.in_any_order(self._W.shape[1] - 1)
            state = (self._W, self._numbers, self._counts)
            if not _core.has_fewer_errors(rows_of(matrix), signs, *state):
                return
        self._W[1] = self._W[0]
        self._numbers[online.KEPT_NORM] = self._numbers[online.NORM]
        counts[online.TRIAL] = online.KEPT
        counts[online.KEPT_RUN] = counts[online.RUN]
        counts[online.CHANGES] += 1


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
    """Set what a learner needs to go on, besides the weights it predicts by."""
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
