"""Fixed effects of thousands of levels: the finding of the graph that they are."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

from novikoff.regressions.question import Question
from novikoff.separation.aliases import primitive
from novikoff.separation.finding import Estimate, Finding
from novikoff.separation.network import Network, network_of
from novikoff.separation.potentials import Decided, decide_by_cycles

if TYPE_CHECKING:
    from novikoff.verdicts.verdict import Word

__all__ = ["fixed_effects"]


def fixed_effects(question: Question) -> Finding | None:
    """The finding for rows that are a graph of levels; None if they are not, or it cannot tell."""
    network = network_of(question.rows, question.decimals)
    found = None if network is None else decide_by_cycles(network)
    if network is None or found is None:
        return None
    anchors = _Anchors(network, found, question.rows.shape[1])
    moved = ~found.on_plane
    word: Word = "overlapping" if not moved.any() else "touching"
    if not found.on_plane.any():
        word = "separable"
    rows, alpha = found.rows, found.alpha
    if len(rows) == 0 and word != "separable":
        # Only rows of zeros are on the plane, and each of them is a proof of that by itself.
        rows, alpha = np.flatnonzero(found.on_plane)[:1], (Fraction(1),)
    return Finding(
        word=word,
        estimates=anchors.estimates(),
        direction=anchors.direction(found.potentials),
        on_plane=np.flatnonzero(found.on_plane),
        rows=rows,
        multipliers=lambda: alpha,
        estimable=anchors.estimable(),
    )


class _Anchors:
    """Which levels are 0: the ground, and in every part of the graph a column that is aliased.

    Columns are looked at from the last one. A level is aliased if it is the last one of a part that
    has no ground, or if what no row sees (`idle`) is not 0 there and was not used up before.
    """

    def __init__(self, network: Network, found: Decided, p: int):
        self.network, self.p = network, p
        self.node = np.full(p, -1)
        self.node[network.levels] = np.arange(len(network.levels))
        self.at = {int(network.weak[network.ground]): network.ground}
        self.aliased: set[int] = set()
        self.loose = False
        idle = [[int(value) for value in primitive(vector)] for vector in found.idle]
        along: Any = found.tree.astype(object) @ np.array(idle, dtype=object).T if idle else None
        others = {int(j): k for k, j in enumerate(network.others)}
        picked: list[list[Fraction]] = []
        for j in range(p - 1, -1, -1):
            v = int(self.node[j])
            if v >= 0 and int(network.weak[v]) not in self.at:
                self.at[int(network.weak[v])] = v
                self.aliased.add(j)
            elif len(picked) < len(idle):
                if v >= 0:
                    seen = along[v] - along[self.at[int(network.weak[v])]]
                else:
                    seen = [vector[others[j]] for vector in idle]
                if _joins(picked, [Fraction(int(value)) for value in seen]):
                    self.aliased.add(j)
                    self.loose |= v >= 0 and not self._is_fixed(v)

    def _is_fixed(self, v: int) -> bool:
        """Whether a level moves with one that is 0."""
        strong, weak = self.network.strong, self.network.weak
        return bool(strong[v] == strong[self.at[int(weak[v])]])

    def estimates(self) -> tuple[Estimate, ...]:
        """What becomes of each coefficient: who falls from a fixed level, and who falls to one."""
        network = self.network
        fixed = np.unique(network.strong[list(self.at.values())])
        below = self._reached(network.start, network.end, fixed)
        above = self._reached(network.end, network.start, fixed)
        found = [Estimate.FINITE] * self.p
        for j in range(self.p):
            v = int(self.node[j])
            if j in self.aliased:
                found[j] = Estimate.ALIASED
            elif self.loose:
                found[j] = Estimate.UNDECIDED
            elif v >= 0 and network.strong[v] not in fixed:
                sign = int(network.flips[v]) * (int(above[v]) - int(below[v]))
                found[j] = {
                    1: Estimate.PLUS_INFINITY,
                    -1: Estimate.MINUS_INFINITY,
                    0: Estimate.NOT_DETERMINED,
                }[sign]
        return tuple(found)

    def _reached(self, tail: Any, head: Any, fixed: Any) -> NDArray[np.bool_]:
        """The nodes to which a path leads from a component of `fixed`."""
        strong = self.network.strong
        count = int(strong.max()) + 1
        i = np.concatenate([strong[tail], np.full(len(fixed), count)])
        j = np.concatenate([strong[head], fixed])
        graph = sp.csr_array((np.ones(len(i)), (i, j)), shape=(count + 1, count + 1))
        order = breadth_first_order(graph, count, return_predecessors=False)
        reached = np.zeros(count + 1, dtype=np.bool_)
        reached[order] = True
        return np.asarray(reached[:count][strong])

    def direction(self, potentials: Any) -> tuple[Fraction, ...]:
        """Falling potentials as coefficients, 0 at the fixed levels."""
        network = self.network
        direction = [Fraction(0)] * self.p
        for v, j in enumerate(network.levels.tolist()):
            fall = int(potentials[v] - potentials[self.at[int(network.weak[v])]])
            direction[j] = Fraction(int(network.flips[v]) * fall)
        return primitive(direction) if any(direction) else tuple(direction)

    def estimable(self) -> tuple[int, ...]:
        """The columns of the limiting model: of every part that moves as a whole, all but one."""
        network = self.network
        fixed = set(network.strong[list(self.at.values())].tolist())
        kept = []
        for j in range(self.p - 1, -1, -1):
            v = int(self.node[j])
            if j in self.aliased:
                continue
            if v >= 0 and int(network.strong[v]) not in fixed:
                fixed.add(int(network.strong[v]))
                continue
            kept.append(j)
        return tuple(reversed(kept))


def _joins(picked: list[list[Fraction]], vector: list[Fraction]) -> bool:
    """Whether the vector is independent of those picked; then it is one of them, reduced."""
    for known in picked:
        lead = next(k for k, value in enumerate(known) if value)
        factor = vector[lead] / known[lead]
        vector = [a - factor * b for a, b in zip(vector, known, strict=True)]
    if not any(vector):
        return False
    picked.append(vector)
    return True
