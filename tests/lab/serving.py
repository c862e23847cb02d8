"""A lab that really runs: the command, in a process of its own, on a free port."""

import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager

STARTING = 120.0


class Serving:
    """The process, what it said, and where it answers."""

    def __init__(self, *options):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "novikoff", "lab", "--no-browser", "--json"]
        self.process = subprocess.Popen(
            [*command, "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        watchdog = threading.Timer(STARTING, self.process.kill)
        watchdog.start()
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.rstrip() == "}":
                break
        watchdog.cancel()
        assert lines, self.process.stderr.read()
        said = json.loads("".join(lines))
        self.url, self.port = said["url"], said["port"]

    def stop(self):
        """Interrupt it as Ctrl-C does, and say how it ended."""
        self.process.send_signal(2)
        try:
            _, errors = self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, errors


@contextmanager
def serving(*options):
    """A lab for the length of a block."""
    lab = Serving(*options)
    try:
        yield lab
    finally:
        if lab.process.poll() is None:
            lab.stop()
