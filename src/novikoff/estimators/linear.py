"""Learners whose every run ends with one ŵ: `coef_` and `intercept_`, and the scores by them."""

import numpy as np

from novikoff.estimators.base import ThresholdClassifier
from novikoff.estimators.steps import n_planes
from novikoff.learners.scores import scores
from novikoff.problem import Matrix
from novikoff.rows import Floats, n_rows, rows_of

__all__ = ["LinearThresholdClassifier"]


class LinearThresholdClassifier(ThresholdClassifier):
    """A threshold classifier whose every run ends with one ŵ."""

    coef_: Floats
    intercept_: Floats

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
        rows = rows_of(matrix)
        return [scores(rows, n_rows(rows), self._w_hat(k)) for k in range(len(self.coef_))]
