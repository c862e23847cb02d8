"""What the whole suite needs: compiled loops, before several processes ask for the same ones."""

import subprocess
import sys

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Compile everything that commands use, where tests run in parallel (the rest has time)."""
    if getattr(config.option, "numprocesses", None):
        subprocess.run([sys.executable, "-m", "novikoff", "warm-up", "--quiet"], check=True)
