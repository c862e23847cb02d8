"""The convergence theorem on a run: every quantity of the proof beside its bound.

With η = 1 and zero start, after k mistakes ŵ*·ŵ_k ≥ kγ and ‖ŵ_k‖² ≤ kR², so the cosine of the two
is at least √k·γ/R. A cosine is at most 1: hence k ≤ R²/γ².
"""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from novikoff.errors import OptionError
from novikoff.figures.labels import Named, name_all
from novikoff.figures.style import (
    BLUE,
    GREEN,
    INK,
    VERMILLION,
    axes_for,
    drawable,
    new_figure,
    number,
    whole_numbers,
)

MOST_DRAWN = 2000
FARTHEST = 1e30  # a bound beyond this is told and not drawn: there would be nothing else to see


@dataclass(frozen=True)
class Convergence:
    """What the four panels show: one entry a mistake, divided by η or η² where it is not 1.

    Lengths are in units of `unit`, which is 1 unless the numbers are very large or very small.
    """

    squared_norms: NDArray[np.float64]
    alignments: NDArray[np.float64]
    gamma: float
    R: float
    rounds: NDArray[np.float64] | None = None
    eta0: float = 1.0
    unit: float = 1.0
    last_round: float | None = None

    @classmethod
    def of(
        cls,
        squared_norms: ArrayLike,
        alignments: ArrayLike,
        gamma: float,
        R: float,
        *,
        rounds: ArrayLike | None = None,
        eta0: float = 1.0,
        last_round: float | None = None,
    ) -> "Convergence":
        """What was measured along a run, made comparable with the theorem's η = 1.

        `last_round` is the end of the run: after the last mistake there is an epoch without one.
        """
        if not gamma > 0:
            raise OptionError(
                f"gamma must be positive, the augmented margin of a separator; got {gamma!r}."
            )
        if not eta0 > 0:
            raise OptionError(f"eta0 must be positive; got {eta0!r}.")
        unit = 1.0 if 1e-30 < R < 1e30 else R  # squares of other lengths are no ticks of an axis
        run = cls(
            np.asarray(squared_norms, dtype=np.float64) / eta0**2 / unit / unit,
            np.asarray(alignments, dtype=np.float64) / eta0 / unit,
            gamma / unit,
            R / unit,
            None if rounds is None else np.asarray(rounds, dtype=np.float64),
            eta0,
            unit,
            last_round,
        )
        if len(run.squared_norms) == 0:
            raise OptionError("the run made no mistakes: there is nothing to draw.")
        return run

    @property
    def k(self) -> NDArray[np.int64]:
        """1, 2, …: how many mistakes had been made."""
        return np.arange(1, len(self.squared_norms) + 1)

    @property
    def bound(self) -> float:
        """R²/γ²."""
        return (self.R / self.gamma) ** 2


@drawable
def plot_convergence(
    squared_norms: ArrayLike,
    alignments: ArrayLike,
    gamma: float,
    R: float,
    *,
    rounds: ArrayLike | None = None,
    eta0: float = 1.0,
    figure: Figure | None = None,
) -> Figure:
    """Four panels: mistakes against R²/γ², ‖ŵ_k‖² under kR², ŵ*·ŵ_k above kγ, the cosine.

    `squared_norms` and `alignments` are ‖ŵ_k‖² and ŵ*·ŵ_k after each mistake, ŵ* of length 1 and
    margin `gamma`; `rounds` says when each mistake was made. All of them augmented.
    """
    run = Convergence.of(squared_norms, alignments, gamma, R, rounds=rounds, eta0=eta0)
    return draw_convergence(run, figure=figure)


def draw_convergence(run: Convergence, *, figure: Figure | None = None) -> Figure:
    """The four panels of a run."""
    if figure is None:
        figure = new_figure(7.2, 6.6)
    panels = figure.subplots(2, 2)
    for ax in panels.flat:
        axes_for(ax)
    draw_bound(panels[0, 0], run)
    _draw_norm(panels[0, 1], run)
    _draw_alignment(panels[1, 0], run)
    _draw_cosine(panels[1, 1], run)
    name_curves(*panels.flat)
    figure.suptitle(_finding(run), fontsize=12, wrap=True)
    return figure


def _finding(run: Convergence) -> str:
    """What the figure shows, in a line; and in what units, if not the data's own."""
    made = f"{len(run.k):,} mistakes, where R²/γ² by ŵ* allows {number(run.bound, 5)}"
    eta = "" if run.eta0 == 1 else f"; weights divided by η = {number(run.eta0)}"
    return f"{made}{eta}{_units(run)}"


def _units(run: Convergence) -> str:
    return "" if run.unit == 1 else f"; lengths in units of R = {number(run.unit)}"


def draw_bound(ax: Axes, run: Convergence) -> None:
    """Mistakes so far against the bound on how many there can be."""
    shown = _shown(len(run.k))
    at = run.k if run.rounds is None else run.rounds
    rest = [] if run.rounds is None or run.last_round is None else [run.last_round]
    ax.plot(
        np.concatenate([[0], at[shown], rest]),
        np.concatenate([[0], run.k[shown], run.k[-1:][: len(rest)]]),
        color=BLUE,
        drawstyle="steps-post",
        label=f"mistakes made: {len(run.k):,}",
    )
    gamma = number(run.gamma * run.unit)
    bound = f"bound R²/γ² by ŵ*: {number(run.bound, 5)} (augmented γ {gamma})"
    far = not run.bound < FARTHEST
    if far:
        ax.plot([], [], color=VERMILLION, linestyle="--", label=f"{bound}, far above")
    else:
        ax.axhline(run.bound, color=VERMILLION, linestyle="--", label=bound)
    ax.set_xlabel("mistakes" if run.rounds is None else "round (examples presented)")
    ax.set_ylabel("mistakes")
    whole_numbers(ax.xaxis)
    if far:
        ax.set_ylim(0, len(run.k) * 1.2)
        whole_numbers(ax.yaxis)
    elif run.bound > 8 * len(run.k):
        ax.set_yscale("log")
        ax.set_ylim(0.8, run.bound * 3)
    else:
        ax.set_ylim(0, run.bound * 1.3)
        whole_numbers(ax.yaxis)
    ax.set_title("mistakes stay under R²/γ²", fontsize=11)


def draw_mistakes(
    rounds: ArrayLike, squared_norms: ArrayLike, finding: str, *, figure: Figure | None = None
) -> Figure:
    """Two panels of a run without a bound: the mistakes so far, and ‖ŵₖ‖²."""
    if figure is None:
        figure = new_figure(7.2, 3.8)
    rounds, norms = np.asarray(rounds, np.float64), np.asarray(squared_norms, np.float64)
    if len(rounds) == 0:
        raise OptionError("the run made no mistakes: there is nothing to draw.")
    k, shown = np.arange(1, len(rounds) + 1), _shown(len(rounds))
    left, right = figure.subplots(1, 2)
    axes_for(left)
    axes_for(right)
    left.plot(
        np.concatenate([[0], rounds[shown]]),
        np.concatenate([[0], k[shown]]),
        color=BLUE,
        drawstyle="steps-post",
    )
    left.set_xlabel("round (examples presented)")
    left.set_ylabel("mistakes so far")
    whole_numbers(left.yaxis)
    left.set_title("mistakes, under no bound", fontsize=11)
    right.plot(k[shown], norms[shown], color=GREEN, marker="." if len(k) <= 60 else "")
    right.set_xlabel("k, mistakes so far")
    right.set_ylabel("‖ŵₖ‖²")
    right.set_title("the weights' squared length", fontsize=11)
    for ax in (left, right):
        ax.set_ylim(bottom=0)
        whole_numbers(ax.xaxis)
    figure.suptitle(finding, fontsize=12, wrap=True)
    return figure


def _draw_norm(ax: Axes, run: Convergence) -> None:
    shown = _shown(len(run.k))
    k, norms = run.k[shown], run.squared_norms[shown]
    ax.plot(k, norms, color=BLUE, marker=_marker(run), label="‖ŵₖ‖²")
    ax.plot(k, k * run.R**2, color=VERMILLION, linestyle="--", label="bound kR²")
    if k[-1] * run.R**2 > 20 * norms[-1]:
        ax.set_yscale("log", nonpositive="mask")
    else:
        ax.set_ylim(bottom=0)
    _finish(ax, "‖ŵₖ‖² grows at most like kR²")


def _draw_alignment(ax: Axes, run: Convergence) -> None:
    shown = _shown(len(run.k))
    k = run.k[shown]
    ax.plot(k, run.alignments[shown], color=GREEN, marker=_marker(run), label="ŵ*·ŵₖ")
    ax.plot(
        k,
        k * run.gamma,
        color=VERMILLION,
        linestyle="--",
        label=f"bound kγ, augmented γ {number(run.gamma * run.unit)}",
    )
    ax.set_ylim(bottom=0)
    _finish(ax, "ŵ*·ŵₖ grows at least like kγ")


def _draw_cosine(ax: Axes, run: Convergence) -> None:
    shown = _shown(len(run.k))
    k = run.k[shown]
    norms = np.sqrt(run.squared_norms[shown])
    cosines = np.divide(run.alignments[shown], norms, out=np.zeros_like(norms), where=norms > 0)
    least = np.sqrt(k) * run.gamma / run.R
    ax.plot(k, cosines, color=GREEN, marker=_marker(run), label="cosine of ŵₖ and ŵ*")
    ax.plot(k, least, color=VERMILLION, linestyle="--", label="bound √k·γ/R, augmented γ")
    ax.axhline(1, color=INK, linewidth=1, linestyle=":", label="limit 1")
    ax.set_ylim(0, 1.08)
    _finish(ax, "so the cosine is squeezed below 1")


def _finish(ax: Axes, title: str) -> None:
    ax.set_xlabel("k, mistakes so far")
    whole_numbers(ax.xaxis)
    ax.set_title(title, fontsize=11)


def name_curves(*panels: Axes) -> None:
    """Name every curve beside it, once all panels are drawn and have their size."""
    labels = [(ax, ax.get_legend_handles_labels()[1]) for ax in panels]
    name_all([Named(ax, [[(label,) for label in found]], columns=1) for ax, found in labels])


def _marker(run: Convergence) -> str:
    return "." if len(run.k) <= 60 else ""


def _shown(count: int) -> NDArray[np.intp]:
    """Which mistakes to draw: all, or enough for the eye; the first and the last always."""
    if count <= MOST_DRAWN:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, MOST_DRAWN).astype(np.intp))
