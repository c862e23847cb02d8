"""A regression's columns out of a file or a frame: the design, and each part of the outcome."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.data.columns import (
    categorical_columns,
    columns_to_code,
    dates_among,
    features_beside,
    refuse_named,
    rows_without_missing,
    with_fills,
)
from novikoff.data.factors import base_levels
from novikoff.data.features import (
    FeatureRecipe,
    is_number,
    levels_of,
    matrix,
    numbers,
    refuse_text,
)
from novikoff.data.fixed_effects import fixed_columns, grouping_columns
from novikoff.data.formula import (
    FixedEffect,
    computes,
    design,
    parse,
    refuse_outcome,
    split_fixed,
)
from novikoff.data.options import ReadOptions
from novikoff.data.rounding import BINARY, refuse_rounded
from novikoff.data.source import Source, as_numpy, plain_column

LABELS = ("y", "strata", "event")  # parts that need not be numbers
SHIFT = ", or subtract a constant from the column"
MANY = 256  # columns of a design above which it is kept sparse


@dataclass(frozen=True)
class Taken:
    """The matrix with its names, whether the formula has a constant, the parts, and what was done.

    `rows` are the rows of the file that stayed, or None for all; `bases` the levels that have no
    column, factor by factor; `levels` those of the outcome, where its column has an order.
    """

    X: Any
    names: tuple[str, ...]
    intercept: bool
    parts: dict[str, NDArray[Any]]
    columns: dict[str, str]
    rows: NDArray[np.int64] | None
    notes: tuple[str, ...]
    decimals: bool
    bases: dict[str, Any]
    levels: list[Any] | None = None


def take_columns(source: Source, choice: ReadOptions, outcome: Mapping[str, str]) -> Taken:
    """The columns that are asked for, as arrays; `outcome` names the column of each part of it."""
    parts = {part: source.resolve(name, f"{part}, --{part}") for part, name in outcome.items()}
    fixed: tuple[FixedEffect, ...] = ()
    if choice.formula is not None:
        formula, fixed = split_fixed(choice.formula)
        choice = replace(choice, formula=formula)
    features = _features(source, choice, parts)
    choice = replace(choice, categorical=categorical_columns(source, choice, features))
    # A formula makes categories of text by itself.
    counted = [name for name in features if name not in choice.categorical]
    dates = dates_among(source, counted, choice.dates)
    if choice.formula is not None:
        counted = []
    refuse_text(source, [name for name in counted if name not in dates])
    recipe = FeatureRecipe(
        tuple(part for name in features for part in dates.get(name, (name,))), dates=dates
    )
    dated = recipe.with_dates(source)
    coded = columns_to_code(dated, choice, replace(recipe, formula=choice.formula))
    recipe, notes = with_fills(recipe, lambda: [dated], coded, choice)
    source = recipe.filled(dated)
    features = [*recipe.features, *(f"{name}.missing" for name in recipe.indicators)]
    grouping = grouping_columns(source, fixed)
    refuse_outcome(choice.formula or "", {*parts.values()} & {*grouping})
    needed = list(dict.fromkeys([*features, *parts.values(), *grouping]))
    everything = np.ones(source.table.num_rows, dtype=np.bool_)
    keep, more = rows_without_missing(source, needed, everything, choice.drop_missing)
    rows = None if keep.all() else np.flatnonzero(keep)
    kept = source if rows is None else source.take(rows)
    slopes = [name for effect in fixed for name in effect.slopes]
    measured = {*recipe.features, *slopes} - {part for of in dates.values() for part in of}
    if choice.formula is None:
        measured -= {*coded}
    # Labels and strata may be long integers: those are taken as they are.
    whole = {name for part, name in parts.items() if part in LABELS and _is_integer(kept, name)}
    measured |= {*parts.values()} - whole
    printed = refuse_rounded(kept, [name for name in needed if name in measured], SHIFT)
    X, names, intercept = _design(kept, choice, features)
    if fixed:
        X, names = fixed_columns(kept, X, names, fixed)
        # Levels make up a constant; slopes alone do not, and it stays, as in fixest.
        intercept = intercept and not any(effect.levels for effect in fixed)
    values = {
        part: _labels(kept, name) if part in LABELS else numbers(kept, name)
        for part, name in parts.items()
    }
    columns = {part: name for part, name in parts.items() if part not in ("offset", "exposure")}
    computed = choice.formula is not None and computes(choice.formula)
    decimals = source.decimals and not (computed or recipe.fills or printed)
    bases = base_levels(names, {name: kept.column(name).unique().to_pylist() for name in coded})
    levels = ordered_levels(source.column(parts["y"])) if "y" in parts else None
    said = (*recipe.notes, *notes, *more, *([BINARY] if printed else []))
    return Taken(X, names, intercept, values, columns, rows, said, decimals, bases, levels)


def _is_integer(source: Source, name: str) -> bool:
    return bool(pa.types.is_integer(plain_column(source.column(name)).type))


def ordered_levels(column: Any) -> list[Any] | None:
    """The categories of an Arrow column whose kind says that they have an order."""
    if not getattr(column.type, "ordered", False):
        return None
    pieces = getattr(column, "chunks", [column])
    return list(dict.fromkeys(v for piece in pieces for v in piece.dictionary.to_pylist()))


def _features(source: Source, choice: ReadOptions, parts: dict[str, str]) -> list[str]:
    """The columns that X is made of; a formula's left side is y."""
    if choice.formula is not None:
        refuse_named(choice)
        parsed = parse(choice.formula)
        if parsed.label is not None:
            parts["y"] = source.resolve(parsed.label, "formula, --formula")
        features = [source.resolve(name, "formula, --formula") for name in parsed.variables]
        outcome = {parts[part] for part in ("y", "time", "event") if part in parts}
        refuse_outcome(choice.formula, outcome & {*features})
        return features
    return features_beside(source, choice, set(parts.values()))


def _design(
    source: Source, choice: ReadOptions, features: list[str]
) -> tuple[Any, tuple[str, ...], bool]:
    schema = source.table.schema
    if choice.formula is not None:
        text = [name for name in features if not is_number(schema.field(name).type)]
        levels = {name: levels_of(source, name) for name in text}
        return design(choice.formula, source, levels, many=MANY)
    levels = {str(name): levels_of(source, str(name)) for name in choice.categorical}
    if sum(map(len, levels.values())) <= MANY:
        return *matrix(source, features, levels), True
    blocks: list[Any] = []
    names: list[str] = []
    for name in features:
        block, titles = matrix(source, [name], {k: v for k, v in levels.items() if k == name})
        blocks.append(sp.csr_array(block))
        names += titles
    return sp.csr_array(sp.hstack(blocks)), tuple(names), True


def _labels(source: Source, name: str) -> NDArray[Any]:
    """A column as it is written: numbers, truth values or text."""
    column = source.column(name)
    kind = column.type
    if str(kind).startswith("dictionary"):
        column = column.dictionary_decode()
    if is_number(column.type) and str(column.type) != "bool":
        return numbers(source, name)
    return np.asarray(column.to_pylist()) if not is_number(column.type) else as_numpy(column)
