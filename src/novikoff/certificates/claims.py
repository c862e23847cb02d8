"""Check the claim of a certificate on the numbers themselves.

Each function answers with the reason why the claim fails, or with None.

A fractional packing of conflicts proves a lower bound on the errors: the total of its shares.

A row's limit is what it counts. In a leaf of a tree, a row taken to be right has no limit, and one
taken to be wrong has the limit 0 and is counted as an error; rows equal to it go with it.

Fixed rows are splits one after the other, whose leaf where the row is wrong is the shares of all
conflicts without it.

The table at the end says what is checked for each kind of certificate, and what that proves.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.cones import least_errors_of_cones
from novikoff.certificates.conflicts import Conflict, Fixed, Split, Tree
from novikoff.certificates.floating_point import positive_solution_reason
from novikoff.certificates.form import FLOATING, Kind
from novikoff.certificates.span import span_reason
from novikoff.core import sparse as sp
from novikoff.exact.rational import common_divisor, over_one_denominator, round_up
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.residues import combination_is_zero, whole_rows
from novikoff.exact.score_signs import score_signs

BLOCK = 1 << 20  # numbers made integers together
FEW = 64


def separator_reason(claim: Certificate, reading: ExactMatrix, y: NDArray[np.int8]) -> str | None:
    """Separable: every yᵢ(w·xᵢ + b) > 0. Touching: every one ≥ 0, and not all of them 0."""
    assert claim.weights is not None
    assert claim.intercept is not None
    signs = reading.over_parts(score_signs, claim.weights, claim.intercept)
    sides = np.concatenate(signs) * y
    wrong = np.flatnonzero(sides < 0)
    if len(wrong):
        return f"row {wrong[0]} is on the wrong side: y(w·x + b) < 0."
    if claim.kind == "separable":
        on_plane = np.flatnonzero(sides == 0)
        return f"row {on_plane[0]} is on the plane: y(w·x + b) = 0." if len(on_plane) else None
    return None if sides.any() else "every row is on the plane: w·x + b = 0 throughout."


def multipliers_reason(claim: Certificate, reading: ExactMatrix, y: NDArray[np.int8]) -> str | None:
    """Gordan: Σ αᵢ yᵢ x̂ᵢ = 0 (α > 0 and distinct rows are checked when a certificate is made)."""
    assert claim.rows is not None
    assert claim.alpha is not None
    return sum_reason(claim, reading, y, claim.rows, claim.alpha)


def sum_reason(
    claim: Certificate,
    reading: ExactMatrix,
    y: NDArray[np.int8],
    rows: tuple[int, ...],
    alpha: tuple[Fraction, ...],
) -> str | None:
    """Why Σ αᵢ yᵢ x̂ᵢ over the rows is not 0, or None."""
    integers, _ = over_one_denominator(alpha)
    signed = [value * int(y[row]) for row, value in zip(rows, integers, strict=True)]
    if claim.fit_intercept and sum(signed) != 0:
        return "Σ αy is not 0: the two classes have different shares of α."
    near = reading.part(list(rows))
    # A handful of rows is quicker to add up than residues are to work out.
    whole = whole_rows(near) if len(rows) > FEW else None
    if whole is not None and combination_is_zero(whole, np.arange(len(rows)), signed):
        return None
    # A block of columns at a time: a factor belongs to a column, so all its rows must be together.
    step = max(1, BLOCK // len(rows))
    edges = [*range(0, claim.d, step), claim.d]
    for start, end in pairwise(edges):
        block, _ = near.integers(range(len(rows)), range(start, end))
        sums = flint.fmpz_mat([signed]) * flint.fmpz_mat(block.tolist())
        for j, total in enumerate(sums.entries(), start):
            if total != 0:
                return f"Σ αyx is not 0 in column {j} ({claim.columns[j]})."
    return None


def existence_reason(claim: Certificate, reading: ExactMatrix, y: NDArray[np.int8]) -> str | None:
    """Whether a positive solution near α is proven to exist, every rounding bounded.

    The proof needs rows of full column rank, so it settles the rank as well.
    """
    assert claim.rows is not None
    assert claim.alpha is not None
    with_one = claim.fit_intercept
    return positive_solution_reason(reading, y, claim.rows, claim.alpha, with_one=with_one)


def rank_reason(
    claim: Certificate,
    reading: ExactMatrix,
    y: NDArray[np.int8],  # noqa: ARG001 (signs do not change a rank)
) -> str | None:
    """Stiemke: the rows of α span what all rows span."""
    assert claim.rows is not None
    return span_reason(reading, claim.rows, claim.fit_intercept)


class ShareError(Exception):
    """Shares that prove nothing, and why."""


def least_errors(
    conflicts: Sequence[Conflict],
    tree: Tree | None,
    row_weights: Sequence[Fraction],
    equal_rows: Callable[[int], Iterable[int]],
) -> Fraction:
    """The lower bound on every plane's errors that the shares of conflicts, or a tree, prove.

    `equal_rows` names the rows that are the same point with the same label, the row included.
    """
    unit, weights = common_divisor(row_weights), row_weights
    rows_of = [frozenset(conflict.rows) for conflict in conflicts]
    if tree is None:
        tree = tuple((j, conflict.share) for j, conflict in enumerate(conflicts))
    waiting: list[tuple[Tree, dict[int, bool]]] = [(tree, {})]
    bounds = []
    while waiting:
        node, taken = waiting.pop()
        if isinstance(node, Split):
            same = _untaken(equal_rows, node.row, taken)
            waiting.append((node.right, taken | dict.fromkeys(same, True)))
            waiting.append((node.wrong, taken | dict.fromkeys(same, False)))
        elif isinstance(node, Fixed):
            right, is_fit = dict(taken), _overload(node.shares, conflicts, weights, taken) is None
            for row in node.rows:
                same = _untaken(equal_rows, row, right)
                case = right | dict.fromkeys(same, False)
                rest = [(j, s) for j, s in node.shares if not same & rows_of[j]]
                # Shares that fit also fit without some of them.
                bounds.append(round_up(_total(rest, conflicts, weights, case, is_fit), unit))
                right |= dict.fromkeys(same, True)
            waiting.append((node.then, right))
        else:
            bounds.append(round_up(_total(node, conflicts, weights, taken), unit))
    return min(bounds)


def _untaken(
    equal_rows: Callable[[int], Iterable[int]], row: int, taken: dict[int, bool]
) -> set[int]:
    """The rows equal to one that was not yet taken to be right or wrong."""
    if row in taken:
        raise ShareError(f"row {row} is split twice on one way of the tree.")
    return set(equal_rows(row))


def _total(
    shares: Iterable[tuple[int, Fraction]],
    conflicts: Sequence[Conflict],
    row_weights: Sequence[Fraction],
    taken: dict[int, bool],
    is_fit: bool = False,
) -> Fraction:
    """The sum of the shares and of the rows taken to be wrong, if no row exceeds its limit."""
    shares = list(shares)
    reason = None if is_fit else _overload(shares, conflicts, row_weights, taken)
    if reason is not None:
        raise ShareError(reason)
    wrong = sum((row_weights[row] for row, right in taken.items() if not right), Fraction(0))
    return wrong + sum((share for _, share in shares), Fraction(0))


def _overload(
    shares: Iterable[tuple[int, Fraction]],
    conflicts: Sequence[Conflict],
    row_weights: Sequence[Fraction],
    taken: dict[int, bool],
) -> str | None:
    """Which row bears more than its limit; None if none does."""
    loads: dict[int, Fraction] = {}
    for j, share in shares:
        for row in conflicts[j].rows:
            loads[row] = loads.get(row, Fraction(0)) + share
    for row, load in loads.items():
        is_right = taken.get(row)
        limit = Fraction(0) if is_right is False else row_weights[row]
        if load > limit and not is_right:
            return f"the shares of the conflicts with row {row} add up to {load}, above {limit}."
    return None


def fewest_reason(claim: Certificate, reading: ExactMatrix, y: NDArray[np.int8]) -> str | None:
    """Fewest errors: all rows but the wrong ones separated, and conflicts that forbid fewer."""
    assert claim.weights is not None
    assert claim.intercept is not None
    assert claim.errors is not None
    assert claim.wrong_rows is not None
    assert claim.conflicts is not None
    sides = score_signs(reading, claim.weights, claim.intercept) * y
    others = np.setdiff1d(np.flatnonzero(sides <= 0), claim.wrong_rows)
    if len(others):
        return f"row {others[0]} is not among the wrong rows, and y(w·x + b) ≤ 0."
    row_weights = claim.row_weights or (Fraction(1),) * claim.n
    upper = sum((row_weights[row] for row in claim.wrong_rows), Fraction(0))
    if upper > claim.errors[1]:
        return f"the wrong rows count {upper}, above the {claim.errors[1]} that is claimed."
    for k, conflict in enumerate(claim.conflicts):
        reason = sum_reason(claim, reading, y, conflict.rows, conflict.alpha)
        if reason is not None:
            return f"conflict {k} does not hold: {reason}"
    try:
        lower = least_errors(
            claim.conflicts,
            claim.tree,
            row_weights,
            lambda row: _equal_rows(claim, reading, y, row),
        )
    except ShareError as error:
        return str(error)
    if claim.cones is not None:
        known = least_errors_of_cones(claim.cones, reading, y, row_weights, claim.fit_intercept)
        if isinstance(known, str):
            return known
        lower = max(lower, known)
    if lower < claim.errors[0]:
        by = "conflicts prove" if claim.cones is None else "cones prove"
        return f"the {by} {lower} errors, not the {claim.errors[0]} that are claimed."
    return None


def _equal_rows(
    claim: Certificate, reading: ExactMatrix, y: NDArray[np.int8], row: int
) -> list[int]:
    """The rows with the yᵢx̂ᵢ of `row`: equal stored numbers stand for equal numbers."""
    kind = np.float64 if reading.is_float else object
    X, own = reading.X, np.asarray(_dense(reading.X[[row]]), dtype=kind) * int(y[row])
    equal: list[int] = []
    step = max(1, BLOCK // claim.d)
    for start in range(0, claim.n, step):
        signs = y[start : start + step, None]
        block = np.asarray(_dense(X[start : start + step]), dtype=kind) * signs
        same = (block == own).all(axis=1)
        if claim.fit_intercept:
            same &= signs[:, 0] == y[row]
        equal += (start + np.flatnonzero(same)).tolist()
    return equal


def _dense(part: Any) -> Any:
    return part.toarray() if sp.issparse(part) else part


# (certificate, its data, labels −1 and +1) -> why it does not hold, or None
Reason = Callable[[Certificate, ExactMatrix, NDArray[np.int8]], str | None]


class Claim(NamedTuple):
    """The checks of a kind of certificate, and what it proves: of points, and of a model."""

    reasons: tuple[Reason, ...]
    of_points: str
    of_model: str = ""


CLAIMS: dict[Kind, Claim] = {
    "separable": Claim(
        (separator_reason,),
        "y(w·x + b) > 0 on all {n} rows.",
        "Aδ > 0 on all {n} rows of the {model} model.",
    ),
    "touching": Claim(
        (separator_reason, multipliers_reason),
        "y(w·x + b) ≥ 0 on all {n} rows and not everywhere 0, and Σ αyx̂ = 0 with α > 0 on "
        "{rows} rows.",
        "Aδ ≥ 0 on all {n} rows of the {model} model and not everywhere 0, and Σ αA = 0 with α > 0 "
        "on {rows} rows.",
    ),
    "overlapping": Claim(
        (multipliers_reason, rank_reason),
        "Σ αyx̂ = 0 with α > 0 on {rows} rows, whose rank is that of all rows.",
        "Σ αA = 0 with α > 0 on {rows} rows of the {model} model, whose rank is that of all rows.",
    ),
    "not separable": Claim(
        (multipliers_reason,),
        "Σ αyx̂ = 0 with α > 0 on {rows} rows.",
        "Σ αA = 0 with α > 0 on {rows} rows.",
    ),
    "fewest errors": Claim((fewest_reason,), "the fewest errors{weighed} are {errors}."),
}
# An overlap whose α are near a solution that is proven to exist.
IN_FLOATING_POINT = Claim(
    (existence_reason,),
    *["Σ αyx̂ = 0 has a solution α > 0 on {rows} rows, whose rank is that of all rows; "
      "proven in floating point, with every rounding bounded."] * 2,
)  # fmt: skip


def _claim_of(certificate: Certificate) -> Claim:
    return IN_FLOATING_POINT if certificate.proof == FLOATING else CLAIMS[certificate.kind]


def claim_reason(certificate: Certificate, reading: ExactMatrix, y: NDArray[np.int8]) -> str | None:
    """Why the claim does not hold, or None."""
    reasons = (reason(certificate, reading, y) for reason in _claim_of(certificate).reasons)
    return next((reason for reason in reasons if reason is not None), None)


def proven_sentence(certificate: Certificate) -> str:
    """The sentence that a valid certificate proves."""
    claim, model = _claim_of(certificate), certificate.model
    return (claim.of_points if model is None else claim.of_model).format(
        n=certificate.n,
        rows=0 if certificate.rows is None else len(certificate.rows),
        model=None if model is None else model.name,
        weighed="" if certificate.row_weights is None else " in weights",
        errors=_errors_text(certificate),
    )


def _errors_text(certificate: Certificate) -> str:
    if certificate.errors is None:
        return ""
    lower, upper = certificate.errors
    if lower == upper:
        return f"{upper}: no hyperplane has less, and one has no more"
    return f"at least {lower} and at most {upper}"
