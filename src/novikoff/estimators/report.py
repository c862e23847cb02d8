"""What is said of the runs of a learner when they end: epochs, mistakes, status."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from novikoff.learners.run import Run
from novikoff.learners.status import Status

__all__ = ["ReportsRuns", "StatusInFiles"]

# Of several runs the report is that of the one that came off worst.
WORST_FIRST = (
    Status.REACHED_MAX_ITER,
    Status.FULL,
    Status.CYCLED,
    Status.LEARNING,
    Status.CONVERGED,
)


class StatusInFiles(BaseEstimator):
    """An estimator whose status is kept in files, by pickle and by skops, as text: by its name."""

    status_: Status
    statuses_: list[Status]

    def __getstate__(self) -> dict[str, Any]:
        """What is kept in a file."""
        state = dict(super().__getstate__())
        if "status_" in state:
            state["status_"] = self.status_.name
        if "statuses_" in state:
            state["statuses_"] = [status.name for status in self.statuses_]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take up what `__getstate__` gave."""
        state = dict(state)
        if "status_" in state:
            state["status_"] = Status[state["status_"]]
        if "statuses_" in state:
            state["statuses_"] = [Status[name] for name in state["statuses_"]]
        super().__setstate__(state)


class ReportsRuns(StatusInFiles):
    """An estimator with one run or several, of each of which it says how it went."""

    n_iter_: int
    n_mistakes_: int
    mistakes_per_epoch_: NDArray[np.int64]

    def _report(self, runs: list[Run], advice: str | None) -> None:
        """Set `n_iter_`, `n_mistakes_`, `mistakes_per_epoch_` and `status_` from the runs.

        `advice` is what to do when max_iter is reached; None where that is a fine way to end.
        """
        self.n_iter_ = max(run.n_epochs for run in runs)
        self.n_mistakes_ = sum(run.n_mistakes for run in runs)
        mistakes = np.zeros((len(runs), self.n_iter_), np.int64)
        for row, run in zip(mistakes, runs, strict=True):
            row[: run.n_epochs] = run.mistakes_per_epoch
        self.mistakes_per_epoch_ = mistakes[0] if len(runs) == 1 else mistakes
        self.statuses_ = [run.status for run in runs]
        self.status_ = next(status for status in WORST_FIRST if status in self.statuses_)
        if self.status_ is Status.REACHED_MAX_ITER and advice is not None:
            warnings.warn(
                f"{self.status_} Raise max_iter (now {self.max_iter}), or {advice}.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _report_batch(self, runs: list[Run]) -> None:
        """Add a batch's mistakes to the epoch in progress: all batches together are one pass."""
        mistakes = [run.n_mistakes for run in runs]
        if getattr(self, "status_", None) is Status.LEARNING:
            self.mistakes_per_epoch_[..., -1] += mistakes if len(mistakes) > 1 else mistakes[0]
            self.n_mistakes_ += sum(mistakes)
            return
        column = np.array(mistakes)
        column = column[:, np.newaxis] if len(mistakes) > 1 else column
        before = getattr(self, "mistakes_per_epoch_", np.zeros((*column.shape[:-1], 0), int))
        self.mistakes_per_epoch_ = np.concatenate([before, column], axis=-1)
        self.status_ = Status.LEARNING
        self.statuses_ = [Status.LEARNING] * len(runs)
        self.n_iter_ = self.mistakes_per_epoch_.shape[-1]
        self.n_mistakes_ = int(self.mistakes_per_epoch_.sum())
