"""`novikoff lab`: the page on which points, runs and proofs can be watched."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novikoff.cli.command import command
from novikoff.cli.options import Output
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.lab.guard import Address


@command
def lab(
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, max=65535, help="Where to listen (default: 8650, or any free one)."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="The address to bind to. Other machines then need a token, which is part of the "
            "printed address.",
        ),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write the lab as files for any web server, and stop. It then runs in the "
            "browser alone, for points in one or two columns.",
        ),
    ] = None,
    *,
    output: Output,
) -> None:
    """Watch it prove itself: a local page with points, runs, verdicts and a guided tour.

    Data that is dropped on the page stays in the memory of this machine and is not written
    anywhere. End it with Ctrl-C. Needs the extra: pip install "novikoff[lab]".
    """
    from novikoff.errors import MissingDependencyError

    try:
        from novikoff.lab.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("novikoff"):
            raise
        raise MissingDependencyError(
            f"the lab needs the package {error.name!r}: pip install 'novikoff[lab]'."
        ) from error
    screen = Screen(output.json, output.quiet)
    if export is not None:
        from novikoff.lab.export import export as write

        files = write(export)
        screen.show(f"The lab is in {export}/: {len(files)} files for any web server.")
        screen.document({"folder": str(export), "files": [str(file) for file in files]})
        return

    def ready(address: "Address") -> None:
        screen.show(f"The lab is at {address.url} (end it with Ctrl-C)")
        screen.document({"url": address.url, "host": address.host, "port": address.port})

    serve(host, port, ready=ready, browser=browser)
