"""Points to begin with: the textbook's examples, and some that have a slider or a story."""

import numpy as np
from numpy.typing import NDArray

import novikoff
from novikoff.data.synthetic import known_margin, moons
from novikoff.lab.messages.answers import PointsAnswer
from novikoff.lab.messages.requests import LabelledPoints

MADE = 40  # points of the preset with a margin
MOON_POINTS = 60


def preset(name: str, margin: float) -> PointsAnswer:
    """The points of a preset; `margin` is for the one that has a margin to choose."""
    if name == "margin":
        return _with_margin(margin)
    if name == "moons":
        X, y = moons(MOON_POINTS, noise=0.08, seed=3)
        return _answer(X.round(2), y, ("x1", "x2"))
    return _built_in(name)


def _with_margin(margin: float) -> PointsAnswer:
    made = known_margin(MADE, 2, margin=margin, seed=5)
    # The two points that face each other come last: a run that met them first would learn at once.
    answer = _answer(made.X[::-1], made.y[::-1], ("x1", "x2"))
    # These numbers are float64 numbers, and the margin is exact for them and not for decimals.
    answer.points = answer.points.model_copy(update={"decimals": False})
    answer.notes = [f"Made with a geometric margin of exactly {made.margin:.10g}."]
    return answer


def _built_in(name: str) -> PointsAnswer:
    """A data set of the package; of iris the petals, unless all four columns are asked for."""
    four = name == "iris-four-columns"
    table = novikoff.load_dataset("iris-versicolor-virginica" if four else name)
    columns = [
        j for j, column in enumerate(table.names) if four or "petal" in column or "iris" not in name
    ]
    names = tuple(table.names[j] for j in columns)
    classes = table.classes if "iris" in name else ("−1", "+1")
    return _answer(table.X[:, columns], table.signs, names, (str(classes[0]), str(classes[1])))


def _answer(
    X: NDArray[np.float64],
    y: NDArray[np.int8],
    names: tuple[str, ...],
    classes: tuple[str, str] = ("−1", "+1"),
) -> PointsAnswer:
    points = LabelledPoints(
        X=tuple(map(tuple, X.tolist())), y=tuple(y.tolist()), names=names, classes=classes
    )
    return PointsAnswer(points=points, notes=[])
