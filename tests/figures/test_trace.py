from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image
from tests.figures.reading import axes, curve, line, named, on_line, overlapping_texts, words

from novikoff.data.datasets import load_dataset
from novikoff.errors import DataError, OptionError
from novikoff.figures import animate_trace, plot_mistakes, plot_trace, plot_trace_update
from novikoff.figures.textbook import SEPARABLE, SEPARATOR, XOR
from novikoff.learners.theory.trace import trace

X, Y = SEPARABLE


@pytest.mark.parametrize("eta0", [1.0, 0.5])
def test_the_inequalities_of_the_proof_hold_in_the_figure(eta0: float) -> None:
    run = trace(X, Y, eta0=eta0)
    figure = plot_trace(run, SEPARATOR)
    mistakes, norm, alignment, cosine = figure.axes
    end = run.n_epochs * len(X)  # the last epoch has no mistake
    assert curve(mistakes, "mistakes made")[0].tolist() == [0, *(run.rounds + 1), end]
    assert np.all(curve(mistakes, "mistakes made")[1] <= curve(mistakes, "bound")[1][0])
    assert np.all(curve(norm, "‖ŵₖ‖²")[1] <= curve(norm, "bound")[1] * (1 + 1e-12))
    assert np.all(curve(alignment, "ŵ*·ŵₖ")[1] >= curve(alignment, "bound")[1] * (1 - 1e-12))
    assert np.all(curve(cosine, "cosine")[1] >= curve(cosine, "bound")[1])
    assert np.all(curve(cosine, "cosine")[1] <= 1 + 1e-12)
    assert curve(mistakes, "bound")[1][0] == pytest.approx(1633.5)


def test_a_trace_keeps_its_own_reference() -> None:
    figure = plot_trace(trace(X, Y, separator=([2, 2], -16)))
    assert "bound R²/γ² by ŵ*: 1633.5 (augmented γ 0.2462)" in named(figure.axes[0])


def test_no_reference_and_a_wrong_one_are_errors() -> None:
    run = trace(X, Y)
    with pytest.raises(DataError, match="a reference is needed"):
        plot_trace(run)
    with pytest.raises(DataError, match="not a separator"):
        plot_trace(run, ([-1, -1], 8))


def test_where_nothing_separates_the_mistakes_never_stop() -> None:
    run = trace(*XOR)
    figure = plot_mistakes(run)
    left, right = figure.axes
    assert left.lines[0].get_xdata().tolist() == [*range(9)]  # two turns of four rounds
    assert left.lines[0].get_ydata().tolist() == [*range(9)]
    assert right.lines[0].get_ydata().tolist() == 2 * run.squared_norms.tolist()
    assert "the mistakes never stop; two turns are drawn" in words(figure)
    assert overlapping_texts(figure) == []
    assert "and no end in sight" in words(plot_mistakes(trace(X, Y, max_iter=2)))


def test_an_update_of_the_run() -> None:
    run = trace(X, Y)
    ax = axes(plot_trace_update(run, 20))
    w, b = run.weights_after(20)
    assert on_line(line(ax, "new hyperplane")) @ w + b == pytest.approx([0, 0], abs=1e-9)
    for k in (0, run.n_mistakes + 1):
        with pytest.raises(OptionError, match="there is no mistake"):
            plot_trace_update(run, k)


def test_the_moving_picture_of_a_run(tmp_path: Path) -> None:
    path = animate_trace(tmp_path / "run.gif", trace(X, Y), frames=4)
    with Image.open(path) as image:
        assert image.n_frames == 5  # the start, and four mistakes


@pytest.mark.parametrize("name", ["and", "or", "xor", "iris-setosa-versicolor"])
def test_an_update_shows_both_hyperplanes_unless_another_mistake_is_asked_for(name: str) -> None:
    gate = load_dataset(name)
    ax = plot_trace_update(trace(gate.X, gate.y, max_iter=50)).axes[0]
    FigureCanvasAgg(ax.figure).draw()
    low, high = ax.get_xlim()
    for label in ("old hyperplane", "new hyperplane"):
        across = on_line(line(ax, label))
        assert ((across >= [low, ax.get_ylim()[0]]) & (across <= [high, ax.get_ylim()[1]])).any()
