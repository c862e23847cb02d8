"""The weights of a learner as a certificate, checked exactly before anybody sees it."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from novikoff.certificates.certificate import Certificate
from novikoff.errors import DataError
from novikoff.exact.reading import Reading
from novikoff.exact.score_signs import score_signs
from novikoff.problem import Problem

__all__ = ["proof_of_weights"]


def proof_of_weights(
    problem: Problem, weights: Sequence[Fraction], intercept: Fraction
) -> Certificate:
    """The certificate that these weights separate the rows, wherever these are.

    The signs come first: they take one pass of all workers, and the hash of all rows a walk past
    one partition after the other.
    """
    parts = Reading(problem.X, False).over_parts(score_signs, list(weights), intercept)
    wrong = np.flatnonzero(np.concatenate(parts) != problem.y)
    if len(wrong):
        raise DataError(
            f"the weights do not separate these rows: {len(wrong)} of {problem.n} are not strictly "
            f"on their side, the first is row {wrong[0]}. novikoff.separate(X, y) says whether "
            "other weights do."
        )
    return Certificate.separable(problem, weights, intercept)
