"""The figures of a run, straight from its trace: convergence, one update, the moving picture."""

import os
from pathlib import Path
from typing import Any

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
    return draw_mistakes(trace.rounds + 1, trace.squared_norms, _how_it_went(trace), figure=figure)


def _how_it_went(trace: Trace) -> str:
    made = f"{with_count(trace.n_mistakes, 'mistake')} in {with_count(trace.n_epochs, 'epoch')}"
    if trace.status is Status.CYCLED:
        return f"{made}, then the same weights again: the mistakes never stop"
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
    )


@drawable
def plot_trace_update(trace: Trace, k: int, *, ax: Axes | None = None) -> Figure:
    """The k-th mistake of a run, counted from 1, and the update it caused."""
    if not 1 <= k <= trace.n_mistakes:
        raise OptionError(f"the run made {trace.n_mistakes} mistakes; there is no mistake {k}.")
    w, b = trace.weights_after(k - 1)
    eta_of_b = trace.eta0 if trace.problem.fit_intercept else 0.0
    update = Update(int(trace.rows[k - 1]), w, b, trace.eta0, eta_of_b)
    return draw_update(PlotPoints.of_problem(trace.problem), update, ax=ax)


@drawable
def animate_trace(
    path: str | os.PathLike[str], trace: Trace, *, frames: int = 60, fps: int = 4
) -> Path:
    """The whole run as a GIF or (with ffmpeg) an MP4, mistake by mistake."""
    points = PlotPoints.of_problem(trace.problem)
    replay = Replay(points, trace.rows, trace.weights_after, trace.tie)
    return write_run(path, replay, frames=frames, fps=fps)
