"""From the options of a command to the data it is about.

`--cluster`: the workers of a Dask cluster for a command, and the folder of files they read.
"""

import logging
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.options import ColumnOptions, LayoutOptions
from novikoff.cli.screen import Screen
from novikoff.errors import ClusterError, MissingDependencyError, OptionError

if TYPE_CHECKING:
    from novikoff.data.options import FileLayout, ScanOptions
    from novikoff.data.scans.columns import Scan
    from novikoff.data.table import Table

LARGE = 1 << 26  # bytes
TEXT, COLUMNAR = ("csv", "jsonl"), ("parquet", "arrow")
SECONDS_TO_CONNECT = 10
SECONDS_TO_RESTART = 60

ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on a Dask cluster: tcp://… of its scheduler, or local for this machine's cores.",
    ),
]


def is_elsewhere(
    file: str,
    cluster: str | None,
    columns: ColumnOptions | None = None,
    layout: LayoutOptions | None = None,
    *,
    whole: bool = False,
) -> bool:
    """Whether the rows are not to be read into this process's memory.

    A large file is not, unless something is asked for that needs the `whole` of it.
    """
    if cluster is not None:
        return True
    if file != "" and Path(file).is_dir():
        return not whole
    if columns is None or columns.scan is not None:
        return columns is not None and bool(columns.scan)
    return not whole and layout is not None and _is_large(file, layout)


def _is_large(file: str, layout: LayoutOptions) -> bool:
    """Whether a file is worth reading in batches, and of a kind that can be."""
    from novikoff.data.reading import format_of
    from novikoff.data.source import open_raw

    path = Path(file)
    if not path.is_file() or path.stat().st_size < LARGE:
        return False
    raw = open_raw(file)
    kind = format_of(raw, layout.format)
    return kind in TEXT or (kind in COLUMNAR and raw.compression is None)


@contextmanager
def connected(cluster: str | None, screen: Screen) -> Iterator[None]:
    """A client of that cluster as long as the command runs; None for this process alone."""
    if cluster is None:
        yield
        return
    try:
        import dask
        from distributed import Client, LocalCluster
        from distributed.utils import LoopRunner
    except ImportError as error:
        raise MissingDependencyError(
            "--cluster needs Dask: pip install 'novikoff[dask]'."
        ) from error
    if cluster != "local" and "://" not in cluster:
        raise OptionError(
            f"--cluster is tcp://HOST:PORT of a scheduler, or local; got {cluster!r}."
        )
    with ExitStack() as stack:
        try:
            if cluster == "local":
                # Dask gives up a worker that is not back by then, and starts no other.
                patient = {"distributed.deploy.lost-worker-timeout": SECONDS_TO_RESTART}
                stack.enter_context(dask.config.set(patient))
                runner = LoopRunner()
                with _deaf_to_interrupts():
                    runner.start()
                stack.callback(runner.stop)
                address: Any = stack.enter_context(
                    LocalCluster(
                        dashboard_address=None, silence_logs=logging.ERROR, loop=runner.loop
                    )
                )
            else:
                address = cluster
            client = stack.enter_context(Client(address, timeout=SECONDS_TO_CONNECT))
        except (OSError, TimeoutError, ValueError) as error:
            raise ClusterError(f"--cluster {cluster}: no scheduler answers ({error}).") from error
        count = len(client.scheduler_info(n_workers=-1)["workers"])
        screen.say(f"cluster: {client.scheduler.address}, {count} worker{'s' * (count != 1)}")
        yield


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Threads that are started here, and all processes of theirs, do not hear Ctrl-C.

    A terminal sends it to the workers too, who would each print a traceback: they are ended by the
    command, which hears it.
    """
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # later, it would let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def refuse_options(why: str, given: Mapping[str, object]) -> None:
    """Raise `OptionError` for the first of these options that was given."""
    for name, value in given.items():
        if value not in (None, False):
            raise OptionError(
                f"{name} {why}: leave it out, or read one file without --cluster and --scan."
            )


def scanned(file: str, columns: ColumnOptions, layout: LayoutOptions, **overrides: Any) -> "Scan":
    """The file or folder as a scan, read in parts and by whoever needs them."""
    from novikoff.data.scans.api import open_scan
    from novikoff.data.scans.columns import Scan

    found = open_scan(file, choice_of(columns, layout, **overrides))
    if not isinstance(found, Scan):
        raise OptionError(
            f"{file}: svmlight is not read in parts here: leave out --scan, --cluster."
        )
    return found


def say_notes(found: "Scan", screen: Screen) -> None:
    """What was done to the columns and rows of a scan: known when it has been read."""
    for note in found.notes:
        screen.say(f"note: {note}.")


def split_list(text: str | None) -> list[str] | None:
    """The parts of `a,b,c`; a name that holds a comma goes into double quotes."""
    if text is None:
        return None
    import csv

    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True), [])]


def degree_of(lift: str | None) -> int:
    """The K of `degree=K`, or 1."""
    if lift is None:
        return 1
    name, _, value = lift.rpartition("=")
    if name not in ("", "degree") or not value.isdigit() or int(value) < 1:
        raise OptionError(f"--lift is written degree=2 (or 3, …); got {lift!r}.")
    return int(value)


def words_of(options: Any, aside: Sequence[str] = ()) -> list[str]:
    """What was given of these options, as words for a command line, but for some of them."""
    words: list[str] = []
    for field in fields(options):
        value, name = getattr(options, field.name), field.name.replace("_", "-")
        if value != field.default and field.name not in aside:
            words.append(f"--no-{name}" if value is False else f"--{name}")
            words += [] if isinstance(value, bool) else [str(value)]
    return words


def options_for_verify(columns: ColumnOptions, layout: LayoutOptions) -> list[str]:
    """What `verify` must be told to read the file as it was read: all that no certificate says."""
    named = () if columns.makes_columns else ("features", "drop")
    return words_of(columns, ("label", "positive", "classes", "scan", *named)) + words_of(layout)


def layout_of(layout: LayoutOptions) -> "FileLayout":
    """How the file is written, as `novikoff.data` takes it."""
    from novikoff.data.options import FileLayout

    return FileLayout(**_lists(vars(layout)))


LISTS = ("features", "drop", "classes", "categorical", "missing")


def _lists(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the reader takes them: those that were given, lists as lists."""
    found = {name: value for name, value in given.items() if value is not None}
    return found | {name: split_list(found[name]) for name in LISTS if name in found}


def refuse_code(formula: str | None) -> None:
    """Raise `OptionError` if a formula would run code."""
    if formula is not None:
        from novikoff.data.formula import refuse_unsafe

        refuse_unsafe(formula)


def choice_of(columns: ColumnOptions, layout: LayoutOptions, **overrides: Any) -> "ScanOptions":
    """What the options say about the file and its columns, as `read` and `scan` take it."""
    from novikoff.data.options import ScanOptions

    refuse_code(columns.formula)
    options = _lists({**vars(columns), **vars(layout)})
    options.pop("scan", None)
    options["degree"] = degree_of(options.pop("lift", None))
    return ScanOptions(**{**options, **overrides})


def read_table(
    file: str, columns: ColumnOptions, layout: LayoutOptions, screen: Screen, **overrides: Any
) -> "Table":
    """Read the file as the options say, and tell what was done to its columns and rows."""
    with screen.working(f"reading {file}"):
        from novikoff.data.reading import read_chosen

        table = read_chosen(file, choice_of(columns, layout, **overrides))
    for note in table.notes:
        screen.say(f"note: {note}.")
    return table
