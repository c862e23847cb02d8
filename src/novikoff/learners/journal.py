"""What a run writes down as it goes: which rows it erred on, when, and with what score.

A journal without room records nothing and costs nothing; a run pauses before one that has room
could overflow, so that a run of any length needs no more memory than its reader wants to keep.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.accumulator import exact_score
from novikoff.rows import Floats, Rows

__all__ = ["Journal", "has_room", "journal_of", "record"]


class Journal(NamedTuple):
    """Mistakes in the order they were made; `size[0]` of them are filled in."""

    rounds: NDArray[np.int64]
    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    size: NDArray[np.int64]


def journal_of(capacity: int) -> Journal:
    """An empty journal for up to `capacity` mistakes; 0 records nothing."""
    return Journal(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity),
        np.zeros(1, np.int64),
    )


@kernel
def has_room(journal: Journal, n: int) -> bool:
    """Whether n more mistakes fit (always, if nothing is recorded)."""
    capacity = len(journal.rounds)
    return capacity == 0 or journal.size[0] + n <= capacity


@kernel
def record(journal: Journal, round_: int, i: int, rows: Rows, w: Floats) -> None:
    """Write down the mistake on row i, before the weights learn from it."""
    at = journal.size[0]
    journal.rounds[at] = round_
    journal.rows[at] = i
    journal.scores[at] = exact_score(rows, i, w)
    journal.size[0] = at + 1
