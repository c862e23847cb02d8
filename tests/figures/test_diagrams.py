import numpy as np
import pytest
from tests.figures.reading import axes, overlapping_texts, words

from novikoff.errors import ShapeError
from novikoff.figures import plot_network, plot_perceptron
from novikoff.figures.textbook import XOR

W, B, V, C = [[1, 1], [1, 1]], [0, -1], [2, -4], -1


def test_the_perceptron_has_inputs_weights_bias_and_threshold() -> None:
    figure = plot_perceptron()
    text = words(figure)
    for part in ("$x_{1}$", "$x_{3}$", "$w_{3}$", "$b$", "Σ", "threshold", r"$\hat{y}"):
        assert part in text
    assert overlapping_texts(figure) == []


def test_the_numbers_and_names_are_those_given() -> None:
    figure = plot_perceptron([0.5, -1.25], 2.0, names=["age", "dose"])
    text = words(figure)
    for part in ("$w_{1}$ = 0.5", "$w_{2}$ = −1.25", "$b$ = 2", "age", "dose"):
        assert part in text
    assert overlapping_texts(figure) == []


def test_many_inputs_are_elided() -> None:
    figure = plot_perceptron(np.arange(40.0))
    text = words(figure)
    assert "⋮" in text
    assert "$x_{40}$" in text
    assert "$x_{20}$" not in text
    assert overlapping_texts(figure) == []


def test_names_must_match() -> None:
    with pytest.raises(ShapeError, match="2 weights, but 1 names"):
        plot_perceptron([1, 2], names=["a"])


def test_the_network_shows_its_weights() -> None:
    figure = plot_network(W, B, V, C)
    text = words(figure)
    for part in ("$b_{2}$ = −1", "−4", "$c$ = −1", "$a_{2}$"):
        assert part in text
    assert overlapping_texts(figure) == []
    assert axes(figure)


def test_the_activation_table_is_computed_row_by_row() -> None:
    figure = plot_network(W, B, V, C, X=XOR[0], y=XOR[1])
    (table,) = figure.axes[1].tables
    cells = {at: cell.get_text().get_text() for at, cell in table.get_celld().items()}
    rows = [[cells[i, j] for j in range(7)] for i in range(5)]
    assert rows == [
        ["$x_{1}$", "$x_{2}$", "$a_{1}$", "$a_{2}$", "score", r"$\hat{y}$", "y"],
        ["0", "0", "0", "0", "−1", "−1", "−1"],
        ["0", "1", "1", "0", "1", "+1", "+1"],
        ["1", "0", "1", "0", "1", "+1", "+1"],
        ["1", "1", "2", "1", "−1", "−1", "−1"],
    ]
    assert overlapping_texts(figure) == []


def test_the_table_speaks_in_the_labels_it_is_given() -> None:
    figure = plot_network(W, B, V, C, X=XOR[0], y=[0, 1, 1, 0], classes=(0, "odd"))
    (table,) = figure.axes[1].tables
    assert table.get_celld()[2, 5].get_text().get_text() == "odd"


@pytest.mark.parametrize(("k", "d"), [(3, 2), (4, 3), (2, 5), (12, 9)])
def test_networks_of_other_sizes_are_readable(k: int, d: int) -> None:
    rng = np.random.default_rng(0)
    figure = plot_network(
        rng.standard_normal((k, d)),
        rng.standard_normal(k),
        rng.standard_normal(k),
        0.1,
        X=rng.standard_normal((30, d)),
    )
    assert overlapping_texts(figure) == []
    assert "the first 12 of 30 rows" in words(figure)


def test_lengths_that_disagree_are_errors() -> None:
    with pytest.raises(ShapeError, match="2 hidden units, b has 1"):
        plot_network(W, [0], V, C)
    with pytest.raises(ShapeError, match="2 columns, but there are 1 names"):
        plot_network(W, B, V, C, names=["a"])
