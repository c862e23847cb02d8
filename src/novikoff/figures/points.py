"""The points of a figure: labelled rows ready to be drawn, thinned where there are too many."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from novikoff.errors import LabelError
from novikoff.figures.labels import Name
from novikoff.figures.style import CLASS_COLOURS, CLASS_MARKERS, INK, class_label, note
from novikoff.matrix.arrays import column_names
from novikoff.matrix.problem import (
    Matrix,
    Problem,
    check_lengths,
    check_names,
    matrix_of,
    signs_of,
    two_classes,
)

MOST_DRAWN = 4000  # more markers than this hide each other and swell a file
MOST_RINGS = 60  # more rings than this, as large as they are for a few, bury the data
CROWDED, FREE = 0.3, 0.9  # of a marker, to the next one: no outline, and a whole one


@dataclass(frozen=True)
class PlotPoints:
    """Rows `X` (an array or CSR), signs `y`, the columns' names, the two labels.

    `row_numbers` are those of the file that the rows are from, if some of its rows were left out.
    """

    X: Matrix
    y: NDArray[np.int8]
    names: tuple[str, ...]
    classes: tuple[Any, Any]
    row_numbers: NDArray[np.int64] | None = None

    @classmethod
    def of(
        cls,
        X: object,
        y: object,
        *,
        names: Sequence[str] | None = None,
        classes: tuple[Any, Any] | None = None,
    ) -> "PlotPoints":
        """What a user gave; with `classes` (negative, positive), `y` may also hold −1 and +1."""
        matrix = matrix_of(X)
        if matrix.dtype == object:
            matrix = matrix.astype(np.float64)
        labels = np.asarray(y)
        check_lengths(matrix, labels)
        given = two_classes(labels)
        signs = signs_of(labels, given[1])
        if classes is None:
            classes = given
        elif set(given) == set(classes):
            signs = signs_of(labels, classes[1])
        elif given != (-1, 1):
            raise LabelError(f"y holds {given!r}, which are neither {classes!r} nor −1 and +1.")
        if names is None:
            names = column_names(X)
        return cls(matrix, signs, check_names(names, matrix.shape[1]), classes)

    @classmethod
    def of_problem(cls, problem: Problem) -> "PlotPoints":
        """The points of a problem, which was validated before."""
        points = cls.of(problem.X, problem.y, names=problem.names, classes=problem.classes)
        return replace(points, row_numbers=problem.row_numbers)

    def number(self, row: int) -> int:
        """What a row is called: its number in the file where there is one."""
        return row if self.row_numbers is None else int(self.row_numbers[row])

    @property
    def n(self) -> int:
        """How many rows."""
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        """How many columns."""
        return int(self.X.shape[1])


def drawn_rows(points: PlotPoints, keep: Iterable[int] = ()) -> NDArray[np.intp]:
    """The rows to draw: all of them, or an even choice from each class and every row in `keep`."""
    if points.n <= MOST_DRAWN:
        return np.arange(points.n)
    chosen = [np.fromiter(keep, dtype=np.intp)]
    for sign in (-1, 1):
        rows = np.flatnonzero(points.y == sign)
        share = max(1, round(MOST_DRAWN * len(rows) / points.n))
        chosen.append(rows[np.linspace(0, len(rows) - 1, share).astype(np.intp)])
    return np.unique(np.concatenate(chosen))


def draw_points(
    ax: Axes, points: PlotPoints, places: NDArray[np.float64], keep: Iterable[int] = ()
) -> None:
    """Scatter the two classes at their `places` in the figure, and say so if some are left out."""
    rows = drawn_rows(points, keep)
    many, size = len(rows) > 400, marker_size(len(rows))
    for sign in (-1, 1):
        own = rows[points.y[rows] == sign]
        ax.scatter(
            places[own, 0],
            places[own, 1],
            s=size,
            c=CLASS_COLOURS[sign],
            marker=CLASS_MARKERS[sign],
            edgecolors="white",
            linewidths=outlines(ax, places[own], size, 0.3 if many else 0.7),
            alpha=0.7 if many else 1.0,
            label=class_label(sign, points.classes),
            zorder=3,
            rasterized=many,
        )
    if len(rows) < points.n:
        note(ax, f"{len(rows):,} of {points.n:,} rows are drawn")


def outlines(ax: Axes, places: NDArray[np.float64], size: float, width: float) -> list[float]:
    """How wide the white outline of each marker is: `width`, less where they touch, 0 in a crowd.

    Outlines tell markers apart that touch. Where a hundred rows stand side by side, each outline
    would cover the marker under it, and nothing but white would be left of them.
    """
    if len(places) < 2:
        return [width] * len(places)
    reach = np.array([np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())])
    points = np.array([ax.bbox.width, ax.bbox.height]) * 72 / ax.figure.dpi  # as sizes are given
    if ax.get_aspect() != "auto":
        points = reach / (reach / points).max()
    drawn = places / reach * points
    nearest = cKDTree(drawn).query(drawn, k=2)[0][:, 1] / np.sqrt(size)
    widths: list[float] = np.interp(nearest, [CROWDED, FREE], [0.0, width]).tolist()
    return widths


def class_names(points: PlotPoints) -> list[Name]:
    """The two classes, as names that may stand beside their points."""
    return [(class_label(sign, points.classes),) for sign in (-1, 1)]


def marker_size(count: int) -> float:
    """How large a marker is, in square points: smaller the more there are."""
    return 44 if count <= 60 else 26 if count <= 400 else 14


def ring(ax: Axes, places: NDArray[np.float64], label: str, total: int = 0) -> None:
    """Ring the rows at `places`: the ones a proof or a margin rests on.

    Few rows have a ring around them. Many rings would hide the data: then each is as small as its
    marker, thin, and under the points. Rows at one place share a ring.
    """
    places = np.unique(places, axis=0)
    few = len(places) <= MOST_RINGS
    ax.scatter(
        places[:, 0],
        places[:, 1],
        s=(150 if len(places) <= 12 else 90) if few else 1.8 * marker_size(total),
        facecolors="none",
        edgecolors=INK,
        linewidths=1.3 if len(places) <= 12 else 0.9 if few else 0.6,
        label=label,
        zorder=4 if few else 2.8,
        rasterized=not few,
    )
