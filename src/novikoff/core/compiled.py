"""How loops are compiled: the one place where Numba is configured.

Flags: no `fastmath` as a whole. `nnan` and `ninf` would break the checks on bad input, and a
reassociated update would break the promise of equal bits. Only a sum whose error bound holds for
every order of summation may be reassociated: such a function is a `summation`.

What is done once a row must be called with arrays held in local names: taking them out of a
NamedTuple inside the loop counts references each time (a factor of 3).

Machine code is kept on disk (`machine_code.py`), so a loop is compiled once a machine. When that
takes over a second, the logger "novikoff" says so.
"""

import _signal  # type: ignore[import-not-found]  # `signal` wraps it and takes 26 µs a call
import logging
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event
from numba.core.registry import CPUDispatcher

from novikoff.core.machine_code import keep_machine_code

__all__ = ["kernel", "summation"]

P = ParamSpec("P")
R = TypeVar("R")

SECONDS_BEFORE_SAYING_SO = 1.0
COMPILING = "numba.core.dispatcher"  # the module that is entered when there is no machine code yet
WHERE_ERRORS_ARE_DROPPED = ("_raw_object_cache_notify", "_raw_object_cache_getbuffer", "__del__")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function`, keep the machine code on disk, and release the GIL while it runs."""
    return _compile(function, fastmath=False)


def summation(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel whose sums may be taken in any order, so that they can use vector registers."""
    return _compile(function, fastmath={"reassoc", "contract", "nsz"})


def _compile(function: Callable[P, R], fastmath: bool | set[str]) -> Callable[P, R]:
    compiled = numba.njit(nogil=True, error_model="numpy", fastmath=fastmath)(function)
    keep_machine_code(compiled)
    returns_arrays = function.__annotations__.get("return") not in (int, float, bool, None)
    compiled.__class__ = _InterruptedAfterReturn if returns_arrays else _Kernel
    return cast("Callable[P, R]", compiled)


class _Kernel(CPUDispatcher):
    """A compiled function; Ctrl-C while it is being compiled is not lost.

    LLVM calls back into Python when machine code is ready, and what a handler raises in there is
    printed and dropped: it is the first Python code after the longest part of compiling. The same
    is true of `__del__`. A signal that is handled in one of them waits until the code is compiled.
    """

    def compile(self, sig: Any) -> Any:
        """Compile for a signature; then do what a signal asked for where nobody would hear it."""
        handler = _signal.getsignal(_signal.SIGINT)
        if not callable(handler) or threading.current_thread() is not threading.main_thread():
            return super().compile(sig)
        waiting: list[int] = []

        def hear(number: int, frame: FrameType | None) -> None:
            above = frame
            while above is not None and above.f_code is not _Kernel.compile.__code__:
                if above.f_code.co_name in WHERE_ERRORS_ARE_DROPPED:
                    waiting.append(number)
                    return
                above = above.f_back
            handler(number, frame)

        _signal.signal(_signal.SIGINT, hear)
        try:
            return super().compile(sig)
        finally:
            _signal.signal(_signal.SIGINT, handler)
            if waiting:
                handler(waiting[0], sys._getframe())


class _InterruptedAfterReturn(_Kernel):
    """A compiled function that returns arrays, and lets Ctrl-C wait until it has returned them.

    Numba runs Python code to make arrays and tuples of what a loop returns. A handler that raises
    in there leaves a SystemError, or a crash: Numba does not expect it. What is being compiled is
    interrupted as ever.
    """

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function; then do what a signal asked for in the meantime."""
        handler = _signal.getsignal(_signal.SIGINT)
        if not callable(handler) or threading.current_thread() is not threading.main_thread():
            return super().__call__(*arguments)
        waiting: list[int] = []

        # It knows this frame by its code: holding it would keep the arguments alive in a cycle.
        def wait(number: int, frame: FrameType | None) -> None:
            while frame is not None and not _is_called_here(frame):
                frame = frame.f_back
            if frame is not None and frame.f_globals.get("__name__") == COMPILING:
                handler(number, frame)
            else:
                waiting.append(number)

        _signal.signal(_signal.SIGINT, wait)
        try:
            return super().__call__(*arguments)
        finally:
            _signal.signal(_signal.SIGINT, handler)
            if waiting:
                handler(waiting[0], sys._getframe())


def _is_called_here(frame: FrameType) -> bool:
    """Whether this is the frame of what a compiled function has called."""
    called_by = frame.f_back
    return called_by is not None and called_by.f_code is _InterruptedAfterReturn.__call__.__code__


class _Announcer(event.Listener):
    """Says, once a process, that compiling is what takes so long."""

    def __init__(self) -> None:
        self.started: float | None = None
        self.said = False

    def on_start(self, event: Any) -> None:
        if self.said or not event.data["dispatcher"].__module__.startswith("novikoff"):
            return
        now = time.monotonic()
        self.started = self.started or now
        if now - self.started > SECONDS_BEFORE_SAYING_SO:
            self.said = True
            logging.getLogger("novikoff").warning(
                "Compiling loops for this machine, once; they are kept on disk for the next time."
            )

    def on_end(self, event: Any) -> None:
        """Nothing to say."""


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]
