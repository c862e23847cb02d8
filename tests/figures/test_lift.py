import numpy as np
import pytest
from tests.figures.reading import legend, overlapping_texts

from novikoff.errors import ShapeError
from novikoff.figures import plot_lift
from novikoff.figures.textbook import XOR


def test_xor_is_lifted_by_the_product() -> None:
    figure = plot_lift()
    flat, space = figure.axes
    assert space.name == "3d"
    heights = [c._offsets3d[2].tolist() for c in space.collections if hasattr(c, "_offsets3d")]
    assert heights == [[0, 1], [0, 0]]
    assert "the separating plane" in legend(space)
    assert "where the plane meets the surface" in legend(flat)
    assert overlapping_texts(figure) == []
    points = [c for c in space.collections if hasattr(c, "_offsets3d")]
    (plane,) = [c for c in space.collections if type(c).__name__ == "Poly3DCollection"]
    assert not space.computed_zorder
    assert min(c.get_zorder() for c in points) > plane.get_zorder()
    assert space.get_title().endswith("a plane separates")


def test_the_plane_separates_the_lifted_points() -> None:
    X, y = XOR
    lifted = np.column_stack([X, X[:, 0] * X[:, 1]])
    assert np.all(y * (lifted @ [2, 2, -4] - 1) > 0)


def test_a_plane_without_the_product_is_drawn_as_its_shadow() -> None:
    _, space = plot_lift([[0, 0], [1, 1]], [0, 1], [1, 1, 0], -1).axes
    assert "the separating plane" not in legend(space)


def test_other_shapes_are_errors() -> None:
    with pytest.raises(ShapeError, match="two columns"):
        plot_lift(np.eye(3), [0, 1, 1])
    with pytest.raises(ShapeError, match="three weights"):
        plot_lift(w=[1, 2])
