"""What a user meets first: the version, what is loaded and compiled, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from numba.core import event
from tests.cli import helps
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
    "fit rows.svm --learner averaged --order shuffled --max-iter 3",
    "fit many.csv --label y --max-iter 5",
    "fit many.svm --max-iter 5",
    "check wide.npz --label y --no-explain",
    "check wide.svm --no-explain",
    "fewest dataset:iris-versicolor-virginica --report page.html --force",
    "fewest rows.svm",
    "diagnose dataset:breast-cancer --label label",
    "diagnose dataset:wine --model multinomial --label label --certificate regression.json",
    "diagnose many.csv --model poisson --label y --features a,b",
    "prove dataset:xor --out xor.v",
    "stream many.csv --label y --classes 0,1 --learner averaged --window 50 --state kept",
    "stream rows.svm --classes 0,1 --learner pocket --model streamed",
    "predict streamed rows.svm --out labels.csv --force",
    "plot hulls dataset:xor --out figure.svg --force",
    "plot run dataset:toy --out run.gif",
    "datasets toy --out toy.csv",
    "probe many.npy --labels concepts.csv",
)
# What no file can be given to: a server, and what compiles by itself.
WITHOUT_LOOPS = {"lab", "warm-up"}


def test_every_command_is_tried_after_the_warm_up():
    tried = {line.split()[0] for line in COMMANDS}
    assert tried | WITHOUT_LOOPS == set(helps.COMMANDS) - {""}


def write_files(folder):
    (folder / "rows.svm").write_text("1 1:2 3:1\n0 2:1\n1 3:4\n0 1:1 2:2\n", "utf-8")
    rng = np.random.default_rng(1)
    X = rng.standard_normal((1500, 3)).round(3)
    y = (X[:, 0] + 0.3 * rng.standard_normal(1500) > 0).astype(int)
    lines = [f"{a},{b},{c},{label}" for (a, b, c), label in zip(X, y, strict=True)]
    (folder / "many.csv").write_text("\n".join(["a,b,c,y", *lines]), "utf-8")
    lines = [f"{label} 1:{a} 3:{c}" for (a, _, c), label in zip(X, y, strict=True)]
    (folder / "many.svm").write_text("\n".join(lines), "utf-8")
    np.save(folder / "many.npy", X.astype(np.float32))
    (folder / "concepts.csv").write_text("y\n" + "\n".join(map(str, y)), "utf-8")
    W = np.zeros((7000, 310))
    W[:, 0], W[:, 1] = rng.choice([-1.0, 1.0], 7000), rng.standard_normal(7000)
    np.savez(folder / "wide.npz", X=W, y=(W[:, 0] > 0).astype(int))
    lines = [f"{int(row[0] > 0)} 1:{row[0]} 2:{row[1]} 310:0.5" for row in W]
    (folder / "wide.svm").write_text("\n".join(lines), "utf-8")


@pytest.fixture(scope="module")
def warm():
    """Everything compiled, as `make demo` leaves it."""
    assert novikoff("warm-up").status == 0


@pytest.mark.filterwarnings("ignore:.*:sklearn.exceptions.ConvergenceWarning")
def test_nothing_is_compiled_after_the_warm_up(warm, tmp_path):
    write_files(tmp_path)
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
