import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch, Polygon
from tests.figures.reading import axes, legend, line, named, on_line, overlapping_texts, scattered

from novikoff.errors import ShapeError
from novikoff.figures import plot_separator
from novikoff.figures.style import new_figure
from novikoff.figures.textbook import SEPARABLE, SEPARATOR

X, Y = SEPARABLE


def test_the_line_is_where_the_score_is_zero() -> None:
    w, b = SEPARATOR
    found = on_line(line(axes(plot_separator(X, Y, w, b)), "separator"))
    assert found @ w + b == pytest.approx([0, 0])


def test_the_band_reaches_the_nearest_rows() -> None:
    w, b = SEPARATOR
    (band,) = [a for a in axes(plot_separator(X, Y, w, b)).patches if isinstance(a, Polygon)]
    distances = (band.get_xy()[:4] @ w + b) / np.linalg.norm(w)
    assert np.abs(distances) == pytest.approx(np.full(4, np.sqrt(2)))


def test_names_stand_beside_what_they_name_and_the_rest_in_the_legend() -> None:
    figure = plot_separator(X, Y, *SEPARATOR, support=[0, 1, 7, 8])
    ax = axes(figure)
    assert legend(ax) == ["geometric margin 1.414 on each side", "support rows (4)"]
    written = {"class −1", "class +1", "separator w·x + b = 0", "w"}
    assert {text.get_text() for text in ax.texts} == written
    assert ax.get_title() == "separated, with a geometric margin of 1.414"
    assert overlapping_texts(figure) == []


def test_rows_are_ringed() -> None:
    ax = axes(plot_separator(X, Y, *SEPARATOR, support=[0, 8]))
    assert scattered(ax, "support rows").tolist() == X[[0, 8]].tolist()
    ax = axes(plot_separator(X, Y, *SEPARATOR))
    assert scattered(ax, "rows nearest the separator").tolist() == X[[0, 1, 7, 8]].tolist()


def test_the_arrow_points_along_w_to_class_plus_one() -> None:
    ax = axes(plot_separator(X, Y, [1, 1], -8))
    (arrow,) = [a for a in ax.get_children() if isinstance(a, FancyArrowPatch)]
    start, end = arrow.get_path().vertices[[0, -1]]
    (label,) = [text for text in ax.texts if text.get_text() == "w"]
    step = np.asarray(label.xy) - [4, 4]
    assert step[0] == pytest.approx(step[1])
    assert step[0] > 0
    assert not np.array_equal(start, end)


def test_a_weak_separator_has_no_band() -> None:
    ax = axes(plot_separator([[-1], [0], [0], [1]], [0, 0, 1, 1], [1.0], 0.0))
    assert named(ax) >= {"weak separator w·x + b = 0", "rows on the plane (2)"}
    assert ax.get_title().startswith("weakly separated")
    assert not any(isinstance(a, Polygon) for a in ax.patches)


def test_a_hyperplane_that_separates_nothing_is_not_called_a_separator() -> None:
    ax = axes(plot_separator(X, Y, [-1, -1], 8))
    words = named(ax)
    assert ax.get_title() == f"{len(X)} of {len(X)} rows are on the plane or beyond it"
    assert "hyperplane w·x + b = 0" in words
    assert f"rows on the wrong side or on the plane ({len(X)})" in words


def test_zero_weights_draw_the_data_only() -> None:
    assert named(axes(plot_separator(X, Y, [0, 0]))) == {"class −1", "class +1"}


def test_in_five_dimensions_the_figure_says_projection() -> None:
    rng = np.random.default_rng(0)
    X5 = rng.standard_normal((80, 5))
    w = np.arange(1.0, 6.0)
    figure = plot_separator(X5, X5 @ w > 0.5, w, -0.5)
    ax = axes(figure)
    assert "projection" in ax.get_ylabel()
    assert ax.get_xlabel() == "w·x / ‖w‖"
    found = on_line(line(ax, "separator"))
    assert found[:, 0] == pytest.approx(np.full(2, 0.5 / np.linalg.norm(w)))
    assert overlapping_texts(figure) == []


def test_axes_of_very_different_scales_say_so_and_draw_no_arrow() -> None:
    figure = plot_separator(X * [1, 1e300], Y, [1, 1e-300], -8)
    assert overlapping_texts(figure) == []
    ax = axes(figure)
    assert ax.get_aspect() == "auto"
    assert any("different scales" in text.get_text() for text in ax.texts)
    assert not any(isinstance(a, FancyArrowPatch) for a in ax.get_children())


def test_the_callers_axes_are_drawn_in() -> None:
    figure = new_figure(4, 4)
    ax = figure.add_subplot()
    assert plot_separator(X, Y, *SEPARATOR, ax=ax) is figure


def test_weights_of_the_wrong_length_are_an_error() -> None:
    with pytest.raises(ShapeError, match="3 weights, but X has 2 columns"):
        plot_separator(X, Y, [1, 2, 3])


def test_nothing_is_left_in_pyplot() -> None:
    import matplotlib.pyplot as plt

    plot_separator(X, Y, *SEPARATOR)
    assert plt.get_fignums() == []


def test_many_rings_are_small_and_under_the_points() -> None:
    rng = np.random.default_rng(0)
    many = np.column_stack([np.repeat([-1.0, 1.0], 100), rng.standard_normal(200)])
    ax = axes(plot_separator(many, np.repeat([-1, 1], 100), [1.0, 0.0]))
    (rings,) = [c for c in ax.collections if c.get_label().startswith("rows nearest")]
    (dots,) = [c for c in ax.collections if c.get_label() == "class +1"]
    assert rings.get_label() == "rows nearest the separator (200)"
    assert rings.get_zorder() < dots.get_zorder()
    assert rings.get_sizes()[0] < 2 * dots.get_sizes()[0]
    few = axes(
        plot_separator(
            np.repeat([[-1.0, 0.0], [1.0, 0.0]], 9, axis=0), np.repeat([-1, 1], 9), [1.0, 0.0]
        )
    )
    # Nine rows at each of two places: side by side, along the separator, each as far from it.
    places = scattered(few, "rows nearest the separator (18)")
    assert len(np.unique(places, axis=0)) == 18
    assert sorted(places[:, 0]) == [-1.0] * 9 + [1.0] * 9
    assert any("side by side" in text.get_text() for text in few.texts)
