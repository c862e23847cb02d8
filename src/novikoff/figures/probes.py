"""Probes by layer: a concept beside its controls, with Cover's curve behind; and a map of all."""

from typing import Any, Literal, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from novikoff.core.options import choice, with_count
from novikoff.figures.style import (
    BAND,
    BLUE,
    GREEN,
    INK,
    MUTED,
    PURPLE,
    SKY,
    VERMILLION,
    axes_for,
    drawable,
    new_figure,
    note,
    title,
)
from novikoff.probes.conclusions import generalises
from novikoff.probes.labels import Labelling
from novikoff.probes.results import Probe, Probes

What: TypeAlias = Literal["accuracy", "auc", "margin", "selectivity"]
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, SKY)
MARKERS = "o^sDv"
_NAMES = {
    "accuracy": "held-out accuracy",
    "auc": "held-out AUC",
    "margin": "geometric margin, proven",
    "selectivity": "selectivity",
}
MOST_LINES = 5
MOST_TICKS = 40
MOST_LETTERS = 48  # of the names along an axis that are not turned


@drawable
def plot_probes(
    probes: Probes,
    concepts: list[str] | None = None,
    *,
    what: Literal["accuracy", "auc", "margin"] = "accuracy",
    ax: Axes | None = None,
) -> Figure:
    """Accuracy, AUC or proven geometric margin by layer, the range of the controls as a band.

    The dashed grey curve is Cover's number: the probability that random labels are separable.
    Without layers, the concepts stand side by side. Five concepts are drawn at most.
    """
    choice("what", what, ("accuracy", "auc", "margin"))
    figure, ax = axes_for(ax, 8.0, 5.0)
    names = list(concepts or probes.concepts)
    if probes.layers:
        places = list(probes.layers)
        for number, name in enumerate(names[:MOST_LINES]):
            rows = [probes[layer, name] for layer in places]
            _line(ax, rows, name, what, number)
        cover = [float(probes[layer, names[0]].cover) for layer in places]
    else:
        places = names
        _line(ax, [probes[name] for name in names], "concept", what, 0, joined=False)
        cover = [float(probes[name].cover) for name in names]
    behind = ax.twinx() if what == "margin" else ax
    behind.plot(cover, color=MUTED, linestyle="--", linewidth=1, zorder=0, label="Cover's number")
    if behind is not ax:
        behind.set_ylabel("probability", color=MUTED)
        behind.set_ylim(-0.03, 1.03)
        ax.plot([], [], color=MUTED, linestyle="--", label="Cover's number (right)")
    else:
        ax.set_ylim(-0.03, 1.03)
    _ticks(ax, places)
    ax.set_xlabel("layer" if probes.layers else "concept")
    ax.set_ylabel(_NAMES[what])
    title(ax, _finding(probes, names, what))
    if probes.layers and len(names) > MOST_LINES:
        note(ax, f"{MOST_LINES} of {len(names)} concepts")
    ax.legend(loc="center left", bbox_to_anchor=(1.06, 0.5), frameon=False, fontsize=9)
    return figure


def _finding(probes: Probes, names: list[str], what: str) -> str:
    """Of how many concepts the probe is one: by held-out rows, or by what is separable."""
    test = _stands_out if what == "margin" else generalises
    found = sum(any(test(row) for row in probes if row.name == name) for name in names)
    of_all = f"{found} of {with_count(len(names), 'concept')}"
    if what == "margin":
        return f"{_NAMES[what]}: {of_all} separable while no control is"
    return f"{_NAMES[what]}: {of_all} above shuffled labels, and by more than chance"


def _line(
    ax: Axes, rows: list[Probe], name: str, what: str, number: int, *, joined: bool = True
) -> None:
    colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
    at = np.arange(len(rows))
    values = np.array([_value(row, what) for row in rows])
    style = "-" if joined else ""
    ax.plot(at, values, color=colour, marker=marker, linestyle=style, label=name, zorder=3)
    controls = [[_value(control, what) for control in row.controls] for row in rows]
    if not all(controls):
        return
    low = np.array([np.nanmin(row) if np.isfinite(row).any() else np.nan for row in controls])
    high = np.array([np.nanmax(row) if np.isfinite(row).any() else np.nan for row in controls])
    if joined and len(rows) > 1:
        label = None if number else "range of the controls"
        ax.fill_between(at, low, high, label=label, color=colour, alpha=0.15, linewidth=0)
    else:
        ax.vlines(at, low, high, color=BAND, linewidth=8, label="range of the controls", zorder=1)


def _value(row: Labelling, what: str) -> float:
    if what == "margin":
        return np.nan if row.margin is None else row.margin.lower
    return float(getattr(row, what))


def _ticks(ax: Axes, places: list[str]) -> None:
    step = max(1, -(-len(places) // MOST_TICKS))
    shown = range(0, len(places), step)
    long = sum(len(places[k]) + 2 for k in shown) > MOST_LETTERS
    ax.set_xticks(list(shown), [places[k] for k in shown], rotation=60 if long else 0)
    if long:
        for label in ax.get_xticklabels():
            label.set_horizontalalignment("right")


@drawable
def plot_probe_map(probes: Probes, *, what: What = "selectivity", ax: Axes | None = None) -> Figure:
    """Concepts by layers as a heat map; a dot marks what is separable while no control is."""
    choice("what", what, ("accuracy", "auc", "margin", "selectivity"))
    names, layers = list(probes.concepts), list(probes.layers) or [""]
    values = np.array(
        [[_value(_row(probes, layer, name), what) for layer in layers] for name in names]
    )
    if ax is None:
        wide, high = 2.5 + 0.45 * len(layers), 1.8 + 0.3 * min(len(names), 60)
        figure = new_figure(max(wide, 6.0), max(high, 3.2))
        ax = figure.add_subplot()
    figure, ax = axes_for(ax)
    ends: dict[str, Any] = {"vmin": 0.0, "vmax": 1.0} if what in ("accuracy", "auc") else {}
    if what == "selectivity":
        largest = float(np.nanmax(np.abs(values), initial=0.01))
        ends = {"vmin": -largest, "vmax": largest}
    colours = "RdBu" if what == "selectivity" else "viridis"
    image = ax.imshow(values, aspect="auto", cmap=colours, **ends)
    figure.colorbar(image, ax=ax, label=_NAMES[what])
    for i, name in enumerate(names):
        for j, layer in enumerate(layers):
            if _stands_out(_row(probes, layer, name)):
                ax.plot(j, i, "o", markerfacecolor="white", markeredgecolor=INK, markersize=5)
    _ticks(ax, layers)
    step = max(1, -(-len(names) // MOST_TICKS))
    ax.set_yticks(range(0, len(names), step), names[::step])
    ax.set_xlabel("layer")
    alone = sum(map(_stands_out, probes))
    title(ax, f"{alone} of {with_count(len(probes), 'probe')} separable while no control is (dots)")
    return figure


def _row(probes: Probes, layer: str, name: str) -> Probe:
    row: Probe = probes[layer, name] if layer else probes[name]
    return row


def _stands_out(row: Probe) -> bool:
    others = any(control.verdict == "separable" for control in row.controls)
    return row.verdict == "separable" and bool(row.controls) and not others
