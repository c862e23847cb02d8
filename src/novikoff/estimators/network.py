"""`ReluNetwork`: the lecture's two-layer network, trained by scikit-learn, with nothing hidden."""

import warnings
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from novikoff import sparse as sp
from novikoff.errors import MissingDependencyError, OptionError
from novikoff.estimators.door import check_count, checked_labels, checked_matrix, in_kind
from novikoff.learners.network import Network, xor_network
from novikoff.problem import Matrix
from novikoff.rows import Floats

__all__ = ["ReluNetwork"]


class ReluNetwork(ClassifierMixin, BaseEstimator):
    """Hidden units aₖ = max(wₖ·x + bₖ, 0), output the sign of v·a + c.

    scikit-learn's `MLPClassifier` does the training (L-BFGS on the logistic loss). Its loss has
    local minima, so it starts `restarts` times and the network with the fewest training errors is
    kept (of equals, the one with the least loss); a start without errors ends the search.

    Parameters
    ----------
    hidden : int, default=2
        How many hidden units.
    restarts : int, default=50
        How many random starts at most.
    alpha : float, default=1e-4
        The weight of ‖w‖² in the loss.
    max_iter : int, default=1000
        How many iterations of the optimiser for each start.
    random_state : int or RandomState, default=None
        The dice of the starts.

    Attributes
    ----------
    W_, b_ : ndarray
        The weights (hidden × d) and biases of the hidden units.
    v_, c_ : ndarray and float
        The weights and bias of the output (for K > 2 classes K × hidden and K: the greatest wins).
    classes_ : ndarray
        The labels; of two, the second is +1.
    n_errors_, training_error_ : int, float
        How many training samples the network misclassifies, and which share that is.
    loss_ : float
        Its loss.
    n_starts_ : int
        How many starts it took.
    n_iter_ : int
        How many iterations the start that was kept took.

    Examples
    --------
    >>> import novikoff
    >>> network = novikoff.ReluNetwork.xor()
    >>> network.predict([[0, 0], [0, 1], [1, 0], [1, 1]]).tolist()
    [-1, 1, 1, -1]
    """

    def __init__(
        self,
        *,
        hidden: int = 2,
        restarts: int = 50,
        alpha: float = 1e-4,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.hidden = hidden
        self.restarts = restarts
        self.alpha = alpha
        self.max_iter = max_iter
        self.random_state = random_state

    @classmethod
    def xor(cls) -> "ReluNetwork":
        """The classic network for XOR, with whole numbers for weights; classes −1 and +1."""
        network = cls(hidden=2)
        network.n_features_in_ = 2
        network.classes_ = np.array([-1, 1])
        network._set(xor_network())
        return network

    def fit(self, X: object, y: object = None) -> Self:
        """Train from random starts until one makes no error, or `restarts` are used up."""
        self._check_options()
        matrix = checked_matrix(self, X, reset=True)
        self.classes_, index = checked_labels(matrix, y)
        random_state = check_random_state(self.random_state)
        best: tuple[int, float] | None = None
        for start in range(1, self.restarts + 1):
            mlp = self._trained(matrix, index, random_state)
            network = _network_of(mlp)
            errors = int(np.count_nonzero(_decided(network.scores(matrix)) != index))
            if best is None or (errors, mlp.loss_) < best:
                best = (errors, float(mlp.loss_))
                self._set(network)
                self.n_errors_, self.loss_, self.n_iter_ = errors, best[1], int(mlp.n_iter_)
            self.n_starts_ = start
            if errors == 0:
                break
        self.training_error_ = self.n_errors_ / matrix.shape[0]
        return self

    def _check_options(self) -> None:
        check_count("hidden", self.hidden)
        check_count("restarts", self.restarts)
        check_count("max_iter", self.max_iter)
        if isinstance(self.alpha, bool) or not 0 <= self.alpha < np.inf:
            raise OptionError(f"alpha must be a number of at least 0; got {self.alpha!r}.")

    def _trained(
        self, matrix: Matrix, index: NDArray[np.intp], random_state: np.random.RandomState
    ) -> MLPClassifier:
        mlp = MLPClassifier(
            hidden_layer_sizes=(self.hidden,),
            activation="relu",
            solver="lbfgs",
            alpha=self.alpha,
            max_iter=self.max_iter,
            random_state=random_state.randint(2**31 - 1),
        )
        with warnings.catch_warnings():
            # Whether a start is any good is judged by its errors.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return mlp.fit(matrix, index)

    def _set(self, network: Network) -> None:
        self._network = network
        self.W_, self.b_ = network.W, network.b
        one = len(network.v) == 1
        self.v_ = network.v[0] if one else network.v
        self.c_ = float(network.c[0]) if one else network.c

    def activations(self, X: object) -> Floats:
        """The hidden units' outputs: a row a sample, a column a unit."""
        check_is_fitted(self)
        return self._network.activations(checked_matrix(self, X, reset=False))

    def decision_function(self, X: object) -> Floats:
        """v·a + c: one a row for two classes (positive: the second), else one a row and class."""
        scores = self._scores(X)
        return cast("Floats", in_kind(X, scores[:, 0] if scores.shape[1] == 1 else scores))

    def _scores(self, X: object) -> Floats:
        check_is_fitted(self)
        return self._network.scores(checked_matrix(self, X, reset=False))

    def predict(self, X: object) -> NDArray[Any]:
        """The class of each row; a score of exactly 0 says the second class."""
        return cast("NDArray[Any]", in_kind(X, self.classes_[_decided(self._scores(X))]))

    def table(self, X: object, y: object = None) -> Any:
        """A DataFrame, a row a sample: inputs, activations, score, prediction; with `y`, label.

        For more than two classes there is a score for each.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingDependencyError(
                "the table is a pandas DataFrame: pip install pandas."
            ) from error
        check_is_fitted(self)
        matrix = checked_matrix(self, X, reset=False)
        dense = matrix.toarray() if sp.issparse(matrix) else matrix
        names = getattr(self, "feature_names_in_", [f"x{j + 1}" for j in range(dense.shape[1])])
        columns = dict(zip(names, dense.T, strict=True))
        for k, activation in enumerate(self._network.activations(matrix).T):
            columns[f"a{k + 1}"] = activation
        scores = self._network.scores(matrix)
        shown = ["score"] if scores.shape[1] == 1 else [f"score {label}" for label in self.classes_]
        columns.update(zip(shown, scores.T, strict=True))
        columns["prediction"] = self.classes_[_decided(scores)]
        if y is not None:
            columns["label"] = np.asarray(y)
        return pd.DataFrame(columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _network_of(mlp: MLPClassifier) -> Network:
    (W, v), (b, c) = mlp.coefs_, mlp.intercepts_
    return Network(W.T.copy(), b.copy(), v.T.copy(), c.copy())


def _decided(scores: Floats) -> NDArray[np.intp]:
    """The index of the class for each row of scores."""
    if scores.shape[1] == 1:
        return (scores[:, 0] >= 0).astype(np.intp)
    return np.asarray(scores.argmax(axis=1))
