"""What the search rests on, in exact numbers: shares, rows fixed by them, and trees of cases."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from novikoff.certificates.conflicts import Fixed, Leaf, Split, Tree, round_up
from novikoff.proofs.conflicts import Conflicts, ProvenConflict, pack_shares
from novikoff.proofs.copies import Registry, deal_out
from novikoff.search.covering import Rows
from novikoff.search.instance import Groups
from novikoff.search.nodes import Node

__all__ = ["Proven", "ShareTree"]


class Case(NamedTuple):
    """Groups of rows taken to be right, and to be wrong."""

    right: frozenset[int]
    wrong: frozenset[int]


class Packed(NamedTuple):
    """Exact shares in a case, the errors that they prove, and what each group bears."""

    leaf: Leaf
    errors: Fraction
    loads: dict[int, Fraction]


class Proven(NamedTuple):
    """A tree, the errors that it proves, and the groups that bear more in it than they count."""

    tree: Tree
    errors: Fraction
    overloaded: frozenset[int]


class ShareTree:
    """The exact shares of a tree's nodes, whose conflicts go into one registry."""

    def __init__(
        self,
        groups: Groups,
        row_weights: Sequence[Fraction],
        conflicts: Conflicts,
        units: tuple[Fraction, Fraction],
    ) -> None:
        self.groups, self.row_weights, self.conflicts = groups, row_weights, conflicts
        self.unit, self.factor = units  # what errors are multiples of; what 1 is in the search
        self.registry = Registry()

    def of(self, node: Node, target: Fraction, reached: float) -> Proven:
        """The tree below a node, cut off where a node's own bound has `reached` the target."""
        if node.children is None or node.bound >= reached:
            packed = self.packed(node.shares, Case(node.all_right, node.wrong), target)
            errors = round_up(packed.errors, self.unit)
            inner = Proven(packed.leaf, errors, self._overloaded(packed.loads))
        else:
            assert node.row is not None
            right, wrong = (self.of(child, target, reached) for child in node.children)
            row = self.groups.members[node.row][0]
            overloaded = (right.overloaded | wrong.overloaded) - {node.row}
            errors = min(right.errors, wrong.errors)
            inner = Proven(Split(row, right.tree, wrong.tree), errors, overloaded)
        return self._fixed(node, inner, target)

    def _fixed(self, node: Node, inner: Proven, target: Fraction) -> Proven:
        """Around a tree, the fixings of those groups that it overloads."""
        right = node.all_right
        for fixing in reversed(node.fixings):
            right -= fixing.rows
            fixed = fixing.rows & inner.overloaded
            if not fixed:
                continue
            packed = self.packed(fixing.shares, Case(right, node.wrong), target, fixed)
            errors = [self._errors_if_wrong(packed, group) for group in fixed]
            rows = tuple(sorted(self.groups.members[group][0] for group in fixed))
            overloaded = (inner.overloaded - fixed) | self._overloaded(packed.loads)
            tree = Fixed(rows, packed.leaf, inner.tree)
            inner = Proven(tree, min(inner.errors, *errors), overloaded)
        return inner

    def _errors_if_wrong(self, packed: Packed, group: int) -> Fraction:
        """What is proven of planes that are wrong on the group."""
        spare = self.groups.weights[group] - packed.loads.get(group, Fraction(0))
        return round_up(packed.errors + spare, self.unit)

    def _overloaded(self, loads: dict[int, Fraction]) -> frozenset[int]:
        weights = self.groups.weights
        return frozenset(group for group, load in loads.items() if load > weights[group])

    def packed(
        self,
        shares: dict[Rows, float],
        case: Case,
        target: Fraction,
        fixed: frozenset[int] = frozenset(),
    ) -> Packed:
        """Exact shares near those of the search, as simple as reach the target.

        With groups that are `fixed`, it is planes wrong on one of these that must reach it.
        """
        weights = self.groups.weights
        taken = sum((weights[group] for group in case.wrong), Fraction(0))
        found: list[tuple[ProvenConflict, float]] = []
        for rows, share in sorted(shares.items(), key=lambda pair: (-pair[1], pair[0])):
            conflict = self.conflicts.prove(rows)
            if conflict is not None and case.wrong.isdisjoint(conflict.rows):
                found.append((conflict, share))
        conflicts, floats = [c for c, _ in found], [share for _, share in found]
        # In the units of the search: simple fractions of these, whatever the weights are.
        limits = {
            group: None if group in case.right else weights[group] / self.factor
            for conflict in conflicts
            for group in conflict.rows
        }
        goal = max(target - self.unit - taken, Fraction(0)) / self.factor

        bearing = {
            group: [k for k, conflict in enumerate(conflicts) if group in conflict.rows]
            for group in fixed
        }

        def is_enough(counts: Sequence[int], denominator: int) -> bool:
            missing = goal * denominator - sum(counts)
            if not fixed:
                return missing < 0
            loads = {group: sum(counts[k] for k in bearing[group]) for group in fixed}
            spare = {group: weights[group] / self.factor * denominator for group in fixed}
            return all(spare[group] - load > missing for group, load in loads.items())

        shared = pack_shares(conflicts, floats, limits, goal, is_enough)
        exact = [share * self.factor for share in shared]
        pairs, loads = list(zip(conflicts, exact, strict=True)), _loads(conflicts, exact)
        members, overloaded = self.groups.members, self._overloaded(loads)
        dealt = deal_out(pairs, members, self.row_weights, overloaded, self.registry)
        leaf = tuple(sorted(dealt.items()))
        return Packed(leaf, taken + sum(dealt.values(), Fraction(0)), loads)


def _loads(conflicts: Sequence[ProvenConflict], shares: Sequence[Fraction]) -> dict[int, Fraction]:
    """What the groups bear."""
    loads: dict[int, Fraction] = {}
    for conflict, share in zip(conflicts, shares, strict=True):
        if share:
            for group in conflict.rows:
                loads[group] = loads.get(group, Fraction(0)) + share
    return loads
