"""The fewest errors, proven at both ends: what a search proposes, in exact numbers.

A plane's errors are counted by exact signs. A conflict that has no exact α is banned, and the
search goes on without it; a plane that exact signs deny sends its rows to Gordan's alternative,
which has a plane for them or a conflict that the search had missed.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.points import Points
from novikoff.proofs.conflicts import Conflicts, ProvenConflict, pack_shares
from novikoff.proofs.copies import Registry, deal_out
from novikoff.proofs.gordan import Multipliers
from novikoff.proofs.planes import ExactPlane, exact_plane, settle, short_plane
from novikoff.rows import Floats
from novikoff.search.hitting import Node, Search
from novikoff.search.instance import groups_of, instance_of
from novikoff.search.line_search import RIGHT
from novikoff.verdicts.fewest import (
    Conflict,
    FewestErrors,
    Leaf,
    Split,
    Tree,
    common_divisor,
    round_up,
)

__all__ = ["MOST_LEAVES", "FewestProof", "Tell"]

MOST_LEAVES = 256  # of a tree that a certificate carries
MOST_TRIED = 10  # conflicts that are tried to prove before exact arithmetic looks itself
MOST_ATTEMPTS = 50  # times that the search is sent back because something had no proof

Tell = Callable[[float, float], None]


class FewestProof:
    """One run: the search, the best plane so far in exact numbers, and the proven conflicts."""

    def __init__(
        self, points: Points, row_weights: Sequence[Fraction], deadline: float, tell: Tell | None
    ) -> None:
        self.points, self.row_weights = points, row_weights
        self.unit = common_divisor(row_weights)
        self.groups = groups_of(points, row_weights)
        self.best = self._majority()
        if not self.groups.members:
            return
        instance, self.coordinates = instance_of(points, self.groups, row_weights)
        self.search = Search(instance, deadline)
        self.search.upper = float(self.best.errors / self.coordinates.factor)
        self.conflicts = Conflicts(points, self.groups.first)
        if tell is not None:
            factor = float(self.coordinates.factor)
            self.search.tell = lambda lower, upper: tell(lower * factor, upper * factor)

    def _majority(self) -> ExactPlane:
        """The plane that says the same of every row."""
        p = self.points.problem.d
        zeros = [Fraction(0)] * p
        if not self.points.problem.fit_intercept:
            return exact_plane(self.points, zeros, self.row_weights)
        planes = [
            exact_plane(self.points, [*zeros, Fraction(sign)], self.row_weights) for sign in (-1, 1)
        ]
        return min(planes, key=lambda plane: plane.errors)

    def run(self) -> None:
        """Search, and send the search back as long as something that it found has no proof."""
        if not self.groups.members:
            return
        search = self.search
        search.find_planes()
        search.exchange()
        for _ in range(MOST_ATTEMPTS):
            if search.root.children is None:
                search.bound_root()
                if self._ban_unproven() or not self._take_plane() or self._missed():
                    continue
                if search.is_closed(search.root):
                    return
                search.grow(MOST_LEAVES)
            if not self._ban_unproven() and self._take_plane():
                return

    def start_from(self, found: FewestErrors) -> None:
        """Go on from what was found before: its plane, and its conflicts."""
        bias = [found.intercept] if found.fit_intercept else []
        self.best = exact_plane(self.points, [*found.weights, *bias], self.row_weights)
        if not self.groups.members:
            return
        group_of = {row: g for g, rows in enumerate(self.groups.members) for row in rows}
        for conflict in found.conflicts:
            pairs = sorted(
                (group_of[row], a) for row, a in zip(conflict.rows, conflict.alpha, strict=True)
            )
            places = tuple(place for place, _ in pairs)
            self.conflicts.keep(places, tuple(a for _, a in pairs))
            self.search.pool.add([places])
        w_hat = np.array([float(value) for value in self.best.w_hat])
        self.search.plane = self.coordinates.plane(w_hat)
        self.search.upper = float(self.best.errors / self.coordinates.factor)

    def wrong_groups(self) -> list[int]:
        """The groups that the best plane gets wrong."""
        wrong = set(self.best.wrong.tolist())
        return [g for g, rows in enumerate(self.groups.members) if rows[0] in wrong]

    def exact(self, plane: Floats) -> ExactPlane | None:
        """A plane of the search in exact numbers; None if it has none."""
        w_hat = self.coordinates.weights(plane)
        if not w_hat.any() or not np.isfinite(w_hat).all():
            return None
        return short_plane(self.points, w_hat, self.row_weights)

    def proven_bound(self, node: Node, target: Fraction) -> Fraction:
        """What the shares of a node prove in exact numbers, if it gets as far as the target."""
        return self._leaf(node, Registry(), target)[1]

    def _take_plane(self) -> bool:
        """Count the errors of the search's plane exactly; whether it is as good as it seemed."""
        search, factor = self.search, self.coordinates.factor
        plane = self.exact(search.plane)
        if plane is not None and plane.errors < self.best.errors:
            self.best = plane
        if float(self.best.errors / factor) <= search.upper + 1e-6:
            return True
        self._settle(search.instance.U @ search.plane > RIGHT)
        agreed = float(self.best.errors / factor) <= search.upper + 1e-6
        search.upper = float(self.best.errors / factor)
        return agreed

    def _settle(self, right: NDArray[np.bool_]) -> bool:
        """Have these groups separated, or a conflict among them; whether that was news."""
        kept = self.groups.first[right]
        if len(kept) == 0:
            return False
        try:
            outcome = settle(self.points, kept, self.row_weights, self._check_time)
        except TimeoutError:
            return False
        if isinstance(outcome, Multipliers):
            return self._add(outcome)
        is_better = outcome.errors < self.best.errors
        if is_better:
            self.best = outcome
        return is_better

    def _check_time(self) -> None:
        if self.search.late:
            raise TimeoutError

    def _missed(self) -> bool:
        """Ask exact arithmetic about a cover of all known conflicts, where the bounds do not meet.

        What is nearly degenerate can hide a conflict, or a plane, from floating point: then no
        conflict that it still sees outside the cover has a proof.
        """
        search = self.search
        if search.late or search.is_closed(search.root):
            return False
        cover = search.pool.greedy_cover(search.root.x, search.instance.weights)
        wrong = frozenset(np.flatnonzero(cover).tolist())
        seen = search.workers[0].harvest(np.zeros(len(cover)), wrong)
        real = [rows for rows in seen[:MOST_TRIED] if self.conflicts.prove(rows) is not None]
        if real:
            search.pool.add(real)
            return False
        news = self._settle(~cover)
        search.upper = min(search.upper, float(self.best.errors / self.coordinates.factor))
        return news

    def _add(self, found: Multipliers) -> bool:
        """Take in a conflict that exact arithmetic found; whether it was not known."""
        place_of = {int(row): at for at, row in enumerate(self.groups.first)}
        pairs = sorted(
            (place_of[int(row)], a) for row, a in zip(found.rows, found.alpha, strict=True)
        )
        places = tuple(place for place, _ in pairs)
        self.conflicts.keep(places, tuple(a for _, a in pairs))
        return bool(self.search.pool.add([places]))

    def _ban_unproven(self) -> bool:
        """Prove all conflicts that a bound rests on; whether some could not be, and were banned."""
        search = self.search
        leaves = search.root.leaves()
        used = {j for node in [search.root, *leaves] for j in node.shares}
        unproven = {j for j in used if self.conflicts.prove(search.pool.rows(j)) is None}
        for j in unproven:
            search.ban(j)
        return bool(unproven)

    def lower_bound(self) -> tuple[Fraction, tuple[Conflict, ...], Tree | None]:
        """The bound that is proven, its conflicts with their shares, and the tree if it helps."""
        registry = Registry()
        if not self.groups.members:
            return Fraction(0), (), None
        root = self.search.root
        target = min(self._exact_bound(leaf) for leaf in root.leaves())
        shares, lower = self._leaf(root, registry, min(target, self._exact_bound(root)))
        if root.children is None or lower >= target:
            return lower, registry.conflicts(shares), None
        tree, tree_lower = self._tree(root, registry, target)
        if tree_lower <= lower:
            registry = Registry()
            shares, lower = self._leaf(root, registry, lower)
            return lower, registry.conflicts(shares), None
        return tree_lower, registry.conflicts(shares), tree

    def _exact_bound(self, node: Node) -> Fraction:
        """What the node's bound stands for: a total of weights, at most that of the best plane."""
        bound = self.search.instance.rounded_up(node.bound)
        if bound == math.inf or bound >= self.search.upper - 1e-6:
            return self.best.errors
        rounded = round(bound) if self.search.instance.unit else Fraction(bound)
        return min(rounded * self.coordinates.factor, self.best.errors)

    def _tree(self, node: Node, registry: Registry, target: Fraction) -> tuple[Tree, Fraction]:
        """The tree below a node, cut off where the node itself proves the target."""
        if node.children is None or self._exact_bound(node) >= target:
            shares, lower = self._leaf(node, registry, target)
            leaf: Leaf = tuple(sorted(shares.items()))
            return leaf, lower
        assert node.row is not None
        right, right_lower = self._tree(node.children[0], registry, target)
        wrong, wrong_lower = self._tree(node.children[1], registry, target)
        row = self.groups.members[node.row][0]
        return Split(row, right, wrong), min(right_lower, wrong_lower)

    def _leaf(
        self, node: Node, registry: Registry, target: Fraction
    ) -> tuple[dict[int, Fraction], Fraction]:
        """Exact shares in a leaf, and the bound that they prove."""
        taken = sum((self.groups.weights[g] for g in node.wrong), Fraction(0))
        found: list[tuple[ProvenConflict, float]] = []
        for j, share in sorted(node.shares.items(), key=lambda pair: -pair[1]):
            conflict = self.conflicts.prove(self.search.pool.rows(j))
            if conflict is not None and node.wrong.isdisjoint(conflict.rows):
                found.append((conflict, share * float(self.coordinates.factor)))
        limits = {
            group: None if group in node.right else self.groups.weights[group]
            for conflict, _ in found
            for group in conflict.rows
        }
        goal = max(target - self.unit - taken, Fraction(0))
        conflicts, floats = [c for c, _ in found], [share for _, share in found]
        packed = list(zip(conflicts, pack_shares(conflicts, floats, limits, goal), strict=True))
        members, weights = self.groups.members, self.row_weights
        shares = deal_out(packed, members, weights, node.right, registry)
        return shares, round_up(taken + sum(shares.values()), self.unit)
