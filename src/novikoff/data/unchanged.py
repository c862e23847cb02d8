"""A file that is read again and again must stay the same: what was found out in one pass holds."""

import os
from collections.abc import Iterator, Sequence
from typing import TypeVar

from novikoff.data.raw import as_file_error
from novikoff.errors import FileError

__all__ = ["Unchanged"]

T = TypeVar("T")


class Unchanged:
    """Files as they are now, by their size and time; every pass looks whether they still are so."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._found = {path: _size_and_time(path) for path in paths}

    def over(self, items: Iterator[T]) -> Iterator[T]:
        """The same items, if the files are what they were, before the first and after the last."""
        self._check()
        yield from items
        self._check()

    def _check(self) -> None:
        for path, found in self._found.items():
            if _size_and_time(path) != found:
                raise FileError(f"{path}: changed since it was first read: scan it anew.")


def _size_and_time(path: str) -> tuple[int, int]:
    with as_file_error(path):
        stat = os.stat(path)
    return stat.st_size, stat.st_mtime_ns
