"""Numbers in text, in compiled code: the float64 nearest to a decimal, and how it stands for it.

The digits m (up to 19) are a sum of two float64 numbers, and so is 10ᵉ, to 2⁻¹⁰⁴ of it. Their
product tells m·10ᵉ so closely that the last rounding is certain, unless the decimal lies half way
between two float64 numbers; then, and for longer numbers, the C library decides.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.rows import Floats

__all__ = ["DOUBTFUL", "HELD", "PRINTS", "Bytes", "number_at", "numbers_of_texts"]

Bytes = NDArray[np.uint8]

NEWLINE, POINT, PLUS, MINUS, ZERO, SMALL_E, LARGE_E = 10, 46, 43, 45, 48, 101, 69
MOST_DIGITS = 19  # that 64 bits hold
SIXTEEN_DIGITS = np.uint64(10**15)  # the least number that has them
LARGEST_POWER = 270  # products of 19 digits and 10±²⁷⁰ are far from the ends of float64
SPLIT = 134217729.0  # 2²⁷ + 1, which halves a float64 (Veltkamp)

# How a float64 number stands for the decimal it was read from: it is what the number prints as (or
# is); it is the number printed with more digits than it needs; that must be decided exactly.
HELD, PRINTS, DOUBTFUL = range(3)


def _power(e: int) -> tuple[float, float]:
    """10ᵉ as a sum of two float64 numbers."""
    exact = Fraction(10) ** e
    high = float(exact)
    return high, float(exact - Fraction(high))


_POWERS = [_power(e) for e in range(-LARGEST_POWER, LARGEST_POWER + 1)]
HIGH = np.array([high for high, _ in _POWERS])
LOW = np.array([low for _, low in _POWERS])

# double strtod(const char *, char **): addresses are whole numbers.
_strtod: Any = types.ExternalFunction("strtod", types.float64(types.intp, types.intp))


@kernel
def _product_tail(a: float, b: float, product: float) -> float:
    """a·b − fl(a·b), exactly (Dekker)."""
    c = SPLIT * a
    a_high = c - (c - a)
    a_low = a - a_high
    c = SPLIT * b
    b_high = c - (c - b)
    b_low = b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@kernel
def _scaled(mantissa: np.uint64, exponent: int) -> tuple[float, bool, float]:
    """The float64 nearest to m·10ᵉ, whether that is certain, and by how much it is too small."""
    high = np.float64(mantissa)
    low = np.float64(np.int64(mantissa - np.uint64(high)))
    if exponent == 0:
        value = high + low
        return value, True, (high - value) + low
    power_high, power_low = HIGH[exponent + LARGEST_POWER], LOW[exponent + LARGEST_POWER]
    first = high * power_high
    second = _product_tail(high, power_high, first) + (high * power_low + low * power_high)
    # All that was rounded is far below this: do both ends lead to the same number?
    wide = first * 3.155443620884047e-30  # 2⁻⁹⁸
    value = first + (second + wide)
    return value, value == first + (second - wide), (first - value) + second


@kernel
def _how_held(mantissa: np.uint64, exponent: int, value: float, missing: float) -> int:
    """How `value` stands for m·10ᵉ = value + missing, m having 16 digits or more.

    It prints so if it is less than half a unit of the last digit away. It is what `value` prints as
    if no decimal of one digit less is nearest to `value` too.
    """
    ten = np.uint64(10)
    while mantissa % ten == 0:
        mantissa, exponent = mantissa // ten, exponent + 1
    if mantissa < SIXTEEN_DIGITS:
        return HELD
    if exponent >= LARGEST_POWER:
        return DOUBTFUL
    half = 0.5 * HIGH[exponent + LARGEST_POWER]
    if not abs(missing) < half * (1.0 - 1e-9):
        return DOUBTFUL
    below = mantissa // ten
    for shorter in (below, below + np.uint64(1)):
        nearest, certain, _ = _scaled(shorter, exponent + 1)
        if not certain:
            return DOUBTFUL
        if nearest == value:  # of more digits than needed, unless it is the number itself
            return DOUBTFUL if abs(missing) <= value * 1e-25 else PRINTS
    return HELD


@kernel
def _digits(data: Bytes, at: int, mantissa: np.uint64) -> tuple[np.uint64, int]:
    """Go on with a number over the digits from `at` on; where they end.

    An unsigned index is not guarded against wrap-around, which would take as long as the rest.
    """
    while True:
        digit = np.int64(data[np.uintp(at)]) - ZERO
        if digit < 0 or digit > 9:
            return mantissa, at
        mantissa = mantissa * np.uint64(10) + np.uint64(digit)
        at += 1


@kernel
def _exponent(data: Bytes, at: int) -> tuple[int, int]:
    """The power of ten that is written from `at` on, behind the digits, and where it ends."""
    byte = data[np.uintp(at)]
    if byte != SMALL_E and byte != LARGE_E:
        return 0, at
    place, sign = at + 1, 1
    if data[np.uintp(place)] == MINUS or data[np.uintp(place)] == PLUS:
        sign = -1 if data[np.uintp(place)] == MINUS else 1
        place += 1
    power, end = _digits(data, place, np.uint64(0))
    if end == place:
        return 0, at
    return sign * (np.int64(power) if end - place < 6 else 100_000), end  # type: ignore[return-value]


@kernel
def _significant(data: Bytes, at: int, end: int) -> int:
    """How many digits there are from the first one that is not 0 on."""
    while at < end and (data[np.uintp(at)] == ZERO or data[np.uintp(at)] == POINT):
        at += 1
    digits = 0
    while at < end:
        digits += data[np.uintp(at)] != POINT
        at += 1
    return digits


@kernel
def number_at(data: Bytes, start: int) -> tuple[float, int, int]:
    """The number that is written from `start` on, where it ends, and how it is held.

    It ends at `start` if there is none. The bytes must end with what belongs to no number.
    """
    at, negative = start, data[np.uintp(start)] == MINUS
    if negative or data[np.uintp(start)] == PLUS:
        at += 1
    first = at
    mantissa, at = _digits(data, at, np.uint64(0))
    count, exponent = at - first, 0
    if data[np.uintp(at)] == POINT:
        point = at
        mantissa, at = _digits(data, at + 1, mantissa)
        exponent = point + 1 - at
        count -= exponent
    if count == 0:
        return _by_the_library(data, start, at)
    fits = count <= MOST_DIGITS or _significant(data, first, at) <= MOST_DIGITS
    power, at = _exponent(data, at)
    exponent += power
    if fits and mantissa == 0:
        return (-0.0 if negative else 0.0), at, HELD
    if fits and -LARGEST_POWER <= exponent < LARGEST_POWER:
        value, certain, missing = _scaled(mantissa, exponent)
        if certain:
            how = HELD
            if mantissa >= SIXTEEN_DIGITS:
                how = _how_held(mantissa, exponent, value, missing)
            return (-value if negative else value), at, how
    return _by_the_library(data, start, first)


@kernel
def _read_texts(
    data: Bytes, offsets: NDArray[np.int32], values: Floats, how: NDArray[np.int8]
) -> None:
    """The number of each text; DOUBTFUL if it is none. A text is copied, for its end to be one."""
    longest = 0
    for i in range(len(values)):
        longest = max(longest, offsets[i + 1] - offsets[i])
    line = np.empty(longest + 1, np.uint8)
    for i in range(len(values)):
        start, end = np.int64(offsets[i]), np.int64(offsets[i + 1])
        while start < end and (data[start] == 32 or data[start] == 9):
            start += 1
        while start < end and (data[end - 1] == 32 or data[end - 1] == 9):
            end -= 1
        for k in range(end - start):
            line[k] = data[start + k]
        line[end - start] = NEWLINE
        value, stop, held = number_at(line, 0)
        values[i], how[i] = value, held if stop == end - start and stop > 0 else DOUBTFUL


def numbers_of_texts(texts: Any) -> tuple[Floats, list[int], bool]:
    """An Arrow array of texts as float64 (0 for a null), doubtful rows, and whether some print."""
    _, offsets, data = texts.buffers()
    n = len(texts)
    bounds = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + n + 1]
    content = np.zeros(1, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    values, how = np.zeros(n), np.zeros(n, np.int8)
    _read_texts(content, bounds, values, how)
    how[np.asarray(texts.is_null())] = HELD
    return values, np.flatnonzero(how == DOUBTFUL).tolist(), bool((how == PRINTS).any())


@kernel
def _by_the_library(data: Bytes, start: int, first: int) -> tuple[float, int, int]:
    """What the C library reads; it would go past blanks and line ends to find a number."""
    byte = data[np.uintp(first)]
    is_letter = 65 <= byte <= 90 or 97 <= byte <= 122
    if not (is_letter or 48 <= byte <= 57 or byte == POINT):
        return 0.0, start, HELD
    end = np.zeros(1, np.int64)
    address = data.ctypes.data + start
    value = _strtod(address, end.ctypes.data)
    return value, start + (end[0] - address), HELD if is_letter else DOUBTFUL
