"""What a user meets first: the version, what is loaded and compiled, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest
from numba.core import event
from tests.cli.shell import inside, novikoff

import novikoff as package

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


class Compiled(event.Listener):
    """Notes what is compiled, rather than loaded."""

    def __init__(self):
        self.names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].__name__)

    def on_end(self, event):
        pass


COMMANDS = (
    "check dataset:xor",
    "check dataset:breast-cancer --report page.html --certificate proof.json",
    "verify proof.json dataset:breast-cancer",
    "check dataset:moons --lift degree=3",
    "check dataset:fibonacci-20 --exact",
    "fit dataset:digits-1-8 --holdout 0.2 --seed 1",
    "fit dataset:moons --learner pocket --class-weight balanced --no-ratchet --model model",
    "predict model dataset:moons --out labels.csv",
    "fit dataset:wine --learner averaged --max-iter 20",
    "fit dataset:wine --learner voted --max-iter 20 --order shuffled",
    "fit dataset:moons --learner kernel --kernel poly --max-iter 20",
    "fit dataset:xor --learner network --seed 3",
    "fit dataset:iris-versicolor-virginica --arithmetic exact --order random --max-iter 50",
    "trace dataset:margin --order worst --out run.parquet",
    "plot convergence dataset:toy --out figure.svg",
    "plot regions dataset:moons --learner kernel --out figure.svg",
    "demo --out tour",
    "check rows.svm",
    "fit rows.svm --learner pocket",
)


@pytest.fixture(scope="module")
def warm():
    """Everything compiled, as `make demo` leaves it."""
    assert novikoff("warm-up").status == 0


@pytest.mark.filterwarnings("ignore:.*:sklearn.exceptions.ConvergenceWarning")
def test_nothing_is_compiled_after_the_warm_up(warm, tmp_path):
    (tmp_path / "rows.svm").write_text("1 1:2 3:1\n0 2:1\n1 3:4\n0 1:1 2:2\n", "utf-8")
    compiled = Compiled()
    with event.install_listener("numba:compile", compiled):
        for line in COMMANDS:
            done = inside(*line.split(), folder=tmp_path)
            assert done.status == 0, done.err
            assert compiled.names == [], line


def test_the_warm_up_is_done_once(warm):
    assert novikoff("warm-up", "--json").json == {"tasks": 0}


def interrupted(arguments, sign, cache):
    """Press Ctrl-C when the program has written `sign`; its status, and what came after."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache)},
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
@pytest.mark.parametrize(
    ("arguments", "sign"),
    [
        (["-X", "importtime", "-m", "novikoff", "check", "dataset:xor"], "numba.core.types"),
        (["-m", "novikoff", "check", "dataset:xor"], "Compiling loops"),
        (["-m", "novikoff", "warm-up"], "Compiling all loops"),
    ],
    ids=["loading", "compiling", "warming up"],
)
def test_ctrl_c_ends_the_program(arguments, sign, tmp_path):
    status, rest = interrupted(arguments, sign, tmp_path)
    assert status == 130
    assert "Traceback" not in rest
