"""A long call of NumPy's, made in a thread of its own, so that Ctrl-C is heard meanwhile.

For what cannot be done a block at a time (eigenvectors). NumPy lets other threads run while LAPACK
works. Whoever is interrupted leaves the call behind; it ends by itself, and nobody sees its result.
"""

import contextvars
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def run_in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """What the function returns, or raises."""
    results: list[T] = []
    errors: list[BaseException] = []

    def call() -> None:
        try:
            results.append(function(*arguments))
        except BaseException as error:
            errors.append(error)

    # NumPy keeps in the context what is to be done about overflows.
    run = contextvars.copy_context().run
    thread = threading.Thread(target=run, args=(call,), daemon=True)  # nobody waits for its end
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
