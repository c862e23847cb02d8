"""Exact numbers: read from text, and not worked with if that might take for ever."""

import re
from fractions import Fraction
from math import lcm

LONGEST = 100_000  # characters of a number
NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,4})?\s*|-?\d+/[1-9]\d*", re.ASCII)
MOST = 10**LONGEST  # above the common denominator of any numbers that are added up


class NotValid(Exception):  # noqa: N818
    """What the certificate says is not so."""


def need(condition: object, why: str, error: type[Exception] = NotValid) -> None:
    """Stop unless the condition holds; by a ValueError, if then nothing can be checked."""
    if not condition:
        raise error(why)


def exact(text: str, error: type[Exception] = ValueError) -> Fraction:
    """The number that a text writes, a decimal or p/q, if it is not too long."""
    good = len(text) <= LONGEST and NUMBER.fullmatch(text)
    need(good, f"not a number, or too long: {text[:40]!r}", error)
    return Fraction(text)


def numbers(texts: list[str], whole: bool = False) -> list[Fraction]:
    """The exact numbers of a certificate, written p/q in lowest terms; or positive multiples."""
    need({str} >= {type(text) for text in texts}, "a number is not written as a text")
    values = [exact(text, NotValid) for text in texts]
    need(list(map(str, values)) == texts, "a number is not written in lowest terms")
    common, size = 1, sum(map(len, texts))
    for value in values:
        common = lcm(common, value.denominator)
        short = len(values) * common.bit_length() < 4000 * size + 10**8
        need(short and common < MOST, "too many digits over one denominator")
    return [value * common for value in values] if whole else values
