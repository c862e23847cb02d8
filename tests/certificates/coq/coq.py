"""Coq, as the tests use it: the real coqc, on files, in a process of its own."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CLOSED = "Closed under the global context"
REQUIRED = (
    "Require Import ZArith QArith List Novikoff.\nImport ListNotations.\nOpen Scope Q_scope.\n"
)

# Without Coq these tests are left out, except where changes are decided upon: there they fail.
needs_coq = pytest.mark.skipif(
    shutil.which("coqc") is None and os.environ.get("CI") != "true",
    reason="coqc is not installed (apt-get install coq), so no theorem was checked",
)


def coqc(file: Path) -> subprocess.CompletedProcess[str]:
    """Check a file, in its own folder."""
    return subprocess.run(
        ["coqc", "-Q", ".", "", file.name],
        cwd=file.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def accepted(folder: Path, name: str, text: str) -> None:
    """Coq accepts this text, or the test fails with what Coq says."""
    file = folder / f"{name}.v"
    file.write_text(text, encoding="utf-8")
    done = coqc(file)
    assert done.returncode == 0, done.stdout + done.stderr


def after_theory(text: str) -> str:
    """A proof without the theory it holds, for a file that requires the compiled theory."""
    return text[text.index("(* ** Data *)") :]


def in_module(name: str, text: str, *, holds: bool) -> str:
    """One theorem of many in a file: Coq must accept it, or must refuse it."""
    body = after_theory(text).replace("Print Assumptions answer.\n", "")
    if not holds:
        body = body.replace("Qed.\n", "Fail Qed.\nAbort.\n")
    return f"Module {name}.\n{body}\nEnd {name}.\n"
