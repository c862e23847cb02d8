"""Refuse numbers in text that float64 would round, so that no verdict is about other numbers.

A number is taken as float64 if that prints it again, with as many digits, or is exactly it. Other
ones (0.12345678901234567890, 9007199254740993, 1e-400) would be rounded to a neighbour in silence,
and two of them that differ to the same one: they are refused, with their row and column.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from novikoff.data.source import Source, as_numpy, plain_column
from novikoff.errors import DataError
from novikoff.exact.reading import DIGITS, is_decimal_column

LARGEST_EXACT_INTEGER = 2**53
SMALLEST_NORMAL = 2.0**-1022
BINARY = "numbers of 17 digits and more stand for the float64 numbers that print this way"
SHOWN = 40  # characters of a number in a message
OR_NEAREST = ", or accept the nearest float64 numbers (float64, --float64)"


def is_held(text: str, value: float, *, printed: bool, stored: bool) -> bool:
    """Whether `value`, which is finite, is what `text` writes: as it prints, or as it is stored."""
    if value == 0:
        return not _digits(text)
    written = Fraction(text.strip())
    return (printed and written == Fraction(repr(value))) or (stored and written == Fraction(value))


def stands_for(value: float, text: str) -> bool | None:
    """True if float64 holds the number, False if it only prints so, None if it would round it."""
    if is_held(text, value, printed=True, stored=True):
        return True
    return False if is_print(text, value) else None


def is_print(text: str, value: float) -> bool:
    """Whether `text` is `value` printed with more digits than a decimal has that float64 holds.

    Programs write float64 numbers with 17 digits or more, 0.1 as 0.10000000000000001: then the
    binary number is meant, and not the decimal.
    """
    digits = len(_digits(text))
    if value == 0 or digits <= DIGITS:
        return False
    return Fraction(f"{value:.{digits - 1}e}") == Fraction(text.strip())


def _digits(text: str) -> str:
    """The significant digits of a number: none of 0."""
    return "".join(filter(str.isdigit, text.lower().partition("e")[0])).strip("0")


def refuse_rounded(source: Source, names: Sequence[str], otherwise: str = OR_NEAREST) -> bool:
    """Raise `DataError` at the first number of these columns that float64 would change.

    `otherwise` is what can be done beside writing fewer digits.
    Otherwise, whether some are written as only programs write float64 numbers: the numbers of such
    a file are binary ones.
    """
    binary = False
    texts = source.written(names) if source.written and source.has_long_numbers else {}
    for name in names:
        column = plain_column(source.column(name))
        if pa.types.is_integer(column.type):
            row = _first_rounded_integer(column)
        elif pa.types.is_decimal(column.type):
            row, _ = _first_rounded(column.cast(pa.string()), column, source.decimals)
        elif pa.types.is_floating(column.type) and name in texts:
            row, prints = _first_rounded(texts[name], column, source.decimals)
            binary = binary or prints
        else:
            continue
        if row is not None:
            number = str(texts.get(name, column)[row].as_py())
            place = source.place(row)
            raise DataError(rounded_number(source.name, repr(name), number, place, otherwise))
    return binary


def _first_rounded_integer(column: Any) -> int | None:
    values = as_numpy(column.drop_null())
    if not len(values) or max(-int(values.min()), int(values.max())) <= LARGEST_EXACT_INTEGER:
        return None
    rows = enumerate(column.to_pylist())
    return next((i for i, x in rows if x is not None and int(float(x)) != x), None)


def _first_rounded(texts: Any, column: Any, decimals: bool) -> tuple[int | None, bool]:
    """The first row whose text is not what its float64 number stands for; and if some only print.

    With `decimals`, a column of at most 15 digits stands for what it prints, and any other for its
    binary numbers, which print as they are written, or are it. Without, only the latter will do.
    """
    if pa.types.is_decimal(column.type):
        if decimals and column.type.precision <= DIGITS:
            return None, False
        column = column.cast(pa.float64(), safe=False)
    values = as_numpy(column).astype(np.float64)
    finite = np.isfinite(values)
    doubtful = finite.copy()
    if decimals:
        long = pc.fill_null(pc.greater(pc.utf8_length(texts), DIGITS), False)
        digits = pc.fill_null(pc.match_substring_regex(texts, "^[^eE]*[1-9]"), False)
        tiny = (np.abs(values) < SMALLEST_NORMAL) & as_numpy(digits)
        shown = pc.fill_null(pc.equal(texts, pa.array(values).cast(pa.string())), True)
        doubtful &= (as_numpy(long) | tiny) & ~as_numpy(shown)
    short = decimals and is_decimal_column(values[finite])
    prints = False
    for row in np.flatnonzero(doubtful).tolist():
        text, value = texts[row].as_py(), float(values[row])
        if text is None or is_held(text, value, printed=decimals, stored=not short):
            continue
        if not decimals or not is_print(text, value):
            return int(row), False
        prints = True
    return None, prints


def rounded_number(
    file: str, column: object, text: str, place: str, otherwise: str = OR_NEAREST
) -> str:
    """What is said of a number that float64 would change."""
    shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} digits)"
    return (
        f"{file}: column {column} holds {shown} at {place}, which float64 would round to "
        f"{float(text)!r}: write fewer digits{otherwise}."
    )
