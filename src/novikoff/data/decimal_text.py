"""What a number in a text file is: a decimal, as other readers of CSV have it.

Python would also read 1_000 and digits of other scripts, and Arrow takes 0x10 in a column of whole
numbers for 16. Here all of these are text, whichever reader meets them.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["HEXADECIMAL", "NUMBER", "has_hexadecimal", "is_number_text", "number_of"]

# For Arrow, whose classes of characters are ASCII.
NUMBER = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"
HEXADECIMAL = r"^\s*0[xX]"


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
