"""Build the rows A of a regression: its estimate fails to exist if some δ has Aδ ≥ 0, Aδ ≠ 0.

A has the rows of the model, in the order that docs/certificates.md states, and a column for each
coefficient. The coefficients' names are those of the columns; a multinomial model has them once for
each class but the first, and an ordinal one has its thresholds before them.

For data that is not in memory, the rows are made where the data is, in every pass.

Every part of the data gives the rows of A that speak of it, in their order. So A is a
`RemoteMatrix` as well, and whatever takes one can be asked about a regression.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import (
    COUNTS,
    ORDERED,
    SUMMED,
    TWO_CLASSES,
    Name,
    Outcome,
    RegressionModel,
)
from novikoff.certificates.models.pairs import (
    conditional_pairs,
    cox_pairs,
    differences,
    true_differences,
)
from novikoff.certificates.models.rows import (
    ABSENT,
    BOTH,
    MINUS,
    PLUS,
    ModelRows,
    binary,
    binomial,
    both_signs,
    counts,
    multinomial,
    ordinal,
)
from novikoff.core import sparse as sp
from novikoff.errors import DataError
from novikoff.matrix.problem import Matrix, Problem, check_names, float64_holds
from novikoff.matrix.remote import Indices, Part, RemoteMatrix

INTERCEPT = "(intercept)"
MOST_DENSE = 1 << 24  # numbers of a sparse matrix that is made dense for its long integers

Builder: TypeAlias = Callable[[Matrix, Outcome, RegressionModel], ModelRows]
# Rows, and a factor for each column or None.
Made: TypeAlias = tuple[Matrix, tuple[Any, ...] | None]
BUILDERS: dict[Name, Builder] = {
    **dict.fromkeys(TWO_CLASSES, binary),
    "binomial": binomial,
    **dict.fromkeys(COUNTS, counts),
    "multinomial": multinomial,
    **dict.fromkeys(ORDERED, ordinal),
}


@dataclass(frozen=True, eq=False)
class RegressionRows:
    """The rows A of a model, one of whose columns each coefficient is.

    `first` says which row of the data each row of A speaks of, and `second` which other one, or −1.
    The columns of `rows` are those of A times `factors`, where these are not None; both are `made`
    when they are asked for. `decimals` says that the numbers of `rows` stand for the decimals they
    print as.
    """

    model: RegressionModel
    n: int
    made: Callable[[], Made]
    decimals: bool
    names: tuple[str, ...]
    first: NDArray[np.intp]
    second: NDArray[np.intp]

    @cached_property
    def _made(self) -> "Made":
        return self.made()

    @property
    def rows(self) -> Matrix:
        """The rows, each column times its factor."""
        return self._made[0]

    @property
    def factors(self) -> tuple[Any, ...] | None:
        """A factor for each column, or None if all are 1."""
        return self._made[1]

    def with_rows(self, rows: Matrix) -> "RegressionRows":
        """The question of other rows in the place of these."""
        return replace(self, made=lambda: (rows, self.factors))

    @cached_property
    def problem(self) -> Problem:
        """A as the engine takes it: rows that should all be on the positive side of a plane."""
        matrix = true_differences(self.rows, self.factors)
        signs = np.ones(matrix.shape[0], dtype=np.int8)
        return Problem(matrix, signs, False, self.names, (-1, 1))


def build_rows(model: RegressionModel, X: Matrix, outcome: Outcome) -> RegressionRows:
    """The rows of the model for the matrix X, which has the model's features as its columns."""
    X = signable(X)
    X = with_constant(X) if model.intercept else X
    names = check_names(coefficient_names(model), len(coefficient_names(model)))
    if model.name in BUILDERS:
        found = BUILDERS[model.name](X, outcome, model)
        made = partial(_whole, found.matrix, found.factors)
        decimals = model.decimals and model.name not in SUMMED
        return RegressionRows(model, outcome.n, made, decimals, names, found.first, found.second)
    pairs = (conditional_pairs if model.name == "conditional" else cox_pairs)(outcome, model)
    # What is absent does not say how the columns are written.
    present = outcome.present
    place = np.cumsum(np.bincount(present, minlength=outcome.n)) - 1
    among = (place[pairs[0]], place[pairs[1]])
    made = partial(differences, X[present], model.decimals, among)
    return RegressionRows(model, outcome.n, made, False, names, *pairs)


def _whole(rows: Matrix, factors: tuple[Any, ...] | None = None) -> Made:
    return rows, factors


def without_rows(model: RegressionModel, outcome: Outcome) -> RegressionRows:
    """The question of a model whose rows could not be made in time."""
    names, nowhere = coefficient_names(model), np.empty(0, np.intp)
    made = partial(_whole, np.empty((0, len(names))))
    return RegressionRows(model, outcome.n, made, model.decimals, names, nowhere, nowhere)


def coefficient_names(model: RegressionModel) -> tuple[str, ...]:
    """The names of the coefficients, in the order of A's columns."""
    columns = (INTERCEPT, *model.features) if model.intercept else model.features
    if model.name == "multinomial":
        return tuple(f"{level}: {name}" for level in model.levels[1:] for name in columns)
    if model.name in ORDERED:
        steps = zip(model.levels, model.levels[1:], strict=False)
        return (*(f"{below}/{above}" for below, above in steps), *columns)
    return tuple(columns)


def coefficient_count(model: RegressionModel) -> int:
    """How many coefficients the model has."""
    steps, columns = len(model.levels) - 1, model.intercept + len(model.features)
    if model.name == "multinomial":
        return steps * columns
    return columns + steps if model.name in ORDERED else columns


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


T = TypeVar("T")


class RowRecipe(NamedTuple):
    """How a part of the data becomes rows of A; `columns` are those that are kept, if not all."""

    intercept: bool
    columns: tuple[int, ...] | None

    def part(self, given: Part) -> Part:
        """The rows of A that speak of these rows of the data."""
        X = signable(given.X)
        if X.dtype == object:
            raise DataError(
                "float64 cannot hold the numbers of X, and X is not in memory: convert them, or "
                "compute() the data if it fits."
            )
        X = with_constant(X) if self.intercept else X
        present = np.flatnonzero(given.y != ABSENT)
        codes = given.y[present]
        made = both_signs(X, present, codes >= PLUS, (codes == MINUS) | (codes == BOTH)).matrix
        if self.columns is not None:
            some = made[:, list(self.columns)]
            made = sp.csr_array(some) if sp.issparse(some) else np.ascontiguousarray(some)
        return Part(made, np.ones(made.shape[0], dtype=np.int8))


class RemoteModelRows(RemoteMatrix):
    """A of a model, over `data` whose bytes are codes of the rows. All of its own are +1.

    `first` says of each row of A which row of the data it speaks of.
    """

    def __init__(self, data: RemoteMatrix, recipe: RowRecipe) -> None:
        super().__init__()
        self.data, self.recipe = data, recipe
        counts = rows_a_code(data.y)
        self.first: NDArray[np.intp] = np.repeat(np.arange(len(data.y)), counts)
        ends = [*data.offsets.tolist(), len(data.y)]
        starts = np.searchsorted(self.first, ends)
        self._has_rows = np.diff(starts) > 0
        self.offsets = starts[:-1][self._has_rows].astype(np.int64)
        self.is_sparse = data.is_sparse
        d = data.shape[1] + recipe.intercept
        self.shape = (len(self.first), d if recipe.columns is None else len(recipe.columns))
        self.y = np.ones(self.shape[0], dtype=np.int8)
        is_float = data.dtype.kind == "f" and not recipe.intercept
        self.dtype = data.dtype if is_float else np.dtype(np.float64)

    def columns(self, kept: tuple[int, ...]) -> "RemoteModelRows":
        """These rows with some of their columns."""
        return RemoteModelRows(self.data, self.recipe._replace(columns=kept))

    def over_parts(self, task: Callable[..., T], *args: Any) -> list[T]:
        """`task(part, *args)` for each part that has rows."""
        found: list[Any] = self.data.over_parts(_on_model_rows, self.recipe, task, *args)
        self.rows_a_second = self.data.rows_a_second
        return [answer for answer, here in zip(found, self._has_rows, strict=True) if here]

    def fetch(self, rows: Indices) -> Any:
        """These rows, made of the rows of the data that they speak of."""
        where = self.first[rows]
        wanted, place = np.unique(where, return_inverse=True)
        codes = self.data.y[wanted]
        made = self.recipe.part(Part(self.data.fetch(wanted), codes)).X
        starts = np.concatenate([[0], np.cumsum(rows_a_code(codes))])
        # Of a pair, x is the first and −x the second.
        is_second = (rows > 0) & (self.first[rows - 1] == where)
        return made[starts[place] + is_second]

    def blocks(self) -> Iterator[Any]:
        """The matrices of the parts that have rows, one after the other, in memory."""
        firsts = self.data.offsets.tolist()
        for first, X in zip(firsts, self.data.blocks(), strict=True):
            made = self.recipe.part(Part(X, self.data.y[first : first + X.shape[0]])).X
            if made.shape[0]:
                yield made

    def new_hash(self) -> Any:
        """An empty SHA-256 that can go where the rows are."""
        return self.data.new_hash()

    def walk(self, task: Callable[[Part, T], T], carried: T) -> T:
        """`carried = task(part, carried)` for each part in order, where it is."""
        return self.data.walk(_Walked(self.recipe, task), carried)


class _Walked:
    """A task of a walk, on rows of A."""

    def __init__(self, recipe: RowRecipe, task: Callable[[Part, Any], Any]) -> None:
        self.recipe, self.task = recipe, task

    def __call__(self, part: Part, carried: Any) -> Any:
        made = self.recipe.part(part)
        return self.task(made, carried) if made.X.shape[0] else carried


def _on_model_rows(part: Part, recipe: RowRecipe, task: Callable[..., T], *args: Any) -> T | None:
    made = recipe.part(part)
    return task(made, *args) if made.X.shape[0] else None


def rows_a_code(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """How many rows of A each code stands for."""
    return np.abs(codes)


def build_remote_rows(model: RegressionModel, data: RemoteMatrix) -> RegressionRows:
    """The rows of the model, where `data` lives; its bytes are the codes of the rows."""
    names = check_names(coefficient_names(model), len(coefficient_names(model)))
    rows = RemoteModelRows(data, RowRecipe(model.intercept, None))
    alone = np.broadcast_to(np.intp(-1), rows.first.shape)
    return RegressionRows(
        model, len(data.y), partial(_whole, rows), model.decimals, names, rows.first, alone
    )
