"""`FewestErrorsClassifier`: the half-space with the fewest training errors, and the proof."""

from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.estimators.linear import HyperplaneClassifier
from novikoff.estimators.validation import (
    check_labels,
    check_numbers,
    check_weights,
    note_columns,
)
from novikoff.matrix.batches import Batches, load_rows, refuse_labels
from novikoff.matrix.problem import Matrix
from novikoff.matrix.rows import Floats
from novikoff.separability.fewest.api import fewest_errors
from novikoff.separability.fewest.result import ErrorBounds, FewestErrors


class FewestErrorsClassifier(HyperplaneClassifier):
    """Empirical risk minimisation over half-spaces: the fewest training errors, proven.

    Of more than two classes each is told from the rest, and the greatest score wins: then it is the
    errors of each half-space that are proven to be fewest.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.
    time_limit : float or None, default=60.0
        Seconds to search for each half-space; None for as long as it takes.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights, one row for two classes, otherwise one a class, as float64.
    exact_coef_, exact_intercept_ : ndarray of Fraction
        The same as exact numbers: what the certificate speaks of.
    errors_ : ErrorBounds or list of ErrorBounds
        The fewest errors of any hyperplane, between two proven bounds, in sample weights if given.
    n_errors_ : int or ndarray
        How many rows these weights get wrong: y·(w·x + b) ≤ 0.
    wrong_rows_ : ndarray or list of ndarray
        Which rows these are: candidates for wrong labels.
    certificate_ : Certificate or list of Certificate
        What proves `errors_`.
    classes_ : ndarray
        The labels; of two, the second is +1.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], ["same", "same", "other", "other"]
    >>> model = novikoff.FewestErrorsClassifier().fit(X, y)
    >>> model.n_errors_, str(model.errors_), model.score(X, y)
    (1, '1', 0.75)
    """

    errors_: ErrorBounds | list[ErrorBounds]
    certificate_: Certificate | list[Certificate]

    def fit(self, X: object, y: object = None, sample_weight: object = None) -> Self:
        """Find the weights with the fewest errors, each counted with its sample weight if given."""
        self._check_options()
        if isinstance(X, Batches):
            refuse_labels(y, sample_weight)
            X, y, sample_weight = load_rows(X, type(self).__name__)
        matrix = check_numbers(self, X, exact=False)
        classes, index = check_labels(matrix, y)
        weights = check_weights(sample_weight, matrix, some=True)
        note_columns(self, X, matrix)
        self.classes_ = classes
        self.__dict__.pop("coef_", None)  # a search that is interrupted leaves nothing fitted
        found = [self._find(matrix, labels, weights) for labels in self._labels(index)]
        exact = np.array([[*one.weights, one.intercept] for one in found], dtype=object)
        self.exact_coef_, self.exact_intercept_ = exact[:, :-1], exact[:, -1]
        floats = np.array([_as_floats(row) for row in exact])
        self.coef_, self.intercept_ = floats[:, :-1], floats[:, -1]
        one_run = len(found) == 1
        self.errors_ = found[0].errors if one_run else [one.errors for one in found]
        self.wrong_rows_ = found[0].wrong_rows if one_run else [one.wrong_rows for one in found]
        counts = np.array([len(one.wrong_rows) for one in found])
        self.n_errors_ = int(counts[0]) if one_run else counts
        proofs = [one.certificate() for one in found]
        self.certificate_ = proofs[0] if one_run else proofs
        return self

    def _labels(self, index: NDArray[np.intp]) -> list[NDArray[Any]]:
        """The labels of each half-space: the user's own, or whether they are class k."""
        if len(self.classes_) == 2:
            return [self.classes_[index]]
        return [index == k for k in range(len(self.classes_))]

    def _find(self, matrix: Matrix, labels: NDArray[Any], weights: Floats | None) -> FewestErrors:
        return fewest_errors(
            matrix,
            labels,
            fit_intercept=self.fit_intercept,
            weights=weights,
            time_limit=self.time_limit,
            names=getattr(self, "feature_names_in_", None),
        )


def _as_floats(weights: NDArray[Any]) -> list[float]:
    """Weights near 1 in size: scores keep their signs, and no exact number is too large."""
    largest = max((abs(value) for value in weights), default=Fraction(0)) or Fraction(1)
    shift = largest.numerator.bit_length() - largest.denominator.bit_length()
    return [float(value / Fraction(2) ** shift) for value in weights]
