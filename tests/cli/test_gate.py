"""The hooks for pre-commit, run as it runs them: entry, arguments, file."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
XOR, LINE = "x,z,y\n0,0,a\n0,1,b\n1,0,b\n1,1,a\n", "x,z,y\n0,0,a\n1,0,b\n2,1,b\n"


def entries():
    """The commands by the ids of their hooks."""
    lines = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8").splitlines()
    ids = [line.removeprefix("- id: ") for line in lines if line.startswith("- id: ")]
    commands = [line.partition("entry: ")[2] for line in lines if "entry: " in line]
    return dict(zip(ids, commands, strict=True))


@pytest.mark.parametrize(
    ("hook", "expected", "text", "status"),
    [
        ("novikoff-check", "overlapping", XOR, 0),
        ("novikoff-check", "overlapping", LINE, 1),
        ("novikoff-diagnose", "none", XOR, 0),
        ("novikoff-diagnose", "none", LINE, 1),
    ],
)
def test_a_hook_passes_what_is_expected_and_stops_what_is_not(
    tmp_path, hook, expected, text, status
):
    (tmp_path / "data.csv").write_text(text, "utf-8")
    command = shlex.split(entries()[hook])
    assert command[0] == "novikoff"
    asked = [*command[1:], "--label", "y", "--expect", expected, "data.csv"]
    done = subprocess.run([sys.executable, "-m", "novikoff", *asked], cwd=tmp_path, check=False)
    assert done.returncode == status
