"""One byte for each row of the data: which rows of A a regression makes of it.

Only models whose rows speak of one row of the data each have such bytes, and only they can be asked
about data that lives elsewhere; the others compare rows with each other, or make several of one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import LabelError, OptionError
from novikoff.regressions.model import BINARY, COUNTS, Level, Name, numbers_of, refuse
from novikoff.regressions.rows import level_codes

__all__ = ["ABSENT", "BOTH", "MINUS", "PLUS", "Codes", "check_has_codes"]

MINUS = -1  # the row −x: a failure, or nothing counted
ABSENT = 0  # no row: the weight is 0
PLUS = 1  # the row x: a success
BOTH = 2  # x and −x: something was counted

REASONS: dict[Name, str] = {
    "binomial": "its outcome is two numbers a row",
    "multinomial": "its rows compare the class of a row with every other class",
    "ordinal": "its rows have thresholds between classes as columns",
    "conditional": "its rows are pairs of a case and a control",
    "cox": "its rows are pairs of an event and a row at risk",
}


@dataclass(frozen=True)
class Codes:
    """The `Coding` of a model: what its rows are, from the outcome and the weights."""

    name: Name
    levels: tuple[Level, ...]

    def __call__(
        self, y: NDArray[Any], weights: NDArray[np.float64] | None, first_row: int
    ) -> NDArray[np.int8]:
        """The codes of some rows of the data."""
        if self.name in COUNTS:
            rows = range(first_row, first_row + len(y))
            counts = numbers_of(y, "y", rows)
            refuse(counts < 0, "y", counts, "counts are not negative", rows)
            codes = np.where(counts > 0, BOTH, MINUS).astype(np.int8)
        else:
            found = level_codes(y, self.levels)
            codes = np.where(found == 1, PLUS, MINUS).astype(np.int8)
            self._check(y, found, weights, first_row)
        if weights is not None:
            codes[weights == 0] = ABSENT
        return codes

    def _check(
        self,
        y: NDArray[Any],
        found: NDArray[np.intp],
        weights: NDArray[np.float64] | None,
        first_row: int,
    ) -> None:
        strange = found < 0 if weights is None else (found < 0) & (weights > 0)
        if strange.any():
            row = int(np.argmax(strange))
            shown = ", ".join(map(repr, self.levels[:8]))
            raise LabelError(
                f"y is {y[row]!r} in row {first_row + row}; the model's levels are {shown}."
            )


def check_has_codes(name: Name, who: str) -> None:
    """Raise `OptionError` for a model whose rows are not those of the data, and say why."""
    if name in (*BINARY, *COUNTS):
        return
    raise OptionError(
        f"{who} of a {name} model needs all rows at hand, and they are in a scan or in Dask's "
        f"partitions: {REASONS[name]}. {', '.join((*BINARY, *COUNTS))} models are asked about "
        "where their rows are; compute() the data, if it fits in memory, for the others."
    )
