"""`novikoff show`: what a file that novikoff wrote holds, in words."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from novikoff.cli.command import command
from novikoff.cli.options import Output
from novikoff.cli.screen import Screen
from novikoff.errors import FileError

MOST = 40  # coefficients and columns that are listed


@command
def show(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A model, certificate, trace, checkpoint or journal, or the folder of a stream.",
        ),
    ],
    *,
    output: Output,
) -> None:
    """Print what a file holds that novikoff wrote: what it is, what it is about, and its contents.

    Of a model: the learner, how it ended, the coefficients, and what predict will do to the columns
    of a file (missing marks, dates, categories, what fills a missing cell, scaling).
    """
    screen = Screen(output.json, output.quiet)
    if not file.exists():
        raise FileError(f"{file}: no such file.")
    told = _folder(file) if file.is_dir() else _told(file)
    for name, value in told.items():
        _show(screen, name, value)
    screen.document({"file": str(file), **told})


def _show(screen: Screen, name: str, value: Any) -> None:
    if isinstance(value, Mapping):
        screen.show(f"{name}:")
        for key, part in list(value.items())[:MOST]:
            screen.show(f"  {key}: {_text(part)}")
        if len(value) > MOST:
            screen.show(f"  … ({len(value):,} in all; --json has them)")
    elif value is not None and value != []:
        screen.show(f"{name}: {_text(value)}")


def _text(value: Any) -> str:
    if isinstance(value, list):
        shown = ", ".join(map(str, value[:MOST]))
        return shown if len(value) <= MOST else f"{shown}, … ({len(value):,} in all)"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _told(file: Path) -> dict[str, Any]:
    """What a file holds; by its first bytes, each kind has its reader."""
    with file.open("rb") as opened:
        head = opened.read(16)
    kinds: dict[bytes, Callable[[Path], dict[str, Any]]] = {
        b"PK": _model,
        b"{": _certificate,
        b"PAR1": _trace,
        b"novikoff-run\n": _run,
        b"novikoff-stream\n": _stream,
        b"novikoff-journal": _journal,
    }
    for begin, read in kinds.items():
        if head.startswith(begin):
            return read(file)
    raise FileError(
        f"{file}: not a model, certificate, trace, checkpoint or journal of novikoff's."
    )


def _model(file: Path) -> dict[str, Any]:
    from novikoff.data.features import FeatureRecipe
    from novikoff.estimators.persistence.store import load_model

    model = load_model(file)
    estimator, about = model.estimator, model.about
    told: dict[str, Any] = {
        "kind": "model",
        "learner": type(estimator).__name__,
        "options": {k: repr(v) for k, v in estimator.get_params(deep=False).items()},
        "classes": estimator.classes_.tolist(),
        "how it ended": str(getattr(estimator, "status_", "")) or None,
        "learned from": about.get("source"),
        "label": about.get("label"),
    }
    names = about.get("columns") or [f"x{j}" for j in range(estimator.n_features_in_)]
    told["coefficients"] = _coefficients(estimator, names)
    if "recipe" in about:
        told |= _reading(FeatureRecipe.from_dict(about["recipe"]))
    if "calibration" in about:
        told["probabilities"] = about["calibration"]["sentence"]
    return told


def _coefficients(estimator: Any, names: list[str]) -> dict[str, Any] | None:
    """The weights of a linear model by their columns; of several planes a list for each."""
    weights = getattr(estimator, "coef_", None)
    if weights is None or weights.shape[-1] != len(names):
        return None
    columns = [*weights.T, estimator.intercept_]
    plain = [values.tolist() if len(values) > 1 else float(values[0]) for values in columns]
    return dict(zip([*names, "intercept"], plain, strict=True))


def _reading(recipe: Any) -> dict[str, Any]:
    """What predict does to the columns of a file."""
    texts = recipe.layout.texts
    scaled = recipe.mean is not None
    return {
        "columns": list(recipe.needed),
        "text is read with": {name: repr(value) for name, value in texts.items()} or None,
        "dates": {name: list(parts) for name, parts in recipe.dates.items()} or None,
        "categories": {name: list(levels) for name, levels in recipe.levels.items()} or None,
        "formula": recipe.formula,
        "missing cells become": dict(recipe.fills) or "an error",
        "columns that mark missing values": list(recipe.indicators),
        "standardised": "by the means and deviations of the training rows" if scaled else None,
        "lifted to degree": recipe.degree if recipe.degree > 1 else None,
    }


def _certificate(file: Path) -> dict[str, Any]:
    from novikoff.certificates.certificate import Certificate, lines_about

    claim = Certificate.load(file)
    return {
        "kind": "certificate",
        "claim": str(claim),
        "about": dict(line.partition(": ")[::2] for line in lines_about(claim)),
        "checked by": f"novikoff verify {file} FILE",
    }


def _trace(file: Path) -> dict[str, Any]:
    import pyarrow.parquet as pq

    from novikoff.data.source import as_file_error

    with as_file_error(str(file)):
        found = pq.read_metadata(file)
        about = (found.metadata or {}).get(b"novikoff-trace")
    if about is None:
        raise FileError(f"{file}: a Parquet file, and not a trace of novikoff's.")
    return {
        "kind": "trace",
        "mistakes": found.num_rows,
        "run": json.loads(about),
        "columns": found.schema.names,
    }


def _run(file: Path) -> dict[str, Any]:
    from novikoff.estimators.checkpoint import read_run

    about, parts = read_run(file)
    return {
        "kind": "checkpoint of a fit",
        "learner": about["learner"],
        "options": about["options"],
        "runs": {name: f"{len(m):,} epochs, {sum(m):,} mistakes" for name, m in parts.items()},
        "continue with": f"novikoff fit FILE --checkpoint {file} --resume, on the same data",
    }


def _stream(file: Path) -> dict[str, Any]:
    from novikoff.stream.durable import read_checkpoint

    found = read_checkpoint(file)
    learner = found.learner
    names = list(map(str, learner.names or [f"x{j}" for j in range(learner.n_features)]))
    return {
        "kind": "checkpoint of a stream",
        "learner": type(learner).__name__,
        "account": str(learner.account),
        "coefficients": dict(
            zip([*names, "intercept"], [*learner.coef_.tolist(), learner.intercept_], strict=False)
        ),
        "about": dict(found.about),
    }


def _journal(file: Path) -> dict[str, Any]:
    from novikoff.stream.journal import read_journal

    generation, records = read_journal(file)
    last = records[-1] if records else None
    return {
        "kind": "journal of a stream",
        "belongs to checkpoint": generation,
        "records": len(records),
        "mistakes": sum(record.sign != 0 for record in records),
        "examples": last and last.examples,
        "stands at": last and f"byte {last.place.position:,}, line {last.place.lines:,}",
    }


def _folder(folder: Path) -> dict[str, Any]:
    """The folder of a stream: its checkpoint, and what its journal adds."""
    checkpoint = folder / "checkpoint"
    if not checkpoint.exists():
        raise FileError(f"{folder}: no stream is kept in this folder.")
    told = _stream(checkpoint)
    for path in sorted(folder.glob("journal*")):
        told[path.name] = {k: v for k, v in _journal(path).items() if v is not None}
    return told | {"kind": "folder of a stream"}
