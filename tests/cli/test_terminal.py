"""Terminals and pipes: colours, progress, interrupts, a reader that leaves, a disk that is full."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.shell import novikoff
from tests.cli.terminal import in_a_terminal
from typer.testing import CliRunner

from novikoff.cli.main import app

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "novikoff.cli"]


def printed_in_a_terminal(*arguments, **environment):
    """What a command that ends well prints in a terminal."""
    printed, status = in_a_terminal(80, *arguments, **environment)
    assert status == 0
    return printed


def test_colours_in_a_terminal_only():
    assert b"\x1b[1m" in printed_in_a_terminal("check", "dataset:xor")
    assert b"\x1b[31m" not in printed_in_a_terminal("check", "dataset:xor", NO_COLOR="1")
    assert "\x1b" not in novikoff("check", "dataset:xor").out


def test_a_note_stands_on_a_line_of_its_own_while_something_moves():
    overlapping = "dataset:iris-versicolor-virginica"
    printed = printed_in_a_terminal("fit", overlapping, "--max-iter", "2").decode()
    before, note, _ = printed.partition("note: It stopped after max_iter")
    assert note
    last = before.rsplit("\n", 1)[-1].rsplit("\r", 1)[-1]
    assert "training" not in last  # else the note would hang on the spinner


def test_nothing_moves_in_a_pipe():
    done = novikoff("fit", "dataset:toy")
    assert (done.status, done.err) == (0, "")
    assert "\r" not in done.out
    assert "\x1b" not in done.out


@pytest.mark.parametrize("options", [("--json",), ()])
def test_a_reader_that_leaves(options):
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as nobody:
        done = subprocess.run(
            [*COMMAND, "datasets", *options], stdout=nobody, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("asked", ["datasets", "--version"])
def test_standard_output_is_full(asked):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, asked], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"novikoff: standard output: No space left on device.\n"


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    lines = "".join(f"{i},{i % 7},{i % 2}\n" for i in range(20_000))
    (tmp_path / "m").write_text("old")
    process = subprocess.Popen(
        [
            *COMMAND,
            "fit",
            "-",
            "--label",
            "y",
            "--max-iter",
            "100000000",
            "--model",
            "m",
            "--force",
        ],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # More than a pipe holds: when it is written, the command is there and reads.
    process.stdin.write(f"a,b,y\n{lines}".encode())
    process.stdin.close()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)
    with process.stdout as out_pipe, process.stderr as err_pipe:
        out, err = out_pipe.read(), err_pipe.read()
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert out == b""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m"]
    assert (tmp_path / "m").read_text() == "old"


class TestArguments:
    """What the parser of arguments says, without a process for each."""

    runner = CliRunner()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["nope"], "No such command 'nope'"),
            (["check"], "Missing argument 'FILE'"),
            (["check", "x.csv", "--nope"], "No such option: --nope"),
            (["fit", "x.csv", "--learner", "nope"], "nope"),
            (["fit", "x.csv", "--max-iter", "many"], "'--max-iter'"),
            (["plot", "nope"], "nope"),
        ],
    )
    def test_usage(self, arguments, message):
        result = self.runner.invoke(app, arguments)
        assert result.exit_code == 2
        assert message in result.output


@pytest.mark.parametrize(
    ("words", "completed"),
    [("novikoff ver", "verify"), ("novikoff check dataset:iris-v", "dataset:iris-versicolor-")],
)
def test_completion(words, completed):
    script = Path(sys.executable).with_name("novikoff")
    asked = {
        "_NOVIKOFF_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    done = subprocess.run([script], env=os.environ | asked, capture_output=True, check=False)
    assert done.stdout.decode().startswith(completed)
