"""The docs show the help of every command, and it is what the commands print."""

import subprocess
import sys
from importlib.metadata import version

import pytest
from tests.cli.helps import COMMANDS, PAGE, START, helps

from novikoff.cli.main import app

pytestmark = pytest.mark.slow


def test_every_command_is_on_the_page():
    registered = {
        command.callback.__name__.replace("_", "-") for command in app.registered_commands
    }
    assert registered == set(COMMANDS) - {""}


PINNED = (PAGE.parents[1] / "constraints.txt").read_text("utf-8").splitlines()
LAID_OUT = [f"{name}=={version(name)}" in PINNED for name in ("typer", "rich")]


@pytest.mark.skipif(not all(LAID_OUT), reason="another version of Typer or Rich lays it out anew")
def test_the_page_has_the_help_of_every_command():
    shown = PAGE.read_text(encoding="utf-8").partition(START)[2]
    assert shown.strip() == helps().strip(), "run: python -m tests.cli.helps"


def test_help_imports_nothing_heavy():
    heavy = ("numpy", "pyarrow", "sklearn", "matplotlib", "scipy", "pandas")
    code = (
        "import sys\n"
        "from novikoff.cli.main import app\n"
        "try: app(['check', '--help'])\n"
        "except SystemExit: pass\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stderr.decode().strip() == "[]"


def test_no_help_begins_in_the_middle_of_a_sentence():
    shown = PAGE.read_text(encoding="utf-8").partition(START)[2]
    for riddle in ("dice", "  Of a ", "  Of the ", "whose;", "One of them."):
        assert riddle not in shown
