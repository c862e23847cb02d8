"""Each bad input has one clear error, which names what is wrong and where."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import novikoff
from novikoff import NovikoffError, Perceptron, Status
from novikoff.errors import (
    DataError,
    LabelError,
    NotFiniteError,
    NotNumericError,
    OptionError,
    ShapeError,
)

X, Y = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [0, 1, 1]


def holed(value: float) -> list[list[float]]:
    return [[0.0, 1.0], [1.0, value], [2.0, 2.0]]


BAD_DATA = [
    (holed(np.nan), Y, NotFiniteError, "NaN.*row 1, column 1"),
    (holed(np.inf), Y, NotFiniteError, "infinity.*row 1, column 1"),
    (sp.csr_array(holed(np.nan)), Y, NotFiniteError, "row 1, column 1"),
    (np.array(holed(Decimal("NaN")), dtype=object), Y, NotFiniteError, "row 1, column 1"),
    ([["a", "b"], ["c", "d"]], [0, 1], NotNumericError, "numbers"),
    (np.array([[1, "x"], [2, 3]], dtype=object), [0, 1], NotNumericError, "row 0, column 1"),
    (np.array([[1j], [2.0]]), [0, 1], DataError, "Complex"),
    (np.zeros((0, 3)), [], ShapeError, "0 sample"),
    (np.zeros((2, 0)), [0, 1], ShapeError, "0 feature"),
    ([1.0, 2.0], [0, 1], ShapeError, "two dimensions"),
    (X, [0, 1], ShapeError, "3 rows, but y has 2"),
    (X, [1, 1, 1], LabelError, "one class"),
    (X, None, LabelError, "requires y"),
    (X, [0, 1, np.nan], LabelError, "NaN"),
    (np.array([[2**60 + 1], [0]]), [0, 1], DataError, r"beyond 2\*\*53"),
]


@pytest.mark.parametrize(("points", "labels", "error", "message"), BAD_DATA)
def test_bad_data(points, labels, error, message):
    with pytest.raises(error, match=message) as caught:
        Perceptron().fit(points, labels)
    assert isinstance(caught.value, (NovikoffError, ValueError))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"eta0": 0}, "eta0 must be a positive"),
        ({"eta0": "big"}, "eta0 must be a positive"),
        ({"eta0": np.inf}, "eta0 must be a positive"),
        ({"max_iter": 0}, "max_iter must be a whole number"),
        ({"max_iter": 1.5}, "max_iter must be a whole number"),
        ({"order": "sorted"}, "order must be one of 'cyclic'"),
        ({"tie": 0}, "tie must be one of 'mistake'"),
        ({"class_weight": "heavy"}, "class_weight must be a dict, 'balanced' or None"),
        ({"random_state": "a"}, "random_state"),
        ({"arithmetic": "float32"}, "arithmetic must be one of 'float64', 'exact'"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        Perceptron(**options).fit(X, Y)


def test_weights_and_classes():
    with pytest.raises(DataError, match=r"sample_weight\[1\] is negative"):
        Perceptron().fit(X, Y, sample_weight=[1, -1, 1])
    with pytest.raises(DataError, match="at least one non-zero"):
        Perceptron().fit(X, Y, sample_weight=[0, 0, 0])
    with pytest.raises(LabelError, match="classes must be passed"):
        Perceptron().partial_fit(X, Y)
    with pytest.raises(OptionError, match="balanced"):
        Perceptron(class_weight="balanced").partial_fit(X, Y, classes=[0, 1])
    with pytest.raises(LabelError, match="row 2 has the label 7"):
        Perceptron().partial_fit(X, [0, 1, 7], classes=[0, 1])
    with pytest.raises(DataError, match="2 features"):
        Perceptron().fit(X, Y).predict([[1.0, 2.0, 3.0]])


HUGE = [[1e308, 1e308], [1.5e308, -1e308], [-1e308, 1e308], [1e308, -1.7e308]]


@pytest.mark.parametrize(
    "learner",
    [
        Perceptron(),
        Perceptron(order="worst"),
        Perceptron(arithmetic="exact"),
        novikoff.PocketPerceptron(max_iter=20, random_state=0),
        novikoff.AveragedPerceptron(max_iter=20),
        novikoff.AveragedPerceptron(max_iter=20, arithmetic="exact"),
        novikoff.VotedPerceptron(),
    ],
    ids=repr,
)
def test_numbers_that_overflow(learner):
    with pytest.raises(NotFiniteError, match=r"beyond what float64 can hold.*power of ten"):
        learner.fit(HUGE, [0, 1, 0, 1])
    assert not hasattr(learner, "status_")
    small = clone(learner).fit(np.array(HUGE) / 1e9, [0, 1, 0, 1])
    assert small.status_ is Status.CONVERGED


def test_numbers_that_overflow_along_a_trace():
    with pytest.raises(NotFiniteError, match="beyond what float64 can hold"):
        novikoff.trace(HUGE, [0, 1, 0, 1])


class TestProblem:
    """The door of `trace`, `separate`, `verify`: two classes, and names that are names."""

    def test_three_classes(self):
        with pytest.raises(LabelError, match=r"3 classes \(0, 1, 2\).*one against the rest"):
            novikoff.trace(X, [0, 1, 2])

    def test_many_classes_are_not_all_listed(self):
        with pytest.raises(LabelError, match=r"0, 1, 2, 3, 4, …"):
            novikoff.trace(np.arange(9.0)[:, np.newaxis], range(9))

    def test_missing_labels(self):
        with pytest.raises(LabelError, match="missing"):
            novikoff.trace(X, np.array(["a", None, "b"], dtype=object))

    def test_a_column_of_labels(self):
        with pytest.raises(ShapeError, match="ravel"):
            novikoff.trace(X, np.array([[0], [1], [1]]))

    def test_duplicate_names(self):
        frame = pd.DataFrame(X, columns=["a", "a"])
        with pytest.raises(DataError, match="two columns are called 'a'"):
            novikoff.trace(frame, Y)

    def test_objects_where_float64_is_meant(self):
        with pytest.raises(DataError, match="exact arithmetic"):
            novikoff.trace(np.array([[10**30], [0]], dtype=object), [0, 1])

    def test_long_doubles_that_float64_cannot_hold(self):
        wide = np.array([[np.longdouble(1) + np.longdouble(2) ** -60], [np.longdouble(0)]])
        if wide.dtype.itemsize > 8:
            with pytest.raises(DataError, match="float64 cannot hold"):
                novikoff.trace(wide, [0, 1])


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf")])
def test_a_class_weight_is_a_length(weight):
    with pytest.raises(OptionError, match="class_weight must hold numbers of at least 0"):
        Perceptron(class_weight={1: weight}).fit([[0.0], [1.0]], [0, 1])


def test_missing_labels_in_a_stream():
    with pytest.raises(LabelError, match="missing labels"):
        Perceptron().partial_fit([[0.0], [1.0]], [None, None], classes=[0, 1])
