"""`ReluNetwork`: the lecture's two-layer network, trained by scikit-learn, with nothing hidden.

Hidden ReLU units a = max(Wx + b, 0), output the sign of v·a + c. Two hidden units are enough for
XOR, which no single unit can do (Minsky and Papert 1969): they fold the plane so that the two
points (0,1) and (1,0) fall on one, and a line does the rest.
"""

import warnings
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.utils.validation import check_is_fitted

from novikoff.core import sparse as sp
from novikoff.core.blas import one_thread
from novikoff.core.options import check_count
from novikoff.errors import MissingDependencyError, NotFiniteError, OptionError
from novikoff.estimators.base import ScoresScans, StatusInFiles
from novikoff.estimators.validation import check_labels, check_matrix, check_random, in_library_of
from novikoff.learners.status import Status
from novikoff.matrix.batches import Batches, copy_to_memmap, refuse_labels, refuse_weights
from novikoff.matrix.problem import Matrix
from novikoff.matrix.rows import Floats


@dataclass(frozen=True)
class Network:
    """W (hidden × d) and b of the hidden units, v and c of the output units (one row each)."""

    W: Floats
    b: Floats
    v: Floats
    c: Floats

    def activations(self, X: Matrix) -> Floats:
        """a = max(Wx + b, 0): a row a sample, a column a hidden unit."""
        return np.maximum(np.asarray(X @ self.W.T) + self.b, 0.0)

    def scores(self, X: Matrix) -> Floats:
        """v·a + c: a row a sample, a column an output unit."""
        with np.errstate(over="ignore", invalid="ignore"):
            scores = np.asarray(self.activations(X) @ self.v.T + self.c)
        if not np.isfinite(scores).all():
            row = int(np.argmin(np.isfinite(scores).all(axis=1)))
            raise NotFiniteError(f"the scores of row {row} are beyond float64: scale the data.")
        return scores


def xor_network() -> Network:
    """XOR with whole numbers: a₁ = max(x₁ + x₂, 0), a₂ = max(x₁ + x₂ − 1, 0), 2a₁ − 4a₂ − 1.

    The score is −1, 1, 1, −1 on (0,0), (0,1), (1,0), (1,1), without any rounding.
    """
    return Network(
        W=np.array([[1.0, 1.0], [1.0, 1.0]]),
        b=np.array([0.0, -1.0]),
        v=np.array([[2.0, -4.0]]),
        c=np.array([-1.0]),
    )


class Start(NamedTuple):
    """One trained network, and how many training samples it misclassifies."""

    mlp: MLPClassifier
    errors: int


class ReluNetwork(ScoresScans, StatusInFiles):
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
        Random numbers for the starts.

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
    status_ : Status
        Whether it is faultless on the training samples; a `ConvergenceWarning` says so if not.

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
        if isinstance(X, Batches):
            X, y = self._rows_of(X, y)
        matrix = check_matrix(self, X, reset=True)
        self.classes_, index = check_labels(matrix, y)
        with one_thread():
            best = self._best_start(matrix, index)
        self._set(_network_of(best.mlp))
        self.n_errors_, self.loss_ = best.errors, float(best.mlp.loss_)
        self.n_iter_ = int(best.mlp.n_iter_)
        self.training_error_ = self.n_errors_ / matrix.shape[0]
        self.status_ = Status.FAULTLESS if self.n_errors_ == 0 else Status.ERRORS_LEFT
        if self.n_errors_:
            self._warn(matrix.shape[0])
        return self

    def _rows_of(self, batches: Batches, y: object) -> tuple[Matrix, NDArray[Any]]:
        """The rows of a scan, mapped from a file, and its labels."""
        refuse_labels(y)
        refuse_weights(batches, type(self).__name__)
        rows = copy_to_memmap(
            batches, f"a {type(self).__name__} looks at all rows for each of its steps"
        )
        return rows.X, rows.y

    def _best_start(self, matrix: Matrix, index: NDArray[np.intp]) -> "Start":
        """The start with the fewest errors, of equals the one with the least loss."""
        random_state = check_random(self.random_state)
        best: Start | None = None
        for start in range(1, self.restarts + 1):
            mlp = self._train(matrix, index, random_state)
            self.n_starts_ = start
            if mlp is None:  # the loss, or a weight, was no number any more
                continue
            try:
                errors = int(np.count_nonzero(_decide(_network_of(mlp).scores(matrix)) != index))
            except NotFiniteError:
                continue
            if best is None or (errors, mlp.loss_) < (best.errors, best.mlp.loss_):
                best = Start(mlp, errors)
            if errors == 0:
                break
        if best is None:
            raise NotFiniteError(
                f"none of {self.restarts} starts had a finite loss: scale the data (for example "
                "with scikit-learn's StandardScaler)."
            )
        return best

    def _warn(self, n: int) -> None:
        ran_out = self.n_iter_ >= self.max_iter
        longer = f"its optimiser stopped at max_iter={self.max_iter}: raise it, " if ran_out else ""
        warnings.warn(
            f"{self.status_} {self.n_errors_} of {n} are wrong after {self.n_starts_} starts: "
            f"{longer}raise hidden (now {self.hidden}) or restarts, or scale the data.",
            ConvergenceWarning,
            stacklevel=3,
        )

    def _check_options(self) -> None:
        check_count("hidden", self.hidden)
        check_count("restarts", self.restarts)
        check_count("max_iter", self.max_iter)
        check_random(self.random_state)
        alpha: Any = self.alpha
        is_number = isinstance(alpha, Real) and not isinstance(alpha, bool)
        if not is_number or not 0 <= alpha < np.inf:
            raise OptionError(f"alpha must be a number of at least 0; got {self.alpha!r}.")

    def _train(
        self, matrix: Matrix, index: NDArray[np.intp], random_state: np.random.RandomState
    ) -> MLPClassifier | None:
        """One start; None if its loss or its weights ended as no finite numbers."""
        mlp = MLPClassifier(
            hidden_layer_sizes=(self.hidden,),
            activation="relu",
            solver="lbfgs",
            alpha=self.alpha,
            max_iter=self.max_iter,
            random_state=random_state.randint(2**31 - 1),
        )
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            # Whether a start is any good is judged by its errors, below.
            warnings.simplefilter("ignore")
            try:
                mlp.fit(matrix, index)
            except ValueError:  # "Solver produced non-finite parameter weights"
                return None
        weights = [mlp.loss_, *mlp.coefs_, *mlp.intercepts_]
        return mlp if all(np.isfinite(part).all() for part in weights) else None

    def _set(self, network: Network) -> None:
        self._network = network
        self.W_, self.b_ = network.W, network.b
        one = len(network.v) == 1
        self.v_ = network.v[0] if one else network.v
        self.c_ = float(network.c[0]) if one else network.c

    def activations(self, X: object) -> Floats:
        """The hidden units' outputs: a row a sample, a column a unit."""
        check_is_fitted(self)
        return self._network.activations(check_matrix(self, X, reset=False))

    def decision_function(self, X: object) -> Floats:
        """v·a + c: one a row for two classes (positive: the second), else one a row and class."""
        scores = self._scores(X)
        return cast("Floats", in_library_of(X, scores[:, 0] if scores.shape[1] == 1 else scores))

    def _scores(self, X: object) -> Floats:
        check_is_fitted(self)
        return self._network.scores(check_matrix(self, X, reset=False))

    def predict(self, X: object) -> NDArray[Any]:
        """The class of each row; a score of exactly 0 says the second class."""
        scores = self._scores(X)
        return cast("NDArray[Any]", in_library_of(X, self.classes_[_decide(scores)]))

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
        matrix = check_matrix(self, X, reset=False)
        dense = matrix.toarray() if sp.issparse(matrix) else matrix
        names = getattr(self, "feature_names_in_", [f"x{j + 1}" for j in range(dense.shape[1])])
        columns = dict(zip(names, dense.T, strict=True))
        for k, activation in enumerate(self._network.activations(matrix).T):
            columns[f"a{k + 1}"] = activation
        scores = self._network.scores(matrix)
        shown = ["score"] if scores.shape[1] == 1 else [f"score {label}" for label in self.classes_]
        columns.update(zip(shown, scores.T, strict=True))
        columns["prediction"] = self.classes_[_decide(scores)]
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


def _decide(scores: Floats) -> NDArray[np.intp]:
    """The index of the class for each row of scores."""
    if scores.shape[1] == 1:
        return (scores[:, 0] >= 0).astype(np.intp)
    return np.asarray(scores.argmax(axis=1))
