"""The pictures of README, theory and guide: python docs/images/pictures.py makes them anew."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import novikoff
from novikoff import figures
from novikoff.data.synthetic import known_margin, moons
from novikoff.figures.convergence import draw_bound, name_curves
from novikoff.figures.style import axes_for, new_figure, title
from novikoff.figures.trace import run_of
from novikoff.separability.verdicts import Overlapping, Separable

HERE = Path(__file__).parent
NAMES = ("x1", "x2")
GATE = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
AND, XOR = [0, 0, 0, 1], [0, 1, 1, 0]
DOSES = np.arange(1.0, 9.0)[:, None]


def one_column(X: np.ndarray, y: list[int], name: str) -> Figure:
    """A regression on one column: where its outcome changes."""
    return figures.plot_verdict(novikoff.separate(X, y, names=(name,)))


def iris(pair: str) -> Separable | Overlapping:
    """The verdict on two kinds of iris, by their petals."""
    table = novikoff.load_dataset(f"iris-{pair}")
    return novikoff.separate(table.X[:, 2:], table.y, names=table.names[2:], decimals=True)


def fewest() -> Figure:
    """The hard pair of iris, with the fewest errors that any line makes."""
    verdict = iris("versicolor-virginica")
    found = novikoff.fewest_errors(
        verdict.problem.X, verdict.problem.y, names=verdict.problem.names
    )
    return figures.plot_fewest(found)


def update() -> Figure:
    """One mistake on six points."""
    toy = novikoff.load_dataset("toy")
    return figures.plot_update(toy.X, toy.y, 5, [2.0, 1.0], 1.0, names=NAMES)


def inequalities() -> Figure:
    """The whole proof on the run on AND."""
    verdict = novikoff.separate(GATE, AND, names=NAMES)
    return figures.plot_trace(novikoff.trace(GATE, AND, separator=verdict))


def probes() -> Figure:
    """A concept that becomes linear from layer to layer."""
    rng = np.random.default_rng(0)
    concept = rng.random(200) < 0.5
    layers = {}
    for number in range(5):
        X = rng.normal(size=(200, 15))
        X[:, :3] += 0.6 * number * np.where(concept, 1, -1)[:, None]
        layers[f"{number}"] = X
    found = novikoff.probe(layers, {"concept": concept}, random_state=0, progress=False)
    return figures.plot_probes(found)


def stream() -> Figure:
    """The mistakes of a run that nothing bounds."""
    table = novikoff.load_dataset("iris-versicolor-virginica")
    return figures.plot_mistakes(novikoff.trace(table.X, table.y, max_iter=20))


def many() -> Figure:
    """20,000 rows: an even choice is drawn."""
    made = known_margin(20_000, 2, margin=0.3, seed=1)
    return figures.plot_verdict(novikoff.separate(made.X, made.y, names=NAMES))


def regions() -> Figure:
    """What a kernel perceptron says of the plane."""
    X, y = moons(80, noise=0.08, seed=3)
    return figures.plot_regions(novikoff.KernelPerceptron().fit(X, y), X, y, names=NAMES)


def network() -> Figure:
    """The network of XOR."""
    unit = novikoff.ReluNetwork.xor()
    return figures.plot_network(unit.W_, unit.b_, unit.v_, unit.c_, names=NAMES)


def readme() -> Figure:
    """Iris: the separator with its band, beside the mistakes under the bound R²/γ²."""
    table = novikoff.load_dataset("iris-setosa-versicolor")
    X, y = table.X[:, :2], table.y
    verdict = novikoff.separate(X, y, names=table.names[:2], decimals=True)
    figure = new_figure(11.0, 5.0)
    left, right = figure.subplots(1, 2, width_ratios=[1.1, 1])
    figures.plot_verdict(verdict, ax=left)
    title(left, "separable, and proven: the widest street between them")
    axes_for(right)
    draw_bound(right, run_of(novikoff.trace(X, y, max_iter=20_000, separator=verdict)))
    title(right, "every mistake of the perceptron, under the bound R²/γ²")
    name_curves(right)  # when all else has its size
    return figure


PICTURES: dict[str, Callable[[], Figure]] = {
    "novikoff": readme,
    "theory-update": update,
    "theory-inequalities": inequalities,
    "theory-xor": lambda: figures.plot_verdict(novikoff.separate(GATE, XOR, names=NAMES)),
    "separability": lambda: figures.plot_verdict(iris("setosa-versicolor")),
    "certificates": lambda: figures.plot_verdict_hulls(iris("versicolor-virginica")),
    "formal": figures.plot_xor,
    "explain": lambda: one_column(DOSES, [0, 0, 0, 0, 1, 1, 1, 1], "dose"),
    "regressions": lambda: one_column(np.append(DOSES, [[4.0]], 0), [0] * 4 + [1] * 5, "dose"),
    "perceptron": figures.plot_perceptron,
    "fewest": fewest,
    "probes": probes,
    "beyond": figures.plot_lift,
    "streams": stream,
    "cluster": many,
    "regions": regions,
    "figures": figures.plot_comparison,
    "network": network,
}


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        figures.save(draw(), HERE / f"{name}.png", dpi=80)
