"""A problem: points and labels, validated once, so that no other function has to ask."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.options import check_flag, first_few
from novikoff.errors import DataError, LabelError, NotFiniteError, NotNumericError, ShapeError
from novikoff.matrix.arrays import (
    LARGEST_EXACT_INTEGER,
    ComparedByValue,
    column_names,
    dense_of,
    is_long,
    is_missing,
    labels_of,
    narrow,
    numpy_of,
    refuse_too_wide,
)
from novikoff.matrix.batches import refuse_batches
from novikoff.matrix.rows import Rows, csr_of, rows_of

# A C-ordered 2-D array (numbers, or Python's exact ones as objects), or a CSR matrix.
Matrix: TypeAlias = Any

LONG = 4000  # bits, and more digits than that Python does not write
BYTES_A_COLUMN = 100  # of names, weights and what is known of each column
BLOCK = 1 << 16  # numbers looked at together: their mask stays in the cache


@dataclass(frozen=True, eq=False)
class Problem(ComparedByValue):
    """Labelled points: `X` (n × d), `y` in {−1, +1}, with or without a bias.

    `X` is a C-ordered array (float, integer, or objects such as `Fraction`) or a CSR matrix;
    `names` are the columns', `classes` the labels that −1 and +1 stand for. `row_numbers` say where
    in its file each row was, if some of the file's rows were left out; `bases` the level that has
    no column of each factor that was coded.
    """

    X: Matrix
    y: NDArray[np.int8]
    fit_intercept: bool
    names: tuple[str, ...]
    classes: tuple[Any, Any]
    row_numbers: NDArray[np.int64] | None = None
    bases: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        X: object,
        y: object,
        *,
        fit_intercept: bool = True,
        names: Sequence[str] | None = None,
    ) -> "Problem":
        """Validate what a user gave: any array, sparse matrix, DataFrame or Arrow table."""
        check_flag("fit_intercept", fit_intercept)
        matrix = matrix_of(X)
        labels = np.asarray(labels_of(y))
        check_lengths(matrix, labels)
        classes = two_classes(labels)
        if names is None:
            names = column_names(X)
        return cls(
            X=matrix,
            y=signs_of(labels, classes[1]),
            fit_intercept=bool(fit_intercept),
            names=check_names(names, matrix.shape[1]),
            classes=classes,
        )

    @property
    def n(self) -> int:
        """How many examples."""
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        """How many features, the bias not counted."""
        return int(self.X.shape[1])

    def numbers_of(self, rows: Iterable[int]) -> list[int]:
        """The numbers of these rows in the file, where there is one; counted from 0."""
        numbers = self.row_numbers
        return [int(row) if numbers is None else int(numbers[row]) for row in rows]

    def __getstate__(self) -> dict[str, Any]:
        """The fields: the rows for compiled loops are made of them again."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @cached_property
    def rows(self) -> Rows:
        """The rows for compiled loops; an error if float64 could not hold the numbers."""
        check_float64_holds(self.X)
        return rows_of(self.X)


def matrix_of(X: object, *, first_row: int = 0) -> Matrix:
    """`X` as a C-ordered numeric array, an array of exact objects, or CSR; finite, not empty.

    Errors count rows from `first_row`.
    """
    refuse_batches(X, "This", "it needs all rows in memory")
    if sp.issparse(X):
        matrix: Matrix = csr_of(X)
        data = narrow(matrix.data)
        if data is not matrix.data:
            matrix = sp.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)
    else:
        matrix = dense_of(X)
    if matrix.ndim != 2:
        raise ShapeError(
            f"X must have two dimensions, rows and columns; got {matrix.ndim}. "
            "Reshape your data: X.reshape(-1, 1) for one column, X.reshape(1, -1) for one row."
        )
    n, d = matrix.shape
    if n == 0:
        raise ShapeError(f"X has 0 sample(s) (shape=(0, {d})) while a minimum of 1 is required.")
    if d == 0:
        raise ShapeError(f"X has 0 feature(s) (shape=({n}, 0)) while a minimum of 1 is required.")
    refuse_too_wide(d, BYTES_A_COLUMN, "X", "leave out the columns that are empty")
    check_finite(matrix, first_row)
    return matrix


def check_finite(matrix: Matrix, first_row: int = 0) -> None:
    """Raise `NotFiniteError` at the first NaN or infinity, with its row and column."""
    values = matrix.data if sp.issparse(matrix) else matrix
    if values.dtype == object:
        bad = [at for at, value in np.ndenumerate(values) if not _is_finite(value)]
        if bad:
            raise _not_finite(values[bad[0]], first_row + bad[0][0], bad[0][1])
        return
    if values.dtype.kind != "f":
        return
    flat = values.reshape(-1)
    for start in range(0, flat.size, BLOCK):
        is_finite = np.isfinite(flat[start : start + BLOCK])
        if not is_finite.all():
            at = start + int(is_finite.argmin())
            if sp.issparse(matrix):
                row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
                raise _not_finite(flat[at], first_row + row, int(matrix.indices[at]))
            row, column = divmod(at, matrix.shape[1])
            raise _not_finite(flat[at], first_row + row, column)


def _is_finite(value: Any) -> bool:
    if isinstance(value, Decimal):
        return value.is_finite()
    return isinstance(value, Rational) or bool(np.isfinite(value))


def _not_finite(value: object, row: int, column: int) -> NotFiniteError:
    what = "NaN" if value != value else "infinity"
    return NotFiniteError(
        f"Input X contains {what} (row {row}, column {column}): "
        "drop or fill in what is missing, and cap what is infinite."
    )


def check_float64_holds(matrix: Matrix) -> None:
    """Raise `DataError` if the numbers are objects, or integers beyond 2⁵³."""
    if matrix.dtype == object:
        raise DataError("X holds Python objects; use exact arithmetic, or convert X to float64.")
    if not float64_holds(matrix):
        raise _too_long(_largest(matrix))


def float64_holds(matrix: Matrix) -> bool:
    """Whether every number is a float64: objects one by one, and no integer beyond 2⁵³."""
    if matrix.dtype == object:
        values = matrix.data if sp.issparse(matrix) else matrix
        return all(_is_float64(value) for value in values.flat)
    is_long = matrix.dtype.kind in "iu" and matrix.dtype.itemsize == 8
    return not is_long or _largest(matrix) <= LARGEST_EXACT_INTEGER


def _is_float64(value: Any) -> bool:
    try:
        return as_fraction(float(value)) == as_fraction(value)
    except OverflowError:
        return False


def _largest(matrix: Matrix) -> int:
    values = matrix.data if sp.issparse(matrix) else matrix
    return max(abs(int(values.min())), abs(int(values.max()))) if values.size else 0


def nearest_floats(matrix: Matrix) -> NDArray[np.float64]:
    """Objects as the nearest float64; an error for integers beyond 2⁵³, as everywhere."""
    for value in matrix.flat:
        if is_long(value):
            raise _too_long(int(value))
    try:
        return np.asarray(matrix, dtype=np.float64)
    except OverflowError as error:
        raise DataError(
            f"X holds a number beyond float64 ({error}): use exact arithmetic."
        ) from error


def held_floats(matrix: Matrix) -> Matrix:
    """The numbers in float64, or 64-bit integers; an error if they would become other numbers.

    Of an object float64 holds the decimal that it prints as, 0.1 for one tenth.
    """
    if matrix.dtype != object:
        check_float64_holds(matrix)
        return matrix
    floats = nearest_floats(matrix)
    for at, value in np.ndenumerate(matrix):
        if not is_held(value, float(floats[at])):
            raise DataError(
                f"X holds {value} in row {at[0]}, column {at[1]}, which float64 would turn into "
                f"{float(floats[at])!r}: use exact arithmetic, or convert X to float64 yourself."
            )
    return floats


def is_held(value: Any, nearest: float) -> bool:
    """Whether a float64 is the number, or prints as it."""
    if type(value) in (float, int, np.float64) or isinstance(value, np.integer):
        return True
    if not np.isfinite(nearest):
        return False
    return as_fraction(value) in (Fraction(nearest), Fraction(repr(nearest)))


def _too_long(value: int) -> DataError:
    return DataError(
        f"X holds the integer {value}, beyond 2**53: float64 would round it. "
        "Use exact arithmetic, or convert X to float64 yourself."
    )


def check_lengths(matrix: Matrix, labels: NDArray[Any]) -> None:
    """Raise `ShapeError` unless there is one label for each row."""
    if labels.ndim == 2 and labels.shape[1] == 1:
        raise ShapeError("y is a column; give a flat array: y.ravel().")
    if labels.ndim != 1:
        raise ShapeError(f"y must be flat, one label a row; it has {labels.ndim} dimensions.")
    if len(labels) != matrix.shape[0]:
        raise ShapeError(f"X has {matrix.shape[0]} rows, but y has {len(labels)} labels.")


def row_weights(weights: object, n: int) -> NDArray[np.float64] | None:
    """One weight for each of n rows, of a number the same for all; None if none were given."""
    if weights is None:
        return None
    try:
        values = np.asarray(numpy_of(weights), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise NotNumericError(f"sample_weight must hold numbers: {error}.") from error
    if values.ndim == 0:
        return row_weights(np.full(n, values), n)
    if values.ndim != 1:
        raise ShapeError("Sample weights must be 1D array or scalar: one for each row.")
    if len(values) != n:
        raise ShapeError(f"X has {n} rows, but sample_weight has {len(values)} numbers.")
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise NotFiniteError(f"sample_weight of row {row} is NaN or infinity: give it a number.")
    if (values < 0).any():
        row = int(np.argmax(values < 0))
        raise DataError(f"sample_weight[{row}] is negative: weights must not be negative.")
    return values


def two_classes(labels: NDArray[Any]) -> tuple[Any, Any]:
    """The two labels, sorted; the second one is +1."""
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        row = int(np.flatnonzero(~np.isfinite(labels))[0])
        raise LabelError(f"y contains NaN or infinity (row {row}).")
    classes = distinct(labels)
    if len(classes) == 1:
        raise LabelError(f"y has one class only, {python_value(classes[0])!r}: two are needed.")
    if len(classes) > 2:
        shown = first_few(classes.tolist(), 5, repr)
        raise LabelError(
            f"y has {len(classes)} classes ({shown}) but two are needed: "
            "keep two of them, or ask for one against the rest with y == label."
        )
    return python_value(classes[0]), python_value(classes[1])


def distinct(
    labels: NDArray[Any],
    part: str = "y",
    numbers: Sequence[int] | NDArray[np.intp] | None = None,
) -> NDArray[Any]:
    """The labels that there are, sorted; an error if some are missing, or cannot be compared.

    `numbers` are what to call the rows, if not 0, 1, 2, ….
    """
    for row in _missing(labels):
        shown = row if numbers is None else numbers[row]
        raise LabelError(f"{part} has missing labels (the first in row {shown}): drop those rows.")
    try:
        return np.unique(labels)
    except TypeError as error:
        kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise LabelError(
            f"{part} has labels of several kinds ({kinds}), which have no order: "
            "make them one kind."
        ) from error


def _missing(labels: NDArray[Any]) -> Iterator[int]:
    """The rows without a label: NaN, None, or what another library writes for it."""
    if labels.dtype.kind == "f":
        yield from np.flatnonzero(np.isnan(labels)).tolist()
    elif labels.dtype.kind in "OmM":
        yield from (row for row, label in enumerate(labels) if is_missing(label))


def python_value(label: Any) -> Any:
    """A label as Python has it, where NumPy has a type of its own."""
    return label.item() if isinstance(label, np.generic) else label


def signs_of(labels: NDArray[Any], positive: object) -> NDArray[np.int8]:
    """+1 where the label is `positive`, −1 elsewhere."""
    return np.where(labels == positive, 1, -1).astype(np.int8)


@dataclass(frozen=True)
class Signs:
    """`signs_of` for one class, as the `Coding` of a remote matrix."""

    positive: object

    def __call__(
        self,
        labels: NDArray[Any],
        weights: object,  # noqa: ARG002
        first_row: int,  # noqa: ARG002
    ) -> NDArray[np.int8]:
        """The signs of these labels."""
        return signs_of(labels, self.positive)


def default_names(d: int) -> tuple[str, ...]:
    """The names of columns without names: x0, x1, …"""
    return tuple(f"x{j}" for j in range(d))


def check_names(names: Sequence[str] | None, d: int) -> tuple[str, ...]:
    """One name a column, none twice; x0, x1, … where there are none."""
    if names is None:
        return default_names(d)
    names = tuple(str(name) for name in names)
    if len(names) != d:
        raise ShapeError(f"X has {d} columns, but there are {len(names)} names.")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataError(f"two columns are called {name!r}: give each its own name.")
        seen.add(name)
    return names


def as_fraction(value: Any) -> Fraction:
    """The rational number that `value` is: floats are rationals, and so are decimals."""
    if isinstance(value, np.longdouble):
        return Fraction(*value.as_integer_ratio())
    if isinstance(value, np.integer):
        return Fraction(int(value))
    return Fraction(value if isinstance(value, (Rational, Decimal)) else float(value))


def exact_text(value: Fraction) -> str:
    """The number as "p/q", or "p", at any length: Python's own texts end at 4300 digits."""
    text = _digits(value.numerator)
    return text if value.denominator == 1 else f"{text}/{_digits(value.denominator)}"


def _digits(value: int) -> str:
    if value.bit_length() < LONG:
        return str(value)
    from flint import fmpz

    return str(fmpz(value))
