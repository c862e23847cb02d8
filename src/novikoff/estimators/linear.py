"""Classifiers with one ŵ or several: `coef_` and `intercept_`, and the scores by them.

The weights of a learner as a certificate, checked exactly before anybody sees it.
"""

import math
import sys
from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from novikoff.certificates.certificate import Certificate
from novikoff.core import sparse as sp
from novikoff.core.options import check_flag, check_seconds
from novikoff.errors import DataError, OptionError
from novikoff.estimators.base import ScoresScans, ThresholdClassifier
from novikoff.estimators.training_data import n_planes
from novikoff.estimators.validation import check_matrix
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.score_signs import score_signs
from novikoff.learners.unit import scores
from novikoff.matrix.problem import Matrix, Problem, as_fraction, float64_holds
from novikoff.matrix.rows import Floats, n_rows, rows_of
from novikoff.matrix.sources import as_problem


def proof_of_weights(
    problem: Problem, weights: Sequence[Fraction], intercept: Fraction
) -> Certificate:
    """The certificate that these weights separate the rows, wherever these are.

    The signs come first: they take one pass of all workers, and the hash of all rows a walk past
    one partition after the other.
    """
    parts = ExactMatrix(problem.X, False).over_parts(score_signs, list(weights), intercept)
    wrong = np.flatnonzero(np.concatenate(parts) != problem.y)
    if len(wrong):
        raise DataError(
            f"the weights do not separate these rows: {len(wrong)} of {problem.n} are not strictly "
            f"on their side, the first is row {wrong[0]}. novikoff.separate(X, y) says whether "
            "other weights do."
        )
    return Certificate.separable(problem, weights, intercept)


class HyperplaneClassifier(ScoresScans, BaseEstimator):
    """A classifier whose hyperplanes are searched for, within `time_limit` seconds each."""

    coef_: Floats
    intercept_: Floats
    classes_: NDArray[Any]

    def __init__(self, *, fit_intercept: bool = True, time_limit: float | None = 60.0) -> None:
        self.fit_intercept = fit_intercept
        self.time_limit = time_limit

    def _check_options(self) -> None:
        check_flag("fit_intercept", self.fit_intercept)
        if self.time_limit is not None:
            check_seconds("time_limit", self.time_limit)

    def decision_function(self, X: object) -> Floats:
        """Scores: one a row for two classes (positive: the second), else one a row and class."""
        check_is_fitted(self, "coef_")
        rows = rows_of(check_matrix(self, X, reset=False))
        w_hats = np.column_stack([self.coef_, self.intercept_])
        columns = [scores(rows, n_rows(rows), np.ascontiguousarray(w_hat)) for w_hat in w_hats]
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    def predict(self, X: object) -> NDArray[Any]:
        """The class of each row; a score of exactly 0 falls to the second of two."""
        decision = self.decision_function(X)
        if decision.ndim == 2:
            return np.asarray(self.classes_[decision.argmax(axis=1)])
        return np.asarray(self.classes_[(decision >= 0).astype(np.intp)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class LinearThresholdClassifier(ThresholdClassifier):
    """A threshold classifier whose every run ends with one ŵ."""

    coef_: Floats
    intercept_: Floats
    exact_coef_: NDArray[Any]
    exact_intercept_: NDArray[Any]

    def certify(self, X: object, y: object = None) -> Certificate:
        """The proof that the weights separate these rows, checked exactly: `verify` takes it.

        Of two classes only. Rows may be an array, a scan or on a Dask cluster. It costs a pass over
        all rows and the hash of them, so it is made only when asked for.

        Parameters
        ----------
        X : array-like of shape (n, d), scan, or Dask array or dataframe
            The rows, as `fit` takes them.
        y : array-like of shape (n,)
            Their labels; a scan has its own.

        Returns
        -------
        Certificate
            Weights and intercept as exact numbers, and the hash of the rows.
        """
        check_is_fitted(self)
        if len(self.classes_) != 2:
            raise OptionError(
                f"certify is about two classes, and there are {len(self.classes_)}: learn one "
                "class against the rest, with y == label."
            )
        names = getattr(self, "feature_names_in_", None)
        problem = as_problem(X, y, fit_intercept=bool(self.fit_intercept), names=names)
        if list(problem.classes) != self.classes_.tolist() or problem.d != self.n_features_in_:
            raise DataError(
                f"{self.n_features_in_} columns and the classes {self.classes_.tolist()} were "
                f"learned; these rows have {problem.d} and {list(problem.classes)}."
            )
        weights = getattr(self, "exact_coef_", self.coef_)[0]
        intercept = getattr(self, "exact_intercept_", self.intercept_)[0]
        return proof_of_weights(problem, [as_fraction(w) for w in weights], as_fraction(intercept))

    def _html_repr(self) -> str:
        """What a notebook shows: the options, and the unit once it is fitted."""
        import novikoff

        shown = str(super()._html_repr())
        return shown + novikoff.report.figure_html(self) if hasattr(self, "coef_") else shown

    def _set_zero_weights(self) -> None:
        planes = n_planes(self.classes_)
        self.coef_ = np.zeros((planes, self.n_features_in_))
        self.intercept_ = np.zeros(planes)

    def _w_hat(self, k: int) -> Floats:
        """A copy of ŵ of run k."""
        w_hat = np.empty(self.coef_.shape[1] + 1)
        w_hat[:-1], w_hat[-1] = self.coef_[k], self.intercept_[k]
        return w_hat

    def _set_weights(self, w_hats: list[Floats]) -> None:
        stacked = np.array(w_hats)
        self.coef_ = stacked[:, :-1]
        self.intercept_ = stacked[:, -1]

    def _set_errors(self, errors: list[int | None]) -> None:
        """`n_errors_`, where a last pass over all rows has counted them."""
        self.__dict__.pop("n_errors_", None)
        counted = [count for count in errors if count is not None]
        if counted:
            self.n_errors_ = counted[0] if len(counted) == 1 else np.array(counted)

    def _scores(self, matrix: Matrix) -> list[Floats]:
        if matrix.dtype == object or not float64_holds(matrix):
            return self._exact_scores(matrix)
        rows = rows_of(matrix)
        return [scores(rows, n_rows(rows), self._w_hat(k)) for k in range(len(self.coef_))]

    def _exact_scores(self, matrix: Matrix) -> list[Floats]:
        """The scores by the rational weights, each rounded once; none but 0 becomes 0."""
        rows = matrix.toarray() if sp.issparse(matrix) else matrix
        points = [[as_fraction(value) for value in row] for row in rows]
        planes = zip(self.exact_coef_, self.exact_intercept_, strict=True)
        return [np.array([_rounded(sum(map(mul, x, w), b)) for x in points]) for w, b in planes]


def _rounded(score: Fraction) -> float:
    """The nearest float64 number with the sign of the score."""
    sign = 1 if score > 0 else -1
    try:
        nearest = float(score)
    except OverflowError:
        return sign * sys.float_info.max
    return nearest if nearest or not score else sign * math.ulp(0.0)
