"""The one epoch loop around the compiled learners: orders, limit, the mistakes of each epoch.

A whole run of the perceptron: the loop, the orders, the watch for cycles, put together once.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from novikoff.core.options import ORDERS, Order, choice
from novikoff.learners import perceptron
from novikoff.learners.perceptron import (
    UNOBSERVED,
    MistakeJournal,
    Observer,
    PerceptronState,
    state_of,
    watch_from,
)
from novikoff.learners.skipping import SkippingRun
from novikoff.learners.status import CONVERGED, CYCLED, FULL, GO_ON, OUTGROWN, PAUSED, Status
from novikoff.learners.unit import Examples, Weights, check_weights, count_mistakes, presented_rows

# Seconds that a call is meant to last where somebody wants to know how it goes; how many epochs
# that is, is found out while they run.
SHORT, LONG = 0.1, 0.4
MOST_EPOCHS = 1 << 20  # in one call, whose mistakes are counted in an array
SHARE_FROM = 1_000_000  # multiply-adds an epoch: below that one thread is as fast as many
PAUSE_AFTER = 1.0  # seconds after which epochs in Python return, to be shown and written down


class HasWeights(Protocol):
    """A learner's state: it has weights."""

    @property
    def weights(self) -> Weights:
        """The weights being learned."""


# (examples, order, tie, state, mistakes_per_epoch) -> (epochs run, why it returned)
Epochs = Callable[[Examples, NDArray[np.int64], int, Any, NDArray[np.int64]], tuple[int, int]]
# (examples, tie, state) -> how many are misclassified
Errors = Callable[[Examples, int, Any], int]


class EpochLoop(ABC):
    """Epochs that no compiled loop can run by itself; a learner says what one of them is."""

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,
        state: Any,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch in the same order; return how many were run, and why it stopped."""
        until = time.monotonic() + PAUSE_AFTER
        for epoch in range(len(mistakes_per_epoch)):
            if epoch and time.monotonic() > until:
                return epoch, PAUSED
            mistakes, reason = self.epoch(examples, order, tie, state)
            if mistakes is None:
                return epoch, reason
            mistakes_per_epoch[epoch] = mistakes
            if reason != GO_ON:
                return epoch + 1, reason
        return len(mistakes_per_epoch), PAUSED

    @abstractmethod
    def epoch(
        self, examples: Examples, order: NDArray[np.int64], tie: int, state: Any
    ) -> tuple[int | None, int]:
        """One epoch: its mistakes, and why no other is needed, or GO_ON.

        The mistakes are None where there is a reason not to begin.
        """


class PartsLoop(EpochLoop):
    """Epochs over rows that are not all in memory; they are presented part by part, as given."""

    def epoch(
        self,
        examples: Examples,  # noqa: ARG002
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: Any,
    ) -> tuple[int, int]:
        """One epoch: its mistakes, and why no other is needed, or GO_ON."""
        return self.over_parts(tie, state)

    @abstractmethod
    def over_parts(self, tie: int, state: Any) -> tuple[int, int]:
        """One epoch over all parts."""


STATUS_OF = {
    PAUSED: Status.REACHED_MAX_ITER,
    CONVERGED: Status.CONVERGED,
    CYCLED: Status.CYCLED,
    OUTGROWN: Status.REACHED_MAX_ITER,
    FULL: Status.FULL,
}


class RunCheckpoint(Protocol):
    """Saves and restores a run: `novikoff.estimators.checkpoint`."""

    def restore(
        self, part: str, state: Any, random_state: np.random.RandomState
    ) -> tuple[NDArray[np.int64], int | None]:
        """Put a part back where it was: mistakes of its epochs, and why it returned (or None)."""

    def keep(
        self,
        part: str,
        state: Any,
        random_state: np.random.RandomState,
        mistakes_per_epoch: NDArray[np.int64],
        outcome: int,
        *,
        now: bool,
    ) -> None:
        """Write down where a part is, if it is time or `now`."""


@dataclass(frozen=True)
class RunPlan:
    """How to run: the tie rule (as a sign), the order, the epochs at most, the random numbers.

    `watch(epochs so far, mistakes in the last one)` is told how it goes, now and then. A
    `checkpoint` writes down where the run is, as its `part`, and puts it back there. Up to
    `threads` threads score examples, where that is faster; no bit depends on how many.
    """

    tie: int
    order: Order
    max_iter: int
    random_state: np.random.RandomState
    watch: Callable[[int, int], None] | None = None
    checkpoint: "RunCheckpoint | None" = None
    part: str = "run"
    threads: int = 1

    def threads_for(self, examples: Examples) -> int:
        """How many are to score these examples; one where an epoch is over in a millisecond."""
        is_long = len(examples.push) * examples.entries >= SHARE_FROM
        return self.threads if is_long else 1


@dataclass(frozen=True)
class Run:
    """The report of a run; the weights that it learned are in its state."""

    status: Status
    mistakes_per_epoch: NDArray[np.int64]
    outgrown: bool = False

    @property
    def n_epochs(self) -> int:
        """How many epochs were begun."""
        return len(self.mistakes_per_epoch)

    @property
    def n_mistakes(self) -> int:
        """How many mistakes were made in all."""
        return int(self.mistakes_per_epoch.sum())


def errors_of_weights(examples: Examples, tie: int, state: HasWeights) -> int:
    """How many examples the weights as they are now misclassify."""
    return count_mistakes(examples, tie, state.weights)


def run(
    epochs: Epochs,
    examples: Examples,
    state: Any,
    plan: RunPlan,
    *,
    errors: Errors = errors_of_weights,
) -> Run:
    """Run epochs until a whole one has no mistake, the weights cycle, or the plan ends.

    `errors` counts them for a state that is not made of weights.
    """
    choice("order", plan.order, ORDERS)
    if not examples.push.any():  # nobody is presented, so nobody is mistaken
        return Run(Status.CONVERGED, np.zeros(1, np.int64))
    presented = presented_rows(examples)
    n = len(presented) or len(examples.push)
    is_told = plan.watch is not None or plan.checkpoint is not None
    per_call = 1 if is_told else MOST_EPOCHS
    counts = [np.zeros(0, np.int64)]
    total, outcome = 0, PAUSED
    if plan.checkpoint is not None:
        before, why = plan.checkpoint.restore(plan.part, state, plan.random_state)
        counts, total = [before], len(before)
        outcome = PAUSED if why is None else why
    while outcome == PAUSED and total < plan.max_iter:
        one = plan.order in ("shuffled", "random")  # a new order for every epoch
        mistakes = np.zeros(1 if one else min(per_call, plan.max_iter - total), np.int64)
        order = _next_order(plan, presented, n)
        started = time.perf_counter()
        done, outcome = epochs(examples, order, plan.tie, state, mistakes)
        if is_told:
            per_call = _next_pace(per_call, time.perf_counter() - started)
        # Draws with replacement can miss the one row that matters.
        if outcome == CONVERGED and plan.order == "random":
            outcome = CONVERGED if errors(examples, plan.tie, state) == 0 else PAUSED
        counts.append(mistakes[:done])
        total += done
        if plan.watch is not None:
            plan.watch(total, int(mistakes[done - 1]) if done else 0)
        if plan.checkpoint is not None:
            ended = outcome != PAUSED or total >= plan.max_iter
            so_far = np.concatenate(counts)
            plan.checkpoint.keep(plan.part, state, plan.random_state, so_far, outcome, now=ended)
    return Run(STATUS_OF[outcome], np.concatenate(counts), outgrown=outcome == OUTGROWN)


def _next_pace(per_call: int, seconds: float) -> int:
    """How many epochs the next call is to run, if these took so long."""
    if seconds < SHORT:
        return min(4 * per_call, MOST_EPOCHS)
    return max(1, per_call // 2) if seconds > LONG else per_call


def _next_order(plan: RunPlan, presented: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    if plan.order == "shuffled":
        chosen = plan.random_state.permutation(n).astype(np.int64, copy=False)
    elif plan.order == "random":
        chosen = plan.random_state.randint(0, n, size=n, dtype=np.int64)
    else:
        return presented
    return presented[chosen] if len(presented) else chosen


# Below this many rows an epoch costs less than thinking about it.
SKIP_FROM = 1000


def run_perceptron(
    examples: Examples,
    weights: Weights,
    plan: RunPlan,
    *,
    journal: MistakeJournal | None = None,
    must_be_exact: bool = False,
    loop: Epochs | None = None,
) -> tuple[Run, NDArray[np.int64] | None]:
    """Learn until an epoch has no mistake, the weights cycle, or the plan ends.

    Returns the report and, if it cycled, how often each row was mistaken in one turn of the cycle.
    A run that outgrows what float64 holds exactly stops if it `must_be_exact` (its report says
    `outgrown`), and otherwise goes on without watching for cycles. `loop` runs the epochs where
    the rows are not all in memory.
    """
    watch = watch_from(examples, weights, plan.order)
    state = state_of(weights, Observer(journal, watch))
    report = run(loop or _loop_for(plan, examples, state), examples, state, plan)
    if report.outgrown and not must_be_exact:
        state = state._replace(observer=Observer(journal))
        rest = run(
            loop or _loop_for(plan, examples, state),
            examples,
            state,
            replace(plan, max_iter=plan.max_iter - report.n_epochs, part=f"{plan.part}, rounded"),
        )
        mistakes = np.concatenate([report.mistakes_per_epoch, rest.mistakes_per_epoch])
        report = Run(rest.status, mistakes)
    if not math.isfinite(weights.norm[0]):  # no weight is greater than the norm
        check_weights(weights.w)
    if watch is None or report.status is not Status.CYCLED:
        return report, None
    return report, watch.counts


def _loop_for(plan: RunPlan, examples: Examples, state: PerceptronState) -> Epochs:
    """The plain loop, the greedy one, or the one that skips rows: on much data, unobserved."""
    n = len(examples.push)
    if plan.order == "worst":
        return perceptron.greedy_epochs
    may_skip = plan.order == "cyclic" and state.observer == UNOBSERVED
    if may_skip and n >= SKIP_FROM and plan.max_iter > 1:
        return SkippingRun.over(n, len(state.weights.w), plan.threads_for(examples))
    return partial(perceptron.epochs, threads=plan.threads_for(examples))
