"""Names that stand beside what they name; a legend below keeps those for which there is no room.

A name goes to the free place nearest to its own points or lines, clearly nearer to those than to
anything else in the picture. What takes up room is read off the axes: markers, lines, arrows, edges
of polygons, words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cbook import pts_to_poststep
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import AxLine, Line2D
from matplotlib.patches import FancyArrowPatch, Polygon
from matplotlib.text import Text
from numpy.typing import NDArray

from novikoff.figures.style import HALO, ORANGE, PURPLE, SKY, legend_below

Places = NDArray[np.float64]
# A name: the labels of what it stands for, of which the first is written.
Name = tuple[str, ...]

DARKER = {ORANGE: "#8F6300", PURPLE: "#A8517F", SKY: "#1C6E9E"}
STEPS = 32  # places tried along each axis
STEP = 3.0  # pixels between the places that stand for a line
# In points, 72 to an inch:
NEAR = 22.0  # how far a name may be from what it names
CLEAR = 7.0  # how much room is left around it, for half a marker and some air
NEARER = 4.0  # by how much what it names is nearer than anything else


@dataclass(frozen=True)
class Named:
    """Axes, the groups of names that want to stand in them, and the columns of their legend."""

    ax: Axes
    groups: Sequence[Sequence[Name]]
    columns: int = 2


def name_directly(ax: Axes, *groups: Sequence[Name]) -> None:
    """Write the names of each group that has room for all of its names; a legend keeps the rest."""
    name_all([Named(ax, groups)])


def name_all(panels: Sequence[Named]) -> None:
    """Name the groups of all panels of a figure, once everything else is drawn and has its size."""
    entries = [panel.ax.get_legend_handles_labels() for panel in panels]
    for panel, (handles, _) in zip(panels, entries, strict=True):
        legend_below(panel.ax, panel.columns, handles)  # names must not count on its room
    figure = panels[0].ax.get_figure(root=True)
    assert isinstance(figure, Figure), "axes without a figure"
    _lay_out(figure, panels)
    for panel, (handles, labels) in zip(panels, entries, strict=True):
        _name(panel, dict(zip(labels, handles, strict=True)))


def _lay_out(figure: Figure, panels: Sequence[Named]) -> None:
    """Give all axes the size that they will have."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    for panel in panels:
        panel.ax.apply_aspect()


def _name(panel: Named, artists: dict[str, Artist]) -> None:
    for group in panel.groups:
        present = [name for name in group if name[0] in artists]
        if _write(panel.ax, present, artists):
            for label in [label for name in present for label in name]:
                artists.pop(label, None)
    legend = panel.ax.get_legend()
    if legend is not None:
        legend.remove()
    if artists:
        legend_below(panel.ax, panel.columns, artists.values())


def _write(ax: Axes, group: Sequence[Name], artists: dict[str, Artist]) -> bool:
    """Write all names of the group; none of them, if one of them finds no room."""
    written: list[Text] = []
    for name in group:
        text = _written(ax, name[0], [artists[label] for label in name if label in artists])
        if text is None:
            for earlier in written:
                earlier.remove()
            return False
        written.append(text)
    return True


def _written(ax: Axes, name: str, artists: list[Artist]) -> Text | None:
    text = ax.text(0.5, 0.5, name, transform=ax.transAxes, color=_colour(artists[0]), fontsize=9.5)
    text.set(ha="center", va="center", path_effects=HALO, zorder=7)
    box = text.get_window_extent()
    half = np.array([1.04 * box.width, box.height]) / 2  # letters differ with the resolution
    point = ax.figure.dpi / 72
    drawn = [artist for artist in _taking_room(ax) if artist not in artists]
    own = _pixels(ax, artists)
    rings = [artist for artist in drawn if _is_hollow(artist)]
    solid = [artist for artist in drawn if artist not in rings]
    # A ring around one of its points is no stranger to a name.
    others = np.vstack([_pixels(ax, solid), _without(_pixels(ax, rings), own)])
    middles = _middles(ax, half + CLEAR * point, text)
    distance = _distances(middles, half, own)
    apart = _distances(middles, half, others)
    good = (CLEAR * point < distance) & (distance < NEAR * point)
    good &= apart > distance + NEARER * point
    if not np.any(good):
        text.remove()
        return None
    best = middles[good][np.argmin(distance[good])]
    text.set_position(tuple(ax.transAxes.inverted().transform(best)))
    return text


def _middles(ax: Axes, half: Places, text: Text) -> Places:
    """Where the middle of a box of that half size can be, in pixels: inside, and on no word."""
    (x0, y0), (x1, y1) = ax.bbox.p0 + half, ax.bbox.p1 - half
    if x0 > x1 or y0 > y1:
        return np.empty((0, 2))
    x, y = np.meshgrid(np.linspace(x0, x1, STEPS), np.linspace(y0, y1, STEPS))
    middles = np.column_stack([x.ravel(), y.ravel()])
    free = np.ones(len(middles), dtype=bool)
    for other in ax.texts:
        if other is not text and other.get_text():
            box = other.get_window_extent()
            reach = half + np.array([box.width, box.height]) / 2
            free &= np.any(
                np.abs(middles - [box.x0 + box.width / 2, box.y0 + box.height / 2]) > reach, axis=1
            )
    return np.asarray(middles[free])


def _distances(middles: Places, half: Places, places: Places) -> Places:
    """How far each box is from the nearest of `places`: 0 where one is inside."""
    nearest = np.full(len(middles), np.inf)
    for start in range(0, len(places), 500):
        away = np.abs(middles[:, None, :] - places[None, start : start + 500, :]) - half
        distance = np.hypot(*np.moveaxis(np.maximum(away, 0), -1, 0))
        nearest = np.minimum(nearest, distance.min(axis=1))
    return nearest


def _without(places: Places, own: Places) -> Places:
    taken = set(map(tuple, own))
    return np.array([place for place in places if tuple(place) not in taken]).reshape(-1, 2)


def _is_hollow(artist: Artist) -> bool:
    return isinstance(artist, PathCollection) and len(artist.get_facecolor()) == 0


def _taking_room(ax: Axes) -> list[Artist]:
    return [*ax.collections, *ax.lines, *ax.patches, *ax.artists]


def _pixels(ax: Axes, artists: Sequence[Artist]) -> Places:
    """Where something is drawn: a place a marker, and lines and edges as dense rows of places."""
    places = np.vstack([np.empty((0, 2)), *(_drawn(ax, artist) for artist in artists)])
    inside = np.all((places >= ax.bbox.p0 - 20) & (places <= ax.bbox.p1 + 20), axis=1)
    return np.unique(STEP * np.round(places[inside] / STEP), axis=0)  # as fine as it matters


def _drawn(ax: Axes, artist: Artist) -> Places:
    if isinstance(artist, PathCollection):
        return np.asarray(ax.transData.transform(np.asarray(artist.get_offsets(), np.float64)))
    if isinstance(artist, AxLine):
        ends = np.array([artist.get_xy1(), artist.get_xy2()], dtype=np.float64)
        start, end = ax.transData.transform(ends)
        reach = float(ax.bbox.width + ax.bbox.height)
        step = (end - start) / np.hypot(*(end - start)) * reach
        return np.asarray(start + np.outer(np.arange(-1, 1, STEP / reach), step))
    if isinstance(artist, Line2D):
        return _joined(artist.get_transform().transform(_corners(artist)))
    if isinstance(artist, FancyArrowPatch):
        return _joined(ax.transData.transform(artist.get_path().vertices))
    if isinstance(artist, Polygon) and to_rgba(artist.get_edgecolor())[3] > 0:
        return _joined(ax.transData.transform(artist.get_xy()))
    return np.empty((0, 2))


def _corners(line: Line2D) -> Places:
    """The corners of a line as it is drawn: of steps there are more than of what they show."""
    places = np.asarray(line.get_xydata(), dtype=np.float64)
    if line.get_drawstyle() != "steps-post":
        return places
    return np.asarray(pts_to_poststep(places[:, 0], places[:, 1]), dtype=np.float64).T


def _joined(corners: Places) -> Places:
    """A broken line as places a few pixels apart."""
    corners = corners[np.all(np.isfinite(corners), axis=1)]
    if len(corners) < 2:
        return corners
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    at = np.linspace(0, along[-1], int(np.clip(along[-1] / STEP, 2, 5000)))
    return np.column_stack([np.interp(at, along, corners[:, j]) for j in (0, 1)])


def _colour(artist: Artist) -> str:
    """The colour of an artist's name: its own, or a darker one that can be read on white."""
    found: Any
    if isinstance(artist, PathCollection):
        face: Any = artist.get_facecolor()
        found = face[0] if len(face) else artist.get_edgecolor()[0]
    elif isinstance(artist, Line2D):
        found = artist.get_color()
    else:
        found = artist.get_edgecolor()  # type: ignore[attr-defined]
    colour = to_hex(found).upper()
    return DARKER.get(colour, colour)
