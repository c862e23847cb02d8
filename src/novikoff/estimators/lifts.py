"""`lift_until_separable`: the smallest of a row of lifts ψ: ℝᵈ → ℝ^q after which a hyperplane does.

Raw, quadratic, cubic, … up to a degree, then RBF features; each with a verdict that is proven on
the lifted points. Polynomial features of whole numbers are whole numbers, and exact in float64 as
long as they stay below 2⁵³ (see `lift_numbers`); where products may round (and for RBF features
always) the verdict is about the lifted matrix as it is stored, and the step says so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from sklearn.kernel_approximation import Nystroem
from sklearn.preprocessing import PolynomialFeatures

from novikoff.batches import refuse_batches
from novikoff.conventions import check_count, check_flag, check_positive
from novikoff.decide import Answer, separate
from novikoff.errors import LimitError
from novikoff.estimators.kernels import gamma_of
from novikoff.estimators.lift_numbers import (
    Columns,
    ExactProducts,
    as_floats,
    columns_of,
    is_exact,
)
from novikoff.problem import Matrix, check_names, column_names, matrix_of
from novikoff.verdicts.verdict import Separable

__all__ = ["LiftSearch", "LiftStep", "lift_until_separable"]

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
    columns: Columns

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
    base: Matrix, columns: Columns, max_degree: int, kernels: Iterator[Nystroem]
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
