"""Certificates and reports that commands write beside their answer.

A command refuses to overwrite its input, or a file that novikoff did not write, without --force.
"""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novikoff.cli.screen import Screen
from novikoff.core.files import is_ours, refuse_no_name, write_text
from novikoff.errors import FileError

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate

STANDARD_INPUT = "/dev/stdin"  # leads to the file that the shell opened, if it is one


def refuse_overwrite(
    outputs: Mapping[str, str | Path | None], inputs: Sequence[str | Path], force: bool
) -> None:
    """Refuse, before any work is done, an output that would destroy something.

    `outputs` are the paths by the options that name them. A file that is read, or written by
    another option, is refused in any case, also through links and as standard input (`-`); a file
    that novikoff did not write is replaced with `force` only.
    """
    for name in (*inputs, *filter(None, outputs.values())):
        refuse_no_name(name)
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


PlaneIntercept = Annotated[
    bool,
    typer.Option(
        "--intercept/--no-intercept", metavar="", help="Whether the hyperplane has an intercept."
    ),
]


def shown_name(path: str) -> str:
    """The name of a file for a shared page: without the folders of an absolute path."""
    return Path(path).name if Path(path).is_absolute() else path


def shown_command(line: str) -> str:
    """A command for a shared page, its files named so."""
    return shlex.join(map(shown_name, shlex.split(line)))


@dataclass(frozen=True)
class Documents:
    """Where the proof and the page go."""

    certificate: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write the proof there, as JSON.")
    ] = None
    report: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write a report there, as one HTML file."),
    ] = None

    def refuse_overwrite(self, file: str, force: bool) -> None:
        """Refuse, before any work is done, what would be written over something else."""
        refuse_overwrite(
            {"--certificate": self.certificate, "--report": self.report}, [file], force
        )

    def verify_command(self, arguments: list[str]) -> str:
        """What to type to have the certificate checked, also where none was asked for."""
        where = str(self.certificate or "certificate.json")
        return shlex.join(["novikoff", "verify", where, *arguments])

    def write_certificate(
        self, certificate: "Certificate", arguments: list[str], screen: Screen
    ) -> None:
        """Write the proof where it was asked for, and say how it is checked."""
        if self.certificate is not None:
            write_text(self.certificate, certificate.to_json())
            check = f"({self.verify_command(arguments)})"
            screen.say(f"certificate: {self.certificate}", command=check)

    @property
    def paths(self) -> dict[str, str | None]:
        """What was written, for the JSON of a command."""
        paths = {"certificate": self.certificate, "report": self.report}
        return {name: None if path is None else str(path) for name, path in paths.items()}
