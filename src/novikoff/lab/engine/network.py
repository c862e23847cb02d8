"""A small ReLU network on the points: its weights, and what each unit says of each point."""

from typing import Any

import numpy as np

import novikoff
from novikoff.lab.engine.cached_answers import arrays_of
from novikoff.lab.engine.regions import regions_of
from novikoff.lab.messages.answers import Activation, NetworkAnswer
from novikoff.lab.messages.requests import NetworkRequest
from novikoff.report.tables import short

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
