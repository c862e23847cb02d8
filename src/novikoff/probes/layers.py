"""One X or many: the layers of a network, one at a time in memory."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import DataError, ShapeError


class Layer(NamedTuple):
    """A name (None if there is only one X), the points, and whether the caller keeps them."""

    name: str | None
    X: Any
    is_kept: bool


def layers_of(X: Any) -> Iterator[Layer]:
    """The layers of a mapping, of an iterable of arrays or (name, array) pairs, or of a 3-D array.

    Anything else is one X. What comes from an iterator, or from a file that is read when it is
    asked, comes one at a time and is not kept: nothing here has a name for a layer while the next
    one is made.
    """
    if isinstance(X, Mapping):
        if not X:
            raise ShapeError("X has no layers.")
        kept = not isinstance(X, np.lib.npyio.NpzFile)
        for name in X:
            yield Layer(str(name), X[name], kept)
    elif getattr(X, "ndim", 0) == 3:
        for number in range(X.shape[0]):
            yield Layer(str(number), X[number], True)
    elif _is_list_of_layers(X):
        yield from _one_by_one(iter(X), kept=True)
    elif _is_iterable_of_layers(X):
        yield from _one_by_one(iter(X), kept=False)
    else:
        yield Layer(None, X, True)


def _one_by_one(items: Iterator[Any], *, kept: bool) -> Iterator[Layer]:
    for number in count():
        try:
            yield _layer(next(items), number, kept)
        except StopIteration:
            if number == 0:
                raise ShapeError("X has no layers: the iterator is empty.") from None
            return


def _layer(item: Any, number: int, kept: bool) -> Layer:
    """A matrix by its number, or by the name that comes with it."""
    pair = isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], (str, int))
    name, array = item if pair else (number, item)
    return Layer(str(name), array, kept)


def _is_list_of_layers(X: Any) -> bool:
    """Whether a list holds matrices or named ones, and not the rows of one matrix."""
    if not isinstance(X, (list, tuple)) or not X:
        return False
    first = X[0]
    if isinstance(first, tuple) and len(first) == 2 and isinstance(first[0], str):
        return True
    if isinstance(first, list):
        return bool(first) and isinstance(first[0], (list, tuple))
    return len(getattr(first, "shape", ())) == 2


def _is_iterable_of_layers(X: Any) -> bool:
    """Whether it gives its layers when asked, and is no matrix of any library."""
    if hasattr(X, "__next__"):
        return True
    is_matrix = any(hasattr(X, name) for name in ("shape", "__array__", "__dlpack__"))
    return hasattr(X, "__iter__") and not is_matrix and not isinstance(X, (list, tuple, str, bytes))


def check_same_rows(layer: Layer, n: int, expected: int) -> None:
    """Raise an error unless the layer has a row for each label."""
    if n != expected:
        where = "X" if layer.name is None else f"layer {layer.name!r}"
        raise ShapeError(f"{where} has {n} rows, but Y has {expected} labels a concept.")


def check_new_name(name: str | None, seen: set[str | None]) -> None:
    """Raise an error if two layers have one name."""
    if name in seen:
        raise DataError(f"two layers are called {name!r}: give each its own name.")
    seen.add(name)
