"""The face that floating point proposes, proven in integers: one exact solve for α, one for w.

Take independent rows B among those on the plane. Round every other α to a small integer, and solve
for the α of B: the numbers that were rounded are short, so the solution is. For w, round it in the
columns that B leaves free and solve for it in the others. Then Aᵀα = 0 and α > 0 on the plane,
Aw = 0 on it and Aw > 0 off it, are checked on every row.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.exact.null_space import null_space
from novikoff.exact.points import ExactProblem
from novikoff.exact.residues import combination_is_zero
from novikoff.exact.scores import exact_signs
from novikoff.exact.solve import SignedIntegerRows, Solver, signed_integers
from novikoff.matrix.rows import Floats
from novikoff.separability.proofs.facial_reduction import WeakSeparator
from novikoff.separability.proofs.gordan import Multipliers
from novikoff.separability.search.face import (
    FaceProposal,
    independent_columns,
    independent_rows,
    of_like_size,
    signed_floats,
)

Indices = NDArray[np.intp]
MULTIPLES = (16, 256, 1 << 16)  # of α, before it is rounded
BITS = (24, 40, 52)  # of w in the free columns
FEW_COLUMNS = 100  # and below, choosing few rows takes less time than the search
FEW_NUMBERS = 1 << 21
MANY_OTHERS = 1 << 14  # rows, whose square is more than a second's work
BLOCK = 1 << 18  # numbers made integers together


class FaceBasis(NamedTuple):
    """Independent rows of a face and as many columns, and the exact system of the two."""

    rows: Indices
    columns: Indices
    solver: Solver


def proven_face(
    points: ExactProblem, A: Any, proposal: FaceProposal, check: Callable[[], None]
) -> WeakSeparator | Multipliers | None:
    """The face with its proof: multipliers alone if all rows are on it; None if it cannot be so."""
    on = proposal.on
    integers = signed_integers(points, on)
    A_on = of_like_size(A[on])
    basis = None if integers is None else _basis(integers, A_on, proposal.alpha)
    if integers is None or basis is None:
        return None
    multipliers = None
    few = _few(A_on, basis)
    if few is not None:
        multipliers = _positive(integers, basis, *few, check)
        # Fewer rows say the same only if they span the others: that is not for floats to decide.
        if multipliers is not None and not _span(points, integers, multipliers.rows, check):
            multipliers = None
    if multipliers is None:
        others = np.setdiff1d(np.arange(len(on)), basis.rows)
        weights = _at_least(proposal.alpha)[others]
        multipliers = _positive(integers, basis, others, weights, check)
    if multipliers is None:
        return None
    if len(on) == points.problem.n:
        return multipliers
    sizes = _sizes(A)
    for bits in BITS:
        w_hat = _weak_separator(integers, basis, proposal.w_hat, sizes, bits, check)
        if w_hat is not None and is_face(points, w_hat, on):
            return WeakSeparator(w_hat, on, multipliers)
    return None


def _sizes(A: Any) -> Floats:
    """The greatest size in each column."""
    ends = A.max(axis=0), A.min(axis=0)
    greatest, least = (end.toarray().ravel() if sp.issparse(end) else end for end in ends)
    sizes: Floats = np.maximum(greatest, -least)
    return sizes


def face_multipliers(
    points: ExactProblem, rows: Indices, near: Floats
) -> tuple[Fraction, ...] | None:
    """Exact positive multipliers on all of these rows, near those that floating point knows."""
    integers = signed_integers(points, rows)
    if integers is None:
        return None
    A = of_like_size(signed_floats(points, rows))
    basis = _basis(integers, A, near, at_any_size=True)
    if basis is None:
        return None
    for multiple in (*MULTIPLES, 1 << 30):
        scaled = near / near.min() * multiple
        others = np.setdiff1d(np.arange(len(rows)), basis.rows)
        found = _multipliers(integers, basis, others, scaled[others], lambda: None)
        if found is not None:
            values = dict(zip([*others.tolist(), *basis.rows.tolist()], found, strict=True))
            return tuple(values[i] for i in range(len(rows)))
    return None


def _basis(
    integers: SignedIntegerRows, A: Any, alpha: Floats, *, at_any_size: bool = False
) -> FaceBasis | None:
    weights = _at_least(alpha)
    columns = independent_columns(A, weights)
    chosen = A[:, columns]
    rows = independent_rows(sp.csr_array(chosen) if sp.issparse(chosen) else chosen, weights)
    if rows is None:
        return None
    solver = integers.square(rows, columns, at_any_size=at_any_size)
    return None if solver is None else FaceBasis(rows, columns, solver)


def _positive(
    integers: SignedIntegerRows,
    basis: FaceBasis,
    others: Indices,
    weights: Floats,
    check: Callable[[], None],
) -> Multipliers | None:
    """Exact multipliers on the basis and the other rows, near the given weights of those."""
    for multiple in MULTIPLES:
        found = _multipliers(integers, basis, others, weights * multiple, check)
        if found is not None:
            rows = np.concatenate([others, basis.rows])
            return Multipliers(integers.rows[rows], found)
    return None


def _span(
    points: ExactProblem, integers: SignedIntegerRows, rows: Indices, check: Callable[[], None]
) -> bool:
    """Whether these rows span all rows on the plane: what is orthogonal to them is so to all."""
    near, on = points.part(rows).reading, integers.rows
    for vector in null_space(near, range(len(rows)), points.problem.fit_intercept):
        check()
        if points.whole is None:  # fractions: they are integers already, and stay so
            moved = any(integers.score_all(vector))
        else:
            moved = bool(exact_signs(points, vector, on).any())
        if moved:
            return False
    return True


def _few(A: Any, basis: FaceBasis) -> tuple[Indices, Floats] | None:
    """At most as many of the other rows as the basis has, with multipliers that leave it positive.

    In coordinates of the basis the other rows are T, and Tᵀx ≤ −1 has a solution x ≥ 0 because the
    whole face has positive multipliers. Least squares without negative entries finds one with few
    entries: −1 as a sum of rows of T and of unit vectors (Lawson and Hanson, 1974).
    """
    others = np.setdiff1d(np.arange(A.shape[0]), basis.rows)
    if A.shape[1] > 2 * FEW_COLUMNS:
        return None
    r = len(basis.rows)
    if r == 0:  # rows of zeros: one of them says it all
        return others[:1], np.ones(1)
    if len(others) <= r or r > FEW_COLUMNS or len(others) * r > FEW_NUMBERS:
        return None
    from scipy.optimize import nnls  # slow to load, and seldom needed

    dense = A.toarray() if sp.issparse(A) else A
    square = dense[basis.rows][:, basis.columns]
    try:
        T = np.linalg.solve(square.T, dense[others][:, basis.columns].T)
        if len(others) > MANY_OTHERS and _is_uneven(T):
            return None
        x, residual = nnls(np.hstack([T, np.eye(r)]), -np.ones(r))
    except (RuntimeError, np.linalg.LinAlgError):
        return None
    used = np.flatnonzero(x[: len(others)] > 0)
    if residual > 1e-6 or len(used) == 0:
        return None
    return others[used], np.maximum(x[used], 2.0**-20)


def _is_uneven(T: Floats) -> bool:
    """Whether float64 loses a row of T beside another: there nnls tries every row in vain."""
    sizes = np.abs(T).max(axis=1)
    return bool(sizes.max() > 2.0**53 * sizes.min())


def _at_least(alpha: Floats) -> Floats:
    """α without what rounding may have made 0 or less."""
    return np.maximum(alpha, 2.0**-20)


def _multipliers(
    integers: SignedIntegerRows,
    basis: FaceBasis,
    others: Indices,
    alpha: Floats,
    check: Callable[[], None],
) -> tuple[Fraction, ...] | None:
    """Positive integers α with Σ αᵢaᵢ = 0 over the others and then the basis; None if not."""
    if not np.isfinite(alpha).all():
        return None
    rounded = [max(1, round(value)) for value in alpha.tolist()]
    right = [-value for value in integers.combine(others, rounded)]
    solved = basis.solver.solve(
        [right[j] for j in basis.columns.tolist()], transposed=True, check=check
    )
    if solved is None or min(solved[0], default=1) <= 0:
        return None
    numerators, denominator = solved
    values = [value * denominator for value in rounded] + numerators
    divisor = math.gcd(*values)
    values = [value // divisor for value in values]
    if not integers.sum_is_zero(np.concatenate([others, basis.rows]), values):
        return None
    return tuple(map(Fraction, values))


def _weak_separator(
    integers: SignedIntegerRows,
    basis: FaceBasis,
    w_hat: Floats,
    sizes: Floats,
    bits: int,
    check: Callable[[], None],
) -> tuple[Fraction, ...] | None:
    """ŵ that is 0 on the rows of the basis, and near `w_hat` in the columns that it leaves free.

    A weight is rounded by what it can add to a score, beside the one that can add most.
    """
    free = np.setdiff1d(np.flatnonzero(sizes), basis.columns)
    parts = np.abs(w_hat[free] * sizes[free])
    if not (np.isfinite(w_hat).all() and np.isfinite(parts).all() and parts.any()):
        return None
    factors = integers.factors
    units = np.frexp(parts.max())[1] - np.frexp(sizes[free])[1] - bits
    near = [
        round(math.ldexp(w_hat[j], -unit)) * Fraction(2) ** unit / factors[j]
        for j, unit in zip(free.tolist(), units.tolist(), strict=True)
    ]
    common = math.lcm(*(value.denominator for value in near))
    rounded = [int(value * common) for value in near]
    divisor = math.gcd(*rounded)
    rounded = [value // divisor for value in rounded]
    right = [-value for value in integers.score(basis.rows, free, rounded)]
    solved = basis.solver.solve(right, transposed=False, check=check)
    if solved is None:
        return None
    numerators, denominator = solved
    values = dict(zip(free.tolist(), (value * denominator for value in rounded), strict=True))
    values |= dict(zip(basis.columns.tolist(), numerators, strict=True))
    divisor = math.gcd(*values.values()) or 1
    return tuple(factors[j] * (values.get(j, 0) // divisor) for j in range(len(w_hat)))


def is_face(points: ExactProblem, w_hat: tuple[Fraction, ...], on: Indices) -> bool:
    """Whether ŵ is 0 on the rows `on` and positive on all others."""
    expected = np.ones(points.problem.n, dtype=np.int8)
    expected[on] = 0
    return bool((exact_signs(points, w_hat) == expected).all())


def adds_up_to_zero(points: ExactProblem, known: Multipliers) -> bool:
    """Whether Σ αᵢyᵢx̂ᵢ = 0 for integer multipliers, on the points themselves."""
    signs = points.problem.y[known.rows].tolist()
    signed = [sign * int(value) for sign, value in zip(signs, known.alpha, strict=True)]
    if points.problem.fit_intercept and sum(signed) != 0:
        return False
    if points.whole is not None:
        zero = combination_is_zero(points.whole, known.rows, signed)
        if zero is not None:
            return zero
    step = max(1, BLOCK // len(signed))
    for start in range(0, points.problem.d, step):
        columns = range(start, min(start + step, points.problem.d))
        integers, _ = points.reading.integers(known.rows, columns)
        if any((flint.fmpz_mat([signed]) * flint.fmpz_mat(integers.tolist())).entries()):
            return False
    return True
