"""Is it separable? The verdict, with its proof.

    survey      what the columns look like
    search      floating point proposes a separator, or rows that every weak separator has on its
                plane
    proofs      either is proven on the points as they are, or the next search is asked
    verdict     separable, touching, overlapping; undecided where time or arithmetic was limited

In general position the nearest points of the two hulls answer it (Wolfe). Designs full of
categories are not in general position: there one interior-point solve finds the whole face. Of very
many rows some are decided first, and passes over all say what that proves: such data may live in a
file or on other machines, and the answer is the same to the bit.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.progress import Deadline, OutOfTime, in_time
from novikoff.exact.columns import reconditioned_columns
from novikoff.exact.existence import near_solution, positive_solution_exists
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats
from novikoff.separability.build import (
    not_separable_verdict,
    overlapping_verdict,
    separable_verdict,
)
from novikoff.separability.proofs.face_by_solve import adds_up_to_zero, is_face, proven_face
from novikoff.separability.proofs.facial_reduction import WeakSeparator, facial_reduction
from novikoff.separability.proofs.gordan import Multipliers, Separator, solved_multipliers
from novikoff.separability.proofs.margin import augmented_margin_above, bound_of, radius_interval
from novikoff.separability.proofs.separator import check_on_all_rows, proof_of, proven
from novikoff.separability.search.face import (
    FULL_OF_ZEROS,
    FaceProposal,
    face_proposals,
    signed_floats,
)
from novikoff.separability.search.passes import ColumnStats, some_rows, survey
from novikoff.separability.search.start import (
    first_rows,
    may_take_minutes,
    newton_proposals,
    perceptron_found,
)
from novikoff.separability.search.wolfe import ZERO
from novikoff.separability.search.working_set import (
    ALL_AT_ONCE,
    Found,
    Metric,
    found_of,
    geometric,
    search,
    spread_out,
)
from novikoff.separability.verdicts import Interval, Overlapping, Separable, Touching, Undecided

Answer: TypeAlias = Separable | Touching | Overlapping | Undecided

AT_ONCE = 100  # active rows for which rational arithmetic is as quick as a proof in floating point
IN_RATIONALS = 500  # columns for which the rationals are asked where floating point cannot tell
MOST_GRAM = 4000  # columns of a Gram matrix that is factored as a whole
MOST_FLOATS = 1 << 27  # numbers that are held as a copy of the data
ROWS_A_COLUMN = 50  # of a working set
COLUMNS_A_ROW = 16  # and more: columns that span the others are far fewer
MANY_COLUMNS = 500  # of which a Gram matrix takes longer than choosing some
MANY_ROWS = 1 << 16  # beyond these, some are decided first
FEW_ROWS = 1 << 13  # a working set of so many is never slow
MOST_STEPS = 1 << 36  # multiplications that the nearest points are worth
SPARSE_STEPS = 8  # of them for each entry of Wolfe's matrix
SOON = 0.5  # of the rows that a step of Newton's method leaves wrong, for another one
WIDE = 200  # columns of sparse data that cost Wolfe's method seconds
QUICK = 1 << 20  # numbers for which Wolfe's method is never slow


@dataclass
class Decision:
    """One question on its way to an answer: the points, the limits, and what was tried."""

    points: ExactProblem
    limit: int
    deadline: Deadline
    tried: list[Found] = field(default_factory=list)
    are_changed: bool = False

    def answer(self) -> Answer:
        """Ask one search after the other, the likely one first, until a proof holds."""
        self.deadline.stage("survey")
        self.seen: ColumnStats = survey(self.points)
        for stage in self._stages():
            verdict = stage()
            if verdict is not None:
                return verdict
        if self.points.remote is not None:
            return self.undecided(
                "passes over rows that are not in memory could not decide",
                "read the data whole (novikoff.read) if it fits in memory",
            )
        if self.limit == 0:
            reason = "exact=False allows no rational numbers"
            advice = "leave exact at 'auto', or insist with exact=True"
        else:
            reason = (
                f"{self.points.problem.d:,} columns are too many for exact arithmetic by default "
                f"(the limit is {IN_RATIONALS})"
            )
            advice = "insist with exact=True; it may take long for many columns"
        return self.undecided(f"floating point could not decide, and {reason}", advice)

    def _stages(self) -> list[Callable[[], Answer | None]]:
        """What to ask, in order."""
        if not self.points.in_range:
            return [self._in_rationals]
        face_first = self._is_full_of_zeros() and self._seems_whole()
        by_passes = [self._by_nearest_points, self._by_some_rows]
        if face_first:
            by_passes.reverse()
        if self.points.remote is not None:
            return by_passes if self._has_many_rows() else [self._at_hand]
        soon = [self._by_newton_soon] if self._is_large_and_sparse() else []
        if face_first:
            stages = [self._by_perceptron, self._by_face, self._by_nearest_points]
        else:
            stages = [*soon, self._by_perceptron, self._by_nearest_points, self._by_face]
        if self._has_many_rows():
            stages = [*soon, *by_passes, self._by_perceptron, self._by_face]
        elif self._has_far_more_columns():
            stages = [self._by_perceptron, self._by_nearest_points, self._by_changed_columns]
            return [*stages, self._by_face, self._by_newton, self._in_rationals]
        return [*stages, self._by_newton, self._by_changed_columns, self._in_rationals]

    def _has_far_more_columns(self) -> bool:
        """Whether columns that span the others are so few that they are chosen at once."""
        return self._p > max(MANY_COLUMNS, COLUMNS_A_ROW * self.points.problem.n)

    def _has_many_rows(self) -> bool:
        """Whether passes over all rows are better than looking at all of them together."""
        if self.seen.stored > MOST_FLOATS:
            return True
        n, p = self.points.problem.n, self._p
        return self.seen.stored > ALL_AT_ONCE and n > max(ROWS_A_COLUMN * p, MANY_ROWS)

    def _is_full_of_zeros(self) -> bool:
        """Whether the face is the likely answer: large data of dummies, counts or words."""
        n, d = self.points.problem.n, self.points.problem.d
        return n * d > QUICK and self.seen.nonzero < FULL_OF_ZEROS * n * d

    def _is_large_and_sparse(self) -> bool:
        """Whether the nearest points take far longer than some separator, and there may be one."""
        n, d = self.points.problem.n, self.points.problem.d
        return bool(sp.issparse(self.points.floats) and n > d > WIDE and self.seen.stored > QUICK)

    def _seems_whole(self) -> bool:
        """Whether most columns end at whole numbers: dummies and counts, whose faces are large."""
        ends = np.array([self.seen.least, self.seen.greatest])
        whole = (ends == np.rint(ends)).all(axis=0)
        return bool(2 * np.count_nonzero(whole) > len(whole))

    @property
    def _p(self) -> int:
        return self.points.problem.d + self.points.problem.fit_intercept

    def _at_hand(self) -> Answer:
        """The verdict on far rows that are few enough to be held."""
        everything = self.points.part(np.arange(self.points.problem.n))
        return Decision(everything, self.limit, self.deadline).answer()

    def _by_perceptron(self) -> Answer | None:
        """A separator that the perceptron finds, where the other searches would take long."""
        if not (may_take_minutes(self.points) or self._is_full_of_zeros()):
            return None
        self.deadline.stage("perceptron")
        found = perceptron_found(self.points)
        return None if found is None else self._separable(found)

    def _by_nearest_points(self) -> Answer | None:
        """The nearest points of the hulls: a separator, or p + 1 rows whose hulls meet."""
        points = self.points
        n, d = points.problem.n, points.problem.d
        few, stored = min(n, d), self.seen.stored
        if stored < n * d:  # Wolfe's own matrix is dense, however few numbers a row has
            stored = max(stored, SPARSE_STEPS * few**2)
        if few * stored > MOST_STEPS:
            return None
        for metric in self._metrics():
            self.deadline.stage("nearest points of the hulls")
            start = first_rows(points, self.seen, metric)
            found = search(points, metric, start, self.deadline)
            self.tried.append(found)
            verdict = self._separable(found) or self._meeting(found)
            if verdict is not None:
                return verdict
        return None

    def _metrics(self) -> Iterator[Metric]:
        """Distances as they are, then with columns of like width."""
        seen = self.seen
        widths = seen.greatest - seen.least
        widths = widths[widths > 0]
        # Squares of lengths beyond this overflow or vanish.
        if len(widths) == 0 or (widths.max() < 1e140 and widths.min() > 1e-140):
            yield geometric(self.points, seen)
        yield spread_out(self.points, seen)

    def _separable(self, found: Found) -> Separable | None:
        proof = proven(self.points, found)
        if proof is None:
            return None
        known = [found, *(other for other in self.tried if other is not found)]
        return separable_verdict(self.points, self.seen, proof, known, self.limit)

    def _not_separable(self, outcome: WeakSeparator | Multipliers) -> Touching | Overlapping:
        return not_separable_verdict(self.points, self.seen, outcome)

    def _meeting(self, found: Found) -> Touching | Overlapping | None:
        """The verdict if p + 1 rows prove it: in rational numbers, or in floating point."""
        points, rows = self.points, found.rows
        p = points.problem.d + points.problem.fit_intercept
        if found.ended != ZERO or len(rows) != p + 1:
            return None
        if len(rows) > self.limit:
            order = np.argsort(rows)
            verdict = self._existing(rows[order], found.alpha[order])
            if verdict is not None or self.limit == 0:
                return verdict
        if len(rows) > max(self.limit, IN_RATIONALS):
            return None
        multipliers = solved_multipliers(points, rows)
        return None if multipliers is None else self._not_separable(multipliers)

    def _existing(self, rows: NDArray[np.intp], alpha: Floats | None) -> Overlapping | None:
        """Overlapping, if a positive α on these rows is proven to exist."""
        near = near_solution(self.points, rows, alpha)
        if near is None or not positive_solution_exists(self.points, rows, near):
            return None
        return overlapping_verdict(self.points, self.seen, rows, near, None)

    def _by_face(self) -> Answer | None:
        """The whole face from an interior point, or a separator on the way to it."""
        points = self.points
        p = points.problem.d + points.problem.fit_intercept
        if p > MOST_GRAM:
            return None
        if self.seen.stored > MOST_FLOATS:
            return None
        self.deadline.stage("interior point")
        A = signed_floats(points)
        for proposal in face_proposals(points, A, self.deadline):
            verdict = self._of_face(A, proposal)
            if verdict is not None:
                return verdict
        return None

    def _of_face(self, A: object, proposal: FaceProposal) -> Answer | None:
        points = self.points
        w_hat = proposal.w_hat
        if not points.problem.fit_intercept:
            w_hat = np.append(w_hat, 0.0)
        found = found_of(points, w_hat, proposal.on, proposal.alpha)
        if len(proposal.on) == 0:
            return self._separable(found)
        self.tried.append(found)
        self.deadline.stage(f"proof of a face of {len(proposal.on)} rows")
        everything = len(proposal.on) == points.problem.n
        many = min(points.problem.n, points.problem.d) > self.limit
        if everything and many and points.whole is not None and points.whole.bits > 53:
            verdict = self._existing(proposal.on, proposal.alpha)
            if verdict is not None:
                return verdict
        if self.limit == 0:
            return self._existing(proposal.on, proposal.alpha) if everything else None
        face = proven_face(points, A, proposal, self.deadline.check)
        if face is not None:
            return self._not_separable(face)
        return self._existing(proposal.on, proposal.alpha) if everything and many else None

    def _by_some_rows(self) -> Answer | None:
        """The verdict on some of very many rows, with those added that it does not hold for."""
        points, p = self.points, self._p
        rows = some_rows(points.problem.y, max(ROWS_A_COLUMN * p, FEW_ROWS))
        numbers_a_row = max(self.seen.stored // points.problem.n, 1)
        while p <= MOST_GRAM and len(rows) * numbers_a_row <= MOST_FLOATS:
            self.deadline.stage(f"a working set of {len(rows)} rows")
            verdict = Decision(points.part(rows), self.limit or AT_ONCE, self.deadline).answer()
            if isinstance(verdict, Undecided):
                return None
            if isinstance(verdict, Overlapping) and verdict.alpha is None:
                return self._existing(rows[verdict.rows], verdict.alpha_float)
            outcome, beyond = check_on_all_rows(points, rows, verdict)
            if isinstance(outcome, Separator):
                return self._exactly_separable(outcome.w_hat)
            if outcome is not None:
                return self._not_separable(outcome)
            rows = np.union1d(rows, beyond)
        return None

    def _by_newton_soon(self) -> Answer | None:
        """A separator of large sparse data, as long as each step leaves far fewer rows wrong."""
        return self._newton(SOON)

    def _by_newton(self) -> Answer | None:
        """A separator of very many columns, by Newton's method with conjugate gradients."""
        if min(self.points.problem.n, self.points.problem.d) <= MOST_GRAM:
            return None
        return self._newton(1.0)

    def _newton(self, share: float) -> Answer | None:
        """What Newton's method finds, until more than this share of the wrong rows stay wrong."""
        points, wrong = self.points, math.inf
        self.deadline.stage("Newton's method")
        A = signed_floats(points)
        for proposal in newton_proposals(points, A, self.deadline):
            before, wrong = wrong, float(np.count_nonzero(A @ proposal.w_hat <= 0.0))
            if share < 1.0 and wrong:
                if wrong > share * before:
                    return None
                continue  # bounds from so many rows take longer than the search
            w_hat = proposal.w_hat
            if not points.problem.fit_intercept:
                w_hat = np.append(w_hat, 0.0)
            found = found_of(points, w_hat, proposal.on, proposal.alpha)
            verdict = self._separable(found)
            if verdict is not None:
                return verdict
            self.tried.append(found)
        return None

    def _by_changed_columns(self) -> Answer | None:
        """Recondition nearly dependent columns, decide, and map the answer back."""
        points = self.points
        if self.limit == 0 or self.are_changed:
            return None
        self.deadline.stage("nearly dependent columns")
        changed = reconditioned_columns(points, self.deadline.check)
        if changed is None:
            return None
        inner = Decision(changed.points, self.limit, self.deadline, are_changed=True).answer()
        if isinstance(inner, Undecided):
            return None
        if isinstance(inner, Overlapping):
            known = Multipliers(inner.rows, inner.exact_alpha())
            return self._not_separable(known) if adds_up_to_zero(points, known) else None
        bias = [inner.exact_intercept] * points.problem.fit_intercept
        w_hat = changed.weights((*inner.exact_weights, *bias))
        if isinstance(inner, Separable):
            return self._exactly_separable(w_hat)
        known = Multipliers(inner.rows, inner.exact_alpha())
        if not (adds_up_to_zero(points, known) and is_face(points, w_hat, inner.rows_on_plane)):
            return None
        return self._not_separable(WeakSeparator(w_hat, inner.rows_on_plane, known))

    def _exactly_separable(self, w_hat: tuple[Fraction, ...]) -> Separable | None:
        """The verdict from rational weights, the bias last where there is one."""
        points = self.points
        slotted = w_hat if points.problem.fit_intercept else (*w_hat, Fraction(0))
        proof = proof_of(points, slotted[:-1], slotted[-1])
        if proof is None:
            return None
        tried = self.tried or [found_of(points, np.append(proof.weights, proof.intercept))]
        return separable_verdict(points, self.seen, proof, tried, self.limit)

    def _in_rationals(self) -> Answer | None:
        """The verdict where floating point could not tell, or was not to be asked."""
        points = self.points
        p = points.problem.d + points.problem.fit_intercept
        allowed = IN_RATIONALS if self.limit == AT_ONCE else self.limit
        if min(p, points.problem.n) > allowed:
            return None
        self.deadline.stage("rational numbers")
        # Nearest points have a row a column at most; a face has all of its own, which are too many.
        few = [found.rows.tolist() for found in self.tried if len(found.rows) <= p + 1]
        outcome = facial_reduction(points, few[-1] if few else [], self.deadline.check)
        if not isinstance(outcome, Separator):
            return self._not_separable(outcome)
        return self._exactly_separable(outcome.w_hat)

    def undecided(self, reason: str, advice: str) -> Undecided:
        """What is known when a limit was hit: a bound on the margin, and the best candidate."""
        points = self.points
        best, failed, at_most, mistakes = None, None, math.inf, 0.0
        try:
            for found in in_time(self.tried):
                at_most = min(at_most, augmented_margin_above(points, found.rows, found.alpha))
                wrong = found.rows_failed(points)
                if failed is None or wrong < failed:
                    best, failed = found, wrong
            if math.isfinite(at_most) and at_most > 0:
                radius = radius_interval(points, self.seen.longest)
                mistakes = bound_of(radius, Interval(0.0, at_most)).lower
        except OutOfTime:
            pass  # what is known by then is said
        return Undecided(
            problem=points.problem,
            decimals=points.decimals,
            reason=reason,
            advice=advice,
            margin_at_most=at_most,
            mistakes_at_least=mistakes,
            weights=None if best is None else best.w_hat[:-1],
            intercept=0.0 if best is None else float(best.w_hat[-1]),
            rows_failed=failed,
        )
