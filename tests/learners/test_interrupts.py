"""Ctrl-C in the middle of long compiled work: a real process, a real signal, an end."""

import signal
import subprocess
import sys

import pytest

PREPARED = """
import warnings; warnings.simplefilter("ignore")
import numpy as np
import novikoff
rng = np.random.default_rng(0)
X, y = rng.normal(size=(200_000, 4)), rng.integers(0, 2, 200_000)
small = slice(0, 40)
"""
# Each would take minutes to hours; the first call compiles, and says that the long one begins.
LONG = {
    "worst": "call = lambda n: novikoff.Perceptron(order='worst', max_iter=9).fit(X[n], y[n])",
    "trace of worst": "call = lambda n: novikoff.trace(X[n], y[n], order='worst', max_iter=9)",
    "epochs": "call = lambda n: novikoff.Perceptron(max_iter=len(X[n]) ** 2).fit(X[n], y[n])",
    "pocket": (
        "call = lambda n: novikoff.PocketPerceptron(max_iter=len(X[n]), random_state=0)"
        ".fit(X[n], y[n])"
    ),
    "subnormal": (
        "call = lambda n: novikoff.Perceptron(max_iter=len(X[n]) ** 2, fit_intercept=False)"
        ".fit(X[small] * 1e-310, y[small])"
    ),
    "exact system": (
        "import flint\nfrom novikoff.exact.lifting import solve_exactly\n"
        "bits = rng.integers(0, 1 << 60, (400, 400, 30))\n"
        "rows = [[sum(int(b) << (60 * k) for k, b in enumerate(x)) for x in row] for row in bits]\n"
        "call = lambda n: solve_exactly("
        "flint.fmpz_mat([row[n] for row in rows[n]]), [1] * len(rows[n]), lambda: None)"
    ),
    "margin": (
        "wide, sides = rng.normal(size=(2800, 2700)), y[:2800]\n"
        "verdicts = {n.stop: novikoff.separate(wide[n], sides[n]) for n in (small, slice(None))}\n"
        "call = lambda n: verdicts[n.stop].margin"
    ),
    "explanation": (
        "wide, sides = rng.normal(size=(2800, 2700)), y[:2800]\n"
        "call = lambda n: novikoff.explain_verdict(novikoff.separate(wide[n], sides[n]))"
    ),
    "fewest errors": "call = lambda n: novikoff.fewest_errors(X[n], y[n])",
    "votes": (
        "voted = novikoff.VotedPerceptron(max_iter=9).fit(X[:20_000], y[:20_000])\n"
        "call = lambda n: voted.predict(X[n])"
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_it_stops_when_asked_to(name):
    program = (
        f"{PREPARED}{LONG[name]}\n"
        "call(small)\n"
        "print('ready', flush=True)\n"
        "try:\n    call(slice(None))\n    print('done', flush=True)\n"
        "except KeyboardInterrupt:\n    print('interrupted', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.7)  # it is well under way
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert out == "interrupted\n"


RETURNING_ARRAYS = """
import os, signal, threading
from collections import Counter
from typing import NamedTuple
import numpy as np
from novikoff.core.compiled import kernel

class Two(NamedTuple):
    first: np.ndarray
    second: np.ndarray

@kernel
def busy(n: int) -> float:
    total = 0.0
    for i in range(n):
        total += np.sin(1.0 * i)
    return total

@kernel
def arrays(n: int) -> tuple[np.ndarray, np.ndarray]:
    return np.full(3, busy(n)), np.full(3, 1.0)

@kernel
def named(n: int) -> Two:
    return Two(np.full(3, busy(n)), np.full(3, 1.0))

ended = Counter()
for function in (arrays, named):
    function(3)
    for _ in range(6):
        timer = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            function(20_000_000)
            timer.join()
        except BaseException as error:
            ended[type(error).__name__] += 1
        timer.join()
print(dict(ended), signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_a_loop_that_returns_arrays_is_interrupted_after_them():
    """Numba runs Python code to make them: an exception in there crashed the process."""
    done = subprocess.run(
        [sys.executable, "-c", RETURNING_ARRAYS], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "{'KeyboardInterrupt': 12} True\n"), done.stderr


COMPILING = """
import signal
from numba.core import codegen

hook = codegen.CPUCodeLibrary._object_compiled_hook.__func__

def struck(cls, module, buffer):
    hook(cls, module, buffer)
    signal.raise_signal(signal.SIGINT)

codegen.CPUCodeLibrary._object_compiled_hook = classmethod(struck)
import numpy as np
from novikoff.core.compiled import kernel

@kernel
def number(n: int) -> float:
    return 1.0 * n

@kernel
def array(n: int) -> np.ndarray:
    return np.full(3, 1.0 * n)

for function in (number, array):
    try:
        function(3)
        print("not heard")
    except KeyboardInterrupt:
        print("interrupted")
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_ctrl_c_is_heard_when_llvm_calls_back(tmp_path):
    """Python dropped it there, and Numba went on, or ended with an error of its own."""
    source = tmp_path / "compiling.py"  # what is kept on disk is not compiled
    source.write_text(COMPILING)
    done = subprocess.run([sys.executable, source], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("interrupted\ninterrupted\nTrue\n", "")
