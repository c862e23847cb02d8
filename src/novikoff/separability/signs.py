"""The signs of yᵢ x̂ᵢ·ŵ over all rows, for rational ŵ: a filter in floating point, then integers."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.rows import Floats
from novikoff.separability.passes import filtered_signs
from novikoff.separability.points import Points
from novikoff.separability.signed_rows import exact_signs

__all__ = ["float_weights", "signs_everywhere"]

LEAST_NORMAL = float(np.finfo(np.float64).tiny)


def signs_everywhere(points: Points, w_hat: Sequence[Fraction]) -> NDArray[np.int8]:
    """The sign of yᵢ x̂ᵢ·ŵ for every row; of yᵢ xᵢ·ŵ if ŵ has no bias."""
    y = points.problem.y
    rounded = float_weights(w_hat)
    if rounded is None:
        signs = np.zeros(len(y), dtype=np.int8)
    else:
        slotted = rounded if len(w_hat) > points.problem.d else np.append(rounded, 0.0)
        signs = filtered_signs(points.rows, y, slotted, rounded=True)
    unknown = np.flatnonzero(signs == 0)
    signs[unknown] = exact_signs(points, unknown, w_hat)
    return signs


def float_weights(w_hat: Sequence[Fraction]) -> Floats | None:
    """ŵ times a power of two, rounded once to float64; None if that would lose a small weight."""
    largest = max(map(abs, w_hat))
    if largest == 0:
        return np.zeros(len(w_hat))
    shift = largest.numerator.bit_length() - largest.denominator.bit_length()
    scale = Fraction(2) ** -shift
    rounded = np.array([float(w * scale) for w in w_hat])
    lost = any(w != 0 and abs(r) < LEAST_NORMAL for w, r in zip(w_hat, rounded, strict=True))
    return None if lost else rounded
