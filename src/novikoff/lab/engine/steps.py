"""Single steps of a run: the example, the old and the new plane, the update in numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import OptionError
from novikoff.lab.engine.cached_answers import direction_of, run_of
from novikoff.lab.engine.stage import Stage, stage_of
from novikoff.lab.engine.words import start_words, step_words
from novikoff.lab.messages.answers import Compass, Step, Steps
from novikoff.lab.messages.requests import StepsRequest
from novikoff.learners.scores import scores

__all__ = ["steps"]

Weights = tuple[NDArray[np.float64], float]


def steps(request: StepsRequest) -> Steps:
    """The states after `first`, `first` + 1, … mistakes."""
    made = run_of(request.points, request.options)
    if request.first > made.n_mistakes:
        raise OptionError(
            f"first must be at most {made.n_mistakes}, the mistakes of this run; "
            f"got {request.first}."
        )
    along = direction_of(request.points, request.options.fit_intercept)
    stage = stage_of(request.points, along, request.view)
    last = min(request.first + request.count - 1, made.n_mistakes)
    shown = []
    before = made.weights_after(max(request.first - 1, 0))
    for k in range(request.first, last + 1):
        after = made.weights_after(k)
        shown.append(_step(stage, made, k, before, after))
        before = after
    return Steps(steps=shown, n_mistakes=made.n_mistakes)


def _step(stage: Stage, made: Any, k: int, before: Weights, after: Weights) -> Step:
    row = None if k == 0 else int(made.rows[k - 1])
    wrong = _wrong(made, after)
    if row is None:
        title, words = start_words(made)
        push = None
    else:
        title, words = step_words(made, k, before, after)
        push = stage.direction(after[0] - before[0])
    return Step(
        k=k,
        epoch=None if row is None else int(made.epochs[k - 1]),
        row=row,
        old_line=None if row is None else stage.line(*before),
        new_line=stage.line(*after),
        normal=stage.normal(*after),
        compass=Compass(
            old=None if row is None else stage.direction(before[0]),
            new=stage.direction(after[0]),
            step=push,
        ),
        wrong=wrong,
        title=title,
        words=[*words, _remaining_sentence(len(wrong), made.problem.n)],
    )


def _wrong(made: Any, weights: Weights) -> list[int]:
    """The points that these weights get wrong, by the run's tie rule; signs are exact."""
    problem = made.problem
    signed = problem.y * scores(problem.rows, problem.n, np.append(*weights))
    ties = {"mistake": problem.y != 0, "+1": problem.y < 0, "-1": problem.y > 0}[made.tie]
    return np.flatnonzero((signed < 0) | ((signed == 0) & ties)).tolist()


def _remaining_sentence(wrong: int, n: int) -> str:
    if wrong == 0:
        return f"Now all {n} points are right."
    return f"Now {wrong} of {n} points {'is' if wrong == 1 else 'are'} wrong."
