"""The picture of the README: `python -m novikoff.figures.readme docs/images/novikoff.png`.

Iris, two columns of two species: the separator of largest margin with its band and support rows,
beside the mistakes of the perceptron under the bound R²/γ².
"""

import sys

from matplotlib.figure import Figure

from novikoff.data.datasets import load_dataset
from novikoff.figures.convergence import draw_bound, name_curves
from novikoff.figures.save import save
from novikoff.figures.style import axes_for, new_figure, title
from novikoff.figures.trace import run_of
from novikoff.figures.verdict import plot_verdict
from novikoff.learners.theory.trace import trace
from novikoff.separability.api import separate
from novikoff.separability.verdicts import Separable


def readme_figure() -> Figure:
    """Separator and convergence side by side, all of it computed here."""
    iris = load_dataset("iris-setosa-versicolor")
    X, y = iris.X[:, :2], iris.y
    verdict = separate(X, y, names=iris.names[:2], decimals=True)
    assert isinstance(verdict, Separable)
    run = trace(X, y, max_iter=20_000, separator=verdict)
    figure = new_figure(11.0, 5.0)
    left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
    plot_verdict(verdict, ax=left)
    title(left, "separable, and proven: the widest street between them")
    axes_for(right)
    draw_bound(right, run_of(run))
    title(right, "every mistake of the perceptron, under the bound R²/γ²")
    name_curves(right)  # when all else has its size
    return figure


if __name__ == "__main__":
    save(readme_figure(), sys.argv[1], dpi=90)
