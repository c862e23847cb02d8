"""Numbers as people read them, never rounded to say more than was proven."""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from novikoff.verdicts.verdict import Interval

__all__ = ["at_least", "at_most", "fraction_text", "interval_text", "short"]

DIGITS = 10
LONGEST_FRACTION = 70  # bits of numerator and denominator together, about 21 digits


def at_least(value: float, digits: int = DIGITS) -> str:
    """A lower bound in decimal, rounded down."""
    return _round(value, digits, ROUND_FLOOR)


def at_most(value: float, digits: int = DIGITS) -> str:
    """An upper bound in decimal, rounded up."""
    return _round(value, digits, ROUND_CEILING)


def interval_text(interval: Interval, digits: int = DIGITS) -> str:
    """One number where both bounds are that number, "between … and …" otherwise."""
    if interval.lower == interval.upper and at_least(interval.lower) == at_most(interval.upper):
        return at_least(interval.lower)
    return f"between {at_least(interval.lower, digits)} and {at_most(interval.upper, digits)}"


def short(value: float) -> str:
    """A number for a table cell: six significant digits."""
    return f"{value:.6g}".replace("-", "−")


def fraction_text(value: Fraction) -> str:
    """A fraction as it is, or six digits of it where it would not fit in a cell."""
    if value.numerator.bit_length() + value.denominator.bit_length() <= LONGEST_FRACTION:
        return str(value).replace("-", "−")
    # Not by way of float: an exact number may be larger than any float.
    digits = Context(prec=6, Emax=MAX_EMAX, Emin=MIN_EMIN)
    ratio = digits.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"≈ {_plain(ratio, 6)}"


def _round(value: float, digits: int, rounding: str) -> str:
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    exact = Context(prec=digits, rounding=rounding).create_decimal(Decimal(value))
    return _plain(exact, digits)


def _plain(value: Decimal, digits: int) -> str:
    """Decimal digits, with an exponent where there would be many zeros."""
    if not value:
        return "0"
    value = value.normalize(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN))
    near = -5 < value.adjusted() < digits
    return (f"{value:f}" if near else f"{value:e}").replace("-", "−")
