"""A sum of products of float64 numbers, without any rounding: a fixed-point accumulator.

Every product of two finite float64 numbers is an integer times 2⁻²¹⁴⁸ and below 2²⁰⁴⁸ in size, so a
sum of up to 2³⁰ of them fits in 133 limbs of 32 bits (Kulisch, "Computer Arithmetic and Validity",
2008). Limbs are int64, so carries wait until the end. There is no overflow, no underflow and no
special case; a term costs some tens of nanoseconds, and only scores that an error bound could not
decide come here.
"""

import math

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.matrix.rows import Floats, Rows, entry, n_entries

__all__ = ["exact_comparison", "exact_dot", "exact_score", "exact_sign", "is_less"]

LIMBS = 136
LOWEST = 2176  # limb 0 counts units of 2**-2176: below the least product of two subnormals
LOW_32 = (1 << 32) - 1
LOW_27 = (1 << 27) - 1
LEAST = 5e-324  # the least positive float64, for what would vanish


@kernel
def _add_shifted(limbs: NDArray[np.int64], value: np.int64, exponent: np.int64) -> None:
    """Add value · 2^exponent, where |value| < 2⁵⁴."""
    at = exponent + LOWEST
    limb, shift = at >> 5, at & 31
    # Two halves, so that the shifted ones stay below 2⁶³.
    for part in range(2):
        half = (value & LOW_27) if part == 0 else (value >> 27)
        offset = shift + 27 * part
        place = limb + (offset >> 5)
        shifted = half << (offset & 31)
        limbs[place] += shifted & LOW_32
        limbs[place + 1] += shifted >> 32


@kernel
def _add_product(limbs: NDArray[np.int64], x: float, w: float) -> None:
    if x == 0.0 or w == 0.0:
        return
    x_fraction, x_exponent = math.frexp(x)
    w_fraction, w_exponent = math.frexp(w)
    x_integer = np.int64(x_fraction * 9007199254740992.0)  # 2**53
    w_integer = np.int64(w_fraction * 9007199254740992.0)
    exponent = np.int64(x_exponent) + np.int64(w_exponent) - 106
    x_high, x_low = x_integer >> 27, x_integer & LOW_27
    w_high, w_low = w_integer >> 27, w_integer & LOW_27
    _add_shifted(limbs, x_low * w_low, exponent)
    _add_shifted(limbs, x_low * w_high, exponent + 27)
    _add_shifted(limbs, x_high * w_low, exponent + 27)
    _add_shifted(limbs, x_high * w_high, exponent + 54)


@kernel
def _add_score(limbs: NDArray[np.int64], sign: float, rows: Rows, i: int, w: Floats) -> None:
    """Add sign·(x_i · w + w[-1]), where the sign is ±1."""
    for k in range(n_entries(rows, i)):
        j, x = entry(rows, i, k)
        _add_product(limbs, sign * x, w[j])
    _add_product(limbs, sign, w[-1])


@kernel
def _resolved_sign(limbs: NDArray[np.int64]) -> int:
    """Resolve the carries; return the sign of the sum."""
    carry = np.int64(0)
    for k in range(LIMBS):
        total = limbs[k] + carry
        limbs[k] = total & LOW_32
        carry = total >> 32
    if carry < 0:
        return -1
    for k in range(LIMBS):
        if limbs[k] != 0:
            return 1
    return 0


@kernel
def exact_sign(rows: Rows, i: int, w: Floats) -> int:
    """The sign of x_i · w + w[-1], exactly."""
    limbs = np.zeros(LIMBS, np.int64)
    _add_score(limbs, 1.0, rows, i, w)
    return _resolved_sign(limbs)


@kernel
def is_less(rows: Rows, i: int, y_i: float, j: int, y_j: float, w: Floats) -> bool:
    """Whether y_i·(x_i · w + w[-1]) < y_j·(x_j · w + w[-1]), exactly, for y = ±1."""
    limbs = np.zeros(LIMBS, np.int64)
    _add_score(limbs, y_i, rows, i, w)
    _add_score(limbs, -y_j, rows, j, w)
    return _resolved_sign(limbs) < 0


@kernel
def exact_comparison(rows: Rows, i: int, u: Floats, v: Floats) -> int:
    """The sign of (x_i · u + u[-1]) − (x_i · v + v[-1]), exactly."""
    limbs = np.zeros(LIMBS, np.int64)
    _add_score(limbs, 1.0, rows, i, u)
    _add_score(limbs, -1.0, rows, i, v)
    return _resolved_sign(limbs)


@kernel
def exact_score(rows: Rows, i: int, w: Floats) -> float:
    """x_i · w + w[-1], rounded once, to the nearest float64; 0 only if it is 0."""
    limbs = np.zeros(LIMBS, np.int64)
    _add_score(limbs, 1.0, rows, i, w)
    return _round(limbs)


@kernel
def exact_dot(u: Floats, v: Floats) -> float:
    """u · v, rounded once, to the nearest float64; 0 only if it is 0."""
    limbs = np.zeros(LIMBS, np.int64)
    for j in range(len(u)):
        _add_product(limbs, u[j], v[j])
    return _round(limbs)


@kernel
def _round(limbs: NDArray[np.int64]) -> float:
    """The sum as the nearest float64, of two equally near the even one (IEEE 754).

    What would vanish is the least number of its sign instead; what is too great is an infinity.
    """
    sign = _resolved_sign(limbs)
    if sign == 0:
        return 0.0
    if sign < 0:  # two's complement: negate, to read off a magnitude
        carry = np.int64(1)
        for k in range(LIMBS):
            total = (LOW_32 - limbs[k]) + carry
            limbs[k] = total & LOW_32
            carry = total >> 32
    limb = LIMBS - 1
    while limbs[limb] == 0:
        limb -= 1
    top = 32 * limb + 31  # the leading bit
    while _bit(limbs, top) == 0:
        top -= 1
    # A float64 keeps 53 bits, and none below 2**-1074.
    last = max(top - 52, LOWEST - 1074)
    if last > top + 1:
        return sign * LEAST
    mantissa = np.int64(0)
    for k in range(top, last - 1, -1):
        mantissa = 2 * mantissa + _bit(limbs, k)
    if _bit(limbs, last - 1) == 1 and (mantissa & 1 == 1 or _any_bit_below(limbs, last - 1)):
        mantissa += 1
    return sign * max(math.ldexp(np.float64(mantissa), last - LOWEST), LEAST)


@kernel
def _bit(limbs: NDArray[np.int64], k: int) -> int:
    bit: int = (limbs[k >> 5] >> (k & 31)) & 1
    return bit


@kernel
def _any_bit_below(limbs: NDArray[np.int64], k: int) -> bool:
    for limb in range(k >> 5):
        if limbs[limb] != 0:
            return True
    return bool((limbs[k >> 5] & ((1 << (k & 31)) - 1)) != 0)
