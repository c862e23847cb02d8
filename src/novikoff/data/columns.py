"""Which columns mean what: the label, the features, the weights, and which rows stay."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.options import first_few
from novikoff.data.features import (
    FeatureRecipe,
    is_date,
    is_number,
    levels_of,
    missing_mask,
    numbers,
    parts_of_date,
    refuse_text,
    standard_scale,
    text_columns,
)
from novikoff.data.formula import coded_columns, parse
from novikoff.data.labels import Labels, labels_of
from novikoff.data.missing import Sources, find_fills
from novikoff.data.options import FileLayout, ReadOptions
from novikoff.data.rounding import BINARY, refuse_rounded
from novikoff.data.source import Source, list_names, with_count
from novikoff.data.table import Table
from novikoff.errors import DataError, OptionError, ShapeError

WEIGHTED = "weights from column {!r}; rows of weight 0 are left out"
NEAREST = "each number is the float64 nearest to what is written"


def choose(source: Source, choice: ReadOptions) -> Table:
    """Labelled points from the columns of a file."""
    choice = with_names(source, choice)
    label, recipe = plan_columns(source, choice)
    left_out = _count_left_out(source, choice, label, recipe.needed)
    source = recipe.with_dates(source)
    labels = labels_of(source, label, choice)
    notes = [*source.notes, *_dropped_classes(labels, choice)]
    keep, weights = labels.keep, None
    if choice.weights is not None:
        name = str(choice.weights)
        weights = weights_of(source, name)
        if not choice.float64:
            refuse_rounded(source, [name])
        keep = keep & (weights > 0)
        notes.append(WEIGHTED.format(name))
    needed = recipe.features
    if choice.impute is None:
        keep, more = rows_without_missing(source, needed, keep, choice.drop_missing)
        notes += more
    rows = None if keep.all() else np.flatnonzero(keep)
    kept = source
    y = labels.y
    if rows is not None:
        y = y[rows]
        weights = None if weights is None else weights[rows]
    classes = classes_left(labels.classes, set(np.unique(y).tolist()), source.name, label)
    if rows is not None:
        kept = source.take(rows)
    coded = columns_to_code(kept, choice, recipe)
    recipe, more = with_fills(recipe, lambda: [kept], coded, choice)
    notes += more
    whole = recipe.filled(kept)
    recipe = replace(recipe, levels={name: levels_of(whole, name) for name in coded})
    if choice.float64:
        kept = replace(kept, decimals=False)
        notes.append(NEAREST)
    else:
        numeric = numeric_columns(kept, recipe, needed)
        labelled = pa.types.is_floating(source.column(label).type)
        if refuse_rounded(kept, [*numeric, label] if labelled else numeric):
            kept = replace(kept, decimals=False)
            notes.append(BINARY)
    X, names, intercept = recipe.columns(recipe.filled(kept))
    table = Table(
        X, y, names, label, classes, source.name, recipe,
        decimals=kept.decimals, fit_intercept=intercept, weights=weights, rows=rows,
        file_rows=source.table.num_rows, left_out=left_out,
        notes=(*notes, *recipe.notes),
    )  # fmt: skip
    return standardise_and_lift(table, choice)


def with_names(source: Source, choice: ReadOptions) -> ReadOptions:
    """The options with columns by their names: dates become other columns, which moves numbers."""
    coded, weights = choice.categorical, choice.weights
    if not isinstance(coded, str) and (list(coded) != ["auto"] or "auto" in source.names):
        coded = [source.resolve(name, "categorical, --categorical") for name in coded]
    if weights is not None:
        weights = source.resolve(weights, "weights, --weights")
    return replace(choice, categorical=coded, weights=weights)


def plan_columns(source: Source, choice: ReadOptions) -> tuple[str, FeatureRecipe]:
    """The label's column and the columns that X is made of, all of which must exist."""
    if choice.formula is not None:
        return _plan_by_formula(source, choice)
    if choice.label is None:
        raise OptionError(
            f"{source.name}: which column holds the labels? (label, --label) "
            f"There are {list_names(source.names)}.{source.warning}"
        )
    label = source.resolve(choice.label, "label, --label")
    aside = {label}
    if choice.weights is not None:
        aside.add(str(choice.weights))
    features = features_beside(source, choice, aside)
    categorical = set(categorical_columns(source, choice, features))
    for name in sorted(categorical - set(features)):
        raise OptionError(f"column {name!r} is called categorical, but it is not a feature.")
    counted = [name for name in features if name not in categorical]
    dates = dates_among(source, counted, choice.dates)
    refuse_text(source, [name for name in counted if name not in dates])
    parts = tuple(part for name in features for part in dates.get(name, (name,)))
    return label, FeatureRecipe(parts, layout=FileLayout(**choice.texts), dates=dates)


def features_beside(source: Source, choice: ReadOptions, aside: set[str]) -> list[str]:
    """The features that the options name, or all columns but those `aside` and those to drop."""
    beside = aside | {source.resolve(name, "drop, --drop") for name in choice.drop}
    if choice.features is None:
        features = [name for name in source.names if name not in beside]
    else:
        features = [source.resolve(name, "features, --features") for name in choice.features]
    for name in features:
        if name in beside:
            raise OptionError(f"column {name!r} cannot be a feature: it is set aside.")
    if not features:
        raise ShapeError(f"{source.name}: no feature is left beside {list_names(sorted(aside))}.")
    return features


def refuse_named(choice: ReadOptions) -> None:
    """Raise `OptionError` if the options name columns, and a formula does so, too."""
    if choice.features is not None or choice.drop or choice.categorical:
        raise OptionError(
            "a formula says which columns to use: give no features, drop or categorical."
        )


def dates_among(
    source: Source, names: Sequence[str], how: str | None
) -> dict[str, tuple[str, ...]]:
    """The columns of dates that become numbers, and the columns that each becomes."""
    if how is None:
        return {}
    kinds = {name: source.table.schema.field(name).type for name in names}
    return {k: parts_of_date(k, kind, how) for k, kind in kinds.items() if is_date(kind)}


def categorical_columns(source: Source, choice: ReadOptions, features: Sequence[str]) -> list[str]:
    """The columns to code as categories: those named or, for `auto`, the features of text."""
    named = [choice.categorical] if isinstance(choice.categorical, str) else choice.categorical
    if list(named) == ["auto"] and "auto" not in source.names:
        return text_columns(source, features)
    return [source.resolve(name, "categorical, --categorical") for name in named]


def _plan_by_formula(source: Source, choice: ReadOptions) -> tuple[str, FeatureRecipe]:
    assert choice.formula is not None
    refuse_named(choice)
    parsed = parse(choice.formula)
    label = parsed.label if parsed.label is not None else choice.label
    if label is None:
        raise OptionError(
            f"formula {choice.formula!r}: no label: write LABEL ~ …, or give --label."
        )
    for name in parsed.variables:
        source.resolve(name, "formula, --formula")
    resolved = source.resolve(label, "formula, --formula")
    dates = dates_among(source, parsed.variables, choice.dates)
    layout = FileLayout(**choice.texts)
    return resolved, FeatureRecipe(
        parsed.variables, formula=choice.formula, layout=layout, dates=dates
    )


def with_fills(
    recipe: FeatureRecipe, sources: Sources, coded: Sequence[str], choice: ReadOptions
) -> tuple[FeatureRecipe, list[str]]:
    """The recipe with what stands in missing cells, if that is asked, and a note on how many."""
    if choice.impute is None:
        return recipe, []
    numeric = [name for name in recipe.features if name not in coded]
    fills, counts = find_fills(sources, numeric, coded, choice)
    holes = tuple(name for name, count in counts.items() if count)
    shown = first_few(holes, 6, lambda name: f"{counts[name]} in {name!r} with {fills[name]!r}")
    with_hole = [name for name in recipe.needed if recipe.dates.get(name, (name,))[0] in holes]
    indicators = tuple(with_hole) if choice.missing_indicator else ()
    for name in indicators:
        if f"{name}.missing" in recipe.features:
            raise DataError(
                f"column '{name}.missing' is in the data, and missing_indicator makes another one "
                "of this name: rename it, or leave it out (drop, --drop)."
            )
    return replace(recipe, fills=fills, indicators=indicators), [
        f"missing values filled ({choice.impute}): {shown or 'none'}"
    ]


def rows_without_missing(
    source: Source, names: Sequence[str], keep: NDArray[np.bool_], drop: bool
) -> tuple[NDArray[np.bool_], list[str]]:
    """Which rows have all their values; if not told to drop, an error counts what is missing."""
    masks = {
        name: mask & keep
        for name, mask in missing_mask(source, names).items()
        if np.any(mask & keep)
    }
    if not masks:
        return keep, []
    missing: NDArray[np.bool_] = np.logical_or.reduce(list(masks.values()))
    total = sum(int(np.count_nonzero(mask)) for mask in masks.values())
    counts = first_few(list(masks), 6, lambda name: f"{name!r} {np.count_nonzero(masks[name])}")
    if not drop:
        first = source.place(int(np.argmax(missing)))
        raise DataError(
            f"{source.name}: {with_count(total, 'missing value')} ({counts}), the first at "
            f"{first}: fill them (impute, --impute median), or leave out those rows (drop_missing, "
            "--drop-missing) or those columns."
        )
    if not np.any(keep & ~missing):
        raise ShapeError(f"{source.name}: every row has a missing value ({counts}).")
    count = int(np.count_nonzero(missing))
    return keep & ~missing, [f"{with_count(count)} with missing values left out ({counts})"]


def weights_of(source: Source, name: str) -> NDArray[np.float64]:
    """A column of weights: numbers, none missing, none negative."""
    refuse_text(source, [name])
    rows_without_missing(source, [name], np.ones(source.table.num_rows, dtype=np.bool_), False)
    weights = numbers(source, name).astype(np.float64)
    if np.any(weights < 0):
        row = int(np.argmax(weights < 0))
        raise DataError(
            f"{source.name}: the weight in column {name!r} is {weights[row]} at "
            f"{source.place(row)}: a weight counts, so it cannot be negative."
        )
    return weights


def standardise_and_lift(table: Table, choice: ReadOptions) -> Table:
    """The table standardised and lifted, as far as that was asked for, with a note on each."""
    recipe = table.recipe
    if choice.standardise:
        if sp.issparse(table.X):
            raise OptionError("standardise would fill in all the zeros of a sparse matrix.")
        mean, scale = standard_scale(lambda: [table.X])
        recipe = replace(recipe, mean=mean, scale=scale)
    recipe = replace(recipe, degree=choice.degree)
    if not recipe.changes_numbers:
        return table
    X, names = recipe.transform(table.X, table.names)
    notes = (*table.notes, *notes_on_numbers(recipe, table.decimals))
    return replace(table, X=X, names=names, recipe=recipe, decimals=False, notes=notes)


def notes_on_numbers(recipe: FeatureRecipe, decimals: bool) -> list[str]:
    """What was computed from the numbers that were read, and what that means for a verdict."""
    notes = []
    if recipe.mean is not None:
        notes.append("standardised: mean 0, deviation 1 a column, which changes both margins")
    if recipe.degree > 1:
        notes.append(f"lifted: all products of up to {recipe.degree} columns")
    if decimals and recipe.changes_numbers:
        notes.append("the verdict is about these computed numbers, rounded to float64")
    return notes


def columns_to_code(source: Source, choice: ReadOptions, recipe: FeatureRecipe) -> list[str]:
    """The columns whose values become columns of 0 and 1: by option, or as the formula says."""
    if recipe.formula is None:
        return categorical_columns(source, choice, recipe.features)
    called, schema = coded_columns(recipe.formula), source.table.schema
    return [
        name for name in recipe.features if name in called or not is_number(schema.field(name).type)
    ]


def numeric_columns(source: Source, recipe: FeatureRecipe, names: Sequence[str]) -> list[str]:
    """Those columns whose numbers must be what is written."""
    schema, computed = source.table.schema, {part for of in recipe.dates.values() for part in of}
    return [
        name
        for name in names
        if name not in computed
        and (
            name not in recipe.levels
            or (recipe.formula is not None and is_number(schema.field(name).type))
        )
    ]


def _dropped_classes(labels: Labels, choice: ReadOptions) -> list[str]:
    if labels.keep.all() or choice.classes is None:
        return []
    return [f"{with_count(int(np.count_nonzero(~labels.keep)))} of other classes left out"]


def classes_left(
    classes: tuple[Any, ...], left: set[Any], file: str, label: str
) -> tuple[Any, ...]:
    """The classes of the rows that stayed: at least two of those that were there."""
    classes = tuple(name for name in classes if name in left)
    if not classes:
        raise ShapeError(f"{file}: after leaving rows out, none is left.")
    if len(classes) < 2:
        raise ShapeError(
            f"{file}: after leaving rows out, only class {classes[0]!r} of column "
            f"{label!r} is left, and two are needed."
        )
    return classes


def _count_left_out(
    source: Source, choice: ReadOptions, label: str, features: Sequence[str]
) -> tuple[str, ...]:
    used = {label, *features}
    if choice.weights is not None:
        used.add(str(choice.weights))
    return tuple(name for name in source.names if name not in used)
