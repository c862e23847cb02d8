"""Values that stand in for missing cells, found in the rows that are learned from.

Rows may come some at a time: means, medians and modes are the same to the bit however they do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff import _core
from novikoff.data.number_text import number_of
from novikoff.data.options import ReadOptions
from novikoff.data.source import Source, as_numpy
from novikoff.errors import LimitError, OptionError, ShapeError
from novikoff.matrix.rows import Floats

Fills: TypeAlias = dict[str, Any]
Sources: TypeAlias = Callable[[], Iterable[Source]]

BLOCK = 1 << 16  # rows looked at together
DIGIT = 13  # bits of a number that a pass for medians settles
SORTED = 1 << 22  # numbers that are kept and sorted, of all columns together
MOST_VALUES = 1 << 20


def missing_in(column: Any) -> Any:
    """Which cells of a column are missing: null or NaN."""
    return pc.is_null(column, nan_is_null=True)


def as_text(column: Any) -> Any:
    """The values of a column as texts: a date or time as Python writes it."""
    if not pa.types.is_temporal(column.type):
        return column.cast(pa.string())
    encoded = column.dictionary_encode()
    texts = [str(value) for value in encoded.dictionary.to_pylist()]
    return pa.array(texts, pa.string()).take(encoded.indices)


def filled(column: Any, value: Any) -> Any:
    """The column with `value` in its missing cells; a column of numbers as float64."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if isinstance(value, float):
        column = column.cast(pa.float64(), safe=False)
    elif isinstance(value, str) and pa.types.is_temporal(column.type):
        column = as_text(column)
    elif pa.types.is_null(column.type):
        column = column.cast(pa.scalar(value).type)
    try:
        stand_in = pa.scalar(value).cast(column.type)
    except pa.ArrowException as error:
        raise OptionError(
            f"impute: {value!r} cannot stand in a column of {column.type}."
        ) from error
    return pc.if_else(missing_in(column), stand_in, column)


def find_fills(
    sources: Sources, numbers: Sequence[str], coded: Sequence[str], choice: ReadOptions
) -> tuple[Fills, dict[str, int]]:
    """What fills each column, and how many cells are missing in each.

    A column of categories takes its most frequent value, unless a constant was given.
    """
    counts = dict.fromkeys([*numbers, *coded], 0)
    empty = set(counts)
    for source in sources():
        for name in counts:
            missing = int(pc.sum(missing_in(source.column(name))).as_py() or 0)
            counts[name] += missing
            if missing < source.table.num_rows:
                empty.discard(name)
    if empty and choice.constant is None:
        raise ShapeError(
            f"column {min(empty)!r} has no value at all to fill it from: leave it out (drop, "
            "--drop), or give a constant (impute, --impute constant:V)."
        )
    fills: Fills = {}
    if choice.constant is not None:
        fills = dict.fromkeys(numbers, _number(choice.constant)) if numbers else {}
        fills |= dict.fromkeys(coded, choice.constant)
    else:
        if choice.impute == "mean":
            found = _means(sources, numbers)
        elif choice.impute == "median":
            found = _medians(sources, numbers)
        else:
            found = [float(value) for value in _modes(sources, numbers)]
        fills = dict(zip(numbers, found, strict=True))
        fills |= dict(zip(coded, _modes(sources, coded), strict=True))
    return fills, counts


def _number(text: str) -> float:
    try:
        value = number_of(text)
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise OptionError(f"impute: columns of numbers need a number, not {text!r}.")
    return value


def _blocks(sources: Sources, names: Sequence[str]) -> Iterator[tuple[Floats, NDArray[np.bool_]]]:
    """The columns as a matrix, some rows at a time, 0 where a cell is missing; and where not."""
    for source in sources():
        for start in range(0, source.table.num_rows, BLOCK):
            part = source.table.select(names).slice(start, BLOCK)
            X = np.empty((part.num_rows, len(names)))
            for j, column in enumerate(part.columns):
                X[:, j] = as_numpy(filled(column, float("nan")))
            here = ~np.isnan(X)
            X[~here] = 0.0
            yield X, here


def _means(sources: Sources, names: Sequence[str]) -> list[float]:
    """The mean of each column, from sums that carry their rounding errors."""
    d = len(names)
    sums, counts = np.zeros((2, d)), np.zeros(d, np.int64)
    ends = np.vstack([np.full(d, np.inf), np.full(d, -np.inf)])
    for X, here in _blocks(sources, names) if d else ():
        _core.add_columns(X, np.zeros(d), False, sums[0], sums[1], ends)
        counts += here.sum(axis=0)
    means: list[float] = ((sums[0] + sums[1]) / counts).tolist()
    return means


def _medians(sources: Sources, names: Sequence[str]) -> list[float]:
    """The middle number of each column, or the mean of the two."""
    middles = {name: _Middle(SORTED // len(names)) for name in names}
    while waiting := {name: one for name, one in middles.items() if one.found is None}:
        for source in sources():
            for name, middle in waiting.items():
                values = as_numpy(filled(source.column(name), float("nan")))
                middle.see(_ordered(values[~np.isnan(values)]))
        for middle in waiting.values():
            middle.settle()
    pairs = (_unordered(np.array(one.found, np.uint64)).tolist() for one in middles.values())
    return [a if a == b else (a + b) / 2 for a, b in pairs]


class _Middle:
    """The two middle numbers of a column, as integers in the order of the numbers.

    A pass settles leading bits of both. When no more than `few` numbers begin so, or the two part,
    one more pass keeps what is left to choose from.
    """

    def __init__(self, few: int) -> None:
        self.found: tuple[int, int] | None = None
        self._few, self._left, self._leading, self._ranks = few, 64, (0, 0), (-1, -1)
        self._counts: NDArray[np.int64] | None = np.zeros(1 << DIGIT, np.int64)
        self._kept: list[NDArray[np.uint64]] = []

    def see(self, keys: NDArray[np.uint64]) -> None:
        """Some of the numbers."""
        low, high = self._leading
        if self._left < 64:
            leading = keys >> np.uint64(self._left)
            keys, others = keys[leading == low], keys[leading == high]
        if self._counts is not None:
            width = min(DIGIT, self._left)
            digits = keys >> np.uint64(self._left - width) & np.uint64((1 << width) - 1)
            self._counts += np.bincount(digits.astype(np.intp), minlength=1 << DIGIT)
        elif low == high:
            self._kept.append(keys)
        else:  # the greatest that begins like the one, and the least that begins like the other
            ends = [keys.max(initial=0), others.min(initial=2**64 - 1)]
            self._kept.append(np.array(ends, np.uint64))

    def settle(self) -> None:
        """All numbers were seen once more."""
        if self._counts is None:
            kept = np.sort(np.concatenate(self._kept))
            low, high = self._ranks
            if self._leading[0] != self._leading[1]:  # as many of the one as of the other
                low, high = len(kept) // 2 - 1, len(kept) // 2
            self.found = int(kept[low]), int(kept[high])
            return
        upto, width = self._counts.cumsum(), min(DIGIT, self._left)
        if self._left == 64:
            self._ranks = (int(upto[-1]) - 1) // 2, int(upto[-1]) // 2
        low, high = (int(np.searchsorted(upto, rank, side="right")) for rank in self._ranks)
        before = int(upto[low] - self._counts[low])
        self._ranks = self._ranks[0] - before, self._ranks[1] - before
        leading = self._leading[0] << width
        self._leading, self._left = (leading | low, leading | high), self._left - width
        if self._left == 0:
            self.found = self._leading
        elif low != high or self._counts[low] <= self._few:
            self._counts = None
        else:
            self._counts[:] = 0


SIGN = np.uint64(1 << 63)


def _ordered(X: Floats) -> NDArray[np.uint64]:
    """Integers in the order of the numbers."""
    bits = (X + 0.0).view(np.uint64)  # one zero, not two
    return np.where(bits & SIGN, ~bits, bits | SIGN)


def _unordered(keys: NDArray[np.uint64]) -> Floats:
    return np.where(keys & SIGN, keys & ~SIGN, ~keys).astype(np.uint64).view(np.float64)


def _modes(sources: Sources, names: Sequence[str]) -> list[Any]:
    """The most frequent value of each column, of several the least."""
    counts: dict[str, Counter[Any]] = {name: Counter() for name in names}
    for source in sources() if names else ():
        for name, counter in counts.items():
            column = source.column(name)
            here = column.filter(pc.invert(missing_in(column)))
            for pair in pc.value_counts(here):
                counter[pair["values"].as_py()] += pair["counts"].as_py()
            if len(counter) > MOST_VALUES:
                raise LimitError(
                    f"{source.name}: column {name!r} has over {MOST_VALUES:,} different values: "
                    "fill it with its mean or median (impute, --impute)."
                )
    return [min(counter, key=lambda v: (-counter[v], v)) for counter in counts.values()]
