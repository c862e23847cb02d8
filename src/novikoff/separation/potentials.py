"""The whole answer for a graph of levels: which rows are on the plane, α, and falling levels."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

from novikoff.progress import in_time
from novikoff.separation.circulation import circulation
from novikoff.separation.network import Indices, Integers, Network

__all__ = ["Decided", "decide_by_cycles", "potentials_of_tree"]


@dataclass(frozen=True, eq=False)
class Decided:
    """Rows on the plane, α on rows that span them, and a potential for every node."""

    on_plane: NDArray[np.bool_]
    rows: Indices
    alpha: tuple[Fraction, ...]
    potentials: Integers


def decide_by_cycles(network: Network, rank: int) -> Decided | None:
    """The whole answer, if cycles force β = 0 up to what no row sees: `rank` is what rows see."""
    flow = circulation(network, rank)
    if flow is None:
        return None
    rows = np.flatnonzero([value != 0 for value in flow])
    alpha = tuple(flow[row] for row in rows.tolist())
    return Decided(network.on_plane, rows, alpha, _falling_potentials(network))


def potentials_of_tree(network: Network) -> Integers:
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


def _falling_potentials(network: Network) -> Integers:
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
