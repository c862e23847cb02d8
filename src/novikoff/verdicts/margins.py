"""How wide the gap between two classes is: proven intervals."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.verdicts.base import Interval

__all__ = ["Margins"]


@dataclass(frozen=True)
class Margins:
    """The geometric margin, the augmented one, the radius R, R²/γ², and the rows that fix them."""

    margin: Interval
    augmented_margin: Interval
    radius: Interval
    mistake_bound: Interval
    support: NDArray[np.intp]
    margin_squared: Fraction | None = None
