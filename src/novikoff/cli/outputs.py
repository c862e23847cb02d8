"""Where results go: never over what is read, and over a stranger's file only if told to."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from novikoff.errors import FileError
from novikoff.files import is_ours

__all__ = ["guard"]

STANDARD_INPUT = "/dev/stdin"  # leads to the file that the shell opened, if it is one


def guard(
    outputs: Mapping[str, str | Path | None], inputs: Sequence[str | Path], force: bool
) -> None:
    """Refuse, before any work is done, an output that would destroy something.

    `outputs` are the paths by the options that name them. A file that is read, or written by
    another option, is refused in any case, also through links and as standard input (`-`); a file
    that novikoff did not write is replaced with `force` only.
    """
    read = [STANDARD_INPUT if str(name) == "-" else name for name in inputs]
    taken: list[tuple[str, Path]] = [("the input", Path(name)) for name in read]
    for option, output in outputs.items():
        if output is None or str(output) == "-":
            continue
        path = Path(output)
        for what, other in taken:
            if _same(path, other):
                raise FileError(f"{option} {path}: this is {what}; write to another file.")
        if path.is_file() and not force and not is_ours(path):
            raise FileError(
                f"{option} {path}: this file is there already, and novikoff did not write it: "
                "choose another name, or replace it with --force."
            )
        taken.append((f"what {option} writes", path))


def _same(path: Path, other: Path) -> bool:
    """Whether two names are one file: by its number if it exists, else by where they lead."""
    try:
        return os.path.samefile(path, other)
    except OSError:
        return os.path.realpath(path) == os.path.realpath(other)
