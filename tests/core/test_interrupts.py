"""Ctrl-C in the middle of one call of the extension: heard at once, and nothing half done."""

import signal
import subprocess
import sys

import pytest

# A second and more in one call; an interval timer is as good as a key.
PROGRAM = """
import signal, time
import numpy as np
from novikoff import _core

data, state = np.zeros(1 << 29, np.uint8), np.zeros(8, np.uint32)
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.1)
began = time.process_time()
try:
    _core.sha256_update(state, data)
except KeyboardInterrupt:
    print(time.process_time() - began < 0.5, state.any())
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no interval timers")
def test_one_long_call_hears_a_signal():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "False"], done.stderr
