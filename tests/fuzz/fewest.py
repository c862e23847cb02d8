"""`fewest_errors` beside all sets of rows that can be given up."""

from fractions import Fraction
from typing import Any

import numpy as np
from tests.certificates.proofs import Proof, oracle
from tests.fuzz.cases import Case, Wrong
from tests.fuzz.hostile import points, rows_of, signs_of, table_of
from tests.oracles import fewest_errors as by_enumeration

import novikoff

WEIGHTS = [0.0, 1.0, 2.0, 0.5, 0.1, 3.0, 1e-300, 5e-324, 1e300, 2.0**53, 2.0**53 + 2]
MOST_SPAN = 2**40  # of weights and of their sums, beyond which the search may end early


def draw(rng: np.random.Generator) -> Case:
    data = points(rng, most_rows=7, most_columns=3)
    n = len(signs_of(data.y))
    few = rng.choice(WEIGHTS[:6] if rng.random() < 0.7 else WEIGHTS, n)
    weights = few.tolist() if rng.random() < 0.4 and few.any() else None
    return Case(check, {
        "X": data.X, "y": data.y, "weights": weights, "fit_intercept": bool(rng.random() < 0.6),
        "decimals": bool(rng.random() < 0.2),
    })  # fmt: skip


def _span(weights: list[float] | None) -> Fraction:
    sizes = [Fraction(weight) for weight in weights or [1.0] if weight]
    return max(sizes) / min(sizes)


def check(X: Any, y: Any, weights: list[float] | None, fit_intercept: bool, decimals: bool) -> str:
    """How many errors, if that is the fewest and both checkers accept the proof."""
    read: list[Any] | None = weights
    if weights is not None and decimals:
        read = [Fraction(repr(weight)) for weight in weights]
    rows = rows_of(X, decimals=decimals)
    best, _ = by_enumeration(rows, signs_of(y), fit_intercept=fit_intercept, weights=read)
    found = novikoff.fewest_errors(
        X, y, fit_intercept=fit_intercept, weights=weights, decimals=decimals
    )
    lower, upper = found.errors
    if not lower <= best <= upper:
        raise Wrong(f"{lower} to {upper} errors, and the fewest is {best}")
    if lower != upper and (_span(weights) > MOST_SPAN or MOST_SPAN * (upper - lower) < upper):
        return "open, sums of weights that floating point hardly tells apart"
    if lower != upper:
        raise Wrong(f"open: {lower} to {upper} errors, and the fewest is {best}")
    certificate = novikoff.Certificate.from_json(found.certificate().to_json())
    verification = novikoff.verify(certificate, X, y)
    if not verification:
        raise Wrong(f"verify refuses: {verification.reason}")
    proof = Proof("", table_of(X, certificate.encoding), np.asarray(y), certificate)
    if not oracle(certificate.to_dict(), proof):
        raise Wrong("the stand-alone checker refuses")
    found.to_json()
    str(found)
    return "weighted" if weights else f"{best} errors"
