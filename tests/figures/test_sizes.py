"""Every figure can be read on a page of six inches."""

from functools import partial

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

import novikoff
from novikoff import figures

PAGE, SMALLEST = 6.0, 6.5  # inches; points of the smallest letters when the figure fits the page
X, Y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0, 0, 0, 1])
AND = partial(novikoff.trace, X, Y, separator=novikoff.separate(X, Y))
XOR = np.array([0, 1, 1, 0])
NETWORK = ([[1, 1], [1, 1]], [0, -1], [2, -4], -1)

DRAWN = {
    "convergence": lambda: figures.plot_trace(AND()),
    "mistakes": lambda: figures.plot_mistakes(novikoff.trace(X, XOR)),
    "update": lambda: figures.plot_trace_update(AND()),
    "verdict": lambda: figures.plot_verdict(novikoff.separate(X, Y)),
    "hulls": lambda: figures.plot_verdict_hulls(novikoff.separate(X, XOR)),
    "fewest": lambda: figures.plot_fewest(novikoff.fewest_errors(X, XOR)),
    "comparison": figures.plot_comparison,
    "xor": figures.plot_xor,
    "lift": figures.plot_lift,
    "perceptron": figures.plot_perceptron,
    "network": lambda: figures.plot_network(*NETWORK, X=X, y=XOR),
}


@pytest.mark.parametrize("name", DRAWN)
def test_letters_stay_readable_on_a_page(name: str) -> None:
    figure = DRAWN[name]()
    FigureCanvasAgg(figure).draw()
    shrunk = min(1.0, PAGE / figure.get_figwidth())
    small = {
        text.get_text(): text.get_fontsize() * shrunk
        for text in figure.findobj(Text)
        if text.get_text().strip() and text.get_fontsize() * shrunk < SMALLEST
    }
    assert small == {}
