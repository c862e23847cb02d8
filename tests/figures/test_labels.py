import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from tests.figures.reading import axes, legend, named, overlapping_texts
from tests.figures.verdicts import separable

from novikoff.figures import plot_hulls, plot_separator, plot_verdict
from novikoff.figures.labels import name_directly
from novikoff.figures.style import axes_for, shorten, wrap_label


def test_a_name_is_over_no_marker_and_nearer_to_its_own() -> None:
    figure = plot_verdict(separable())
    ax = axes(figure)
    FigureCanvasAgg(figure).draw()
    for text, own, other in (("ill", 0, 1), ("well", 1, 0)):
        (name,) = [t for t in ax.texts if t.get_text().startswith(text)]
        box = name.get_window_extent()
        markers = [ax.transData.transform(c.get_offsets()) for c in ax.collections[:2]]
        assert not any(box.contains(*place) for group in markers for place in group)
        middle = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]
        near, far = (np.hypot(*(markers[k] - middle).T).min() for k in (own, other))
        assert near < far


def test_where_there_is_no_room_the_legend_has_the_name() -> None:
    _, ax = axes_for(None)
    grid = np.linspace(0, 1, 60)
    x, y = (values.ravel() for values in np.meshgrid(grid, grid))
    ax.scatter(x, y, label="everywhere")
    name_directly(ax, [("everywhere",)])
    assert legend(ax) == ["everywhere"]
    assert not ax.texts


def test_a_group_is_written_whole_or_not_at_all() -> None:
    _, ax = axes_for(None)
    ax.plot([0, 1], [0, 1], label="a line")
    ax.plot([0, 1], [0, 1], label="the same line")
    name_directly(ax, [("a line",), ("the same line",)])
    assert legend(ax) == ["a line", "the same line"]
    assert not ax.texts


def test_a_legend_with_nothing_left_is_not_drawn() -> None:
    ax = axes(plot_hulls([[0, 0], [1, 0], [4, 4], [5, 4]], [0, 0, 1, 1]))
    assert ax.get_legend() is None
    assert named(ax) == {"0 (class −1)", "1 (class +1)"}


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_long_names_leave_room_for_the_picture(columns: int) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, columns))
    classes = ("people who did not answer every question of it", "people who answered all of it")
    names = [f"the income of the household before tax, in euros, as asked in {j}" for j in range(9)]
    figure = plot_separator(
        X, np.where(X[:, 0] > 0, 1, -1), np.eye(columns)[0], names=names[:columns], classes=classes
    )
    FigureCanvasAgg(figure).draw()
    ax = axes(figure)
    assert ax.bbox.width > 0.4 * figure.bbox.width
    assert overlapping_texts(figure) == []


def test_shortening_keeps_both_ends() -> None:
    assert shorten("short") == "short"
    text = shorten("the first words and the last", 15)
    assert len(text) <= 15
    assert text.startswith("the first")
    assert text.endswith("last")
    assert all(
        len(line) <= 20 for line in wrap_label("a long name of a column " * 9, 20).split("\n")
    )
