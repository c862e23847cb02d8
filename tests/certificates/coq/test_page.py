"""docs/formal.md: its session, its script and its quotations are what they say."""

import re
import subprocess
import sys

import pytest
from tests.certificates.coq.coq import ROOT, coqc, needs_coq
from tests.cli.shell import novikoff

from novikoff.certificates.coq.theorem import whole_theory

PAGE = (ROOT / "docs" / "formal.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
SCRIPT = re.search(r"```python\n(import csv.*?)```", PAGE, re.DOTALL)[1]


def typed(command, folder):
    """What a command of the session prints."""
    program, *arguments = command.split()
    if program == "novikoff":
        done = novikoff(*arguments, folder=folder, columns=200)
        assert done.status == 0, done.err
        return done.out
    if program == "coqc":
        return coqc(folder / arguments[0]).stdout
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


@needs_coq
def test_the_session(tmp_path):
    (tmp_path / "compare.py").write_text(SCRIPT, encoding="utf-8")
    session = CONSOLE[0] + CONSOLE[1]
    for command, printed in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", session, re.MULTILINE):
        assert typed(command, tmp_path) == printed


def test_the_script_finds_a_row_that_is_another(tmp_path):
    (tmp_path / "compare.py").write_text(SCRIPT, encoding="utf-8")
    data = tmp_path / "data.csv"
    data.write_text("a,y\n0.1,no\n1e-20,no\n0.30,yes\n5,yes\n", encoding="utf-8")
    novikoff("prove", data, "--label", "y", "--out", tmp_path / "p.v")
    arguments = "python compare.py p.v data.csv y"
    assert typed(arguments, tmp_path).startswith("4 of 4 rows")
    data.write_text("a,y\n0.1,no\n1e-20,no\n0.31,yes\n5,yes\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        typed(arguments, tmp_path)


def test_what_is_quoted_stands_in_the_theory():
    plain = " ".join(whole_theory().split())
    for quoted in re.findall(r"```coq\n(.*?)```", PAGE, re.DOTALL):
        for statement in quoted.strip().split("\n\n"):
            for line in re.split(r"(?<=\.)\n(?=Definition)", statement):
                assert " ".join(line.split()) in plain
