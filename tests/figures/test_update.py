import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from tests.figures.reading import axes, line, named, on_line, overlapping_texts, scattered, words

from novikoff.errors import ShapeError
from novikoff.figures import plot_update

X = np.array([[1.0, 2.0], [2.0, -1.0], [-1.0, -1.5], [-2.0, 1.0]])
Y = np.array([1, 1, -1, -1])


def test_both_hyperplanes_are_where_their_scores_are_zero() -> None:
    figure = plot_update(X, Y, 1, [-0.5, 1.0], 0.5)
    ax = axes(figure)
    assert on_line(line(ax, "old hyperplane")) @ [-0.5, 1] + 0.5 == pytest.approx([0, 0])
    assert on_line(line(ax, "new hyperplane")) @ [1.5, 0] + 1.5 == pytest.approx([0, 0])
    assert overlapping_texts(figure) == []


def test_the_step_is_scaled_by_eta_and_the_bias_can_stay() -> None:
    ax = axes(plot_update(X, Y, 1, [-0.5, 1.0], 0.5, eta0=0.5, fit_intercept=False))
    assert on_line(line(ax, "new hyperplane")) @ [0.5, 0.5] + 0.5 == pytest.approx([0, 0])
    assert "ηyx" in named(ax)


def test_the_mistake_is_marked_and_named() -> None:
    ax = axes(plot_update(X, Y, 2, [0.2, -1.0]))
    assert scattered(ax, "the mistake: row 2, y = −1").tolist() == [[-1.0, -1.5]]


def test_the_arrows_are_named() -> None:
    ax = axes(plot_update(X, Y, 1, [-0.5, 1.0]))
    assert {"old w", "new w"} <= {text.get_text() for text in ax.texts}


def test_the_first_update_has_no_old_hyperplane() -> None:
    ax = axes(plot_update(X, Y, 0, [0, 0]))
    assert "old hyperplane" not in named(ax)
    assert ax.get_title() == "the first w is yx of row 0"
    assert "old w = 0, no hyperplane yet" in words(ax.figure)
    assert "yx" not in named(ax)  # the step is the new w itself


def test_the_first_w_is_not_named_on_top_of_the_example() -> None:
    # It points at the example; drawn shorter, its tip ends just before it.
    points = np.array([[2.0, 1.0], [1.0, 3.0], [3.0, 3.0], [-1.0, 0.0], [0.0, -2.0], [1.0, -1.0]])
    figure = plot_update(points, [1, 1, 1, -1, -1, -1], 0, [0, 0])
    ax = axes(figure)
    FigureCanvasAgg(figure).draw()
    (name,) = (text for text in ax.texts if text.get_text() == "new w")
    x, y = ax.transData.transform(points[0])
    box = name.get_window_extent().padded(8)
    assert not box.contains(x, y)


def test_long_weights_are_drawn_shorter_and_a_note_says_so() -> None:
    ax = axes(plot_update(X, Y, 1, [-50.0, 100.0]))
    assert any("of their length" in text for text in named(ax))


def test_a_mistake_at_the_origin_turns_nothing() -> None:
    ax = axes(plot_update([[0.0, 0.0], [1.0, 2.0]], [-1, 1], 0, [1.0, 2.0]))
    assert ax.get_title() == "the mistake on row 0, where x is 0, changes b alone"
    assert {"old w", "new w"}.isdisjoint(named(ax))


def test_the_arrows_of_one_weight_are_not_drawn_over_each_other() -> None:
    figure = plot_update([[-1.0], [0.5], [2.0]], [-1, 1, 1], 1, [-1.0])
    assert {"old w", "new w", "yx"} <= named(axes(figure))
    assert overlapping_texts(figure) == []


def test_in_more_dimensions_both_hyperplanes_stay_lines() -> None:
    rng = np.random.default_rng(0)
    X5 = rng.standard_normal((30, 5))
    w = rng.standard_normal(5)
    ax = axes(plot_update(X5, np.where(X5[:, 0] > 0, 1, -1), 3, w, 0.25))
    found = on_line(line(ax, "old hyperplane"))
    assert found[:, 0] == pytest.approx(np.full(2, -0.25 / np.linalg.norm(w)))
    assert "projection" in ax.get_xlabel()


def test_a_row_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ShapeError, match="row 9 is not one of the 4 rows"):
        plot_update(X, Y, 9, [1, 1])
    with pytest.raises(ShapeError, match="1 weights"):
        plot_update(X, Y, 1, [1])


def test_no_arrow_leaves_the_window() -> None:
    # The rows are all on one side of the origin, and the weights point to the other.
    rng = np.random.default_rng(1)
    X4 = 5 + rng.random((40, 4))
    ax = axes(plot_update(X4, np.where(X4[:, 0] > 5.5, 1, -1), 0, [-3.0, -4.0, 1.0, -2.0], 0.5))
    FigureCanvasAgg(ax.figure).draw()
    window = ax.get_window_extent()
    tips = [text for text in ax.texts if text.get_text() in ("old w", "new w")]
    assert len(tips) == 2
    for tip in tips:
        assert window.contains(*ax.transData.transform(tip.xy))
        assert window.overlaps(tip.get_window_extent())
    assert ax.get_title().startswith("the mistake on row 0 turns w ")
    assert ax.get_title().endswith("it: new w = old w + yx")


def test_a_hyperplane_outside_the_window_is_said_to_be_there() -> None:
    ax = axes(plot_update(X, Y, 1, [-0.5, 1.0], 500.0))
    assert "old hyperplane, outside this picture" in named(ax)
