"""Shares of conflicts, fixed rows and trees of cases in exact numbers.

The packing weight of a group of equal rows is split among its rows, each up to its capacity.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from novikoff.certificates.conflicts import Conflict, Fixed, Leaf, Split, Tree
from novikoff.exact.rational import round_up
from novikoff.separability.fewest.conflicts import Conflicts, ProvenConflict, pack_shares
from novikoff.separability.fewest.covering import Rows
from novikoff.separability.fewest.instance import Groups, Node


class Registry:
    """Conflicts of rows as they were given, each once, in the order in which they were met."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, ...], int] = {}
        self._found: list[tuple[tuple[int, ...], tuple[Fraction, ...]]] = []

    def place(self, rows: Sequence[int], alpha: Sequence[Fraction]) -> int:
        """Where the conflict of these rows is in the list."""
        pairs = sorted(zip(rows, alpha, strict=True))
        key = tuple(row for row, _ in pairs)
        if key not in self._places:
            self._places[key] = len(self._found)
            self._found.append((key, tuple(a for _, a in pairs)))
        return self._places[key]

    def conflicts(self, shares: dict[int, Fraction]) -> tuple[Conflict, ...]:
        """All of them, with the shares that some have."""
        return tuple(
            Conflict(rows, alpha, shares.get(k, Fraction(0)))
            for k, (rows, alpha) in enumerate(self._found)
        )


def distribute_to_duplicates(
    packed: Sequence[tuple[ProvenConflict, Fraction]],
    members: Sequence[Sequence[int]],
    row_weights: Sequence[Fraction],
    unlimited: frozenset[int],
    registry: Registry,
) -> dict[int, Fraction]:
    """Shares of conflicts between groups as shares of conflicts between their members.

    Each group's members are filled one after the other, so few conflicts become more than one.
    """
    filling: dict[int, int] = {}
    left: dict[int, Fraction] = {}
    shares: dict[int, Fraction] = {}
    for conflict, share in packed:
        while share > 0:
            rows = []
            part = share
            for group in conflict.rows:
                at = filling.setdefault(group, 0)
                row = members[group][at]
                rows.append(row)
                if group not in unlimited:
                    part = min(part, left.setdefault(row, row_weights[row]))
            place = registry.place(rows, conflict.alpha)
            shares[place] = shares.get(place, Fraction(0)) + part
            share -= part
            for group, row in zip(conflict.rows, rows, strict=True):
                if group not in unlimited:
                    left[row] -= part
                    if left[row] == 0 and filling[group] + 1 < len(members[group]):
                        filling[group] += 1
    return {place: share for place, share in shares.items() if share > 0}


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
        dealt = distribute_to_duplicates(
            pairs, members, self.row_weights, overloaded, self.registry
        )
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
