"""Every estimator through every check of scikit-learn."""

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from novikoff import (
    AveragedPerceptron,
    FewestErrorsClassifier,
    KernelPerceptron,
    Perceptron,
    PocketPerceptron,
    ReluNetwork,
    VotedPerceptron,
)

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
]


def order_matters(estimator: BaseEstimator) -> dict[str, str]:
    """What no learner can pass whose result depends on the order of the rows.

    These two checks permute the rows and ask for the same scores. A perceptron presents rows in
    their order, and a sample weight scales its step; scikit-learn exempts its own for this reason.
    """
    if isinstance(estimator, FewestErrorsClassifier):
        return {}  # what it finds depends on no order, and a row of weight 2 is a row twice
    reason = "the rows are permuted, and the order of the rows is part of the algorithm"
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=order_matters)
def test_check(estimator: BaseEstimator, check) -> None:
    check(estimator)
