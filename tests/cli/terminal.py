"""A command in a real terminal of so many columns."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import threading


def in_a_terminal(width, *arguments, folder=None, parts=None, **environment):
    """What a command prints in a terminal of so many columns, and how it ended.

    Its input is the terminal, or a pipe that takes `parts` one after the other.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    size = {"COLUMNS", "LINES"}
    kept = {name: value for name, value in os.environ.items() if name not in size}
    process = subprocess.Popen(
        [sys.executable, "-m", "novikoff", *map(str, arguments)],
        stdin=theirs if parts is None else subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=kept | {"TERM": "xterm-256color"} | environment,
    )
    os.close(theirs)
    if parts is not None:
        threading.Thread(target=_write, args=(process.stdin, parts), daemon=True).start()
    printed = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        printed += piece
    os.close(ours)
    return printed, process.wait(timeout=60)


def _write(pipe, parts):
    with pipe:
        for part in parts:
            pipe.write(part.encode())
            pipe.flush()
