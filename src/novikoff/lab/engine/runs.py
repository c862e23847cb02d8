"""A run of the perceptron, told as a whole: how it ended, the proof beside it, its cycle.

Single steps of a run: the example, the old and the new plane, the update in numbers.

The plain run beside the pocket and the average: what each makes of the same points.

A cycle of a run is the perceptron's own proof that no separator exists.

If the mistakes between the starts of two epochs add up to nothing, Σ cᵢyᵢx̂ᵢ = 0 with cᵢ ≥ 0 not
all 0, then the counts cᵢ are a certificate. The sums are done in integers, on the decimals
themselves where the points stand for decimals, and the certificate is verified before anybody sees
it.
"""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import novikoff
from novikoff.certificates.verify import verify_problem
from novikoff.core.options import Tie, with_count
from novikoff.errors import OptionError
from novikoff.exact.reading import decimal_fraction, is_decimal_column
from novikoff.lab.engine.cached_answers import arrays_of, direction_of, run_of, separator_of
from novikoff.lab.engine.charts import charts_of
from novikoff.lab.engine.stage import Stage, stage_of
from novikoff.lab.engine.verdict import start_words, step_words, vector_text
from novikoff.lab.messages.answers import (
    Comparison,
    Compass,
    Contender,
    Cycle,
    RunAnswer,
    Step,
    Steps,
)
from novikoff.lab.messages.requests import (
    CompareRequest,
    LabelledPoints,
    RunOptions,
    RunRequest,
    StepsRequest,
)
from novikoff.learners.unit import scores
from novikoff.matrix.problem import Problem
from novikoff.report.tables import short

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
    wrong = _wrong(made.problem, made.tie, after)
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


def _wrong(problem: Problem, tie: Tie, weights: Weights) -> list[int]:
    """The points that these weights get wrong, by the run's tie rule; signs are exact."""
    signed = problem.y * scores(problem.rows, problem.n, np.append(*weights))
    ties = {"mistake": problem.y != 0, "+1": problem.y < 0, "-1": problem.y > 0}[tie]
    return np.flatnonzero((signed < 0) | ((signed == 0) & ties)).tolist()


def _remaining_sentence(wrong: int, n: int) -> str:
    if wrong == 0:
        return f"Now all {n} points are right."
    return f"Now {wrong} of {n} points {'is' if wrong == 1 else 'are'} wrong."


LARGEST_SUM = 2**62


def cycle_of(made: Any, points: LabelledPoints) -> Cycle | None:
    """The first time that the weights at the start of an epoch come back, or None."""
    if made.status.name == "CONVERGED" or made.order in ("shuffled", "random"):
        return None
    rows = _integer_rows(points, made.problem.fit_intercept)
    if rows is None or int(np.abs(rows).max()) * made.n_mistakes > LARGEST_SUM:
        return None
    ends = np.cumsum(made.mistakes_per_epoch)
    sums = np.cumsum(rows[made.rows], axis=0)
    seen: dict[bytes, int] = {np.zeros(rows.shape[1], np.int64).tobytes(): 0}
    for epoch, end in enumerate(ends.tolist(), 1):
        key = sums[end - 1].tobytes()
        if key in seen:
            start = seen[key]
            first = 0 if start == 0 else int(ends[start - 1])
            return _describe(made, points, (first, end), epoch - start)
        seen[key] = epoch
    return None


def _integer_rows(points: LabelledPoints, fit_intercept: bool) -> NDArray[np.int64] | None:
    """yᵢx̂ᵢ with each column scaled to integers (which changes no sum that is zero), if it fits."""
    X, y = arrays_of(points)
    columns = []
    for column in X.T:
        as_decimal = points.decimals and is_decimal_column(column)
        exact = [decimal_fraction(x) if as_decimal else Fraction(x) for x in column.tolist()]
        scale = int(np.lcm.reduce(np.array([value.denominator for value in exact], dtype=object)))
        whole = [int(value * scale) for value in exact]
        if max(map(abs, whole)) > LARGEST_SUM // 10**6:
            return None
        columns.append(whole)
    if fit_intercept:
        columns.append([1] * len(y))
    return np.array(columns, dtype=np.int64).T * y[:, None].astype(np.int64)


def _describe(
    made: Any, points: LabelledPoints, between: tuple[int, int], epochs: int
) -> Cycle | None:
    """The cycle from its first to its last mistake, with its certificate, which must be valid."""
    first, last = between
    rows, counts = np.unique(made.rows[first:last], return_counts=True)
    problem = replace(made.problem, names=tuple(points.names), classes=points.classes)
    certificate = novikoff.Certificate.not_separable(
        problem, rows.tolist(), counts.tolist(), decimals=points.decimals
    )
    if not verify_problem(certificate, problem).valid:
        return None
    turn = "one epoch" if epochs == 1 else f"{epochs:,} epochs"
    named = ", ".join(f"{c} × row {i}" for i, c in zip(rows[:12], counts[:12], strict=True))
    more = f" and {len(rows) - 12} more rows" if len(rows) > 12 else ""
    return Cycle(
        first=first,
        last=last,
        epochs=epochs,
        rows=rows.tolist(),
        counts=counts.tolist(),
        sentences=[
            f"It cycles: after mistake {last} the weights are those after mistake {first} again, "
            f"{turn} later, and everything repeats for ever.",
            f"One turn adds up to nothing, `Σ c_i y_i x̂_i = 0`, with c = {named}{more}. These "
            "counts are a certificate: no separator exists. The perceptron has proven its own "
            "failure.",
        ],
        certificate=certificate.to_dict(),
    )


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
        sentence=_ending(made),
        summary=_summary(made, proof, cycle),
        charts=charts_of(made, proof, cycle),
        cycle=cycle,
    )


def _ending(made: Any) -> str:
    """How the run ended."""
    if made.status.name != "REACHED_MAX_ITER":
        return str(made.status)
    epochs = with_count(made.n_epochs, "epoch")
    return f"It stopped after {epochs}; the last one still had mistakes."


def _summary(made: Any, proof: Any, cycle: Cycle | None) -> list[str]:
    """What a reader wants to know of the run, in sentences."""
    mistakes = "1 mistake" if made.n_mistakes == 1 else f"{made.n_mistakes:,} mistakes"
    epochs = "1 epoch" if made.n_epochs == 1 else f"{made.n_epochs:,} epochs"
    first = f"{mistakes} in {epochs}."
    if proof is not None:
        counted = ", both with the bias counted as a weight" if made.problem.fit_intercept else ""
        return [
            f"{first} The theorem allows `R²/γ² = {short(proof.mistake_bound)}` at most "
            f"(`R = {short(proof.R)}`, augmented `γ = {short(proof.gamma)}`{counted})."
        ]
    if cycle is not None:
        return [first, *cycle.sentences]
    return [f"{first} No separator exists, so it would never stop: `R²/γ²` bounds nothing here."]


POCKET_EPOCHS = 200  # the pocket goes on for as long as it is let: enough for the eye


def compare(request: CompareRequest) -> Comparison:
    """The last weights of the plain run, the best it ever had, and the mean of all it had."""
    points, options = request.points, request.options
    X, y = arrays_of(points)
    made = run_of(points, options)
    stage = stage_of(points, direction_of(points, options.fit_intercept), request.view)
    problem = Problem.of(X, y, fit_intercept=options.fit_intercept)
    show = partial(_contender, stage, problem, options.tie)
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


def _contender(
    stage: Stage, problem: Problem, tie: Tie, name: str, about: str, weights: Weights
) -> Contender:
    """How a contender is drawn and judged: by the run's tie rule."""
    wrong = _wrong(problem, tie, weights)
    return Contender(
        name=name,
        about=about,
        line=stage.line(*weights),
        errors=len(wrong),
        wrong=wrong,
        weights=f"w = {vector_text(weights[0])}, b = {short(weights[1])}",
    )


def _sentence(contenders: list[Contender], n: int) -> str:
    errors = {contender.name: contender.errors for contender in contenders}
    return (
        f"Of {n} points the plain run ends with {errors['plain']} wrong, the pocket has "
        f"{errors['pocket']}, the average {errors['averaged']}."
    )
