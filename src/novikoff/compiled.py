"""How loops are compiled: the one place where Numba is configured.

Flags: no `fastmath` as a whole. `nnan` and `ninf` would break the checks on bad input, and a
reassociated update would break the promise of equal bits. Only a sum whose error bound holds for
every order of summation may be reassociated: such a function is a `summation`.

What is done once a row must be called with arrays held in local names: taking them out of a
NamedTuple inside the loop counts references each time (a factor of 3).
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

__all__ = ["kernel", "summation"]

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function`, keep the machine code on disk, and release the GIL while it runs."""
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return cast("Callable[P, R]", compiled)


def summation(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel whose sums may be taken in any order, so that they can use vector registers."""
    fastmath = {"reassoc", "contract", "nsz"}
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=fastmath)(function)
    return cast("Callable[P, R]", compiled)
