"""What a certificate of the fewest errors claims, checked on the numbers themselves."""

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.claims import BLOCK, sum_reason
from novikoff.certificates.shares import ShareError, least_errors
from novikoff.exact.reading import Reading
from novikoff.exact.score_signs import score_signs

__all__ = ["fewest_reason"]


def fewest_reason(claim: Certificate, reading: Reading, y: NDArray[np.int8]) -> str | None:
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
            return f"conflict {k} is none: {reason}"
    try:
        lower = least_errors(
            claim.conflicts,
            claim.tree,
            row_weights,
            lambda row: _equal_rows(claim, reading, y, row),
        )
    except ShareError as error:
        return str(error)
    if lower < claim.errors[0]:
        return f"the conflicts prove {lower} errors, not the {claim.errors[0]} that are claimed."
    return None


def _equal_rows(claim: Certificate, reading: Reading, y: NDArray[np.int8], row: int) -> list[int]:
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
