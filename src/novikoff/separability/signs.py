"""The signs of yᵢ x̂ᵢ·ŵ over all rows, for rational ŵ: a filter in floating point, then exactly."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.accumulator import exact_sign
from novikoff.rows import Floats, Rows
from novikoff.separability.passes import filtered_signs
from novikoff.separability.points import Points
from novikoff.separability.signed_rows import exact_signs

__all__ = ["signs_everywhere"]

LEAST_NORMAL = float(np.finfo(np.float64).tiny)


def signs_everywhere(
    points: Points, w_hat: Sequence[Fraction], among: NDArray[np.intp] | None = None
) -> NDArray[np.int8]:
    """The sign of yᵢ x̂ᵢ·ŵ for every row (of yᵢ xᵢ·ŵ if ŵ has no bias), or for some of them."""
    y = points.problem.y
    indices = np.arange(len(y)) if among is None else among
    rounded = _float_weights(w_hat)
    if rounded is None:
        return exact_signs(points, indices, w_hat)
    floats, is_same = rounded
    slotted = floats if len(w_hat) > points.problem.d else np.append(floats, 0.0)
    signs = filtered_signs(points.rows, y, slotted, rounded=points.rounded or not is_same)[indices]
    unknown = np.flatnonzero(signs == 0)
    if is_same and not points.rounded:
        signs[unknown] = _accumulated(points.rows, y, indices[unknown], slotted)
    else:
        signs[unknown] = exact_signs(points, indices[unknown], w_hat)
    return signs


@kernel
def _accumulated(
    rows: Rows, y: NDArray[np.int8], indices: NDArray[np.intp], w_hat: Floats
) -> NDArray[np.int8]:
    """The signs of yᵢ x̂ᵢ·ŵ, floats and all, without rounding."""
    signs = np.empty(len(indices), np.int8)
    for k in range(len(indices)):
        signs[k] = y[indices[k]] * exact_sign(rows, indices[k], w_hat)
    return signs


def _float_weights(w_hat: Sequence[Fraction]) -> tuple[Floats, bool] | None:
    """ŵ times a power of two as float64, and whether that rounded nothing.

    None if it would lose a small weight altogether.
    """
    largest = max(map(abs, w_hat))
    if largest == 0:
        return np.zeros(len(w_hat)), True
    shift = largest.numerator.bit_length() - largest.denominator.bit_length()
    scaled = [w * Fraction(2) ** -shift for w in w_hat]
    floats = np.array([float(w) for w in scaled])
    if any(w != 0 and abs(r) < LEAST_NORMAL for w, r in zip(scaled, floats.tolist(), strict=True)):
        return None
    return floats, all(w == r for w, r in zip(scaled, floats.tolist(), strict=True))
