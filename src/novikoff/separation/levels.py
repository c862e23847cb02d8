"""Exact scores xᵢ·δ as ranks: which rows of the data a direction moves equally far."""

from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.reading import Reading
from novikoff.exact.spans import Vector

__all__ = ["score_levels"]

BLOCK = 1 << 18  # numbers made integers together


def score_levels(reading: Reading, direction: Vector) -> NDArray[np.intp]:
    """The rank of xᵢ·δ among its distinct values, for each row; nothing is rounded."""
    columns = [j for j, value in enumerate(direction) if value]
    n = reading.X.shape[0]
    if not columns:
        return np.zeros(n, dtype=np.intp)
    scores: list[Fraction] = []
    step = max(1, BLOCK // len(columns))
    for start in range(0, n, step):
        integers, factors = reading.integers(slice(start, start + step), columns)
        weights = [direction[j] / factor for j, factor in zip(columns, factors, strict=True)]
        shared = lcm(*(weight.denominator for weight in weights))
        whole = np.array([int(weight * shared) for weight in weights], dtype=object)
        scores += [Fraction(int(value), shared) for value in integers @ whole]
    ranks = {score: rank for rank, score in enumerate(sorted(set(scores)))}
    return np.array([ranks[score] for score in scores], dtype=np.intp)
