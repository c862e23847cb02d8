"""The recession cone of the likelihood, exactly: where maximum likelihood runs off to.

A has rows yᵢx̂ᵢ. The log-likelihood of a logistic regression never falls along β exactly if Aβ ≥ 0:
these β are the cone. Let F be the rows that are 0 on the whole cone. Then the supremum of the
likelihood is that of the rows F alone, which is attained, while all other rows are fitted perfectly
in the limit (Albert and Anderson 1984; Geyer 2009). So, for every sequence that approaches it:

- a coefficient that is 0 on the whole cone is finite;
- one that is ≥ 0 on it, and not always 0, goes to +∞: by Farkas' lemma it is a sum of rows, at
  least one of which is outside F, with a positive factor;
- one that takes both signs may go to either infinity or stay finite;
- one that is not 0 on the directions along which nothing changes at all (Aβ = 0) is not identified.

Whether βⱼ < 0 is possible on the cone is a question of separability itself: add the row −eⱼ to A,
and ask for a weak separator that is positive there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff.problem import Problem
from novikoff.separability.decide import Answer, separate
from novikoff.separability.reading import Reading
from novikoff.separability.spans import Vector, null_space, outside
from novikoff.separability.verdict import Overlapping, Separable, Touching, Undecided

__all__ = ["Cone", "Estimate", "recession_cone"]

Estimate: TypeAlias = Literal["finite", "+inf", "-inf", "either", "not identified", "undetermined"]
Indices: TypeAlias = NDArray[np.intp]

MOST_QUESTIONS = 200  # coefficients whose other sign is asked for, each a problem of its own


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


def recession_cone(verdict: Answer) -> Cone:
    """The cone of a verdict's data, the intercept last among the coefficients."""
    problem = verdict.problem
    p = problem.d + problem.fit_intercept
    if isinstance(verdict, Undecided):
        return Cone(None, np.empty(0, np.intp), None, None, _unknown(p))
    everything = np.arange(problem.n)
    reading = Reading(problem.X, verdict.decimals)
    idle = _null_space_of(reading, everything, problem.fit_intercept)
    if isinstance(verdict, Overlapping):
        estimates: tuple[Estimate, ...] = tuple(_identified(idle, j) for j in range(p))
        return Cone((Fraction(0),) * p, everything, len(idle), len(idle), estimates)
    direction = _direction(verdict)
    if isinstance(verdict, Separable):
        return Cone(
            direction,
            np.empty(0, np.intp),
            p,
            len(idle),
            _estimates(verdict, direction, None, idle),
        )
    if not _forced(verdict):
        return Cone(direction, verdict.rows_on_plane, None, len(idle), _unknown(p))
    hull = _null_space_of(reading, verdict.rows_on_plane, problem.fit_intercept)
    estimates = _estimates(verdict, direction, hull, idle)
    return Cone(direction, verdict.rows_on_plane, len(hull), len(idle), estimates)


def _unknown(p: int) -> tuple[Estimate, ...]:
    unknown: Estimate = "undetermined"
    return (unknown,) * p


def _direction(verdict: Separable | Touching) -> Vector:
    bias = (verdict.exact_intercept,) if verdict.problem.fit_intercept else ()
    return (*verdict.exact_weights, *bias)


def _identified(idle: list[Vector], j: int) -> Estimate:
    return "not identified" if any(vector[j] for vector in idle) else "finite"


def _estimates(
    verdict: Separable | Touching,
    direction: Vector,
    hull: list[Vector] | None,
    idle: list[Vector],
) -> tuple[Estimate, ...]:
    """What becomes of each coefficient; `hull` spans the cone (None: it is everything)."""
    estimates: list[Estimate] = []
    seen = [{_sign(value)} for value in direction]
    questions = 0
    for j, value in enumerate(direction):
        if _identified(idle, j) == "not identified":
            estimates.append("not identified")
        elif hull is not None and not any(vector[j] for vector in hull):
            estimates.append("finite")
        # An inner direction with βⱼ = 0, where βⱼ is not always 0, can be bent either way.
        elif value == 0 or {-1, 1} <= seen[j]:
            estimates.append("either")
        elif questions == MOST_QUESTIONS:
            estimates.append("undetermined")
        else:
            questions += 1
            answer = _with_sign(verdict.problem, j, -_sign(value), verdict.decimals)
            estimates.append(_judged(answer, value))
            if isinstance(answer, (Separable, Touching)):
                for known, other in zip(seen, answer.exact_weights, strict=True):
                    known.add(_sign(other))
    return tuple(estimates)


def _judged(answer: Answer, value: Fraction) -> Estimate:
    """The estimate of a coefficient that can have the sign of `value`, and perhaps the other."""
    alone: Estimate = "+inf" if value > 0 else "-inf"
    if isinstance(answer, Separable):
        return "either"
    if isinstance(answer, Overlapping):
        return alone
    if isinstance(answer, Touching):
        last = answer.n - 1
        if last not in answer.rows_on_plane:
            return "either"
        return alone if last in answer.rows or _forced(answer) else "undetermined"
    return "undetermined"


def _with_sign(problem: Problem, j: int, sign: int, decimals: bool) -> Answer:
    """The verdict on the rows x̂ and one more: the j-th unit vector, of class `sign`."""
    unit = np.zeros((1, problem.d + problem.fit_intercept))
    unit[0, j] = 1.0
    y = np.append(problem.y, sign)
    return _without_intercept(problem.X, y, problem.fit_intercept, unit, decimals=decimals)


def _without_intercept(
    X: Any,
    y: NDArray[Any],
    fit_intercept: bool,
    more: NDArray[Any] | None = None,
    *,
    decimals: bool = False,
) -> Answer:
    """The verdict on the rows x̂, their 1 a column like any other, and perhaps some more rows."""
    sparse = sp.issparse(X)
    hstack, vstack = (_sparse(sp.hstack), _sparse(sp.vstack)) if sparse else (np.hstack, np.vstack)
    if fit_intercept:
        X = hstack([X, np.ones((X.shape[0], 1), dtype=X.dtype)])
    if more is not None:
        X = vstack([X, more.astype(X.dtype)])
    if (y == y[0]).all():
        # −x of the other class is the same row of A as x of this one.
        flip = np.where(np.arange(len(y)) == 0, -1, 1)
        X = sp.csr_array(sp.diags_array(flip) @ X) if sparse else X * flip[:, None]
        y = y * flip
    return separate(X, y, fit_intercept=False, decimals=decimals)


def _sparse(stack: Callable[..., Any]) -> Callable[[list[Any]], Any]:
    return lambda parts: sp.csr_array(stack(parts))


def _forced(verdict: Touching) -> bool:
    """Whether every row on the plane is proven to be on the plane of every weak separator.

    The rows with an α are. So are all rows in their span; and if they span too little, the rows on
    the plane must overlap when looked at by themselves.
    """
    problem = verdict.problem
    reading = Reading(problem.X, verdict.decimals)
    basis = null_space(reading, verdict.rows.tolist(), problem.fit_intercept)
    on_plane = verdict.rows_on_plane
    if all(
        not np.isin(outside(reading, [vector], problem.fit_intercept), on_plane).any()
        for vector in basis
    ):
        return True
    # Integers, because fewer rows might be read as decimals where all of them were not.
    X = reading.integers(on_plane, range(problem.d))[0] if verdict.decimals else problem.X[on_plane]
    alone = _without_intercept(X, problem.y[on_plane], problem.fit_intercept)
    return isinstance(alone, Overlapping)


def _null_space_of(reading: Reading, rows: Indices, fit_intercept: bool) -> list[Vector]:
    """A basis of what is orthogonal to many rows: to a few first, and to more if need be."""
    p = reading.X.shape[1] + fit_intercept
    few = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), 3 * p), dtype=int))]
    while True:
        basis = null_space(reading, few.tolist(), fit_intercept)
        for vector in basis:
            missed = np.intersect1d(outside(reading, [vector], fit_intercept), rows)
            if len(missed):
                few = np.append(few, missed[:p])
                break
        else:
            return basis


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)
