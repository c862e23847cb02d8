"""Text is parsed once: its numbers are kept as an Arrow IPC file, while the source is the same.

The same means: of the same size, changed at the same time, with the same bytes in a sample of it.
Behind the Arrow file stands a checksum of it: Arrow would crash on a damaged one, or give other
numbers.

A scan reads its files several times, so `FileStamps` checks that they do not change meanwhile.
"""

import hashlib
import io
import json
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from novikoff.core.files import remove_leftovers, replace_whole
from novikoff.data.source import as_file_error
from novikoff.errors import FileError

T = TypeVar("T")


class FileStamps:
    """Files as they are now, by their size and time; every pass looks whether they still are so."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._found = {path: _size_and_time(path) for path in paths}

    def over(self, items: Iterator[T]) -> Iterator[T]:
        """Yield the items; `FileError` if a source file changed meanwhile."""
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


SAMPLES, SAMPLE = 16, 1 << 12
VERSION = 3
SEAL = 4  # bytes of the checksum
BLOCK = 1 << 20

# Caches that this process has written, or has found whole: their size and time.
_whole: dict[Path, tuple[int, int]] = {}


class ScanCache:
    """The cache of one source, parsed in one way (`how`, plain JSON).

    Without one, text is parsed in every pass: so it is where a cache that nobody asked for
    (`asked`) cannot be written.
    """

    def __init__(self, folder: Path, source: str, how: Any, *, asked: bool) -> None:
        self.asked, self.failed = asked, False
        self.source = Path(source).resolve()
        key = json.dumps([VERSION, str(self.source), how], sort_keys=True)
        name = hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
        self.path = folder / f"{self.source.name}-{name}.arrow"

    def identity(self) -> bytes:
        """What the source is now: its size, its time, and a sample of its content."""
        stat = self.source.stat()
        digest = hashlib.blake2b(digest_size=16)
        with self.source.open("rb") as file:
            for k in range(SAMPLES + 1):
                file.seek(max(0, (stat.st_size - SAMPLE) * k // SAMPLES))
                digest.update(file.read(SAMPLE))
        return f"{stat.st_size} {stat.st_mtime_ns} {digest.hexdigest()}".encode()

    def is_fresh(self) -> bool:
        """Whether there is a cache, whole, of the source as it is now."""
        try:
            if not _is_whole(self.path):
                return False
            with pa.OSFile(str(self.path)) as file:
                metadata = _opened(file).schema.metadata or {}
        except (OSError, pa.ArrowException):
            return False
        return metadata.get(b"source") == self.identity()

    def tables(self) -> Iterator[Any]:
        """What is kept, as it was given to `keep`."""
        with pa.OSFile(str(self.path)) as source:
            file = _opened(source)
            for i in range(file.num_record_batches):
                yield pa.Table.from_batches([file.get_batch(i)])

    def keep(self, read: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """Yield the tables and write them to the cache, which is kept if all of them passed."""
        passed = 0
        if not self.failed:
            try:
                for table in self._kept(read()):
                    yield table
                    passed += 1
                return
            except FileError as error:
                if self.asked or not isinstance(error.__cause__, OSError):
                    raise
                self.failed = True
        yield from islice(read(), passed, None)

    def _kept(self, tables: Iterator[Any]) -> Iterator[Any]:
        before = self.identity()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(
                f"{self.path.parent}: cannot be written: {error.strerror}: choose another folder "
                "(cache=…), or none (cache=False)."
            ) from error
        with replace_whole(self.path) as temporary, temporary.open("wb") as file:
            sink, writer = _Summed(file), None
            for table in tables:
                if writer is None:
                    schema = table.schema.with_metadata({b"source": before})
                    writer = pa.ipc.new_file(sink, schema)
                writer.write_table(table.replace_schema_metadata({b"source": before}))
                yield table
            if writer is None:
                raise FileError(f"{self.source}: no rows.")
            writer.close()
            file.write(sink.sum.to_bytes(SEAL, "little"))
        _whole[self.path] = _size_and_time(str(self.path))
        if self.identity() != before:
            self.remove()
            raise FileError(f"{self.source}: changed while it was read.")

    def remove(self) -> None:
        """Remove the cache, if there is one, and what a killed process left of one."""
        self.path.unlink(missing_ok=True)
        remove_leftovers(self.path)


class _Summed(io.RawIOBase):
    """A file that is written, and the checksum of what was."""

    def __init__(self, file: Any) -> None:
        self._file, self.sum = file, 0

    def writable(self) -> bool:
        """Whether it can be written to, as `io` asks."""
        return True

    def write(self, content: Any) -> int:
        """Append some bytes."""
        self.sum = zlib.crc32(content, self.sum)
        return int(self._file.write(content))


def _opened(source: Any) -> Any:
    """The Arrow file in front of the checksum."""
    return pa.ipc.open_file(source, footer_offset=source.size() - SEAL)


def _is_whole(path: Path) -> bool:
    """Whether every byte of a cache is what was written: it is read for that once a process."""
    stat = path.stat()
    state = stat.st_size, stat.st_mtime_ns
    if _whole.get(path) == state:
        return True
    total, left = 0, state[0] - SEAL
    with path.open("rb", buffering=0) as file:
        while left > 0 and (block := file.read(min(BLOCK, left))):
            total = zlib.crc32(block, total)
            left -= len(block)
        if left or file.read() != total.to_bytes(SEAL, "little"):
            return False
    _whole[path] = state
    return True
