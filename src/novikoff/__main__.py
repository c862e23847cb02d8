"""The program: `novikoff` and `python -m novikoff`."""

import gc
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130  # what a shell says of a program that Ctrl-C ended
SHOW_CURSOR = "\x1b[?25h"


def main() -> None:
    """Run the command that the arguments name; Ctrl-C ends it, whatever it is doing."""
    _open_what_is_closed()
    gc.set_threshold(200_000, 20, 100)  # starting makes much, and none of it is garbage
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as a shell starts a background job
        signal.signal(signal.SIGINT, _interrupt)
    try:
        from novikoff.cli.main import run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _open_what_is_closed() -> None:
    """Let standard input, output and error be the null device where they are closed.

    Python has None there; and the next file that is opened would get the number of standard output.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDWR)
            os.dup2(handle, number)
            if handle != number:
                os.close(handle)
            os.set_inheritable(number, True)
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # noqa: SIM115


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt where that is safe; leave at once where it is not.

    Modules that are half loaded cannot be unwound. Nothing has been written at such a time.
    """
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] == "importlib":
            if sys.stderr.isatty():
                sys.stderr.write(SHOW_CURSOR + "\n")
                sys.stderr.flush()
            os._exit(INTERRUPTED)
        frame = frame.f_back
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
