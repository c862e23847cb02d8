"""SHA-256 whose state can travel: a hash begun on one machine and carried on by the next.

The hash of rows is that of their bytes one after the other (FIPS 180-4), so it cannot be put
together from hashes of parts. Where the rows are on several machines the state walks past them, a
hundred bytes or so. For data at hand `hashlib` is faster, and gives the same digest.
"""

from math import isqrt
from typing import Any

import numpy as np

from novikoff import _core

# The first 32 bits of the fractional parts of the square roots of the first eight primes.
FIRST = np.array([isqrt(prime << 64) & 0xFFFFFFFF for prime in (2, 3, 5, 7, 11, 13, 17, 19)], "u4")


class Sha256:
    """SHA-256 with the calls of `hashlib.sha256()`; it can be pickled and copied in the middle."""

    def __init__(self) -> None:
        self._state = FIRST.copy()
        self._pending = b""
        self._length = 0

    def update(self, data: Any) -> None:
        """Go on with these bytes."""
        fresh = np.frombuffer(data, np.uint8)
        self._length += len(fresh)
        if self._pending:
            missing = min(64 - len(self._pending), len(fresh))
            self._pending += fresh[:missing].tobytes()
            fresh = fresh[missing:]
            if len(self._pending) < 64:
                return
            _core.sha256_update(self._state, np.frombuffer(self._pending, np.uint8))
        whole = len(fresh) // 64 * 64
        _core.sha256_update(self._state, fresh[:whole])
        self._pending = fresh[whole:].tobytes()

    def hexdigest(self) -> str:
        """The hash of all bytes so far, as 64 hexadecimal digits."""
        zeros = (55 - self._length) % 64
        end = self._pending + b"\x80" + bytes(zeros) + (8 * self._length).to_bytes(8, "big")
        state = self._state.copy()
        _core.sha256_update(state, np.frombuffer(end, np.uint8))
        return state.astype(">u4").tobytes().hex()
