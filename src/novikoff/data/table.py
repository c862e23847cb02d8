"""`Table`: the numbers, labels and names that a reader returns, and how they were made."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.data.factors import base_levels
from novikoff.data.features import FeatureRecipe
from novikoff.data.source import list_names
from novikoff.errors import LabelError
from novikoff.matrix.problem import Matrix, Problem


@dataclass(frozen=True)
class Table:
    """Labelled data, ready for `separate`, `trace` and every classifier.

    `X` is float64, n × d (CSR from svmlight); `y` the labels as the file has them; `classes` the
    labels in order, of two the positive one last. `decimals` says that the numbers stand for the
    decimals that were written. `rows` are the rows of the file that stayed, or None for all of
    them, of `file_rows`; `left_out` are the columns of the file that are not used. `notes` say what
    was done, a sentence each; `recipe` how to do it again.

    Examples
    --------
    >>> import novikoff
    >>> table = novikoff.load_dataset("toy")
    >>> table.X.shape, table.names, table.signs.tolist()
    ((6, 2), ('x1', 'x2'), [1, 1, 1, -1, -1, -1])
    """

    X: Matrix
    y: NDArray[Any]
    names: tuple[str, ...]
    label: str
    classes: tuple[Any, ...]
    source: str
    recipe: FeatureRecipe
    decimals: bool = False
    fit_intercept: bool = True
    weights: NDArray[np.float64] | None = None
    rows: NDArray[np.int64] | None = None
    file_rows: int = 0
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """How many examples."""
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        """How many features."""
        return int(self.X.shape[1])

    @property
    def signs(self) -> NDArray[np.int8]:
        """The labels as −1 and +1; an error unless there are two classes."""
        if len(self.classes) != 2:
            raise LabelError(
                f"{self.source}: column {self.label!r} has {len(self.classes)} classes "
                f"({list_names([str(label) for label in self.classes])}) but two are needed: set "
                "one against the rest (positive, --positive), or keep two (classes, --classes a,b)."
            )
        return np.where(self.y == self.classes[1], 1, -1).astype(np.int8)

    @property
    def turned(self) -> bool:
        """Whether the class that is +1 is the lesser of two: classifiers would take the greater."""
        return len(self.classes) == 2 and self.classes[0] > self.classes[1]

    @property
    def targets(self) -> NDArray[Any]:
        """What a classifier is to learn: the labels, or −1 and +1 if these are turned round."""
        return self.signs if self.turned else self.y

    def as_in_file(self, problem: Problem) -> Problem:
        """`problem`, made of this data, with the labels, row numbers and levels of the file."""
        return replace(
            problem,
            classes=(self.classes[0], self.classes[1]),
            row_numbers=self.rows,
            bases=base_levels(self.names, self.recipe.levels),
        )

    def part(self, rows: NDArray[np.intp]) -> "Table":
        """Some of the rows."""
        return replace(
            self,
            X=self.X[rows],
            y=self.y[rows],
            weights=None if self.weights is None else self.weights[rows],
            rows=rows if self.rows is None else self.rows[rows],
        )

    def __str__(self) -> str:
        lines = [f"{self.source}: {self.n} × {self.d}, label {self.label!r}", *self.notes]
        return "\n".join(lines)
