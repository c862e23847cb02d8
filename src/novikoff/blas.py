"""One BLAS thread inside our solves, whatever the program around them uses.

The order of a sum depends on the number of threads, and with it the last bits of a proposal: with
one thread the same data gives the same certificate everywhere. Small solves are faster so, too, and
calls from several threads do not fight for the cores.
"""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

__all__ = ["one_thread"]


def one_thread() -> AbstractContextManager[Any]:
    """A context in which BLAS uses one thread."""
    limit: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return limit


@cache
def _controller() -> Any:
    # Looking for the libraries takes milliseconds, so it is done once, after both have loaded.
    import numpy as np  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
