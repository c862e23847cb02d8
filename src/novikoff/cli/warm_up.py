"""`novikoff warm-up`: compile every loop that the commands use, on all cores, once a machine."""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from novikoff.cli.command import command
from novikoff.cli.options import Output
from novikoff.cli.screen import Screen
from novikoff.errors import FileError, NovikoffError

WORKER = "novikoff.cli.warm_up_worker"


@command
def warm_up(*, output: Output) -> None:
    """Compile every loop that the commands use, so that none of them has to wait for it later.

    This takes a minute or so, once a machine and version; what is compiled is kept on disk.
    """
    from novikoff.cli.warm_up_worker import TASKS
    from novikoff.core.machine_code import mark_of_completeness

    screen = Screen(output.json, output.quiet)
    mark = mark_of_completeness()
    if mark is None:
        raise FileError("compiled code can be kept nowhere here: set NUMBA_CACHE_DIR to a folder.")
    ready = mark.exists()
    if not ready:
        with _progress(screen, len(TASKS)) as advance:
            for _ in run_in_parallel(list(TASKS)):
                advance()
        mark.touch()
    screen.show("All loops are compiled." if not ready else "All loops were compiled before.")
    screen.document({"tasks": 0 if ready else len(TASKS)})


def run_in_parallel(tasks: list[str]) -> Iterator[str]:
    """Have the tasks done by one process a core, and give each back as it is done."""
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    done: queue.SimpleQueue[str | Exception] = queue.SimpleQueue()
    for task in tasks:
        waiting.put(task)
    workers = [_start_worker() for _ in range(min(_cores(), len(tasks)))]
    for worker in workers:
        threading.Thread(target=_feed, args=(worker, waiting, done), daemon=True).start()
    try:
        for _ in tasks:
            task_done = done.get()
            if isinstance(task_done, Exception):
                raise task_done
            yield task_done
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _start_worker() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def _feed(
    worker: subprocess.Popen[str],
    waiting: "queue.SimpleQueue[str]",
    done: "queue.SimpleQueue[str | Exception]",
) -> None:
    """Hand tasks to one process, one at a time, as long as there are any."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stderr is not None
    try:
        while True:
            task = waiting.get_nowait()
            print(task, file=worker.stdin, flush=True)
            if worker.stdout.readline().strip() != "done":
                said = worker.stderr.read().strip().splitlines()[-1:]
                done.put(NovikoffError(f"compiling for {task!r} failed: {' '.join(said)}"))
                return
            done.put(task)
    except queue.Empty:
        return
    except (OSError, ValueError) as error:  # it ended, or was ended: its pipes are closed
        done.put(NovikoffError(f"a process that compiles loops has ended: {error}"))


@contextmanager
def _progress(screen: Screen, total: int) -> Iterator[Callable[[], None]]:
    """A bar where somebody is looking, a line where not."""
    if not screen.animated:
        screen.say("Compiling all loops for this machine, once; this takes a minute or so.")
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=screen.err, transient=True) as progress:
        bar = progress.add_task("compiling all loops, once", total=total)
        yield lambda: progress.advance(bar)
