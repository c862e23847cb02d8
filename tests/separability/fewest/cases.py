"""Data on which the fewest errors are known, or hard to find, or hard to prove."""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris


def flips(n, d, count, seed=0):
    """Gaussian points on two sides of a plane, some labels turned round."""
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    y = np.where(X @ w > 0, 1, -1)
    y[rng.choice(n, count, replace=False)] *= -1
    return X, y


def grid(n, d, seed, size=4):
    """Small integers with labels that know nothing of them: ties, duplicates, contradictions."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-size, size + 1, (n, d)).astype(float)
    y = np.where(rng.integers(0, 2, n) > 0, 1, -1)
    y[:2] = -1, 1
    return X, y


def categorical(n, levels, seed):
    """Indicators of two factors, all levels of both: collinear columns, few distinct rows."""
    rng = np.random.default_rng(seed)
    factors = [rng.integers(0, levels, n) for _ in range(2)]
    X = np.column_stack([factor == level for factor in factors for level in range(levels)])
    y = np.where(rng.random(n) < 0.2 + 0.6 * (factors[0] > levels // 2), 1, -1)
    y[:2] = -1, 1
    return X.astype(float), y


def iris(a, b):
    X, y = load_iris(return_X_y=True)
    rows = (y == a) | (y == b)
    return X[rows], np.where(y[rows] == b, 1, -1)


def breast_cancer(columns):
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :columns], np.where(y == 1, 1, -1)
