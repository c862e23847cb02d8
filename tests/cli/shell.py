"""Commands as a user runs them, in another process; or, where that was shown, in this one."""

import json
import os
import subprocess
import sys
from contextlib import chdir, nullcontext
from dataclasses import dataclass

from typer.testing import CliRunner


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


def inside(*arguments, folder=None, stdin=None):
    """Run a command in this process: a second or two less than in one of its own."""
    from novikoff.cli.main import app

    with chdir(folder) if folder is not None else nullcontext():
        runner = CliRunner(env={"COLUMNS": "80"})
        given = [str(part) for part in arguments]
        result = runner.invoke(app, given, input=stdin, prog_name="novikoff")
    return Done(result.exit_code, result.stdout, result.stderr)
