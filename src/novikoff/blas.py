"""One BLAS thread inside our solves, whatever the program around them uses.

The order of a sum depends on the number of threads, and with it the last bits of a proposal: with
one thread the same data gives the same certificate, and the same kernel values, everywhere. Small
solves are faster so, too, and calls from several threads do not fight for the cores.

The limit is the whole process's. Threads that ask for it at the same time therefore share it: the
first sets it, and the last to leave puts back what was there.
"""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any

__all__ = ["one_thread"]

_lock = threading.Lock()
_inside = 0
_limit: Any = None

FEWEST_FOR_THREADS = 2_000  # numbers; BLAS does not use threads for matrices that are smaller


def one_thread(size: int | None = None) -> AbstractContextManager[Any]:
    """A context in which BLAS uses one thread; `size` says how many numbers the data holds.

    SciPy has a BLAS of its own, which must be loaded to be limited; loading it takes longer than
    everything else that is done to small data.
    """
    if size is not None and size < FEWEST_FOR_THREADS:
        return nullcontext()
    return _limit_threads()


@contextmanager
def _limit_threads() -> Iterator[None]:
    global _inside, _limit
    with _lock:
        if _inside == 0:
            _limit = _controller().limit(limits=1, user_api="blas")
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limit.restore_original_limits()


@cache
def _controller() -> Any:
    # Looking for the libraries takes milliseconds, so it is done once, after both have loaded.
    import numpy as np  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
