"""Learners by the names of the command line, and the options each of them has.

A run of the perceptron on a table, beside a separator: what `trace`, `plot` and `demo` share.
"""

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.cli.decision import decide
from novikoff.cli.options import PerceptronOptions
from novikoff.cli.screen import Screen
from novikoff.core.options import Arithmetic, Order, Tie
from novikoff.errors import OptionError

if TYPE_CHECKING:
    from novikoff.data.table import Table
    from novikoff.learners.theory.trace import Trace


def run_trace(
    table: "Table", run: PerceptronOptions, screen: Screen, *, reference: bool = True
) -> "Trace":
    """The run that the options describe, in the file's own words, and a separator beside it."""
    from novikoff.learners.theory.trace import trace
    from novikoff.separability.verdicts import Separable

    fit_intercept = run.intercept and table.fit_intercept
    separator: Separable | None = None
    if reference:
        verdict = decide(table, fit_intercept, False, screen)
        separator = verdict if isinstance(verdict, Separable) else None
    with screen.working("running the perceptron"):
        made = trace(
            table.X,
            table.signs,
            eta0=run.eta0,
            max_iter=run.max_iter,
            order=run.order,
            tie=run.tie,
            fit_intercept=fit_intercept,
            random_state=run.seed,
            separator=separator,
        )
    problem = replace(table.as_in_file(made.problem), names=table.names)
    return replace(made, problem=problem)


Learner = Literal["perceptron", "pocket", "averaged", "voted", "kernel", "network"]


def _option(text: str, metavar: str) -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel="Learning")


@dataclass(frozen=True)
class LearningOptions:
    """The learners' own options; None leaves one as the learner has it."""

    eta0: Annotated[float | None, _option("η, the length of a step.", "NUMBER")] = None
    max_iter: Annotated[int | None, _option("How many epochs to run at most.", "N")] = None
    order: Annotated[
        Order | None, _option("cyclic, shuffled or random; for a perceptron also worst.", "ORDER")
    ] = None
    tie: Annotated[Tie | None, _option("What a score of 0 means: mistake, +1 or -1.", "RULE")] = (
        None
    )
    fit_intercept: Annotated[
        bool | None,
        typer.Option(
            "--intercept/--no-intercept",
            metavar="",
            help="Whether to learn a bias b beside the weights.",
            rich_help_panel="Learning",
        ),
    ] = None
    arithmetic: Annotated[
        Arithmetic | None, _option("Keep the weights in float64, or exact, as fractions.", "KIND")
    ] = None
    class_weight: Annotated[
        str | None, _option("balanced: steps in inverse proportion to class sizes.", "RULE")
    ] = None
    ratchet: Annotated[
        bool | None,
        typer.Option(
            "--ratchet/--no-ratchet",
            metavar="",
            help="pocket: keep weights only if their training error is lower.",
            rich_help_panel="Learning",
        ),
    ] = None
    kernel: Annotated[str | None, _option("kernel: linear, poly, rbf or sigmoid.", "NAME")] = None
    gamma: Annotated[float | None, _option("kernel: the γ of poly, rbf and sigmoid.", "NUMBER")] = (
        None
    )
    degree: Annotated[
        int | None,
        typer.Option(
            "--kernel-degree",
            metavar="K",
            help="kernel: the degree of poly.",
            rich_help_panel="Learning",
        ),
    ] = None
    coef0: Annotated[
        float | None, _option("kernel: the constant of poly and sigmoid.", "NUMBER")
    ] = None
    budget: Annotated[int | None, _option("kernel: keep at most so many support rows.", "B")] = None
    removal: Annotated[
        str | None, _option("kernel: which row a full budget drops: forgetron or random.", "RULE")
    ] = None
    multi_class: Annotated[
        str | None, _option("averaged: ovr, one against the rest, or joint.", "RULE")
    ] = None
    strategy: Annotated[
        str | None, _option("On a cluster: exact (as on one machine) or mixing.", "RULE")
    ] = None
    max_mistakes: Annotated[int | None, _option("voted: keep at most so many mistakes.", "N")] = (
        None
    )
    hidden: Annotated[int | None, _option("network: how many hidden units it has.", "N")] = None
    restarts: Annotated[
        int | None, _option("network: how many random starts to try at most.", "N")
    ] = None
    random_state: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            help="Seed of all random choices: the same seed gives the same model.",
            rich_help_panel="Learning",
        ),
    ] = None


def learner_of(learner: Learner, learning: LearningOptions, fit_intercept: bool) -> Any:
    """The estimator that the options describe; one that it does not have is an error."""
    from novikoff.estimators.registry import class_of_learner

    kind = class_of_learner(learner)
    known = kind._get_param_names()
    options: dict[str, Any] = {}
    for field in fields(learning):
        value = getattr(learning, field.name)
        if value is None:
            continue
        if field.name not in known:
            option = {"degree": "kernel-degree", "random_state": "seed"}.get(field.name, field.name)
            raise OptionError(f"{learner} has no option --{option.replace('_', '-')}.")
        options[field.name] = value
    if not fit_intercept and "fit_intercept" in known:
        options.setdefault("fit_intercept", False)
    return kind(**options)
