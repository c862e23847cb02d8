"""How wide the gap between two classes is: proven intervals."""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.rows import Floats
from novikoff.verdicts.base import Interval

__all__ = ["Margins"]


@dataclass(frozen=True)
class Margins:
    """The geometric margin, the augmented one, the radius R, R²/γ², and the rows that fix them.

    `reference` is the (w, b) that reaches the lower end of the augmented margin, where floats do.
    """

    margin: Interval
    augmented_margin: Interval
    radius: Interval
    mistake_bound: Interval
    support: NDArray[np.intp]
    margin_squared: Fraction | None = None
    reference: tuple[Floats, float] | None = field(default=None, repr=False, compare=False)
