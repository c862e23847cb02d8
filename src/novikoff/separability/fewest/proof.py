"""The fewest errors, proven at both ends: what a search proposes, in exact numbers.

A plane's errors are counted by exact signs. A conflict that has no exact α is banned, and the
search goes on without it; a plane that exact signs deny sends its rows to Gordan's alternative,
which has a plane for them or a conflict that the search had missed.

The rows that a plane gets wrong are found by exact signs.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.conflicts import Cones, Conflict, Tree
from novikoff.core.progress import Deadline, OutOfTime
from novikoff.exact.points import ExactProblem
from novikoff.exact.rational import common_divisor, nearest_float, round_up, total
from novikoff.exact.scores import exact_signs
from novikoff.matrix.rows import Floats
from novikoff.separability.fewest.cones import search_cones
from novikoff.separability.fewest.conflicts import Conflicts
from novikoff.separability.fewest.covering import Rows
from novikoff.separability.fewest.instance import RIGHT, Node, groups_of, instance_of
from novikoff.separability.fewest.result import FewestErrors
from novikoff.separability.fewest.search import KICKS, ErrorSearch, grow
from novikoff.separability.fewest.share_tree import Case, ShareTree
from novikoff.separability.proofs.gordan import Multipliers, Separator, gordan

BITS = (8, 14, 24, 53)  # of a weight: as few as will do make a short certificate


class ExactPlane(NamedTuple):
    """ŵ, the rows with yᵢ x̂ᵢ·ŵ ≤ 0, and what these rows count."""

    w_hat: tuple[Fraction, ...]
    wrong: NDArray[np.intp]
    errors: Fraction


def exact_plane(
    points: ExactProblem, w_hat: Sequence[Fraction], row_weights: Sequence[Fraction]
) -> ExactPlane:
    """The plane with its errors on all rows, counted without rounding."""
    wrong = np.flatnonzero(exact_signs(points, w_hat) <= 0)
    errors = total(row_weights[row] for row in wrong.tolist())
    return ExactPlane(tuple(w_hat), wrong, errors)


def short_plane(points: ExactProblem, w_hat: Floats, row_weights: Sequence[Fraction]) -> ExactPlane:
    """The plane of float weights, with as few bits a weight as have no more errors."""
    full = exact_plane(points, [Fraction(value) for value in w_hat.tolist()], row_weights)
    for bits in BITS[:-1]:
        fractions, exponents = np.frexp(w_hat)
        rounded = np.ldexp(np.rint(np.ldexp(fractions, bits)), exponents - bits)
        plane = exact_plane(points, [Fraction(v) for v in rounded.tolist()], row_weights)
        if plane.errors <= full.errors:
            return plane
    return full


def separate_or_conflict(
    points: ExactProblem,
    kept: NDArray[np.intp],
    row_weights: Sequence[Fraction],
    check: Callable[[], None],
) -> ExactPlane | Multipliers:
    """A plane that is right on all rows of `kept`, or the multipliers that forbid one.

    `check` is called now and then, and may raise to have it stopped.
    """
    outcome = gordan(points, kept, None, [], check)
    if isinstance(outcome, Separator):
        return exact_plane(points, outcome.w_hat, row_weights)
    return outcome


MOST_LEAVES = 256  # of a tree that a certificate carries
MOST_TRIED = 10  # conflicts that are tried to prove before exact arithmetic looks itself
MOST_ATTEMPTS = 50  # times that the search is sent back because something had no proof
STEPS = 700  # line searches of a descent
SMALL_GAP = 4.0  # rows between the bounds that a tree of cases closes, with a proof to read
GRACE = 1.0  # seconds for proofs after the search has ended


class FewestProof:
    """One run: the search, the best plane so far in exact numbers, and the proven conflicts."""

    def __init__(
        self,
        points: ExactProblem,
        row_weights: Sequence[Fraction],
        deadline: Deadline,
    ) -> None:
        self.points, self.row_weights = points, row_weights
        self.unit = common_divisor(row_weights)
        self.groups = groups_of(points, row_weights)
        self.best = self._majority()
        self.cones: Cones | None = None
        self._tried_cones = False
        if not self.groups.members:
            return
        instance, self.coordinates = instance_of(points, self.groups, row_weights)
        self.search = ErrorSearch(instance, deadline)
        self.search.upper = float(self.best.errors / self.coordinates.factor)
        self.conflicts = Conflicts(points, self.groups.first, deadline.ends + GRACE)
        self._most_reserve = deadline.seconds_left() / 2
        self.search.tell = self._reserve_time

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
        search.find_planes(STEPS)
        search.exchange()
        search.bound_root()
        if not search.is_closed(search.root):
            if self._gap() > SMALL_GAP and self._by_cones():
                return
            search.exchange(KICKS)
        for _ in range(MOST_ATTEMPTS):
            if search.root.children is None:
                search.bound_root()
                if self._ban_unproven() or self._plane_is_news() or self._missed():
                    continue
                if search.is_closed(search.root):
                    return
                grow(search, MOST_LEAVES)
            if not self._ban_unproven() and not self._plane_is_news():
                break
        if not self._is_closed() and not self._tried_cones:
            self._by_cones()

    def _gap(self) -> float:
        """How far the bounds of the root are apart, in rows."""
        search = self.search
        return (search.upper - search.root.bound) / float(search.instance.weights.mean())

    def _is_closed(self) -> bool:
        return self._exact_bound(self.search.root.best_bound) >= self.best.errors

    def _by_cones(self) -> bool:
        """Whether cones of planes settle it, which they do in few dimensions."""
        self._tried_cones = True
        if self.search.is_late():
            return False
        self._plane_is_news()
        found = search_cones(
            self.points,
            self.groups,
            self.coordinates,
            (self.best.errors, self.unit),
            self.search.is_late,
        )
        if found is None:
            return False
        if found.w_hat is not None:
            plane = exact_plane(self.points, found.w_hat, self.row_weights)
            if plane.errors < self.best.errors:
                self.best = plane
        self.cones, self._least = found.cones, found.errors
        return True

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
        largest = max(map(abs, self.best.w_hat)) or Fraction(1)
        w_hat = np.array([float(value / largest) for value in self.best.w_hat])
        plane = self.coordinates.plane(w_hat)
        if np.isfinite(plane).all():
            self.search.plane = plane
        self.search.upper = float(self.best.errors / self.coordinates.factor)

    def wrong_groups(self) -> list[int]:
        """The groups that the best plane gets wrong."""
        wrong = set(self.best.wrong.tolist())
        return [g for g, rows in enumerate(self.groups.members) if rows[0] in wrong]

    def exact(self, plane: Floats) -> ExactPlane | None:
        """A plane of the search in exact numbers; None if it has none."""
        if not np.isfinite(plane).all():
            return None
        w_hat = self.coordinates.weights(plane)
        if not w_hat.any() or not np.isfinite(w_hat).all():
            return None
        return short_plane(self.points, w_hat, self.row_weights)

    def proven_bound(self, node: Node, target: Fraction) -> Fraction:
        """What a node proves in exact numbers, if it gets as far as the target."""
        proven = self._share_tree().of(node, target, math.inf)
        # What other nodes fixed, or take to be right, is the caller's to say.
        return proven.errors if proven.overloaded <= node.right else Fraction(0)

    def _share_tree(self) -> ShareTree:
        units = (self.unit, self.coordinates.factor)
        return ShareTree(self.groups, self.row_weights, self.conflicts, units)

    def _reserve_time(self, lower: float, upper: float) -> None:
        """Keep time for the proofs of what was found, and show the bounds."""
        used: set[Rows] = set().union(*self._shares_used())
        for rows in sorted(used)[:1]:
            self.conflicts.prove(rows)
        self.search.reserve = min(self.conflicts.seconds_for(used), self._most_reserve)
        factor = nearest_float(self.coordinates.factor)
        self.search.deadline.show(
            f"at least {lower * factor:.6g}, at most {upper * factor:.6g} errors "
            "(proven at the end)"
        )

    def _plane_is_news(self) -> bool:
        """Count the errors of the search's plane exactly; whether the search has to look again.

        So it has where a plane that is worse than it seemed leads to a conflict, or a better plane.
        Where all that was known, the search would come by the same plane for ever.
        """
        search, factor = self.search, self.coordinates.factor
        plane = self.exact(search.plane)
        if plane is not None and plane.errors < self.best.errors:
            self.best = plane
        if float(self.best.errors / factor) <= search.upper + 1e-6:
            return False
        is_news = self._settle(search.instance.U @ search.plane > RIGHT)
        search.upper = float(self.best.errors / factor)
        if search.root.fixings and not search.is_late():
            search.root = Node()  # rows were fixed by an upper bound that is none
        return is_news

    def _settle(self, right: NDArray[np.bool_]) -> bool:
        """Have these groups separated, or a conflict among them; whether that was news."""
        kept = self.groups.first[right]
        if len(kept) == 0:
            return False
        try:
            outcome = separate_or_conflict(self.points, kept, self.row_weights, self._check_time)
        except OutOfTime:
            return False
        if isinstance(outcome, Multipliers):
            return self._add(outcome)
        is_better = outcome.errors < self.best.errors
        if is_better:
            self.best = outcome
        return is_better

    def _check_time(self) -> None:
        if self.search.is_late():
            raise OutOfTime

    def _missed(self) -> bool:
        """Ask exact arithmetic about a cover of all known conflicts, where the bounds do not meet.

        What is nearly degenerate can hide a conflict, or a plane, from floating point: then no
        conflict that it still sees outside the cover has a proof.
        """
        search = self.search
        if search.is_late() or search.is_closed(search.root):
            return False
        cover = search.pool.greedy_cover(search.root.x, search.instance.weights)
        wrong = frozenset(np.flatnonzero(cover).tolist())
        seen = search.workers[0].enumerate_conflicts(np.zeros(len(cover)), wrong, search.is_late)
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

    def _shares_used(self) -> Iterator[dict[Rows, float]]:
        """The shares that the bound rests on."""
        reached = self.search.root.best_bound
        waiting = [self.search.root]
        while waiting:
            node = waiting.pop()
            if node.children is not None and node.bound < reached:
                waiting += node.children
            yield from node.all_shares()

    def _ban_unproven(self) -> bool:
        """Prove all conflicts that the bound rests on; whether some had to be banned."""
        greatest: dict[Rows, float] = {}
        for shares in self._shares_used():
            for rows, share in shares.items():
                greatest[rows] = max(share, greatest.get(rows, 0.0))
        # If time is up in the middle, the greatest shares have their proofs.
        used = sorted(greatest, key=lambda rows: (-greatest[rows], rows))
        for rows in used:
            self.conflicts.prove(rows)
        unproven = {rows for rows in used if self.conflicts.is_refused(rows)}
        for rows in sorted(unproven):
            self.search.ban(rows)
        if unproven:
            self.search.rebound(unproven)
        return bool(unproven)

    def lower_bound(self) -> tuple[Fraction, tuple[Conflict, ...], Tree | None]:
        """The bound that is proven, its conflicts with their shares, and the tree if it helps."""
        if not self.groups.members:
            return Fraction(0), (), None
        if self.cones is not None:
            return self._least, (), None
        root, nothing = self.search.root, Case(frozenset(), frozenset())
        target = self._exact_bound(root.best_bound)
        plain, proof = root.shares, self._share_tree()
        packed = proof.packed(plain, nothing, target)
        lower = round_up(packed.errors, self.unit)
        if lower < target:
            proven = proof.of(root, target, root.best_bound)
            if proven.errors > lower and not proven.overloaded:
                shares = dict(packed.leaf)
                if isinstance(proven.tree, tuple):
                    return proven.errors, proof.registry.conflicts(dict(proven.tree)), None
                return proven.errors, proof.registry.conflicts(shares), proven.tree
            proof = self._share_tree()
            packed = proof.packed(plain, nothing, lower)
        return lower, proof.registry.conflicts(dict(packed.leaf)), None

    def _exact_bound(self, bound: float) -> Fraction:
        """What a bound stands for: a total of weights, at most that of the best plane."""
        bound = self.search.instance.rounded_up(bound)
        if bound == math.inf or bound >= self.search.upper - 1e-6:
            return self.best.errors
        rounded = round(bound) if self.search.instance.unit else Fraction(bound)
        return min(rounded * self.coordinates.factor, self.best.errors)
