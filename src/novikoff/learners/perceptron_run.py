"""A whole run of the perceptron: the loop, the orders, the watch for cycles, put together once."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from novikoff.learners.cycles import watch_from
from novikoff.learners.epochs import epochs
from novikoff.learners.greedy import GreedyRun
from novikoff.learners.journal import Journal
from novikoff.learners.observer import Nobody, observer_of
from novikoff.learners.perceptron import State, state_of
from novikoff.learners.run import Epochs, Plan, Run, run
from novikoff.learners.skipping import SkippingRun
from novikoff.learners.status import Status
from novikoff.learners.unit import Examples, Weights
from novikoff.learners.weight_range import check_weights

__all__ = ["run_perceptron"]

# Below this many rows an epoch costs less than thinking about it.
SKIP_FROM = 1000


def run_perceptron(
    examples: Examples,
    weights: Weights,
    plan: Plan,
    *,
    journal: Journal | None = None,
    must_be_exact: bool = False,
    loop: Epochs | None = None,
) -> tuple[Run, NDArray[np.int64] | None]:
    """Learn until an epoch has no mistake, the weights cycle, or the plan ends.

    Returns the report and, if it cycled, how often each row was mistaken in one turn of the cycle.
    A run that outgrows what float64 holds exactly stops if it `must_be_exact` (its report says
    `outgrown`), and otherwise goes on without watching for cycles. `loop` runs the epochs where
    the rows are not all at hand.
    """
    watch = watch_from(examples, weights, plan.order)
    state = state_of(weights, observer_of(journal, watch))
    report = run(loop or _loop_for(plan, examples, state), examples, state, plan)
    if report.outgrown and not must_be_exact:
        state = state._replace(observer=observer_of(journal))
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
    return report, watch.counts if report.status is Status.CYCLED else None


def _loop_for(plan: Plan, examples: Examples, state: State) -> Epochs:
    """The plain loop; the greedy one; or, on much data that nobody watches, the one that skips."""
    n = len(examples.push)
    if plan.order == "worst":
        return GreedyRun(np.empty(n))
    may_skip = plan.order == "cyclic" and isinstance(state.observer, Nobody)
    if may_skip and n >= SKIP_FROM and plan.max_iter > 1:
        return SkippingRun.over(n, len(state.weights.w))
    return epochs
