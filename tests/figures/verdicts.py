"""Small verdicts made by hand, so that figures and pages are tested without a search."""

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.matrix.problem import Problem
from novikoff.separability.verdicts import (
    Interval,
    Overlapping,
    ProvenMargins,
    Separable,
    Touching,
    Undecided,
)

F = Fraction


def separable(**changes: Any) -> Separable:
    """Two clouds about x₀ + x₁ = 8, the columns called dose and age."""
    X = np.array([[2.0, 4.0], [4.0, 2.0], [1.0, 1.0], [4.0, 6.0], [6.0, 4.0], [7.0, 7.0]])
    problem = Problem.of(X, ["ill"] * 3 + ["well"] * 3, names=["dose", "age"])
    fields: dict[str, Any] = {
        "problem": problem,
        "weights": np.array([1.0, 1.0]) / np.sqrt(2),
        "intercept": -8 / np.sqrt(2),
        "exact_weights": (F(1), F(1)),
        "exact_intercept": F(-8),
        "known": ProvenMargins(
            margin=Interval(1.4142135623, 1.4142135624),
            augmented_margin=Interval(0.2461829819, 0.2461829820),
            radius=Interval(9.9498743710, 9.9498743711),
            mistake_bound=Interval(1633.4999, 1633.5001),
            support=np.array([0, 1, 3, 4]),
        ),
    }
    return Separable(**(fields | changes))


def touching(**changes: Any) -> Touching:
    """x = −1, 0 | 0, 1: the plane x = 0 is touched from both sides."""
    problem = Problem.of(np.array([[-1.0], [0.0], [0.0], [1.0]]), [0, 0, 1, 1], names=["dose"])
    fields: dict[str, Any] = {
        "problem": problem,
        "rows": np.array([1, 2]),
        "alpha": (F(1), F(1)),
        "alpha_float": np.array([1.0, 1.0]),
        "weights": np.array([1.0]),
        "intercept": 0.0,
        "exact_weights": (F(1),),
        "exact_intercept": F(0),
        "rows_on_plane": np.array([1, 2]),
        "columns": ("dose",),
    }
    return Touching(**(fields | changes))


def overlapping(**changes: Any) -> Overlapping:
    """XOR: the diagonals meet in the middle."""
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    fields: dict[str, Any] = {
        "problem": Problem.of(X, [0, 1, 1, 0]),
        "rows": np.array([0, 1, 2, 3]),
        "alpha": (F(1),) * 4,
        "alpha_float": np.ones(4),
        "shared_point": np.array([0.5, 0.5]),
    }
    return Overlapping(**(fields | changes))


def undecided() -> Undecided:
    """A limit was hit."""
    problem = Problem.of(np.array([[0.0, 0.0], [1.0, 1.0]]), [0, 1])
    return Undecided(problem=problem, reason="the limit of 3 <passes> was hit", advice="ask again")
