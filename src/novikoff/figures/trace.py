"""The figures of a run, straight from its trace: convergence, one update, the moving picture."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from novikoff.core.options import with_count
from novikoff.errors import OptionError
from novikoff.figures.convergence import Convergence, draw_convergence, draw_mistakes
from novikoff.figures.points import PlotPoints
from novikoff.figures.run import Replay, write_run
from novikoff.figures.style import drawable
from novikoff.figures.update import Update, draw_update
from novikoff.learners.status import Status
from novikoff.learners.theory.inequalities import inequalities
from novikoff.learners.theory.trace import Trace


@drawable
def plot_trace(trace: Trace, separator: Any = None, *, figure: Figure | None = None) -> Figure:
    """The convergence theorem along a run, with the trace's own reference or another `separator`.

    The bound is the one that this separator promises. A verdict gives its `reference`, of largest
    augmented margin, and so the least bound.
    """
    return draw_convergence(run_of(trace, separator), figure=figure)


@drawable
def plot_mistakes(trace: Trace, *, figure: Figure | None = None) -> Figure:
    """The mistakes and ‖ŵ‖² of a run that nothing bounds: without a separator they never end.

    Two panels: all mistakes so far against the rounds, and the squared length of the weights.
    """
    rounds, norms = trace.rounds + 1, trace.squared_norms
    turn = _last_turn(trace)
    if turn is not None:  # what comes next is known: the same again
        first, epochs = turn
        again = rounds[first:] + epochs * trace.problem.n
        rounds, norms = np.append(rounds, again), np.append(norms, norms[first:])
    return draw_mistakes(rounds, norms, _how_it_went(trace), figure=figure)


MOST_COMPARED = 2000  # mistakes of a run whose last turn is looked for


def _last_turn(trace: Trace) -> tuple[int, int] | None:
    """Of a run that cycled, the mistakes before its last turn, and the epochs of that turn."""
    if trace.status is not Status.CYCLED or trace.n_mistakes > MOST_COMPARED:
        return None
    ends = np.append(0, np.cumsum(trace.mistakes_per_epoch)).tolist()
    w, b = trace.weights_after(trace.n_mistakes)
    for epoch in reversed(range(trace.n_epochs)):
        other, c = trace.weights_after(ends[epoch])
        if c == b and np.array_equal(other, w):
            return ends[epoch], trace.n_epochs - epoch
    return None


def _how_it_went(trace: Trace) -> str:
    made = f"{with_count(trace.n_mistakes, 'mistake')} in {with_count(trace.n_epochs, 'epoch')}"
    if trace.status is Status.CYCLED:
        twice = "" if _last_turn(trace) is None else "; two turns are drawn"
        return f"{made}, then the same weights again: the mistakes never stop{twice}"
    if trace.status is Status.CONVERGED:
        return f"{made}, then none"
    return f"{made}, and no end in sight"


def run_of(trace: Trace, separator: Any = None) -> Convergence:
    """The quantities of the proof along a trace, beside a unit reference separator."""
    proof = inequalities(trace, separator)
    return Convergence.of(
        proof.squared_norm,
        proof.alignment,
        proof.gamma,
        proof.R,
        rounds=trace.rounds + 1,
        eta0=trace.eta0,
        last_round=trace.problem.n * trace.n_epochs,
    )


@drawable
def plot_trace_update(trace: Trace, k: int | None = None, *, ax: Axes | None = None) -> Figure:
    """The k-th mistake of a run, counted from 1, and the update it caused.

    Without k: the first mistake that has a hyperplane before it and one after it.
    """
    k = _first_turn(trace) if k is None else k
    if not 1 <= k <= trace.n_mistakes:
        raise OptionError(f"the run made {trace.n_mistakes} mistakes; there is no mistake {k}.")
    w, b = trace.weights_after(k - 1)
    eta_of_b = trace.eta0 if trace.problem.fit_intercept else 0.0
    update = Update(int(trace.rows[k - 1]), w, b, trace.eta0, eta_of_b)
    return draw_update(PlotPoints.of_problem(trace.problem), update, ax=ax)


def _first_turn(trace: Trace) -> int:
    """The first mistake that turns a hyperplane into another; 1 if none of the first ones does."""
    before = np.zeros(trace.problem.d)
    for k in range(1, min(trace.n_mistakes, MOST_COMPARED) + 1):
        after = trace.weights_after(k)[0]
        if before.any() and after.any() and not np.array_equal(before, after):
            return k
        before = after
    return 1


@drawable
def animate_trace(
    path: str | os.PathLike[str], trace: Trace, *, frames: int = 60, fps: int = 4
) -> Path:
    """The whole run as a GIF or (with ffmpeg) an MP4, mistake by mistake."""
    points = PlotPoints.of_problem(trace.problem)
    replay = Replay(points, trace.rows, trace.weights_after, trace.tie)
    return write_run(path, replay, frames=frames, fps=fps)
