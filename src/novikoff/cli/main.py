"""The entry point: every command, none of whose work is imported before it is asked for."""

import sys

import typer

from novikoff.cli import (
    check,
    datasets,
    demo,
    diagnose,
    fewest,
    fit,
    lab,
    mcp,
    plot,
    predict,
    probe,
    prove,
    show,
    stream,
    trace,
    verify,
)
from novikoff.cli.command import app, show_errors
from novikoff.cli.screen import Screen, install_ascii_fallback

__all__ = [
    "app",
    "check",
    "datasets",
    "demo",
    "diagnose",
    "fewest",
    "fit",
    "lab",
    "mcp",
    "plot",
    "predict",
    "probe",
    "prove",
    "run",
    "show",
    "stream",
    "trace",
    "verify",
]


def run() -> None:
    """What the shell calls."""
    install_ascii_fallback()
    try:
        with show_errors(Screen(), debug=False):  # also of what is no command, such as --version
            app(prog_name="novikoff")
    except typer.Exit as left:
        sys.exit(left.exit_code)
