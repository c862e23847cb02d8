"""One X or many: the layers of a network, one at a time in memory."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import DataError, ShapeError

__all__ = ["Layer", "layers_of"]


class Layer(NamedTuple):
    """A name (None if there is only one X), the points, and whether the caller keeps them."""

    name: str | None
    X: Any
    is_kept: bool


def layers_of(X: Any) -> Iterator[Layer]:
    """The layers of a mapping, of an iterable of arrays or (name, array) pairs, or of a 3-D array.

    Anything else is one X. What comes from an iterator is asked for one at a time and not kept.
    """
    if isinstance(X, Mapping):
        if not X:
            raise ShapeError("X has no layers.")
        for name, array in X.items():
            yield Layer(str(name), array, True)
    elif getattr(X, "ndim", 0) == 3:
        for number in range(X.shape[0]):
            yield Layer(str(number), X[number], True)
    elif hasattr(X, "__next__") or _is_list_of_layers(X):
        kept = not hasattr(X, "__next__")
        number = -1
        for number, item in enumerate(X):
            pair = isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], (str, int))
            name, array = item if pair else (number, item)
            yield Layer(str(name), array, kept)
        if number < 0:
            raise ShapeError("X has no layers: the iterator is empty.")
    else:
        yield Layer(None, X, True)


def _is_list_of_layers(X: Any) -> bool:
    """Whether a list holds matrices or named ones, and not the rows of one matrix."""
    if not isinstance(X, (list, tuple)) or not X:
        return False
    first = X[0]
    if isinstance(first, tuple) and len(first) == 2 and isinstance(first[0], str):
        return True
    return getattr(first, "ndim", None) == 2 and not isinstance(first, np.generic)


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
