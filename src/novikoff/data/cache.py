"""Text is parsed once: its numbers are kept as an Arrow IPC file, while the source is the same.

The same means: of the same size, changed at the same time, with the same bytes in a sample of it.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from novikoff.errors import FileError
from novikoff.files import replace_whole

__all__ = ["Cache", "Kept", "default_folder"]

SAMPLES, SAMPLE = 16, 1 << 12
VERSION = 2


def default_folder() -> Path:
    """Where caches are if nobody says otherwise."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "novikoff"


class Cache:
    """The cache of one source, parsed in one way (`how`, plain JSON)."""

    def __init__(self, folder: Path, source: str, how: Any) -> None:
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
            with pa.OSFile(str(self.path)) as file:
                metadata = pa.ipc.open_file(file).schema.metadata or {}
        except (OSError, pa.ArrowException):
            return False
        return metadata.get(b"source") == self.identity()

    def tables(self) -> Iterator[Any]:
        """What is kept, as it was given to `keep`."""
        with pa.OSFile(str(self.path)) as source:
            file = pa.ipc.open_file(source)
            for i in range(file.num_record_batches):
                yield pa.Table.from_batches([file.get_batch(i)])

    def keep(self, tables: Iterator[Any]) -> Iterator[Any]:
        """The same tables, written down as they pass; a cache only if all of them did."""
        before = self.identity()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(
                f"{self.path.parent}: cannot be written: {error.strerror}: choose another folder "
                "(cache=…), or none (cache=False)."
            ) from error
        with replace_whole(self.path) as temporary, pa.OSFile(str(temporary), "wb") as sink:
            writer = None
            for table in tables:
                if writer is None:
                    schema = table.schema.with_metadata({b"source": before})
                    writer = pa.ipc.new_file(sink, schema)
                writer.write_table(table.replace_schema_metadata({b"source": before}))
                yield table
            if writer is None:
                raise FileError(f"{self.source}: no rows.")
            writer.close()
        if self.identity() != before:
            self.remove()
            raise FileError(f"{self.source}: changed while it was read.")

    def remove(self) -> None:
        """Remove the cache, if there is one."""
        with suppress(FileNotFoundError):
            self.path.unlink()


class Kept(NamedTuple):
    """What a scan may keep on disk: the cache of its text, and a folder for other files."""

    cache: Cache | None
    folder: Path | None
