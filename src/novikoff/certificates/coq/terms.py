"""How numbers, lists and remarks are written in Coq."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

MOST_PLACES, MOST_DIGITS = 40, 18  # of a decimal that is still read at a glance
LONG = 1 << 32  # integers from here on are written in hexadecimal, which Coq reads faster


def list_term(terms: Iterable[str], between: str = "; ") -> str:
    """A list of terms."""
    return f"[{between.join(terms)}]"


def digits(value: int) -> str:
    """An integer of the data: decimal as long as a person may want to read it."""
    return str(value) if abs(value) < LONG else hex(value)


def rational(value: Fraction) -> str:
    """A rational number: a decimal where that is short, and p # q elsewhere."""
    for places in range(MOST_PLACES + 1):
        scaled = value * 10**places
        if scaled.denominator == 1 and abs(scaled) < 10**MOST_DIGITS:
            whole, part = divmod(abs(int(scaled)), 10**places)
            sign = "-" if value < 0 else ""
            return f"({sign}{whole}" + (f".{part:0{places}})" if places else ")")
    return f"({digits(value.numerator)} # {digits(value.denominator)})"


def integer_list(values: Iterable[int]) -> str:
    """A list of integers."""
    return f"{list_term(map(digits, values))}%Z"


def matrix(table: Iterable[Iterable[int]]) -> str:
    """A list of lists of integers, a line each."""
    return list_term(map(integer_list, table), ";\n  ")


def rational_list(values: Iterable[Fraction]) -> str:
    """A list of rational numbers."""
    return list_term(map(rational, values))


def spread(places: Sequence[int], values: Sequence[int]) -> str:
    """A list that is 0 but at these places, which increase: each with how many zeros come first."""
    pairs, last = [], -1
    for place, value in zip(places, values, strict=True):
        pairs.append(f"({place - last - 1}%N, ({digits(value)})%Z)")
        last = place
    return f"(spread {list_term(pairs)})"


def remark(text: str) -> str:
    """A comment. Words of the user cannot end it: no asterisk and no quotation mark is left."""
    harmless = text.replace("*", "·").replace('"', "'").replace("\\", "/")
    return f"(* {' '.join(harmless.split())} *)"
