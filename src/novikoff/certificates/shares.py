"""Shares of conflicts, and the errors they prove: exact, and by counting alone.

A row's limit is what it counts. In a leaf of a tree, a row taken to be right has no limit, and one
taken to be wrong has the limit 0 and is counted as an error; rows equal to it go with it.

Fixed rows are splits one after the other, whose leaf where the row is wrong is the shares of all
conflicts without it.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from novikoff.certificates.conflicts import (
    Conflict,
    Fixed,
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
    unit, weights = common_divisor(row_weights), row_weights
    rows_of = [frozenset(conflict.rows) for conflict in conflicts]
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
            right, is_fit = dict(taken), _overload(node.shares, conflicts, weights, taken) is None
            for row in node.rows:
                same = _untaken(equal_rows, row, right)
                case = right | dict.fromkeys(same, False)
                rest = [(j, s) for j, s in node.shares if not same & rows_of[j]]
                # Shares that fit also fit without some of them.
                bounds.append(round_up(_total(rest, conflicts, weights, case, is_fit), unit))
                right |= dict.fromkeys(same, True)
            waiting.append((node.then, right))
        else:
            bounds.append(round_up(_total(node, conflicts, weights, taken), unit))
    return min(bounds)


def _untaken(
    equal_rows: Callable[[int], Iterable[int]], row: int, taken: dict[int, bool]
) -> set[int]:
    """The rows equal to one that was not yet taken to be right or wrong."""
    if row in taken:
        raise ShareError(f"row {row} is split twice on one way of the tree.")
    return set(equal_rows(row))


def _total(
    shares: Iterable[tuple[int, Fraction]],
    conflicts: Sequence[Conflict],
    row_weights: Sequence[Fraction],
    taken: dict[int, bool],
    is_fit: bool = False,
) -> Fraction:
    """The sum of the shares and of the rows taken to be wrong, if no row exceeds its limit."""
    shares = list(shares)
    reason = None if is_fit else _overload(shares, conflicts, row_weights, taken)
    if reason is not None:
        raise ShareError(reason)
    wrong = sum((row_weights[row] for row, right in taken.items() if not right), Fraction(0))
    return wrong + sum((share for _, share in shares), Fraction(0))


def _overload(
    shares: Iterable[tuple[int, Fraction]],
    conflicts: Sequence[Conflict],
    row_weights: Sequence[Fraction],
    taken: dict[int, bool],
) -> str | None:
    """Which row bears more than its limit; None if none does."""
    loads: dict[int, Fraction] = {}
    for j, share in shares:
        for row in conflicts[j].rows:
            loads[row] = loads.get(row, Fraction(0)) + share
    for row, load in loads.items():
        is_right = taken.get(row)
        limit = Fraction(0) if is_right is False else row_weights[row]
        if load > limit and not is_right:
            return f"the shares of the conflicts with row {row} add up to {load}, above {limit}."
    return None
