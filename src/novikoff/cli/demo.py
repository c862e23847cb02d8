"""`novikoff demo`: the tour on built-in data, in a few seconds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.command import command
from novikoff.cli.decision import decide
from novikoff.cli.files import refuse_overwrite
from novikoff.cli.learning import run_trace
from novikoff.cli.options import ColumnOptions, LayoutOptions, Output, PerceptronOptions, Writing
from novikoff.cli.reading import read_table
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.data.table import Table

IRIS = "dataset:iris-setosa-versicolor"
FILES = (
    "1-separator.png",
    "1-convergence.png",
    "2-xor-certificate.json",
    "2-xor.png",
    "2-hulls.png",
    "4-lift.png",
)
PETALS = ColumnOptions(features="petal length,petal width")


@command
def demo(
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the figures and the proof go.")
    ] = Path("novikoff-demo"),
    *,
    output: Output,
    writing: Writing,
) -> None:
    """Take the tour: a separable set beside its bound, then XOR, its proof, its cycle, its lift."""
    screen = Screen(output.json, output.quiet)
    make_folder(out)
    refuse_overwrite({name: out / name for name in FILES}, [], writing.force)
    document: dict[str, Any] = {
        "iris": _separable(screen, out),
        "xor": _impossible(screen, out),
        "cycle": _cycle(screen),
        "lift": _lift(screen, out),
    }
    files = sorted(str(path) for path in out.iterdir())
    screen.show(
        "", f"Figures and proofs are in {out}/: {', '.join(p.name for p in sorted(out.iterdir()))}"
    )
    screen.show("Now your own: novikoff check FILE --label COLUMN")
    screen.document({**document, "folder": str(out), "files": files})


def make_folder(path: Path) -> None:
    """Make a folder, if it is not there; an error names it."""
    from novikoff.errors import FileError

    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{path}: the folder cannot be made: {error.strerror}.") from error


def _title(screen: Screen, text: str) -> None:
    from rich.rule import Rule

    screen.show("", Rule(text, align="left", style="bold"))


def _table(name: str, screen: Screen, columns: ColumnOptions | None = None) -> "Table":
    return read_table(name, columns or ColumnOptions(), LayoutOptions(), screen)


def _separable(screen: Screen, out: Path) -> dict[str, Any]:
    from novikoff.figures.save import save
    from novikoff.figures.trace import plot_trace
    from novikoff.figures.verdict import plot_verdict
    from novikoff.learners.theory.inequalities import inequalities

    _title(screen, "1. Two kinds of iris, by their petals: can a line separate them?")
    table = _table(IRIS, screen, PETALS)
    verdict = decide(table, True, False, screen)
    screen.show(verdict)
    made = run_trace(table, PerceptronOptions(), screen)
    proof = inequalities(made)
    screen.show(
        f"The perceptron finds a line with {made.n_mistakes} mistakes in {made.n_epochs} epochs. "
        f"Novikoff's theorem allowed it R²/γ² = {proof.mistake_bound:.1f}, "
        f"for the augmented margin γ = {proof.gamma:.3g}."
    )
    save(plot_verdict(verdict), out / "1-separator.png")
    save(plot_trace(made), out / "1-convergence.png")
    return {
        "verdict": verdict.to_dict(),
        "mistakes": made.n_mistakes,
        "bound": proof.mistake_bound,
    }


def _impossible(screen: Screen, out: Path) -> dict[str, Any]:
    from novikoff.certificates.verify import verify
    from novikoff.figures.save import save
    from novikoff.figures.textbook import plot_xor
    from novikoff.figures.verdict import plot_verdict_hulls
    from novikoff.regression.why_not import why_not_of

    _title(screen, "2. XOR: no line exists, and here is the proof")
    table = _table("dataset:xor", screen)
    verdict = decide(table, True, False, screen)
    screen.show(verdict, *why_not_of(verdict).sentences)
    certificate = verdict.certificate()
    certificate.save(out / "2-xor-certificate.json")
    verification = verify(certificate, table.X, table.y)
    screen.show(f"The certificate, checked by itself: {verification.answer}")
    save(plot_xor(), out / "2-xor.png")
    save(plot_verdict_hulls(verdict), out / "2-hulls.png")
    return {"verdict": verdict.to_dict(), "valid": verification.valid}


def _cycle(screen: Screen) -> dict[str, Any]:
    from novikoff.certificates.verify import verify
    from novikoff.estimators.perceptron import Perceptron

    _title(screen, "3. The perceptron on XOR proves its own failure")
    table = _table("dataset:xor", screen)
    learner = Perceptron().fit(table.X, table.y)
    certificate: Any = learner.certificate_
    screen.show(str(learner.status_))
    counts = ", ".join(
        f"row {i}: {a}" for i, a in zip(certificate.rows, certificate.alpha, strict=True)
    )
    screen.show(f"Its mistakes in one turn of the cycle cancel, Σ cᵢyᵢx̂ᵢ = 0, with c = {counts}.")
    verification = verify(certificate, table.X, table.y)
    screen.show(f"That is a certificate too: {verification.answer}")
    return {"status": learner.status_.name, "valid": verification.valid}


def _lift(screen: Screen, out: Path) -> dict[str, Any]:
    from novikoff.estimators.lifts import lift_until_separable
    from novikoff.figures.save import save
    from novikoff.figures.textbook import plot_lift

    _title(screen, "4. The lift: with the product x1·x2 as one more column, a plane does it")
    table = _table("dataset:xor", screen)
    search = lift_until_separable(table.X, table.y, names=table.names)
    screen.show(str(search))
    found = search.smallest
    assert found is not None
    screen.show(found.verdict)
    save(plot_lift(), out / "4-lift.png")
    return {
        "steps": [
            {"lift": s.name, "columns": s.q, "verdict": s.verdict.word} for s in search.steps
        ],
        "verdict": found.verdict.to_dict(),
    }
