import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.figures.reading import axes, scattered

from novikoff.figures import plot_hulls, plot_separator
from novikoff.figures.points import PlotPoints
from novikoff.figures.spread import side_by_side
from novikoff.figures.style import axes_for
from novikoff.figures.view import frame, plane_of

COUNTS = arrays.arrays(
    np.float64,
    st.tuples(st.integers(4, 40), st.just(2)),
    elements=st.integers(0, 3).map(float),
)


def spread(places: np.ndarray, line: list[float] | None = None) -> np.ndarray:
    points = PlotPoints.of(places, np.arange(len(places)) % 2)
    _, ax = axes_for(None)
    view = frame(ax, places, plane_of(points))
    return side_by_side(ax, view, places, points.y, line)


@settings(deadline=None, max_examples=40)
@given(COUNTS)
def test_no_row_hides_another_and_none_reaches_the_next_value(places: np.ndarray) -> None:
    moved = spread(places)
    assert len(np.unique(np.round(moved, 9), axis=0)) == len(places)
    assert np.all(np.abs(moved - places) < 0.5)


@settings(deadline=None, max_examples=40)
@given(COUNTS, st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(any))
def test_no_row_changes_its_distance_from_the_separator(
    places: np.ndarray, w: tuple[int, int]
) -> None:
    moved = spread(places, [float(w[0]), float(w[1])])
    assert moved @ w == pytest.approx(places @ w, abs=1e-9)


def test_rows_at_places_of_their_own_stay_there() -> None:
    places = np.random.default_rng(0).standard_normal((50, 2))
    assert spread(places) is places


def test_one_column_is_a_strip() -> None:
    ages = np.repeat([20.0, 30.0, 40.0, 50.0], 10)[:, None]
    ax = axes(plot_separator(ages, (ages > 35).ravel(), [1.0], -35.0))
    places = scattered(ax, "False")
    assert set(places[:, 0]) == {20.0, 30.0}
    assert len(np.unique(places, axis=0)) == 20
    assert np.all(np.abs(places[:, 1] + 1) < 0.5)


def test_one_column_is_a_strip_without_a_separator_too() -> None:
    counts = np.repeat([0.0, 1.0, 2.0, 3.0], 10)[:, None]
    ax = axes(plot_hulls(counts, np.arange(40) % 2, rows=[0, 1], shared_point=[1.5]))
    for label, height in (("0", -1), ("1", 1)):
        places = scattered(ax, label)
        assert set(places[:, 0]) == {0.0, 1.0, 2.0, 3.0}
        assert len(np.unique(places, axis=0)) == 20
        assert np.all(np.abs(places[:, 1] - height) < 0.5)
