"""A run of the perceptron, told as a whole: how it ended, the proof beside it, its cycle."""

from typing import Any

import novikoff
from novikoff.lab.engine.cached_answers import run_of, separator_of
from novikoff.lab.engine.charts import charts_of
from novikoff.lab.engine.cycle import cycle_of
from novikoff.lab.messages.answers import Cycle, RunAnswer
from novikoff.lab.messages.requests import RunRequest
from novikoff.report.numbers import short

__all__ = ["run"]


def run(request: RunRequest) -> RunAnswer:
    """Run the perceptron with these options on these points."""
    made = run_of(request.points, request.options)
    separator = separator_of(request.points, request.options.fit_intercept)
    proof = None if separator is None else novikoff.inequalities(made, separator)
    cycle = cycle_of(made, request.points)
    return RunAnswer(
        n_mistakes=made.n_mistakes,
        n_epochs=made.n_epochs,
        status=made.status.name,
        sentence=str(made.status),
        summary=_summary(made, proof, cycle),
        charts=charts_of(made, proof, cycle),
        cycle=cycle,
    )


def _summary(made: Any, proof: Any, cycle: Cycle | None) -> list[str]:
    """What a reader wants to know of the run, in sentences."""
    mistakes = "1 mistake" if made.n_mistakes == 1 else f"{made.n_mistakes:,} mistakes"
    epochs = "1 epoch" if made.n_epochs == 1 else f"{made.n_epochs:,} epochs"
    first = f"{mistakes} in {epochs}."
    if proof is not None:
        counted = ", both with the bias counted as a weight" if made.problem.fit_intercept else ""
        return [
            f"{first} The theorem allows R²/γ² = {short(proof.mistake_bound)} at most "
            f"(R = {short(proof.R)}, augmented γ = {short(proof.gamma)}{counted})."
        ]
    if cycle is not None:
        return [first, *cycle.sentences]
    return [f"{first} No separator exists, so it would never stop: R²/γ² bounds nothing here."]
