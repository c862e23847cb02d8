"""SHA-256 whose state can travel: a hash begun on one machine and carried on by the next.

The hash of rows is that of their bytes one after the other (FIPS 180-4), so it cannot be put
together from hashes of parts. Where the rows are on several machines the state walks past them, a
hundred bytes or so. For data at hand `hashlib` is faster, and gives the same digest.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel

__all__ = ["Sha256"]


def _roots(count: int, power: int) -> list[int]:
    """The first 32 bits of the fractional parts of the square or cube roots of the first primes."""
    primes: list[int] = []
    candidate = 2
    while len(primes) < count:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    roots = []
    for prime in primes:
        shifted, low, high = prime << (32 * power), 0, 1 << 40
        while high - low > 1:  # the integer part of the root of prime · 2^(32·power)
            middle = (low + high) // 2
            low, high = (middle, high) if middle**power <= shifted else (low, middle)
        roots.append(low & 0xFFFFFFFF)
    return roots


FIRST = np.array(_roots(8, 2), np.uint32)
CONSTANTS = np.array(_roots(64, 3), np.uint32)


class Sha256:
    """The same calls as `hashlib.sha256()`; it can be pickled and copied in the middle."""

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
            _compress(self._state, np.frombuffer(self._pending, np.uint8), CONSTANTS)
        whole = len(fresh) // 64 * 64
        _compress(self._state, fresh[:whole], CONSTANTS)
        self._pending = fresh[whole:].tobytes()

    def hexdigest(self) -> str:
        """The hash of all bytes so far, as 64 hexadecimal digits."""
        zeros = (55 - self._length) % 64
        end = self._pending + b"\x80" + bytes(zeros) + (8 * self._length).to_bytes(8, "big")
        state = self._state.copy()
        _compress(state, np.frombuffer(end, np.uint8), CONSTANTS)
        return state.astype(">u4").tobytes().hex()


@kernel
def _turned(x: np.uint32, by: int) -> np.uint32:
    return np.uint32(np.uint32(x >> np.uint32(by)) | np.uint32(x << np.uint32(32 - by)))


@kernel
def _compress(
    state: NDArray[np.uint32], data: NDArray[np.uint8], constants: NDArray[np.uint32]
) -> None:
    """Blocks of 64 bytes into the state, as in section 6.2.2 of the standard."""
    words = np.empty(64, np.uint32)
    for start in range(0, len(data), 64):
        for t in range(16):
            at = start + 4 * t
            high = np.uint32(data[at]) << np.uint32(24) | np.uint32(data[at + 1]) << np.uint32(16)
            low = np.uint32(data[at + 2]) << np.uint32(8) | np.uint32(data[at + 3])
            words[t] = np.uint32(high | low)
        for t in range(16, 64):
            x, z = words[t - 15], words[t - 2]
            s0 = _turned(x, 7) ^ _turned(x, 18) ^ np.uint32(x >> np.uint32(3))
            s1 = _turned(z, 17) ^ _turned(z, 19) ^ np.uint32(z >> np.uint32(10))
            words[t] = np.uint32(words[t - 16] + s0 + words[t - 7] + s1)
        a, b, c, d = state[0], state[1], state[2], state[3]
        e, f, g, h = state[4], state[5], state[6], state[7]
        for t in range(64):
            s1 = _turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)
            choice = np.uint32((e & f) ^ (~e & g))
            first = np.uint32(h + s1 + choice + constants[t] + words[t])
            s0 = _turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)
            second = np.uint32(s0 + np.uint32((a & b) ^ (a & c) ^ (b & c)))
            h, g, f, e = g, f, e, np.uint32(d + first)
            d, c, b, a = c, b, a, np.uint32(first + second)
        state[0] += a
        state[1] += b
        state[2] += c
        state[3] += d
        state[4] += e
        state[5] += f
        state[6] += g
        state[7] += h
