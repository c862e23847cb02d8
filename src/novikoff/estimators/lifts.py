"""`lift_until_separable`: the smallest of a row of lifts ψ: ℝᵈ → ℝ^q after which a hyperplane does.

Raw, quadratic, cubic, … up to a degree, then RBF features; each with a verdict that is proven on
the lifted points. Polynomial features of whole numbers are whole numbers, and exact in float64 as
long as they stay below 2⁵³ (see `lift_numbers`); where products may round (and for RBF features
always) the verdict is about the lifted matrix as it is stored, and the step says so.

The numbers that a lift multiplies: columns scaled so that products stay exact where they can.

Multiplying a column by a positive number changes no verdict, on the raw points and on any products.
So decimals and fractions become whole numbers, and columns whose products float64 would lose at
either end of its range are moved to its middle by a power of two. Where whole numbers outgrow the
53 bits of a float64, Python's own numbers are lifted instead, and nothing is rounded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.kernel_approximation import Nystroem
from sklearn.preprocessing import PolynomialFeatures

from novikoff.core import sparse as sp
from novikoff.core.options import check_count, check_flag, check_positive
from novikoff.errors import DataError, LimitError
from novikoff.estimators.kernels import gamma_of
from novikoff.exact.integers import common_denominator, lowest_bit
from novikoff.exact.reading import decimal_fraction, is_decimal_column
from novikoff.matrix.arrays import column_names
from novikoff.matrix.batches import refuse_batches
from novikoff.matrix.problem import Matrix, as_fraction, check_names, matrix_of
from novikoff.matrix.rows import Floats
from novikoff.separability.api import Answer, separate
from novikoff.separability.verdicts import Separable

BITS = 53
LARGEST_EXACT = 2.0**BITS
# Powers of two between which a float64 keeps all its digits.
LOWEST, HIGHEST = -1074, 1023


@dataclass(frozen=True)
class LiftColumns:
    """How the columns of `X` become the numbers that are lifted.

    `denominators`: whole numbers that make columns whole (1: as it is). `powers`: powers of two
    that move them to the middle of float64's range. `exact`: they are Python's numbers, unscaled.
    """

    decimal: NDArray[np.bool_]
    denominators: tuple[int, ...]
    powers: NDArray[np.int64]
    exact: bool

    def numbers(self, matrix: Matrix) -> Matrix:
        """What is lifted of a matrix with these columns."""
        if self.exact:
            return self._rational(matrix)
        if matrix.dtype == object:
            fractions = self._rational(matrix) * np.array(self.denominators, dtype=object)
            return as_floats(fractions)
        values = matrix.astype(np.float64, copy=False)
        if any(denominator != 1 for denominator in self.denominators):
            values = self._whole(values)
        if not self.powers.any():
            return values
        if sp.issparse(values):
            scaled = _scaled(values.data, self.powers[values.indices])
            return sp.csr_array((scaled, values.indices, values.indptr), shape=values.shape)
        return _scaled(values, self.powers)

    def _rational(self, matrix: Matrix) -> NDArray[Any]:
        dense = matrix.toarray() if sp.issparse(matrix) else matrix
        rational = np.empty(dense.shape, dtype=object)
        for j, is_decimal in enumerate(self.decimal.tolist()):
            convert = decimal_fraction if is_decimal else as_fraction
            rational[:, j] = [convert(value) for value in dense[:, j].tolist()]
        return rational

    def _whole(self, values: Floats) -> Floats:
        """Decimals times their denominators: their numerators, wherever float64 can tell."""
        scales = np.array(self.denominators, dtype=np.float64)
        with np.errstate(over="ignore"):
            products = values * scales
            numerators = np.rint(products)
        # Both are float64 numbers, so that their quotient is rounded once: it is the value itself
        # if the value is that decimal.
        found = (np.abs(numerators) < LARGEST_EXACT) & (numerators / scales == values)
        whole: Floats = np.where(found, numerators, products)
        return whole


def _scaled(values: Floats, powers: NDArray[Any]) -> Floats:
    with np.errstate(over="ignore"):
        scaled: Floats = np.ldexp(values, powers)
    if not np.isfinite(scaled).all():
        raise DataError(
            "a number is beyond float64 after its column is scaled for the lift: it is too large "
            "beside the points that were lifted first."
        )
    return scaled


def columns_of(matrix: Matrix, *, decimals: bool, max_degree: int) -> LiftColumns:
    """How to scale the columns of `matrix` for products of up to `max_degree` of them."""
    d = matrix.shape[1]
    decimal, denominators = np.zeros(d, dtype=np.bool_), [1] * d
    if matrix.dtype == object:
        denominators = [common_denominator(matrix[:, j]) for j in range(d)]
    elif decimals and not sp.issparse(matrix) and matrix.dtype.kind == "f":
        for j, column in enumerate(np.asarray(matrix, np.float64).T):
            decimal[j] = is_decimal_column(column)
            if decimal[j]:
                values = [decimal_fraction(value) for value in np.unique(column)]
                denominators[j] = common_denominator(np.array(values, dtype=object))
    plain = LiftColumns(decimal, tuple(denominators), np.zeros(d, np.int64), exact=False)
    if not _float64_holds(matrix, plain):
        return LiftColumns(decimal, (1,) * d, plain.powers, exact=True)
    return LiftColumns(
        decimal, plain.denominators, _powers(plain.numbers(matrix), max_degree), False
    )


def _float64_holds(matrix: Matrix, columns: LiftColumns) -> bool:
    """Whether the scaled columns are float64 numbers."""
    if matrix.dtype.kind in "iu":
        values = matrix.data if sp.issparse(matrix) else matrix
        if not values.size:
            return True
        return max(-int(values.min()), int(values.max())) <= LARGEST_EXACT
    if max(columns.denominators) >= LARGEST_EXACT:
        return False
    for j, denominator in enumerate(columns.denominators):
        if matrix.dtype == object or denominator != 1:
            convert = decimal_fraction if columns.decimal[j] else as_fraction
            largest = max(abs(convert(value)) for value in matrix[:, j].tolist())
            if largest * denominator >= LARGEST_EXACT:
                return False
    return True


def _powers(base: Matrix, max_degree: int) -> NDArray[np.int64]:
    """For each column the power of two that moves it to where `max_degree` factors fit; often 0."""
    powers = np.zeros(base.shape[1], np.int64)
    lowest, highest = _range_of(base)
    if max_degree * lowest >= LOWEST and max_degree * highest <= HIGHEST:
        return powers
    size = abs(base).max(axis=0)
    largest = np.asarray(size.toarray() if sp.issparse(size) else size, dtype=np.float64).ravel()
    powers[largest > 0] = -np.frexp(largest[largest > 0])[1]
    return powers


def _range_of(base: Matrix) -> tuple[int, int]:
    """The powers of two between which all bits of all numbers lie; 0 and 0 if all are 0."""
    values = base.data if sp.issparse(base) else base
    if values.size == 0 or not values.any():
        return 0, 0
    return lowest_bit(values), int(np.frexp(np.abs(values).max())[1])


def is_exact(base: Matrix, degree: int) -> bool:
    """Whether products of so many of the numbers are surely exact: in 53 bits, and in range."""
    if degree <= 1 or base.dtype == object:
        return degree >= 1
    lowest, highest = _range_of(base)
    return (
        degree * (highest - lowest) <= BITS
        and degree * lowest >= LOWEST
        and degree * highest <= HIGHEST
    )


def as_floats(numbers: NDArray[Any]) -> Floats:
    """Python's numbers as the nearest float64."""
    try:
        return np.array([[float(value) for value in row] for row in numbers])
    except OverflowError as error:
        raise DataError(
            f"X holds a number beyond float64 ({error}), and RBF features are float64: scale the "
            "data, or ask for no RBF features (rbf=())."
        ) from error


class ExactProducts:
    """`PolynomialFeatures` for Python's own numbers: the same columns, none of them rounded."""

    def __init__(self, degree: int) -> None:
        self._model = PolynomialFeatures(degree, include_bias=False)

    def fit_transform(self, base: NDArray[Any]) -> NDArray[Any]:
        """Note the number of columns, and multiply."""
        self._model.fit(np.zeros((1, base.shape[1])))
        return self.transform(base)

    def transform(self, base: NDArray[Any]) -> NDArray[Any]:
        """All products of up to so many of the columns."""
        lifted = np.empty((len(base), len(self._model.powers_)), dtype=object)
        for k, powers in enumerate(self._model.powers_.tolist()):
            column = np.full(len(base), Fraction(1), dtype=object)
            for j, power in enumerate(powers):
                if power:
                    column = column * base[:, j] ** power
            lifted[:, k] = column
        return lifted

    def get_feature_names_out(self, names: list[str]) -> NDArray[Any]:
        """The products' names."""
        return np.asarray(self._model.get_feature_names_out(names))


MEGABYTE = 2**20
GIGABYTE = 2**30
BYTES_OF_A_FRACTION = 160  # with the two integers of its numerator and denominator


@dataclass(frozen=True)
class Lift:
    """A lift ψ: what it is called, how many features it makes, and how.

    `columns` says how the columns are scaled first.
    """

    name: str
    q: int
    degree: int
    transformer: Any
    columns: LiftColumns

    def transform(self, X: object) -> Matrix:
        """ψ(x) for each row, after the lift was fitted."""
        return self.transformer.transform(self._numbers(self.columns.numbers(matrix_of(X))))

    def fit_transform(self, base: Matrix) -> Matrix:
        """ψ of the numbers that `columns` made of the first points."""
        return self.transformer.fit_transform(self._numbers(base))

    def _numbers(self, base: Matrix) -> Matrix:
        return as_floats(base) if self.degree == 0 and base.dtype == object else base


@dataclass(frozen=True)
class LiftStep:
    """One lift that was tried, with the verdict on the lifted points.

    `exact`: the lifted numbers are the products that they stand for; otherwise the verdict is about
    these products as float64 holds them: the matrix that `transform` gives.
    """

    lift: Lift
    exact: bool
    verdict: Answer

    @property
    def name(self) -> str:
        """What the lift is called."""
        return self.lift.name

    @property
    def q(self) -> int:
        """How many features it makes."""
        return self.lift.q

    def transform(self, X: object) -> Matrix:
        """The lifted points."""
        return self.lift.transform(X)


@dataclass(frozen=True)
class LiftSearch:
    """All lifts that were tried, in their order; the last one is `smallest` if it is separable."""

    steps: tuple[LiftStep, ...]

    @property
    def smallest(self) -> LiftStep | None:
        """The first lift that was proven separable, or None."""
        last = self.steps[-1]
        return last if isinstance(last.verdict, Separable) else None

    def __str__(self) -> str:
        lines = [f"{step.name:<20} q = {step.q:<8} {step.verdict.word}" for step in self.steps]
        found = self.smallest
        if found is None:
            return "\n".join([*lines, "No lift that was tried makes the classes separable."])
        return "\n".join(
            [*lines, f"Separable after the lift “{found.name}” to {found.q} features."]
        )


def lift_until_separable(
    X: object,
    y: object = None,
    *,
    max_degree: int = 4,
    rbf: Sequence[int] = (16, 64, 256),
    gamma: Any = "scale",
    fit_intercept: bool = True,
    decimals: bool = False,
    max_bytes: float = GIGABYTE,
    random_state: Any = 0,
    names: Sequence[str] | None = None,
) -> LiftSearch:
    """Try raw, quadratic, … features up to `max_degree`, then RBF ones, until `separate` says yes.

    `rbf` are numbers of components (scikit-learn's `Nystroem`, with `gamma` as in `SVC`); () tries
    none. With `decimals` a column of decimals is scaled to whole numbers before it is lifted, which
    changes no verdict. A lift whose matrix would take more than `max_bytes` is a `LimitError`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    max_degree : int, default=4
        The highest degree of polynomial features to try.
    rbf : sequence of int, default=(16, 64, 256)
        Numbers of RBF components to try after that.
    gamma : float, "scale" or "auto", default="scale"
        The γ of the RBF kernel.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.
    decimals : bool, default=False
        Whether numbers stand for the decimals that they print as (0.1 is one tenth).
    max_bytes : float, default=2**30
        The most memory that a lifted matrix may take.
    random_state : int or RandomState, default=0
        Of the RBF components.
    names : sequence of str, optional
        Names of the columns, where the data brings none.

    Returns
    -------
    LiftSearch
        The steps that were tried, each with its verdict, and the smallest that separates.

    Examples
    --------
    >>> import novikoff
    >>> xor = novikoff.load_dataset("xor")
    >>> search = novikoff.lift_until_separable(xor.X, xor.y)
    >>> search.smallest.name
    'degree 2'
    """
    refuse_batches(X, "lift_until_separable", "it keeps all rows with all their products")
    check_count("max_degree", max_degree)
    check_positive("max_bytes", max_bytes)
    for components in rbf:
        check_count("rbf", components)
    check_flag("decimals", decimals)
    names = names if names is not None else column_names(X)
    matrix = matrix_of(X)
    names = check_names(names, matrix.shape[1])
    columns = columns_of(matrix, decimals=decimals, max_degree=max_degree)
    base = columns.numbers(matrix)
    steps: list[LiftStep] = []
    for lift in _lifts(base, columns, max_degree, _kernels(base, rbf, gamma, random_state)):
        _check_size(lift, base, max_bytes, steps)
        lifted = lift.fit_transform(base)
        verdict = separate(lifted, y, fit_intercept=fit_intercept, names=_names(lift, names))
        steps.append(LiftStep(lift, is_exact(base, lift.degree), verdict))
        if isinstance(verdict, Separable):
            break
    return LiftSearch(tuple(steps))


def _kernels(base: Matrix, rbf: Sequence[int], gamma: Any, random_state: Any) -> Iterator[Nystroem]:
    """RBF features of each number of components, no more than there are rows."""
    sizes = sorted({min(components, base.shape[0]) for components in rbf})
    if sizes:
        gamma = gamma_of(gamma, as_floats(base) if base.dtype == object else base)
    for components in sizes:
        yield Nystroem(gamma=gamma, n_components=components, random_state=random_state)


def _lifts(
    base: Matrix, columns: LiftColumns, max_degree: int, kernels: Iterator[Nystroem]
) -> Iterator[Lift]:
    d = base.shape[1]
    products = ExactProducts if base.dtype == object else _float_products
    for degree in range(1, max_degree + 1):
        name = "raw" if degree == 1 else f"degree {degree}"
        yield Lift(name, comb(d + degree, degree) - 1, degree, products(degree), columns)
    for kernel in kernels:
        name = f"RBF, {kernel.n_components} components"
        yield Lift(name, kernel.n_components, 0, kernel, columns)


def _float_products(degree: int) -> Any:
    return PolynomialFeatures(degree, include_bias=False)


def _check_size(lift: Lift, base: Matrix, max_bytes: float, steps: list[LiftStep]) -> None:
    n = base.shape[0]
    needed = (BYTES_OF_A_FRACTION if base.dtype == object else 8) * n * lift.q
    if needed > max_bytes:
        tried = ", ".join(f"{step.name}: {step.verdict.word}" for step in steps) or "none"
        raise LimitError(
            f"the lift “{lift.name}” of {n:,} rows has {lift.q:,} features and would "
            f"take {needed / MEGABYTE:,.1f} MB, more than max_bytes allows "
            f"({max_bytes / MEGABYTE:,.1f} MB). Tried so far: {tried}. "
            "Raise max_bytes, or lower max_degree or rbf."
        )


def _names(lift: Lift, names: Sequence[str]) -> list[str]:
    """The lifted columns' names: products of the given ones."""
    if lift.degree == 0:
        return [f"rbf{k}" for k in range(lift.q)]
    return list(lift.transformer.get_feature_names_out(list(names)))
