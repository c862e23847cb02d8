"""A separator in whatever form it comes: (w, b), a verdict, or a fitted linear classifier."""

from typing import Any

import numpy as np

from novikoff.errors import ShapeError
from novikoff.rows import Floats

__all__ = ["w_hat_of"]


def w_hat_of(separator: Any, d: int) -> Floats:
    """ŵ* = (w, b) of a pair, of something with `weights` and `intercept`, or of an estimator."""
    if hasattr(separator, "coef_"):
        w, b = np.ravel(separator.coef_), np.ravel(separator.intercept_)[0]
    elif hasattr(separator, "weights"):
        w, b = separator.weights, separator.intercept
    else:
        w, b = separator
    w_hat = np.append(np.asarray(w, dtype=np.float64), float(b))
    if len(w_hat) != d + 1:
        raise ShapeError(f"the separator has {len(w_hat) - 1} weights, but X has {d} columns.")
    return w_hat
