"""Every estimator through every check of scikit-learn."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from novikoff import (
    AveragedPerceptron,
    FewestErrorsClassifier,
    KernelPerceptron,
    MaximumMarginClassifier,
    Perceptron,
    PocketPerceptron,
    ReluNetwork,
    SeparationCheck,
    VotedPerceptron,
)
from novikoff.estimators import maximum_margin
from novikoff.estimators.validation import check_labels

pytestmark = pytest.mark.slow

ESTIMATORS = [
    Perceptron(),
    Perceptron(order="shuffled", tie="+1", random_state=0),
    Perceptron(arithmetic="exact", max_iter=20),
    AveragedPerceptron(max_iter=50),
    AveragedPerceptron(arithmetic="exact", max_iter=20),
    PocketPerceptron(max_iter=50, random_state=0),
    VotedPerceptron(),
    FewestErrorsClassifier(time_limit=1.0),
    KernelPerceptron(max_iter=50),
    KernelPerceptron(kernel="linear", max_iter=50),
    KernelPerceptron(kernel="precomputed", max_iter=50),
    KernelPerceptron(budget=20, removal="random", max_iter=20),
    ReluNetwork(restarts=3),
    MaximumMarginClassifier(),
    SeparationCheck(),
]


def order_matters(estimator: BaseEstimator) -> dict[str, str]:
    """What no learner can pass whose result depends on the order of the rows.

    These two checks permute the rows and ask for the same scores. A perceptron presents rows in
    their order, and a sample weight scales its step; scikit-learn exempts its own for this reason.
    """
    if isinstance(estimator, (FewestErrorsClassifier, SeparationCheck)):
        return {}  # what it finds depends on no order, and a row of weight 2 is a row twice
    reason = "the rows are permuted, and the order of the rows is part of the algorithm"
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


def labels_that_a_plane_gives(matrix, y):
    """The labels of the plane of least squares: near those given, and separable."""
    classes, index = check_labels(matrix, y)
    dense = matrix.toarray() if sp.issparse(matrix) else matrix
    lifted = np.column_stack([dense.astype(float), np.ones(len(dense))])
    scores = lifted @ np.linalg.lstsq(lifted, 2.0 * (index == 1) - 1, rcond=None)[0]
    found = (scores > np.sort(scores)[(index != 1).sum() - 1]).astype(np.intp)
    return classes, found if len(classes) == 2 else index


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::novikoff.SeparationWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=order_matters)
def test_check(estimator: BaseEstimator, check, monkeypatch) -> None:
    # The rows of some checks cannot be separated, and a hard margin has no slack.
    monkeypatch.setattr(maximum_margin, "check_labels", labels_that_a_plane_gives)
    check(estimator)
