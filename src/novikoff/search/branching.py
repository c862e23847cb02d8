"""The tree of rows taken to be right or wrong, for what the root's shares leave open.

In rounds: the leaves with the least bounds, a worker each, and when all are done everybody hears
what was found. A worker bounds its leaf, and names the row to split on if that was not enough.
"""

import numpy as np

from novikoff.search.hitting import Search
from novikoff.search.nodes import Node
from novikoff.search.worker import Worker

__all__ = ["grow"]

CANDIDATES = 8  # rows tried before one is chosen to split on


def grow(search: Search, most_leaves: int) -> None:
    """Split the worst leaves until all are closed, the tree is large enough, or time is up."""
    stuck: set[Node] = set()
    while not search.late:
        leaves = search.root.leaves()
        waiting = [leaf for leaf in leaves if leaf not in stuck and not search.is_closed(leaf)]
        waiting.sort(key=lambda leaf: max(leaf.bound, leaf.floor))
        chosen = waiting[: len(search.workers)]
        if not chosen:
            return
        room = most_leaves - len(leaves)
        may_split = [k < room for k in range(len(chosen))]
        rows = list(
            search.together(
                lambda worker, node, may: _work_on(search, worker, node, may_split=may),
                search.workers,
                chosen,
                may_split,
            )
        )
        for leaf, row in zip(chosen, rows, strict=True):
            if row is not None:
                leaf.split(row)
            else:
                stuck.add(leaf)
        search.share()
        search.tell(search.instance.rounded_up(search.lower), search.upper)


def _work_on(search: Search, worker: Worker, node: Node, *, may_split: bool) -> int | None:
    """Bound a node; the row to split it on if it is still open and may be split."""
    if node.x is None:
        search.bound(node, [worker])
    if search.late or not may_split or search.is_closed(node):
        return None
    return _row_to_split(search, worker, node)


def _row_to_split(search: Search, worker: Worker, node: Node) -> int | None:
    """The row that raises the bounds of both cases most, of some that the cover cannot decide."""
    assert node.x is not None
    x, unit, best, best_score = node.x, search.instance.unit, None, -1.0
    free = np.flatnonzero((x > 1e-4) & (x < 1.0 - 1e-4))
    if len(free) == 0:
        free = np.array(
            [row for row in np.flatnonzero(x > 1e-4).tolist() if row not in node.wrong], np.intp
        )
    right = node.all_right
    for row in free[np.argsort(np.abs(x[free] - 0.6), kind="stable")][:CANDIDATES].tolist():
        gains = []
        for cases in ((right | {row}, node.wrong), (right, node.wrong | {row})):
            worker.cover.fix(*cases)
            value = worker.cover.value_after_some_pivots(search.seconds_left)
            gains.append(max(min(value, search.upper) - node.bound, 1e-3 * unit))
        score = gains[0] * gains[1]
        if score > best_score:
            best, best_score = row, score
    return best
