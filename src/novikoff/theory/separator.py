"""A separator in whatever form it comes: (w, b), a verdict, or a fitted linear classifier."""

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import DataError, NotFiniteError, NotNumericError, ShapeError
from novikoff.exact.floats import square_root
from novikoff.rows import Floats

__all__ = ["length_of", "w_hat_of", "w_star_of"]


def w_hat_of(separator: Any, d: int, *, fit_intercept: bool) -> Floats:
    """ŵ* = (w, b) of a pair, of something with `weights` and `intercept`, or of an estimator.

    Where there is no bias, ŵ* must not have one either: it would be another plane.
    """
    w, b = _parts_of(separator)
    try:
        w_hat = np.append(np.asarray(w, dtype=np.float64), np.float64(b))
    except (TypeError, ValueError, OverflowError) as error:
        raise NotNumericError(f"the separator must hold numbers: {error}.") from error
    if len(w_hat) != d + 1:
        raise ShapeError(f"the separator has {len(w_hat) - 1} weights, but X has {d} columns.")
    if not np.isfinite(w_hat).all():
        j = int(np.flatnonzero(~np.isfinite(w_hat))[0])
        which = f"weight {j}" if j < d else "bias"
        raise NotFiniteError(f"the separator's {which} is {w_hat[j]}: no plane has such a number.")
    if not fit_intercept and w_hat[-1]:
        raise DataError(
            f"the separator has the bias {w_hat[-1]:g}, and with fit_intercept=False there is "
            "none: give (w, 0), or use fit_intercept=True."
        )
    return w_hat


def w_star_of(separator: Any, d: int, *, fit_intercept: bool) -> Floats:
    """The ŵ* that the theorem speaks of: a verdict's is the one of widest augmented margin."""
    reference = getattr(separator, "reference", separator)
    return w_hat_of(reference, d, fit_intercept=fit_intercept)


def _parts_of(separator: Any) -> tuple[Any, Any]:
    if hasattr(separator, "coef_"):
        if np.ndim(separator.coef_) == 2 and len(separator.coef_) != 1:
            raise ShapeError(f"the classifier has {len(separator.coef_)} planes, and one is meant.")
        return np.ravel(separator.coef_), np.ravel(separator.intercept_)[0]
    if hasattr(separator, "weights"):
        return separator.weights, separator.intercept
    try:
        w, b = separator
    except (TypeError, ValueError) as error:
        raise ShapeError(
            "a separator is a pair (w, b), a verdict, or a fitted linear classifier."
        ) from error
    return w, b


def length_of(w: Floats) -> Fraction:
    """‖w‖ to 64 bits, whatever the size of its numbers."""
    return square_root(sum((Fraction(value) ** 2 for value in w.tolist()), Fraction(0)))
