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
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order, connected_components

from novikoff.decide import decide
from novikoff.exact.points import Points
from novikoff.exact.reading import Reading
from novikoff.exact.restriction import null_space_of
from novikoff.problem import Problem
from novikoff.separation.aliases import independent_of
from novikoff.verdicts.verdict import Overlapping

__all__ = ["Decided", "Network", "decided", "network_of"]

Indices: TypeAlias = NDArray[np.intp]
Integers: TypeAlias = NDArray[np.int64]

MOST_OTHERS = 50  # columns that are no levels
LARGEST = 2**40  # of the integers w, so that sums along paths stay below 2⁶³
FEW = 4096  # closed walks that are usually enough


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


@dataclass(frozen=True, eq=False)
class Trees:
    """Paths in the strongly connected components: from the root of each, and back to it.

    `out` and `back` are the rows by which a node is reached and left (−1 at a root); `order` lists
    the nodes, each after the ones nearer to its root.
    """

    out: Indices
    back: Indices
    out_order: Indices
    back_order: Indices
    to_out: Integers
    to_back: Integers


def trees_of(network: Network) -> Trees:
    """A tree of paths from the root of each component, and one of paths to it."""
    inside = np.flatnonzero(network.on_plane & (network.start != network.end))
    size, k = network.ground + 1, network.w.shape[1]
    out, out_order, to_out = _tree(network.start, network.end, inside, network, size, k)
    back, back_order, to_back = _tree(network.end, network.start, inside, network, size, k)
    return Trees(out, back, out_order, back_order, to_out, to_back)


def _tree(
    tail: Indices, head: Indices, inside: Indices, network: Network, size: int, k: int
) -> tuple[Indices, Indices, Integers]:
    """Breadth first from the least node of each component at once: roots hang on an extra node."""
    roots = np.unique(network.strong, return_index=True)[1]
    i = np.concatenate([tail[inside], np.full(len(roots), size)])
    j = np.concatenate([head[inside], roots])
    graph = sp.csr_array((np.ones(len(i)), (i, j)), shape=(size + 1, size + 1))
    order, before = breadth_first_order(graph, size, directed=True)
    keys = tail[inside] * (size + 1) + head[inside]
    unique, where = np.unique(keys, return_index=True)
    by = np.full(size, -1, dtype=np.intp)
    order = order[1:]
    hanging = order[before[order] != size]
    wanted = before[hanging] * (size + 1) + hanging
    by[hanging] = inside[where[np.searchsorted(unique, wanted)]]
    sums = np.zeros((size, k), dtype=network.w.dtype)
    if k:
        for node in hanging.tolist():
            sums[node] = sums[before[node]] + network.w[by[node]]
    return by, hanging, sums


@dataclass(frozen=True, eq=False)
class Decided:
    """Rows on the plane, α on rows that span them, and a potential for every node."""

    on_plane: NDArray[np.bool_]
    rows: Indices
    alpha: tuple[Fraction, ...]
    potentials: Integers
    idle: list[Any]
    tree: Integers


def decided(network: Network) -> Decided | None:
    """The whole answer, if cycles force β = 0 up to what no row sees."""
    tree = _potentials_of_tree(network)
    residuals = tree[network.start] - tree[network.end] + network.w
    idle = _null(residuals)
    flow = _circulation(network, len(network.others) - len(idle))
    if flow is None:
        return None
    rows = np.flatnonzero([value != 0 for value in flow])
    alpha = tuple(flow[row] for row in rows.tolist())
    return Decided(network.on_plane, rows, alpha, _falling(network), idle, tree)


def _null(table: Integers) -> list[Any]:
    """The β that a table of integers takes to 0."""
    if table.shape[1] == 0:
        return []
    distinct, _ = _distinct(table)
    return null_space_of(Reading(distinct, False), np.arange(len(distinct)), False)


def _distinct(table: Integers) -> tuple[Any, Indices]:
    """The different rows, as float64 where that holds them, and where each is first."""
    if table.dtype == object:
        return table, np.arange(len(table))
    rows, where = np.unique(table, axis=0, return_index=True)
    return (rows.astype(np.float64) if (np.abs(rows) < 2**53).all() else rows), where


def _potentials_of_tree(network: Network) -> Integers:
    """T with u = Tβ making every edge of a spanning forest 0: the ground's tree is rooted there."""
    size, k = network.ground + 1, network.w.shape[1]
    T = np.zeros((size, k), dtype=network.w.dtype)
    if k == 0:
        return T
    roots = np.unique(network.weak[::-1], return_index=True)[1]
    roots = size - 1 - roots  # the last node of each component: the ground, where it is
    i = np.concatenate([network.start, np.full(len(roots), size)])
    j = np.concatenate([network.end, roots])
    graph = sp.csr_array((np.ones(len(i)), (i, j)), shape=(size + 1, size + 1))
    order, before = breadth_first_order(graph, size, directed=False)
    forward = dict(zip(zip(network.start.tolist(), network.end.tolist(), strict=True),
                       range(len(network.start)), strict=True))  # fmt: skip
    for node in order[1:].tolist():
        parent = int(before[node])
        if parent == size:
            continue
        edge = forward.get((parent, node))
        if edge is not None:  # u_parent − u_node + wβ = 0
            T[node] = T[parent] + network.w[edge]
        else:
            T[node] = T[parent] - network.w[forward[node, parent]]
    return T


def _circulation(network: Network, rank: int) -> list[Fraction] | None:
    """α ≥ 0 with Aᵀα = 0, > 0 on rows that span all rows on the plane; None if β is not forced."""
    trees = trees_of(network)
    inside = np.flatnonzero(network.on_plane)
    closed = (
        trees.to_out[network.start[inside]] + network.w[inside] + trees.to_back[network.end[inside]]
    )
    # Every node once out and back: positive on both trees.
    nodes = np.concatenate([trees.out_order, trees.back_order])
    weight = np.zeros(network.ground + 1, dtype=object)
    weight[:] = 0
    weight[np.unique(nodes)] = 1
    total = (trees.to_out + trees.to_back)[np.unique(nodes)].sum(axis=0)
    walks = _walks_that_cancel(closed, total, rank)
    if walks is None:
        return None
    out, back = weight.copy(), weight.copy()
    flow: list[Any] = [0] * len(network.start)
    for place, times in walks:
        row = int(inside[place])
        flow[row] += times
        out[network.start[row]] += times
        back[network.end[row]] += times
    for order, by, load, towards in (
        (trees.out_order, trees.out, out, network.start),
        (trees.back_order, trees.back, back, network.end),
    ):
        for node in order[::-1].tolist():
            row = int(by[node])
            flow[row] += load[node]
            load[towards[row]] += load[node]
    return [Fraction(value) for value in flow]


def _walks_that_cancel(
    closed: Integers, total: Integers, rank: int
) -> list[tuple[int, Fraction]] | None:
    """Closed walks, each so often (> 0), whose sums of w and `total` cancel, and span all sums."""
    if rank == 0:
        return []
    if len(closed) == 0:
        return None
    for most in (FEW, len(closed)):
        found = _cancelling(closed[:most], total, rank)
        if found is not None or most >= len(closed):
            return found
    return None


def _cancelling(closed: Integers, total: Integers, rank: int) -> list[tuple[int, Fraction]] | None:
    """The same with some of the walks."""
    distinct, place = _distinct(closed)
    null = null_space_of(Reading(distinct, False), np.arange(len(distinct)), False)
    if distinct.shape[1] - len(null) < rank:
        return None
    columns = list(independent_of(null, distinct.shape[1]))
    small = np.ascontiguousarray(distinct[:, columns])
    names = tuple(f"x{j}" for j in columns)
    problem = Problem(small, np.ones(len(small), np.int8), False, names, (-1, 1))
    answer = decide(Points.of(problem))
    if not isinstance(answer, Overlapping):
        return None
    alpha = dict(zip(answer.rows.tolist(), answer.exact_alpha(), strict=True))
    table = {row: [int(x) for x in distinct[row, columns]] for row in alpha}
    basis = [list(alpha)[k] for k in _independent(list(table.values()), rank)]
    matrix = flint.fmpz_mat([table[row] for row in basis]).transpose()
    right = flint.fmpz_mat([[-int(total[j])] for j in columns])
    solved = matrix.solve(right)
    extra = {row: Fraction(int(solved[k, 0].p), int(solved[k, 0].q)) for k, row in enumerate(basis)}
    times = max([Fraction(1), *(1 - extra[row] / alpha[row] for row in basis)])
    return [(int(place[row]), extra.get(row, Fraction(0)) + times * alpha[row]) for row in alpha]


def _independent(vectors: list[list[int]], rank: int) -> list[int]:
    """The first of the vectors that are independent of those before, `rank` in number."""
    transposed = flint.fmpz_mat(vectors).transpose()
    echelon, _, found = transposed.rref()
    chosen, j = [], 0
    for i in range(min(found, rank)):
        while int(echelon[i, j]) == 0:
            j += 1
        chosen.append(j)
    return chosen


def _falling(network: Network) -> Integers:
    """A potential for each node: equal within a component, falling along every other edge."""
    tail, head = network.strong[network.start], network.strong[network.end]
    between = tail != head
    edges = np.unique(np.column_stack([tail[between], head[between]]), axis=0)
    count = int(network.strong.max()) + 1
    waiting = np.bincount(edges[:, 1], minlength=count) if len(edges) else np.zeros(count, np.int64)
    after: dict[int, list[int]] = {}
    for a, b in edges.tolist():
        after.setdefault(a, []).append(b)
    depth = np.zeros(count, dtype=np.int64)
    ready = np.flatnonzero(waiting == 0).tolist()
    while ready:
        node = ready.pop()
        for other in after.get(node, ()):
            depth[other] = max(depth[other], depth[node] + 1)
            waiting[other] -= 1
            if waiting[other] == 0:
                ready.append(other)
    return -depth[network.strong]
