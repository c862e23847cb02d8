"""Lines of a file or of standard input, as they come, each with the position where it ends."""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from novikoff.errors import FileError
from novikoff.files import refuse_no_name

__all__ = ["Lines"]

BLOCK = 1 << 18
LONGEST_LINE = 1 << 26
POLL = 0.1  # seconds between two looks at a file that may grow


@dataclass
class Lines:
    """Where lines come from, and from which byte on.

    `follow`: at the end of a file wait for more, for at most `patience` seconds (None: for ever).
    `idle` is called when there is nothing to read just now.
    """

    source: str
    position: int = 0
    follow: bool = False
    patience: float | None = None
    idle: Callable[[], None] = lambda: None

    @property
    def name(self) -> str:
        """What errors call the source."""
        return "standard input" if self.source == "-" else self.source

    def first(self) -> bytes:
        """The first line of a file, which may have been read long ago."""
        refuse_no_name(self.source)
        with Path(self.source).open("rb") as file:
            return file.readline(LONGEST_LINE).rstrip(b"\r\n")

    def __iter__(self) -> Iterator[tuple[bytes, int]]:
        """Each line without its end, and the position after it."""
        rest, at = b"", self.position
        for block in self._blocks():
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                at += len(line) + 1
                yield line.rstrip(b"\r"), at
            if len(rest) > LONGEST_LINE:
                raise FileError(f"{self.name}: a line of over {LONGEST_LINE >> 20} MiB at {at}.")
        if rest and not self.follow:  # an unfinished line of a file that grows may yet go on
            yield rest, at + len(rest)

    def _blocks(self) -> Iterator[bytes]:
        if self.source == "-":
            yield from self._piped(sys.stdin.fileno())
            return
        refuse_no_name(self.source)
        try:
            with Path(self.source).open("rb", buffering=0) as file:
                yield from self._grown(file.fileno())
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise FileError(f"{self.source}: cannot be read: {reason}.") from error

    def _piped(self, handle: int) -> Iterator[bytes]:
        left = self.position
        while True:
            if not select.select([handle], [], [], POLL)[0]:
                self.idle()
                select.select([handle], [], [])
            block = os.read(handle, BLOCK)
            if not block:
                if left > 0:
                    raise FileError(f"{self.name}: ends {left} bytes before what was learned.")
                return
            skipped = min(left, len(block))
            left -= skipped
            if skipped < len(block):
                yield block[skipped:]

    def _grown(self, handle: int) -> Iterator[bytes]:
        if os.fstat(handle).st_size < self.position:
            raise FileError(
                f"{self.source}: shorter than the {self.position} bytes that were learned: "
                "it is not the file that this stream began with."
            )
        if self.position and _goes_on(os.pread(handle, 3, self.position - 1)):
            raise FileError(
                f"{self.source}: byte {self.position} is within a line, whose beginning was "
                "learned as a whole one: it was not finished then. Start anew, and read a file "
                "that grows with --follow, which waits for the end of a line."
            )
        read = os.lseek(handle, self.position, os.SEEK_SET)
        waited = 0.0
        while True:
            block = os.read(handle, BLOCK)
            if block:
                waited, read = 0.0, read + len(block)
                yield block
                continue
            if os.fstat(handle).st_size < read:
                raise FileError(
                    f"{self.source}: shorter than the {read} bytes that were read: another file "
                    "was written in its place."
                )
            if not self.follow or (self.patience is not None and waited >= self.patience):
                return
            self.idle()
            time.sleep(POLL)
            waited += POLL


def _goes_on(around: bytes) -> bool:
    """Whether a line goes on behind the first of these bytes."""
    before, after = around[:1], around[1:]
    return before != b"\n" and after != b"" and not after.startswith((b"\n", b"\r\n"))
