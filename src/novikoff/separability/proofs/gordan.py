"""Gordan's alternative, decided: some ŵ has Aŵ > 0, or some α ≥ 0, α ≠ 0, has Aᵀα = 0.

A has the rows yᵢx̂ᵢ of some points, and ŵ may be confined to the span of a basis. Floating point
looks first, and what it proposes is checked without rounding; the rationals have the last word.

On p + 1 rows in general position, α comes from one square system. Two equal points of different
classes are a conflict by themselves.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.progress import in_time
from novikoff.exact.lifting import solve_exactly
from novikoff.exact.nearest_point import nearest_point
from novikoff.exact.points import ExactProblem, SignedRows, signed_rows
from novikoff.exact.rational import Vector, primitive
from novikoff.exact.scores import exact_signs, row_scores
from novikoff.matrix.rows import Floats
from novikoff.separability.search.wolfe import BEST, nearest_in, new_active


def solved_multipliers(points: ExactProblem, rows: NDArray[np.intp]) -> "Multipliers | None":
    """Exact multipliers on p + 1 rows; None if they are not unique, or not positive."""
    values = _square_solution(signed_rows(points, rows).matrix)
    if values is None or not all(value > 0 for value in values):
        return None
    return Multipliers(rows, primitive(values))


def conflict_among(
    points: ExactProblem, rows: NDArray[np.intp], alpha: NDArray[np.float64]
) -> "Multipliers | None":
    """Exact multipliers on some of these rows, from what floating point says; None if none are."""
    matrix = signed_rows(points, rows).matrix
    floats = np.maximum(alpha, 2.0**-60)
    start = {i: flint.fmpq(*value.as_integer_ratio()) for i, value in enumerate(floats.tolist())}
    nearest = nearest_point(matrix, [0] * len(rows), start, until_optimal=False)
    if any(nearest.point.entries()):
        return None
    return Multipliers(rows[nearest.rows], primitive(nearest.alpha))


def _square_solution(matrix: Any) -> list[Any] | None:
    """The one α of p + 1 rows with Σ αᵢaᵢ = 0 and Σ αᵢ = 1; None if it is not the only one."""
    system = [*matrix.transpose().table(), [1] * matrix.nrows()]
    right = [0] * matrix.ncols() + [1]
    found = solve_exactly(flint.fmpz_mat(system), right, lambda: None)
    return None if found is None else [flint.fmpq(value, found[1]) for value in found[0]]


Indices: TypeAlias = NDArray[np.intp]
SMALL = 400  # rows that are looked at together, and added together
MOST_GUESSES = 40


@dataclass(frozen=True)
class Separator:
    """ŵ with yᵢ x̂ᵢ·ŵ > 0 for all rows."""

    w_hat: Vector


@dataclass(frozen=True)
class Multipliers:
    """α > 0 on `rows` with Σ αᵢyᵢx̂ᵢ = 0."""

    rows: Indices
    alpha: Vector


def gordan(
    points: ExactProblem,
    live: Indices,
    basis: list[Vector] | None,
    start: Sequence[int],
    check: Callable[[], None],
) -> Separator | Multipliers:
    """A separator of the rows `live` in the span of `basis`, or why there is none.

    The multipliers are those of the rows times the basis: Σ αᵢyᵢx̂ᵢ is 0 along it, no more.
    """
    guessed, active = _guess(points, live, basis, check)
    if guessed is not None:
        return Separator(guessed)
    first = np.asarray(start, dtype=np.intp) if len(start) > 0 else active
    working = np.unique(np.concatenate([first, _spread(live)]))
    weights: dict[int, Any] = dict.fromkeys(first.tolist(), 1)
    while True:
        check()
        block = signed_rows(points, working)
        columns = _integer_basis(basis, block)
        place_of = {int(i): at for at, i in enumerate(working)}
        at_start = {place_of[i]: value for i, value in weights.items()}
        groups = [0] * len(working)
        nearest = nearest_point(
            block.matrix * columns, groups, at_start, until_optimal=False, check=check
        )
        if not any(nearest.point.entries()):
            return Multipliers(working[nearest.rows], primitive(nearest.alpha))
        w_hat = block.weights((columns * nearest.point).entries())
        wrong = live[exact_signs(points, w_hat, live) <= 0]
        if len(wrong) == 0:
            return Separator(w_hat)
        weights = dict(zip(working[nearest.rows].tolist(), nearest.alpha, strict=True))
        working = np.unique(np.concatenate([working, _spread(wrong)]))


def _spread(rows: Indices) -> Indices:
    """Some of the rows, evenly chosen."""
    return rows[np.linspace(0, len(rows) - 1, min(len(rows), SMALL), dtype=int)]


def _guess(
    points: ExactProblem, live: Indices, basis: list[Vector] | None, check: Callable[[], None]
) -> tuple[Vector | None, Indices]:
    """A separator that floating point proposes and exact signs confirm; or rows that matter."""
    p = points.problem.d + points.problem.fit_intercept
    working = _spread(live)
    if not points.in_range:
        return None, working[:1]
    A = _signed_floats(points, working)
    # A column of subnormal numbers has a greater reciprocal than float64 holds.
    exponents = np.frexp(np.abs(A).max(axis=0))[1]
    scale = np.ldexp(1.0, np.minimum(-exponents, 1000))
    directions = _directions(basis, scale, p)
    if directions is None:
        return None, working[:1]
    Q, R, scaled_basis = directions
    for _ in range(MOST_GUESSES):
        check()
        B = np.ascontiguousarray((A * scale) @ Q)
        shortest = np.argmin(np.einsum("ij,ij->i", B, B), keepdims=True)
        active = new_active(B, shortest, min(len(B), B.shape[1] + 1))
        zeros = np.zeros(len(B), dtype=np.int64)
        ended = nearest_in(B, zeros, active, 50 * (B.shape[1] + 20))
        rows = working[np.append(active.columns[: active.size[0]], active.bases)]
        if ended != BEST or not np.isfinite(active.point).all():
            return None, rows
        along: Floats = np.asarray(np.linalg.solve(R, active.point), dtype=np.float64)
        w_hat = _combine(along, scaled_basis)
        wrong = live[exact_signs(points, w_hat, live) <= 0]
        if len(wrong) == 0:
            return w_hat, rows
        fresh = _most_wrong(points, wrong, (Q @ active.point) * scale)
        fresh = fresh[np.isin(fresh, working, invert=True)]
        if len(fresh) == 0:
            return None, rows
        working = np.concatenate([working, fresh])
        A = np.concatenate([A, _signed_floats(points, fresh)])
    return None, rows


def _signed_floats(points: ExactProblem, rows: Indices) -> Floats:
    """yᵢx̂ᵢ as floats."""
    X = points.take(rows)
    if points.problem.fit_intercept:
        X = np.column_stack([X, np.ones(len(X))])
    signed: Floats = X * points.problem.y[rows, None]
    return signed


def _directions(
    basis: list[Vector] | None, scale: Floats, p: int
) -> tuple[Floats, Floats, list[Vector]] | None:
    """Q and R of the basis in scaled coordinates, each vector times a power of two of its own."""
    if basis is None:
        basis = [tuple(Fraction(int(i == j)) for j in range(p)) for i in range(p)]
    vectors = []
    for vector in in_time(basis):
        largest = max(abs(v) / Fraction(s) for v, s in zip(vector, scale.tolist(), strict=True))
        shift = largest.numerator.bit_length() - largest.denominator.bit_length()
        vectors.append(tuple(v * Fraction(2) ** -shift for v in vector))
    exact = [
        [v / Fraction(s) for v, s in zip(w, scale.tolist(), strict=True)] for w in in_time(vectors)
    ]
    floats = np.array([[float(v) for v in vector] for vector in exact]).T
    Q, R = np.linalg.qr(floats)
    sizes = np.abs(np.diag(R))
    if sizes.min() < 1e-12 * sizes.max():
        return None
    return Q, R, vectors


def _combine(along: Floats, vectors: list[Vector]) -> Vector:
    """Σ along_k · vector_k, without rounding: exactly in the span of the basis."""
    factors = [Fraction(value) for value in along.tolist()]
    return tuple(
        sum((f * v for f, v in zip(factors, values, strict=True) if v), Fraction(0))
        for values in in_time(zip(*vectors, strict=True))
    )


def _most_wrong(points: ExactProblem, wrong: Indices, w: Floats) -> Indices:
    """The rows of `wrong` with the least scores under w, as floats see them."""
    w_hat = w if points.problem.fit_intercept else np.append(w, 0.0)
    scores = row_scores(points, w_hat)[wrong] * points.problem.y[wrong]
    return wrong[np.argsort(scores, kind="stable")[:SMALL]]


def _integer_basis(basis: list[Vector] | None, block: SignedRows) -> Any:
    """The basis, a column each, in the units of a block and made whole."""
    p = len(block.units)
    if basis is None:
        return flint.fmpz_mat([[int(i == j) for j in range(p)] for i in range(p)])
    columns = []
    for vector in in_time(basis):
        scaled = [value * unit for value, unit in zip(vector, block.units, strict=True)]
        columns.append([int(value) for value in primitive(scaled)])
    return flint.fmpz_mat(columns).transpose()


def contradiction(
    points: ExactProblem, among: NDArray[np.intp] | None = None
) -> tuple[int, int] | None:
    """Two rows with the same point and different labels, the first such pair; None if none are.

    Equal rows have equal scores under any weights; under random ones, hardly any others do.
    """
    y = points.problem.y
    w = np.random.default_rng(0).normal(size=points.problem.d + 1)
    scores = np.nan_to_num(row_scores(points, w))  # sums of infinities are no numbers
    order = np.arange(len(y)) if among is None else among
    order = order[np.argsort(scores[order], kind="stable")]
    ordered = scores[order]
    starts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    pairs = []
    for run in np.split(order, starts) if len(starts) < len(order) - 1 else []:
        if len(run) > 1 and y[run].min() < y[run].max():
            pairs += _pairs_within(points, run)
    return min(pairs, default=None)


def _pairs_within(points: ExactProblem, run: NDArray[np.intp]) -> list[tuple[int, int]]:
    """The first two rows of different labels for each point of a run."""
    X = points.problem.X[run]
    table = (X.toarray() if sp.issparse(X) else X).tolist()
    seen: dict[tuple[object, ...], tuple[int, int]] = {}
    pairs: dict[tuple[object, ...], tuple[int, int]] = {}
    for i, x in zip(run.tolist(), map(tuple, table), strict=True):
        sign = int(points.problem.y[i])
        first, first_sign = seen.setdefault(x, (i, sign))
        if sign != first_sign:
            pairs.setdefault(x, (first, i))
    return list(pairs.values())
