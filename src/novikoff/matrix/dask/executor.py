"""Work given to a cluster: tasks with names that a person can read, and no wait without an end.

A task's key is ("novikoff-<what>-<run>", call, partition), so that the dashboard groups tasks by
what they do. Results come back in the order of the partitions, whoever finished first. A task that
fails is tried once more; one whose worker dies is run again elsewhere, as Dask does; and what is
lost for good becomes a `ClusterError` that says what to do.
"""

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from numbers import Rational
from typing import Any

import numpy as np

from novikoff.errors import ClusterError, NovikoffError

RETRIES = 1  # a partition that fails to read once is read again
PATIENCE = 600.0  # seconds without any task finishing, after which the cluster is given up
NO_WORKER = 60.0  # seconds without any worker, after which none is waited for
POLL = 1.0
INLINE = 1 << 14  # bytes of arguments that every task may carry itself
NUMBER = 64  # bytes of a fraction, about


class DaskExecutor:
    """The workers behind a `Client`, as one run uses them.

    `patience` is how many seconds may pass without a task finishing; set
    `dask.config.set({"novikoff.patience": …})` where single tasks take longer.
    """

    def __init__(self, client: Any, patience: float | None = None) -> None:
        import dask

        if client.asynchronous:
            raise ClusterError(
                "the current Client is asynchronous, and this call waits for its answer: make one "
                "with Client(…) outside of coroutines, or call from another thread."
            )
        self.client = client
        self.patience = float(patience or dask.config.get("novikoff.patience", PATIENCE))
        self.run = uuid.uuid4().hex[:8]
        self.calls = 0

    def each(
        self, what: str, function: Callable[..., Any], parts: Sequence[Any], *args: Any
    ) -> Any:
        """`function(*part, *args)` for every part, on the workers; results in the parts' order.

        A part is a tuple of things that live on workers (`Delayed`), or of plain values.
        """
        return self.some(what, function, list(enumerate(parts)), *args)

    def some(
        self,
        what: str,
        function: Callable[..., Any],
        numbered: Sequence[tuple[int, Any]],
        *args: Any,
    ) -> list[Any]:
        """`function(*part, *args)` for some parts, each given with the number of its partition."""
        return self._results(what, self.planned(what, function, numbered, *args))

    def chain(
        self,
        what: str,
        function: Callable[..., Any],
        numbered: Sequence[tuple[int, Any]],
        first: Any,
        *args: Any,
    ) -> list[Any]:
        """`function(*part, before, *args)`, where each has what the part before it returned."""
        from dask import delayed

        self.calls += 1
        call = delayed(function, pure=False, traverse=False)
        tasks, before = [], delayed(first, name=f"novikoff-begin-{self.run}-{self.calls}")
        for k, part in numbered:
            key = (f"novikoff-{what}-{self.run}", self.calls, k)
            before = call(*part, before, *args, dask_key_name=key)
            tasks.append(before)
        return self._results(what, tasks)

    def _results(self, what: str, tasks: list[Any]) -> list[Any]:
        if not tasks:
            return []
        self._check_open()
        with _as_cluster_error(what):
            futures = self.client.compute(tasks, retries=RETRIES, optimize_graph=False)
            self._wait(futures, what)
            return self._collected(futures)

    def planned(
        self,
        what: str,
        function: Callable[..., Any],
        numbered: Sequence[tuple[int, Any]],
        *args: Any,
    ) -> list[Any]:
        """The tasks themselves (`Delayed`), not begun yet."""
        from dask import delayed

        self.calls += 1
        name = f"novikoff-{what}-{self.run}"
        shared = args
        if sum(_size(value) for value in args) > INLINE:  # weights travel once, not once a task
            shared = (
                delayed(args, name=f"novikoff-weights-{self.run}-{self.calls}", traverse=False),
            )
            function = _Unpacked(function, len(args))
        call = delayed(function, pure=False, traverse=False)
        return [call(*part, *shared, dask_key_name=(name, self.calls, k)) for k, part in numbered]

    def keep(self, tasks: Sequence[Any], what: str) -> list[Any]:
        """Begin these tasks, and keep their results in the workers' memory."""
        with _as_cluster_error(what):
            return list(self.client.persist(list(tasks), retries=RETRIES, optimize_graph=False))

    def memory(self) -> float:
        """Bytes of memory that all workers together may use (infinite where nothing limits it)."""
        return float(sum(worker["memory_limit"] or np.inf for worker in self._workers().values()))

    def _workers(self) -> dict[str, Any]:
        """The workers that the scheduler knows, with their properties."""
        try:
            return dict(self.client.scheduler_info(n_workers=-1)["workers"])
        except OSError as error:
            raise ClusterError(
                f"the scheduler does not answer ({error}): connect a new Client, and ask again."
            ) from error

    def _wait(self, futures: list[Any], what: str) -> None:
        """Until all are done, or one has failed and all before it are done, or nothing moves."""
        from distributed import wait

        last, finished, someone = time.monotonic(), -1, time.monotonic()
        while True:
            try:
                wait(futures, timeout=POLL)
                return
            except TimeoutError:
                pass
            if _is_settled(futures):
                return
            now = time.monotonic()
            self._check_connection(what)
            done = sum(future.done() for future in futures)
            last, finished = (now, done) if done != finished else (last, finished)
            someone = now if self._workers() else someone
            if now - someone > min(NO_WORKER, self.patience):
                raise ClusterError(
                    f"the cluster has had no worker for {now - someone:.0f} seconds while "
                    f"{_plain(what)} was under way: start workers, and ask again."
                )
            if now - last > self.patience:
                raise ClusterError(
                    f"no task of {_plain(what)} has finished for {self.patience:g} seconds: look "
                    "at the cluster's dashboard; where tasks take so long, use smaller partitions "
                    'or dask.config.set({"novikoff.patience": seconds}).'
                )

    def _check_open(self) -> None:
        """Raise `ClusterError` if the client was closed before the work began: say what to do."""
        if self.client.status == "closed":
            raise ClusterError(
                "the rows are on a cluster whose Client is closed: ask for certificates, margins "
                "and explanations while it is open (inside its with block), or make a Client and "
                "begin anew with the data."
            )

    def _check_connection(self, what: str) -> None:
        if self.client.status != "running":
            raise ClusterError(
                f"the connection to the scheduler was lost (the client is {self.client.status}) "
                f"while {_plain(what)} was under way: connect a new Client, and ask again."
            )

    def _collected(self, futures: list[Any]) -> list[Any]:
        for future in futures:  # the first in their order, whichever was found first
            if future.status == "error":
                raise future.exception(timeout=self.patience)

        async def collected() -> Any:
            return await self.client.gather(futures, asynchronous=True)

        return list(self.client.sync(collected, callback_timeout=self.patience))


class _Unpacked:
    """A function whose last arguments come as one tuple."""

    def __init__(self, function: Callable[..., Any], count: int) -> None:
        self.function, self.count = function, count

    def __call__(self, *values: Any) -> Any:
        return self.function(*values[:-1], *values[-1])


@contextmanager
def _as_cluster_error(what: str) -> Iterator[None]:
    """Turn the errors of Dask into ours; our own pass through as they are."""
    from distributed import KilledWorker
    from distributed.client import ClosedClientError
    from distributed.comm.core import CommClosedError

    work = _plain(what)
    try:
        yield
    except NovikoffError:
        raise
    except KilledWorker as error:
        raise ClusterError(
            f"{work}: the workers that tried it died one after the other ({error.task}). It "
            "probably needs more memory than a worker has: use smaller partitions, or workers "
            "with more memory."
        ) from error
    except (CancelledError, ClosedClientError, CommClosedError, TimeoutError) as error:
        raise ClusterError(
            f"{work}: the cluster gave it up or cannot be reached any more ({error!r}): "
            "connect a new Client, and ask again."
        ) from error
    except Exception as error:
        raise ClusterError(f"{work} failed on the cluster, twice: {error!r}.") from error


def _is_settled(futures: list[Any]) -> bool:
    """Whether it is known what to say: the first error, in the order of the parts."""
    for future in futures:
        if future.status in ("cancelled", "lost", "error"):
            return True
        if not future.done():
            return any(later.status in ("cancelled", "lost") for later in futures)
    return True


def _plain(what: str) -> str:
    return what.replace("-", " ")


def _size(value: Any) -> int:
    """About how many bytes a value takes when it travels; exact weights are many numbers."""
    if isinstance(value, (tuple, list)):
        return sum(_size(item) for item in value)
    return NUMBER if isinstance(value, Rational) else int(getattr(value, "nbytes", 0))
