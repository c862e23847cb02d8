"""Weights that float64 can hold: a run that outgrew it has learned nothing, and must say so."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from novikoff.errors import NotFiniteError
from novikoff.rows import Floats

__all__ = ["check_weights", "round_weights"]

ADVICE = (
    "the weights grew beyond what float64 can hold: divide the data, eta0 or the sample weights "
    "by a power of ten."
)


def check_weights(w: Floats) -> None:
    """An infinite weight stays so, or becomes NaN, and no score of it means anything."""
    if not np.isfinite(w).all():
        raise NotFiniteError(ADVICE)


def round_weights(weights: Sequence[Fraction]) -> Floats:
    """Exact weights as the nearest float64 numbers."""
    try:
        return np.array([float(value) for value in weights])
    except OverflowError:
        raise NotFiniteError(ADVICE) from None
