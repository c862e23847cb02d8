"""What `check`, `fewest` and `diagnose` write beside their answer: a proof, and a page."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novikoff.cli.outputs import guard
from novikoff.cli.screen import Screen
from novikoff.files import write_text

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate

__all__ = ["Documents", "PlaneIntercept", "shown_command", "shown_name"]

PlaneIntercept = Annotated[
    bool,
    typer.Option(
        "--intercept/--no-intercept", metavar="", help="Whether the plane may miss the origin."
    ),
]


def shown_name(path: str) -> str:
    """A page goes to other people: it names a file, and not the folders of who made it."""
    return Path(path).name if Path(path).is_absolute() else path


def shown_command(line: str) -> str:
    """A command for a page, its files named so."""
    return shlex.join(map(shown_name, shlex.split(line)))


@dataclass(frozen=True)
class Documents:
    """Where the proof and the page go."""

    certificate: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write the proof there, as JSON.")
    ] = None
    report: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write a page for people there, as one HTML file."),
    ] = None

    def guard(self, file: str, force: bool) -> None:
        """Refuse, before any work is done, what would be written over something else."""
        guard({"--certificate": self.certificate, "--report": self.report}, [file], force)

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
