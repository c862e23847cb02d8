"""The kinds of certificates, in one table: what is checked of each, and what that proves."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.claims import (
    existence_reason,
    multipliers_reason,
    separator_reason,
)
from novikoff.certificates.fewest_claim import fewest_reason
from novikoff.certificates.form import FLOATING, Kind
from novikoff.certificates.wide import rank_at_any_width_reason
from novikoff.exact.reading import Reading

__all__ = ["CLAIMS", "Claim", "claim_reason", "proven_sentence"]

# (certificate, its data, labels −1 and +1) -> why it does not hold, or None
Reason = Callable[[Certificate, Reading, NDArray[np.int8]], str | None]


class Claim(NamedTuple):
    """What has to hold, and the sentence if it does: about points, and about a regression."""

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
        (multipliers_reason, rank_at_any_width_reason),
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


def claim_reason(certificate: Certificate, reading: Reading, y: NDArray[np.int8]) -> str | None:
    """Why the claim does not hold, or None."""
    reasons = (reason(certificate, reading, y) for reason in _claim_of(certificate).reasons)
    return next((reason for reason in reasons if reason is not None), None)


def proven_sentence(certificate: Certificate) -> str:
    """What a certificate proves that holds."""
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
