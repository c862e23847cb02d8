"""What a sentence about one column needs to know of it, wherever its rows are."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from novikoff import sparse as sp
from novikoff.far import Far, Part, over_parts
from novikoff.regressions.codes import ABSENT

if TYPE_CHECKING:
    from novikoff.separation.separation import Regression

__all__ = ["ColumnFacts", "column_facts"]


class ColumnFacts(NamedTuple):
    """How many entries are not 0, whether all are 0 or 1, and whether none is negative."""

    nonzero: int
    is_dummy: bool
    is_nonnegative: bool


def column_facts(regression: "Regression", j: int, *, everywhere: bool = False) -> ColumnFacts:
    """The facts about column j, in rows that are present or in all."""
    X = regression.X
    if isinstance(X, Far):
        y = X.y
    else:
        y = np.full(X.shape[0], ABSENT, dtype=np.int8)
        y[regression.outcome.present] = 1
    parts = over_parts(X, y, _facts_of_part, j, everywhere)
    return ColumnFacts(
        sum(part.nonzero for part in parts),
        all(part.is_dummy for part in parts),
        all(part.is_nonnegative for part in parts),
    )


def _facts_of_part(part: Part, j: int, everywhere: bool) -> ColumnFacts:
    column = part.X[:, [j]]
    values = (column.toarray() if sp.issparse(column) else column).ravel()
    values = values if everywhere else values[part.y != ABSENT]
    return ColumnFacts(
        int(np.count_nonzero(values)),
        bool(np.isin(values, (0, 1)).all()),
        bool((values >= 0).all()),
    )
