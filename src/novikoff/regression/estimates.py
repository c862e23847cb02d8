"""The answers for the coefficients of a model, as plain data."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.rational import Vector
from novikoff.separability.verdicts import Word


class Estimate(StrEnum):
    """Where the maximum-likelihood estimate of a coefficient is; the text is what people read."""

    PLUS_INFINITY = "+∞"
    MINUS_INFINITY = "−∞"
    FINITE = "finite"
    NOT_DETERMINED = "not determined"
    ALIASED = "aliased"
    UNDECIDED = "undecided"


@dataclass(frozen=True, eq=False)
class CoefficientAnswers:
    """The verdict on the rows of A, its proof, and what follows for each coefficient.

    `direction` moves every row that any direction moves, and `on_plane` are the others; it has a
    number for each coefficient. None: not known. `rows` and `multipliers()` are α > 0 with Aᵀα = 0,
    on rows that span those on the plane. `estimable` are the columns of the limiting model, where
    they are known already.
    """

    word: Word
    estimates: tuple[Estimate, ...]
    direction: Vector | None
    on_plane: NDArray[np.intp]
    rows: NDArray[np.intp]
    multipliers: Callable[[], tuple[Fraction, ...]]
    advice: tuple[str, ...] = ()
    estimable: tuple[int, ...] | None = None
