"""Columns beside the levels of a graph that push all their rows to one side: rare dummies, mostly.

If no entry of such a column is negative and some are positive, its coefficient alone can be raised
as far as one likes. The rows with an entry are off the plane and leave, and without them other
columns may be one-signed. What is left says nothing of these coefficients, nor they of it: whatever
it does, they can be raised enough.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novikoff.progress import in_time
from novikoff.separation.finding import Estimate
from novikoff.separation.network import Indices, Integers, Network, components
from novikoff.separation.pins import Idle

__all__ = ["OneSigned", "take_out"]


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

    def weights(self, network: Network, potentials: Integers) -> dict[int, int]:
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

    def estimate(self, at: int, network: Network, unseen: Idle, kept: Indices) -> Estimate:
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

    def _on_cycle(self, network: Network, more: Indices, some: Indices) -> bool:
        """Whether one of `some` rows lies on a cycle of the rows that stay and `more`."""
        rows = np.concatenate([self.stays, more])
        strong, _ = components(network.start[rows], network.end[rows], network.size)
        return bool((strong[network.start[some]] == strong[network.end[some]]).any())


def _moved(network: Network, rows: Indices, unseen: Idle, kept: Indices) -> NDArray[np.bool_]:
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
