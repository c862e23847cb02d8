"""A scan of a file of columns: dense matrices, a batch at a time."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff.data.arrays import is_written_in_decimal
from novikoff.data.columns import (
    NEAREST,
    WEIGHTED,
    classes_left,
    columns_to_code,
    notes_on_numbers,
    plan_columns,
    rows_without_missing,
    weights_of,
    with_fills,
    with_names,
)
from novikoff.data.features import (
    FeatureRecipe,
    is_number,
    levels_of,
    missing_mask,
    refuse_many_levels,
    standard_scale,
)
from novikoff.data.fixed_effects import (
    Level,
    fixed_columns,
    grouping_columns,
    in_order,
    levels_together,
)
from novikoff.data.formula import FixedEffect, refuse_outcome, refuse_whole
from novikoff.data.options import ScanOptions
from novikoff.data.rounding import BINARY, refuse_rounded
from novikoff.data.scans.blocks import PIECE_ROWS, Blocks, ParquetBlocks, ScanPiece, read_ahead
from novikoff.data.scans.cache import FileStamps, ScanCache
from novikoff.data.scans.labels import ScanLabels, TypedTexts
from novikoff.data.source import Source, joined, plain_column, with_count
from novikoff.errors import ShapeError
from novikoff.exact.integers import is_integral
from novikoff.matrix.batches import Batch, Batches


class ScanSummary(NamedTuple):
    """What all rows tell, also those that are left out.

    `labels` as they are stored; `texts` of columns that become categories; `prints`: some number is
    written as only programs write float64 numbers.
    """

    n: int
    labels: set[Any]
    texts: dict[str, set[str]]
    prints: bool


class Stayed(NamedTuple):
    """What the rows tell that take part: how many, their classes, the values of coded columns.

    `fixed` are the levels of each fixed effect.
    """

    n: int
    labels: set[Any]
    levels: dict[str, set[Any]]
    fixed: tuple[set[Level], ...] = ()


SIGNS = np.array([-1, 1], np.int8)
JOINED = 1 << 14  # rows of a cache that are read together
PRINTS = "novikoff: prints"  # a column of the cache


class Scan(Batches):
    """Rows of a file, a batch at a time; `scan` makes one.

    `n`, `d`, `names`, `classes` and `labels` are what they are of a `Table`; `recipe` says how
    columns became X; `clear_cache()` removes what was kept of a text file.

    Examples
    --------
    >>> import numpy as np
    >>> from novikoff.data import scan
    >>> np.save("points.npy", np.array([[1.0, 2.0, 0], [3.0, 4.0, 1], [5.0, 6.0, 1]]))
    >>> batches = scan("points.npy", label=2, batch_rows=2)
    >>> [batch.X.tolist() for batch in batches]
    [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]]]
    >>> batches.n, batches.names, batches.classes
    (3, ('x0', 'x1'), (0.0, 1.0))
    """

    # Of a `part`: which rows, and whether their labels are −1 and +1.
    _only: NDArray[np.bool_] | None = None
    _signed = False

    def __init__(
        self, blocks: Blocks, name: str, choice: ScanOptions, fixed: tuple[FixedEffect, ...] = ()
    ) -> None:
        self.blocks, self.name, self.choice, self.fixed = blocks, name, choice, fixed
        self.source = name  # as a `Table` calls it
        self.is_sparse, self.folder = bool(fixed), choice.folder
        self.batch_rows, self.files = choice.batch_rows, FileStamps(blocks.paths)
        named_by_line = blocks.is_text and not blocks.numbered
        table = blocks.head()
        self._decimals = (blocks.decimals or is_written_in_decimal(table)) and not choice.float64
        head = Source(
            table, name, self._decimals, blocks.numbered, blocks.place, named_by_line=named_by_line
        )
        self._notes: tuple[str, ...] = head.notes
        if choice.float64:
            self._notes += (NEAREST,)
        self.choice = choice = cast("ScanOptions", with_names(head, choice))
        self.label, self._plan = plan_columns(head, choice)
        if choice.formula is not None:
            refuse_whole(choice.formula)
        self._weights = None
        if choice.weights is not None:
            self._weights = str(choice.weights)
            self._notes += (WEIGHTED.format(self._weights),)
        self.has_weights = self._weights is not None
        dated = self._plan.with_dates(head)
        self._coded = columns_to_code(dated, choice, self._plan)
        self._whole = {name for name in self._coded if pa.types.is_integer(table[name].type)}
        self._grouping = grouping_columns(head, fixed)
        refuse_outcome(choice.formula or "", {self.label} & {*self._grouping})
        columns = [self.label, *self._plan.needed, *([self._weights] if self._weights else [])]
        columns += self._grouping
        self._columns = list(dict.fromkeys(columns))
        coded = dict.fromkeys([*self._coded, *self._grouping])
        texts = [name for name in coded if not _is_counted(head, name, choice)]
        blocks.texts, blocks.float64 = (self.label, *texts), choice.float64
        self._texts = texts if blocks.is_text else []
        self.cache: ScanCache | None = None
        if blocks.is_text and self.folder is not None and len(blocks.paths) == 1:
            how = [choice.texts, self._columns, self._coded, choice.float64]
            asked = choice.cache is not True
            self.cache = ScanCache(self.folder, blocks.paths[0], how, asked=asked)

    @cached_property
    def _survey(self) -> ScanSummary:
        return self.survey()

    def survey(self) -> ScanSummary:
        """Look at all rows, in one pass over the columns that tell; there may be no label."""
        needed = [self.label, *self._texts]
        if self._drops_rows or self.cache is not None:
            needed = self._columns
        labels: set[Any] = set()
        texts: dict[str, set[str]] = {name: set() for name in self._texts}
        n, prints = 0, False
        for table in self._tables(needed):
            n += table.num_rows
            labels |= set(pc.unique(plain_column(table.column(self.label))).to_pylist())
            for name, found in texts.items():
                found |= set(pc.unique(plain_column(table.column(name))).to_pylist())
                if name in self._coded:
                    refuse_many_levels(self.name, name, len(found))
            if PRINTS in table.column_names:
                prints = bool(table.column(PRINTS)[0].as_py())
        for found in (labels, *texts.values()):
            found.discard(None)
        return ScanSummary(n, labels, texts, prints)

    @cached_property
    def _typed(self) -> TypedTexts:
        """What the texts of coded columns are: by all rows, as `read` finds it."""
        return TypedTexts(self._survey.texts, self.choice.decimal)

    @cached_property
    def _stayed(self) -> Stayed:
        every = Stayed(self._survey.n, set(self._labels.chosen.y.tolist()), {})
        return self.look_at_stayed() or every

    def look_at_stayed(self) -> Stayed | None:
        """Look at the rows that take part, in one pass; None if all do, and no column is coded."""
        tells = self._coded or self.fixed or self._drops_rows
        if not (tells or self.choice.classes is not None):
            return None
        labels: set[Any] = set()
        fixed: tuple[set[Level], ...] = tuple(set() for _ in self.fixed)
        levels: dict[str, set[Any]] = {name: set() for name in self._coded}
        n = 0
        for source, y, _ in self._sources():
            n += len(y)
            labels |= set(np.unique(y).tolist())
            for name, values in levels.items():
                values |= set(levels_of(source, name))
                refuse_many_levels(self.name, name, len(values))
            for effect, found in zip(self.fixed, fixed, strict=True):
                found |= set(levels_together(source, effect)[1])
        return Stayed(n, labels, levels, fixed)

    @cached_property
    def _levels(self) -> dict[str, tuple[Any, ...]]:
        """The values of the columns that are coded, in the rows that take part."""
        found = dict(self._stayed.levels)
        if not self._stayed.n:
            raise ShapeError(f"{self.name}: after leaving rows out, none is left.")
        for name in self._whole & set(found):
            if all(isinstance(value, float) and value.is_integer() for value in found[name]):
                found[name] = set(map(int, found[name]))
        return {name: tuple(sorted(values)) for name, values in found.items()}

    @property
    def turned(self) -> bool:
        """Whether the class that is +1 is the lesser of two, as in a `Table`."""
        return len(self.classes) == 2 and self.classes[0] > self.classes[1]

    def label_places(self) -> NDArray[np.int32]:
        """The label of each row, as its place among `labels`: a pass."""
        labels = self.labels
        return np.concatenate(
            [np.searchsorted(labels, y).astype(np.int32) for _, y, _ in self._sources()]
        )

    def part(self, rows: NDArray[np.intp] | None = None) -> "Scan":
        """These of its rows, or all, with the labels that a classifier learns (`Table.targets`).

        Columns are what they are for all rows.
        """
        _ = self._first  # what is found out here is not asked again of the part
        part = copy(self)
        part.__dict__.pop("is_integral", None)
        part._signed = self.turned
        if rows is not None:
            part._only = np.zeros(self.n, np.bool_)
            part._only[rows] = True
        return part

    @cached_property
    def _fixed_levels(self) -> list[list[Level]]:
        return [in_order(found) for found in self._stayed.fixed]

    def pieces(self) -> "list[ScanPiece] | None":
        """Row groups of Parquet files, for several processes to read; None for other files.

        Also None where columns are standardised, or missing values filled, which takes sums over
        all rows in their order.
        """
        ordered = self.choice.standardise or self.choice.impute is not None
        if not isinstance(self.blocks, ParquetBlocks) or ordered or self._only is not None:
            return None
        return [ScanPiece(self, blocks) for blocks in self.blocks.pieces(PIECE_ROWS)]

    def agree(self, labels: Sequence[Any], levels: Sequence[Any] | None = None) -> Any:
        """What occurs in any piece, for all of them and for this scan itself."""
        n, values = sum(piece.n for piece in labels), set().union(*(p.labels for p in labels))
        agreed: dict[str, Any] = {"_survey": ScanSummary(n, values, {}, False)}
        if levels is not None and all(piece is not None for piece in levels):
            together = {
                name: set().union(*(piece.levels[name] for piece in levels)) for name in self._coded
            }
            for name, found in together.items():
                refuse_many_levels(self.name, name, len(found))
            n, values = sum(piece.n for piece in levels), set().union(*(p.labels for p in levels))
            fixed = tuple(
                set().union(*every) for every in zip(*(p.fixed for p in levels), strict=True)
            )
            agreed["_stayed"] = Stayed(n, values, together, fixed)
        return self.take_over(agreed)

    def take_over(self, agreed: dict[str, Any]) -> dict[str, Any]:
        """Know what others have found out, in place of passes of one's own."""
        self.__dict__.update(agreed)
        return agreed

    def _ready(self, source: Source) -> Source:
        """Integers that a formula makes categories of, as integers: they are named by their text.

        Numbers of a text file are read as float64.
        """
        table = source.table
        for name, values in self._levels.items():
            at = table.schema.get_field_index(name)
            if isinstance(values[0], int) and pa.types.is_floating(table.schema.field(at).type):
                table = table.set_column(at, name, table.column(name).cast(pa.int64()))
        return replace(source, table=table)

    @cached_property
    def _filling(self) -> FeatureRecipe:
        """The plan with what stands in missing cells."""
        plan, notes = with_fills(
            self._plan, lambda: (one for one, _, _ in self._as_read()), self._coded, self.choice
        )
        self._notes += tuple(notes)
        return plan

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to columns and rows, as far as it is known by now."""
        notes, known = list(self._notes), self.__dict__
        if {"_survey", "_stayed"} <= known.keys() and known["_stayed"].n < known["_survey"].n:
            left_out = with_count(known["_survey"].n - known["_stayed"].n)
            why = {
                "missing values": self.choice.drop_missing,
                "weight 0": self._weights is not None,
                "other classes": self.choice.classes is not None,
            }
            notes.append(
                f"{left_out} left out ({', '.join(w for w, is_so in why.items() if is_so)})"
            )
        binary = self.blocks.prints or ("_survey" in known and known["_survey"].prints)
        if binary and not self.choice.float64:
            notes.append(BINARY)
        if "recipe" in known:
            notes += [
                *self.recipe.notes,
                *notes_on_numbers(self.recipe, self._decimals and not binary),
            ]
        return tuple(notes)

    @cached_property
    def recipe(self) -> FeatureRecipe:
        """How columns become X, for another file."""
        recipe = replace(self._filling, levels=self._levels)
        if self.choice.standardise:
            mean, scale = standard_scale(
                lambda: (recipe.columns(self._ready(one))[0] for one, _, _ in self._sources())
            )
            recipe = replace(recipe, mean=mean, scale=scale)
        return replace(recipe, degree=self.choice.degree)

    @cached_property
    def _labels(self) -> ScanLabels:
        """The labels that occur, and which class each of them is."""
        values, written = self._survey.labels, self.blocks.is_text
        return ScanLabels(self.name, self.label, self.choice, values, written=written)

    @property
    def _drops_rows(self) -> bool:
        return self.choice.drop_missing or self._weights is not None

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, of two the positive one last."""
        classes = self._labels.chosen.classes
        return classes_left(classes, self._stayed.labels, self.name, self.label)

    @property
    def n(self) -> int:
        """How many rows take part."""
        return self._stayed.n if self._only is None else int(np.count_nonzero(self._only))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of X."""
        return self._first[1]

    @property
    def labels(self) -> NDArray[Any]:
        """The labels that occur, sorted."""
        if self._signed:
            return SIGNS
        chosen, left = self._labels.chosen, list(self.classes)
        return np.unique(chosen.y[chosen.keep & np.isin(chosen.y, left)])

    @cached_property
    def is_integral(self) -> bool:
        """Whether all numbers are integers."""
        return all(is_integral(batch.X) for batch in self)

    @cached_property
    def decimals(self) -> bool:
        """Whether the numbers stand for the decimals that were written."""
        if not self._decimals or self.recipe.changes_numbers or self._labels.prints:
            return False
        if self.cache is not None or not self.blocks.is_text:
            return not self._survey.prints
        for _ in self._sources():  # a pass, in which numbers of many digits are looked at
            pass
        return not self.blocks.prints

    @property
    def fit_intercept(self) -> bool:
        """Whether there is a bias; a formula can say that there is none."""
        return self._first[2]

    @cached_property
    def _first(self) -> tuple[Any, tuple[str, ...], bool]:
        """The first rows of X, the names of its columns, whether there is a bias."""
        recipe = self.recipe  # which says so if there is no row
        return self._design(recipe, next(self._sources())[0])

    def _design(self, recipe: FeatureRecipe, source: Source) -> tuple[Any, tuple[str, ...], bool]:
        """Some rows of X, the names of its columns, whether there is a bias."""
        X, names, intercept = recipe.columns(self._ready(source))
        X, names = recipe.transform(X, names)
        if self.fixed:
            X, names = fixed_columns(source, X, names, self.fixed, self._fixed_levels)
            intercept = intercept and not any(effect.levels for effect in self.fixed)
        return X, names, intercept

    def __iter__(self) -> Iterator[Batch]:
        """All rows in the order of the file, one batch read ahead."""
        return read_ahead(self.batches())

    def clear_cache(self) -> None:
        """Remove what was kept of a text file."""
        if self.cache is not None:
            self.cache.remove()

    def batches(self) -> Iterator[Batch]:
        """All rows, a batch at a time, read when it is asked for."""
        recipe, first = self.recipe, 0
        for source, y, weights in self._sources():
            X = self._design(recipe, source)[0]
            if self._signed:
                y = SIGNS[(y == self.classes[1]).astype(np.intp)]
            if self._only is not None:
                rows = np.flatnonzero(self._only[first : first + len(y)])
                first += len(y)
                if not len(rows):
                    continue
                X, y, weights = X[rows], y[rows], None if weights is None else weights[rows]
            yield Batch(X, y, weights)

    def _sources(self) -> Iterator[tuple[Source, NDArray[Any], NDArray[np.float64] | None]]:
        """The columns, labels and weights of the rows that take part, a batch at a time."""
        filling = self._filling
        for source, y, weights in self._as_read():
            yield filling.filled(source), y, weights

    def _as_read(self) -> Iterator[tuple[Source, NDArray[Any], NDArray[np.float64] | None]]:
        """Before missing cells are filled."""
        first = 0
        for table in self._tables(self._columns):
            for start in range(0, table.num_rows, self.batch_rows):
                part = table.slice(start, self.batch_rows).combine_chunks()
                source, y, weights = self._kept(part, first + start)
                if len(y):
                    yield source, y, weights
            first += table.num_rows

    def _kept(
        self, table: Any, first: int
    ) -> tuple[Source, NDArray[Any], NDArray[np.float64] | None]:
        source = Source(
            self._typed.of(table), self.name, self._decimals, self.blocks.numbered,
            place=lambda row: self.blocks.place(first + row),
        )  # fmt: skip
        source = self._plan.with_dates(source)
        y, keep = self._labels.of(source)
        weights = None
        if self._weights is not None:
            weights = weights_of(source, self._weights)
            keep = keep & (weights > 0)
        if keep.any() and self.choice.impute is None:
            keep = self._without_missing(source, [*self._plan.features, *self._grouping], keep)
        if not keep.all():
            rows = np.flatnonzero(keep)
            y = y[rows]
            weights = None if weights is None else weights[rows]
            source = source.take(rows) if len(rows) else source
        if len(y) and not self.choice.float64:
            features = self._plan.features
            aside = {part for parts in self._plan.dates.values() for part in parts}
            aside |= set() if self.choice.formula else set(self._coded)
            slopes = [name for effect in self.fixed for name in effect.slopes]
            refuse_rounded(source, [name for name in (*features, *slopes) if name not in aside])
        return source, y, weights

    def _without_missing(
        self, source: Source, needed: Sequence[str], keep: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        if not self.choice.drop_missing:
            return rows_without_missing(source, needed, keep, False)[0]
        for mask in missing_mask(source, needed).values():
            keep = keep & ~mask
        return keep

    def _tables(self, columns: Sequence[str]) -> Iterator[Any]:
        """These columns of all rows: of the file, or of what is kept of it."""
        return self.files.over(self._read(columns))

    def _read(self, columns: Sequence[str]) -> Iterator[Any]:
        if self.cache is None:
            yield from self.blocks.tables(columns, self.batch_rows)
            return
        kept = self.cache.tables() if self.cache.is_fresh() else self._kept_text()
        for table in kept:
            yield table.select([*columns, PRINTS])

    def _kept_text(self) -> Iterator[Any]:
        assert self.cache is not None
        rows = min(self.batch_rows, JOINED)
        return self.cache.keep(
            lambda: joined(self._marked(self.blocks.tables(self._columns, self.batch_rows)), rows)
        )

    def _marked(self, tables: Iterator[Any]) -> Iterator[Any]:
        """The tables with a column that says whether numbers so far are binary ones."""
        for table in tables:
            marks = np.full(table.num_rows, self.blocks.prints)
            yield table.append_column(PRINTS, pa.array(marks))


def _is_counted(head: Source, name: str, choice: ScanOptions) -> bool:
    """Whether a column that is coded holds numbers, which a formula may also compute with."""
    return choice.formula is not None and is_number(head.table.schema.field(name).type)
