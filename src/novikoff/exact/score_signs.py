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
from novikoff.exact.rational import primitive
from novikoff.exact.reading import WHOLE, ExactMatrix
from novikoff.exact.residues import whole_rows, zero_scores
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
    zero = zero_scores(whole_rows(reading) if len(left) > 1 else None, left, weights, intercept)
    signs[left[zero]], left = 0, left[~zero]
    columns = [j for j, weight in enumerate(weights) if weight]
    chosen, step = [weights[j] for j in columns], max(1, BLOCK // (len(columns) + 1))
    for start in in_time(range(0, len(left), step)):
        block = left[start : start + step]
        products = exact_products(reading, block, columns, [[*chosen, intercept]])
        signs[block] = np.sign(products[:, 0]).astype(np.int8)
    return signs


def _round(weights: Sequence[Fraction]) -> Floats | None:
    """The weights, scaled by a power of two, to one rounding each; None if float64 cannot."""
    largest = max((abs(weight) for weight in weights if weight), default=Fraction(0))
    if largest == 0:
        return np.zeros(len(weights))
    scale = Fraction(2) ** (largest.denominator.bit_length() - largest.numerator.bit_length())
    w = np.array([float(weight * scale) if weight else 0.0 for weight in weights])
    lost = any(weight and abs(v) < LEAST_WEIGHT for weight, v in zip(weights, w, strict=True))
    return None if lost else w


def exact_products(
    reading: ExactMatrix, rows: NDArray[np.intp], columns: list[int], vectors: Sequence[Any]
) -> NDArray[Any]:
    """x̂ᵢ·v for each row and vector, all of them times one positive factor.

    A vector has a number for each of these columns, and one for the bias behind them. The products
    are float64 numbers that are integers where they fit, else Python's integers.
    """
    floats = reading.whole_floats(rows, columns)
    if floats is not None:
        values, factors = floats
        table = _whole(vectors, factors)
        if max(abs(value) for row in table for value in row) <= WHOLE:
            V = np.array(table, dtype=np.float64)
            values = np.column_stack([values, np.ones(len(values))])
            # Integers, and no partial sum beyond 2⁵³: nothing is rounded.
            if (np.abs(values) @ np.abs(V) < WHOLE).all():
                return np.asarray(values @ V)
    integers, factors = reading.integers(rows, columns)
    hats = flint.fmpz_mat([[*row, 1] for row in integers.tolist()])
    products = (hats * flint.fmpz_mat(_whole(vectors, factors))).table()
    return np.array([[int(value) for value in row] for row in products], dtype=object)


def _whole(vectors: Sequence[Any], factors: list[int | Fraction]) -> list[list[int]]:
    """The vectors as integers, a column each, for columns that were multiplied by `factors`."""
    rows = [
        [value / factor if value else value for value in row]
        for row, factor in zip(in_time(zip(*vectors, strict=True)), [*factors, 1], strict=True)
    ]
    values = iter(primitive([value for row in rows for value in row]))
    return [[int(next(values)) for _ in row] for row in rows]
