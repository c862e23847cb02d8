"""A cycle of the perceptron as a certificate, checked before anybody sees it."""

from collections.abc import Sequence
from fractions import Fraction

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.verify import verify_problem
from novikoff.problem import Problem

__all__ = ["proof_of_cycle"]


def proof_of_cycle(problem: Problem, alpha: Sequence[Fraction | int]) -> Certificate:
    """Gordan's certificate from how far a cycle pushed on each row: Σ αᵢ yᵢ x̂ᵢ = 0."""
    rows = [i for i, value in enumerate(alpha) if value > 0]
    certificate = Certificate.not_separable(problem, rows, [alpha[i] for i in rows])
    verification = verify_problem(certificate, problem)
    if not verification.valid:
        raise AssertionError(f"a cycle that proves nothing: {verification.reason}")
    return certificate
