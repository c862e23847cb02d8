"""Calls in a thread of their own: the same results and errors, and Ctrl-C is heard meanwhile."""

import signal
import subprocess
import sys

import numpy as np
import pytest

from novikoff.core.threads import run_in_thread


def test_the_result_and_the_errors_are_those_of_the_function():
    A = np.array([[2.0, 1.0], [1.0, 3.0]])
    assert np.array_equal(run_in_thread(np.linalg.inv, A), np.linalg.inv(A))
    with pytest.raises(np.linalg.LinAlgError):
        run_in_thread(np.linalg.cholesky, -A)
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        run_in_thread(np.exp, np.array([1e9]))


# Leaving in the ordinary way waits for OpenBLAS's own threads, which is not what is asked here.
LONG = """
import os
import numpy as np
from novikoff.core.threads import run_in_thread
A = np.random.default_rng(0).standard_normal((6000, 6000))
print("ready", flush=True)
try:
    run_in_thread(np.linalg.eigh, A + A.T)
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
"""


def test_ctrl_c_is_heard_while_lapack_works():
    """Eigenvectors that take minutes."""
    with subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout.readline() == "ready\n"
            with pytest.raises(subprocess.TimeoutExpired):
                child.wait(1.5)
            child.send_signal(signal.SIGINT)
            out, _ = child.communicate(timeout=60)
        finally:
            child.kill()
    assert out == "interrupted\n"
