"""Columns that push all their rows to one side, taken out one after the other.

If no entry of column j of A (rows yᵢx̂ᵢ) is negative and some are positive, a weight on j alone has
Aw ≥ 0 and puts the rows with an entry strictly off the plane. Those rows are settled and leave, and
without them other columns may be one-sided. Designs full of rare levels, and texts full of rare
words, lose most of their columns so, in a time proportional to what is stored.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import seconds_in_force
from novikoff.matrix.rows import Floats


class OneSided(NamedTuple):
    """The columns that were taken out, in order, and for each row which of them settled it.

    `settled` is the place in `columns`, −1 for rows that stay.
    """

    columns: NDArray[np.int64]
    signs: NDArray[np.int8]
    settled: NDArray[np.int64]


def one_sided(A: Any) -> OneSided:
    """Take one-sided columns out of the CSR matrix `A` until none is left."""
    by_column = A.tocsc()
    starts, indices = by_column.indptr, by_column.indices
    seconds = seconds_in_force()
    return OneSided(
        *_core.take_out_one_sided(A.indptr, A.indices, A.data, starts, indices, seconds)
    )


def with_one_sided(A: Any, taken: OneSided, w: Floats) -> Floats:
    """`w` with weights on the columns that were taken out, each large enough for its own rows.

    A column's rows have no entry in those taken out before, so the last one is weighed first.
    """
    w = w.copy()
    by_column = A.tocsc()
    # Only the rows that were settled need a score, and each needs one when its column's turn comes.
    for at in range(len(taken.columns) - 1, -1, -1):
        j = taken.columns[at]
        part = slice(by_column.indptr[j], by_column.indptr[j + 1])
        rows, entries = by_column.indices[part], np.abs(by_column.data[part])
        of_this_column = taken.settled[rows] == at
        scores = A[rows[of_this_column]] @ w
        needed = (1.0 + np.maximum(0.0, -scores)) / entries[of_this_column]
        w[j] = taken.signs[at] * 2.0 ** np.ceil(np.log2(needed.max()))
    return w
