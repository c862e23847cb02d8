"""Make a `Regression` of what a user gives: arrays, a frame and a formula, a scan, or Dask data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import scalar_of
from novikoff.certificates.models.model import (
    MODELS,
    PARTS,
    TWO_CLASSES,
    WITH_INTERCEPT,
    Name,
    Outcome,
    RegressionModel,
    Ties,
    levels_of,
)
from novikoff.certificates.models.rows import ABSENT, Codes, check_has_codes
from novikoff.core import sparse as sp
from novikoff.core.options import check_flag, choice
from novikoff.data.arrays import read_frame
from novikoff.data.options import ReadOptions
from novikoff.data.scans.api import scan
from novikoff.data.scans.columns import Scan
from novikoff.data.source import list_names
from novikoff.errors import DataError, NotFiniteError, NotNumericError, OptionError, ShapeError
from novikoff.matrix.arrays import column_names
from novikoff.matrix.problem import Matrix, check_names, matrix_of
from novikoff.matrix.remote import Part, RemoteMatrix
from novikoff.matrix.sources import coded_rows
from novikoff.regression.result import Link, Regression
from novikoff.regression.table import Taken, ordered_levels, take_columns


@dataclass(frozen=True)
class Inputs:
    """What a user gave; `detect_separation` explains each."""

    X: object
    given: Mapping[str, object]
    data: object = None
    offset: object = None
    exposure: object = None
    fit_intercept: bool | None = None
    levels: Sequence[object] | None = None
    names: Sequence[str] | None = None
    decimals: bool = False
    ties: Ties = "breslow"
    bases: Mapping[str, object] = field(default_factory=dict)
    numbers: NDArray[np.intp] | None = None
    drop_missing: bool = False


def inputs_of(
    taken: Taken,
    *,
    fit_intercept: bool | None,
    levels: Sequence[object] | None,
    ties: Ties,
) -> Inputs:
    """What was taken from a file."""
    parts: dict[str, Any] = dict(taken.parts)
    offset, exposure = parts.pop("offset", None), parts.pop("exposure", None)
    given = dict.fromkeys(PARTS) | parts
    return Inputs(
        taken.X, given, None, offset, exposure, fit_intercept,
        taken.levels if levels is None else levels, taken.names,
        taken.decimals, ties, taken.bases, taken.rows,
    )  # fmt: skip


def regression_of(
    name: Name,
    inputs: Inputs,
    *,
    link: Link | None = None,
    columns: Mapping[str, str] | None = None,
) -> Regression:
    """The regression, its data validated; `columns` says where each part of the outcome was."""
    columns = dict(columns or {})
    if inputs.fit_intercept is not None:
        check_flag("fit_intercept", inputs.fit_intercept)
    check_flag("decimals", inputs.decimals)
    choice("ties", inputs.ties, get_args(Ties))
    check_flag("drop_missing", inputs.drop_missing)
    if inputs.data is not None or isinstance(inputs.X, str):
        inputs, columns = _from_frame(inputs)
    elif inputs.drop_missing:
        raise OptionError(
            "drop_missing needs the columns of a table: give data=. "
            "With arrays, leave out the rows yourself."
        )
    X = matrix_of(inputs.X)
    names = inputs.names if inputs.names is not None else column_names(inputs.X)
    features = check_names(names, X.shape[1])
    given = _counts_of_both(name, dict(inputs.given))
    outcome = Outcome.of(name, X.shape[0], given, inputs.numbers)
    order = inputs.levels if inputs.levels is not None else category_order(given["y"])
    present = outcome.present
    seen = None if outcome.y is None else outcome.y[present]
    rows = present if inputs.numbers is None else inputs.numbers[present]
    model = RegressionModel(
        name=name,
        features=features,
        intercept=_wants_intercept(name, X, outcome, inputs.fit_intercept),
        # Fractions and decimals are what they are: a float64 that holds one is not its print.
        decimals=inputs.decimals and X.dtype != object,
        levels=tuple(scalar_of(level) for level in levels_of(name, seen, order, rows)),
        ties=inputs.ties if name == "cox" else None,
        columns=columns,
    )
    offset = _offset(inputs, X.shape[0])
    return Regression(model, X, outcome, offset, link, bases=inputs.bases)


def design_of(inputs: Inputs) -> Inputs:
    """The inputs with the columns of a frame taken out of it."""
    if inputs.data is None and not isinstance(inputs.X, str):
        return inputs
    return _from_frame(inputs)[0]


def _from_frame(inputs: Inputs) -> tuple[Inputs, dict[str, str]]:
    """The inputs with arrays in place of a formula and of names of columns."""
    data = inputs.data
    given = dict(inputs.given)
    if data is None:
        data, given["y"] = given["y"], None
    if data is None:
        raise OptionError("a formula needs its data: give data=.")
    parts = {part: name for part, name in given.items() if isinstance(name, str)}
    for part in ("offset", "exposure"):
        if isinstance(getattr(inputs, part), str):
            parts[part] = getattr(inputs, part)
    formula = inputs.X if isinstance(inputs.X, str) else None
    columns = None if formula is not None else as_list(inputs.X)
    options = ReadOptions(formula=formula, features=columns, drop_missing=inputs.drop_missing)
    found = take_columns(read_frame(data), options, parts)
    for part, value in [*given.items(), ("offset", inputs.offset), ("exposure", inputs.exposure)]:
        if found.rows is not None and value is not None and part not in found.parts:
            raise OptionError(
                f"drop_missing needs {part} as the name of a column of data, too: "
                "an array would still have the rows that were left out."
            )
    given |= {part: value for part, value in found.parts.items() if part in given}
    intercept = inputs.fit_intercept
    if intercept is None and formula is not None:
        intercept = found.intercept
    filled = Inputs(
        found.X, given, None,
        found.parts.get("offset", inputs.offset),
        found.parts.get("exposure", inputs.exposure),
        intercept, found.levels if inputs.levels is None else inputs.levels,
        found.names, inputs.decimals, inputs.ties, found.bases, found.rows,
    )  # fmt: skip
    return filled, found.columns


def as_list(X: object) -> list[str]:
    """The names of columns; an error if it is anything else."""
    if isinstance(X, (list, tuple)) and all(isinstance(name, str) for name in X):
        return list(X)
    raise OptionError("with data=, X is a formula or a list of its columns.")


def _counts_of_both(name: Name, given: dict[str, object]) -> dict[str, object]:
    """Successes and trials, if y has two columns: successes and failures."""
    if name == "binomial" and given["trials"] is None and given["y"] is not None:
        both = np.asarray(given["y"])
        if both.ndim == 2 and both.shape[1] == 2:
            given["y"], given["trials"] = both[:, 0], both.sum(axis=1)
    return given


def category_order(y: Any) -> list[Any] | None:
    """The order of labels that bring one: an ordered Categorical of pandas, an Enum of polars."""
    kind: Any = getattr(y, "dtype", None)
    if getattr(kind, "ordered", False) or type(kind).__name__ == "Enum":
        return list(kind.categories)
    return ordered_levels(y) if hasattr(y, "type") else None


def _wants_intercept(name: Name, X: Matrix, outcome: Outcome, asked: bool | None) -> bool:
    if name not in WITH_INTERCEPT:
        return False
    return not _has_constant(X, outcome.present) if asked is None else bool(asked)


def _has_constant(X: Matrix, rows: NDArray[np.intp]) -> bool:
    part = X[rows]
    if sp.issparse(part):
        least, greatest = part.min(axis=0).toarray(), part.max(axis=0).toarray()
        return bool(((least == greatest) & (least != 0)).any())
    return bool(((part == part[0]).all(axis=0) & (part[0] != 0)).any())


def _offset(inputs: Inputs, n: int) -> NDArray[np.float64] | None:
    if inputs.offset is None and inputs.exposure is None:
        return None
    total = np.zeros(n)
    for part in ("offset", "exposure"):
        value = getattr(inputs, part)
        if value is None:
            continue
        numbers = _numbers(part, value, n, inputs.numbers)
        if part == "exposure" and (numbers <= 0).any():
            row = int(np.argmax(numbers <= 0))
            shown = row if inputs.numbers is None else inputs.numbers[row]
            raise OptionError(f"exposure is {numbers[row]} in row {shown}: it must be positive.")
        total = total + (np.log(numbers) if part == "exposure" else numbers)
    return total


def _numbers(
    part: str, value: object, n: int, rows: NDArray[np.intp] | None
) -> NDArray[np.float64]:
    """One finite number a row; a single one stands for all rows."""
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise NotNumericError(f"{part} must hold numbers: {error}.") from error
    if numbers.shape not in ((), (n,)):
        raise ShapeError(f"X has {n} rows, but {part} has the shape {numbers.shape}.")
    numbers = np.broadcast_to(numbers, (n,))
    if not np.isfinite(numbers).all():
        row = int(np.argmin(np.isfinite(numbers)))
        shown = row if rows is None else rows[row]
        raise NotFiniteError(f"{part} is {numbers[row]} in row {shown}: a number is needed.")
    return numbers


def remote_regression(
    name: Name, inputs: Inputs, *, columns: Mapping[str, str] | None = None
) -> Regression:
    """The regression; `columns` says where each part of the outcome was.

    Offset and exposure are for fitting, which needs rows in memory: they are left out.
    """
    choice("model", name, MODELS)
    if inputs.fit_intercept is not None:
        check_flag("fit_intercept", inputs.fit_intercept)
    check_flag("decimals", inputs.decimals)
    check_has_codes(name, "detect_separation")
    inputs, named = _from_dask_frame(inputs)
    asked = inputs.fit_intercept
    if asked is None and isinstance(inputs.X, Scan) and inputs.X.choice.formula is not None:
        asked = inputs.X.fit_intercept
    for part, value in inputs.given.items():
        if value is not None and part not in ("y", "weights"):
            raise OptionError(f"the model {name!r} has no {part}.")
    y, weights = inputs.given["y"], inputs.given["weights"]
    order = category_order(y) if inputs.levels is None else inputs.levels
    levels: tuple[Any, ...] = ()

    def coding_of(labels: Callable[[], NDArray[Any]]) -> Codes:
        nonlocal levels
        if name in TWO_CLASSES:
            levels = tuple(scalar_of(level) for level in levels_of(name, labels(), order))
        return Codes(name, levels)

    rows, own = coded_rows(inputs.X, y, weights, coding_of)
    present = rows.y != ABSENT
    if not present.any():
        raise DataError("All weights are 0: nothing to estimate from.")
    model = RegressionModel(
        name=name,
        features=check_names(own if inputs.names is None else inputs.names, rows.shape[1]),
        intercept=not _has_remote_constant(rows) if asked is None else bool(asked),
        decimals=inputs.decimals,
        levels=levels,
        columns={**named, **(columns or {})},
    )
    there = None if present.all() else present.astype(np.float64)
    return Regression(model, rows, Outcome(len(rows.y), weights=there))


def _from_dask_frame(inputs: Inputs) -> tuple[Inputs, dict[str, str]]:
    """The inputs with columns of a Dask dataframe in place of their names."""
    data: Any = inputs.data
    if inputs.drop_missing:
        raise OptionError(
            "drop_missing needs all rows in memory: novikoff.data.scan(…, drop_missing=True) "
            "leaves them out of files, and dropna() out of Dask's partitions."
        )
    named = {part: name for part, name in inputs.given.items() if isinstance(name, str)}
    if isinstance(inputs.X, str):
        given = dict(inputs.given)
        frame = given.pop("y") if data is None else data
        label, weights = named.get("y"), named.get("weights")
        for part in {"y", "weights"} & {*named}:
            given.pop(part, None)
        batches = scan(frame, formula=inputs.X, label=label, weights=weights)
        filled = replace(inputs, X=batches, given=dict.fromkeys(PARTS) | given, data=None)
        return filled, {"y": batches.label, **named}
    if data is None:
        return inputs, {}
    there = list(data.columns)
    for part, name in [*(("features", name) for name in as_list(inputs.X)), *named.items()]:
        if name not in there:
            raise DataError(f"no column {name!r} ({part}); there are {list_names(there)}.")
    given = {**inputs.given, **{part: data[name] for part, name in named.items()}}
    return replace(inputs, X=data[as_list(inputs.X)], given=given, data=None), named


def _has_remote_constant(rows: RemoteMatrix) -> bool:
    """Whether some column is a constant other than 0 in the rows that are present: one pass."""
    found = [extent for extent in rows.over_parts(_extent) if extent is not None]
    least = np.min([low for low, _ in found], axis=0)
    greatest = np.max([high for _, high in found], axis=0)
    return bool(((least == greatest) & (least != 0)).any())


def _extent(part: Part) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """The least and the greatest number of each column, of rows that are present in a part."""
    X = part.X if (part.y != ABSENT).all() else part.X[np.flatnonzero(part.y != ABSENT)]
    if X.shape[0] == 0:
        return None
    low, high = X.min(axis=0), X.max(axis=0)
    return (low.toarray().ravel(), high.toarray().ravel()) if sp.issparse(X) else (low, high)
