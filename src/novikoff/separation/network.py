"""Fixed effects as a graph: two factors with thousands of levels each, decided without elimination.

Where every row of A has at most two entries ±1 in some columns ("levels"), and these can be given
signs such that the two cancel, a row says u_i − u_j + w·β ≥ 0: an edge from level i to level j. A
row with one level ends in the ground, where u = 0. β are the other columns.

Along a directed cycle the inequalities add up to Σw·β ≥ 0. If that forces β = 0, u is constant on
each strongly connected component, and those edges are on the plane. Edges between components form
no cycle: levels that fall from component to component put all of them strictly off it. α is a
circulation, in whole numbers. What this does not decide is left to the engine.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from novikoff.exact.reading import Reading

__all__ = ["Indices", "Integers", "Network", "network_of"]

Indices: TypeAlias = NDArray[np.intp]
Integers: TypeAlias = NDArray[np.int64]

MOST_OTHERS = 50  # columns that are no levels
LARGEST = 2**40  # of the integers w, so that sums along paths stay below 2⁶³


@dataclass(frozen=True, eq=False)
class Network:
    """The edges of a graph of levels: `start` and `end` (the ground is last), and w of each edge.

    `levels` are the columns that are nodes, `flips` their signs; `others` the columns of w.
    """

    start: Indices
    end: Indices
    w: Integers
    levels: Indices
    flips: NDArray[np.int8]
    others: Indices
    strong: Indices
    weak: Indices

    @property
    def ground(self) -> int:
        """The node of potential 0."""
        return len(self.levels)

    @property
    def on_plane(self) -> NDArray[np.bool_]:
        """The edges within a strongly connected component."""
        return np.asarray(self.strong[self.start] == self.strong[self.end])


def network_of(rows: Any, decimals: bool) -> Network | None:
    """The rows as a graph, if they are one."""
    A = sp.csr_array(rows)
    A.sum_duplicates()
    A.eliminate_zeros()
    is_level = _levels(A)
    if is_level is None:
        return None
    levels, others = np.flatnonzero(is_level), np.flatnonzero(~is_level)
    w = _whole(A, others, decimals)
    ends = _ends(A[:, levels])
    if ends is None:
        return None
    start, end, flips = ends
    size = len(levels) + 1
    graph = sp.csr_array((np.ones(len(start)), (start, end)), shape=(size, size))
    strong = connected_components(graph, directed=True, connection="strong")[1]
    weak = connected_components(graph, directed=False)[1]
    return Network(start, end, w, levels, flips, others, strong, weak)


def _levels(A: Any) -> NDArray[np.bool_] | None:
    """Columns of entries ±1, at most two of them a row; the fullest ones are left out first."""
    by_column = A.tocsc()
    stored = np.diff(by_column.indptr)
    unit = np.ones(A.shape[1], dtype=np.bool_)
    strange = np.repeat(np.arange(A.shape[1]), stored)[np.abs(by_column.data) != 1]
    unit[strange] = False
    entries = sp.csr_array((np.ones(len(A.data), np.int64), A.indices, A.indptr), shape=A.shape)
    while True:
        count = entries @ unit.astype(np.int64)
        if (count <= 2).all():
            break
        crowded = np.unique(entries[count > 2].indices)
        crowded = crowded[unit[crowded]]
        unit[crowded[np.argmax(stored[crowded])]] = False
        if (~unit).sum() > MOST_OTHERS:
            return None
    return unit if unit.any() and (~unit).sum() <= MOST_OTHERS else None


def _whole(A: Any, columns: Indices, decimals: bool) -> Integers:
    """Some columns as integers, each times a factor of its own; long ones are Python's."""
    if len(columns) == 0:
        return np.zeros((A.shape[0], 0), dtype=np.int64)
    reading, chosen = Reading(A, decimals), columns.tolist()
    scaled = reading.whole_floats(slice(None), chosen)
    if scaled is not None and (np.abs(scaled[0]) <= LARGEST).all():
        return scaled[0].astype(np.int64)
    long: Integers = reading.integers(slice(None), chosen)[0]
    return long


def _ends(L: Any) -> tuple[Indices, Indices, NDArray[np.int8]] | None:
    """From where to where each row goes, after flips of columns that make its entries cancel."""
    n, width = L.shape
    ground = width
    count = np.diff(L.indptr)
    at = L.indptr[:-1]
    first = np.full(n, ground)
    second = np.full(n, ground)
    signs = np.ones(n, dtype=np.int8)
    first[count > 0] = L.indices[at[count > 0]]
    signs[count > 0] = np.sign(L.data[at[count > 0]])
    second[count == 2] = L.indices[at[count == 2] + 1]
    other = np.zeros(n, dtype=np.int8)
    other[count == 2] = np.sign(L.data[at[count == 2] + 1])
    flips = _flips(first[count == 2], second[count == 2], (signs * other)[count == 2], width)
    if flips is None:
        return None
    forward = (signs * np.append(flips, 1)[first]) > 0
    return np.where(forward, first, second), np.where(forward, second, first), flips


def _flips(first: Indices, second: Indices, product: Any, width: int) -> NDArray[np.int8] | None:
    """Signs f with f_i f_j = −product for each pair: by two copies of every node, + and −."""
    same = product < 0  # then the signs of the two columns must be equal
    i = np.concatenate([first, first + width])
    j = np.concatenate(
        [np.where(same, second, second + width), np.where(same, second + width, second)]
    )
    graph = sp.csr_array((np.ones(len(i)), (i, j)), shape=(2 * width, 2 * width))
    label = connected_components(graph, directed=False)[1]
    plus, minus = label[:width], label[width:]
    if (plus == minus).any():
        return None
    # Of the two copies of a component one is chosen: that of its lesser label.
    return np.where(plus < minus, 1, -1).astype(np.int8)
