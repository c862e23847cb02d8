"""Shares of conflicts, and the errors they prove: exact, and by counting alone.

A row's limit is what it counts. In a leaf of a tree, a row taken to be right has no limit, and one
taken to be wrong has the limit 0 and is counted as an error; rows equal to it go with it.

Rows are fixed to be right where a plane wrong on one of them has too many errors: the shares of the
conflicts without the row stay as they are, and the row itself counts what it counts.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from novikoff.verdicts.fewest import (
    Conflict,
    Fixed,
    Leaf,
    Split,
    Tree,
    common_divisor,
    round_up,
)

__all__ = ["ShareError", "least_errors"]


class ShareError(Exception):
    """Shares that prove nothing, and why."""


def least_errors(
    conflicts: Sequence[Conflict],
    tree: Tree | None,
    row_weights: Sequence[Fraction],
    equal_rows: Callable[[int], Iterable[int]],
) -> Fraction:
    """What the conflicts with their shares, or the tree, prove every plane's errors to count.

    `equal_rows` names the rows that are the same point with the same label, the row included.
    """
    unit = common_divisor(row_weights)
    if tree is None:
        tree = tuple((j, conflict.share) for j, conflict in enumerate(conflicts))
    waiting: list[tuple[Tree, dict[int, bool]]] = [(tree, {})]
    bounds = []
    while waiting:
        node, taken = waiting.pop()
        if isinstance(node, Split):
            same = _untaken(equal_rows, node.row, taken)
            waiting.append((node.right, taken | dict.fromkeys(same, True)))
            waiting.append((node.wrong, taken | dict.fromkeys(same, False)))
        elif isinstance(node, Fixed):
            total, loads = _total(node.shares, conflicts, row_weights, taken)
            right = dict(taken)
            for row in node.rows:
                same = _untaken(equal_rows, row, right)
                spare = sum(row_weights[i] - loads.get(i, Fraction(0)) for i in same)
                bounds.append(round_up(total + spare, unit))
                right |= dict.fromkeys(same, True)
            waiting.append((node.then, right))
        else:
            bounds.append(round_up(_total(node, conflicts, row_weights, taken)[0], unit))
    return min(bounds)


def _untaken(
    equal_rows: Callable[[int], Iterable[int]], row: int, taken: dict[int, bool]
) -> list[int]:
    """The rows equal to one that was not yet taken to be right or wrong."""
    if row in taken:
        raise ShareError(f"row {row} is split twice on one way of the tree.")
    return list(equal_rows(row))


def _total(
    shares: Iterable[tuple[int, Fraction]] | Leaf,
    conflicts: Sequence[Conflict],
    row_weights: Sequence[Fraction],
    taken: dict[int, bool],
) -> tuple[Fraction, dict[int, Fraction]]:
    """The sum of the shares and of the rows taken to be wrong, and what each row bears.

    No row may exceed its limit.
    """
    loads: dict[int, Fraction] = {}
    total = sum((row_weights[row] for row, right in taken.items() if not right), Fraction(0))
    for j, share in shares:
        total += share
        for row in conflicts[j].rows:
            loads[row] = loads.get(row, Fraction(0)) + share
    for row, load in loads.items():
        is_right = taken.get(row)
        limit = Fraction(0) if is_right is False else row_weights[row]
        if load > limit and not is_right:
            raise ShareError(
                f"the shares of the conflicts with row {row} add up to {load}, above {limit}."
            )
    return total, loads
