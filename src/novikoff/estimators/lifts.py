"""`lift_until_separable`: the smallest of a row of lifts ψ: ℝᵈ → ℝ^q after which a hyperplane does.

Raw, quadratic, cubic, … up to a degree, then RBF features; each with a verdict that is proven on
the lifted points. Polynomial features of whole numbers are whole numbers, and exact in float64 as
long as they stay below 2⁵³; where products may round (and for RBF features always) the verdict is
about the lifted matrix as it is stored, and the step says so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.preprocessing import PolynomialFeatures

from novikoff import sparse as sp
from novikoff.decide import Answer, separate
from novikoff.errors import DataError, LimitError
from novikoff.estimators.door import check_count, check_positive
from novikoff.estimators.kernels import gamma_of
from novikoff.exact.decimals import decimal_fraction, is_decimal_column
from novikoff.exact.scaling import common_denominator, lowest_bit
from novikoff.problem import Matrix, check_float64_holds, checked_names, column_names, matrix_of
from novikoff.rows import Floats
from novikoff.verdicts.verdict import Separable

__all__ = ["LiftSearch", "LiftStep", "lift_until_separable"]

MEGABYTE = 2**20
GIGABYTE = 2**30
BITS = 53


@dataclass(frozen=True)
class Lift:
    """A lift ψ: what it is called, how many features it makes, and how.

    `scales` are whole numbers by which the columns are multiplied first; None: they are not.
    """

    name: str
    q: int
    degree: int
    transformer: Any
    scales: Floats | None

    def transform(self, X: object) -> Matrix:
        """ψ(x) for each row, after the lift was fitted."""
        return self.transformer.transform(_scaled(matrix_of(X), self.scales))


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
    y: object,
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
    check_count("max_degree", max_degree)
    check_positive("max_bytes", max_bytes)
    for components in rbf:
        check_count("rbf", components)
    names = names if names is not None else column_names(X)
    matrix = matrix_of(X)
    names = checked_names(names, matrix.shape[1])
    scales = _scales(matrix, decimals=decimals)
    base = _scaled(matrix, scales)
    steps: list[LiftStep] = []
    for lift in _lifts(base, scales, max_degree, _kernels(base, rbf, gamma, random_state)):
        _check_size(lift, base.shape[0], max_bytes, steps)
        lifted = lift.transformer.fit_transform(base)
        columns = _columns(lift, names)
        verdict = separate(lifted, y, fit_intercept=fit_intercept, names=columns)
        steps.append(LiftStep(lift, _is_exact(base, lift.degree), verdict))
        if isinstance(verdict, Separable):
            break
    return LiftSearch(tuple(steps))


def _kernels(base: Matrix, rbf: Sequence[int], gamma: Any, random_state: Any) -> list[Nystroem]:
    """RBF features of each number of components, no more than there are rows."""
    sizes = sorted({min(components, base.shape[0]) for components in rbf})
    gamma = gamma_of(gamma, base)
    return [
        Nystroem(gamma=gamma, n_components=components, random_state=random_state)
        for components in sizes
    ]


def _lifts(
    base: Matrix, scales: Floats | None, max_degree: int, kernels: list[Nystroem]
) -> Iterator[Lift]:
    d = base.shape[1]
    for degree in range(1, max_degree + 1):
        name = "raw" if degree == 1 else f"degree {degree}"
        polynomial = PolynomialFeatures(degree, include_bias=False)
        yield Lift(name, comb(d + degree, degree) - 1, degree, polynomial, scales)
    for kernel in kernels:
        name = f"RBF, {kernel.n_components} components"
        yield Lift(name, kernel.n_components, 0, kernel, scales)


def _check_size(lift: Lift, n: int, max_bytes: float, steps: list[LiftStep]) -> None:
    needed = 8 * n * lift.q
    if needed > max_bytes:
        tried = ", ".join(f"{step.name}: {step.verdict.word}" for step in steps) or "none"
        raise LimitError(
            f"the lift “{lift.name}” of {n:,} rows has {lift.q:,} features and would "
            f"take {needed / MEGABYTE:,.1f} MB, more than max_bytes allows "
            f"({max_bytes / MEGABYTE:,.1f} MB). Tried so far: {tried}. "
            "Raise max_bytes, or lower max_degree or rbf."
        )


def _columns(lift: Lift, names: Sequence[str]) -> list[str]:
    """The lifted columns' names: products of the given ones."""
    if lift.degree == 0:
        return [f"rbf{k}" for k in range(lift.q)]
    return list(lift.transformer.get_feature_names_out(list(names)))


def _scales(matrix: Matrix, *, decimals: bool) -> Floats | None:
    """A whole number for each column that makes it whole, where exact numbers are asked for."""
    if matrix.dtype == object:
        scales = [common_denominator(matrix[:, j]) for j in range(matrix.shape[1])]
    elif decimals and not sp.issparse(matrix) and matrix.dtype.kind == "f":
        scales = [_decimal_scale(np.asarray(column, np.float64)) for column in matrix.T]
    else:
        return None
    if max(scales) > 2**BITS:
        raise DataError("a column has too many digits to be lifted exactly: round it first.")
    return np.array(scales, dtype=np.float64)


def _decimal_scale(column: Floats) -> int:
    if not is_decimal_column(column):
        return 1
    values = np.array([decimal_fraction(value) for value in np.unique(column)], dtype=object)
    return common_denominator(values)


def _scaled(matrix: Matrix, scales: Floats | None) -> Matrix:
    if matrix.dtype == object:
        assert scales is not None
        whole = np.array(
            [[int(x * int(s)) for x, s in zip(row, scales, strict=True)] for row in matrix]
        )
        check_float64_holds(whole)
        return whole.astype(np.float64)
    check_float64_holds(matrix)
    if scales is None:
        return matrix.astype(np.float64, copy=False)
    # The nearest whole number to a rounded product: the decimal's own numerator.
    return np.where(scales == 1, matrix, np.rint(matrix * scales))


def _is_exact(base: Matrix, degree: int) -> bool:
    """Whether products of so many of the numbers surely fit into the 53 bits of a float64."""
    if degree <= 1:
        return degree == 1
    values = base.data if sp.issparse(base) else base
    if values.size == 0 or not values.any():
        return True
    bits = int(np.frexp(np.abs(values).max())[1]) - lowest_bit(values)
    return degree * bits <= BITS
