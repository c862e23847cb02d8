"""`novikoff plot`: any figure, as PNG, SVG or PDF; the moving one as GIF or MP4."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from novikoff.cli.command import command
from novikoff.cli.decision import decide
from novikoff.cli.files import refuse_overwrite
from novikoff.cli.learning import Learner, LearningOptions, learner_of, run_trace
from novikoff.cli.options import (
    FILE_HELP,
    ColumnOptions,
    LayoutOptions,
    Output,
    PerceptronOptions,
    Writing,
    complete_file,
)
from novikoff.cli.reading import read_table
from novikoff.cli.screen import Screen
from novikoff.errors import OptionError

if TYPE_CHECKING:
    from novikoff.data.table import Table


MOST_ROWS = 16  # in the table of a network's activations


Kind = Literal[
    "separator", "hulls", "fewest", "convergence", "update", "run", "regions",
    "perceptron", "network", "comparison", "xor", "lift",
]  # fmt: skip


@command
def plot(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help=", ".join(get_args(Kind)) + ".")],
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help=FILE_HELP, autocompletion=complete_file),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="PNG, SVG or PDF by the ending (run: GIF or MP4)."),
    ] = None,
    mistake: Annotated[
        int | None,
        typer.Option(
            metavar="K",
            help="update: which mistake, from 1. Default: the first with two lines.",
        ),
    ] = None,
    learner: Annotated[
        Learner,
        typer.Option(metavar="NAME", help="regions: the learner to train, as in novikoff fit."),
    ] = "kernel",
    *,
    run: PerceptronOptions,
    columns: ColumnOptions,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> None:
    """Draw a figure and write it to a file.

    Of a FILE:

    - separator: the plane, its geometric margin and the support rows
    - hulls: both hulls and the point they share
    - fewest: the plane with the fewest errors, and why there are no fewer
    - convergence: a run beside the bounds of the proof, or one without end
    - update: one mistake and what it changed
    - run: all mistakes, moving
    - regions: what a learner says of the whole plane

    Without one:

    - perceptron: its diagram
    - network: the one that does XOR; with a FILE, one that learned it
    - comparison, xor, lift: the textbook's examples
    """
    screen = Screen(output.json, output.quiet)
    endings = (".gif", ".mp4") if kind == "run" else (".png", ".svg", ".pdf")
    target = out or Path(kind + endings[0])
    if target.suffix.lower() not in endings:
        raise OptionError(f"{target}: the ending must be one of {', '.join(endings)}.")
    refuse_overwrite({"--out": target}, [] if file is None else [file], writing.force)
    table = None
    if file is not None:
        if kind in WITHOUT_FILE:
            raise OptionError(f"{kind} needs no data: leave out FILE.")
        table = read_table(file, columns, layout, screen)
    elif kind in WITH_FILE:
        raise OptionError(f"{kind} needs data: give a FILE.")
    request = Request(table, run, learner, mistake, target, screen)
    FIGURES[kind](request)
    screen.show(f"written: {target}")
    screen.document({"figure": kind, "file": file, "written": str(target)})


@dataclass(frozen=True)
class Request:
    """What a figure is to be made of, and where it goes."""

    data: "Table | None"
    run: PerceptronOptions
    learner: Learner
    mistake: int | None
    target: Path
    screen: Screen

    @property
    def table(self) -> "Table":
        """The data of a figure that needs some."""
        assert self.data is not None
        return self.data

    def save(self, figure: Any) -> None:
        """Write the figure."""
        from novikoff.figures.save import save

        with self.screen.working(f"drawing {self.target}"):
            save(figure, self.target)


def _separator(request: Request) -> None:
    from novikoff.figures.verdict import plot_verdict

    request.save(plot_verdict(_verdict(request)))


def _hulls(request: Request) -> None:
    from novikoff.figures.verdict import plot_verdict_hulls

    request.save(plot_verdict_hulls(_verdict(request)))


def _fewest(request: Request) -> None:
    from novikoff.cli.fewest import MINUTE, fewest_of
    from novikoff.figures.fewest import plot_fewest

    table = request.table
    fit_intercept = request.run.intercept and table.fit_intercept
    request.save(plot_fewest(fewest_of(table, fit_intercept, MINUTE, request.screen)))


def _verdict(request: Request) -> Any:
    table = request.table
    return decide(table, request.run.intercept and table.fit_intercept, False, request.screen)


def _convergence(request: Request) -> None:
    from novikoff.figures.trace import plot_mistakes, plot_trace

    made = run_trace(request.table, request.run, request.screen)
    request.save(plot_mistakes(made) if made.separator is None else plot_trace(made))


def _update(request: Request) -> None:
    from novikoff.figures.trace import plot_trace_update

    made = run_trace(request.table, request.run, request.screen, reference=False)
    request.save(plot_trace_update(made, request.mistake))


def _run(request: Request) -> None:
    from novikoff.figures.trace import animate_trace

    made = run_trace(request.table, request.run, request.screen, reference=False)
    with request.screen.working(f"drawing {request.target}"):
        animate_trace(request.target, made)


def _regions(request: Request) -> None:
    from novikoff.figures.regions import plot_regions

    table = request.table
    learning = LearningOptions(
        kernel="rbf" if request.learner == "kernel" else None, random_state=request.run.seed
    )
    learned = learner_of(request.learner, learning, table.fit_intercept)
    with request.screen.working(f"training: {request.learner}"):
        learned.fit(table.X, table.y)
    request.save(plot_regions(learned, table.X, table.y, names=table.names))


def _perceptron(request: Request) -> None:
    from novikoff.figures.diagrams import plot_perceptron

    if request.data is None:
        request.save(plot_perceptron())
        return
    made = run_trace(request.table, request.run, request.screen, reference=False)
    w, b = made.weights_after(made.n_mistakes)
    request.save(plot_perceptron(w, b, names=request.table.names))


def _network(request: Request) -> None:
    from novikoff.estimators.network import ReluNetwork
    from novikoff.figures.network import plot_network

    table = request.data
    if table is None:
        table = read_table("dataset:xor", ColumnOptions(), LayoutOptions(), request.screen)
        network: Any = ReluNetwork.xor()
    else:
        learning = LearningOptions(random_state=request.run.seed or 0)
        network = learner_of("network", learning, True).fit(table.X, table.signs)
    rows = {"X": table.X, "y": table.y} if table.n <= MOST_ROWS else {}
    figure = plot_network(
        network.W_,
        network.b_,
        network.v_,
        network.c_,
        names=table.names,
        classes=(table.classes[0], table.classes[1]),
        **rows,
    )
    request.save(figure)


def _comparison(request: Request) -> None:
    from novikoff.figures.textbook import plot_comparison

    request.save(plot_comparison())


def _xor(request: Request) -> None:
    from novikoff.figures.textbook import plot_xor

    request.save(plot_xor())


def _lift(request: Request) -> None:
    from novikoff.figures.textbook import plot_lift

    request.save(plot_lift())


FIGURES: dict[Kind, Callable[[Request], None]] = {
    "separator": _separator,
    "hulls": _hulls,
    "fewest": _fewest,
    "convergence": _convergence,
    "update": _update,
    "run": _run,
    "regions": _regions,
    "perceptron": _perceptron,
    "network": _network,
    "comparison": _comparison,
    "xor": _xor,
    "lift": _lift,
}
WITHOUT_FILE = ("comparison", "xor", "lift")
WITH_FILE = (
    "separator",
    "hulls",
    "fewest",
    "convergence",
    "update",
    "run",
    "regions",
)
