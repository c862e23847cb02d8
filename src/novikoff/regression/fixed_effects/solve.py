"""Decide a fixed-effects design on its graph.

The answer is the rows on the plane, a circulation α as the proof, and a potential that falls along
the other rows.

Every strongly connected component has a tree of paths from its root and one of paths back. To go
out and back once for each node is positive on both trees, which span the component. What this
leaves in the columns w is cancelled by closed walks over single edges, if the sums of w of such
walks cancel at all: a question for the engine, in as many columns as w has.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

from novikoff.core.progress import in_time
from novikoff.exact.points import ExactProblem
from novikoff.exact.projection import null_space_of
from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.problem import Problem
from novikoff.regression.aliases import independent_of
from novikoff.regression.fixed_effects.graph import Indices, Integers, LevelGraph
from novikoff.separability.api import decide
from novikoff.separability.verdicts import Overlapping

FEW = 4096  # closed walks that are usually enough


def null_of(table: Integers) -> list[Any]:
    """The β that a table of integers takes to 0."""
    if 0 in table.shape:  # without rows, any β
        return [
            tuple(Fraction(int(j == k)) for j in range(table.shape[1]))
            for k in range(table.shape[1])
        ]
    distinct, _ = _distinct(table)
    return null_space_of(ExactMatrix(distinct, False), np.arange(len(distinct)), False)


def _distinct(table: Integers) -> tuple[Any, Indices]:
    """The different rows, as float64 where that holds them, and where each is first."""
    if table.dtype == object:
        return table, np.arange(len(table))
    rows, where = np.unique(table, axis=0, return_index=True)
    return (rows.astype(np.float64) if (np.abs(rows) < 2**53).all() else rows), where


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


def _trees_of(network: LevelGraph) -> Trees:
    """A tree of paths from the root of each component, and one of paths to it."""
    inside = np.flatnonzero(network.on_plane & (network.start != network.end))
    size, k = network.size, network.w.shape[1]
    out, out_order, to_out = _tree(network.start, network.end, inside, network, size, k)
    back, back_order, to_back = _tree(network.end, network.start, inside, network, size, k)
    return Trees(out, back, out_order, back_order, to_out, to_back)


def _tree(
    tail: Indices, head: Indices, inside: Indices, network: LevelGraph, size: int, k: int
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
        for node in in_time(hanging.tolist()):
            sums[node] = sums[before[node]] + network.w[by[node]]
    return by, hanging, sums


def circulation(network: LevelGraph, rank: int) -> list[Fraction] | None:
    """α ≥ 0 with Aᵀα = 0, > 0 on rows that span all rows on the plane; None if β is not forced."""
    trees = _trees_of(network)
    inside = np.flatnonzero(network.on_plane)
    closed = (
        trees.to_out[network.start[inside]] + network.w[inside] + trees.to_back[network.end[inside]]
    )
    # Every node once out and back: positive on both trees.
    nodes = np.concatenate([trees.out_order, trees.back_order])
    weight = np.zeros(network.size, dtype=object)
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
        for node in in_time(order[::-1].tolist()):
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
        found = _some_that_cancel(closed[:most], total, rank)
        if found is not None or most >= len(closed):
            return found
    return None


def _some_that_cancel(
    closed: Integers, total: Integers, rank: int
) -> list[tuple[int, Fraction]] | None:
    """`_walks_that_cancel` with some of the walks."""
    distinct, place = _distinct(closed)
    null = null_space_of(ExactMatrix(distinct, False), np.arange(len(distinct)), False)
    if distinct.shape[1] - len(null) < rank:
        return None
    columns = list(independent_of(null, distinct.shape[1]))
    small = np.ascontiguousarray(distinct[:, columns])
    names = tuple(f"x{j}" for j in columns)
    problem = Problem(small, np.ones(len(small), np.int8), False, names, (-1, 1))
    answer = decide(ExactProblem.of(problem))
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


@dataclass(frozen=True, eq=False)
class Decided:
    """Rows on the plane, α on rows that span them, and a potential for every node."""

    on_plane: NDArray[np.bool_]
    rows: Indices
    alpha: tuple[Fraction, ...]
    potentials: Integers


def decide_by_cycles(network: LevelGraph, rank: int) -> Decided | None:
    """The whole answer, if cycles force β = 0 up to what no row sees: `rank` is what rows see."""
    flow = circulation(network, rank)
    if flow is None:
        return None
    rows = np.flatnonzero([value != 0 for value in flow])
    alpha = tuple(flow[row] for row in rows.tolist())
    return Decided(network.on_plane, rows, alpha, _falling_potentials(network))


def potentials_of_tree(network: LevelGraph) -> Integers:
    """T with u = Tβ making every edge of a spanning forest 0."""
    size, k = network.size, network.w.shape[1]
    T = np.zeros((size, k), dtype=network.w.dtype)
    if k == 0:
        return T
    roots = np.unique(network.weak, return_index=True)[1]
    i = np.concatenate([network.start, np.full(len(roots), size)])
    j = np.concatenate([network.end, roots])
    graph = sp.csr_array((np.ones(len(i)), (i, j)), shape=(size + 1, size + 1))
    order, before = breadth_first_order(graph, size, directed=False)
    forward = dict(zip(zip(network.start.tolist(), network.end.tolist(), strict=True),
                       range(len(network.start)), strict=True))  # fmt: skip
    for node in in_time(order[1:].tolist()):
        parent = int(before[node])
        if parent == size:
            continue
        edge = forward.get((parent, node))
        if edge is not None:  # u_parent − u_node + wβ = 0
            T[node] = T[parent] + network.w[edge]
        else:
            T[node] = T[parent] - network.w[forward[node, parent]]
    return T


def _falling_potentials(network: LevelGraph) -> Integers:
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
