"""Which rows of a sparse design can move, exactly: levels first, then rank, then what is left.

Rows x of integers ask for x·δ ≥ 0, and pinned ones for x·δ = 0. Which rows can be made positive?

Levels. A column whose entries all have one sign, in no pinned row, is a direction by itself. It
moves its rows, and these leave. Then other columns may have one sign: look again.

Rank. Pinned rows are brought into echelon form and taken out of all others. A row of which nothing
is left is in their span, and stays. The remainders of the other rows are a smaller problem of the
same kind, in the columns in which no row of the echelon form begins.

What is left has no pinned rows and no such columns. If it is small, the engine decides it. If not,
a linear program proposes which rows stay and with which multipliers α. The rows that it proposes
are then pinned: their multipliers are solved for exactly, and the others need a strict direction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.progress import Deadline, in_time, seconds_in_force
from novikoff.exact.duplicates import distinct_rows
from novikoff.exact.points import ExactProblem
from novikoff.exact.rational import primitive
from novikoff.exact.sparse_elimination import sparse_product
from novikoff.matrix.problem import Problem
from novikoff.regression.fixed_effects.echelon import Echelon, Sum, add_to
from novikoff.separability.api import decide_within
from novikoff.separability.verdicts import Overlapping, Separable, Touching

Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]

SMALL = 40  # columns of what is left that the engine is asked about first
MEDIUM = 1000  # and so many columns, if they are of many rows each
ROWS_A_COLUMN = 16
SAFE = 2**62


@dataclass(frozen=True, eq=False)
class OppositeRows:
    """Different rows, opposite ones taken together: `above` and `below` have a row of each side.

    −1 stands for no such row; `place` is the group of each row that was given.
    """

    rows: Any
    above: Indices
    below: Indices
    place: Indices

    @classmethod
    def of(cls, Z: Any) -> "OppositeRows":
        """The rows of Z, whose columns are in order, in groups."""
        m, counts = Z.shape[0], np.diff(Z.indptr)
        some = counts > 0
        signs = np.ones(m, dtype=np.int64)
        signs[some] = np.sign(Z.data[Z.indptr[:-1][some]])
        data = Z.data * np.repeat(signs, counts)
        canonical = sp.csr_array((data, Z.indices, Z.indptr), shape=Z.shape)
        first, place = distinct_rows(canonical)
        above, below = np.full(len(first), -1), np.full(len(first), -1)
        for side, sign in ((above, 1), (below, -1)):
            of_sign = np.flatnonzero(signs == sign)[::-1]
            side[place[of_sign]] = of_sign  # the first of them comes last
        return cls(sp.csr_array(canonical[first]), above, below, place)

    @property
    def pinned(self) -> Mask:
        """The groups with rows of both sides."""
        return (self.above >= 0) & (self.below >= 0)

    def multipliers(self, face: "Face") -> Sum:
        """α > 0 on the rows that were given: on rows of both sides of what is pinned."""
        found: Sum = {}
        one, zero = Fraction(1), Fraction(0)
        for g in {*face.alpha, *face.basis.tolist()}:
            value = face.alpha.get(g, zero)
            if self.above[g] >= 0 and self.below[g] >= 0:
                found[int(self.above[g])] = one + max(value, zero)
                found[int(self.below[g])] = one + max(-value, zero)
            else:
                found[int(max(self.above[g], self.below[g]))] = value
        return found

    def oriented(self) -> Any:
        """The rows of the groups, each times −1 if only that occurs."""
        signs = np.where(self.above >= 0, 1, -1)
        data = self.rows.data * np.repeat(signs, np.diff(self.rows.indptr))
        return sp.csr_array((data, self.rows.indices, self.rows.indptr), shape=self.rows.shape)


def scores_of(rows: Any, weights: NDArray[Any]) -> NDArray[Any]:
    """The rows times integer weights, exactly."""
    largest = int(np.abs(rows.data).max(initial=0)) * int(np.diff(rows.indptr).max(initial=0))
    weights = np.asarray(weights)
    if weights.dtype == object and largest * max(map(abs, weights.tolist()), default=0) < SAFE:
        weights = weights.astype(np.int64)
    elif weights.dtype != object and largest * int(np.abs(weights).max(initial=0)) >= SAFE:
        weights = weights.astype(object)
    products = rows.data.astype(weights.dtype) * weights[rows.indices]
    if weights.dtype == object:
        ends = rows.indptr.tolist()
        values = products.tolist()
        found = np.empty(rows.shape[0], dtype=object)
        found[:] = [sum(values[a:b]) for a, b in pairwise(ends)]
        return found
    sums = np.append(0, np.cumsum(products))  # differences of sums that wrap are right
    return np.asarray(sums[rows.indptr[1:]] - sums[rows.indptr[:-1]])


@dataclass(eq=False)
class Face:
    """The rows that stay, a direction that moves all others, and multipliers of those that stay.

    `alpha` is positive on rows that are not pinned, and of any sign on pinned ones; Σ αx = 0.
    Pinned rows in `basis` and rows in `alpha` span all that stay.
    """

    on: Mask
    direction: list[int]
    alpha: Sum = field(default_factory=dict)
    basis: Indices = field(default_factory=lambda: np.empty(0, np.intp))


def face_of(rows: Any, pinned: Mask, deadline: Deadline) -> Face | None:
    """The answer for rows of integers; None if a number is too long, or no method decides."""
    levels = _Levels.of(rows, pinned)
    stays = np.flatnonzero(levels.settled < 0)
    face = _by_rank(sp.csr_array(rows[stays]), pinned[stays], deadline)
    if face is None:
        return None
    on = np.zeros(rows.shape[0], dtype=np.bool_)
    on[stays[face.on]] = True
    alpha = {int(stays[i]): value for i, value in face.alpha.items()}
    return Face(on, levels.raised(rows, face.direction), alpha, stays[face.basis])


@dataclass(frozen=True, eq=False)
class _Levels:
    """The columns of one sign, and the round in which each row left with one of them, or −1."""

    rounds: tuple[Indices, ...]
    signs: NDArray[np.int8]
    settled: Indices

    @classmethod
    def of(cls, rows: Any, pinned: Mask) -> "_Levels":
        m, width = rows.shape
        columns = sp.csc_array(rows)
        is_pinned = np.repeat(pinned, np.diff(rows.indptr))
        count = [
            np.bincount(rows.indices[is_pinned | (rows.data * sign > 0)], minlength=width)
            for sign in (1, -1)
        ]
        settled, signs = np.full(m, -1), np.zeros(width, dtype=np.int8)
        rounds: list[Indices] = []
        while True:
            above, below = (count[0] > 0) & (count[1] == 0), (count[1] > 0) & (count[0] == 0)
            found = np.flatnonzero(above | below)
            if len(found) == 0:
                return cls(tuple(rounds), signs, settled)
            signs[found] = np.where(above[found], 1, -1)
            moved = np.unique(sp.csc_array(columns[:, found]).indices)
            moved = moved[settled[moved] < 0]
            settled[moved] = len(rounds)
            rounds.append(found)
            part = sp.csr_array(rows[moved])
            for k, sign in enumerate((1, -1)):
                count[k] -= np.bincount(part.indices[part.data * sign > 0], minlength=width)
            in_time(())

    def raised(self, rows: Any, direction: list[int]) -> list[int]:
        """The direction with weights in the columns of one sign that move all of their rows.

        A row has no entry in columns of earlier rounds, so the last round is weighed first.
        """
        weights = np.array(direction, dtype=object)
        for k in range(len(self.rounds) - 1, -1, -1):
            own = np.flatnonzero(self.settled == k)
            part = sp.csr_array(rows[own])
            inside = np.zeros(rows.shape[1], dtype=np.bool_)
            inside[self.rounds[k]] = True
            lacking = 1 - scores_of(part, weights)
            each = np.repeat(lacking, np.diff(part.indptr))
            there = inside[part.indices]
            entries = np.abs(part.data[there])
            needed = -(-each[there] // entries)
            least = np.ones(rows.shape[1], dtype=needed.dtype)
            np.maximum.at(least, part.indices[there], needed)
            for j in self.rounds[k].tolist():
                weights[j] = int(self.signs[j]) * int(least[j])
        return list(weights.tolist())


def _by_rank(rows: Any, pinned: Mask, deadline: Deadline) -> Face | None:
    """The answer for rows without columns of one sign."""
    m, width = rows.shape
    if m == 0:
        return Face(np.ones(0, np.bool_), [0] * width)
    if not pinned.any():
        return _rest(rows, deadline)
    echelon = Echelon.of(rows, np.flatnonzero(pinned))
    if echelon is None:
        return None
    others = np.flatnonzero(~pinned)
    along = sparse_product(sp.csr_array(rows[others]), sp.csr_array(echelon.null.T))
    if along is None:
        return None
    on = np.ones(m, dtype=np.bool_)
    left = np.flatnonzero(np.diff(along.indptr) > 0)
    if len(left) == 0:
        return Face(on, [0] * width, {}, echelon.basis)
    along = sp.csr_array(along[left])
    shared = np.gcd.reduceat(np.abs(along.data), along.indptr[:-1])
    along.data //= np.repeat(shared, np.diff(along.indptr))
    groups = OppositeRows.of(along)
    inner = face_of(groups.oriented(), groups.pinned, deadline)
    if inner is None:
        return None
    on[others[left]] = inner.on[groups.place]
    direction = _whole(echelon.lifted([Fraction(value) for value in inner.direction]))
    alpha, total = Sum(), Sum()
    for k, value in in_time(groups.multipliers(inner).items()):
        i = int(others[left[k]])
        alpha[i] = value / int(shared[k])
        add_to(total, echelon.row(i), -alpha[i])
    pins = echelon.shares(total) if total else Sum()
    return None if pins is None else Face(on, direction, alpha | pins, echelon.basis)


def _rest(rows: Any, deadline: Deadline) -> Face | None:
    """The answer where no row is pinned: by the engine, or by a program that it checks."""
    used = np.unique(rows.indices)
    part = sp.csr_array(rows[:, used])
    face = None
    few = part.shape[0] < ROWS_A_COLUMN * len(used)
    if len(used) > MEDIUM or (few and len(used) > SMALL):
        face = _by_program(part, deadline)
    face = face or _by_engine(part, deadline)
    if face is None:
        return None
    direction = [0] * rows.shape[1]
    for j, value in zip(used.tolist(), face.direction, strict=True):
        direction[j] = value
    return Face(face.on, direction, face.alpha, face.basis)


def _by_engine(rows: Any, deadline: Deadline) -> Face | None:
    m, width = rows.shape
    names = tuple(f"x{j}" for j in range(width))
    matrix = rows.astype(np.float64)
    matrix = matrix if width > SMALL else matrix.toarray()
    problem = Problem(matrix, np.ones(m, np.int8), False, names, (-1, 1))
    answer = decide_within(ExactProblem.of(problem), deadline)
    on = np.ones(m, dtype=np.bool_)
    if isinstance(answer, Overlapping):
        direction: Sequence[Fraction] = [Fraction(0)] * width
    elif isinstance(answer, (Separable, Touching)):
        direction = answer.exact_weights
        on[:] = False
        if isinstance(answer, Touching):
            on[answer.rows_on_plane] = True
    else:
        return None
    alpha: Sum = {}
    if not isinstance(answer, Separable):
        alpha = dict(zip(answer.rows.tolist(), answer.exact_alpha(), strict=True))
    return Face(on, _whole(direction), alpha)


def _by_program(rows: Any, deadline: Deadline) -> Face | None:
    """HiGHS proposes the rows that stay, and their multipliers; both are then solved exactly."""
    proposed = _program(rows, deadline)
    if proposed is None:
        return None
    direction, multipliers = proposed
    on = multipliers > 0.5
    stay, off = np.flatnonzero(on), np.flatnonzero(~on)
    echelon = Echelon.of(rows, stay)
    if echelon is None:
        return None
    whole, alpha = [0] * rows.shape[1], Sum()
    near, left = echelon.coordinates(direction), sp.csr_array(rows[off])
    for digits in (4, 12, 24) if len(off) else ():
        steps = np.rint(near * 2.0**digits).tolist()
        whole = _whole(echelon.lifted([Fraction(int(step), 1 << digits) for step in steps]))
        if (scores_of(left, np.array(whole, dtype=object)) > 0).all():
            break
    else:
        if len(off):
            return None
    if len(stay):
        basis = set(echelon.basis.tolist())
        total: Sum = {}
        for i in stay.tolist():
            if i not in basis:
                alpha[i] = Fraction(multipliers[i]).limit_denominator(1 << 10)
                add_to(total, echelon.row(i), -alpha[i])
        alpha |= echelon.shares(total) or {}
        if len(alpha) < len(stay) or min(alpha.values()) <= 0:
            return None
    return Face(on, whole, alpha)


def _program(rows: Any, deadline: Deadline) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """δ and α of: the greatest Σ tᵢ with xᵢ·δ ≥ tᵢ and 0 ≤ tᵢ ≤ 1."""
    import highspy

    m, width = rows.shape
    scale = np.abs(rows).max(axis=0).toarray().ravel().astype(np.float64)
    scaled = sp.csr_array(rows.astype(np.float64) @ sp.diags_array(1 / scale))
    A = sp.csr_array(sp.hstack([scaled, -sp.eye_array(m)]))
    above = np.full(m, np.inf)
    solver = highs_program(A, np.append(np.zeros(width), -np.ones(m)), np.zeros(m), above)
    beyond = np.arange(width, width + m, dtype=np.int32)
    solver.changeColsBounds(m, beyond, np.zeros(m), np.ones(m))
    left = seconds_in_force()
    if np.isfinite(left):
        solver.setOptionValue("time_limit", max(0.0, left))
    solver.run()
    deadline.check()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    found = solver.getSolution()
    return np.array(found.col_value[:width]) / scale, np.abs(np.array(found.row_dual))


def highs_program(A: Any, costs: NDArray[Any], lower: NDArray[Any], upper: NDArray[Any]) -> Any:
    """HiGHS, about to minimise costs·x over lower ≤ Ax ≤ upper, with x free."""
    import highspy

    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = A.shape
    lp.col_cost_ = costs
    lp.col_lower_ = np.full(A.shape[1], -highspy.kHighsInf)
    lp.col_upper_ = np.full(A.shape[1], highspy.kHighsInf)
    lp.row_lower_, lp.row_upper_ = lower, upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = A.indptr, A.indices
    lp.a_matrix_.value_ = A.data.astype(np.float64)
    solver.passModel(lp)
    return solver


def _whole(direction: Sequence[Fraction]) -> list[int]:
    return [int(value) for value in primitive(direction)]
