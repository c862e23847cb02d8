"""The conventions of the texts, stated once.

*Labels* are −1 and +1 inside; of two classes the greater one (in sorted order) is +1.

*Ties.* A score of exactly 0 is a mistake for both labels under ``"mistake"`` (y·s ≤ 0). Under
``"+1"``, sign(0) = +1, so it is a mistake for label −1 only; under ``"-1"`` the other way round.
Prediction at score 0 says +1 under ``"mistake"`` and ``"+1"``, −1 under ``"-1"``.

*Bias.* With a bias every example is augmented, x̂ = (x, 1), and ŵ = (w, b): the bias is the last
weight. Without one, ŵ = w, and its last slot is kept at 0 so that all loops have one shape.

*Orders.* ``"cyclic"``: as given. ``"shuffled"``: a new permutation every epoch. ``"random"``: drawn
with replacement. ``"worst"``: the most violated example, whatever came before.
"""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, Literal, TypeVar, get_args

from novikoff.errors import OptionError

Tie = Literal["mistake", "+1", "-1"]
Order = Literal["cyclic", "shuffled", "random", "worst"]
Arithmetic = Literal["float64", "exact"]
Strategy = Literal["exact", "mixing"]
Format = Literal["csv", "jsonl", "parquet", "arrow", "svmlight", "npy", "npz"]

TIES: tuple[Tie, ...] = get_args(Tie)
ORDERS: tuple[Order, ...] = get_args(Order)
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

T = TypeVar("T")


def choice(name: str, value: T, allowed: tuple[T, ...]) -> T:
    """`value`, or an `OptionError` that lists what is allowed."""
    if value not in allowed:
        options = ", ".join(repr(option) for option in allowed)
        raise OptionError(f"{name} must be one of {options}; got {value!r}.")
    return value


def tie_sign(tie: Tie) -> int:
    """Which side a score of exactly 0 falls on: +1, −1, or 0 for "a mistake for either label"."""
    return {"mistake": 0, "+1": 1, "-1": -1}[choice("tie", tie, TIES)]


def check_positive(name: str, value: Any) -> None:
    """Raise `OptionError` unless `value` is a positive number."""
    if (
        isinstance(value, bool)
        or not isinstance(value, Real)
        or not 0 < float(value) < float("inf")
    ):
        raise OptionError(f"{name} must be a positive number; got {value!r}.")


def check_seconds(name: str, value: Any) -> None:
    """Raise `OptionError` unless `value` is a number of seconds, 0 or more."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not (is_number and float(value) >= 0):
        raise OptionError(f"{name} must be seconds, 0 or more; got {value!r}.")


def check_count(name: str, value: Any) -> None:
    """Raise `OptionError` unless `value` is a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise OptionError(f"{name} must be a whole number of at least 1; got {value!r}.")


def check_flag(name: str, value: Any) -> None:
    """Raise `OptionError` unless `value` is True or False."""
    # NumPy's own booleans are what grids of options are made of.
    if not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool"):
        raise OptionError(f"{name} must be True or False; got {value!r}.")


def with_count(count: int, what: str = "row") -> str:
    """A number of things: `1 row`, `2 rows`, `10,000 rows`."""
    return f"{count} {what}" if count == 1 else f"{count:,} {what}s"


def quote(value: object, most: int = 60) -> str:
    """A value for a message, in quotes if it is text: its beginning, if it is long."""
    shown = repr(value)
    return shown if len(shown) <= most else f"{shown[:most]}… ({len(shown)} characters)"


def list_names(names: Sequence[object], most: int = 8) -> str:
    """Names for a message: all of a few, the first of many."""
    return first_few(names, most, quote) + (f" ({len(names)} in all)" if len(names) > most else "")


def first_few(values: Sequence[Any], most: int = 8, text: Callable[[Any], str] = str) -> str:
    """Values in a line: all of a few, the first of many."""
    return ", ".join(map(text, values[:most])) + (", …" if len(values) > most else "")


def names_label(value: object, label: object) -> bool:
    """Whether `value` means this label: it is the label, or written like it on a command line."""
    if label == value or str(label) == str(value):
        return True
    if isinstance(label, bool):
        return str(label).lower() == str(value).lower()
    try:
        return not isinstance(label, str) and float(str(value)) == float(label)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
