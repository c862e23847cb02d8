"""From columns to the matrix X: numbers as they are, categories in treatment coding.

Standardising takes the mean and deviation of each column, row after row: the same bits however rows
come in batches. The extension carries the sums with their rounding errors, so that a million rows
lose no digits. `FeatureRecipe` keeps the steps so that they can be repeated on another file.
"""

import csv
import io
import math
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.data.delimited import MISSING
from novikoff.data.formula import computes, design, refuse_code
from novikoff.data.missing import Fills, as_text, filled, missing_in
from novikoff.data.number_text import NUMBER
from novikoff.data.options import AS_USUAL, FileLayout
from novikoff.data.source import (
    Source,
    as_numpy,
    list_names,
    plain_column,
    quote,
    with_count,
)
from novikoff.errors import DataError, FileError, LimitError, NotFiniteError, ShapeError
from novikoff.matrix.arrays import memory
from novikoff.matrix.problem import check_finite
from novikoff.matrix.rows import Floats


def standard_scale(
    blocks: Callable[[], Iterable[Floats]],
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and standard deviation of each column; a constant column is left as wide as it is.

    `blocks()` gives all rows, some at a time, and is called twice.
    """
    mean, _, _ = _means(blocks(), None)
    squares, ends, _ = _means(blocks(), mean)
    scale = np.sqrt(squares)
    scale[(scale == 0) | (ends[0] == ends[1])] = 1.0
    return tuple(mean.tolist()), tuple(scale.tolist())


def _means(blocks: Iterable[Floats], centre: Floats | None) -> tuple[Floats, Floats, int]:
    """The mean of each column, or of its squared distance from `centre`; its ends; the rows."""
    n, sums, ends = 0, np.zeros((2, 0)), np.zeros((2, 0))
    for X in blocks:
        d = X.shape[1]
        if n == 0:
            sums = np.zeros((2, d))
            ends = np.vstack([np.full(d, np.inf), np.full(d, -np.inf)])
        middle = np.zeros(d) if centre is None else centre
        rows = np.ascontiguousarray(X, np.float64)
        _core.add_columns(rows, middle, centre is not None, sums[0], sums[1], ends)
        n += len(X)
    return (sums[0] + sums[1]) / n, ends, n


@dataclass(frozen=True)
class FeatureRecipe:
    """Which columns, how they are coded, and what is done to the numbers after that.

    `levels` gives the values of each categorical column, the base first. `mean` and `scale` are
    there if the columns were standardised, with the numbers of the data that the recipe was made
    on; `degree` above 1 adds all products of up to that many columns. `layout` is how texts were
    written. `dates` are columns of dates, with the parts that became columns of their own; `fills`
    what stands in missing cells, and `indicators` the columns with one that tells where.
    """

    features: tuple[str, ...]
    levels: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    formula: str | None = None
    mean: tuple[float, ...] | None = None
    scale: tuple[float, ...] | None = None
    degree: int = 1
    layout: FileLayout = AS_USUAL
    dates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fills: Fills = field(default_factory=dict)
    indicators: tuple[str, ...] = ()

    @property
    def changes_numbers(self) -> bool:
        """Whether X holds numbers that were computed, and rounded, rather than read."""
        if self.formula is not None and computes(self.formula):
            return True
        return self.mean is not None or self.degree > 1 or bool(self.fills)

    @property
    def needed(self) -> tuple[str, ...]:
        """The columns of a file that X is made of."""
        made = {part: name for name, parts in self.dates.items() for part in parts}
        return tuple(dict.fromkeys(made.get(name, name) for name in self.features))

    @property
    def notes(self) -> list[str]:
        """What is done to the columns, in words."""
        said = []
        for name, parts in self.dates.items():
            shown = "days since 1970" if parts == (name,) else list_names(list(parts))
            said.append(f"dates {name!r} as {shown}")
        if self.formula is not None:
            return [*said, f"formula {self.formula}"]
        for name, levels in self.levels.items():
            columns = with_count(len(levels) - 1, "column")
            said.append(f"{name!r} coded as {columns}, beside its base {levels[0]!r}")
        return said

    def with_dates(self, source: Source) -> Source:
        """The columns with dates as numbers."""
        table = source.table
        for name, parts in self.dates.items():
            column = source.column(name)
            table = table.drop_columns(name)
            for part in parts:
                table = table.append_column(part, date_part(column, part.removeprefix(name)[1:]))
        return source if table is source.table else replace(source, table=table)

    def filled(self, source: Source) -> Source:
        """The columns without missing cells, and a column of 0 and 1 for each indicator."""
        table = source.table
        for name in self.indicators:
            first = self.dates.get(name, (name,))[0]
            where = missing_in(source.column(first)).cast(pa.float64())
            if f"{name}.missing" in table.column_names:  # of the file, and no feature
                table = table.drop_columns(f"{name}.missing")
            table = table.append_column(f"{name}.missing", where)
        for name, value in self.fills.items():
            at = table.schema.get_field_index(name)
            table = table.set_column(at, name, filled(source.column(name), value))
        return source if table is source.table else replace(source, table=table)

    def columns(
        self, source: Source, *, unknown: str = "error"
    ) -> tuple[Any, tuple[str, ...], bool]:
        """X as it is in the file: coded, neither standardised nor lifted; whether with a bias.

        A level that is `unknown` is an error, or "zero" in all columns of its factor.
        """
        if self.formula is not None:
            return design(self.formula, source, self.levels)
        names = (*self.features, *(f"{name}.missing" for name in self.indicators))
        X, titles = matrix(source, names, self.levels, unknown=unknown)
        if not titles:
            raise ShapeError(
                f"{source.name}: columns {list_names(names)} have one value each: none is left."
            )
        return X, titles, True

    def transform(self, X: Any, names: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
        """Standardise, then lift, as far as the recipe says."""
        if self.mean is not None and self.scale is not None:
            X = (X - np.array(self.mean)) / np.array(self.scale)
        if self.degree > 1:
            X, names = lift(X, names, self.degree)
        check_finite(X)
        return X, names

    def apply(self, source: Source, *, unknown: str = "error") -> Any:
        """X of another file, made the same way; its columns are found by their names."""
        X, names, _ = self.columns(source, unknown=unknown)
        return self.transform(X, names)[0]

    def to_dict(self) -> dict[str, Any]:
        """The recipe as plain JSON values."""
        if self.formula is not None:
            refuse_code(self.formula)
        return {
            "features": list(self.features),
            "levels": {name: list(map(_plain, values)) for name, values in self.levels.items()},
            "formula": self.formula,
            "mean": None if self.mean is None else list(self.mean),
            "scale": None if self.scale is None else list(self.scale),
            "degree": self.degree,
            "layout": {**self.layout.texts, "missing": list(self.layout.missing)},
            "dates": {name: list(parts) for name, parts in self.dates.items()},
            "fills": {name: _plain(value) for name, value in self.fills.items()},
            "indicators": list(self.indicators),
        }

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> "FeatureRecipe":
        """The recipe that these values write; a formula that would run code is refused."""
        try:
            formula = written["formula"]
            recipe = cls(
                features=tuple(map(str, written["features"])),
                levels={str(k): tuple(v) for k, v in dict(written["levels"]).items()},
                formula=None if formula is None else str(formula),
                mean=_floats(written["mean"]),
                scale=_floats(written["scale"]),
                degree=int(written["degree"]),
                layout=_layout(written.get("layout") or {"missing": written.get("missing", ())}),
                dates={str(k): tuple(map(str, v)) for k, v in written.get("dates", {}).items()},
                fills=_fills(written.get("fills", {})),
                indicators=tuple(map(str, written.get("indicators", ()))),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FileError(f"the model does not say how to read its columns: {error}.") from error
        if recipe.formula is not None:
            refuse_code(recipe.formula)
        return recipe


def _plain(level: Any) -> bool | int | float | str:
    """A level as JSON has it: a date, a time or a decimal as its text."""
    return level if isinstance(level, (bool, int, float, str)) else str(level)


def _layout(written: Mapping[str, Any]) -> FileLayout:
    """How text was written, each option of the kind that it must be."""
    kinds = {"delimiter": str, "header": bool, "encoding": str, "decimal": str}
    found = {name: kind(written[name]) for name, kind in kinds.items() if name in written}
    return FileLayout(missing=tuple(map(str, written["missing"])), **found)


def _fills(written: Mapping[str, Any]) -> Fills:
    for value in written.values():
        if type(value) not in (bool, int, float, str) or value != value:
            raise ValueError(f"{value!r:.40} cannot fill a cell")
    return {str(name): value for name, value in written.items()}


def _floats(values: Any) -> tuple[float, ...] | None:
    return None if values is None else tuple(map(float, values))


def lift(X: Any, names: tuple[str, ...], degree: int) -> tuple[Any, tuple[str, ...]]:
    """All products of up to `degree` columns; refused, with the estimate, if they would not fit."""
    n, d = X.shape
    width = math.comb(d + degree, degree) - 1
    need = 8 * n * width
    if need > memory() / 2 and not sp.issparse(X):
        raise LimitError(
            f"a lift of degree {degree} has {width} columns, and {n} rows of them need "
            f"{need / 2**30:.1f} GiB; this machine has {memory() / 2**30:.1f}. Choose fewer "
            "columns or a lower degree."
        )
    from sklearn.preprocessing import PolynomialFeatures

    products = PolynomialFeatures(degree, include_bias=False)
    Z = products.fit_transform(X)
    return Z, tuple(products.get_feature_names_out(list(names)).tolist())


BLOCK = 4096  # rows written together: all the columns of a block stay in the cache
MOST_LEVELS = 10_000


def is_number(kind: Any) -> bool:
    """Whether an Arrow type holds numbers (or truth values, which count as 0 and 1)."""
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean)
    if pa.types.is_dictionary(kind):
        return is_number(kind.value_type)
    return pa.types.is_null(kind) or any(test(kind) for test in tests)


def is_text(kind: Any) -> bool:
    """Whether an Arrow type holds text, or categories of text."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


PARTS = ("year", "month", "day", "weekday")
TIMES = ("hour", "minute", "second")
DAY = 86_400_000_000  # microseconds


def parts_of_date(name: str, kind: Any, how: str) -> tuple[str, ...]:
    """The columns that a column of dates becomes: days since 1970, or parts of the calendar."""
    if how == "ordinal":
        return (name,)
    times = () if pa.types.is_date(kind) else TIMES
    return tuple(f"{name}.{part}" for part in (*PARTS, *times))


def is_date(kind: Any) -> bool:
    """Whether an Arrow type holds dates, or dates with a time."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def date_part(column: Any, part: str) -> Any:
    """One number of each date: a part, or the days since 1970 with the time as their fraction."""
    moments = column.cast(pa.timestamp("us"), safe=False)
    if part == "":
        return pc.divide(moments.cast(pa.int64()).cast(pa.float64(), safe=False), float(DAY))
    if part == "weekday":
        return pc.day_of_week(moments).cast(pa.float64())
    return getattr(pc, part)(moments).cast(pa.float64())


def refuse_text(source: Source, names: Sequence[str]) -> None:
    """Raise `DataError` for the columns that are not numbers, and offer what can be done."""
    bad = [name for name in names if not is_number(source.table.schema.field(name).type)]
    dates = [name for name in bad if is_date(source.table.schema.field(name).type)]
    if dates:
        one = (
            f"column {dates[0]!r} holds" if len(dates) == 1 else f"columns {list_names(dates)} hold"
        )
        raise DataError(
            f"{source.name}: {one} dates: make numbers of them: days, or year, month, day and "
            "weekday (dates, --dates ordinal or --dates parts), or leave them out (drop, --drop "
            f"{_pasteable(dates)})."
        )
    refuse_stray_text(source, bad)
    if bad:
        kind = source.table.schema.field(bad[0]).type
        what = "text" if is_text(kind) else str(kind)
        one = f"column {bad[0]!r} holds {what}, not numbers: make categories of it"
        many = f"columns {list_names(bad)} hold text, not numbers: make categories of them"
        option = _pasteable(bad)
        raise DataError(
            f"{source.name}: {one if len(bad) == 1 else many} "
            f"(categorical, --categorical {option}, or --categorical auto; a formula does it by "
            f"itself) or leave {'it' if len(bad) == 1 else 'them'} out (drop, --drop {option})."
        )


def _pasteable(names: Sequence[str]) -> str:
    """Names as one word for a shell: a name that holds a comma or a quote in double quotes."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return shlex.quote(line.getvalue())


def text_columns(source: Source, names: Sequence[str]) -> list[str]:
    """Those of the columns that hold text, which `categorical="auto"` makes categories of."""
    found = [name for name in names if is_text(source.table.schema.field(name).type)]
    refuse_stray_text(source, found)
    return found


def refuse_stray_text(source: Source, names: Sequence[str]) -> None:
    """Raise `DataError` for a column of numbers with text in a few rows: it has a mistake in it."""
    for name in names:
        column = source.column(name)
        if not is_text(column.type) or pa.types.is_dictionary(column.type):
            continue
        strange = pc.invert(pc.match_substring_regex(column, NUMBER)).fill_null(False)
        count = pc.sum(strange).as_py() or 0
        if 0 < count <= len(column) // 2:
            row = pc.index(strange, True).as_py()
            text = column[row].as_py()
            how = "Correct it, say that it means a missing value (missing, --missing)"
            if text in MISSING:
                how = "In quotes that is text, not a missing value: remove the quotes"
            raise DataError(
                f"{source.name}: column {name!r} holds numbers, but text in {with_count(count)}: "
                f"{quote(text)} at {source.place(row)}. {how}, or drop the column (drop, --drop "
                f"{name})."
            )


def missing_mask(source: Source, names: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """For each column with missing values (null or NaN), where they are."""
    masks = {}
    for name in names:
        column = source.column(name)
        if column.null_count:
            where = as_numpy(missing_in(column))
        elif pa.types.is_floating(column.type) and not _all_finite(as_numpy(column)):
            where = np.isnan(as_numpy(column))
        else:
            continue
        if where.any():
            masks[name] = where
    return masks


def _all_finite(values: NDArray[Any]) -> bool:
    """Whether no value is a NaN or an infinity: by their sum first, which is cheap."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum()) or np.isfinite(values).all())


def numbers(source: Source, name: str) -> NDArray[Any]:
    """One column as float64 (or as its integers, where float64 holds them); finite."""
    column = plain_column(source.column(name))
    if pa.types.is_null(column.type) or pa.types.is_decimal(column.type):
        column = column.cast(pa.float64(), safe=False)
    values = as_numpy(column)
    if values.dtype.kind == "f" and not _all_finite(values):
        row = int(np.argmin(np.isfinite(values)))
        raise NotFiniteError(
            f"{source.name}: column {name!r} holds {values[row]} at {source.place(row)}: "
            "cap it, drop the row, or leave the column out (drop, --drop)."
        )
    return values


def levels_of(source: Source, name: str) -> tuple[Any, ...]:
    """The values of a categorical column, sorted; the first is the base."""
    found = pc.unique(_values(source, name)).to_pylist()
    levels = sorted(value for value in found if value is not None)
    refuse_many_levels(source.name, name, len(levels))
    return tuple(levels)


def refuse_many_levels(file: str, name: str, count: int) -> None:
    """Raise `LimitError` if a column has so many values that it cannot be coded."""
    if count > MOST_LEVELS:
        raise LimitError(
            f"{file}: column {name!r} has {count} different values, each of which "
            f"would be a column ({MOST_LEVELS} are allowed): leave it out (drop, --drop {name})."
        )


def matrix(
    source: Source,
    names: Sequence[str],
    levels: Mapping[str, Sequence[Any]],
    *,
    unknown: str = "error",
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """X, row-major float64, and the names of its columns: each level but the first has its own."""
    columns: list[NDArray[Any]] = []
    titles: list[str] = []
    for name in names:
        if name in levels:
            codes = _codes(source, name, levels[name], unknown)
            for code, level in enumerate(levels[name][1:], start=1):
                columns.append(codes == code)
                titles.append(f"{name}[{level}]")
        else:
            columns.append(numbers(source, name))
            titles.append(name)
    n = source.table.num_rows
    X = np.empty((n, len(columns)))
    for start in range(0, n, BLOCK):
        block = X[start : start + BLOCK]
        for j, column in enumerate(columns):
            block[:, j] = column[start : start + BLOCK]
    return X, tuple(titles)


def _values(source: Source, name: str) -> Any:
    """A categorical column as values that Arrow can compare."""
    column = plain_column(source.column(name))
    if not pa.types.is_floating(column.type):
        return column
    column = column.cast(pa.float32()) if pa.types.is_float16(column.type) else column
    return pc.add(column, pa.scalar(0, column.type))  # one zero, not two


def _codes(source: Source, name: str, levels: Sequence[Any], unknown: str) -> NDArray[np.int64]:
    column = _values(source, name)
    if pa.types.is_string(column.type) != isinstance(levels[0], str):  # "7" among numbers, say
        column, levels = as_text(column), [str(level) for level in levels]
    codes = pc.index_in(column, value_set=pa.array(levels, type=column.type))
    if codes.null_count and unknown == "zero":
        codes = codes.fill_null(0)  # as the base, whose columns are all 0
    if codes.null_count:
        row = pc.index(pc.is_null(codes), True).as_py()
        raise DataError(
            f"{source.name}: column {name!r} has the value {quote(column[row].as_py())} at "
            f"{source.place(row)}, which is none of "
            f"{list_names([str(level) for level in levels])}: correct it, or set it to zero in all "
            "columns of its factor (unknown, --unknown zero)."
        )
    return as_numpy(codes).astype(np.int64)
