"""Which regression is asked about, and what its outcome is: validated once, plain data after that.

A `RegressionModel` is what a certificate states: the regression's name, its columns, the levels of
its outcome and where in a file each part of it was. An `Outcome` holds the numbers themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from novikoff.core.options import choice, first_few, names_label
from novikoff.errors import CertificateError, DataError, LabelError, OptionError, ShapeError
from novikoff.matrix.problem import distinct, python_value

Name: TypeAlias = Literal[
    "logit",
    "probit",
    "cloglog",
    "log-binomial",
    "binomial",
    "poisson",
    "negative-binomial",
    "multinomial",
    "ordinal",
    "adjacent-category",
    "continuation-ratio",
    "conditional",
    "cox",
]
Ties: TypeAlias = Literal["breslow", "efron", "exact"]
MODELS: tuple[Name, ...] = get_args(Name)
BINARY: tuple[Name, ...] = ("logit", "probit", "cloglog")
TWO_CLASSES: tuple[Name, ...] = (*BINARY, "log-binomial")
COUNTS: tuple[Name, ...] = ("poisson", "negative-binomial")
# With thresholds between the classes, which have an order.
ORDERED: tuple[Name, ...] = ("ordinal", "adjacent-category", "continuation-ratio")
LEVELLED: tuple[Name, ...] = (*TWO_CLASSES, "multinomial", *ORDERED, "conditional")
# Models whose rows are sums of rows of the data, which are exact.
SUMMED: tuple[Name, ...] = ("adjacent-category", "conditional", "cox")
# Models whose rows take an intercept; the others cancel one, or have thresholds in its place.
WITH_INTERCEPT: tuple[Name, ...] = (*TWO_CLASSES, "binomial", *COUNTS, "multinomial")

# The parts of an outcome, and the models that know them.
PARTS: dict[str, tuple[Name, ...]] = {
    "y": tuple(name for name in MODELS if name != "cox"),
    "trials": ("binomial",),
    "strata": ("conditional", "cox"),
    "time": ("cox",),
    "event": ("cox",),
    "entry": ("cox",),
    "weights": MODELS,
}
NEEDED = {"binomial": ("y", "trials"), "conditional": ("y", "strata"), "cox": ("time",)}

Level: TypeAlias = str | int | float | bool
# What rows are called in the data, where it is not 0, 1, 2, ….
Numbers: TypeAlias = Sequence[int] | NDArray[np.intp]


@dataclass(frozen=True)
class RegressionModel:
    """A regression: its name, the columns of X, and how its rows are made of them.

    `intercept` says that a constant was put before the columns; `decimals` that the numbers stand
    for the decimals they print as; `levels` are the values of the outcome, in order (the first one
    is "failure", or the base class); `columns` says which column of a file each part came from.
    """

    name: Name
    features: tuple[str, ...]
    intercept: bool
    decimals: bool = False
    levels: tuple[Level, ...] = ()
    ties: Ties | None = None
    columns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        choice("model", self.name, MODELS)
        if self.ties is not None:
            choice("ties", self.ties, get_args(Ties))

    def to_dict(self) -> dict[str, Any]:
        """The model as plain JSON values."""
        return {
            "name": self.name,
            "features": list(self.features),
            "intercept": self.intercept,
            "decimals": self.decimals,
            "levels": list(self.levels),
            "ties": self.ties,
            "columns": dict(self.columns),
        }

    @classmethod
    def from_dict(cls, written: Any) -> "RegressionModel":
        """The model that these values write; a `CertificateError` says what is wrong."""
        names = [each.name for each in fields(cls)]
        if not isinstance(written, Mapping) or sorted(written) != sorted(names):
            raise CertificateError(f"model must have the fields {', '.join(names)}.")
        right = (
            _all(written["features"], str)
            and type(written["intercept"]) is bool
            and type(written["decimals"]) is bool
            and _all(written["levels"], (str, int, float))
            and isinstance(written["columns"], Mapping)
            and all(key in PARTS for key in written["columns"])
            and _all(list(written["columns"].values()), str)
        )
        if not right:
            raise CertificateError("a field of model has a value that it cannot have.")
        values = dict(written)
        for name in ("features", "levels"):
            values[name] = tuple(values[name])
        try:
            return cls(**values)
        except OptionError as error:
            raise CertificateError(str(error)) from error


def _all(values: Any, kind: type | tuple[type, ...]) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


@dataclass(frozen=True)
class Outcome:
    """What was observed, a value a row: labels or counts `y`, and what else the model knows.

    `strata` are numbers of strata; rows of weight 0 are absent. `numbers` are what errors call the
    rows, where some of the data's were left out.
    """

    n: int
    y: NDArray[Any] | None = None
    trials: NDArray[np.float64] | None = None
    strata: NDArray[np.intp] | None = None
    time: NDArray[np.float64] | None = None
    event: NDArray[np.bool_] | None = None
    entry: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None
    numbers: NDArray[np.intp] | None = None

    @classmethod
    def of(
        cls,
        name: Name,
        n: int,
        given: Mapping[str, object],
        numbers: NDArray[np.intp] | None = None,
    ) -> "Outcome":
        """Validate the parts that a user gave, by their names in `PARTS`."""
        choice("model", name, MODELS)
        parts = {part: value for part, value in given.items() if value is not None}
        for part in parts:
            if name not in PARTS[part]:
                raise OptionError(
                    f"the model {name!r} has no {part}; of {', '.join(PARTS[part])} it is a part."
                )
        for part in NEEDED.get(name, ("y",)):
            if part not in parts:
                raise OptionError(f"the model {name!r} needs {part}: give {part}=.")
        arrays = {part: _flat(value, part, n) for part, value in parts.items()}
        for part in ("trials", "time", "entry", "weights"):
            if part in arrays:
                arrays[part] = numbers_of(arrays[part], part, numbers)
        if "strata" in arrays:
            distinct(arrays["strata"], "strata", numbers)
            arrays["strata"] = np.unique(arrays["strata"], return_inverse=True)[1]
        if "event" in arrays:
            arrays["event"] = _truths(arrays["event"], numbers)
        outcome = cls(n, **arrays, numbers=numbers)
        outcome._check(name)
        return outcome

    @property
    def present(self) -> NDArray[np.intp]:
        """The rows with a weight, and with trials where these are counted."""
        there = np.ones(self.n, dtype=np.bool_)
        for counts in (self.weights, self.trials):
            if counts is not None:
                there &= counts > 0
        return np.flatnonzero(there)

    def number_of(self, row: int) -> int:
        """What to call a row: its number in the data."""
        return row if self.numbers is None else int(self.numbers[row])

    def _check(self, name: Name) -> None:
        rows = self.numbers
        if self.weights is not None:
            refuse(self.weights < 0, "weights", self.weights, "weights are not negative", rows)
        if name in (*COUNTS, "binomial"):
            y = numbers_of(self.y, "y", rows)
            object.__setattr__(self, "y", y)
            refuse(y < 0, "y", y, "counts are not negative", rows)
        if self.trials is not None:
            assert self.y is not None
            why = "there are fewer trials than successes"
            refuse(self.y > self.trials, "y", self.y, why, rows)
        if self.entry is not None:
            assert self.time is not None
            refuse(self.entry >= self.time, "entry", self.entry, "time is not after it", rows)
        if len(self.present) == 0:
            raise DataError("All weights are 0, or no row has a trial: nothing to estimate from.")


def _flat(value: object, part: str, n: int) -> Any:
    array = np.asarray(value)
    if array.ndim != 1:
        raise ShapeError(f"{part} must be flat, one value a row; it has {array.ndim} dimensions.")
    if len(array) != n:
        raise ShapeError(f"X has {n} rows, but {part} has {len(array)} values.")
    return array


def numbers_of(array: Any, part: str, rows: Numbers | None = None) -> NDArray[np.float64]:
    """A part of the outcome as finite numbers; `rows` are their numbers in the data."""
    try:
        numbers = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{part} must hold numbers: {error}.") from error
    refuse(~np.isfinite(numbers), part, numbers, "a number is needed", rows)
    _refuse_rounded(np.asarray(array), numbers, part, rows)
    return numbers


def _refuse_rounded(
    given: NDArray[Any], numbers: NDArray[np.float64], part: str, rows: Numbers | None
) -> None:
    """Raise `DataError` where float64 is another number: two times would be one, and a tie."""
    if given.dtype.kind in "iu":
        where = np.flatnonzero(np.abs(numbers) >= 2.0**53)
    else:
        where = np.arange(len(numbers) if given.dtype.kind == "O" else 0)
    bad = np.zeros(len(numbers), np.bool_)
    for i, value, held in zip(where, given[where].tolist(), numbers[where].tolist(), strict=True):
        if not isinstance(value, (int, Fraction, Decimal)):
            continue
        # Of weights only the sign matters. Decimals that float64 prints as they are stay different.
        near = {Fraction(held), Fraction(repr(held))}
        bad[i] = bool(value) != bool(held) if part == "weights" else Fraction(value) not in near
    refuse(bad, part, given, "float64 would round it: subtract a constant, or round it", rows)


def refuse(
    bad: NDArray[np.bool_], part: str, values: NDArray[Any], why: str, rows: Numbers | None = None
) -> None:
    """Raise `DataError` for the first value that is bad, and say why."""
    if bad.any():
        row = int(np.argmax(bad))
        shown = row if rows is None else rows[row]
        raise DataError(f"{part} is {values[row]} in row {shown}: {why}.")


def _truths(array: NDArray[Any], rows: Numbers | None) -> NDArray[np.bool_]:
    """Events as truth values: 1 happened, 0 was censored."""
    if array.dtype.kind != "b":
        bad = ~np.isin(array, (0, 1))
        refuse(bad, "event", array, "it is 1 where the event happened and 0 where censored", rows)
    return array.astype(np.bool_)


def levels_of(
    name: Name,
    y: NDArray[Any] | None,
    order: Sequence[Any] | None,
    rows: Numbers | None = None,
) -> tuple[Any, ...]:
    """The values of an outcome of classes, in order; none for other models.

    An outcome of 0 and 1 has both levels, even where only one of them was observed: a regression
    has an answer for that. Where the order changes the question it is not guessed: an ordinal model
    takes numbers as they are, a conditional one 1 as the case, and anything else needs `order`.
    """
    if name not in LEVELLED:
        return ()
    assert y is not None
    labels = distinct(y, "y", rows)
    found = [python_value(value) for value in labels]
    shown = first_few(found, text=repr)
    two = name in (*TWO_CLASSES, "conditional")
    both = two and set(found) <= {0, 1}
    if order is not None:
        ordered = _in_order([*{*found, 0, 1}] if both else found, list(order))
        unknown = [label for label in found if label not in ordered]
        if unknown:
            raise LabelError(f"y has the label {unknown[0]!r}, which levels does not list.")
        found = ordered
    elif name in ORDERED and not all(isinstance(label, (Real, Decimal)) for label in found):
        raise LabelError(
            f"the labels of y ({shown}) have no order: list them from the lowest to the highest "
            "with levels=[…] (--levels A,B,…), or make y an ordered categorical."
        )
    if both:
        return tuple(map(int, found)) if order is not None and len(found) == 2 else (0, 1)
    if len(found) < 2:
        raise LabelError(f"y has one class only, {found[0]!r}: two are needed.")
    if two and len(found) > 2:
        raise LabelError(
            f"y has {len(found)} classes, and the model {name!r} is one of two: "
            "ask for model='multinomial' or 'ordinal', or for one against the rest with y == label."
        )
    if name == "conditional" and order is None:
        raise LabelError(
            f"which label of y is the case ({shown})? List the control's label and then the case's "
            "with levels=[…] (--levels A,B), or make y 1 for a case and 0 for a control."
        )
    return tuple(found)


def _in_order(known: list[Any], order: list[Any]) -> list[Any]:
    """Those of the labels that `order` names, in its order."""
    return list(
        dict.fromkeys(label for value in order for label in known if names_label(value, label))
    )
