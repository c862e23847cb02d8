"""The decision regions of any classifier of two columns: a kernel, a network, a vote."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from novikoff.core.options import with_count
from novikoff.errors import ShapeError
from novikoff.figures.labels import name_directly
from novikoff.figures.points import outlines
from novikoff.figures.spread import side_by_side
from novikoff.figures.style import (
    BLUE,
    GREEN,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    axes_for,
    class_label,
    drawable,
    shorten,
    title,
)
from novikoff.figures.view import Plane, frame
from novikoff.matrix.arrays import column_names
from novikoff.matrix.problem import check_names, matrix_of

COLOURS = (VERMILLION, BLUE, GREEN, PURPLE, ORANGE, SKY, MUTED)
MARKERS = ("o", "^", "s", "D", "v", "P", "X")
STEPS = 320  # places along each axis: finer than the eye at this size


@drawable
def plot_regions(
    estimator: Any,
    X: object,
    y: object,
    *,
    support: Sequence[int] = (),
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """The class that a fitted classifier gives each place of the plane, and the data it learned.

    `support` are rows to ring: the ones a kernel perceptron keeps.
    """
    matrix = matrix_of(X)
    if matrix.shape[1] != 2:
        raise ShapeError(
            f"decision regions are drawn over two columns; X has {matrix.shape[1]}. "
            "Fit on two of them, or plot the separator, which projects."
        )
    places = np.asarray(matrix @ np.eye(2), dtype=np.float64)
    names = check_names(column_names(X) if names is None else names, 2)
    labels = np.asarray(y)
    figure, ax = axes_for(ax)
    view = frame(ax, places, Plane(np.eye(2), (names[0], names[1]), is_projection=False))
    x1, x2 = np.meshgrid(
        np.linspace(view.centre[0] - view.half[0], view.centre[0] + view.half[0], STEPS),
        np.linspace(view.centre[1] - view.half[1], view.centre[1] + view.half[1], STEPS),
    )
    _draw_regions(ax, estimator, x1, x2)
    drawn = side_by_side(ax, view, places, np.unique(labels, return_inverse=True)[1])
    classes = list(estimator.classes_)
    size = 34 if len(labels) <= 400 else 12
    for k, label in enumerate(classes):
        own = labels == label
        ax.scatter(
            drawn[own, 0],
            drawn[own, 1],
            s=size,
            c=COLOURS[k % len(COLOURS)],
            marker=MARKERS[k % len(MARKERS)],
            edgecolors="white",
            linewidths=outlines(ax, drawn[own], size, 0.5),
            label=_class(classes, k),
            zorder=3,
            rasterized=len(labels) > 400,
        )
    if len(support):
        ax.scatter(
            drawn[list(support), 0],
            drawn[list(support), 1],
            s=90,
            facecolors="none",
            edgecolors=INK,
            linewidths=0.9,
            label=f"support rows ({len(support):,})",
            zorder=4,
        )
    wrong = int(np.count_nonzero(estimator.predict(places) != labels))
    verb = "is" if wrong == 1 else "are"
    title(ax, f"{type(estimator).__name__}: {wrong:,} of {with_count(len(labels))} {verb} wrong")
    name_directly(ax, [(_class(classes, k),) for k in range(len(classes))])
    return figure


def _class(classes: list[Any], k: int) -> str:
    """What a class is called: −1 and +1 by their signs, others by their labels."""
    if classes == [-1, 1]:
        return class_label(2 * k - 1, (-1, 1))
    return f"class {shorten(str(classes[k]))}"


def _draw_regions(
    ax: Axes, estimator: Any, x1: NDArray[np.float64], x2: NDArray[np.float64]
) -> None:
    """Colour each place by the class predicted there, and draw the line between the classes."""
    grid = np.column_stack([x1.ravel(), x2.ravel()])
    classes = np.asarray(estimator.classes_)
    predicted = np.searchsorted(classes, estimator.predict(grid)).reshape(x1.shape)
    colours = [COLOURS[k % len(COLOURS)] for k in range(len(classes))]
    if predicted.min() < predicted.max():
        ax.plot([], [], color=INK, linewidth=1.2, label="where the prediction changes")
    leads = _leads(estimator, grid, predicted)
    if leads is not None:
        for lead, colour in zip(leads, colours, strict=True):
            ax.contourf(x1, x2, lead, levels=[0, np.inf], colors=[colour], alpha=0.16, zorder=0)
            if lead.min() < 0 < lead.max():
                ax.contour(x1, x2, lead, levels=[0], colors=INK, linewidths=1.2)
        return
    ax.pcolormesh(
        x1,
        x2,
        predicted,
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=len(classes) - 0.5,
        alpha=0.16,
        shading="nearest",
        rasterized=True,
        zorder=0,
    )
    for k in range(len(classes) - 1):
        beyond = (predicted > k).astype(np.float64)
        if beyond.min() < beyond.max():
            ax.contour(x1, x2, beyond, levels=[0.5], colors=INK, linewidths=1.2)


def _leads(
    estimator: Any, grid: NDArray[np.float64], predicted: NDArray[np.intp]
) -> list[NDArray[np.float64]] | None:
    """By how much each class leads the others at each place: its border is where that is 0.

    None where the classifier has no scores, or predicts by something else than the largest one.
    """
    if not hasattr(estimator, "decision_function"):
        return None
    scores = np.asarray(estimator.decision_function(grid), dtype=np.float64)
    scores = np.column_stack([-scores, scores]) if scores.ndim == 1 else scores
    leads = []
    for k in range(scores.shape[1]):
        lead = (scores[:, k] - np.delete(scores, k, axis=1).max(axis=1)).reshape(predicted.shape)
        if np.any((lead > 0) & (predicted != k)):
            return None
        leads.append(lead)
    return leads
