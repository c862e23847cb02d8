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

from novikoff.progress import in_time
from novikoff.separation.finding import Estimate
from novikoff.separation.network import Network
from novikoff.separation.pins import Idle, Pins, Sum

__all__ = ["SignsOfLevels"]

Mask: TypeAlias = NDArray[np.bool_]

SIGNS = {
    (True, False): Estimate.PLUS_INFINITY,
    (False, True): Estimate.MINUS_INFINITY,
    (False, False): Estimate.NOT_DETERMINED,
}


class SignsOfLevels:
    """Which components lead to which, of those that columns set aside are made of and all others.

    Of a part that hangs together, one such component is looked at in a round, of all parts at once.
    """

    def __init__(self, network: Network, pins: Pins, unseen: Idle):
        self.network, self.pins, self.unseen = network, pins, unseen
        strong = network.strong
        self.part = np.zeros(int(strong.max()) + 1, dtype=np.intp)
        self.part[strong] = network.weak
        self.round: dict[int, int] = {}
        rounds: list[dict[int, int]] = []
        for component in sorted({int(strong[node]) for node in pins.nodes}):
            part = int(self.part[component])
            k = next((k for k, taken in enumerate(rounds) if part not in taken), len(rounds))
            if k == len(rounds):
                rounds.append({})
            rounds[k][part] = component
            self.round[component] = k
        self.below = [self._reached(network.start, network.end, taken) for taken in rounds]
        self.above = [self._reached(network.end, network.start, taken) for taken in rounds]

    def _reached(
        self, tail: NDArray[np.intp], head: NDArray[np.intp], taken: dict[int, int]
    ) -> Mask:
        """The components to which a path leads from those that were taken."""
        strong, count = self.network.strong, len(self.part)
        i = np.concatenate([strong[tail], np.full(len(taken), count)])
        j = np.concatenate([strong[head], np.array(sorted(taken.values()), dtype=np.intp)])
        graph = sp.csr_array((np.ones(len(i)), (i, j)), shape=(count + 1, count + 1))
        reached = np.zeros(count + 1, dtype=np.bool_)
        reached[breadth_first_order(graph, count, return_predecessors=False)] = True
        return reached[:count]

    def _leads(self, a: int, b: int) -> bool:
        """Whether a path leads from component a to component b."""
        if a == b:
            return True
        if self.part[a] != self.part[b]:
            return False
        if a in self.round:
            return bool(self.below[self.round[a]][b])
        return bool(self.above[self.round[b]][a])

    def estimate(self, j: int) -> Estimate:
        """What becomes of the coefficient of column j, which is not set aside."""
        by_node = self.pins.sum_of(j)
        if self._is_free(j, by_node):
            return Estimate.NOT_DETERMINED
        terms = _gathered(by_node, self.network.strong)
        if not terms:
            return Estimate.FINITE
        negated = {component: -value for component, value in terms.items()}
        return SIGNS[self._never_negative(terms), self._never_negative(negated)]

    def _is_free(self, j: int, terms: Sum) -> bool:
        """Whether the coefficient is moved by what no row sees: so it is if rows were taken out."""
        if _gathered(terms, self.network.weak):
            return True
        for k, own in enumerate(self.unseen.others[j]):
            if own + sum(value * int(self.unseen.nodes[node, k]) for node, value in terms.items()):
                return True
        return False

    def _never_negative(self, terms: Sum) -> bool:
        """Whether the sum is ≥ 0 for all potentials that fall along the edges."""
        down = [c for c, a in terms.items() if a < 0]
        some = chain.from_iterable(combinations(down, k) for k in range(1, len(down) + 1))
        return all(
            sum(a for c, a in terms.items() if any(self._leads(c, d) for d in chosen)) >= 0
            for chosen in in_time(some)
        )


def _gathered(terms: Sum, labels: NDArray[np.intp]) -> Sum:
    """The sum over the potentials of components, if these are equal within each."""
    total: Sum = {}
    for node, value in terms.items():
        label = int(labels[node])
        total[label] = total.get(label, Fraction(0)) + value
    return {label: value for label, value in total.items() if value}
