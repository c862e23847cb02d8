"""`--cluster`: the workers of a Dask cluster for a command, and the folder of files they read."""

import logging
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, fields, replace
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.options import Columns, Layout
from novikoff.cli.reading import choice_of
from novikoff.cli.screen import Screen
from novikoff.errors import ClusterError, MissingDependencyError, OptionError

if TYPE_CHECKING:
    from novikoff.data.column_scan import Scan

__all__ = ["ClusterOption", "connected", "is_elsewhere", "refuse_options", "scanned"]

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
    file: str, columns: Columns, layout: Layout, screen: Screen, **overrides: Any
) -> "Scan":
    """The file or folder as a scan, read in parts and by whoever needs them."""
    from novikoff.data.column_scan import Scan
    from novikoff.data.scan import scan

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
