"""The plain run beside the pocket and the average: what each makes of the same points."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import novikoff
from novikoff.lab.engine.cached_answers import arrays_of, direction_of, run_of
from novikoff.lab.engine.stage import Stage, stage_of
from novikoff.lab.engine.verdict import vector_text
from novikoff.lab.messages.answers import Comparison, Contender
from novikoff.lab.messages.requests import CompareRequest, RunOptions
from novikoff.learners.unit import scores
from novikoff.matrix.problem import Problem
from novikoff.report.tables import short

POCKET_EPOCHS = 200  # the pocket goes on for as long as it is let: enough for the eye

Weights = tuple[NDArray[np.float64], float]


def compare(request: CompareRequest) -> Comparison:
    """The last weights of the plain run, the best it ever had, and the mean of all it had."""
    points, options = request.points, request.options
    X, y = arrays_of(points)
    made = run_of(points, options)
    stage = stage_of(points, direction_of(points, options.fit_intercept), request.view)
    problem = Problem.of(X, y, fit_intercept=options.fit_intercept)
    show = _shower(stage, problem, options)
    plain = made.weights_after(made.n_mistakes)
    pocket = novikoff.PocketPerceptron(
        max_iter=min(options.max_iter, POCKET_EPOCHS), **_shared_options(options)
    ).fit(X, y)
    averaged = novikoff.AveragedPerceptron(max_iter=made.n_epochs, **_shared_options(options)).fit(
        X, y
    )
    contenders = [
        show("plain", "the last weights of the run", plain),
        show("pocket", "the weights with the fewest errors so far", _weights(pocket)),
        show(
            "averaged", "the mean of all weights, each for as long as it lived", _weights(averaged)
        ),
    ]
    return Comparison(contenders=contenders, sentence=_sentence(contenders, problem.n))


def _shared_options(options: RunOptions) -> dict[str, Any]:
    return {
        "eta0": options.eta0,
        "tie": options.tie,
        "fit_intercept": options.fit_intercept,
        "random_state": options.seed,
    }


def _weights(learned: Any) -> Weights:
    return learned.coef_[0], float(learned.intercept_[0])


def _shower(
    stage: Stage, problem: Problem, options: RunOptions
) -> Callable[[str, str, Weights], Contender]:
    """How a contender is drawn and judged: by the run's tie rule, with exact signs."""
    ties = {"mistake": problem.y != 0, "+1": problem.y < 0, "-1": problem.y > 0}[options.tie]

    def show(name: str, about: str, weights: Weights) -> Contender:
        signed = problem.y * scores(problem.rows, problem.n, np.append(*weights))
        wrong = np.flatnonzero((signed < 0) | ((signed == 0) & ties)).tolist()
        return Contender(
            name=name,
            about=about,
            line=stage.line(*weights),
            errors=len(wrong),
            wrong=wrong,
            weights=f"w = {vector_text(weights[0])}, b = {short(weights[1])}",
        )

    return show


def _sentence(contenders: list[Contender], n: int) -> str:
    errors = {contender.name: contender.errors for contender in contenders}
    return (
        f"Of {n} points the plain run ends with {errors['plain']} wrong, the pocket has "
        f"{errors['pocket']}, the average {errors['averaged']}."
    )
