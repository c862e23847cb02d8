"""Examples given by names: which column a name has, as the vocabulary grows or by hashing.

A text value makes a column of its own, `town=Rome`, with the value 1.
"""

import math
import struct
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core.options import check_count
from novikoff.errors import DataError, NotFiniteError, NotNumericError, OptionError
from novikoff.matrix.problem import is_held
from novikoff.matrix.rows import Floats

Columns = NDArray[np.uint64]

# Hashed names that are remembered; then all are forgotten, so that memory stays what it is.
REMEMBERED = 1 << 16

# What packs into float64 as it is; integers that do not are found by their size.
PLAIN = frozenset({float, int, bool, np.float64, np.float32, np.int64, np.int32, np.bool_})


class Names(ABC):
    """How names become columns; `size` says how many columns there are by now."""

    size: int

    @abstractmethod
    def row(self, x: Mapping[Hashable, Any], *, grow: bool) -> tuple[Floats, Columns]:
        """Values and columns of an example; a name never seen is added (`grow`) or left out."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The names as plain JSON values, to go on with the same columns."""


class _SameNames:
    """The names of the last example, and room for the values of the next one that has them too.

    Most streams name the same columns in the same order every time.
    """

    def __init__(self, names: Iterable[Hashable] = ()) -> None:
        self._names = tuple(names)
        self._struct = struct.Struct(f"{len(self._names)}d")
        self.values = np.empty(len(self._names))
        self._bytes = memoryview(self.values.data).cast("B")

    def take(self, x: Mapping[Hashable, Any]) -> bool:
        """Whether `x` has these names and plain numbers, which are in `values` then."""
        if tuple(x) != self._names or not PLAIN.issuperset(map(type, x.values())):
            return False
        try:
            self._struct.pack_into(self._bytes, 0, *x.values())
        except struct.error:  # an integer beyond float64
            return False
        return True


class Vocabulary(Names):
    """Every new name gets the next column."""

    def __init__(self, names: list[Hashable] | None = None) -> None:
        self.columns: dict[Hashable, int] = {name: j for j, name in enumerate(names or [])}
        self.size = len(self.columns)
        self._last = _SameNames()
        self._found = np.empty(0, np.uint64)

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary, (self.names,)

    @property
    def names(self) -> list[Hashable]:
        """All names, in the order of their columns."""
        return list(self.columns)

    def row(self, x: Mapping[Hashable, Any], *, grow: bool) -> tuple[Floats, Columns]:
        """Values and columns of an example; the arrays are good until the next call."""
        if self._last.take(x):
            return self._last.values, self._found
        return self._new_row(x, grow)

    def _new_row(self, x: Mapping[Hashable, Any], grow: bool) -> tuple[Floats, Columns]:
        columns = self.columns
        values: list[float] = []
        found: list[int] = []
        plain = True
        for name, value in x.items():
            number = number_or_none(name, value)
            if number is None:
                name, number, plain = f"{name}={value}", 1.0, False
            j = columns.get(name)
            if j is None:
                if not grow:
                    plain = False
                    continue
                j = columns[name] = self.size
                self.size += 1
            values.append(number)
            found.append(j)
        if len(set(found)) < len(found):
            raise DataError(f"an example has two values of one name: {sorted(map(str, x))[:8]}.")
        row = np.array(values, np.float64), np.array(found, np.uint64)
        if plain and found:
            self._last, self._found = _SameNames(x), row[1]
        return row

    def to_dict(self) -> dict[str, Any]:
        """The names, which must be texts to be written to a file."""
        for name in self.columns:
            if not isinstance(name, str):
                raise OptionError(f"only names that are texts can be saved; one is {name!r}.")
        return {"vocabulary": self.names}


class Hashing(Names):
    """A fixed number of columns; a name's is its hash, and half of the names count negative.

    The hash and the signs are those of scikit-learn's `FeatureHasher`.
    """

    def __init__(self, size: int) -> None:
        check_count("hashing", size)
        if size > 2**31 - 1:
            raise OptionError(f"hashing must be below 2**31; got {size}.")
        from sklearn.utils import murmurhash3_32

        self._hash = murmurhash3_32
        self.size = int(size)
        self._known: dict[str, tuple[int, float]] = {}
        self._last = _SameNames()
        self._before: tuple[Hashable, ...] = ()
        self._signs, self._found = np.empty(0), np.empty(0, np.uint64)
        self._place_in_row: NDArray[np.intp] | None = None  # of each name, where some meet

    def __reduce__(self) -> tuple[Any, ...]:
        return Hashing, (self.size,)

    def row(self, x: Mapping[Hashable, Any], *, grow: bool) -> tuple[Floats, Columns]:  # noqa: ARG002
        """Values and columns of an example; names that meet in a column are added up."""
        if self._last.take(x):
            values: Floats = self._last.values * self._signs
            if self._place_in_row is not None:
                values = np.bincount(self._place_in_row, values).astype(np.float64, copy=False)
            return values, self._found
        return self._new_row(x)

    def _new_row(self, x: Mapping[Hashable, Any]) -> tuple[Floats, Columns]:
        known = self._known
        sums: dict[int, float] = {}
        found, signs, plain = [], [], bool(x)
        for name, value in x.items():
            number = number_or_none(name, value)
            key = f"{name}={value}" if number is None else str(name)
            column, sign = known.get(key) or self._place(key)
            sums[column] = sums.get(column, 0.0) + sign * (1.0 if number is None else number)
            found.append(column)
            signs.append(sign)
            plain = plain and number is not None
        row = np.array(list(sums.values()), np.float64), np.array(list(sums), np.uint64)
        names = tuple(x)
        if plain and names == self._before:  # likely to come again
            self._last, self._signs, self._found = _SameNames(names), np.array(signs), row[1]
            places = {column: at for at, column in enumerate(sums)}
            meet = len(sums) < len(x)
            self._place_in_row = np.array([places[j] for j in found]) if meet else None
        self._before = names
        return row

    def _place(self, key: str) -> tuple[int, float]:
        try:
            hashed = int(self._hash(key.encode("utf-8"), 0))
        except UnicodeEncodeError as error:
            raise DataError(
                f"{key!r} is not Unicode text: it has half of a surrogate pair."
            ) from error
        place = abs(hashed) % self.size, 1.0 if hashed >= 0 else -1.0
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        self._known[key] = place
        return place

    def to_dict(self) -> dict[str, Any]:
        """The size is all there is to know."""
        return {"hashing": self.size}


def names_of(written: Mapping[str, Any]) -> Names:
    """The names that `to_dict` wrote."""
    if "hashing" in written:
        return Hashing(int(written["hashing"]))
    return Vocabulary([str(name) for name in written["vocabulary"]])


def number_or_none(name: Hashable, value: Any) -> float | None:
    """The value as a finite float64, or None if it is a text."""
    if isinstance(value, str):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise NotNumericError(f"{name!r} is {value!r}: a number or a text is needed.") from error
    except OverflowError as error:
        raise DataError(f"{name!r} is {value!r}, beyond float64.") from error
    if not math.isfinite(number):
        raise NotFiniteError(f"{name!r} is {value!r}: leave the name out, or fill in a number.")
    whole = isinstance(value, int)
    if (whole and int(number) != value) or not is_held(value, number):
        what = "the integer " if whole else ""
        raise DataError(f"{name!r} is {what}{value}, which float64 would round.")
    return number
