"""One question for every regression: is there a δ with Aδ ≥ 0 that is not 0 throughout?

A has the rows of the model, in the order that docs/certificates.md states, and a column for each
coefficient. The coefficients' names are those of the columns; a multinomial model has them once for
each class but the first, and an ordinal one has its thresholds before them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.errors import DataError
from novikoff.problem import Matrix, Problem, check_names, float64_holds
from novikoff.regressions.model import BINARY, COUNTS, Model, Name, Outcome
from novikoff.regressions.pairs import (
    conditional_pairs,
    cox_pairs,
    differences,
    true_differences,
)
from novikoff.regressions.rows import (
    ModelRows,
    binary,
    binomial,
    counts,
    multinomial,
    ordinal,
)

__all__ = [
    "INTERCEPT",
    "Question",
    "ask",
    "coefficient_names",
    "signable",
    "with_constant",
    "without_rows",
]

INTERCEPT = "(intercept)"
MOST_DENSE = 1 << 24  # numbers of a sparse matrix that is made dense for its long integers

Builder: TypeAlias = Callable[[Matrix, Outcome, Model], ModelRows]
BUILDERS: dict[Name, Builder] = {
    **dict.fromkeys(BINARY, binary),
    "binomial": binomial,
    **dict.fromkeys(COUNTS, counts),
    "multinomial": multinomial,
    "ordinal": ordinal,
}


@dataclass(frozen=True, eq=False)
class Question:
    """The rows A of a model, one of whose columns each coefficient is.

    `first` says which row of the data each row of A speaks of, and `second` which other one, or −1.
    The columns of `rows` are those of A times `factors`, where these are not None; `decimals` says
    that the numbers of `rows` stand for the decimals they print as.
    """

    model: Model
    n: int
    rows: Matrix
    decimals: bool
    names: tuple[str, ...]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    factors: tuple[Any, ...] | None = None

    @cached_property
    def problem(self) -> Problem:
        """A as the engine takes it: rows that should all be on the positive side of a plane."""
        matrix = true_differences(self.rows, None if self.factors is None else list(self.factors))
        signs = np.ones(matrix.shape[0], dtype=np.int8)
        return Problem(matrix, signs, False, self.names, (-1, 1))


def ask(model: Model, X: Matrix, outcome: Outcome) -> Question:
    """The rows of the model for the matrix X, which has the model's features as its columns."""
    X = signable(X)
    X = with_constant(X) if model.intercept else X
    names = check_names(coefficient_names(model), len(coefficient_names(model)))
    if model.name in BUILDERS:
        found = BUILDERS[model.name](X, outcome, model)
        return Question(model, outcome.n, found.matrix, model.decimals, names, *found[1:])
    pairs = (conditional_pairs if model.name == "conditional" else cox_pairs)(outcome, model)
    # What is absent does not say how the columns are written.
    present = outcome.present
    among = (np.searchsorted(present, pairs[0]), np.searchsorted(present, pairs[1]))
    rows, factors = differences(X[present], model.decimals, among)
    scale = None if factors is None else tuple(factors)
    return Question(model, outcome.n, rows, False, names, *pairs, scale)


def without_rows(model: Model, outcome: Outcome) -> Question:
    """The question of a model whose rows could not be made in time."""
    names, nowhere = coefficient_names(model), np.empty(0, np.intp)
    rows = np.empty((0, len(names)))
    return Question(model, outcome.n, rows, model.decimals, names, nowhere, nowhere)


def coefficient_names(model: Model) -> tuple[str, ...]:
    """The names of the coefficients, in the order of A's columns."""
    columns = (INTERCEPT, *model.features) if model.intercept else model.features
    if model.name == "multinomial":
        return tuple(f"{level}: {name}" for level in model.levels[1:] for name in columns)
    if model.name == "ordinal":
        steps = zip(model.levels, model.levels[1:], strict=False)
        return (*(f"{below}/{above}" for below, above in steps), *columns)
    return tuple(columns)


def with_constant(X: Matrix) -> Matrix:
    """X with a column of ones before the others."""
    ones = np.ones((X.shape[0], 1))
    if sp.issparse(X):
        return sp.csr_array(sp.hstack([ones, X]))
    return np.hstack([ones.astype(object) if X.dtype == object else ones, X])


def signable(X: Matrix) -> Matrix:
    """X in a type that holds the negative of each of its numbers."""
    if X.dtype == object or X.dtype.kind == "f":
        return X
    if float64_holds(X):
        return X.astype(np.float64)
    if sp.issparse(X):  # which holds no objects
        if X.shape[0] * X.shape[1] > MOST_DENSE:
            raise DataError(
                f"X is a sparse matrix of {X.shape[0]}×{X.shape[1]} with integers beyond 2**53, "
                "which are exact in a dense one only: leave out columns, or convert it to float64."
            )
        X = X.toarray()
    return X.astype(object)
