"""What the whole suite needs: compiled code that is not older than its source."""

from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "novikoff"


def pytest_configure(config: pytest.Config) -> None:
    """Drop compiled code that is older than any source file that is compiled.

    Numba looks at the file of the function it compiled, not at the files of what that function
    calls: after a change in `rows.py` the loop in `perceptron.py` would still run the old code.
    """
    if hasattr(config, "workerinput"):  # one process is enough
        return
    compiled = [
        path for path in SOURCE.rglob("*.py") if "novikoff.compiled" in path.read_text("utf-8")
    ]
    newest = max(path.stat().st_mtime for path in compiled)
    for path in SOURCE.rglob("__pycache__/*.nb[ci]"):
        if path.stat().st_mtime < newest:
            path.unlink(missing_ok=True)
