"""The sign of each infinite coefficient of a fixed-effects design, from potentials on its graph.

A direction of recession is a potential for each strongly connected component that falls along every
edge between two (weakly). With the columns of `AliasedColumns` at 0, a coefficient is a sum Σ aᵢuᵢ
over few components. It is never negative exactly if every set of components that has all above it,
too, has a sum ≥ 0; of these, the sets that few components with aᵢ < 0 generate are enough.

One-signed columns beside the levels (rare dummies, mostly) are taken out first.

If no entry of such a column is negative and some are positive, its coefficient alone can be raised
as far as one likes. The rows with an entry are off the plane and leave, and without them other
columns may be one-signed. What is left says nothing of these coefficients, nor they of it: whatever
it does, they can be raised enough.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

from novikoff.core.progress import in_time
from novikoff.regression.estimates import Estimate
from novikoff.regression.fixed_effects.aliasing import AliasedColumns, NullDirections, Sum
from novikoff.regression.fixed_effects.graph import Indices, Integers, LevelGraph, components


@dataclass(frozen=True, eq=False)
class OneSigned:
    """The columns that were taken out, in order, by their places in w, and their signs.

    `settled` says for each row which of them took it out, by its place among them; −1: it stays.
    """

    places: tuple[int, ...]
    signs: tuple[int, ...]
    settled: Indices

    @property
    def stays(self) -> Indices:
        """The rows that are left."""
        return np.flatnonzero(self.settled < 0)

    @property
    def left(self) -> Indices:
        """The rows that were taken out."""
        return np.flatnonzero(self.settled >= 0)

    def weights(self, network: LevelGraph, potentials: Integers) -> dict[int, int]:
        """Weights of these columns of w that put every row taken out strictly off the plane.

        A column's rows have no entry in those taken out before, so the last one is weighed first.
        """
        rows = self.left
        scores = (potentials[network.start[rows]] - potentials[network.end[rows]]).astype(object)
        found = {}
        for at in range(len(self.places) - 1, -1, -1):
            entries = network.w[rows, self.places[at]].astype(object)
            own = self.settled[rows] == at
            # The least whole numbers with score + |entry| · number ≥ 1.
            needed = -((scores[own] - 1) // np.abs(entries[own]))
            found[self.places[at]] = self.signs[at] * max(1, *needed.tolist())
            scores = scores + found[self.places[at]] * entries
        return found

    def estimate(
        self, at: int, network: LevelGraph, unseen: NullDirections, kept: Indices
    ) -> Estimate:
        """Whether the coefficient can go the other way, too: if its rows lie on no cycle.

        Rows that the other columns take out without this one do not hold it back. `unseen` is what
        the rows that stay do not see of their columns, whose places in w are `kept`.
        """
        place, rows = self.places[at], self.left
        w = network.w[rows]
        again = take_out(w, [k for k in self.places if k != place])
        pushed = w[:, place] != 0
        open_rows = again.settled < 0
        if not self._on_cycle(network, rows[open_rows], rows[open_rows & pushed]):
            return Estimate.NOT_DETERMINED
        # Some cycle forbids it, unless coefficients that are free make up for that.
        free = [k for k in self.places if k != place and k not in again.places]
        sure = open_rows & (w[:, free] == 0).all(axis=1)
        sure &= ~_moved(network, rows, unseen, kept)
        if not self._on_cycle(network, rows[sure], rows[sure & pushed]):
            return Estimate.UNDECIDED
        return Estimate.PLUS_INFINITY if self.signs[at] > 0 else Estimate.MINUS_INFINITY

    def _on_cycle(self, network: LevelGraph, more: Indices, some: Indices) -> bool:
        """Whether one of `some` rows lies on a cycle of the rows that stay and `more`."""
        rows = np.concatenate([self.stays, more])
        strong, _ = components(network.start[rows], network.end[rows], network.size)
        return bool((strong[network.start[some]] == strong[network.end[some]]).any())


def _moved(
    network: LevelGraph, rows: Indices, unseen: NullDirections, kept: Indices
) -> NDArray[np.bool_]:
    """Which rows see something of what the rows that stay do not."""
    moved = np.zeros(len(rows), dtype=np.bool_)
    for k in range(unseen.size):
        beta = np.array([int(unseen.others[int(j)][k]) for j in network.others[kept]], dtype=object)
        scores = unseen.nodes[network.start[rows], k] - unseen.nodes[network.end[rows], k]
        moved |= scores + network.w[np.ix_(rows, kept)].astype(object) @ beta != 0
    return moved


def take_out(w: Integers, among: list[int]) -> OneSigned:
    """Take one-signed columns of w out, with their rows, until none `among` these is left."""
    settled = np.full(len(w), -1, dtype=np.intp)
    signs: dict[int, int] = {}
    found = True
    while found:
        found = False
        for k in in_time(among):
            if k in signs:
                continue
            rows = np.flatnonzero((w[:, k] != 0) & (settled < 0))
            above = w[rows, k] > 0
            if len(rows) and (above.all() or not above.any()):
                settled[rows] = len(signs)
                signs[k] = 1 if above[0] else -1
                found = True
    return OneSigned(tuple(signs), tuple(signs.values()), settled)


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

    def __init__(self, network: LevelGraph, pins: AliasedColumns, unseen: NullDirections):
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
