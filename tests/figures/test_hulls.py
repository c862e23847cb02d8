import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from matplotlib.patches import Polygon
from tests.figures.reading import axes, named, overlapping_texts, scattered

from novikoff.figures import plot_comparison, plot_hulls
from novikoff.figures.hulls import hull_corners
from novikoff.figures.textbook import MOVED, SHARED, XOR


def inside(corners: np.ndarray, point: np.ndarray) -> bool:
    """Whether the point is left of every edge of the counter-clockwise polygon."""
    edges = np.roll(corners, -1, axis=0) - corners
    away = point - corners
    return bool(np.all(edges[:, 0] * away[:, 1] - edges[:, 1] * away[:, 0] >= -1e-9))


def test_xor_has_two_crossing_segments_and_their_common_point() -> None:
    figure = plot_hulls(*XOR, rows=[0, 1, 2, 3], shared_point=[0.5, 0.5])
    ax = axes(figure)
    assert named(ax) >= {
        "class −1",
        "class +1",
        "rows of the certificate (4)",
        "common point of the two hulls",
    }
    assert ax.get_title() == "the hulls share a point, so nothing separates"
    negative, positive = [a for a in ax.patches if isinstance(a, Polygon)]
    assert negative.get_xy().tolist() == [[0, 0], [1, 1]]
    assert positive.get_xy().tolist() == [[0, 1], [1, 0]]
    assert scattered(ax, "common point").tolist() == [[0.5, 0.5]]
    assert overlapping_texts(figure) == []


@settings(deadline=None, max_examples=50)
@given(arrays.arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)),
                     elements=st.integers(-3, 3).map(float)))  # fmt: skip
def test_the_hull_holds_every_point(places: np.ndarray) -> None:
    corners = hull_corners(places)
    assert {tuple(c) for c in corners} <= {tuple(p) for p in places}
    if len(corners) > 2:
        assert all(inside(corners, p) for p in places)
    else:  # all on one line, between the two ends
        a, b = corners[0], corners[-1]
        for p in places:
            assert np.isclose((b - a)[0] * (p - a)[1], (b - a)[1] * (p - a)[0])
            assert 0 <= (p - a) @ (b - a) <= (b - a) @ (b - a)


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_a_hull_has_the_same_corners_at_any_scale(scale: float) -> None:
    places = np.array([[0, 0], [2, 0], [1, 1], [1, 3]]) * scale
    assert {tuple(c) for c in hull_corners(places)} == {tuple(p) for p in places[[0, 1, 3]]}
    line = np.array([[0, 0], [2, 2], [1, 1]]) * scale
    assert {tuple(c) for c in hull_corners(line)} == {tuple(p) for p in line[:2]}


def test_the_projected_common_point_is_in_both_projected_hulls() -> None:
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, 4))
    X[:5] -= X[:5].mean(axis=0)
    X[20:25] -= X[20:25].mean(axis=0)
    ax = axes(plot_hulls(X, np.repeat([0, 1], 20), shared_point=np.zeros(4)))
    (place,) = scattered(ax, "common point")
    hulls = [a for a in ax.patches if isinstance(a, Polygon)]
    assert len(hulls) == 2
    for hull in hulls:
        assert inside(hull.get_xy()[:-1], place)


def test_the_star_does_not_hide_a_row_that_is_the_common_point() -> None:
    ax = axes(plot_hulls([[0, 0], [2, 2], [1, 1]], [0, 0, 1], shared_point=[1, 1]))
    star, row = (
        next(c for c in ax.collections if str(c.get_label()).startswith(label))
        for label in ("common point", "1 (class +1)")
    )
    assert star.get_zorder() < row.get_zorder()


def test_one_column() -> None:
    ax = axes(plot_hulls([[0], [2], [1]], [0, 0, 1], rows=[0, 1, 2], shared_point=[1]))
    assert scattered(ax, "common point").tolist() == [[1, 0]]
    assert scattered(ax, "1 (class +1)").tolist() == [[1, 1]]


def test_the_comparison_shows_a_separator_beside_two_hulls_that_meet() -> None:
    figure = plot_comparison()
    left, right = figure.axes
    assert left.get_title() == "linearly separable"
    assert right.get_title() == "not linearly separable"
    assert "separator w·x + b = 0" in named(left)
    assert "common point of the two hulls" in named(right)
    for sign in (-1, 1):
        assert inside(hull_corners(MOVED[0][MOVED[1] == sign]), SHARED)
    assert overlapping_texts(figure) == []


def test_the_comparison_takes_other_data() -> None:
    figure = plot_comparison(([[0], [3]], [0, 1]), ([1], -1.5), XOR, shared_point=[0.5, 0.5])
    left, right = figure.axes
    assert scattered(left, "0 (class −1)").tolist() == [[0, -1]]
    assert scattered(right, "common point").tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("n", [1, 2])
def test_a_class_of_one_or_two_points_has_a_hull(n: int) -> None:
    ax = axes(plot_hulls([[0, 0], [1, 1], [5, 5]][: n + 1], [0] + [1] * n))
    assert len([a for a in ax.patches if isinstance(a, Polygon)]) == 2
