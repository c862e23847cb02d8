"""A run of the perceptron, mistake by mistake, as a picture that moves."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.animation import AbstractMovieWriter, FFMpegWriter, PillowWriter
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike, NDArray

from novikoff.core.files import replace_whole
from novikoff.core.options import Tie, choice
from novikoff.errors import MissingDependencyError, OptionError
from novikoff.figures.points import PlotPoints, draw_points
from novikoff.figures.spread import side_by_side
from novikoff.figures.style import (
    GREEN,
    INK,
    ORANGE,
    PURPLE,
    axes_for,
    drawable,
    legend_below,
    note,
    title,
)
from novikoff.figures.view import Plane, View, crosses, draw_arrow, draw_line, foot, frame, plane_of
from novikoff.learners.theory.bounds import misclassified

Vector = NDArray[np.float64]
MOST_MARKED = 400
HELD = 6  # how many times the last frame is shown, so that the eye can rest on it
END_OF_GIF = b";"
COMMENT_OF_GIF = b"!\xfe\x08novikoff\x00"  # a comment of eight characters
BEFORE, AFTER = "hyperplane before the mistake", "hyperplane after the mistake"
MISTAKE, WRONG = "the mistake", "wrong now"
SHORT = 12  # frames of a run so short that the eye can rest on each


@dataclass(frozen=True)
class Replay:
    """A run to be shown: the points, the row of each mistake, the weights after each, the tie rule.

    `wrong_after(k)` are the rows that those weights misclassify, by the run's own tie rule.
    """

    points: PlotPoints
    rows: NDArray[np.int64]
    weights_after: Callable[[int], tuple[Vector, float]]
    tie: Tie = "mistake"

    def wrong_after(self, k: int) -> NDArray[np.intp]:
        """The rows that the weights after k mistakes misclassify."""
        w, b = self.weights_after(k)
        return misclassified((w, b), self.points.X, self.points.y, tie=self.tie)

    @classmethod
    def of(
        cls,
        points: PlotPoints,
        rows: ArrayLike,
        *,
        eta0: float = 1.0,
        fit_intercept: bool = True,
        tie: Tie = "mistake",
    ) -> "Replay":
        """Replay the updates w ← w + η·y·x from zero, as the list of mistakes says."""
        rows = np.asarray(rows, dtype=np.int64)

        def weights_after(k: int) -> tuple[Vector, float]:
            steps = eta0 * points.y[rows[:k]].astype(np.float64)
            w = np.asarray(points.X[rows[:k]].T @ steps, dtype=np.float64).ravel()
            return w, float(steps.sum()) if fit_intercept else 0.0

        return cls(points, rows, weights_after, tie)


@drawable
def animate_run(
    path: str | os.PathLike[str],
    X: object,
    y: object,
    rows: ArrayLike,
    *,
    eta0: float = 1.0,
    fit_intercept: bool = True,
    tie: Tie = "mistake",
    names: Sequence[str] | None = None,
    classes: tuple[Any, Any] | None = None,
    frames: int = 60,
    fps: int = 4,
) -> Path:
    """Write the run that erred on `rows`, in that order, as a GIF or (with ffmpeg) an MP4.

    After the start, at most `frames` mistakes are shown: all of a short run; of a long one the
    early ones, where most happens, and fewer and fewer later, and always the last.
    """
    points = PlotPoints.of(X, y, names=names, classes=classes)
    replay = Replay.of(points, rows, eta0=eta0, fit_intercept=fit_intercept, tie=tie)
    return write_run(path, replay, frames=frames, fps=fps)


def write_run(
    path: str | os.PathLike[str], replay: Replay, *, frames: int = 60, fps: int = 4
) -> Path:
    """Draw each frame of a replay and hand it to the writer that the file's ending asks for."""
    path = Path(path)
    writer = _writer(path, fps)
    shown = [0, *frames_of(len(replay.rows), frames)]
    figure, ax = axes_for(None, 6.0, 6.0)
    FigureCanvasAgg(figure)
    plane = plane_of(replay.points, replay.weights_after(len(replay.rows))[0])
    places = plane.project(replay.points.X, replay.points.y)
    view = frame(ax, np.vstack([places, [[0.0, 0.0]]]) if replay.points.d == 2 else places, plane)
    if view.equal:
        figure.set_figheight(4.9 * view.half[1] / view.half[0] + 2.4)
    places = side_by_side(ax, view, places, replay.points.y)
    draw_points(ax, replay.points, places, keep=np.unique(replay.rows).tolist())
    _legend(ax, plane, any(np.any(replay.weights_after(k - 1)[0]) for k in shown[1:]))
    with replace_whole(path) as temporary:
        with writer.saving(figure, str(temporary), 100):
            for k in shown:
                artists = _draw_frame(ax, view, plane, places, replay, k)
                if k == shown[0]:
                    figure.draw_without_rendering()
                    figure.set_layout_engine("none")  # or the axes would shiver between frames
                for _ in range(HELD if k == shown[-1] or len(shown) <= SHORT else 1):
                    writer.grab_frame()
                for artist in artists:
                    artist.remove()
        if path.suffix.lower() == ".gif":
            _sign(temporary)
    return path


def _sign(path: Path) -> None:
    """Say in a comment of the GIF who made it, so that it may be replaced."""
    with path.open("r+b") as file:
        file.seek(-len(END_OF_GIF), os.SEEK_END)
        file.write(COMMENT_OF_GIF + END_OF_GIF)


def frames_of(mistakes: int, most: int) -> list[int]:
    """Which mistakes to show, counted from 1: all, or `most` of them, dense at the start."""
    if most < 1:
        raise OptionError(f"frames must be at least 1; got {most}.")
    if mistakes == 0:
        raise OptionError("the run made no mistakes: there is nothing to show.")
    if mistakes <= most:
        return list(range(1, mistakes + 1))
    chosen = np.unique(np.geomspace(1, mistakes, most).round().astype(np.int64))
    return [int(k) for k in chosen if k < mistakes] + [mistakes]


def _writer(path: Path, fps: int) -> AbstractMovieWriter:
    kind = choice("the animation's ending", path.suffix.lower(), (".gif", ".mp4"))
    if kind == ".gif":
        return PillowWriter(fps=fps)
    if not FFMpegWriter.isAvailable():
        raise MissingDependencyError(
            f"{path}: an MP4 needs the program ffmpeg; install it, or write a .gif."
        )
    return FFMpegWriter(fps=fps, metadata={"comment": "novikoff"})


def _legend(ax: Axes, plane: Plane, has_old_lines: bool) -> None:
    if plane.is_projection:
        note(ax, "hyperplanes as the plane through the mean cuts them")
    marks: dict[str, dict[str, Any]] = {
        BEFORE: {"color": PURPLE, "linestyle": "--"},
        AFTER: {"color": GREEN},
        MISTAKE: {"marker": "o", "markersize": 10, "markerfacecolor": "none"}
        | {"markeredgecolor": ORANGE, "linestyle": "none"},
        WRONG: {"marker": "x", "markersize": 8, "color": INK, "linestyle": "none"},
    }
    if not has_old_lines:
        del marks[BEFORE]
    handles = ax.get_legend_handles_labels()[0]
    handles += [Line2D([], [], label=label, **style) for label, style in marks.items()]
    legend_below(ax, handles=handles)


def _list_drawn(ax: Axes, drawn: dict[str, bool]) -> None:
    """Let the legend name what this frame holds; the rest keeps its place, so nothing jumps."""
    legend = ax.get_legend()
    assert legend is not None, "the legend is made before the frames"
    for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
        for part in (handle, text):
            if part is not None:
                part.set_visible(drawn.get(text.get_text(), True))


def _draw_frame(
    ax: Axes, view: View, plane: Plane, places: Vector, replay: Replay, k: int
) -> list[Artist]:
    """What changes from frame to frame; the caller removes it again."""
    if k == 0:
        title(ax, "the start: w = 0 and b = 0, so there is no line yet and every score is 0")
        _list_drawn(ax, dict.fromkeys((BEFORE, AFTER, MISTAKE, WRONG), False))
        return []
    points, row = replay.points, int(replay.rows[k - 1])
    old, new = replay.weights_after(k - 1), replay.weights_after(k)
    wrong = replay.wrong_after(k)
    seen = crosses(view, *plane.cut(points.X, *new))
    now = f"{len(wrong):,} {'row is' if len(wrong) == 1 else 'rows are'} wrong now"
    which = f"mistake {k:,} of {len(replay.rows):,}: row {points.number(row)}"
    title(ax, f"{which}; {now}{_no_line(new[0], seen)}")
    artists: list[Artist | None] = [
        draw_line(ax, view, *plane.cut(points.X, *old), color=PURPLE, linestyle="--"),
        draw_line(ax, view, *plane.cut(points.X, *new), color=GREEN),
    ]
    x, z = places[[row]].T
    ringed = ax.scatter(x, z, s=220, facecolors="none", edgecolors=ORANGE, linewidths=2.4, zorder=4)
    x, z = places[wrong[:MOST_MARKED]].T
    crossed = ax.scatter(x, z, s=46, marker="x", c=INK, linewidths=1.2, zorder=5)
    before, after = (line is not None for line in artists)
    _list_drawn(ax, {BEFORE: before, AFTER: after, MISTAKE: True, WRONG: len(wrong) > 0})
    artists += [ringed, crossed]
    a, c = plane.cut(points.X, *new)
    if view.equal and np.any(a):
        unit = a / np.hypot(*a)
        start = foot(view, a, c)
        if np.all(np.abs(start - view.centre) <= view.half):
            end = start + 0.35 * view.half.min() * unit
            arrow, name = draw_arrow(ax, start, end, "w", GREEN)
            artists += [arrow, name]
    return [artist for artist in artists if artist is not None]


def _no_line(w: Vector, seen: bool) -> str:
    """Why no line is to be seen, if none is."""
    if not np.any(w):
        return "; w = 0: no line"
    return "" if seen else "; the line is outside"
