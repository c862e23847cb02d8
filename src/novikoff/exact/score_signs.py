"""The exact sign of each row's score for rational weights: a float64 filter, then integers.

The weights are rounded to float64 after a common scaling that brings the largest to about 1, so
each is off by at most one rounding, u = 2⁻⁵³. A computed score then differs from the true one by
less than (terms + 4)·u·Σ|xⱼwⱼ|, for any order of summation (one more rounding for a decimal that
was stored as float64). What that cannot decide is computed again with integers.

This is the verifier's own: its filter (`core/verifier_signs.hpp`) shares nothing with the prover's.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import in_time, seconds_in_force
from novikoff.exact.rational import over_one_denominator, primitive
from novikoff.exact.reading import WHOLE, ExactMatrix
from novikoff.exact.residues import scores_are_zero, whole_rows
from novikoff.matrix.rows import Floats

LEAST_WEIGHT = 2.0**-1000  # below this a rounded weight may have lost more than one rounding
UNKNOWN = 2
BLOCK = 1 << 18  # numbers made integers together


def score_signs(
    reading: ExactMatrix, weights: Sequence[Fraction], intercept: Fraction
) -> NDArray[np.int8]:
    """The sign of w·xᵢ + b for every row, exactly."""
    n = reading.X.shape[0]
    signs = np.full(n, UNKNOWN, dtype=np.int8)
    w = _round([*weights, intercept])
    if reading.is_float and w is not None:
        _core.sure_signs(reading.rows, w, signs, seconds_in_force())
    left = np.flatnonzero(signs == UNKNOWN)
    left = left[~_are_zero(reading, left, weights, intercept, signs)]
    columns = [j for j, weight in enumerate(weights) if weight]
    step = max(1, BLOCK // (len(columns) + 1))
    for start in in_time(range(0, len(left), step)):
        block = left[start : start + step]
        chosen = [weights[j] for j in columns]
        signs[block] = _exact_signs(reading, block, columns, [*chosen, intercept])
    return signs


def _are_zero(
    reading: ExactMatrix,
    rows: NDArray[np.intp],
    weights: Sequence[Fraction],
    intercept: Fraction,
    signs: NDArray[np.int8],
) -> NDArray[np.bool_]:
    """Which of these rows have a score of 0 by their residues; their signs are written too."""
    zero = None
    whole = whole_rows(reading) if len(rows) > 1 else None
    if whole is not None:
        scaled = [w / factor if w else w for w, factor in zip(weights, whole.factors, strict=True)]
        (*integers, b), _ = over_one_denominator([*scaled, intercept])
        zero = scores_are_zero(whole, rows, integers, b)
    if zero is None:
        return np.zeros(len(rows), dtype=np.bool_)
    signs[rows[zero]] = 0
    return zero


def _round(weights: Sequence[Fraction]) -> Floats | None:
    """The weights, scaled by a power of two, to one rounding each; None if float64 cannot."""
    largest = max((abs(weight) for weight in weights if weight), default=Fraction(0))
    if largest == 0:
        return np.zeros(len(weights))
    scale = Fraction(2) ** (largest.denominator.bit_length() - largest.numerator.bit_length())
    w = np.array([float(weight * scale) if weight else 0.0 for weight in weights])
    lost = any(weight and abs(v) < LEAST_WEIGHT for weight, v in zip(weights, w, strict=True))
    return None if lost else w


def _exact_signs(
    reading: ExactMatrix, rows: NDArray[np.intp], columns: list[int], weights: list[Fraction]
) -> Any:
    """The signs for some rows; `weights` are those of `columns`, then the intercept."""
    floats = reading.whole_floats(rows, columns)
    if floats is not None:
        values, factors = floats
        whole = _whole(weights, factors)
        if max(map(abs, whole)) <= WHOLE:
            w = np.array(whole, dtype=np.float64)
            # Integers, and no partial sum beyond 2⁵³: nothing is rounded.
            if (np.abs(values) @ np.abs(w[:-1]) + abs(w[-1]) < WHOLE).all():
                return np.sign(values @ w[:-1] + w[-1])
    integers, factors = reading.integers(rows, columns)
    whole = _whole(weights, factors)
    scores: list[Any] = [whole[-1]] * len(rows)
    if columns:
        matrix = flint.fmpz_mat(integers.tolist())
        products = matrix * flint.fmpz_mat([[w] for w in whole[:-1]])
        scores = [product + whole[-1] for product in products.entries()]
    return [(score > 0) - (score < 0) for score in scores]


def _whole(weights: list[Fraction], factors: list[int | Fraction]) -> list[int]:
    """The weights for columns that were multiplied by `factors`, as integers without a divisor."""
    scaled = (w / factor for w, factor in zip(weights, [*factors, 1], strict=True))
    return [value.numerator for value in primitive(scaled)]
