"""Pools of worker processes for the engine, so that slow work can be stopped.

There are four pools: for small verdicts, runs and steps, for large ones, and the same for what lies
beyond. So nobody who steps through a run waits for somebody who trains a network, and what is
asked about four points waits for nothing that is asked about a thousand. Work that takes too long
is killed with its process, and so is work whose reader has gone away. A pool starts a killed
process anew, which takes seconds; this too is why what is small has processes of its own.
"""

import asyncio
import multiprocessing
import os
import warnings
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from pebble import ProcessExpired, ProcessPool

from novikoff.errors import NovikoffError
from novikoff.lab import limits

PATIENCE = 0.5  # seconds until it is asked whether anybody still waits for an answer
FEWEST_PROCESSES, MOST_PROCESSES = 2, 4

Pool = Literal["quick", "large", "slow", "slowest"]


def answer(name: str, *asked: Any) -> tuple[int, str]:
    """The status and the JSON of an answer: 200, or 422 with the reason in a sentence.

    The engine is loaded by those who run it: the server must start at once, and needs none of it.
    """
    from novikoff.lab.engine.jobs import JOBS
    from novikoff.lab.messages.answers import Refusal

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a learner would tell a programmer
            return 200, JOBS[name](*asked).model_dump_json()
    except NovikoffError as error:
        return 422, Refusal(error=str(error)).model_dump_json()


def warm_up(everything: bool = False) -> None:
    """Make a worker ready for verdicts and runs, or for what lies beyond, too."""
    from novikoff.lab.engine.jobs import load_all, load_quick

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (load_all if everything else load_quick)()


class TooSlowError(NovikoffError):
    """The work was stopped because it took longer than it may."""


class BusyError(NovikoffError):
    """More requests are waiting than may wait."""


class GoneError(NovikoffError):
    """Nobody waits for the answer any more."""


class Workers:
    """The pools, of `fewest` processes to `most` each, and how work is given to them."""

    def __init__(
        self,
        *,
        slow_seconds: float = limits.SLOW_SECONDS,
        fewest: int = FEWEST_PROCESSES,
        most: int = MOST_PROCESSES,
    ) -> None:
        spawned = multiprocessing.get_context("spawn")
        large = min(max(fewest, os.cpu_count() or 1), most)
        self._seconds: dict[Pool, float] = {
            "quick": limits.QUICK_SECONDS,
            "large": limits.QUICK_SECONDS,
            "slow": slow_seconds,
            "slowest": slow_seconds,
        }
        self._pools: dict[Pool, ProcessPool] = {
            "quick": ProcessPool(fewest, context=spawned, initializer=warm_up),
            "large": ProcessPool(large, context=spawned, initializer=warm_up),
            "slow": ProcessPool(fewest, context=spawned, initializer=warm_up, initargs=(True,)),
            "slowest": ProcessPool(1, context=spawned, initializer=warm_up, initargs=(True,)),
        }
        self._waiting: dict[Pool, int] = dict.fromkeys(self._pools, 0)
        self._open = True
        # Those that everybody needs first: the others would take the processor from them.
        ready = self._pools["quick"].schedule(warm_up)
        ready.add_done_callback(lambda _: self._start_others())

    def _start_others(self) -> None:
        if self._open:
            self._pools["large"].schedule(warm_up)
            self._pools["slow"].schedule(warm_up, args=(True,))
            self._pools["slowest"].schedule(warm_up, args=(True,))

    async def ask(
        self, pool: Pool, name: str, *asked: Any, gone: Callable[[], Awaitable[bool]]
    ) -> tuple[int, str]:
        """The engine's answer; `gone` is asked now and then whether the reader has left."""
        if self._waiting[pool] >= limits.WAITING:
            raise BusyError
        self._waiting[pool] += 1
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
            self._waiting[pool] -= 1

    def stop(self) -> None:
        """End all processes."""
        self._open = False
        for pool in self._pools.values():
            pool.stop()  # type: ignore[no-untyped-call]
        for pool in self._pools.values():
            pool.join()
