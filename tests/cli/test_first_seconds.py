"""What a user meets first: the version, what is loaded, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest
from tests.cli.shell import novikoff

import novikoff as package

pytestmark = pytest.mark.slow

PROGRAM = [sys.executable, "-m", "novikoff"]


def test_the_version_is_stated_once():
    done = subprocess.run([*PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"novikoff {package.__version__}\n"
    assert novikoff("--version").out == done.stdout


def test_small_data_is_decided_without_libraries_that_load_slowly(tmp_path):
    needless = ("matplotlib", "pandas", "scipy.linalg", "scipy.optimize", "scipy.sparse", "sklearn")
    code = (
        "import sys\n"
        "from novikoff.cli.main import app\n"
        "try: app(['check', 'dataset:xor', '--certificate', 'proof.json'])\n"
        "except SystemExit: pass\n"
        f"print([name for name in {needless!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "overlapping" in done.stdout
    assert done.stderr.splitlines()[-1] == "[]"


def interrupted(arguments, sign):
    """Press Ctrl-C when the program has written `sign`; its status, and what came after."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        for line in process.stderr:
            if sign in line:
                break
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of its processes
        rest = process.communicate(timeout=60)[1]
        for _ in range(100):
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                return process.returncode, rest
            time.sleep(0.1)
        pytest.fail("processes are left")
    finally:
        process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups of this kind")
def test_ctrl_c_while_libraries_are_loaded_ends_the_program():
    arguments = ["-X", "importtime", "-m", "novikoff", "check", "dataset:xor"]
    status, rest = interrupted(arguments, "numpy._core.multiarray")
    assert status == 130
    assert "Traceback" not in rest
