"""What a file says an estimator holds, taken out piece by piece, each checked as it is taken."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.errors import FileError
from novikoff.learners.status import Status

__all__ = [
    "Contents",
    "finite_array",
    "integers",
    "list_of",
    "numbers",
    "rationals",
    "whole_number",
]

Shape = tuple[int | None, ...]


class Contents:
    """The fitted attributes of an estimator; what nobody has taken out does not belong there."""

    def __init__(self, estimator: Any) -> None:
        options = estimator.get_params(deep=False)
        self._left = {k: v for k, v in vars(estimator).items() if k not in options}
        self.d = whole_number("n_features_in_", self.take("n_features_in_"), least=1)
        self.classes = _classes(self.take("classes_"))
        names = self.take("feature_names_in_", None)
        if names is not None:
            _check_shape("feature_names_in_", names, (self.d,), "OU")

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.classes)

    @property
    def n_planes(self) -> int:
        """How many runs there are: one for two classes, otherwise one a class."""
        return 1 if self.n_classes == 2 else self.n_classes

    def take(self, name: str, *default: Any) -> Any:
        """One attribute, which must be there unless a default is given."""
        if name not in self._left and not default:
            raise FileError(f"{name} is missing.")
        return self._left.pop(name, *default)

    def floats(self, name: str, shape: Shape) -> NDArray[np.float64]:
        """An attribute that is finite float64 numbers of a shape (None: any length)."""
        return finite_array(name, self.take(name), shape)

    def check_all_taken(self) -> None:
        """Raise `FileError` if something is left."""
        if self._left:
            raise FileError(f"{min(self._left)!r} cannot be part of a model.")


def _classes(labels: Any) -> NDArray[Any]:
    _check_shape("classes_", labels, (None,), "biufUSO")
    if len(labels) < 2:
        raise FileError("classes_ has fewer than two classes.")
    kinds = {type(label) for label in labels.tolist()}
    if len(kinds) != 1 or not kinds <= {bool, int, float, str, bytes}:
        raise FileError("classes_ holds labels of several kinds.")
    if not (labels[:-1] < labels[1:]).all():
        raise FileError("classes_ is not sorted.")
    return np.asarray(labels)


def _check_shape(name: str, value: Any, shape: Shape, kinds: str) -> None:
    if not isinstance(value, np.ndarray) or value.dtype.kind not in kinds:
        raise FileError(f"{name} is no array of the right kind.")
    fits = len(shape) == value.ndim and all(
        wanted is None or wanted == length
        for wanted, length in zip(shape, value.shape, strict=True)
    )
    if not fits:
        wanted_shape = ", ".join("any" if n is None else str(n) for n in shape)
        raise FileError(f"{name} has the shape {value.shape}, and ({wanted_shape}) is needed.")


def finite_array(name: str, value: Any, shape: Shape) -> NDArray[np.float64]:
    """Finite float64 numbers of a shape (None: any length)."""
    _check_shape(name, value, shape, "f")
    if value.dtype != np.float64 or not np.isfinite(value).all():
        raise FileError(f"{name} must hold finite float64 numbers.")
    return np.asarray(value)


def integers(
    name: str, value: Any, shape: Shape, *, least: int = 0, below: int | None = None
) -> NDArray[np.int64]:
    """Int64 numbers of a shape, from `least` on and below `below`."""
    _check_shape(name, value, shape, "i")
    if value.dtype != np.int64:
        raise FileError(f"{name} must hold int64 numbers.")
    if value.size and (value.min() < least or (below is not None and value.max() >= below)):
        raise FileError(f"{name} holds a number out of range.")
    return np.asarray(value)


def whole_number(name: str, value: Any, *, least: int = 0) -> int:
    """A whole number of at least `least` that int64 holds."""
    if type(value) is not int or not least <= value < 2**63:
        raise FileError(f"{name} must be a whole number of at least {least}; got {value!r:.40}.")
    return value


def numbers(name: str, value: Any) -> float:
    """A finite number."""
    if type(value) not in (int, float) or not np.isfinite(value):
        raise FileError(f"{name} must be a finite number; got {value!r:.40}.")
    return float(value)


def list_of(name: str, value: Any, length: int | None, *kinds: type) -> list[Any]:
    """A list of values of these kinds."""
    if type(value) is not list or (length is not None and len(value) != length):
        raise FileError(f"{name} must be a list of {length}.")
    if not all(type(item) in kinds for item in value):
        raise FileError(f"{name} holds something of another kind.")
    return value


def rationals(name: str, value: Any, length: int) -> list[Fraction]:
    """So many rational numbers."""
    return list_of(name, value, length, Fraction)


def rational_array(name: str, value: Any, shape: Shape) -> None:
    """An array of rational numbers."""
    _check_shape(name, value, shape, "O")
    if not all(type(item) is Fraction for item in value.flat):
        raise FileError(f"{name} must hold rational numbers.")


def matrix(name: str, value: Any, d: int) -> Any:
    """Rows of d finite numbers, dense or CSR (whose indices were checked when it was read)."""
    if sp.issparse(value):
        if value.shape[1] != d:
            raise FileError(f"{name} has {value.shape[1]} columns, and {d} are needed.")
        stored = value.data
    else:
        _check_shape(name, value, (None, d), "biuf")
        stored = value
    if stored.dtype.kind == "f" and not np.isfinite(stored).all():
        raise FileError(f"{name} must hold finite numbers.")
    return value


def status(name: str, value: Any) -> None:
    """A status."""
    if not isinstance(value, Status):
        raise FileError(f"{name} is no status.")
