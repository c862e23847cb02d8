"""The recession cone of rows that live elsewhere: what becomes of each coefficient.

`cone` says what is asked: whether the cone has a direction in which a coefficient has the other
sign than in an inner one. Here it is asked of a working set of rows, which leaves a cone that is no
smaller. If that has no such direction, neither has the cone itself. If it has one, a pass checks it
on all rows, exactly: it is a direction of the cone, or the rows that it fails join the set, the
worst ones first. All coefficients share the set and the passes.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.exact.far_null import null_space_at
from novikoff.exact.reading import Reading
from novikoff.exact.restriction import along
from novikoff.exact.score_signs import score_signs
from novikoff.exact.spans import Vector
from novikoff.explain.cone import Asked, Estimate, Indices, Rows, estimate_of, first_look
from novikoff.far import Far
from novikoff.problem import Matrix
from novikoff.progress import Watch
from novikoff.verdicts.verdict import Overlapping, Separable, Touching, Verdict

__all__ = ["far_estimates"]


ROWS_A_COLUMN = 20  # of the first working set
MOST_NUMBERS = 1 << 27  # of a working set, as where rows are decided in passes
WORST = 16  # rows of a part that join for one direction, at least
WORST_TOGETHER = 1024  # and about so many for all directions


def far_estimates(verdict: Verdict, rows: Far, watch: Watch) -> tuple[Estimate, ...]:
    """What becomes of each coefficient; the verdict is on these rows, without an intercept.

    No column is a combination of others. After the time of `watch` nothing more is asked.
    """
    p = verdict.problem.d
    finite: Estimate = "finite"
    undetermined: Estimate = "undetermined"
    if isinstance(verdict, Overlapping):
        return (finite,) * p
    if not isinstance(verdict, (Separable, Touching)):
        return (undetermined,) * p
    reading = Reading(rows, verdict.decimals)
    direction = verdict.exact_weights
    off, hull = np.arange(verdict.problem.n), _axes(p)
    if isinstance(verdict, Touching):
        off = np.setdiff1d(off, verdict.rows_on_plane)
        found = null_space_at(reading, verdict.rows)
        hull = found if len(found) < p else hull
        if not all(reading.over_parts(_is_zero_where, direction, hull)):
            return (undetermined,) * p
    looked = first_look(direction, hull)
    asked = {j: known for j, known in enumerate(looked) if isinstance(known, Asked)}
    answers = _answers(reading, off, hull, asked, watch)
    return tuple(answers[j] if isinstance(e, Asked) else e for j, e in enumerate(looked))


def _axes(p: int) -> list[Vector]:
    return [tuple(Fraction(int(j == k)) for k in range(p)) for j in range(p)]


def _is_zero_where(reading: Reading, direction: Vector, hull: list[Vector]) -> bool:
    """Whether the rows of a part that the direction leaves at 0 are so on the whole hull."""
    zero = score_signs(reading, direction, Fraction(0)) == 0
    return not any(score_signs(reading, vector, Fraction(0))[zero].any() for vector in hull)


def _answers(
    reading: Reading, off: Indices, hull: list[Vector], asked: dict[int, Asked], watch: Watch
) -> dict[int, Estimate]:
    """Whether each coefficient that is asked about goes one way; `off` are rows not always 0."""
    far = reading.X
    assert isinstance(far, Far)
    answers: dict[int, Estimate] = {}
    count = min(len(off), ROWS_A_COLUMN * far.shape[1])
    rows = off[np.unique(np.linspace(0, len(off) - 1, count, dtype=np.intp))]
    while asked and len(rows) * far.shape[1] <= MOST_NUMBERS and not watch.is_over():
        near = _along(reading.part(rows), hull)
        proposed: dict[int, Vector] = {}
        for j, question in list(asked.items()):
            place = watch.within(f"coefficient {j + 1} of {far.shape[1]}")
            answer = near.with_row(question.row, question.sign, place)
            if isinstance(answer, Separable):
                proposed[j] = _combined(answer.exact_weights, hull)
            else:
                answers[j] = estimate_of(answer, question.one_way)
                del asked[j]
        added = _failed(reading, proposed)
        for j in proposed:
            if not len(added[j]):
                answers[j] = "either"
                del asked[j]
        rows = np.union1d(rows, np.concatenate([rows[:0], *added.values()]))
    return answers | dict.fromkeys(asked, "undetermined")


def _along(reading: Reading, hull: list[Vector]) -> Rows:
    """Rows at hand in coordinates of the hull, each perhaps times a positive factor."""
    X = reading.X
    ones = np.ones(X.shape[0], dtype=np.int8)
    if len(hull) == X.shape[1] and not reading.decimals:  # then its vectors are those of the axes
        return Rows(X, ones, False)
    return Rows(along(reading, np.arange(X.shape[0]), hull, False), ones, False)


def _combined(shares: Vector, hull: list[Vector]) -> Vector:
    """Σ tᵢvᵢ over the vectors of the hull."""
    columns = zip(*hull, strict=True)
    return tuple(sum((t * v for t, v in zip(shares, c, strict=True)), Fraction(0)) for c in columns)


def _failed(reading: Reading, proposed: dict[int, Vector]) -> dict[int, Indices]:
    """For each direction the rows that it fails worst; none if it belongs to the cone."""
    if not proposed:
        return {}
    most = max(WORST, WORST_TOGETHER // len(proposed))
    far = reading.X
    assert isinstance(far, Far)
    parts = reading.over_parts(_failed_in_part, list(proposed.values()), most)
    found = {}
    for at, j in enumerate(proposed):
        rows = np.concatenate(
            [part[at][0] + first for part, first in zip(parts, far.offsets, strict=True)]
        )
        sizes = np.concatenate([part[at][1] for part in parts])
        found[j] = rows[np.argsort(sizes, kind="stable")[:most]].astype(np.intp)
    return found


def _failed_in_part(
    reading: Reading, directions: list[Vector], most: int
) -> list[tuple[Indices, NDArray[np.float64]]]:
    """The same in one part: which rows are below 0, exactly, and about how far."""
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
