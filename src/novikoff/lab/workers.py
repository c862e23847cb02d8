"""Where the engine computes: processes of its own, so that slow work can be stopped.

There are two pools. Verdicts, runs and steps have one to themselves, so that nobody who steps
through a run waits for somebody who trains a network. Work that takes too long is killed with its
process, and so is work whose reader has gone away.
"""

import asyncio
import multiprocessing
import os
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from pebble import ProcessExpired, ProcessPool

from novikoff.errors import NovikoffError
from novikoff.lab import limits
from novikoff.lab.engine.worker import answer, warm_up, warm_up_slow

__all__ = ["BusyError", "GoneError", "Pool", "TooSlowError", "Workers"]

PATIENCE = 0.5  # seconds until it is asked whether anybody still waits for an answer
FEWEST_PROCESSES, MOST_PROCESSES = 2, 4

Pool = Literal["quick", "slow"]


class TooSlowError(NovikoffError):
    """The work was stopped because it took longer than it may."""


class BusyError(NovikoffError):
    """More requests are waiting than may wait."""


class GoneError(NovikoffError):
    """Nobody waits for the answer any more."""


class Workers:
    """Both pools, and how work is given to them."""

    def __init__(
        self,
        *,
        slow_seconds: float = limits.SLOW_SECONDS,
        quick_processes: int | None = None,
        slow_processes: int = FEWEST_PROCESSES,
    ) -> None:
        if quick_processes is None:
            quick_processes = min(max(FEWEST_PROCESSES, os.cpu_count() or 1), MOST_PROCESSES)
        spawned = multiprocessing.get_context("spawn")
        self._seconds: dict[Pool, float] = {"quick": limits.QUICK_SECONDS, "slow": slow_seconds}
        self._pools: dict[Pool, ProcessPool] = {
            "quick": ProcessPool(quick_processes, context=spawned, initializer=warm_up),
            "slow": ProcessPool(slow_processes, context=spawned, initializer=warm_up_slow),
        }
        self._waiting = 0
        self._open = True
        # Those that everybody needs first: the others would take the processor from them.
        ready = self._pools["quick"].schedule(warm_up)
        ready.add_done_callback(lambda _: self._start_slow())

    def _start_slow(self) -> None:
        if self._open:
            self._pools["slow"].schedule(warm_up_slow)

    async def ask(
        self, pool: Pool, name: str, *asked: Any, gone: Callable[[], Awaitable[bool]]
    ) -> tuple[int, str]:
        """The engine's answer; `gone` is asked now and then whether the reader has left."""
        if self._waiting >= limits.WAITING:
            raise BusyError
        self._waiting += 1
        future = self._pools[pool].schedule(
            answer, args=(name, *asked), timeout=self._seconds[pool]
        )
        try:
            waiting = asyncio.wrap_future(future)
            while not (await asyncio.wait({waiting}, timeout=PATIENCE))[0]:
                if await gone():
                    raise GoneError
            return waiting.result()
        except TimeoutError as error:
            raise TooSlowError(f"{self._seconds[pool]:g}") from error
        except ProcessExpired as error:
            raise GoneError from error
        finally:
            future.cancel()  # type: ignore[no-untyped-call]  # stops it if it is still at work
            self._waiting -= 1

    def stop(self) -> None:
        """End all processes."""
        self._open = False
        for pool in self._pools.values():
            pool.stop()  # type: ignore[no-untyped-call]
        for pool in self._pools.values():
            pool.join()
