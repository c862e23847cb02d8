"""Decision regions in the plane: what a classifier says of every place, as rings to be filled.

A small ReLU network on the points: its weights, and what each unit says of each point.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from contourpy import FillType, LineType, contour_generator
from numpy.typing import NDArray

import novikoff
from novikoff.errors import DataError, ShapeError
from novikoff.figures.view import View
from novikoff.lab.engine.cached_answers import arrays_of
from novikoff.lab.engine.stage import Place, stage_of
from novikoff.lab.messages.answers import Activation, LiftAnswer, LiftTried, NetworkAnswer, Regions
from novikoff.lab.messages.requests import (
    LabelledPoints,
    LiftRequest,
    NetworkRequest,
    RegionsRequest,
    ViewBox,
)
from novikoff.report.tables import short

STEPS = (120, 90)  # places across and up at which a score is computed
EPOCHS = 1000

Scores = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def kernel_regions(request: RegionsRequest) -> Regions:
    """The kernel perceptron on these points, as regions."""
    two_columns(request.points, "Regions are drawn")
    X, y = arrays_of(request.points)
    learned = novikoff.KernelPerceptron(
        kernel=request.kernel, gamma=request.gamma, degree=request.degree, max_iter=EPOCHS
    ).fit(X, y)
    errors = int(np.count_nonzero(learned.predict(X) != y))
    drawn = regions_of(request.points, request.view, learned.decision_function)
    kernel = "RBF" if request.kernel == "rbf" else f"polynomial of degree {request.degree}"
    drawn.support = sorted(int(i) for i in learned.support_)
    drawn.errors = errors
    drawn.sentence = (
        f"The kernel perceptron with the {kernel} kernel keeps {len(drawn.support)} of {len(y)} "
        f"points and gets {errors} wrong. {learned.status_}"
    )
    return drawn


def lift(request: LiftRequest) -> LiftAnswer:
    """Quadratic, cubic, … features until a hyperplane separates, each verdict proven."""
    points = request.points
    X, y = arrays_of(points)
    search = novikoff.lift_until_separable(
        X, y, max_degree=request.max_degree, rbf=(16, 64), decimals=points.decimals
    )
    tried = [LiftTried(name=s.name, columns=s.q, word=s.verdict.word) for s in search.steps]
    found = search.smallest
    if found is None:
        return LiftAnswer(
            tried=tried, sentence="No lift that was tried makes them separable.", regions=None
        )
    sentence = f"Separable after the lift “{found.name}” to {found.q} columns, proven."
    if len(points.names) != 2:
        return LiftAnswer(tried=tried, sentence=sentence, regions=None)

    verdict = found.verdict
    assert isinstance(verdict, novikoff.Separable)

    def score(grid: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(found.transform(grid) @ verdict.weights + verdict.intercept)

    try:
        drawn = regions_of(points, request.view, score)
    except DataError:  # the picture is beyond what the lift can hold
        return LiftAnswer(tried=tried, sentence=sentence, regions=None)
    drawn.sentence = sentence
    return LiftAnswer(tried=tried, sentence=sentence, regions=drawn)


def two_columns(points: LabelledPoints, what: str) -> None:
    """Refuse points that do not lie in a plane of their own."""
    if len(points.names) != 2:
        raise ShapeError(
            f"{what} for two columns, and these points have {len(points.names)}: choose two."
        )


def regions_of(points: LabelledPoints, box: ViewBox | None, score: Scores) -> Regions:
    """Where the score is at least 0, where it is below, and the border between."""
    view = stage_of(points, None, box).view
    across, up = _grid(view)
    x, y = np.meshgrid(across, up)
    z = np.asarray(score(np.column_stack([x.ravel(), y.ravel()])), dtype=np.float64)
    z = np.nan_to_num(z).reshape(x.shape)
    most = float(np.abs(z).max()) * 2 or 1.0
    contours = contour_generator(
        x, y, z, fill_type=FillType.OuterOffset, line_type=LineType.Separate
    )
    return Regions(
        plus=_rings(contours.filled(0.0, most)),
        minus=_rings(contours.filled(-most, 0.0)),
        border=[_places(line) for line in contours.lines(0.0)],
        support=[],
        errors=0,
        sentence="",
    )


def _grid(view: View) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    low, high = view.centre - view.half, view.centre + view.half
    return np.linspace(low[0], high[0], STEPS[0]), np.linspace(low[1], high[1], STEPS[1])


def _rings(filled: Any) -> list[list[Place]]:
    """Outer rings and holes alike: the page fills by the even-odd rule."""
    rings = []
    for corners, offsets in zip(*filled, strict=True):
        for start, end in pairwise(offsets.tolist()):
            rings.append(_places(corners[start:end]))
    return rings


def _places(corners: Any) -> list[Place]:
    return [(float(f"{x:.5g}"), float(f"{y:.5g}")) for x, y in corners.tolist()]


RESTARTS = 20
MOST_ROWS = 200  # of the table
XOR = {(0.0, 0.0): -1, (0.0, 1.0): 1, (1.0, 0.0): 1, (1.0, 1.0): -1}


def network(request: NetworkRequest) -> NetworkAnswer:
    """The textbook's network on XOR, a trained one on other points."""
    points = request.points
    X, y = arrays_of(points)
    classic = request.hidden == 2 and dict(zip(points.X, points.y, strict=True)) == XOR
    if classic:
        learned, made = novikoff.ReluNetwork.xor(), "The textbook's network for XOR"
    else:
        learned = novikoff.ReluNetwork(
            hidden=request.hidden, restarts=RESTARTS, max_iter=400, random_state=request.seed
        ).fit(X, y)
        starts = "1 start" if learned.n_starts_ == 1 else f"{learned.n_starts_} starts"
        made = f"Trained by scikit-learn from {starts}"
    predicted = learned.predict(X)
    errors = int(np.count_nonzero(predicted != y))
    drawn = None
    if len(points.names) == 2:
        drawn = regions_of(points, request.view, learned.decision_function)
        drawn.errors = errors
    return NetworkAnswer(
        hidden_weights=[[short(w) for w in unit] for unit in learned.W_.tolist()],
        hidden_signs=np.sign(learned.W_).astype(int).tolist(),
        hidden_biases=[short(b) for b in learned.b_.tolist()],
        output_weights=[short(v) for v in learned.v_.tolist()],
        output_signs=np.sign(learned.v_).astype(int).tolist(),
        output_bias=short(float(learned.c_)),
        table=_table(learned, X, y, predicted),
        sentence=f"{made}: {errors} of {len(y)} points wrong.",
        regions=drawn,
    )


def _table(learned: Any, X: Any, y: Any, predicted: Any) -> list[Activation]:
    activations, scored = learned.activations(X), learned.decision_function(X)
    return [
        Activation(
            row=i,
            inputs=[short(x) for x in X[i].tolist()],
            activations=[short(a) for a in activations[i].tolist()],
            active=(activations[i] > 0).tolist(),
            score=short(float(scored[i])),
            predicted=int(predicted[i]),  # type: ignore[arg-type]
            label=int(y[i]),  # type: ignore[arg-type]
        )
        for i in range(min(len(y), MOST_ROWS))
    ]
