"""Where only ASCII is known, words are spelled out before tables are laid out."""

import os
import subprocess
import sys

import pytest

from novikoff.cli.screen import spell_out

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


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("ŵ*·ŵ ≥ kγ", "w^* * w^ >= k gamma"),
        ("Σ cᵢyᵢx̂ᵢ = 0", "sum c_i y_i x^_i = 0"),
        ("Σ αyx̂ = 0", "sum alpha yx^ = 0"),
        ("√k·γ/R", "sqrt k*gamma/R"),
        ("10¹² · x₁₂", "10^12 * x_12"),
        ("+∞, −∞", "+infinity, -infinity"),
    ],
)
def test_names_do_not_run_into_letters(text: str, spelled: str) -> None:
    assert spell_out(text) == spelled


def test_the_same_where_a_stream_spells_by_itself() -> None:
    shown = ascii("kγ, Σ αᵢyᵢ, γR")
    line = f"from novikoff.cli.screen import install_ascii_fallback as s; s(); print({shown})"
    done = subprocess.run(
        [sys.executable, "-c", line],
        env=os.environ | ASCII,
        capture_output=True,
        encoding="ascii",
        check=True,
    )
    assert done.stdout == "k gamma, sum alpha_i y_i, gamma R\n"
