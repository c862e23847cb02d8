"""Compiled code is kept, and never older than any source that it was made from."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import novikoff
from novikoff.core.machine_code import PACKAGE, sources_of_compiled_code

# Prints the norm of (3, 4) from `exact/signs.py`, which calls `rows.py`, and what was compiled.
PROGRAM = """
import numpy as np
from numba.core import event

compiled = []

class Listener(event.Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].__name__)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
from novikoff.exact.signs import row_norm
print(round(row_norm(np.array([[3.0, 4.0]]), 0, 0.0), 6), len(compiled))
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the package's sources, to edit."""
    source = Path(novikoff.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, tmp_path / "novikoff", ignore=ignored)
    return tmp_path


def run(house: Path, **environment: str) -> tuple[float, int]:
    environment = {**os.environ, "PYTHONPATH": str(house), **environment}
    environment.setdefault("NUMBA_CACHE_DIR", "")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    norm, compiled = done.stdout.split()
    return float(norm), int(compiled)


def test_an_edited_callee_is_compiled_again_and_an_edited_command_is_not(house: Path) -> None:
    norm, compiled = run(house)
    assert norm == 5.0
    assert compiled > 0
    assert run(house) == (5.0, 0)

    command = house / "novikoff" / "cli" / "main.py"
    command.write_text(command.read_text("utf-8") + "\n# edited\n", "utf-8")
    assert run(house) == (5.0, 0)

    # (3, 4) has squared norm 25; with 11 more it is 36. The caller's file stays as it is.
    rows = house / "novikoff" / "matrix" / "rows.py"
    text = rows.read_text("utf-8")
    edited = text.replace(
        "total += x * x\n    return total", "total += x * x\n    return total + 11"
    )
    assert edited != text
    rows.write_text(edited, "utf-8")
    norm, compiled = run(house)
    assert norm == 6.0
    assert compiled > 0
    assert len({path.name.split(".")[-3] for path in house.rglob("*.nbc")}) == 1  # one stamp


def test_without_a_place_to_write_it_compiles_every_time(house: Path) -> None:
    nowhere = house / "a file, not a folder"
    nowhere.touch()
    for folder in (house / "novikoff").rglob("*"):
        if folder.is_dir():
            (folder / "__pycache__").touch()  # in the way of the folder of that name
    (house / "novikoff" / "__pycache__").touch()
    home = {"HOME": str(nowhere), "XDG_CACHE_HOME": str(nowhere), "LOCALAPPDATA": str(nowhere)}
    norm, compiled = run(house, **home)
    assert norm == 5.0
    assert compiled > 0


def test_the_stamp_covers_what_loops_import_and_not_what_imports_them() -> None:
    names = {path.relative_to(PACKAGE).as_posix() for path in sources_of_compiled_code()}
    assert {
        "matrix/rows.py",
        "exact/signs.py",
        "learners/perceptron.py",
        "learners/status.py",
    } <= names
    assert not any(name.startswith(("cli/", "figures/", "report/")) for name in names)
