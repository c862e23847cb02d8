"""Columns that push all their rows to one side, taken out one after the other.

If no entry of column j of A (rows yᵢx̂ᵢ) is negative and some are positive, a weight on j alone has
Aw ≥ 0 and puts the rows with an entry strictly off the plane. Those rows are settled and leave, and
without them other columns may be one-sided. Designs full of rare levels, and texts full of rare
words, lose most of their columns so, in a time proportional to what is stored.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.matrix.rows import Floats

__all__ = ["OneSided", "one_sided", "with_one_sided"]


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
    columns, signs, settled, count = _take_out(
        A.indptr, A.indices, A.data, by_column.indptr, by_column.indices
    )
    return OneSided(columns[:count], signs[:count], settled)


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


@kernel
def _take_out(
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    data: Floats,
    column_starts: NDArray[np.int32],
    row_indices: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.int64], int]:
    n, p = len(indptr) - 1, len(column_starts) - 1
    positive, negative = np.zeros(p, np.int64), np.zeros(p, np.int64)
    for i in range(n):
        for k in range(indptr[i], indptr[i + 1]):
            if data[k] > 0.0:
                positive[indices[k]] += 1
            elif data[k] < 0.0:
                negative[indices[k]] += 1
    queue, waiting = np.empty(p, np.int64), np.zeros(p, np.bool_)
    head = tail = 0
    for j in range(p):
        if (positive[j] == 0) != (negative[j] == 0):
            queue[tail], waiting[j] = j, True
            tail += 1
    columns, signs = np.empty(p, np.int64), np.empty(p, np.int8)
    settled = np.full(n, -1, np.int64)
    count = 0
    while head < tail:
        j = queue[head]
        head += 1
        if positive[j] == 0 and negative[j] == 0:  # its rows were settled by others meanwhile
            continue
        columns[count], signs[count] = j, 1 if positive[j] > 0 else -1
        for at in range(column_starts[j], column_starts[j + 1]):
            i = row_indices[at]
            if settled[i] >= 0:
                continue
            settled[i] = count
            for k in range(indptr[i], indptr[i + 1]):
                c = indices[k]
                if data[k] > 0.0:
                    positive[c] -= 1
                elif data[k] < 0.0:
                    negative[c] -= 1
                if not waiting[c] and (positive[c] == 0) != (negative[c] == 0):
                    queue[tail], waiting[c] = c, True
                    tail += 1
        count += 1
    return columns, signs, settled, count
