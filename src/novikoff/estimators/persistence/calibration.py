"""From scores to probabilities: scikit-learn's calibration on held-out rows, kept as plain numbers.

A sigmoid is p = 1/(1 + exp(as + b)), Platt's; isotonic is a staircase that never falls, through the
points that are kept. Of more than two classes each has its own, and the sum is made 1.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from novikoff.core.options import with_count
from novikoff.errors import FileError, OptionError
from novikoff.matrix.rows import Floats

Method = Literal["sigmoid", "isotonic"]


class _Scored(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose scores are what it is given."""

    def __init__(self, classes_: NDArray[Any]) -> None:
        self.classes_ = classes_

    def fit(self, X: object, y: object) -> Self:  # noqa: ARG002
        """Nothing is to be learned."""
        return self

    def predict(self, scores: Floats) -> NDArray[Any]:
        """Not asked for, but it must be there."""
        return np.asarray(self.classes_[np.argmax(scores, axis=1)])

    def decision_function(self, scores: Floats) -> Floats:
        """The scores."""
        return scores if len(self.classes_) > 2 else scores.ravel()


def calibrate(
    estimator: Any, rows: Iterable[tuple[Any, NDArray[Any]]], method: Method
) -> dict[str, Any]:
    """What turns the scores of a fitted estimator into probabilities.

    `rows` are some that it has not seen, in batches: (X, y).
    """
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.frozen import FrozenEstimator

    scored = [(np.asarray(estimator.decision_function(X)), y) for X, y in rows]
    scores, y = (np.concatenate(parts) for parts in zip(*scored, strict=True))
    frozen = FrozenEstimator(_Scored(estimator.classes_))
    try:
        made = CalibratedClassifierCV(frozen, method=method).fit(scores.reshape(len(y), -1), y)
    except ValueError as error:
        raise OptionError(f"calibrate: too few held-out rows for it: {error}.") from error
    (found,) = made.calibrated_classifiers_
    if method == "sigmoid":
        curves = [[[float(one.a_)], [float(one.b_)]] for one in found.calibrators]
    else:
        curves = [[one.X_thresholds_.tolist(), one.y_thresholds_.tolist()]
                  for one in found.calibrators]  # fmt: skip
    sentence = f"{method}, fitted to the scores of {with_count(len(y), 'held-out row')}"
    return {"method": method, "curves": curves, "rows": len(y), "sentence": sentence}


def probabilities(calibration: Mapping[str, Any], scores: Floats) -> Floats:
    """The probability of each class, a row for each row of scores."""
    from scipy.special import expit

    method, curves = _checked(calibration, 1 if scores.ndim == 1 else scores.shape[1])
    columns = []
    for column, (first, second) in zip(np.atleast_2d(scores.T), curves, strict=True):
        if method == "sigmoid":
            columns.append(expit(-(first[0] * column + second[0])))
        else:
            columns.append(np.interp(column, first, second))
    if len(columns) == 1:
        return np.column_stack([1 - columns[0], columns[0]])
    found = np.column_stack(columns)
    total = found.sum(axis=1, keepdims=True)
    uniform = np.full_like(found, 1 / found.shape[1])
    np.divide(found, total, out=uniform, where=total > 0)
    return uniform


def _checked(calibration: Mapping[str, Any], planes: int) -> tuple[str, list[list[Floats]]]:
    """The method and the curves of a calibration from a file."""
    try:
        method = str(calibration["method"])
        curves = [
            [np.asarray(part, np.float64) for part in curve] for curve in calibration["curves"]
        ]
        whole = len(curves) == planes and all(
            len(curve) == 2
            and curve[0].shape == curve[1].shape
            and curve[0].ndim == 1
            and len(curve[0]) > 0
            and np.isfinite(curve).all()
            for curve in curves
        )
    except (LookupError, TypeError, ValueError) as error:
        raise FileError(f"the model's calibration cannot be read: {error}.") from error
    if not whole or method not in ("sigmoid", "isotonic"):
        raise FileError("the model's calibration is not one that fit writes.")
    return method, curves
