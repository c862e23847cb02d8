import numpy as np
import pytest
from tests.figures.reading import axes, line, named, on_line, overlapping_texts, scattered
from tests.figures.verdicts import overlapping, separable, touching, undecided

from novikoff.figures import plot_verdict, plot_verdict_hulls
from novikoff.matrix.problem import Problem


def test_separable_shows_the_separator_in_the_words_of_the_data() -> None:
    figure = plot_verdict(separable())
    ax = axes(figure)
    assert ax.get_title() == "separable, with a geometric margin of 1.414"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("dose", "age")
    assert named(ax) == {
        "ill (class −1)",
        "well (class +1)",
        "separator w·x + b = 0",
        "geometric margin 1.414 on each side",
        "support rows (4)",
        "w",
    }
    assert on_line(line(ax, "separator")).sum(axis=1) == pytest.approx([8, 8])
    assert overlapping_texts(figure) == []


def test_touching_shows_the_weak_separator_and_the_rows_on_it() -> None:
    ax = axes(plot_verdict(touching()))
    assert ax.get_title() == "touching: 2 rows on the plane, none beyond it"
    assert scattered(ax, "rows on the plane (2)").tolist() == [[0, -1], [0, 1]]
    assert "weak separator w·x + b = 0" in named(ax)


def test_overlapping_shows_the_hulls_and_the_common_point() -> None:
    ax = axes(plot_verdict(overlapping()))
    assert ax.get_title() == "overlapping: the hulls share a point, so nothing separates"
    assert scattered(ax, "common point").tolist() == [[0.5, 0.5]]
    assert len(scattered(ax, "rows of the certificate (4)")) == 4


def test_undecided_shows_the_data() -> None:
    assert named(axes(plot_verdict(undecided()))) == {"0 (class −1)", "1 (class +1)"}


def test_the_hulls_of_separable_data_share_no_point() -> None:
    ax = axes(plot_verdict_hulls(separable()))
    assert "common point of the two hulls" not in named(ax)
    assert ax.get_title() == "separable: the hulls are apart"


def test_touching_hulls_share_the_mean_of_their_rows_by_alpha() -> None:
    X = np.array([[0.0, 0.0], [4.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    verdict = touching(
        problem=Problem.of(X, [0, 0, 1, 1]),
        rows=np.array([0, 1, 2]),
        alpha_float=np.array([0.75, 0.25, 1.0]),
        weights=np.array([0.0, 1.0]),
        rows_on_plane=np.array([0, 1, 2]),
    )
    ax = axes(plot_verdict_hulls(verdict))
    assert scattered(ax, "common point").tolist() == [[1, 0]]


def test_without_an_intercept_the_hull_of_the_flipped_points_holds_the_origin() -> None:
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    verdict = overlapping(
        problem=Problem.of(X, [1, 1, 0], fit_intercept=False), rows=np.array([0, 1, 2])
    )
    figure = plot_verdict(verdict)
    ax = axes(figure)
    assert "hull of all y·x" in named(ax)
    assert ax.get_title().startswith("overlapping: the hull of all y·x holds the origin")
    assert scattered(ax, "0 (class −1)").tolist() == [[-1, -1]]
    assert scattered(ax, "the origin").tolist() == [[0, 0]]
    assert ax.get_xlabel() == "x0, times y"
    assert overlapping_texts(figure) == []
