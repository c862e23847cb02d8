"""From the options of a command to the data it is about.

`--cluster`: the workers of a Dask cluster for a command, and the folder of files they read.
"""

import logging
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, fields, replace
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.options import ColumnOptions, LayoutOptions
from novikoff.cli.screen import Screen
from novikoff.errors import ClusterError, MissingDependencyError, OptionError

if TYPE_CHECKING:
    from novikoff.data.columns import FileLayout, ReadOptions
    from novikoff.data.scans.columns import Scan
    from novikoff.data.table import Table

SECONDS_TO_CONNECT = 10
SECONDS_TO_RESTART = 60

ClusterOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on a Dask cluster: tcp://… of its scheduler, or local for this machine's cores.",
    ),
]


def is_elsewhere(file: str, cluster: str | None) -> bool:
    """Whether the rows are not to be read into this process's memory."""
    return cluster is not None or (file != "" and Path(file).is_dir())


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
            raise OptionError(f"{name} {why}: leave it out, or read one file without --cluster.")


def scanned(
    file: str, columns: ColumnOptions, layout: LayoutOptions, screen: Screen, **overrides: Any
) -> "Scan":
    """The file or folder as a scan, read in parts and by whoever needs them."""
    from novikoff.data.scans.api import scan
    from novikoff.data.scans.columns import Scan

    choice = replace(choice_of(columns, layout), **overrides)
    names = [field.name for field in fields(choice) if field.name != "layout"]
    options = {name: getattr(choice, name) for name in names}
    if columns.categorical == "auto":
        options["categorical"] = "auto"
    found = scan(file, **options, **asdict(choice.layout))
    if not isinstance(found, Scan):
        raise OptionError(f"{file}: a cluster reads Parquet files; this one is svmlight.")
    for note in found.notes:
        screen.say(f"note: {note}.")
    return found


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


def options_for_verify(columns: ColumnOptions, layout: LayoutOptions) -> list[str]:
    """What `verify` must be told to read the file as it was read: all that no certificate says."""
    made = columns.categorical or columns.formula or columns.lift or columns.standardise
    names = ["categorical", "drop_missing", "formula", "weights", "standardise", "lift",
             "float64"]  # fmt: skip
    given = {name: getattr(columns, name) for name in names + ["features", "drop"] * bool(made)}
    given |= {
        name: getattr(layout, name) for name in ("format", "delimiter", "encoding", "missing")
    }
    words = [] if layout.header else ["--no-header"]
    for name, value in given.items():
        if value is not None and value is not False:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if value is True else [str(value)]
    return words


def layout_of(layout: LayoutOptions) -> "FileLayout":
    """How the file is written, as `novikoff.data` takes it."""
    from novikoff.data.columns import FileLayout

    return FileLayout(
        format=layout.format,
        delimiter=layout.delimiter,
        header=layout.header,
        encoding=layout.encoding,
        missing=split_list(layout.missing) or (),
    )


def refuse_code(formula: str | None) -> None:
    """Raise `OptionError` if a formula would run code."""
    if formula is not None:
        from novikoff.data.formula import refuse_unsafe

        refuse_unsafe(formula)


def choice_of(columns: ColumnOptions, layout: LayoutOptions) -> "ReadOptions":
    """What the options say about the file and its columns, as the reader takes it."""
    from novikoff.data.columns import ReadOptions

    refuse_code(columns.formula)
    return ReadOptions(
        label=columns.label,
        features=split_list(columns.features),
        drop=split_list(columns.drop) or (),
        positive=columns.positive,
        classes=split_list(columns.classes),
        categorical=split_list(columns.categorical) or (),
        drop_missing=columns.drop_missing,
        formula=columns.formula,
        weights=columns.weights,
        standardise=columns.standardise,
        degree=degree_of(columns.lift),
        float64=columns.float64,
        layout=layout_of(layout),
    )


def read_table(
    file: str, columns: ColumnOptions, layout: LayoutOptions, screen: Screen, **overrides: Any
) -> "Table":
    """Read the file as the options say, and tell what was done to its columns and rows."""
    with screen.working(f"reading {file}"):
        from novikoff.data.reading import read_chosen

        table = read_chosen(file, replace(choice_of(columns, layout), **overrides))
    for note in table.notes:
        screen.say(f"note: {note}.")
    return table
