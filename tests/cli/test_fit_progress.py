"""What `novikoff fit` shows in a terminal while it runs."""

import os
import pty
import re
import select
import subprocess
import sys
import time

import numpy as np


def test_epochs_and_mistakes_are_shown_while_a_run_goes_on(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 5))
    np.save(tmp_path / "points.npy", np.column_stack([X, rng.integers(0, 2, 2000)]))
    command = [sys.executable, "-m", "novikoff", "fit", "points.npy", "--label", "5"]
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*command, "--max-iter", "200000"], cwd=tmp_path, stderr=slave, stdout=subprocess.DEVNULL
    ) as run:
        os.close(slave)
        shown, ends = b"", time.monotonic() + 60
        while b"epoch" not in shown and time.monotonic() < ends:
            if select.select([master], [], [], 1.0)[0]:
                shown += os.read(master, 4096)
        run.terminate()
    os.close(master)
    assert re.search(rb"training: perceptron, epoch [\d,]+, [\d,]+ mistakes in it", shown)
