"""What a figure holds, read back from its artists."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import AxLine
from matplotlib.text import Text


def axes(figure: Figure) -> Axes:
    (only,) = figure.axes
    return only


def legend(ax: Axes) -> list[str]:
    """What the legend lists."""
    found = ax.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


def named(ax: Axes) -> set[str]:
    """What is named, beside the thing itself or in the legend."""
    return {*legend(ax), *(text.get_text() for text in ax.texts)}


def scattered(ax: Axes, label: str) -> np.ndarray:
    """The places of the scatter whose label starts so."""
    (found,) = [c for c in ax.collections if str(c.get_label()).startswith(label)]
    return np.asarray(found.get_offsets())


def line(ax: Axes, label: str) -> AxLine:
    (found,) = [x for x in ax.lines if isinstance(x, AxLine) and x.get_label().startswith(label)]
    return found


def on_line(found: AxLine) -> np.ndarray:
    """Two points of an infinite line."""
    return np.array([found.get_xy1(), found.get_xy2()], dtype=float)


def curve(ax: Axes, label: str) -> tuple[np.ndarray, np.ndarray]:
    (found,) = [x for x in ax.lines if str(x.get_label()).startswith(label)]
    return np.asarray(found.get_xdata(), float), np.asarray(found.get_ydata(), float)


def words(figure: Figure) -> str:
    """All that is written in a figure."""
    return "\n".join(t.get_text() for t in figure.findobj(Text) if t.get_text())


def overlapping_texts(figure: Figure) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes meet: a reader could not tell them apart."""
    FigureCanvasAgg(figure).draw()
    hidden = {text for ax in figure.axes for text in _not_drawn(ax)}
    boxes = [
        (text.get_text(), text.get_window_extent())
        for text in figure.findobj(Text)
        if text.get_text().strip() and text.get_visible() and text not in hidden
    ]
    return [
        (a, b)
        for i, (a, one) in enumerate(boxes)
        for b, two in boxes[i + 1 :]
        if min(one.x1, two.x1) - max(one.x0, two.x0) > 1.5
        and min(one.y1, two.y1) - max(one.y0, two.y0) > 1.5
    ]


def _not_drawn(ax: Axes) -> list[Text]:
    """Tick labels that matplotlib keeps beyond the ends of an axis, or of axes switched off."""
    beyond = []
    for axis in (ax.xaxis, ax.yaxis, *([ax.zaxis] if ax.name == "3d" else [])):
        low, high = sorted(axis.get_view_interval())
        for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
            if not ax.axison or not low <= tick.get_loc() <= high:
                beyond += [tick.label1, tick.label2]
        if not ax.axison:
            beyond.append(axis.label)
    return beyond
