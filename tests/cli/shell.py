"""Commands as a user runs them: another process, a folder of its own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Done:
    """What a process left: its status and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def novikoff(*arguments, folder=None, stdin=None, columns=80, **environment):
    """Run a command; `stdin` is text or bytes for its standard input."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    process = subprocess.run(
        [sys.executable, "-m", "novikoff.cli", *map(str, arguments)],
        cwd=folder,
        input=data,
        stdin=subprocess.DEVNULL if data is None else None,
        capture_output=True,
        timeout=120,
        env=os.environ | {"COLUMNS": str(columns), "TERMINAL_WIDTH": str(columns)} | environment,
        check=False,
    )
    return Done(process.returncode, process.stdout.decode(), process.stderr.decode())
