"""One batch ahead: the next one is read while the last one is worked on."""

import queue
import threading
from collections.abc import Iterator
from typing import Any, TypeVar

__all__ = ["read_ahead"]

T = TypeVar("T")


def read_ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items; a thread has read the next one when it is asked for.

    What the thread raises is raised here. Leaving early ends the thread.
    """
    ready: queue.Queue[tuple[str, Any]] = queue.Queue(maxsize=1)
    left = threading.Event()

    def put(item: tuple[str, Any]) -> bool:
        while not left.is_set():
            try:
                ready.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def read() -> None:
        try:
            for item in items:
                if not put(("item", item)):
                    return
            put(("end", None))
        except BaseException as error:
            put(("error", error))

    thread = threading.Thread(target=read, name="novikoff-read-ahead", daemon=True)
    thread.start()
    try:
        while True:
            kind, value = ready.get()
            if kind == "end":
                return
            if kind == "error":
                raise value
            yield value
    finally:
        left.set()
        thread.join()
