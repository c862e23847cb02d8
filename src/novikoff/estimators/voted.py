"""`VotedPerceptron`: every weight vector that the perceptron had votes."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.options import Order, Tie, check_count, tie_sign
from novikoff.estimators.base import Learn, ThresholdClassifier
from novikoff.estimators.capabilities import Capabilities, check_options
from novikoff.estimators.training_data import ExamplesOfRun, InMemory, n_planes
from novikoff.learners.run import Run, RunPlan, run
from novikoff.learners.unit import check_weights, weights_at
from novikoff.learners.voted import History, VotedRun, Voters, grow, votes
from novikoff.matrix.problem import Matrix
from novikoff.matrix.rows import Floats, rows_of


class VotedPerceptron(ThresholdClassifier):
    """The voted perceptron of Freund and Schapire (1999).

    It keeps no list of weight vectors, only the rows mistaken (each once), the order in which they
    were, and how many rounds each vector survived: 24 bytes a mistake besides the rows. A vote over
    m points costs as much as m·(mistakes + 1) scores.

    Parameters
    ----------
    max_mistakes : int, default=1_000_000
        How many mistakes are stored at most, for each run: 24 MB. Learning ends there, with the
        status "full".
    max_iter : int, default=10
        How many epochs at most; few, because every mistake made is paid for by each prediction.
    order : {"cyclic", "shuffled", "random"}, default="cyclic"
        Which example comes next.
    eta0, tie, fit_intercept, class_weight, warm_start, n_jobs, random_state, verbose
        As in `Perceptron`.

    Attributes
    ----------
    mistaken_rows_ : ndarray or CSR matrix
        The rows on which mistakes were made.
    mistakes_ : list of ndarray
        For each run the mistakes in their order, as indices into `mistaken_rows_`.
    pushes_ : list of ndarray
        For each run how far each mistake pushed the weights: η·y.
    survived_ : list of ndarray
        For each run how many rounds each weight vector survived, the zero vector at the start
        included.
    nbytes_ : int
        The memory of all of this.
    classes_, n_iter_, n_mistakes_, mistakes_per_epoch_, status_
        As in `Perceptron`.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> novikoff.VotedPerceptron().fit(X, y).predict([[2, 2]]).tolist()
    [1]
    """

    def __init__(
        self,
        *,
        max_mistakes: int = 1_000_000,
        eta0: float = 1.0,
        max_iter: int = 10,
        order: Order = "cyclic",
        tie: Tie = "mistake",
        fit_intercept: bool = True,
        class_weight: Any = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.max_mistakes = max_mistakes
        self.eta0 = eta0
        self.max_iter = max_iter
        self.order = order
        self.tie = tie
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _check_options(self) -> Capabilities:
        check_options(self, orders=("cyclic", "shuffled", "random"))
        check_count("max_mistakes", self.max_mistakes)
        return Capabilities(type(self).__name__, self.order)

    def _forget(self) -> None:
        runs = n_planes(self.classes_)
        self._last = [np.zeros(self.n_features_in_ + 1) for _ in range(runs)]
        self._histories = [grow(None, 0) for _ in range(runs)]
        self._chunks: list[Matrix] = []

    def _learner(self, data: InMemory) -> Learn:
        return partial(self._learn_in_memory, data.examples())

    def _learn_in_memory(
        self, examples_of_run: ExamplesOfRun, k: int, plan: RunPlan
    ) -> "VotedOutcome":
        history = self._histories[k]
        weights = weights_at(self._last[k].copy())
        examples = examples_of_run(k, weights)
        known = int(history.size[0])
        voted = VotedRun(weights, grow(history, len(history.mistaken)), self.max_mistakes)
        report = run(voted.epochs, examples, voted, plan)
        check_weights(weights.w)
        return VotedOutcome(report, weights.w, voted.history, known)

    def _keep(self, outcomes: list["VotedOutcome"], data: InMemory) -> None:
        """Store the rows that were mistaken, each once, and point the histories to them."""
        new = np.unique(np.concatenate([outcome.new_mistakes for outcome in outcomes]))
        stored = sum(chunk.shape[0] for chunk in self._chunks)
        for outcome in outcomes:
            fresh = outcome.new_mistakes
            fresh[:] = stored + np.searchsorted(new, fresh)
        if len(new):
            self._chunks.append(data.matrix[new])
        self._last = [outcome.w for outcome in outcomes]
        # A stream keeps the room it has for more.
        self._histories = [
            outcome.history.trim() if data.whole else outcome.history for outcome in outcomes
        ]

    @property
    def mistaken_rows_(self) -> Matrix:
        """The rows on which mistakes were made, each once."""
        if len(self._chunks) > 1:
            sparse = any(sp.issparse(chunk) for chunk in self._chunks)
            joined = sp.vstack(self._chunks, format="csr") if sparse else np.vstack(self._chunks)
            self._chunks = [joined]
        return self._chunks[0] if self._chunks else np.zeros((0, self.n_features_in_))

    @property
    def mistakes_(self) -> list[NDArray[np.int64]]:
        """For each run the mistakes in their order, as indices into `mistaken_rows_`."""
        return [history.trim().mistaken for history in self._histories]

    @property
    def pushes_(self) -> list[Floats]:
        """For each run how far each mistake pushed the weights."""
        return [history.trim().push for history in self._histories]

    @property
    def survived_(self) -> list[NDArray[np.int64]]:
        """For each run how many rounds each weight vector survived."""
        return [history.trim().survived for history in self._histories]

    @property
    def nbytes_(self) -> int:
        """The memory of the rows, the mistakes and the counts."""
        rows = self.mistaken_rows_
        parts = (rows.data, rows.indices, rows.indptr) if sp.issparse(rows) else (rows,)
        stored = sum(part.nbytes for part in parts)
        return int(stored + sum(history.nbytes for history in self._histories))

    def _scores(self, matrix: Matrix) -> list[Floats]:
        """The votes of each run as a share of all its votes: from −1 to +1."""
        points, rows = rows_of(matrix), rows_of(self.mistaken_rows_)
        bias, tie = 1.0 if self.fit_intercept else 0.0, tie_sign(self.tie)
        return [
            votes(points, Voters(rows, history, bias, tie))
            / max(1, int(history.survived[: history.size[0] + 1].sum()))
            for history in self._histories
        ]


@dataclass(frozen=True)
class VotedOutcome:
    """A run's report, its last ŵ, its history, and how much of that was known before."""

    run: Run
    w: Floats
    history: History
    known: int

    @property
    def new_mistakes(self) -> NDArray[np.int64]:
        """The rows mistaken in this run (a view)."""
        return self.history.mistaken[self.known : int(self.history.size[0])]
