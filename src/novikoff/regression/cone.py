"""The recession cone of the likelihood, exactly: the directions along which it never falls.

A has rows yᵢx̂ᵢ. The log-likelihood of a logistic regression never falls along β exactly if Aβ ≥ 0:
these β are the cone. Let F be the rows that are 0 on the whole cone. Then the supremum of the
likelihood is that of the rows F alone, which is attained, while all other rows are fitted perfectly
in the limit (Albert and Anderson 1984; Geyer 2009). So, for every sequence that approaches it:

- a coefficient that is 0 on the whole cone is finite;
- one that is ≥ 0 on it, and not always 0, goes to +∞: by Farkas' lemma it is a sum of rows, at
  least one of which is outside F, with a positive factor;
- one that takes both signs may go to either infinity or stay finite;
- a column that is a combination of those before it is aliased: it is set aside, as R does, and the
  others are asked about without it.

Whether βⱼ < 0 is possible on the cone is a question of separability itself. The cone spans the null
space of the rows F, and in there its rows outside F have a strict separator. Add the row −eⱼ: they
still have one if and only if βⱼ can be negative.

For rows that are not in memory, the question is asked of a working set, whose cone is no smaller.
If that has no such direction, neither has the cone itself. If it has one, a pass checks it on all
rows, exactly: it is a direction of the cone, or the rows that it fails join the set, the worst ones
first. All coefficients share the set and the passes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.progress import Deadline, OutOfTime, in_time
from novikoff.exact.points import ExactProblem
from novikoff.exact.projection import null_space_at, null_space_of, project_rows, with_intercept
from novikoff.exact.rational import Vector, over_one_denominator, primitive
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.score_signs import score_signs
from novikoff.matrix.arrays import LARGEST_EXACT_INTEGER
from novikoff.matrix.problem import Matrix, Problem, float64_holds
from novikoff.matrix.remote import RemoteMatrix
from novikoff.regression.estimates import Estimate
from novikoff.separability.api import Answer, decide_within
from novikoff.separability.verdicts import Overlapping, Separable, Touching, Undecided, Verdict

Indices: TypeAlias = NDArray[np.intp]

MANY = 50  # coefficients, of which more than there are rows are not asked about one by one
MOST_QUESTIONS = 300  # coefficients whose other sign is asked for, each a problem of its own


@dataclass(frozen=True)
class Cone:
    """The directions along which the likelihood never falls, and what they do to each coefficient.

    `direction` is one in the relative interior: 0 on the rows `on_plane` only. `dimension` is the
    cone's, `idle` that of the directions along which nothing changes. None: not known.
    """

    direction: Vector | None
    on_plane: Indices
    dimension: int | None
    idle: int | None
    estimates: tuple[Estimate, ...]


def recession_cone(
    verdict: Verdict, most_questions: int | None = None, deadline: Deadline | None = None
) -> Cone:
    """The cone of a verdict's data, the intercept last among the coefficients.

    At most `most_questions` coefficients (300 if not given) are asked for their sign, and none
    after the time of `deadline`.
    """
    problem = verdict.problem
    p = problem.d + problem.fit_intercept
    nowhere, everywhere = np.empty(0, np.intp), np.arange(problem.n)
    too_many = p > max(problem.n, MANY)
    if too_many or not isinstance(verdict, (Separable, Touching, Overlapping)):
        on_plane = verdict.rows_on_plane if isinstance(verdict, Touching) else nowhere
        return Cone(None, on_plane, None, None, (Estimate.UNDECIDED,) * p)
    reading = ExactMatrix(problem.X, verdict.decimals)
    idle = _echelon(
        null_space_of(reading, everywhere, problem.fit_intercept), problem.fit_intercept
    )
    columns = _Kept.of(problem, verdict.decimals, set(idle))
    if isinstance(verdict, Overlapping):
        estimates = columns.spread([Estimate.FINITE] * len(columns.kept), p)
        return Cone((Fraction(0),) * p, everywhere, len(idle), len(idle), estimates)
    direction = _without(_direction(verdict), idle)
    on_plane, rows, hull = columns.rows_and_hull(verdict)
    if isinstance(verdict, Touching) and not columns.are_forced(verdict, len(hull)):
        return Cone(direction, on_plane, None, len(idle), (Estimate.UNDECIDED,) * p)
    found = _estimates(
        rows,
        [direction[j] for j in columns.kept],
        hull,
        MOST_QUESTIONS if most_questions is None else most_questions,
        deadline or Deadline(),
    )
    dimension = len(hull) + len(idle)
    return Cone(direction, on_plane, dimension, len(idle), columns.spread(found, p))


def _echelon(basis: list[Vector], with_intercept: bool) -> dict[int, Vector]:
    """An echelon basis of the space: each vector has its aliased column to itself.

    As in R, the column that goes is the last of a dependency, and the intercept comes before all
    others. So the vectors are made echelon from the right, the intercept at the far left.
    """
    if not basis:
        return {}
    p = len(basis[0])
    order = list(reversed([p - 1, *range(p - 1)] if with_intercept else range(p)))
    table = [[int(value) for value in primitive([vector[j] for j in order])] for vector in basis]
    echelon, _, rank = flint.fmpz_mat(table).rref()
    found = {}
    for row in echelon.table()[:rank]:
        lead = next(k for k, value in enumerate(row) if value)
        vector = [Fraction(0)] * p
        for k, value in enumerate(row):
            vector[order[k]] = Fraction(int(value), int(row[lead]))
        found[order[lead]] = tuple(vector)
    return found


def _without(direction: Vector, idle: dict[int, Vector]) -> Vector:
    """The direction that does the same to every row, and is 0 on the aliased columns."""
    for j, vector in idle.items():
        share = direction[j]
        direction = tuple(d - share * v for d, v in zip(direction, vector, strict=True))
    return direction


@dataclass(frozen=True)
class _Kept:
    """The columns that are no combination of those before them, and the data in them alone."""

    problem: Problem
    reading: ExactMatrix
    kept: list[int]

    @classmethod
    def of(cls, problem: Problem, decimals: bool, aliased: set[int]) -> "_Kept":
        p = problem.d + problem.fit_intercept
        kept = [j for j in range(p) if j not in aliased]
        features = [j for j in kept if j < problem.d]
        X = problem.X if len(features) == problem.d else problem.X[:, features]
        return cls(problem, ExactMatrix(X, decimals), kept)

    def spread(self, estimates: Sequence[Estimate], p: int) -> tuple[Estimate, ...]:
        """An estimate for each coefficient: what is not kept is aliased."""
        known = dict(zip(self.kept, estimates, strict=True))
        return tuple(known.get(j, Estimate.ALIASED) for j in range(p))

    def rows_and_hull(self, verdict: Separable | Touching) -> tuple[Indices, "Rows", list[Vector]]:
        """The rows on the plane, the others along the directions of the cone, and those."""
        problem, bias = self.problem, self.problem.fit_intercept
        if isinstance(verdict, Separable):
            k = len(self.kept)
            X = with_intercept(self.reading.X) if bias else self.reading.X
            hull = [_unit(j, k) for j in range(k)]
            return np.empty(0, np.intp), Rows(X, problem.y, verdict.decimals), hull
        on_plane = verdict.rows_on_plane
        hull = null_space_of(self.reading, on_plane, bias)
        off = np.setdiff1d(np.arange(problem.n), on_plane)
        rows = Rows(project_rows(self.reading, off, hull, bias), problem.y[off], False)
        return on_plane, rows, hull

    def are_forced(self, verdict: Touching, dimension: int) -> bool:
        """Whether the rows with an α span those on the plane: then every weak plane holds them."""
        if np.array_equal(verdict.rows, verdict.rows_on_plane):
            return True
        bias = self.problem.fit_intercept
        return len(null_space_of(self.reading, verdict.rows, bias)) == dimension


@dataclass(frozen=True)
class Rows:
    """Rows with a strict separator, and no intercept; `decimals` as in `separate`."""

    X: Any
    y: NDArray[np.int8]
    decimals: bool

    def estimate(self, asked: "OpenSign", deadline: Deadline) -> Estimate:
        """What becomes of a coefficient, unless time is over before it is known."""
        try:
            return estimate_of(self.with_row(asked.row, asked.sign, deadline), asked.one_way)
        except OutOfTime:
            return Estimate.UNDECIDED

    def with_row(self, row: list[int], sign: int, deadline: Deadline) -> Answer:
        """The verdict when one more row, of class `sign`, has to be on its side."""
        X, y = _stack(self.X, row), np.append(self.y, sign)
        return _verdict(X, y, self.decimals, deadline)


def _unit(j: int, p: int) -> Vector:
    return tuple(Fraction(int(k == j)) for k in range(p))


def _direction(verdict: Separable | Touching) -> Vector:
    bias = (verdict.exact_intercept,) if verdict.problem.fit_intercept else ()
    return (*verdict.exact_weights, *bias)


def _estimates(
    rows: Rows,
    direction: Sequence[Fraction],
    hull: list[Vector],
    most_questions: int,
    deadline: Deadline,
) -> list[Estimate]:
    """What becomes of each coefficient; `hull` spans the cone, and `rows` are along it."""
    estimates: list[Estimate] = []
    for j, known in enumerate(first_look(direction, hull, most_questions)):
        if not isinstance(known, OpenSign):
            estimates.append(known)
        elif deadline.is_over():
            estimates.append(Estimate.UNDECIDED)
        else:
            place = deadline.within(f"coefficient {j + 1} of {len(direction)}")
            estimates.append(rows.estimate(known, place))
    return estimates


class OpenSign(NamedTuple):
    """A coefficient that goes `one_way`, unless the cone has a direction with the other sign.

    It has one if the rows along the hull have a strict separator with this row, of class `sign`.
    """

    row: list[int]
    sign: int
    one_way: Estimate


def first_look(
    direction: Sequence[Fraction], hull: list[Vector], most_questions: int = MOST_QUESTIONS
) -> list[Estimate | OpenSign]:
    """What an inner direction and the hull of the cone tell of each coefficient, or what to ask."""
    found: list[Estimate | OpenSign] = []
    questions = 0
    for j, value in enumerate(in_time(direction)):
        one_way = Estimate.PLUS_INFINITY if value > 0 else Estimate.MINUS_INFINITY
        shares = [vector[j] for vector in hull]
        if not any(shares):
            found.append(Estimate.FINITE)
        # An inner direction with βⱼ = 0, where βⱼ is not always 0, can be bent either way.
        elif value == 0:
            found.append(Estimate.NOT_DETERMINED)
        elif len(hull) == 1:  # a single ray
            found.append(one_way)
        elif questions == most_questions:
            found.append(Estimate.UNDECIDED)
        else:
            questions += 1
            row, _ = over_one_denominator(shares)
            found.append(OpenSign(row, -1 if value > 0 else 1, one_way))
    return found


def estimate_of(answer: Answer, one_way: Estimate) -> Estimate:
    """The rows had a strict separator; if they have none with the other sign, there is one way."""
    if isinstance(answer, Undecided):
        return Estimate.UNDECIDED
    return Estimate.NOT_DETERMINED if isinstance(answer, Separable) else one_way


def _stack(X: Any, row: list[int]) -> Any:
    if sp.issparse(X):
        return sp.csr_array(sp.vstack([X, np.array([row], dtype=X.dtype)]))
    exact = X.dtype == object or not float64_holds(X) or max(map(abs, row)) > LARGEST_EXACT_INTEGER
    last = np.array([row], dtype=object if exact else np.float64)
    return np.vstack([X.astype(object) if exact else X, last])


def _verdict(X: Any, y: NDArray[Any], decimals: bool, deadline: Deadline) -> Answer:
    """The verdict on rows without an intercept, which may all be of one class."""
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    problem = Problem(X, y.astype(np.int8), False, names, (-1, 1))
    return decide_within(ExactProblem.of(problem, decimals=decimals), deadline)


ROWS_A_COLUMN = 20  # of the first working set
MOST_NUMBERS = 1 << 27  # of a working set, as where rows are decided in passes
WORST = 16  # rows of a part that join for one direction, at least
WORST_TOGETHER = 1024  # and about so many for all directions


def remote_estimates(
    verdict: Verdict, rows: RemoteMatrix, deadline: Deadline
) -> tuple[Estimate, ...]:
    """What becomes of each coefficient; the verdict is on these rows, without an intercept.

    No column is a combination of others. After the time of `deadline` nothing more is asked.
    """
    p = verdict.problem.d
    if isinstance(verdict, Overlapping):
        return (Estimate.FINITE,) * p
    if not isinstance(verdict, (Separable, Touching)):
        return (Estimate.UNDECIDED,) * p
    reading = ExactMatrix(rows, verdict.decimals)
    direction = verdict.exact_weights
    off, hull = np.arange(verdict.problem.n), _axes(p)
    if isinstance(verdict, Touching):
        off = np.setdiff1d(off, verdict.rows_on_plane)
        found = null_space_at(reading, verdict.rows)
        hull = found if len(found) < p else hull
        if not all(reading.over_parts(_is_zero_where, direction, hull)):
            return (Estimate.UNDECIDED,) * p
    looked = first_look(direction, hull)
    asked = {j: known for j, known in enumerate(looked) if isinstance(known, OpenSign)}
    answers = _answers(reading, off, hull, asked, deadline)
    return tuple(answers[j] if isinstance(e, OpenSign) else e for j, e in enumerate(looked))


def _axes(p: int) -> list[Vector]:
    return [tuple(Fraction(int(j == k)) for k in range(p)) for j in range(p)]


def _is_zero_where(reading: ExactMatrix, direction: Vector, hull: list[Vector]) -> bool:
    """Whether the rows of a part that the direction leaves at 0 are so on the whole hull."""
    zero = score_signs(reading, direction, Fraction(0)) == 0
    return not any(score_signs(reading, vector, Fraction(0))[zero].any() for vector in hull)


def _answers(
    reading: ExactMatrix,
    off: Indices,
    hull: list[Vector],
    asked: dict[int, OpenSign],
    deadline: Deadline,
) -> dict[int, Estimate]:
    """Whether each coefficient that is asked about goes one way; `off` are rows not always 0."""
    remote = reading.X
    assert isinstance(remote, RemoteMatrix)
    answers: dict[int, Estimate] = {}
    count = min(len(off), ROWS_A_COLUMN * remote.shape[1])
    rows = off[np.unique(np.linspace(0, len(off) - 1, count, dtype=np.intp))]
    while asked and len(rows) * remote.shape[1] <= MOST_NUMBERS and not deadline.is_over():
        near = _along(reading.part(rows), hull)
        proposed: dict[int, Vector] = {}
        for j, question in list(asked.items()):
            place = deadline.within(f"coefficient {j + 1} of {remote.shape[1]}")
            answer = near.with_row(question.row, question.sign, place)
            if isinstance(answer, Separable):
                proposed[j] = _combined(answer.exact_weights, hull)
            else:
                answers[j] = estimate_of(answer, question.one_way)
                del asked[j]
        added = _failed(reading, proposed)
        for j in proposed:
            if not len(added[j]):
                answers[j] = Estimate.NOT_DETERMINED
                del asked[j]
        rows = np.union1d(rows, np.concatenate([rows[:0], *added.values()]))
    return answers | dict.fromkeys(asked, Estimate.UNDECIDED)


def _along(reading: ExactMatrix, hull: list[Vector]) -> Rows:
    """Rows in memory in coordinates of the hull, each perhaps times a positive factor."""
    X = reading.X
    ones = np.ones(X.shape[0], dtype=np.int8)
    if len(hull) == X.shape[1] and not reading.decimals:  # then its vectors are those of the axes
        return Rows(X, ones, False)
    return Rows(project_rows(reading, np.arange(X.shape[0]), hull, False), ones, False)


def _combined(shares: Vector, hull: list[Vector]) -> Vector:
    """Σ tᵢvᵢ over the vectors of the hull."""
    columns = zip(*hull, strict=True)
    return tuple(sum((t * v for t, v in zip(shares, c, strict=True)), Fraction(0)) for c in columns)


def _failed(reading: ExactMatrix, proposed: dict[int, Vector]) -> dict[int, Indices]:
    """For each direction the rows that it fails worst; none if it belongs to the cone."""
    if not proposed:
        return {}
    most = max(WORST, WORST_TOGETHER // len(proposed))
    remote = reading.X
    assert isinstance(remote, RemoteMatrix)
    parts = reading.over_parts(_failed_in_part, list(proposed.values()), most)
    found = {}
    for at, j in enumerate(proposed):
        rows = np.concatenate(
            [part[at][0] + first for part, first in zip(parts, remote.offsets, strict=True)]
        )
        sizes = np.concatenate([part[at][1] for part in parts])
        found[j] = rows[np.argsort(sizes, kind="stable")[:most]].astype(np.intp)
    return found


def _failed_in_part(
    reading: ExactMatrix, directions: list[Vector], most: int
) -> list[tuple[Indices, NDArray[np.float64]]]:
    """For each direction the rows of a part below 0, exactly, and about how far."""
    found = []
    for direction in directions:
        failed = np.flatnonzero(score_signs(reading, direction, Fraction(0)) < 0)
        sizes = _distances(reading.X[failed], direction) if len(failed) else np.empty(0)
        worst = np.argsort(sizes, kind="stable")[:most]
        found.append((failed[worst], sizes[worst]))
    return found


def _distances(X: Matrix, direction: Vector) -> NDArray[np.float64]:
    """How far rows are from the plane, in floating point; only which come first depends on it."""
    largest = max(map(abs, direction))
    w = np.array([float(value / largest) for value in direction])
    with np.errstate(all="ignore"):
        scores = np.asarray(X @ w, dtype=np.float64)
        squares = X.multiply(X).sum(axis=1) if sp.issparse(X) else (X * X).sum(axis=1)
        return np.nan_to_num(scores / np.sqrt(np.asarray(squares, dtype=np.float64).ravel()))
