"""All sets of wrong rows that count as little as the best one: each of them found, proven.

A known set of groups g₁, …, gₖ parts all others into cases: right on g₁; wrong on g₁ and right on
g₂; and so on. No case has a plane as good, which conflicts prove, or a plane in it is one more set,
which parts the case again.
"""

from collections.abc import Iterable

import numpy as np

from novikoff.proofs.fewest import FewestProof
from novikoff.rows import Floats
from novikoff.search.nodes import Node

__all__ = ["Counting"]

Groups = frozenset[int]


class Counting:
    """The sets of groups that are known to be wrong together, for errors that are the fewest."""

    def __init__(self, proof: FewestProof, known: Iterable[int]) -> None:
        self.proof = proof
        self.sets: list[Groups] = [frozenset(known)]
        self.fewest = proof.best.errors
        self._enough = float((self.fewest + proof.unit) / proof.coordinates.factor)

    def find_all(self, most: int) -> bool:
        """Look for all sets; whether these are all.

        They are not known to be if there are more than `most`, or if time is up.
        """
        waiting = [Node()]
        while waiting:
            if len(self.sets) > most or self.proof.search.late:
                return False
            node = waiting.pop()
            known = next((one for one in self.sets if _is_in(one, node)), None)
            if known is not None:
                waiting += _others(node, known)
                continue
            if self.has_none(node):
                continue
            if self.proof.search.late or node.x is None:
                return False
            if self._look_for_plane(node):
                waiting.append(Node(node.right, node.wrong))
                continue
            row = _undecided(node)
            if row is None:
                return False
            waiting.append(Node(node.right | {row}, node.wrong))
            waiting.append(Node(node.right, node.wrong | {row}))
        return True

    def has_none(self, node: Node) -> bool:
        """Whether all planes of the case have more errors, proven."""
        search = self.proof.search
        search.upper = self._enough
        search.bound(node, search.workers[:1])
        self._hear()
        if not search.is_closed(node):
            return False
        target = self.fewest + self.proof.unit
        return self.proof.proven_bound(node, target) > self.fewest

    def _look_for_plane(self, node: Node) -> bool:
        """Try the rows that the fractional cover points at; whether that brought something new."""
        search = self.proof.search
        assert node.x is not None
        wrong = node.wrong | frozenset(np.flatnonzero(node.x > 0.5).tolist())
        before = (len(self.sets), len(search.pool))
        worker = search.workers[0]
        search.pool.add(worker.harvest(np.zeros(len(node.x)), wrong, lambda: search.late))
        self._hear()
        return before != (len(self.sets), len(search.pool))

    def _hear(self) -> None:
        """Take in what was found on the way: conflicts, and planes that are as good."""
        search = self.proof.search
        planes = [plane for worker in search.workers for plane in worker.separators]
        for worker in search.workers:
            search.pool.add(worker.fresh.clear())
            worker.separators.clear()
        for plane in planes:
            self.take(plane)

    def take(self, plane: Floats) -> bool:
        """Add the groups that a plane has wrong, if it is as good as the best one, and new."""
        exact = self.proof.exact(plane)
        if exact is None or exact.errors != self.fewest:
            return False
        wrong = set(exact.wrong.tolist())
        members = self.proof.groups.members
        groups = frozenset(g for g, rows in enumerate(members) if rows[0] in wrong)
        is_new = groups not in self.sets
        if is_new:
            self.sets.append(groups)
        return is_new


def _is_in(one: Groups, node: Node) -> bool:
    return node.wrong <= one and node.right.isdisjoint(one)


def _others(node: Node, known: Groups) -> list[Node]:
    """The cases of all sets but the known one: right on one of its groups, wrong on the former."""
    cases, wrong = [], node.wrong
    for group in sorted(known - node.wrong):
        cases.append(Node(node.right | {group}, wrong))
        wrong |= {group}
    return cases


def _undecided(node: Node) -> int | None:
    """A row that the cover takes in part, or takes at all."""
    assert node.x is not None
    x = node.x
    free = [g for g in np.flatnonzero(x > 1e-6).tolist() if g not in node.wrong]
    return min(free, key=lambda g: (abs(float(x[g]) - 0.5), g)) if free else None
