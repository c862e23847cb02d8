"""Planes with few errors, in exact numbers: the rows that a plane has wrong, each sign proven."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.conflicts import total
from novikoff.exact.points import Points
from novikoff.exact.scores import signs_everywhere
from novikoff.proofs.gordan import Multipliers, Separator, gordan
from novikoff.rows import Floats

__all__ = ["ExactPlane", "exact_plane", "settle", "short_plane"]

BITS = (8, 14, 24, 53)  # of a weight: as few as will do make a short certificate


class ExactPlane(NamedTuple):
    """ŵ, the rows with yᵢ x̂ᵢ·ŵ ≤ 0, and what these rows count."""

    w_hat: tuple[Fraction, ...]
    wrong: NDArray[np.intp]
    errors: Fraction


def exact_plane(
    points: Points, w_hat: Sequence[Fraction], row_weights: Sequence[Fraction]
) -> ExactPlane:
    """The plane with its errors on all rows, counted without rounding."""
    wrong = np.flatnonzero(signs_everywhere(points, w_hat) <= 0)
    errors = total(row_weights[row] for row in wrong.tolist())
    return ExactPlane(tuple(w_hat), wrong, errors)


def short_plane(points: Points, w_hat: Floats, row_weights: Sequence[Fraction]) -> ExactPlane:
    """The plane of float weights, with as few bits a weight as have no more errors."""
    full = exact_plane(points, [Fraction(value) for value in w_hat.tolist()], row_weights)
    for bits in BITS[:-1]:
        fractions, exponents = np.frexp(w_hat)
        rounded = np.ldexp(np.rint(np.ldexp(fractions, bits)), exponents - bits)
        plane = exact_plane(points, [Fraction(v) for v in rounded.tolist()], row_weights)
        if plane.errors <= full.errors:
            return plane
    return full


def settle(
    points: Points,
    kept: NDArray[np.intp],
    row_weights: Sequence[Fraction],
    check: Callable[[], None],
) -> ExactPlane | Multipliers:
    """A plane that is right on all rows of `kept`, or the multipliers that forbid one.

    `check` is called now and then, and may raise to have it stopped.
    """
    outcome = gordan(points, kept, None, [], check)
    if isinstance(outcome, Separator):
        return exact_plane(points, outcome.w_hat, row_weights)
    return outcome
