"""Which columns of a graph of levels are set aside, so that nothing is left that no row sees.

No row sees a shift of all levels of a component (but that of the ground, which is 0), nor the
`idle` vectors: values β of the columns w with levels u = Tβ that cancel them in every row. As in R,
the last column of a dependency goes. So columns are looked at from the last one: a level is `at` 0
if it is the first one met of its component, and any column is if what is idle is not 0 there and
was not used up by those before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from novikoff.separation.aliases import primitive
from novikoff.separation.network import Indices, Network
from novikoff.separation.potentials import Decided

__all__ = ["Idle", "Pin", "Pins"]


class Idle:
    """What no row sees, beside shifts: a vector a value of `columns`, in the levels and in w."""

    def __init__(self, network: Network, found: Decided, p: int):
        self.node = np.full(p, -1)
        self.node[network.levels] = np.arange(len(network.levels))
        vectors = [[int(value) for value in primitive(vector)] for vector in found.idle]
        self.size = len(vectors)
        self.levels: Any = None
        if vectors:
            self.levels = found.tree.astype(object) @ np.array(vectors, dtype=object).T
        self.others = {
            int(j): [vector[k] for vector in vectors] for k, j in enumerate(network.others)
        }

    def seen(self, j: int, at: int) -> list[int]:
        """The idle vectors in column j, shifted so that the level `at` is 0."""
        if not self.size:
            return []
        v = int(self.node[j])
        return self.others[j] if v < 0 else [int(x) for x in self.levels[v] - self.levels[at]]


@dataclass(frozen=True)
class Pin:
    """A column that is 0 because of the idle vectors: its node (−1: none) and what they are there.

    `reduced` is that without what earlier pins used up.
    """

    node: int
    seen: list[int]
    reduced: list[Fraction]


class Pins:
    """The columns that are 0: `at` has a node for each component, `idle` one for each idle vector.

    `labels` are the components of the nodes: parts that hang together, or that move as one.
    """

    def __init__(self, network: Network, idle: Idle, labels: Indices):
        self.labels, self.idle = labels, idle
        self.at = {int(labels[network.ground]): network.ground}
        self.columns: set[int] = set()
        self.pins: list[Pin] = []
        for j in range(len(idle.node) - 1, -1, -1):
            v = int(idle.node[j])
            if v >= 0 and int(labels[v]) not in self.at:
                self.at[int(labels[v])] = v
                self.columns.add(j)
            elif len(self.pins) < idle.size:
                self._pin(j, v)
        self.inverse = _inverse([pin.seen for pin in self.pins])
        self._shares: dict[tuple[int, ...], list[Fraction]] = {}  # columns of a factor share them

    def _pin(self, j: int, v: int) -> None:
        """Pin the column if something idle is left there."""
        seen = self.idle.seen(j, self.root(v))
        reduced = [Fraction(value) for value in seen]
        for known in (pin.reduced for pin in self.pins):
            lead = next(k for k, value in enumerate(known) if value)
            factor = reduced[lead] / known[lead]
            reduced = [a - factor * b for a, b in zip(reduced, known, strict=True)]
        if any(reduced):
            self.pins.append(Pin(v, seen, reduced))
            self.columns.add(j)

    def root(self, v: int) -> int:
        """The node of v's component that is 0; of no node, none."""
        return self.at[int(self.labels[v])] if v >= 0 else -1

    def shares(self, j: int) -> list[Fraction]:
        """How much of each pin's value is taken from column j, so that the pins are 0."""
        seen = tuple(self.idle.seen(j, self.root(int(self.idle.node[j]))))
        if seen not in self._shares:
            columns = zip(*self.inverse, strict=True)
            self._shares[seen] = [
                sum((a * b for a, b in zip(seen, column, strict=True)), Fraction(0))
                for column in columns
            ]
        return self._shares[seen]


def _inverse(rows: Sequence[list[int]]) -> list[list[Fraction]]:
    if not rows:
        return []
    inverse = flint.fmpq_mat(flint.fmpz_mat(list(rows))).inv().table()
    return [[Fraction(int(x.p), int(x.q)) for x in row] for row in inverse]
