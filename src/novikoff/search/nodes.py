"""The tree of cases: which rows are taken to be right or wrong, and what that proves."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from novikoff.rows import Floats
from novikoff.search.covering import Rows

__all__ = ["ALMOST", "Fixing", "Instance", "Node"]

ALMOST = 1e-6


class Instance(NamedTuple):
    """Rows that differ, with weights, in coordinates that floating point likes.

    `U` has rows of length 1 (or 0) in a basis of the span of the rows yᵢx̂ᵢ; errors are multiples of
    `unit`, if that is not 0.
    """

    U: Floats
    weights: Floats
    unit: float
    widest: int  # rows of a conflict at most

    def rounded_up(self, value: float) -> float:
        """The least total of weights that is not below `value`, as far as one can tell."""
        if self.unit <= ALMOST or math.isinf(value):
            return value
        return self.unit * math.ceil(value / self.unit - ALMOST)


class Fixing(NamedTuple):
    """Rows that no better plane gets wrong: these shares leave no room for one that does."""

    rows: frozenset[int]
    shares: dict[Rows, float]


@dataclass(eq=False)
class Node:
    """Hyperplanes that are right on some rows and wrong on others, and what they are bound to.

    `fixings` came one after the other: the shares of each, and those of the node, may load the rows
    of the earlier ones without a limit.
    """

    right: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()
    bound: float = 0.0
    shares: dict[Rows, float] = field(default_factory=dict)
    fixings: list[Fixing] = field(default_factory=list)
    floor: float = 0.0  # the bound of the node above
    x: Floats | None = None  # a fractional cover, once the node was looked at
    row: int | None = None
    children: tuple["Node", "Node"] | None = None  # right on `row`, wrong on it

    @property
    def all_right(self) -> frozenset[int]:
        """The rows taken to be right, and those that are fixed."""
        return self.right.union(*(fixing.rows for fixing in self.fixings))

    @property
    def best_bound(self) -> float:
        """What the node or all nodes below it prove."""
        if self.children is None:
            return self.bound
        return max(self.bound, min(child.best_bound for child in self.children))

    def leaves(self) -> list["Node"]:
        """The leaves below, or the node itself."""
        if self.children is None:
            return [self]
        return [leaf for child in self.children for leaf in child.leaves()]

    def all_nodes(self) -> list["Node"]:
        """The node and all nodes below it."""
        below = self.children or ()
        return [self, *(node for child in below for node in child.all_nodes())]

    def all_shares(self) -> list[dict[Rows, float]]:
        """The shares that the node rests on: those of its fixings, and its own."""
        return [*(fixing.shares for fixing in self.fixings), self.shares]

    def split(self, row: int) -> None:
        """Tell apart the planes that are right on the row and those that are wrong on it."""
        one, right, floor = frozenset((row,)), self.all_right, max(self.floor, self.bound)
        kept = Node(right | one, self.wrong, self.bound, dict(self.shares), floor=floor)
        # A share of a conflict with `row` cannot be kept where `row` is wrong.
        gone = Node(right, self.wrong | one, floor=floor)
        self.row, self.children = row, (kept, gone)
