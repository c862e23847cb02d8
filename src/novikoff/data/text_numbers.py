"""Numbers in text: the extension reads the nearest float64, and how it stands for the decimal."""

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff import _core
from novikoff.rows import Floats

__all__ = ["DOUBTFUL", "HELD", "POWERS", "PRINTS", "numbers_of_texts"]

LARGEST_POWER = 270  # products of 19 digits and 10±²⁷⁰ are far from the ends of float64

# How a float64 number stands for the decimal it was read from: it is what the number prints as (or
# is); it is the number printed with more digits than it needs; that must be decided exactly.
HELD, PRINTS, DOUBTFUL = range(3)


def _power(e: int) -> tuple[float, float]:
    """10ᵉ as a sum of two float64 numbers."""
    exact = Fraction(10) ** e
    high = float(exact)
    return high, float(exact - Fraction(high))


POWERS = np.array([_power(e) for e in range(-LARGEST_POWER, LARGEST_POWER + 1)])


def numbers_of_texts(texts: Any) -> tuple[Floats, list[int], bool]:
    """An Arrow array of texts as float64 (0 for a null), doubtful rows, and whether some print."""
    _, offsets, data = texts.buffers()
    n = len(texts)
    bounds = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + n + 1]
    content = np.zeros(1, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    values, how = np.zeros(n), np.zeros(n, np.int8)
    _core.read_texts(content, bounds, POWERS, values, how)
    how[np.asarray(texts.is_null())] = HELD
    return values, np.flatnonzero(how == DOUBTFUL).tolist(), bool((how == PRINTS).any())
