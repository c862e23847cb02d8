"""`novikoff stream`: learn from lines as they come, for ever, and lose nothing."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.cli.command import OK, command
from novikoff.cli.files import refuse_overwrite
from novikoff.cli.options import Output, Writing
from novikoff.cli.reading import split_list
from novikoff.cli.screen import Screen, spell_out
from novikoff.core.options import Tie, with_count
from novikoff.errors import OptionError

if TYPE_CHECKING:
    from novikoff.stream.account import Account
    from novikoff.stream.feed import Feed

StreamFormat = Literal["csv", "jsonl", "svmlight"]
StreamLearner = Literal["perceptron", "averaged", "pocket"]

INTERRUPTED = 130
INPUT_HELP = "A file, which may grow (--follow), or - for standard input."


def _option(panel: str, text: str, metavar: str) -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel=panel)


def _flag(name: str, panel: str, text: str) -> Any:
    return typer.Option(name, metavar="", help=text, rich_help_panel=panel)


@dataclass(frozen=True)
class Input:
    """What the lines are, and which of their columns mean what."""

    format: Annotated[StreamFormat | None, _option("Input", "csv, jsonl or svmlight.", "KIND")] = (
        None
    )
    label: Annotated[str | None, _option("Input", "The column of the labels.", "COLUMN")] = None
    classes: Annotated[str, _option("Input", "The two labels, the positive one last.", "A,B")] = (
        "-1,1"
    )
    features: Annotated[str | None, _option("Input", "Columns to use.", "A,B,…")] = None
    drop: Annotated[str | None, _option("Input", "Columns to leave out.", "A,B,…")] = None
    delimiter: Annotated[
        str | None, _option("Input", "The character between the fields of a CSV line.", "CHAR")
    ] = None
    decimal: Annotated[Literal[".", ","], _option("Input", "CSV: the decimal mark.", "CHAR")] = "."
    names: Annotated[
        str | None,
        _option("Input", "The columns of a CSV file whose first line has no names.", "A,B,…"),
    ] = None
    by_name: Annotated[
        bool, _flag("--by-name", "Input", "CSV: text is a category, nothing is left out.")
    ] = False
    hash: Annotated[
        int | None, _option("Input", "Hash names to so many columns: constant memory.", "N")
    ] = None
    skip_bad: Annotated[
        bool, _flag("--skip-bad", "Input", "Count lines that cannot be learned, and go on.")
    ] = False
    follow: Annotated[
        bool, _flag("--follow", "Input", "At the end of the file wait for it to grow.")
    ] = False
    patience: Annotated[
        float | None, _option("Input", "--follow: stop after so long without a line.", "SECONDS")
    ] = None


@dataclass(frozen=True)
class StreamLearning:
    """How it learns."""

    learner: Annotated[
        StreamLearner, _option("Learning", "perceptron, averaged or pocket.", "NAME")
    ] = "perceptron"
    eta0: Annotated[float, _option("Learning", "η, the length of a step.", "NUMBER")] = 1.0
    tie: Annotated[
        Tie, _option("Learning", "What a score of 0 means: mistake, +1 or -1.", "RULE")
    ] = "mistake"
    intercept: Annotated[
        bool,
        typer.Option(
            "--intercept/--no-intercept",
            metavar="",
            help="Whether to learn a bias b beside the weights.",
            rich_help_panel="Learning",
        ),
    ] = True
    window: Annotated[
        int, _option("Learning", "How many examples the recent error covers.", "N")
    ] = 1000


@dataclass(frozen=True)
class Keeping:
    """What is kept, and how safely."""

    state: Annotated[
        Path | None,
        _option("Keeping", "Keep checkpoint and journal there, and resume from them.", "FOLDER"),
    ] = None
    sync: Annotated[
        int,
        _option("Keeping", "Write this many examples to disk at once; 0: do not wait.", "N"),
    ] = 1
    from_start: Annotated[
        bool,
        _flag("--from-start", "Keeping", "Resume: standard input begins anew, skip ahead."),
    ] = False
    go_on: Annotated[
        bool, _flag("--go-on", "Keeping", "Resume: standard input goes on where it stopped.")
    ] = False
    test_then_train: Annotated[
        bool,
        _flag("--test-then-train", "Keeping", "Predict each example before it is learned."),
    ] = False
    predictions: Annotated[
        Path | None,
        _option("Keeping", "Predictions go there, not to standard output.", "PATH"),
    ] = None
    model: Annotated[
        Path | None, _option("Keeping", "Write a model for novikoff predict at the end.", "PATH")
    ] = None


def _is_resumed(state: Path | None) -> bool:
    """Whether a run was kept in this folder already."""
    return state is not None and state.is_dir() and any(state.iterdir())


@command
def stream(
    source: Annotated[str, typer.Argument(metavar="INPUT", help=INPUT_HELP)],
    *,
    input: Input,  # noqa: A002
    learning: StreamLearning,
    keeping: Keeping,
    output: Output,
    writing: Writing,
) -> int:
    """Learn from lines as they come, in constant memory; resume exactly where it was stopped."""
    from novikoff.stream.feed import Settings, open_feed

    screen = Screen(output.json, output.quiet)
    _check(source, input, keeping)
    outputs = {"--predictions": keeping.predictions, "--model": keeping.model}
    refuse_overwrite(outputs, [source], force=True)
    refuse_overwrite({"--model": keeping.model}, [], writing.force)
    # A resumed run goes on with its own predictions.
    refuse_overwrite(
        {"--predictions": keeping.predictions}, [], writing.force or _is_resumed(keeping.state)
    )
    settings = Settings(
        source=source,
        format=input.format,
        label=input.label,
        classes=tuple(split_list(input.classes) or ()),
        features=split_list(input.features),
        drop=tuple(split_list(input.drop) or ()),
        delimiter=input.delimiter,
        decimal=input.decimal,
        names=split_list(input.names),
        by_name=input.by_name,
        hashing=input.hash,
        learner=learning.learner,
        eta0=learning.eta0,
        tie=learning.tie,
        fit_intercept=learning.intercept,
        window=learning.window,
    )
    if keeping.model is not None:
        settings.refuse_names()
    interrupted = noted = False
    predictions = _predictions(keeping)
    with open_feed(
        settings, state=keeping.state, sync=keeping.sync, predictions=predictions
    ) as feed:
        _check_resumed(feed, source, keeping)
        if feed.resumed:
            screen.say(f"resumed: {feed.learner.account.examples:,} examples learned before.")
        lines = feed.lines(follow=input.follow, patience=input.patience, goes_on=keeping.go_on)
        try:
            with _stop_between_lines() as guarded, _live(screen, feed) as tick:
                for line, position in lines:
                    with guarded:
                        feed.take(line, position, skip_bad=input.skip_bad)
                    if feed.note is not None and not noted:
                        screen.say(f"note: {feed.note}.")
                        noted = True
                    tick()
                if not input.follow:  # a file that grows may yet close its quotes
                    with guarded:
                        feed.finish(skip_bad=input.skip_bad)
        except KeyboardInterrupt:
            interrupted = True
    _finish(screen, feed, keeping)
    return INTERRUPTED if interrupted else OK


def _predictions(keeping: Keeping) -> Path | None:
    """Where predictions go: `-` is standard output."""
    if not keeping.test_then_train:
        return None
    return keeping.predictions or Path("-")


def _check(source: str, input: Input, keeping: Keeping) -> None:  # noqa: A002
    if keeping.predictions is not None and not keeping.test_then_train:
        raise OptionError("--predictions is for --test-then-train.")
    if input.follow and source == "-":
        raise OptionError("--follow is for files: standard input is read until it ends.")
    if keeping.from_start and keeping.go_on:
        raise OptionError("--from-start and --go-on exclude each other.")


def _check_resumed(feed: "Feed", source: str, keeping: Keeping) -> None:
    if feed.resumed and source == "-" and not (keeping.from_start or keeping.go_on):
        raise OptionError(
            f"{keeping.state}: a stream is kept there. Does standard input begin anew "
            "(--from-start: what was learned is skipped), or go on where it stopped (--go-on)?"
        )


class _Guarded:
    """What must not be interrupted half way: an interrupt waits until it is done."""

    def __init__(self) -> None:
        self.busy = self.asked = False

    def stop(self, *_: Any) -> None:
        """What a signal calls."""
        self.asked = True
        if not self.busy:
            raise KeyboardInterrupt

    def __enter__(self) -> None:
        self.busy = True

    def __exit__(self, *_: Any) -> None:
        self.busy = False
        if self.asked:
            raise KeyboardInterrupt


@contextmanager
def _stop_between_lines() -> Iterator[_Guarded]:
    """Ctrl-C and SIGTERM end the stream between two examples, and so with a whole checkpoint."""
    guarded = _Guarded()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, guarded.stop) for number in signals]
    try:
        yield guarded
    finally:
        for number, handler in zip(signals, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def _live(screen: Screen, feed: "Feed") -> Iterator[Any]:
    """One line on the screen that tells how it goes, renewed at most four times a second."""
    if not screen.animated:
        yield lambda: None
        return
    from rich.live import Live
    from rich.text import Text

    start, first = time.monotonic(), feed.learner.account.examples
    with Live("", console=screen.err, auto_refresh=False, transient=True) as live:
        shown = 0.0

        def tick() -> None:
            nonlocal shown
            now = time.monotonic()
            if now - shown > 0.25:
                shown = now
                account = feed.learner.account
                rate = (account.examples - first) / max(now - start, 1e-9)
                line = status_line(account, rate, live.console.width, live.console.encoding)
                live.update(Text(line, no_wrap=True), refresh=True)

        yield tick


def status_line(account: "Account", rate: float, width: int, encoding: str) -> str:
    """How a stream goes, in one line: as much of what there is to say as the width has room for."""
    parts = [with_count(account.examples, "example")]
    if account.examples:
        parts += [
            f"{account.error:.1%} mistakes, recently {account.recent_error:.1%}",
            f"augmented γ ≤ {account.gamma_at_most:.3g}",
            f"{rate:,.0f} a second",
            f"R = {account.radius:.4g}",
            f"‖ŵ‖² = {account.squared_norm:.4g}",
        ]
    if not encoding.startswith("utf"):
        parts = [spell_out(part) for part in parts]
    mark = " · " if encoding.startswith("utf") else "; "
    line = parts[0]
    for part in parts[1:]:
        if len(line) + len(mark) + len(part) < width:
            line += mark + part
    return line


def _finish(screen: Screen, feed: "Feed", keeping: Keeping) -> None:
    account = feed.learner.account
    if keeping.model is not None:
        from novikoff.estimators.persistence.store import save
        from novikoff.stream.online import estimator_of

        save(estimator_of(feed.learner), keeping.model, about=feed.about_model())
        use = f"(novikoff predict {keeping.model} FILE)"
        screen.say(f"model: {keeping.model}", command=use)
    if not (keeping.test_then_train and keeping.predictions is None):
        screen.show(_table(account, feed))
    else:
        screen.say(str(account))
    told = asdict(account) | {
        "error": account.error,
        "recent_error": account.recent_error,
        "squared_norm": account.squared_norm,
    }
    if not (keeping.test_then_train and keeping.predictions is None):
        screen.document(
            {
                "source": feed.settings.source,
                "learner": feed.settings.learner,
                "resumed": feed.resumed,
                **feed.place._asdict(),
                **told,
            }
        )


def _table(account: Any, feed: "Feed") -> Any:
    from rich.table import Table

    grid = Table(box=None, show_header=False)
    grid.add_row("learner", feed.settings.learner)
    grid.add_row("examples", f"{account.examples:,}")
    if account.examples:
        grid.add_row("mistakes", f"{account.mistakes:,} ({account.error:.2%})")
        last = min(account.window, account.examples)
        grid.add_row(f"of the last {last:,}", f"{account.recent_error:.2%}")
        grid.add_row("R, ‖ŵ‖²", f"{account.radius:.6g}, {account.squared_norm:.6g}")
    if account.mistakes:
        grid.add_row(
            "the theorem", f"no separator of all this has an augmented margin above "
            f"{account.gamma_at_most:.6g} (R/√M = {account.radius_over_root:.6g})"
        )  # fmt: skip
    if feed.place.skipped:
        grid.add_row("skipped", f"{feed.place.skipped} lines that could not be learned")
    return grid
