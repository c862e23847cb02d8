"""`separate` beside rational numbers: the verdict, the rows on the plane, margins, certificates."""

from fractions import Fraction
from typing import Any

import numpy as np
from tests.certificates.proofs import Proof, oracle
from tests.fuzz.cases import Case, Wrong
from tests.fuzz.hostile import points, rows_of, signs_of, table_of, wide_or_long
from tests.oracles import dot, faces, nearest_point

import novikoff
from novikoff.certificates.form import FLOATING

SMALL = 64  # numbers of a matrix whose margins are worked out here as well


def draw(rng: np.random.Generator) -> Case:
    data = wide_or_long(rng) if rng.random() < 0.05 else points(rng)
    exact = ["auto", "auto", True, False][rng.integers(4)]
    return Case(check, {
        "X": data.X, "y": data.y, "fit_intercept": bool(rng.random() < 0.6), "exact": exact,
        "decimals": bool(rng.random() < 0.25),
    })  # fmt: skip


def check(X: Any, y: Any, fit_intercept: bool, exact: Any, decimals: bool) -> str:
    """The verdict's word, if all that is said is so."""
    rows, signs = rows_of(X, decimals=decimals), signs_of(y)
    word, on_plane = faces(rows, signs, fit_intercept)
    verdict = novikoff.separate(X, y, fit_intercept=fit_intercept, exact=exact, decimals=decimals)
    if verdict.word == "undecided" and exact is False:
        return "undecided"
    if verdict.word != word:
        raise Wrong(f"{verdict.word}, and it is {word}")
    if word == "touching" and verdict.rows_on_plane.tolist() != on_plane:
        raise Wrong(f"rows on the plane {verdict.rows_on_plane.tolist()}, and it is {on_plane}")
    check_certificate(verdict, X, y)
    if word == "separable" and len(rows) * len(rows[0]) <= SMALL:
        check_margins(verdict, rows, signs, fit_intercept)
    verdict.to_json()
    str(verdict)
    return word


def check_certificate(verdict: Any, X: Any, y: Any) -> None:
    """`verify` accepts it, and the stand-alone checker, which reads it from text."""
    certificate = novikoff.Certificate.from_json(verdict.certificate().to_json())
    if certificate.kind != verdict.word:
        raise Wrong(f"the certificate says {certificate.kind}, the verdict {verdict.word}")
    verification = novikoff.verify(certificate, X, y)
    if not verification:
        raise Wrong(f"verify refuses: {verification.reason}")
    proof = Proof("", table_of(X, certificate.encoding), np.asarray(y), certificate)
    if certificate.proof != FLOATING and not oracle(certificate.to_dict(), proof):
        raise Wrong("the stand-alone checker refuses")


def check_margins(verdict: Any, rows: Any, signs: list[int], fit_intercept: bool) -> None:
    """The intervals hold the exact numbers, whose squares are rational."""
    hats = [[*row, *[Fraction(1)] * fit_intercept] for row in rows]
    signed = [[s * x for x in hat] for hat, s in zip(hats, signs, strict=True)]
    nearest = nearest_point(signed)
    augmented = dot(nearest, nearest)
    if fit_intercept:
        sides = [[row for row, s in zip(rows, signs, strict=True) if s == side] for side in (1, -1)]
        apart = nearest_point([
            [a - b for a, b in zip(u, v, strict=True)] for u in sides[0] for v in sides[1]
        ])  # fmt: skip
        geometric = dot(apart, apart) / 4
    else:
        geometric = augmented
    radius = max(dot(hat, hat) for hat in hats)
    squares = {
        "margin": geometric,
        "augmented_margin": augmented,
        "radius": radius,
    }
    for name, square in squares.items():
        found = getattr(verdict, name)
        if not _below(found.lower, square) or not _above(found.upper, square):
            raise Wrong(f"{name} is {float_text(square)} squared, outside {_bounds(found)}")
    bound, found = radius / augmented, verdict.mistake_bound
    if not (found.lower <= bound and (found.upper == np.inf or found.upper >= bound)):
        raise Wrong(f"mistake_bound is {float_text(bound)}, outside {_bounds(found)}")
    if verdict.exact_margin_squared not in (None, geometric):
        raise Wrong(f"exact_margin_squared is {geometric}, not {verdict.exact_margin_squared}")


def _below(lower: float, square: Fraction) -> bool:
    return lower <= 0 or (np.isfinite(lower) and Fraction(lower) ** 2 <= square)


def _above(upper: float, square: Fraction) -> bool:
    return upper == np.inf or (upper >= 0 and Fraction(upper) ** 2 >= square)


def _bounds(interval: Any) -> str:
    return f"{interval.lower!r} to {interval.upper!r}"


def float_text(value: Fraction) -> str:
    """A number of any size, for a message."""
    return f"{value.numerator / value.denominator}" if abs(value) < 1e300 else "above 1e300"
