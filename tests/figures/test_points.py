from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.svm import LinearSVC
from tests.figures.reading import axes, scattered

from novikoff.errors import LabelError
from novikoff.figures import plot_regions, plot_separator
from novikoff.figures.points import MOST_DRAWN, PlotPoints, draw_points, drawn_rows
from novikoff.figures.style import CLASS_MARKERS, axes_for


def test_labels_become_signs_and_keep_their_names() -> None:
    points = PlotPoints.of([[1], [2]], ["no", "yes"])
    assert points.y.tolist() == [-1, 1]
    assert points.classes == ("no", "yes")


def test_classes_say_which_label_is_positive() -> None:
    assert PlotPoints.of([[1], [2]], ["no", "yes"], classes=("yes", "no")).y.tolist() == [1, -1]


def test_signs_are_labels_too() -> None:
    assert PlotPoints.of([[1], [2]], [-1, 1], classes=("no", "yes")).y.tolist() == [-1, 1]


def test_labels_that_are_not_the_classes_are_an_error() -> None:
    with pytest.raises(LabelError, match="neither"):
        PlotPoints.of([[1], [2]], ["a", "b"], classes=("no", "yes"))


def test_exact_numbers_are_drawn_as_floats() -> None:
    points = PlotPoints.of([[Fraction(1, 2), Decimal("0.25")], [1, 2]], [0, 1])
    assert points.X.dtype == np.float64
    assert points.X[0].tolist() == [0.5, 0.25]


def test_few_rows_are_all_drawn() -> None:
    points = PlotPoints.of(np.eye(5), [0, 1, 0, 1, 0])
    assert drawn_rows(points).tolist() == [0, 1, 2, 3, 4]


def test_many_rows_are_thinned_and_the_figure_says_so() -> None:
    n = 3 * MOST_DRAWN
    points = PlotPoints.of(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 3 == 0)
    rows = drawn_rows(points, keep=[7])
    assert MOST_DRAWN - 2 <= len(rows) <= MOST_DRAWN + 2
    assert 7 in rows
    assert np.isclose(np.mean(points.y[rows] == 1), 1 / 3, atol=0.01)
    _, ax = axes_for(None)
    draw_points(ax, points, np.asarray(points.X))
    assert any("12,000 rows are drawn" in text.get_text() for text in ax.texts)


def test_the_classes_have_different_markers_and_colours() -> None:
    _, ax = axes_for(None)
    points = PlotPoints.of([[0, 0], [1, 1]], [-1, 1])
    draw_points(ax, points, np.asarray(points.X, dtype=float))
    negative, positive = ax.collections
    assert CLASS_MARKERS[-1] != CLASS_MARKERS[1]
    assert not np.array_equal(negative.get_facecolor(), positive.get_facecolor())
    assert len(negative.get_paths()[0].vertices) != len(positive.get_paths()[0].vertices)


def test_signs_are_called_by_their_sign_and_names_by_their_name() -> None:
    for labels, expected in (([-1, 1], "class −1"), (["no", "yes"], "no (class −1)")):
        _, ax = axes_for(None)
        points = PlotPoints.of([[0, 0], [1, 1]], labels)
        draw_points(ax, points, np.asarray(points.X, dtype=float))
        assert scattered(ax, expected).tolist() == [[0, 0]]


def test_sparse_rows_stay_sparse() -> None:
    assert sp.issparse(PlotPoints.of(sp.eye(4, format="csc"), [0, 1, 0, 1]).X)


@pytest.mark.parametrize("regions", [False, True], ids=["separator", "regions"])
def test_a_crowd_has_no_outlines_which_would_leave_nothing_but_white(regions: bool) -> None:
    X, y = np.repeat([[0.0, 0.0], [1.0, 1.0]], [150, 2], axis=0), np.repeat([0, 1], [150, 2])
    if regions:
        figure = plot_regions(LinearSVC().fit(X, y), X, y)
    else:
        figure = plot_separator(X, y, [1.0, 1.0], -1.0)
    crowd, pair = axes(figure).collections[-3:-1] if not regions else axes(figure).collections[-2:]
    assert len(crowd.get_offsets()) == 150
    assert set(crowd.get_linewidths()) == {0.0}
    assert min(pair.get_linewidths()) > 0
