"""Where only ASCII is known, words are spelled out before tables are laid out."""

import os
import subprocess
import sys

from novikoff.cli.plain import spell_out

ASCII = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C", "COLUMNS": "80"}


def test_a_panel_keeps_its_right_edge() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "novikoff", "check", "dataset:toy", "--no-explain"],
        env=os.environ | ASCII,
        capture_output=True,
        encoding="ascii",
        check=True,
    )
    panel = [line for line in done.stdout.splitlines() if line[:1] in "+|"]
    assert any("augmented margin gamma" in line for line in panel)
    assert any("R^2/gamma^2" in line for line in panel)
    assert len({len(line) for line in panel}) == 1


def test_mathematics_is_spelled_as_it_is_typed() -> None:
    assert spell_out("R²/γ² ≤ ‖ŵ‖") == "R^2/gamma^2 <= ||w^||"
