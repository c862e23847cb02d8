"""What comes through the door: arrays, frames and labels of every kind, none of them rounded."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from novikoff import Perceptron, separate, trace, verify
from novikoff.errors import DataError, LabelError, NotFiniteError, NotNumericError, ShapeError

# The last two numbers are one float64: rounded, two points of two classes would coincide.
LONG = {"a": [2**53 - 2, 2**53, 2**53 + 1], "b": [0.5, 0.5, 0.5]}
LABELS = [0, 0, 1]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_integers_beside_floats_are_not_rounded(frame):
    X = frame(LONG)
    verdict = separate(X, LABELS)
    assert verdict.word == "separable"
    assert verify(verdict.certificate(), X, LABELS).valid
    with pytest.raises(DataError, match=r"beyond 2\*\*53"):
        Perceptron().fit(X, LABELS)


def test_integers_beside_floats_in_lists_are_not_rounded():
    rows = [list(row) for row in zip(*LONG.values(), strict=True)]
    assert separate(rows, LABELS).word == "separable"
    assert separate([[1e300, 1], [2e300, 1]], [0, 1]).certificate().encoding == "dense-float64"


@pytest.mark.parametrize(
    "columns",
    [
        {"a": pd.array([1, 2, 3], dtype="Int64"), "b": pd.array([1.5, 2, 2.5], dtype="Float64")},
        {"a": [1, 2, 3], "b": [True, False, True]},
        {"a": pd.array([True, False, True], dtype="boolean"), "b": [0.5, 1.5, 2.5]},
    ],
)
def test_columns_of_several_types_are_numbers(columns):
    X = pd.DataFrame(columns)
    assert separate(X, LABELS).certificate().encoding == "dense-float64"
    run = trace(X, LABELS)
    learned = Perceptron().fit(X, LABELS)
    np.testing.assert_array_equal(run.weights_after(run.n_mistakes)[0], learned.coef_[0])


def test_what_is_no_matrix_is_refused():
    with pytest.raises(ShapeError, match="rows of equal length"):
        separate([[1, 2], [3]], [0, 1])
    with pytest.raises(ShapeError, match="0 sample"):
        separate(pa.table({}), [])
    with pytest.raises(NotFiniteError, match="masked"):
        separate(np.ma.masked_equal([[1.0], [2.0]], 2), [0, 1])
    with pytest.raises(NotFiniteError, match=r"missing value \(row 1, column 0\)"):
        separate(np.array([[1], [None]], dtype=object), [0, 1])
    with pytest.raises(NotNumericError, match="column 'day' is datetime64"):
        separate(pa.table({"x": [1, 2], "day": np.array(["2020", "2021"], "M8[D]")}), [0, 1])
    with pytest.raises(DataError, match="Complex"):
        separate(sp.csr_array([[1j], [2.0]]), [0, 1])
    with pytest.raises(DataError, match="float64 cannot hold"):
        separate(sp.csr_array(np.array([[1], [1]]) / np.longdouble(3)), [0, 1])
    with pytest.raises(DataError, match="beyond float64"):
        Perceptron().fit(np.array([[Fraction(10**400, 3)], [Decimal(1)]]), [0, 1])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.array(["a", 1, "a"], dtype=object), "several kinds .int, str."),
        (["a", None, "b"], "missing labels .the first in row 1."),
        (pd.Series(["a", None, "b"]), "missing labels"),
        (pd.array(["a", None, "b"], dtype="string"), "missing labels"),
    ],
)
def test_labels_that_cannot_be_sorted_are_refused(labels, message):
    X = [[0.0], [1.0], [2.0]]
    with pytest.raises(LabelError, match=message):
        separate(X, labels)
    with pytest.raises(LabelError, match=message):
        Perceptron().fit(X, labels)


def test_numbers_near_the_largest_raise_no_warning():
    X = np.array([[3e307, 1e308], [-3e307, -1e308]])
    learned = Perceptron().fit(X, [0, 1])
    assert learned.score(X, [0, 1]) == 1.0
    assert trace(X, [0, 1]).n_mistakes == learned.n_mistakes_


def test_labels_behind_a_mask_and_dates_that_are_none_are_missing():
    masked = np.ma.masked_equal([0, 1, 2], 2)
    for ask in (separate, Perceptron().fit):
        with pytest.raises(NotFiniteError, match="masked"):
            ask([[1.0], [2.0], [3.0]], masked)
    dates = np.array(["2020-01-01", "NaT", "2020-01-02"], dtype="datetime64[D]")
    with pytest.raises(LabelError, match="row 1"):
        separate([[1.0], [2.0], [3.0]], dates)
