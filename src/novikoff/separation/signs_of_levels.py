"""Where each coefficient of a graph of levels goes: the sign of a sum over falling potentials.

A direction of recession is a potential for each strongly connected component that falls along every
edge between two (weakly). With the columns of `Pins` at 0, a coefficient is a sum Σ aᵢuᵢ over few
components. It is never negative exactly if every set of components that has all above it, too,
has a sum ≥ 0; of these, the sets that few components with aᵢ < 0 generate are enough.
"""

from fractions import Fraction
from itertools import chain, combinations
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

from novikoff.separation.finding import Estimate
from novikoff.separation.network import Network
from novikoff.separation.pins import Pins

__all__ = ["SignsOfLevels"]

Sum: TypeAlias = dict[int, Fraction]
Mask: TypeAlias = NDArray[np.bool_]

SIGNS = {
    (True, False): Estimate.PLUS_INFINITY,
    (False, True): Estimate.MINUS_INFINITY,
    (False, False): Estimate.NOT_DETERMINED,
}


class SignsOfLevels:
    """Reachability between the few components that are 0 and all others."""

    def __init__(self, network: Network, pins: Pins):
        self.network, self.pins = network, pins
        strong = network.strong
        self.part = np.zeros(int(strong.max()) + 1, dtype=np.intp)
        self.part[strong] = network.weak
        self.roots = {int(strong[v]) for v in pins.at.values()}
        self.below = self._reached(network.start, network.end, self.roots)
        self.above = self._reached(network.end, network.start, self.roots)
        pinned = {int(strong[pin.node]) for pin in pins.pins if pin.node >= 0}
        self.after = {c: self._reached(network.start, network.end, {c}) for c in pinned}
        self.before = {c: self._reached(network.end, network.start, {c}) for c in pinned}

    def _reached(self, tail: NDArray[np.intp], head: NDArray[np.intp], start: set[int]) -> Mask:
        """The components to which a path leads from those of `start`."""
        strong, count = self.network.strong, len(self.part)
        i = np.concatenate([strong[tail], np.full(len(start), count)])
        j = np.concatenate([strong[head], np.array(sorted(start), dtype=np.intp)])
        graph = sp.csr_array((np.ones(len(i)), (i, j)), shape=(count + 1, count + 1))
        reached = np.zeros(count + 1, dtype=np.bool_)
        reached[breadth_first_order(graph, count, return_predecessors=False)] = True
        return reached[:count]

    def _leads(self, a: int, b: int) -> bool:
        """Whether a path leads from component a to component b, one of which is 0."""
        if a == b:
            return True
        if self.part[a] != self.part[b]:
            return False
        if a in self.roots:
            return bool(self.below[b])
        if b in self.roots:
            return bool(self.above[a])
        return bool(self.after[a][b] if a in self.after else self.before[b][a])

    def estimate(self, j: int) -> Estimate:
        """What becomes of the coefficient of column j, which is not set aside."""
        terms = self._sum(j)
        if not terms:
            return Estimate.FINITE
        negated = {c: -a for c, a in terms.items()}
        return SIGNS[self._never_negative(terms), self._never_negative(negated)]

    def _sum(self, j: int) -> Sum:
        """The coefficient as a sum over the potentials of components."""
        network, pins = self.network, self.pins
        v = int(pins.idle.node[j])
        total: Sum = {}

        def add(node: int, factor: Fraction) -> None:
            if node >= 0:
                for end, sign in ((node, 1), (pins.root(node), -1)):
                    component = int(network.strong[end])
                    total[component] = total.get(component, Fraction(0)) + sign * factor

        sign = Fraction(1 if v < 0 else int(network.flips[v]))
        add(v, sign)
        for pin, share in zip(pins.pins, pins.shares(j), strict=True):
            add(pin.node, -sign * share)
        return {component: value for component, value in total.items() if value}

    def _never_negative(self, terms: Sum) -> bool:
        """Whether the sum is ≥ 0 for all potentials that fall along the edges."""
        down = [c for c, a in terms.items() if a < 0]
        some = chain.from_iterable(combinations(down, k) for k in range(1, len(down) + 1))
        return all(
            sum(a for c, a in terms.items() if any(self._leads(c, d) for d in chosen)) >= 0
            for chosen in some
        )
