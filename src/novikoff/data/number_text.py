"""Parse numbers in text files: decimals, as other readers of CSV have them.

Python would also read 1_000 and digits of other scripts, and Arrow takes 0x10 in a column of whole
numbers for 16. Here all of these are text, whichever reader meets them.

The extension reads the nearest float64, and whether it stands for the decimal.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.matrix.rows import Floats

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


# For Arrow, whose classes of characters are ASCII.
NUMBER = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"
HEXADECIMAL = r"^\s*0[xX]"
COMMAS = str.maketrans(".,", ",.")  # of numbers with decimal commas, which have no points


def number_of(text: str) -> float:
    """The float64 nearest to a decimal, or an infinity or a NaN; else a `ValueError`."""
    if "_" in text or not text.isascii():
        raise ValueError(f"not a decimal: {text!r}")
    return float(text)


def is_number_text(text: str) -> bool:
    """Whether a text is a number: no name that somebody would give a column."""
    try:
        number_of(text)
    except ValueError:
        return False
    return True


def has_hexadecimal(block: NDArray[np.uint8]) -> bool:
    """Whether some bytes of a file may write a number like 0x10."""
    places = np.flatnonzero((block[1:] | 32) == ord("x"))  # either case
    return bool((block[places] == ord("0")).any())
