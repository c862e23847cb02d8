"""The rows of a model over data that lives elsewhere: made where the data is, in every pass.

Every part of the data gives the rows of A that speak of it, in their order. So A is a matrix whose
rows live elsewhere too, and whatever takes such a matrix can be asked about a regression.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.errors import DataError
from novikoff.far import Far, Indices, Part
from novikoff.problem import check_names
from novikoff.regressions.codes import ABSENT, BOTH, MINUS, PLUS
from novikoff.regressions.model import Model
from novikoff.regressions.question import Question, coefficient_names, signable, with_constant
from novikoff.regressions.rows import both_signs

__all__ = ["FarModelRows", "ask_elsewhere", "rows_a_code"]

T = TypeVar("T")


class Recipe(NamedTuple):
    """How a part of the data becomes rows of A; `columns` are those that are kept, if not all."""

    intercept: bool
    columns: tuple[int, ...] | None

    def part(self, given: Part) -> Part:
        """The rows of A that speak of these rows of the data."""
        X = signable(given.X)
        if X.dtype == object:
            raise DataError(
                "float64 cannot hold the numbers of X, and they are not at hand: convert them, or "
                "compute() the data if it fits in memory."
            )
        X = with_constant(X) if self.intercept else X
        present = np.flatnonzero(given.y != ABSENT)
        codes = given.y[present]
        made = both_signs(X, present, codes >= PLUS, (codes == MINUS) | (codes == BOTH)).matrix
        if self.columns is not None:
            some = made[:, list(self.columns)]
            made = sp.csr_array(some) if sp.issparse(some) else np.ascontiguousarray(some)
        return Part(made, np.ones(made.shape[0], dtype=np.int8))


class FarModelRows(Far):
    """A of a model, over `data` whose bytes are codes of the rows. All of its own are +1.

    `first` says of each row of A which row of the data it speaks of.
    """

    def __init__(self, data: Far, recipe: Recipe) -> None:
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

    def columns(self, kept: tuple[int, ...]) -> "FarModelRows":
        """The same rows in some of their columns."""
        return FarModelRows(self.data, self.recipe._replace(columns=kept))

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
        """The matrices of the parts that have rows, one after the other, at hand."""
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

    def __init__(self, recipe: Recipe, task: Callable[[Part, Any], Any]) -> None:
        self.recipe, self.task = recipe, task

    def __call__(self, part: Part, carried: Any) -> Any:
        made = self.recipe.part(part)
        return self.task(made, carried) if made.X.shape[0] else carried


def _on_model_rows(part: Part, recipe: Recipe, task: Callable[..., T], *args: Any) -> T | None:
    made = recipe.part(part)
    return task(made, *args) if made.X.shape[0] else None


def rows_a_code(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    """How many rows of A each code stands for."""
    return np.abs(codes)


def ask_elsewhere(model: Model, data: Far) -> Question:
    """The rows of the model, where `data` lives; its bytes are the codes of the rows."""
    names = check_names(coefficient_names(model), len(coefficient_names(model)))
    rows = FarModelRows(data, Recipe(model.intercept, None))
    alone = np.broadcast_to(np.intp(-1), rows.first.shape)
    return Question(model, len(data.y), rows, model.decimals, names, rows.first, alone)
