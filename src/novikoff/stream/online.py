"""`OnlinePerceptron`, `OnlineAveragedPerceptron`, `OnlinePocketPerceptron`."""

from typing import Any

import numpy as np

from novikoff import _core
from novikoff.learners import online
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
