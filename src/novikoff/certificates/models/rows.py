"""The rows of each model: δ is a direction of recession if every one of them has a·δ ≥ 0.

Along such a δ the likelihood never falls, and it rises for ever where some a·δ > 0. So the estimate
exists exactly if no δ does that, which is what `novikoff.separate` decides for rows y(x, 1).

    logit, probit,   x where y = 1, −x where y = 0; binomial counts of both outcomes give x and −x
    cloglog          (Albert and Anderson 1984)
    Poisson,         −x where y = 0; x and −x where y > 0 (Correia, Guimarães and Zylkin 2019)
    log-binomial
    multinomial      (e_y − e_k) ⊗ x for every other class k (Albert and Anderson 1984)
    ordinal          θ_k − xβ and xβ − θ_{k−1}, as far as class k has these thresholds
    adjacent         θ_k + … + θ_{m−1} − (m − k)xβ for every class m above k, and its negative, the
    category         other way round, for every class below: log P(k) − log P(m)
    continuation     xβ − θ_j for every class j below k, which the row has passed, and θ_k − xβ for
    ratio            its own, unless that is the last

A row and its negative ask for a·δ = 0. Models that compare rows are in `pairs.py`.

`Codes` has one byte for each row of the data: which rows of A the model makes of it.

Only models whose rows speak of one row of the data each have such bytes, and only they can be asked
about data that is not in memory; the others compare rows with each other, or make several of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import (
    COUNTS,
    ORDERED,
    SUMMED,
    TWO_CLASSES,
    Level,
    Name,
    Outcome,
    RegressionModel,
    numbers_of,
    refuse,
)
from novikoff.core import sparse as sp
from novikoff.core.options import first_few
from novikoff.errors import LabelError, LimitError, OptionError
from novikoff.exact.reading import WHOLE, ExactMatrix
from novikoff.matrix.problem import Matrix

MINUS = -1  # the row −x: a failure, or nothing counted
ABSENT = 0  # no row: the weight is 0
PLUS = 1  # the row x: a success
BOTH = 2  # x and −x: something was counted

REASONS: dict[Name, str] = {
    "binomial": "its outcome is two numbers a row",
    "multinomial": "its rows compare the class of a row with every other class",
    **dict.fromkeys(ORDERED, "its rows have thresholds between classes as columns"),
    "conditional": "its rows are pairs of a case and a control",
    "cox": "its rows are pairs of an event and a row at risk",
}


@dataclass(frozen=True)
class Codes:
    """The `Coding` of a model: what its rows are, from the outcome and the weights."""

    name: Name
    levels: tuple[Level, ...]

    def __call__(
        self, y: NDArray[Any], weights: NDArray[np.float64] | None, first_row: int
    ) -> NDArray[np.int8]:
        """The codes of some rows of the data."""
        if self.name in COUNTS:
            rows = range(first_row, first_row + len(y))
            counts = numbers_of(y, "y", rows)
            refuse(counts < 0, "y", counts, "counts are not negative", rows)
            codes = np.where(counts > 0, BOTH, MINUS).astype(np.int8)
        else:
            found = level_codes(y, self.levels)
            success = BOTH if self.name == "log-binomial" else PLUS
            codes = np.where(found == 1, success, MINUS).astype(np.int8)
            self._check(y, found, weights, first_row)
        if weights is not None:
            codes[weights == 0] = ABSENT
        return codes

    def _check(
        self,
        y: NDArray[Any],
        found: NDArray[np.intp],
        weights: NDArray[np.float64] | None,
        first_row: int,
    ) -> None:
        strange = found < 0 if weights is None else (found < 0) & (weights > 0)
        if strange.any():
            row = int(np.argmax(strange))
            raise unknown_label(y[row], first_row + row, self.levels)


def unknown_label(label: object, row: int, levels: Sequence[object]) -> LabelError:
    """The error for a label that is none of the model's levels."""
    shown = first_few(levels, text=repr)
    return LabelError(f"y is {label!r} in row {row}; the model's levels are {shown}.")


def check_has_codes(name: Name, who: str) -> None:
    """Raise `OptionError` for a model whose rows are not those of the data, and say why."""
    if name in (*TWO_CLASSES, *COUNTS):
        return
    raise OptionError(
        f"{who} of a {name} model needs all rows in memory, and they are in a scan or in Dask's "
        f"partitions: {REASONS[name]}. {', '.join((*TWO_CLASSES, *COUNTS))} models "
        "work where their rows are; for the others, compute() the data if it fits in memory."
    )


Indices: TypeAlias = NDArray[np.intp]

DENSE = 1 << 24  # numbers of a matrix of mostly zeros that is still kept dense
MOST_STEPS = 1 << 30  # thresholds in the rows of ordered classes
MOST_NUMBERS = 1 << 27  # of a sparse matrix that has to be made dense for exact sums


class ModelRows(NamedTuple):
    """The rows, and for each the row of the data that it speaks of (`second` for pairs, or −1).

    The columns are those of A times `factors`, where these are not None.
    """

    matrix: Matrix
    first: Indices
    second: Indices
    factors: tuple[Any, ...] | None = None


def level_codes(y: NDArray[Any], levels: tuple[Level, ...]) -> Indices:
    """The position of each label among the levels; −1 for any other label."""
    if y.dtype.kind in "biufU":  # each label is looked up once, not once a row
        y, inverse = np.unique(y, return_inverse=True)
    else:
        inverse = np.arange(len(y))
    places = {level: k for k, level in enumerate(levels)}
    by_text = {str(level): k for k, level in enumerate(levels)}
    codes = np.array(
        [places.get(v, -1) if _is_plain(v) else by_text.get(str(v), -1) for v in y.tolist()],
        dtype=np.intp,
    )
    return codes[inverse]


def _is_plain(value: object) -> bool:
    return isinstance(value, (str, int, float))


def check_codes(outcome: Outcome, model: RegressionModel, present: Indices) -> Indices:
    """The codes of the rows that are present; an error names a label that is not a level."""
    assert outcome.y is not None
    codes = level_codes(outcome.y[present], model.levels)
    if (codes < 0).any():
        row = int(present[np.argmax(codes < 0)])
        raise unknown_label(outcome.y[row], outcome.number_of(row), model.levels)
    return codes


def apply_signs(X: Matrix, rows: Indices, signs: NDArray[Any]) -> Matrix:
    """Some rows of X, each times its sign, or a small integer."""
    if not sp.issparse(X):
        return X[rows] * signs[:, None]
    part = X[rows]
    part.data = part.data * np.repeat(signs, np.diff(part.indptr))
    return part


def whole_numbers(X: Matrix, decimals: bool, most: int) -> tuple[Matrix, tuple[Any, ...] | None]:
    """X as integers, each column times a factor: no sum of `most` of them is rounded.

    None for the factors where they are all 1.
    """
    if sp.issparse(X):
        values = np.asarray(X.data, dtype=np.float64)
        if (values == np.rint(values)).all() and (np.abs(values) * most < WHOLE).all():
            return X, None
        if X.shape[0] * X.shape[1] > MOST_NUMBERS:
            raise LimitError(
                f"exact sums of {X.shape[0]} × {X.shape[1]} sparse fractions would fill the "
                "memory: scale the columns to integers."
            )
    reading, columns = ExactMatrix(X, decimals), range(X.shape[1])
    whole = reading.whole_floats(slice(None), columns)
    if whole is None or not (np.abs(whole[0]) * most < WHOLE).all():
        whole = reading.integers(slice(None), columns)
    Z, factors = whole
    return Z, None if all(factor == 1 for factor in factors) else tuple(factors)


def _without_pairs(matrix: Matrix, rows: Indices) -> ModelRows:
    return ModelRows(matrix, rows, np.full(len(rows), -1, dtype=np.intp))


def both_signs(X: Matrix, rows: Indices, plus: Any, minus: Any) -> ModelRows:
    """x where `plus`, −x where `minus`, both where both are: in the order of the rows."""
    places = np.concatenate([rows[plus], rows[minus]])
    signs = np.repeat(np.array([1, -1], dtype=np.int8), [plus.sum(), minus.sum()])
    order = np.argsort(places, kind="stable")
    return _without_pairs(apply_signs(X, places[order], signs[order]), places[order])


def binary(X: Matrix, outcome: Outcome, model: RegressionModel) -> ModelRows:
    """Two classes: the second level is a success."""
    rows = outcome.present
    success = check_codes(outcome, model, rows) == 1
    pinned = model.name == "log-binomial"
    return both_signs(X, rows, success, np.ones(len(rows), np.bool_) if pinned else ~success)


def binomial(X: Matrix, outcome: Outcome, model: RegressionModel) -> ModelRows:  # noqa: ARG001
    """Successes out of trials; a row without trials is absent."""
    assert outcome.y is not None
    assert outcome.trials is not None
    rows = outcome.present
    successes, trials = outcome.y[rows], outcome.trials[rows]
    return both_signs(X, rows, successes > 0, successes < trials)


def counts(X: Matrix, outcome: Outcome, model: RegressionModel) -> ModelRows:  # noqa: ARG001
    """Counts with a log link: x·δ = 0 where something was counted, x·δ ≤ 0 where nothing was."""
    assert outcome.y is not None
    rows = outcome.present
    positive = outcome.y[rows] > 0
    return both_signs(X, rows, positive, np.ones(len(rows), np.bool_))


def multinomial(X: Matrix, outcome: Outcome, model: RegressionModel) -> ModelRows:
    """Each row's class against every other one; the first class is the base and has no columns."""
    present = outcome.present
    codes = check_codes(outcome, model, present)
    classes = np.arange(len(model.levels))
    own, other = np.repeat(codes, len(classes)), np.tile(classes, len(codes))
    rows = np.repeat(present, len(classes))
    differ = own != other
    own, other, rows = own[differ], other[differ], rows[differ]
    d, width = X.shape[1], (len(classes) - 1) * X.shape[1]
    if sp.issparse(X) or (X.dtype != object and len(rows) * width > DENSE):
        return _without_pairs(_sparse_blocks(sp.csr_of(X), rows, own - 1, other - 1, width), rows)
    matrix = np.zeros((len(rows), width), dtype=X.dtype)
    for blocks, sign in ((own - 1, 1), (other - 1, -1)):
        for block in range(len(classes) - 1):
            here = blocks == block
            matrix[here, block * d : (block + 1) * d] = sign * X[rows[here]]
    return _without_pairs(matrix, rows)


def _sparse_blocks(X: Matrix, rows: Indices, plus: Indices, minus: Indices, width: int) -> Matrix:
    """Rows with x in the block of columns `plus` and −x in `minus`; block −1 is not there."""
    values, at_row, at_column = [], [], []
    for blocks, sign in ((plus, 1), (minus, -1)):
        there = np.flatnonzero(blocks >= 0)
        part = sp.coo_array(X[rows[there]])
        i, j = part.coords
        values.append(sign * part.data)
        at_row.append(there[i])
        at_column.append(j + blocks[there][i] * X.shape[1])
    where = (np.concatenate(at_row), np.concatenate(at_column))
    return sp.csr_array((np.concatenate(values), where), shape=(len(rows), width))


def ordinal(X: Matrix, outcome: Outcome, model: RegressionModel) -> ModelRows:
    """Thresholds first: each class has some sums of thresholds with their share of xβ."""
    present = outcome.present
    codes = check_codes(outcome, model, present)
    last = len(model.levels) - 1
    most = 2 if model.name == "ordinal" else last  # rows of an observation
    if len(codes) * most * last > MOST_STEPS:
        raise LimitError(
            f"the rows of {len(codes)} observations among {last + 1} ordered classes would fill "
            "the memory: merge classes."
        )
    of_class = {k: _steps(model.name, k, last) for k in set(codes.tolist())}
    which = np.repeat(np.arange(len(codes)), [len(of_class[k]) for k in codes.tolist()])
    steps = np.concatenate([of_class[k] for k in codes.tolist()])
    X, factors = X[present], None
    if model.name in SUMMED:
        X, factors = whole_numbers(X, model.decimals, last)
        factors = None if factors is None else (1,) * last + factors
    slopes = apply_signs(X, which, -steps.sum(axis=1))
    if sp.issparse(X):
        both = sp.csr_array(sp.hstack([sp.csr_array(steps.astype(np.float64)), slopes]))
    else:
        both = np.hstack([steps.astype(X.dtype), slopes])
    return _without_pairs(both, present[which])._replace(factors=factors)


def _steps(name: Name, k: int, last: int) -> NDArray[np.int64]:
    """The thresholds in the rows of class k: in each, as often as xβ is taken off."""
    j = np.arange(last)
    if name == "adjacent-category":
        m = np.array([m for m in range(last + 1) if m != k])[:, None]
        return ((k <= j) & (j < m)).astype(np.int64) - ((m <= j) & (j < k))
    passed = np.arange(0 if name == "continuation-ratio" else max(k - 1, 0), k)[:, None]
    own = np.full((int(k < last), 1), k)
    return np.vstack([(j == own).astype(np.int64), -(j == passed).astype(np.int64)])
