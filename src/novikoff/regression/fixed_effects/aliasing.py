"""Choose the aliased columns of a fixed-effects design: of each dependency the last, as R does.

No row sees a shift of all nodes of a component, nor the `idle` vectors: values β of the columns w
with potentials u = Tβ that cancel them in every row. As in R, the last column of a dependency goes.
So columns are looked at from the last one. A level ties its node's component to that of its tail:
the first that does is set aside, and fixes the shift of one relative to the other. Any other column
is set aside if what is idle is not 0 there and was not used up before.

A column is then what it was, less what is not seen: a sum over potentials of few nodes.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import numpy as np

from novikoff.core.progress import in_time
from novikoff.exact.rational import primitive
from novikoff.regression.fixed_effects.graph import Indices, LevelGraph
from novikoff.regression.fixed_effects.solve import null_of, potentials_of_tree

Sum: TypeAlias = dict[int, Fraction]  # Σ aᵢuᵢ, by the nodes i
Shares: TypeAlias = tuple[Fraction, ...]


class NullDirections:
    """Null directions of the design that are not shifts of a component, as integer vectors."""

    def __init__(self, network: LevelGraph):
        tree = potentials_of_tree(network)
        found = null_of(tree[network.start] - tree[network.end] + network.w)
        vectors = [[int(value) for value in primitive(vector)] for vector in found]
        self.size, self.rank = len(vectors), len(network.others) - len(vectors)
        self.nodes: Any = np.zeros((network.size, 0), dtype=object)
        if vectors:
            self.nodes = tree.astype(object) @ np.array(vectors, dtype=object).T
        # Columns that are no part of the network are 0 in it.
        self.others = dict.fromkeys(range(len(network.head)), (Fraction(0),) * self.size)
        for k, j in enumerate(network.others):
            self.others[int(j)] = tuple(Fraction(vector[k]) for vector in vectors)

    def between(self, head: int, tail: int) -> Shares:
        """The vectors at one node, less what they are at another."""
        return tuple(Fraction(int(x)) for x in self.nodes[head] - self.nodes[tail])


@dataclass(frozen=True)
class _Tie:
    """The shift of a component above that of `parent`: `idle` times what is idle, plus `terms`."""

    parent: int
    idle: Shares
    terms: Sum


class AliasedColumns:
    """The columns that are set aside, and what the others then are.

    `labels` are the components of the nodes: parts that hang together, or that move as one.
    """

    def __init__(self, network: LevelGraph, idle: NullDirections, labels: Indices):
        self.network, self.idle, self.labels = network, idle, labels
        self.columns: set[int] = set()
        # What a sum is over, beside the column's own node.
        self.nodes = set(np.unique(network.tail[network.tail >= 0]).tolist())
        self._ties: dict[int, _Tie] = {}
        self._pins: list[int] = []
        reduced: list[Shares] = []
        for j in in_time(range(len(network.head) - 1, -1, -1)):
            if self._ties_two(j) or self._is_left(j, reduced):
                self.columns.add(j)
                self.nodes |= {int(network.head[j])} - {-1}
        self._solved: dict[Shares, list[tuple[int, Fraction]]] = {}
        self._inverse = _inverse([self.seen(j) for j in self._pins])

    def _ties_two(self, j: int) -> bool:
        """Whether the column ties two components that were not; then it does."""
        head, tail = int(self.network.head[j]), int(self.network.tail[j])
        if head < 0:
            return False
        upper, lower = self._above_root(head), self._above_root(tail)
        if upper.parent == lower.parent:
            return False
        idle = tuple(
            b - a - c
            for a, b, c in zip(upper.idle, lower.idle, self.idle.between(head, tail), strict=True)
        )
        terms = _added(
            _added({head: Fraction(1), tail: Fraction(-1)}, upper.terms, -1), lower.terms
        )
        self._ties[upper.parent] = _Tie(lower.parent, idle, terms)
        return True

    def _above_root(self, node: int) -> _Tie:
        """How far a node's component is shifted above the root of all it is tied to."""
        root, idle, terms = int(self.labels[node]), (Fraction(0),) * self.idle.size, Sum()
        while root in self._ties:
            tie = self._ties[root]
            idle = tuple(a + b for a, b in zip(idle, tie.idle, strict=True))
            root, terms = tie.parent, _added(terms, tie.terms)
        return _Tie(root, idle, terms)

    def seen(self, j: int) -> Shares:
        """What the idle vectors are in column j, with all ties kept."""
        head, tail = int(self.network.head[j]), int(self.network.tail[j])
        if head < 0:
            return self.idle.others[j]
        upper, lower = self._above_root(head), self._above_root(tail)
        between = self.idle.between(head, tail)
        return tuple(a + b - c for a, b, c in zip(between, upper.idle, lower.idle, strict=True))

    def _is_left(self, j: int, reduced: list[Shares]) -> bool:
        """Whether something idle is left in the column; then it is used up there."""
        if len(self._pins) == self.idle.size:
            return False
        left = self.seen(j)
        for known in reduced:
            lead = next(k for k, value in enumerate(known) if value)
            factor = left[lead] / known[lead]
            left = tuple(a - factor * b for a, b in zip(left, known, strict=True))
        if any(left):
            reduced.append(left)
            self._pins.append(j)
        return any(left)

    def _tied(self, j: int) -> Sum:
        """The column over the potentials, with all ties kept; its flip is left out."""
        head, tail = int(self.network.head[j]), int(self.network.tail[j])
        if head < 0:
            return {}
        terms = _added({head: Fraction(1), tail: Fraction(-1)}, self._above_root(head).terms, -1)
        return _added(terms, self._above_root(tail).terms)

    def sum_of(self, j: int) -> Sum:
        """The coefficient of a column that is not set aside, as a sum over potentials."""
        terms = self._tied(j)
        for pin, share in self._shares(self.seen(j)):
            terms = _added(terms, self._tied(pin), -share)
        return {node: int(self.network.flips[j]) * value for node, value in terms.items()}

    def _shares(self, seen: Shares) -> list[tuple[int, Fraction]]:
        """How much of each pin has to be taken off, so that the pins are 0."""
        if seen not in self._solved:
            shares = (
                sum((a * b for a, b in zip(seen, column, strict=True)), Fraction(0))
                for column in zip(*self._inverse, strict=True)
            )
            paired = zip(self._pins, shares, strict=True)
            self._solved[seen] = [(pin, share) for pin, share in paired if share]
        return self._solved[seen]


def _added(terms: Sum, others: Sum, factor: Fraction | int = 1) -> Sum:
    total = dict(terms)
    for node, value in others.items():
        total[node] = total.get(node, Fraction(0)) + factor * value
    return {node: value for node, value in total.items() if value}


def _inverse(rows: list[Shares]) -> list[list[Fraction]]:
    if not rows:
        return []
    table = [[flint.fmpq(x.numerator, x.denominator) for x in row] for row in rows]
    inverse = flint.fmpq_mat(table).inv().table()
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in inverse]
