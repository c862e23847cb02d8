"""`novikoff trace`: the run of the perceptron, mistake by mistake."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.command import command
from novikoff.cli.files import refuse_overwrite
from novikoff.cli.learning import run_trace
from novikoff.cli.options import (
    ColumnOptions,
    FileArgument,
    LayoutOptions,
    Output,
    PerceptronOptions,
    Writing,
)
from novikoff.cli.reading import read_table
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.learners.theory.trace import Trace


@command
def trace(
    file: FileArgument,
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write the run there, as Parquet.")
    ] = None,
    reference: Annotated[
        bool,
        typer.Option(
            "--reference/--no-reference",
            metavar="",
            help="Find a separator first, and compare the run with it.",
        ),
    ] = True,
    *,
    run: PerceptronOptions,
    columns: ColumnOptions,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> None:
    """Run the perceptron and write down every mistake: which row, its score, the weights' length.

    Where the data is separable, the mistakes stand beside the bound R²/γ² of a separator.
    """
    screen = Screen(output.json, output.quiet)
    refuse_overwrite({"--out": out}, [file], writing.force)
    table = read_table(file, columns, layout, screen)
    made = run_trace(table, run, screen, reference=reference)
    if out is not None:
        from novikoff.core.options import with_count

        made.to_parquet(out)
        screen.say(f"written: {out}, {with_count(made.n_mistakes, 'mistake')}.")
    summary = _summary(made)
    _show(screen, made, summary)
    screen.document(
        {
            "file": table.source,
            "n": table.n,
            "d": table.d,
            "classes": list(table.classes),
            "notes": list(table.notes),
            **summary,
            "mistakes_per_epoch": made.mistakes_per_epoch.tolist(),
            "written": None if out is None else str(out),
        }
    )


def _summary(made: "Trace") -> dict[str, Any]:
    w, b = made.weights_after(made.n_mistakes)
    summary: dict[str, Any] = {
        "status": made.status.name,
        "sentence": str(made.status),
        "mistakes": made.n_mistakes,
        "epochs": made.n_epochs,
        "weights": w.tolist(),
        "intercept": b,
    }
    if made.separator is not None:
        from novikoff.learners.theory.inequalities import inequalities

        proof = inequalities(made)
        summary |= {
            "mistake_bound": proof.mistake_bound,
            "augmented_margin": proof.gamma,
            "R": proof.R,
            "inequalities_hold": proof.hold,
        }
    return summary


def _show(screen: Screen, made: "Trace", summary: dict[str, Any]) -> None:
    from rich.table import Table as Grid

    from novikoff.core.options import with_count

    grid = Grid(box=None, show_header=False)
    grid.add_row("how it ended", summary["sentence"])
    grid.add_row("mistakes", f"{made.n_mistakes:,} in {with_count(made.n_epochs, 'epoch')}")
    if "mistake_bound" in summary:
        bound, gamma = summary["mistake_bound"], summary["augmented_margin"]
        grid.add_row("radius R", f"{summary['R']:.6g}")
        grid.add_row("bound R²/γ²", f"{bound:.6g}, for the augmented margin γ = {gamma:.6g}")
        grid.add_row("ŵ*", "the separator of that augmented margin, with ‖ŵ*‖ = 1")
        held = "hold at every mistake" if summary["inequalities_hold"] else "do not hold"
        grid.add_row("ŵ*·ŵ ≥ kγ, ‖ŵ‖² ≤ kR²", held)
    screen.show(grid, _mistakes(made))


def _mistakes(made: "Trace", most: int = 8) -> Any:
    """The first mistakes, and the last, as a table."""
    from rich.table import Table as Grid

    shown = made.table
    if made.separator is not None:
        # As the inequality has it, so that it can be compared with kγ: with ŵ* of length 1.
        at = shown.column_names.index("alignment_after")
        shown = shown.set_column(at, "ŵ*·ŵ_after", [made.unit_alignments])
    numbers = made.problem.numbers_of(made.rows)
    titles = ["mistake", *(name.replace("_", " ") for name in shown.column_names)]
    grid = Grid(*titles, box=None, header_style="bold")
    count = made.n_mistakes
    first = range(count) if count <= most else range(most - 1)
    for k in first:
        grid.add_row(*_cells(shown, k, numbers))
    if count > most:
        grid.add_row("…")
        grid.add_row(*_cells(shown, count - 1, numbers))
    return grid


def _cells(table: Any, k: int, numbers: list[int]) -> list[str]:
    """One mistake, its row numbered as in the file."""
    named = zip(table.column_names, table.columns, strict=True)
    values = [numbers[k] if name == "row" else column[k].as_py() for name, column in named]
    return [str(k + 1), *(f"{v:.6g}" if isinstance(v, float) else str(v) for v in values)]
