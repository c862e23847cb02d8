"""The entry point: every command, none of whose work is imported before it is asked for."""

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
from novikoff.cli.command import app
from novikoff.cli.screen import install_ascii_fallback

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
    app(prog_name="novikoff")
