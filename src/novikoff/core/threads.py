"""Work in threads, with Ctrl-C heard meanwhile: one long call, or a task for each of many."""

import contextvars
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from novikoff.core.progress import Deadline

T = TypeVar("T")


def n_cores() -> int:
    """The cores that this process may use."""
    return getattr(os, "process_cpu_count", os.cpu_count)() or 1


def in_threads(
    threads: int, deadline: Deadline, task: Callable[..., T], *arguments: Iterable[object]
) -> Iterator[T]:
    """Run a task for each of the arguments, some at a time; the results in order.

    After Ctrl-C the deadline is over, so that the other threads end, too.
    """
    context = contextvars.copy_context()  # NumPy keeps in it what is to be done about overflows

    def run(*argument: object) -> T:
        return context.copy().run(task, *argument)

    with ThreadPoolExecutor(threads) as pool:
        try:
            yield from pool.map(run, *arguments)
        except KeyboardInterrupt:
            deadline.cancel()
            raise


def run_in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """What the function returns, or raises; it is called in a thread of its own.

    For what cannot be done a block at a time (eigenvectors). NumPy lets other threads run while
    LAPACK works. Whoever is interrupted leaves the call behind; it ends by itself, and nobody sees
    its result.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def call() -> None:
        try:
            results.append(function(*arguments))
        except BaseException as error:
            errors.append(error)

    run = contextvars.copy_context().run
    thread = threading.Thread(target=run, args=(call,), daemon=True)  # nobody waits for its end
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
