"""From what a user gives to a regression whose rows stay where they are: a scan, or Dask's."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.certificates.certificate import scalar_of
from novikoff.conventions import check_flag, choice
from novikoff.data.source import list_names
from novikoff.errors import DataError, OptionError
from novikoff.far import Far, Part
from novikoff.problem import check_names
from novikoff.regressions.codes import ABSENT, Codes, check_has_codes
from novikoff.regressions.model import BINARY, MODELS, Model, Name, Outcome, levels_of
from novikoff.separation.inputs import Inputs, as_list, category_order
from novikoff.separation.separation import Regression
from novikoff.sources import coded_rows

__all__ = ["regression_elsewhere"]


def regression_elsewhere(
    name: Name, inputs: Inputs, *, columns: Mapping[str, str] | None = None
) -> Regression:
    """The regression; `columns` says where each part of the outcome was.

    Offset and exposure are for fitting, which needs rows at hand: they are left out.
    """
    choice("model", name, MODELS)
    if inputs.fit_intercept is not None:
        check_flag("fit_intercept", inputs.fit_intercept)
    check_flag("decimals", inputs.decimals)
    check_has_codes(name, "detect_separation")
    inputs, named = _from_dask_frame(inputs)
    for part, value in inputs.given.items():
        if value is not None and part not in ("y", "weights"):
            raise OptionError(f"the model {name!r} has no {part}.")
    y, weights = inputs.given["y"], inputs.given["weights"]
    order = category_order(y) if inputs.levels is None else inputs.levels
    levels: tuple[Any, ...] = ()

    def coding_of(labels: Callable[[], NDArray[Any]]) -> Codes:
        nonlocal levels
        if name in BINARY:
            levels = tuple(scalar_of(level) for level in levels_of(name, labels(), order))
        return Codes(name, levels)

    rows, own = coded_rows(inputs.X, y, weights, coding_of)
    present = rows.y != ABSENT
    if not present.any():
        raise DataError("no row has a weight above 0: nothing to estimate from.")
    asked = inputs.fit_intercept
    model = Model(
        name=name,
        features=check_names(own if inputs.names is None else inputs.names, rows.shape[1]),
        intercept=not _has_far_constant(rows) if asked is None else bool(asked),
        decimals=inputs.decimals,
        levels=levels,
        columns={**named, **(columns or {})},
    )
    there = None if present.all() else present.astype(np.float64)
    return Regression(model, rows, Outcome(len(rows.y), weights=there))


def _from_dask_frame(inputs: Inputs) -> tuple[Inputs, dict[str, str]]:
    """The same with columns of a Dask dataframe in place of their names."""
    data: Any = inputs.data
    if inputs.drop_missing:
        raise OptionError(
            "drop_missing needs all rows at hand: novikoff.data.scan(…, drop_missing=True) leaves "
            "them out of files, and dropna() out of Dask's partitions."
        )
    if isinstance(inputs.X, str):
        raise OptionError(
            "a formula needs all rows at hand, and they are in Dask's partitions: name the columns "
            "in a list, or compute() the data if it fits in memory."
        )
    if data is None:
        return inputs, {}
    named = {part: name for part, name in inputs.given.items() if isinstance(name, str)}
    there = list(data.columns)
    for part, name in [*(("features", name) for name in as_list(inputs.X)), *named.items()]:
        if name not in there:
            raise DataError(f"no column {name!r} ({part}); there are {list_names(there)}.")
    given = {**inputs.given, **{part: data[name] for part, name in named.items()}}
    return replace(inputs, X=data[as_list(inputs.X)], given=given, data=None), named


def _has_far_constant(rows: Far) -> bool:
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
