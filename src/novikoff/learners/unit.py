"""The threshold unit: its weights, what it is shown, when it errs, and how it learns.

Every learner here is built of three verbs: `is_mistake`, `update`, and the order in which rows are
presented.

Weights that overflow float64 are an error. Scores of many rows always have the exact sign.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.errors import NotFiniteError
from novikoff.exact.bounds import norm_bound, row_norms
from novikoff.exact.integers import is_integral
from novikoff.matrix.rows import (
    Floats,
    Rows,
    longest_row,
    n_features,
    n_rows,
    stored_values,
)

ADVICE = (
    "the weights grew beyond what float64 can hold: divide the data, eta0 or the sample weights "
    "by a power of ten."
)


def check_weights(w: Floats) -> None:
    """Raise `NotFiniteError` if a weight overflowed: no score of it means anything."""
    if not np.isfinite(w).all():
        raise NotFiniteError(ADVICE)


def round_weights(weights: Sequence[Fraction]) -> Floats:
    """Exact weights as the nearest float64 numbers."""
    try:
        return np.array([float(value) for value in weights])
    except OverflowError:
        raise NotFiniteError(ADVICE) from None


class Examples(NamedTuple):
    """The examples of a run: rows, the push yᵢ·ηᵢ of each on a mistake, and their norms.

    A push of 0 (an example of weight 0) means that the row is never presented. `bias` is 1 or 0.
    `radius` is R = max ‖x̂ᵢ‖, and `entries` how many numbers the longest row has. `unit` is the
    power of two of which every number here is a multiple, if there is one: then the weights are
    too, and exact while below unit·2⁵³. Otherwise it is 0.
    """

    rows: Rows
    push: Floats
    norms: Floats
    bias: float
    unit: float
    radius: float
    entries: int


class Weights(NamedTuple):
    """ŵ = (w, b), with an upper bound on its norm that every update keeps."""

    w: Floats
    norm: Floats


def examples_of(rows: Rows, *, fit_intercept: bool) -> Examples:
    """Prepare rows for presentation, once for all runs: their norms; they push nowhere yet."""
    norms = row_norms(rows, n_rows(rows), fit_intercept)
    return Examples(
        rows=rows,
        push=np.zeros(len(norms)),
        norms=norms,
        bias=1.0 if fit_intercept else 0.0,
        unit=0.0,
        radius=float(norms.max()),
        entries=longest_row(rows),
    )


def with_push(examples: Examples, push: Floats, weights: Weights, *, on_grid: bool) -> Examples:
    """These rows with the pushes yᵢηᵢ of one run that starts at `weights`.

    `on_grid`: the rows are integers, so that everything is a multiple of some power of two.
    """
    unit = common_power_of_two(np.append(push, weights.w)) if on_grid else 0.0
    return examples._replace(push=push, unit=unit)


def rows_are_integral(rows: Rows) -> bool:
    """Whether all numbers are integers: then a run can be exact, and its cycles can be found."""
    return is_integral(stored_values(rows))


def common_power_of_two(values: Floats) -> float:
    """The greatest power of two (up to 1) that divides all values; 0 if it is absurdly small."""
    unit = 1.0
    while unit > 1e-9:
        if is_integral(values / unit):
            return unit
        unit /= 2
    return 0.0


def zero_weights(rows: Rows) -> Weights:
    """The zero weights that a run starts from."""
    return weights_at(np.zeros(n_features(rows) + 1))


def weights_at(w: Floats) -> Weights:
    """Weights that start at ŵ = `w` (not copied)."""
    return Weights(w, np.array([norm_bound(w)]))


def presented_rows(examples: Examples) -> NDArray[np.int64]:
    """The rows that take part, in the order given; empty stands for all of them."""
    if examples.push.all():
        return np.empty(0, np.int64)
    return np.flatnonzero(examples.push)


# How many of the presented examples are misclassified, without learning from them.
count_mistakes = _core.count_mistakes


def scores(rows: Rows, n: int, w: Floats) -> Floats:
    """x_i · w + w[-1] for every row, done exactly where rounding could have changed its sign."""
    result = np.empty(n)
    _core.scores(rows, w, result)
    return result
