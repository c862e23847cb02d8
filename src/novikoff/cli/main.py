"""The entry point: every command, none of whose work is imported before it is asked for."""

from novikoff.cli import check, datasets, fit, predict, verify
from novikoff.cli.command import app

__all__ = ["app", "check", "datasets", "fit", "predict", "run", "verify"]


def run() -> None:
    """What the shell calls."""
    app()
