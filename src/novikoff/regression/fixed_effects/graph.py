"""Fixed effects as a graph: two factors with thousands of levels each, decided without elimination.

Where every row of A has at most two entries ±1 in some columns ("levels"), and these can be given
signs such that the two cancel, a row says u_i − u_j + w·β ≥ 0: an edge from level i to level j. A
row with one level ends in the ground, where u = 0. β are the other columns. A constant among them
is no β: it is how far the ground of one factor, its base level, lies above that of the other.

Along a directed cycle the inequalities add up to Σw·β ≥ 0. If that forces β = 0, u is constant on
each strongly connected component, and those edges are on the plane. Edges between components form
no cycle: levels that fall from component to component put all of them strictly off it. α is a
circulation, in whole numbers. Columns that push all their rows to one side leave with them before
(`one_signed`). What this does not decide is left to the engine.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from novikoff.core import sparse as sp
from novikoff.exact.reading import ExactMatrix

Indices: TypeAlias = NDArray[np.intp]
Integers: TypeAlias = NDArray[np.int64]

MOST_OTHERS = 50  # columns that are no levels
LARGEST = 2**40  # of the integers w, so that sums along paths stay below 2⁶³


@dataclass(frozen=True, eq=False)
class LevelGraph:
    """The edges of a graph of levels: `start` and `end`, nodes below `size`, and w of each edge.

    A column j of A that is a level is `flips[j]` times the potential of the node `head[j]` above
    that of `tail[j]`; `head` is −1 for those in w, which are `others`, each times one of `factors`.
    """

    start: Indices
    end: Indices
    w: Integers
    head: Indices
    tail: Indices
    flips: NDArray[np.int8]
    others: Indices
    factors: tuple[Fraction, ...]
    size: int
    strong: Indices
    weak: Indices

    @property
    def on_plane(self) -> NDArray[np.bool_]:
        """The edges within a strongly connected component."""
        return np.asarray(self.strong[self.start] == self.strong[self.end])

    def part(self, rows: Indices, places: Indices) -> "LevelGraph":
        """The graph with some of the edges, and some of the `others` by their places there."""
        start, end = self.start[rows], self.end[rows]
        strong, weak = components(start, end, self.size)
        return replace(
            self,
            start=start,
            end=end,
            w=self.w[np.ix_(rows, places)],
            others=self.others[places],
            factors=tuple(self.factors[k] for k in places),
            strong=strong,
            weak=weak,
        )


def components(start: Indices, end: Indices, size: int) -> tuple[Indices, Indices]:
    """The strongly connected component of each node, and the part that hangs together."""
    graph = sp.csr_array((np.ones(len(start)), (start, end)), shape=(size, size))
    strong = connected_components(graph, directed=True, connection="strong")[1]
    return strong, connected_components(graph, directed=False)[1]


def network_of(rows: Any, decimals: bool) -> LevelGraph | None:
    """The rows as a graph, if they are one."""
    A = sp.csr_of(rows).copy()  # CSR made of CSR shares its arrays
    A.sum_duplicates()
    A.eliminate_zeros()
    is_level = _levels(A)
    if is_level is None:
        return None
    levels, others = np.flatnonzero(is_level), np.flatnonzero(~is_level)
    found = _EdgeLevels.of(A[:, levels])
    if found is None:
        return None
    head, tail = np.full(A.shape[1], -1), np.full(A.shape[1], -1)
    flips = np.ones(A.shape[1], dtype=np.int8)
    ground = len(levels)
    head[levels], tail[levels], flips[levels] = np.arange(ground), ground, found.flips
    start, end, size = *found.edges(), ground + 1
    for j in others.tolist():
        sides = found.sides(A[:, [j]].toarray().ravel())
        if sides is not None:
            above = ground + 1
            start, end, size = *found.edges_between(A[:, [j]].toarray().ravel(), sides), above + 1
            head[j], tail[j] = above, ground
            tail[levels] = np.where(sides > 0, above, ground)
            others = others[others != j]
            break
    strong, weak = components(start, end, size)
    w, factors = _whole(A, others, decimals)
    return LevelGraph(start, end, w, head, tail, flips, others, factors, size, strong, weak)


def _levels(A: Any) -> NDArray[np.bool_] | None:
    """Columns of entries ±1, at most two of them a row; what is in most crowded rows goes first.

    A dummy that is rarer than the levels is in no rows but those, and goes before levels as full.
    """
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
        inside = np.bincount(entries[count > 2].indices, minlength=A.shape[1]) * unit
        most = np.flatnonzero(inside == inside.max())
        unit[most[np.argmin(stored[most])]] = False
        if (~unit).sum() > MOST_OTHERS:
            return None
    return unit if unit.any() and (~unit).sum() <= MOST_OTHERS else None


def _whole(A: Any, columns: Indices, decimals: bool) -> tuple[Integers, tuple[Fraction, ...]]:
    """Some columns as integers, each times a factor of its own; long ones are Python's."""
    if len(columns) == 0:
        return np.zeros((A.shape[0], 0), dtype=np.int64), ()
    reading, chosen = ExactMatrix(A, decimals), columns.tolist()
    scaled = reading.whole_floats(slice(None), chosen)
    if scaled is not None and (np.abs(scaled[0]) <= LARGEST).all():
        return scaled[0].astype(np.int64), tuple(Fraction(factor) for factor in scaled[1])
    long, factors = reading.integers(slice(None), chosen)
    return long, tuple(Fraction(factor) for factor in factors)


@dataclass(frozen=True, eq=False)
class _EdgeLevels:
    """The levels of each row, `first` and `second` (their count: none there), and its signs.

    `signs` are those of the first entry after the flips of columns that make two entries cancel.
    """

    first: Indices
    second: Indices
    signs: NDArray[np.int8]
    flips: NDArray[np.int8]

    @classmethod
    def of(cls, L: Any) -> "_EdgeLevels | None":
        n, width = L.shape
        count, at = np.diff(L.indptr), L.indptr[:-1]
        first, second = np.full(n, width), np.full(n, width)
        signs, other = np.ones(n, dtype=np.int8), np.zeros(n, dtype=np.int8)
        some, two = count > 0, count == 2
        first[some], second[two] = L.indices[at[some]], L.indices[at[two] + 1]
        signs[some], other[two] = np.sign(L.data[at[some]]), np.sign(L.data[at[two] + 1])
        flips = _flips(first[two], second[two], (signs * other)[two], width)
        if flips is None:
            return None
        return cls(first, second, signs * np.append(flips, np.int8(1))[first], flips)

    def edges(self) -> tuple[Indices, Indices]:
        """From where to where each row goes; a row with one level ends in the ground."""
        forward = self.signs > 0
        return (
            np.where(forward, self.first, self.second),
            np.where(forward, self.second, self.first),
        )

    def sides(self, constant: NDArray[np.float64]) -> NDArray[np.int8] | None:
        """Which levels have the sign of a column of ±1 in every row, and which the opposite one.

        None if the column is not of that kind, or a level has both signs.
        """
        width = len(self.flips)
        if (np.abs(constant) != 1).any():
            return None
        same = (self.signs * constant).astype(np.int8)
        sides = np.ones(width + 1, dtype=np.int8)
        sides[self.first], sides[self.second] = same, -same
        agree = (self.first == width) | (sides[self.first] == same)
        agree &= (self.second == width) | (sides[self.second] == -same)
        return sides[:width] if agree.all() else None

    def edges_between(
        self, constant: NDArray[np.float64], sides: NDArray[np.int8]
    ) -> tuple[Indices, Indices]:
        """The edges with a second ground for the levels of the other side, `constant` above it.

        That is the base level of a factor: a constant and all levels but one are all levels.
        """
        ground = len(self.flips)
        of = np.append(sides, np.int8(0))
        upper, lower = np.full(len(self.first), ground + 1), np.full(len(self.first), ground)
        for ends in (self.first, self.second):
            upper, lower = np.where(of[ends] > 0, ends, upper), np.where(of[ends] < 0, ends, lower)
        forward = constant > 0
        return np.where(forward, upper, lower), np.where(forward, lower, upper)


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
