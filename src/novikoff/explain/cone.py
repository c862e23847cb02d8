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

Whether βⱼ < 0 is possible on the cone is a question of separability itself. The cone spans the null
space of the rows F, and in there its rows outside F have a strict separator. Add the row −eⱼ: they
still have one if and only if βⱼ can be negative.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Literal, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff.decide import Answer, separate
from novikoff.exact.reading import Reading
from novikoff.exact.restriction import along, null_space_of, selected, with_intercept
from novikoff.exact.spans import Vector, independent_columns, null_space
from novikoff.verdicts.verdict import Overlapping, Separable, Touching, Undecided, Verdict

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


def recession_cone(verdict: Verdict) -> Cone:
    """The cone of a verdict's data, the intercept last among the coefficients."""
    problem = verdict.problem
    p = problem.d + problem.fit_intercept
    nowhere, everywhere = np.empty(0, np.intp), np.arange(problem.n)
    if not isinstance(verdict, (Separable, Touching, Overlapping)):
        return Cone(None, nowhere, None, None, _unknown(p))
    reading = Reading(problem.X, verdict.decimals)
    idle = null_space_of(reading, everywhere, problem.fit_intercept)
    if isinstance(verdict, Overlapping):
        estimates: tuple[Estimate, ...] = tuple(_identified(idle, j) for j in range(p))
        return Cone((Fraction(0),) * p, everywhere, len(idle), len(idle), estimates)
    direction = _direction(verdict)
    if isinstance(verdict, Separable):
        hull = [_unit(j, p) for j in range(p)]
        X = with_intercept(problem.X) if problem.fit_intercept else problem.X
        rows = Rows(X, problem.y, verdict.decimals)
        return Cone(direction, nowhere, p, len(idle), _estimates(rows, direction, hull, idle))
    on_plane = verdict.rows_on_plane
    hull = null_space_of(reading, on_plane, problem.fit_intercept)
    if not _forced(verdict, reading, hull):
        return Cone(direction, on_plane, None, len(idle), _unknown(p))
    off = np.setdiff1d(everywhere, on_plane)
    rows = Rows(along(reading, off, hull, problem.fit_intercept), problem.y[off], False)
    estimates = _estimates(rows, direction, hull, idle)
    return Cone(direction, on_plane, len(hull), len(idle), estimates)


@dataclass(frozen=True)
class Rows:
    """Rows with a strict separator, and no intercept; `decimals` as in `separate`."""

    X: Any
    y: NDArray[np.int8]
    decimals: bool

    def with_row(self, row: list[int], sign: int) -> Answer:
        """The verdict when one more row, of class `sign`, has to be on its side."""
        X, y = _stacked(self.X, row), np.append(self.y, sign)
        return _verdict(X, y, self.decimals)


def _unknown(p: int) -> tuple[Estimate, ...]:
    unknown: Estimate = "undetermined"
    return (unknown,) * p


def _unit(j: int, p: int) -> Vector:
    return tuple(Fraction(int(k == j)) for k in range(p))


def _direction(verdict: Separable | Touching) -> Vector:
    bias = (verdict.exact_intercept,) if verdict.problem.fit_intercept else ()
    return (*verdict.exact_weights, *bias)


def _identified(idle: list[Vector], j: int) -> Estimate:
    return "not identified" if any(vector[j] for vector in idle) else "finite"


def _estimates(
    rows: Rows, direction: Vector, hull: list[Vector], idle: list[Vector]
) -> tuple[Estimate, ...]:
    """What becomes of each coefficient; `hull` spans the cone, and `rows` are along it."""
    estimates: list[Estimate] = []
    questions = 0
    for j, value in enumerate(direction):
        one_way: Estimate = "+inf" if value > 0 else "-inf"
        shares = [vector[j] for vector in hull]
        if _identified(idle, j) == "not identified":
            estimates.append("not identified")
        elif not any(shares):
            estimates.append("finite")
        # An inner direction with βⱼ = 0, where βⱼ is not always 0, can be bent either way.
        elif value == 0:
            estimates.append("either")
        elif len(hull) - len(idle) == 1:  # a single ray
            estimates.append(one_way)
        elif questions == MOST_QUESTIONS:
            estimates.append("undetermined")
        else:
            questions += 1
            denominator = lcm(*(share.denominator for share in shares))
            unit = [int(share * denominator) for share in shares]
            answer = rows.with_row(unit, -1 if value > 0 else 1)
            estimates.append(_judged(answer, one_way))
    return tuple(estimates)


def _judged(answer: Answer, one_way: Estimate) -> Estimate:
    """The rows had a strict separator; if they have none with the other sign, there is one way."""
    if isinstance(answer, Undecided):
        return "undetermined"
    return "either" if isinstance(answer, Separable) else one_way


def _stacked(X: Any, row: list[int]) -> Any:
    if sp.issparse(X):
        return sp.csr_array(sp.vstack([X, np.array([row], dtype=X.dtype)]))
    exact = X.dtype == object or max(map(abs, row)) > 2**53
    last = np.array([row], dtype=object if exact else np.float64)
    return np.vstack([X.astype(object) if exact else X, last])


def _verdict(X: Any, y: NDArray[Any], decimals: bool) -> Answer:
    if (y == y[0]).all():
        # −x of the other class is the same row of A as x of this one.
        flip = np.where(np.arange(len(y)) == 0, -1, 1)
        X = sp.csr_array(sp.diags_array(flip) @ X) if sp.issparse(X) else X * flip[:, None]
        y = y * flip
    return separate(X, y, fit_intercept=False, decimals=decimals)


def _forced(verdict: Touching, reading: Reading, hull: list[Vector]) -> bool:
    """Whether every row on the plane is proven to be on the plane of every weak separator.

    The rows with an α are, and so are all rows that they span. If they span too little, the rows on
    the plane must overlap when looked at by themselves: in independent columns, which say it all.
    """
    fit_intercept = verdict.problem.fit_intercept
    if len(null_space(reading, verdict.rows.tolist(), fit_intercept)) == len(hull):
        return True
    on_plane = verdict.rows_on_plane
    columns = independent_columns(hull)
    X = selected(reading, on_plane, columns, fit_intercept)
    return isinstance(_verdict(X, verdict.problem.y[on_plane], False), Overlapping)
