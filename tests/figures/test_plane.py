import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff.figures.points import PlotPoints
from novikoff.figures.view import first_principal_direction, plane_of, plane_spanned_by


def cloud(d: int, n: int = 60, seed: int = 0) -> PlotPoints:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * np.arange(1, d + 1)
    return PlotPoints.of(X, np.where(np.arange(n) % 2, 1, -1))


def test_two_columns_are_shown_as_they_are() -> None:
    plane = plane_of(PlotPoints.of([[0, 1], [2, 3]], [0, 1], names=["a", "b"]), w=[1, 1])
    assert not plane.is_projection
    assert plane.labels == ("a", "b")
    assert plane.project(np.array([[2.0, 3.0]])).tolist() == [[2, 3]]


def test_one_column_is_set_off_by_its_label() -> None:
    points = PlotPoints.of([[4], [5]], [0, 1], names=["a"])
    plane = plane_of(points)
    assert plane.labels == ("a", "class")
    assert plane.project(points.X, points.y).tolist() == [[4, -1], [5, 1]]


@settings(deadline=None, max_examples=25)
@given(st.integers(3, 12), st.integers(0, 1000))
def test_scores_survive_the_projection(d: int, seed: int) -> None:
    points = cloud(d, seed=seed)
    w = np.random.default_rng(seed + 1).standard_normal(d)
    plane = plane_of(points, w)
    assert plane.is_projection
    assert "projection" in plane.labels[1]
    assert plane.axes @ plane.axes.T == pytest.approx(np.eye(2), abs=1e-9)
    assert plane.project(points.X) @ plane.vector(w) == pytest.approx(points.X @ w)


@settings(deadline=None, max_examples=25)
@given(st.integers(3, 8), st.integers(0, 1000))
def test_the_second_direction_is_the_first_principal_one(d: int, seed: int) -> None:
    X = cloud(d, seed=seed).X
    u = np.random.default_rng(seed).standard_normal(d)
    u /= np.linalg.norm(u)
    rest = (X - X.mean(axis=0)) @ (np.eye(d) - np.outer(u, u))
    largest = np.linalg.svd(rest, compute_uv=False)[0]
    v = first_principal_direction(X, u)
    assert np.linalg.norm(rest @ v) == pytest.approx(largest, rel=1e-3)
    assert u @ v == pytest.approx(0, abs=1e-12)


def test_the_projection_of_sparse_rows_is_that_of_dense_ones() -> None:
    points = cloud(6)
    sparse = PlotPoints.of(sp.csr_array(points.X), points.y)
    w = np.ones(6)
    expected = plane_of(points, w).project(points.X)
    assert plane_of(sparse, w).project(sparse.X) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_extreme_numbers_have_a_direction(scale: float) -> None:
    v = first_principal_direction(cloud(4).X * scale, np.eye(4)[0])
    assert np.linalg.norm(v) == pytest.approx(1)


def test_points_that_vary_in_no_other_direction_still_have_a_plane() -> None:
    X = np.outer(np.arange(5.0), [1, 1, 1])
    plane = plane_of(PlotPoints.of(X, [0, 0, 1, 1, 1]), w=[1, 1, 1])
    assert plane.axes @ plane.axes.T == pytest.approx(np.eye(2), abs=1e-9)


def test_without_weights_the_class_means_give_the_direction() -> None:
    points = cloud(3)
    plane = plane_of(points)
    difference = points.X[points.y == 1].mean(axis=0) - points.X[points.y == -1].mean(axis=0)
    assert plane.axes[0] == pytest.approx(difference / np.linalg.norm(difference))
    assert "class means" in plane.labels[0]


def test_equal_class_means_and_no_weights_still_have_a_plane() -> None:
    X = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]]
    plane = plane_of(PlotPoints.of(X, [0, 0, 1, 1]))
    assert plane.axes @ plane.axes.T == pytest.approx(np.eye(2), abs=1e-9)


def test_the_plane_of_two_vectors_holds_both() -> None:
    points = cloud(5)
    w, x = np.arange(5.0), np.ones(5)
    plane = plane_spanned_by(points, w, x, ("a", "b"))
    for vector in (w, x):
        assert plane.axes.T @ plane.vector(vector) == pytest.approx(vector)


def test_parallel_vectors_span_the_plane_along_w() -> None:
    points = cloud(5)
    plane = plane_spanned_by(points, np.ones(5), 2 * np.ones(5), ("a", "b"))
    assert plane.labels[0] == "w·x / ‖w‖"
    assert plane_spanned_by(points, np.zeros(5), np.ones(5), ("a", "b")).labels == plane.labels
