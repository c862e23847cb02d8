"""What a verdict claims, checked with fractions on the points as they were given."""

from fractions import Fraction

import numpy as np
import scipy.sparse as sp
from tests.oracles import rank

import novikoff.separability.verdicts as verdicts
from novikoff.matrix.problem import as_fraction


def signed_rows(verdict, X, y, read=as_fraction):
    """The rows yᵢx̂ᵢ."""
    X = X.toarray() if sp.issparse(X) else np.asarray(X)
    return [
        [sign * read(value) for value in row] + [Fraction(sign)] * verdict.fit_intercept
        for row, sign in zip(X.tolist(), signs(verdict, y), strict=True)
    ]


def signs(verdict, y):
    return [1 if label == verdict.classes[1] else -1 for label in np.asarray(y).tolist()]


def check_proof(verdict, X, y, read=as_fraction):
    """Every claim of the verdict holds exactly."""
    A = signed_rows(verdict, X, y, read)
    if isinstance(verdict, verdicts.Separable):
        assert min(scores(verdict, A)) > 0
        return
    assert isinstance(verdict, verdicts.Touching | verdicts.Overlapping)
    rows, alpha = verdict.rows.tolist(), verdict.exact_alpha()
    assert len(set(rows)) == len(rows) == len(alpha)
    assert all(value > 0 for value in alpha)
    assert not any(
        sum(a * A[i][j] for a, i in zip(alpha, rows, strict=True)) for j in range(len(A[0]))
    )
    if isinstance(verdict, verdicts.Touching):
        along = scores(verdict, A)
        assert min(along) == 0
        assert max(along) > 0
        assert verdict.rows_on_plane.tolist() == [i for i, s in enumerate(along) if s == 0]
    else:
        assert rank([A[i] for i in rows]) == rank(A)
        assert len(rows) <= 2 * len(A[0]) or len(A[0]) > 200 or verdict.alpha is None


def scores(verdict, A):
    """yᵢ(w·xᵢ + b) for the verdict's exact weights."""
    w = [*verdict.exact_weights, *[verdict.exact_intercept] * verdict.fit_intercept]
    return [sum(a * b for a, b in zip(row, w, strict=True)) for row in A]


def check_margins(verdict, tight=1e-6):
    """The exact margin lies in its interval, which is narrow."""
    square = verdict.exact_margin_squared
    assert square is not None
    assert Fraction(verdict.margin.lower) ** 2 <= square <= Fraction(verdict.margin.upper) ** 2
    for interval in (verdict.margin, verdict.augmented_margin):
        assert interval.lower > (1 - tight) * interval.upper
    # b costs norm, so the augmented margin is the smaller one
    assert verdict.augmented_margin.lower <= verdict.margin.upper
