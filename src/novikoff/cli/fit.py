"""`novikoff fit`: train a classifier on a file, and say how it went."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.cli.command import command
from novikoff.cli.files import refuse_overwrite
from novikoff.cli.learning import Learner, LearningOptions, learner_of
from novikoff.cli.options import ColumnOptions, FileArgument, LayoutOptions, Output, Writing
from novikoff.cli.reading import (
    ClusterOption,
    connected,
    is_elsewhere,
    read_table,
    refuse_options,
    say_notes,
    scanned,
)
from novikoff.cli.screen import Screen
from novikoff.core.options import with_count
from novikoff.errors import OptionError

if TYPE_CHECKING:
    from novikoff.data.scans.columns import Scan
    from novikoff.data.table import Table


LINEAR = ("perceptron", "pocket", "averaged")
Method = Literal["sigmoid", "isotonic"]


@command
def fit(
    file: FileArgument,
    model: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write the trained model there.")
    ] = None,
    learner: Annotated[
        Learner,
        typer.Option(
            metavar="NAME", help="perceptron, pocket, averaged, voted, kernel or network."
        ),
    ] = "perceptron",
    holdout: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Keep this share aside and test on it, e.g. 0.2."),
    ] = None,
    calibrate: Annotated[
        Method | None,
        typer.Option(
            metavar="METHOD",
            help="Learn probabilities from the rows of --holdout: sigmoid or isotonic.",
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Save a long run there every few seconds."),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", metavar="", help="Continue from --checkpoint, if that file exists."
        ),
    ] = False,
    bound: Annotated[
        bool,
        typer.Option(
            "--bound",
            metavar="",
            help="Prove how few training errors any hyperplane makes (a minute at most).",
        ),
    ] = False,
    cluster: ClusterOption = None,
    *,
    learning: LearningOptions,
    columns: ColumnOptions,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> None:
    """Train a classifier, and report mistakes an epoch, training error and held-out accuracy."""
    screen = Screen(output.json, output.quiet)
    _check_resume(checkpoint, resume)
    if bound and learner not in LINEAR:
        raise OptionError(f"--bound is about hyperplanes, but {learner} does not learn one.")
    if calibrate is not None and holdout is None:
        raise OptionError("--calibrate learns from rows that are kept aside: give --holdout, too.")
    refuse_overwrite({"--checkpoint": checkpoint, "--model": model}, [file], force=True)
    refuse_overwrite(
        {"--model": model}, [], writing.force
    )  # a checkpoint that is there is never replaced
    if cluster is not None:
        apart = {"--holdout": holdout, "--checkpoint": checkpoint}
        refuse_options("needs all rows on one machine", apart)
    with connected(cluster, screen):
        data: Any  # a table, or a scan
        far = is_elsewhere(file, cluster, columns, layout, whole=bound)
        if far:
            refuse_options("needs all rows in one memory", {"--bound": bound})
            data = scanned(file, columns, layout)
        else:
            data = read_table(file, columns, layout, screen)
        # A cluster learns the labels as they are; it has looked at no row yet.
        train, test = (data.part() if far and cluster is None else data), None
        if holdout is not None:
            from novikoff.data.write import held_out

            train, test = held_out(data, holdout, learning.random_state or 0)
        with _training(learner, screen):
            estimator = learner_of(learner, learning, data.fit_intercept)
            options = _weights(train, estimator, learner)
            if checkpoint is not None:
                if not has_checkpoints(estimator):
                    raise OptionError(
                        f"--checkpoint: a run of {learner} cannot be saved and continued."
                    )
                options["checkpoint"] = checkpoint
            start = time.perf_counter()
            estimator.fit(*([train] if far else [train.X, train.targets]), **options)
            seconds = time.perf_counter() - start
        if far:
            say_notes(data, screen)
        about = _about(data, signs=cluster is None and data.turned)
        with screen.working("counting errors"):
            report = _run(estimator) | _tested(estimator, "training", train)
            if test is not None:
                report |= _tested(estimator, "holdout", test)
            if calibrate is not None and test is not None:
                from novikoff.estimators.persistence.calibration import calibrate as calibration_of

                about["calibration"] = calibration_of(estimator, _examples(test), calibrate)
                report["probabilities"] = about["calibration"]["sentence"]
    if model is not None:
        from novikoff.estimators.persistence.store import save

        save(estimator, model, about=about)
        screen.say(f"model: {model}", command=f"(novikoff predict {model} FILE)")
    if bound:
        report["bound"] = _bound(train, estimator, report["training"]["errors"], screen)
    _show(screen, learner, report)
    screen.document(
        {
            "file": data.source,
            "learner": learner,
            "d": data.d,
            "classes": list(data.classes),
            "notes": list(data.notes),
            "seconds": seconds,
            **report,
            "model": None if model is None else str(model),
        }
    )


@contextmanager
def _training(learner: Learner, screen: Screen) -> Iterator[None]:
    """Show the epoch and its mistakes while a run goes on."""
    from novikoff.estimators.base import on_epoch

    with screen.working(f"training: {learner}") as show:

        def told(epochs: int, mistakes: int) -> None:
            show(f"training: {learner}, epoch {epochs:,}, {with_count(mistakes, 'mistake')} in it")

        with on_epoch(told):
            yield


def _check_resume(checkpoint: Path | None, resume: bool) -> None:
    if resume and checkpoint is None:
        raise OptionError("--resume continues from a file: name it with --checkpoint.")
    if checkpoint is not None and checkpoint.exists() and not resume:
        raise OptionError(
            f"{checkpoint}: this file holds a run: continue it (--resume), or remove the file."
        )


def has_checkpoints(estimator: Any) -> bool:
    """Whether `fit` of this learner takes a checkpoint."""
    from sklearn.utils.validation import has_fit_parameter

    return bool(has_fit_parameter(estimator, "checkpoint"))


def _weights(train: "Table | Scan", estimator: Any, learner: Learner) -> dict[str, Any]:
    from sklearn.utils.validation import has_fit_parameter

    from novikoff.matrix.batches import Batches

    weights = None if isinstance(train, Batches) else train.weights
    if weights is None:
        return {}
    if not has_fit_parameter(estimator, "sample_weight"):
        raise OptionError(f"--weights: {learner} does not support weights.")
    return {"sample_weight": weights}


def _about(data: "Table | Scan", *, signs: bool) -> dict[str, Any]:
    """What a model's file says of the data it was made from."""
    return {
        "source": data.source,
        "label": data.label,
        "classes": list(data.classes),
        "signs": signs,
        "columns": list(data.names),
        "recipe": data.recipe.to_dict(),
    }


def _run(estimator: Any) -> dict[str, Any]:
    """How the run went, as far as the learner tells."""
    told = vars(estimator)
    run: dict[str, Any] = {}
    if "status_" in told:
        run["status"] = told["status_"].name
        run["sentence"] = str(told["status_"])
    if "n_iter_" in told:
        run["epochs"] = int(told["n_iter_"])
    if "n_mistakes_" in told:
        run["mistakes"] = int(told["n_mistakes_"])
        run["mistakes_per_epoch"] = told["mistakes_per_epoch_"].tolist()
    return run


def _examples(rows: "Table | Scan") -> Iterable[tuple[Any, Any]]:
    """The rows with what is to be learned: those of a table at once, those of a scan in batches."""
    from novikoff.matrix.batches import Batches

    if isinstance(rows, Batches):
        return ((batch.X, batch.y) for batch in rows)
    return [(rows.X, rows.targets)]


def _tested(estimator: Any, name: str, rows: "Table | Scan") -> dict[str, Any]:
    """How many of these rows are wrong; the workers of a cluster have counted theirs."""
    from novikoff.matrix.batches import Batches

    n, errors = rows.n, None
    if name == "training" and isinstance(rows, Batches):
        errors = getattr(estimator, "n_errors_", None)
    if errors is None:
        errors = sum(int((estimator.predict(X) != y).sum()) for X, y in _examples(rows))
    if not isinstance(errors, int):
        return {}
    return {name: {"n": n, "errors": errors, "accuracy": 1 - errors / n}}


def _bound(train: "Table", estimator: Any, errors: int, screen: Screen) -> dict[str, Any]:
    """The fewest errors of any hyperplane on the training rows, and how far away this one is."""
    from novikoff.cli.fewest import MINUTE, fewest_of
    from novikoff.separability.fewest.result import number

    # Errors are counted, as the training error is: what a row weighs is not asked.
    counted = replace(train, weights=None)
    found = fewest_of(counted, estimator.fit_intercept, MINUTE, screen)
    lower, upper = (number(value) for value in found.errors)
    known = f"{lower}, proven" if found.optimal else f"between {lower} and {upper}, both proven"
    away = f"{errors - upper}" if found.optimal else f"{max(errors - upper, 0)} to {errors - lower}"
    sentence = f"the fewest of any hyperplane: {known}; this one makes {away} more"
    return {"lower": lower, "upper": upper, "sentence": sentence}


def _show(screen: Screen, learner: Learner, report: dict[str, Any]) -> None:
    from rich.table import Table as Grid

    grid = Grid(box=None, show_header=False)
    grid.add_row("learner", learner)
    if "sentence" in report:
        grid.add_row("how it ended", report["sentence"])
    if "mistakes" in report:
        grid.add_row(
            "mistakes", f"{report['mistakes']:,} in {with_count(report['epochs'], 'epoch')}"
        )
        grid.add_row("mistakes an epoch", _series(report["mistakes_per_epoch"]))
    for part, name in (("training", "training error"), ("holdout", "held out")):
        if part in report:
            tested = report[part]
            verb = "is" if tested["errors"] == 1 else "are"
            share = f"{tested['errors']} of {with_count(tested['n'])} {verb} wrong"
            grid.add_row(name, f"{share}, accuracy {tested['accuracy']:.4f}")
        if part == "training" and "bound" in report:
            grid.add_row("errors", report["bound"]["sentence"])
    if "probabilities" in report:
        grid.add_row("probabilities", report["probabilities"])
    screen.show(grid)


def _series(mistakes: list[Any], most: int = 12) -> str:
    """The mistakes of each epoch: all of a few, the first and last of many; summed over classes."""
    if mistakes and isinstance(mistakes[0], list):
        mistakes = [sum(epoch) for epoch in zip(*mistakes, strict=True)]
    shown = [str(count) for count in mistakes]
    if len(shown) > most:
        shown = [*shown[: most - 3], "…", *shown[-3:]]
    return " ".join(shown)
