"""`Capabilities`: what a learner can do with its options, checked before anything is learned."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from novikoff.core.options import (
    Order,
    Strategy,
    check_count,
    check_flag,
    check_positive,
    choice,
    tie_sign,
)
from novikoff.errors import OptionError
from novikoff.estimators.validation import check_random
from novikoff.matrix.batches import Batches, refuse_batches

MOST_JOBS = 1 << 20


def check_options(estimator: Any, *, orders: tuple[Order, ...]) -> None:
    """Raise `OptionError` unless the options that all threshold classifiers have are sound."""
    check_positive("eta0", estimator.eta0)
    check_count("max_iter", estimator.max_iter)
    choice("order", estimator.order, orders)
    tie_sign(estimator.tie)
    check_flag("fit_intercept", estimator.fit_intercept)
    check_flag("warm_start", estimator.warm_start)
    _check_jobs(estimator.n_jobs)
    check_random(estimator.random_state)
    _check_verbose(estimator.verbose)


def _check_jobs(n_jobs: Any) -> None:
    """Raise `OptionError` unless `n_jobs` is None or a whole number other than 0."""
    if n_jobs is None:
        return
    is_whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if not is_whole or n_jobs == 0 or abs(n_jobs) > MOST_JOBS:
        raise OptionError(
            f"n_jobs must be None or a whole number other than 0 (−1: all cores) of at most "
            f"{MOST_JOBS:,}; got {n_jobs!r}."
        )


def _check_verbose(verbose: Any) -> None:
    """Raise `OptionError` unless `verbose` is a whole number of at least 0, or a flag."""
    if not isinstance(verbose, Integral) or verbose < 0:
        raise OptionError(f"verbose must be a whole number of at least 0; got {verbose!r}.")


@dataclass(frozen=True)
class Capabilities:
    """A learner's name and order, and what it can do with all its options as they are.

    exact : numbers stay as they are, even those that float64 cannot hold.
    together : more than two classes are learned in one run, not each against the rest.
    batches : rows are presented in their order, again and again, so that a scan is learned from
        batch by batch; without, its numbers are put into a file that is mapped, and any row is at
        hand. (What learns classes together needs any row, unless there are two.)
    cluster : it learns on the partitions of a cluster, in the order "cyclic".
    strategy : how it learns there; anything but "exact" asks for a cluster.
    resumes : a run can be written down between two epochs, and goes on from there.
    advice : what to do when max_iter is reached; None where that is a fine way to end.
    refuse_scan : raises an error for a scan that needs more memory than a scan promises.
    """

    learner: str
    order: Order
    exact: bool = False
    together: bool = False
    batches: bool = False
    cluster: bool = False
    strategy: Strategy = "exact"
    resumes: bool = False
    advice: str | None = None
    refuse_scan: Callable[[Batches], None] | None = None

    def learns_by_batch(self, n_classes: int) -> bool:
        """Whether a scan of so many classes is learned from batch by batch."""
        return self.batches and (n_classes == 2 or not self.together)

    @property
    def why_any_row(self) -> str:
        """What needs any row at any time, for an error."""
        order = "" if self.order == "cyclic" else f" with order={self.order!r}"
        return f"a {self.learner}{order} goes back to rows in any order"

    def check_scan(self, batches: Batches) -> None:
        """Raise an error if this machine cannot learn from the scan."""
        self.check_one_machine()
        if self.exact:
            refuse_batches(batches, 'arithmetic="exact"', "it keeps all rows as Python integers")
        if self.refuse_scan is not None:
            self.refuse_scan(batches)

    def check_one_machine(self) -> None:
        """Raise `OptionError` if an option asks for a cluster."""
        if self.strategy != "exact":
            raise OptionError(
                f"strategy={self.strategy!r} learns on the partitions of a Dask cluster, and this "
                'data is not on one: give Dask data, or use strategy="exact".'
            )

    def check_checkpoint(self) -> None:
        """Raise `OptionError` if a run cannot be written down half way."""
        if not self.resumes or self.exact:
            exactly = " in exact arithmetic" if self.exact else ""
            raise OptionError(
                f"checkpoint: a run of a {self.learner}{exactly} cannot be saved and continued."
            )

    def check_cluster(self, checkpoint: object) -> None:
        """Raise `OptionError`, with the reason, if a cluster cannot do this run."""
        reason = self._why_no_cluster(checkpoint)
        if reason is not None:
            raise OptionError(
                f"{reason} needs all rows in one memory, and Dask's are on its workers: Perceptron "
                'and AveragedPerceptron learn there with order="cyclic" and arithmetic="float64", '
                "each class against the rest, without checkpoints."
            )

    def can_use_cluster(self, checkpoint: object) -> bool:
        """Whether a cluster can do this run: otherwise a scan is learned from on this machine."""
        return self._why_no_cluster(checkpoint) is None

    def _why_no_cluster(self, checkpoint: object) -> str | None:
        """The first of the things that need all rows in one memory, or None."""
        reasons = {
            f"a {self.learner}": not self.cluster,
            f"order={self.order!r}": self.order != "cyclic",
            'arithmetic="exact"': self.exact,
            'multi_class="joint"': self.together,
            "checkpoint": checkpoint is not None,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)
