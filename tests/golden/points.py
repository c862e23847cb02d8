"""Seeded points for the golden files, by steps that are the same on every machine.

Only `RandomState.randint` draws: its stream is frozen, and integers round nowhere. What is no
integer is made of integers by one correctly rounded operation.
"""

from fractions import Fraction

import numpy as np
import scipy.sparse as sp


def integers(n, d, seed, *, span=9, noise=0, classes=2):
    """Whole numbers and labels: of a hidden plane with a gap, with `noise` labels drawn anew."""
    rng = np.random.RandomState(seed)
    X, hidden = rng.randint(-span, span + 1, (n, d)), rng.randint(-5, 6, (d, classes - 1))
    score = X @ hidden
    y = (score > np.median(score, axis=0)).sum(axis=1)
    X = X + np.where(score[:, :1] > np.median(score[:, 0]), 1, -1) * np.sign(hidden[:, 0])
    if noise:
        y[rng.randint(0, n, noise)] = rng.randint(0, classes, noise)
    y[:classes] = range(classes)
    return X, y


def close(n, d, seed):
    """Two classes with a small gap: labels are those of a plane that the rows may nearly touch."""
    rng = np.random.RandomState(seed)
    X, hidden = rng.randint(-999, 1000, (n, d)), rng.randint(1, 6, d)
    score = X @ hidden
    keep = np.abs(score) > 20
    return X[keep], (score[keep] > 0).astype(int)


def overlapping(n, d, seed):
    """Labels with nothing to do with the rows."""
    rng = np.random.RandomState(seed)
    X, y = rng.randint(-9, 10, (n, d)), rng.randint(0, 2, n)
    y[:2] = 0, 1
    return X, y


def eighths(n, d, seed, noise=0):
    """Float64 numbers with three binary places."""
    X, y = integers(n, d, seed, span=40, noise=noise)
    return X / 8.0, y


def tenths(n, d, seed, noise=0):
    """Decimals with one place, as the nearest float64 numbers: nothing is exact."""
    X, y = integers(n, d, seed, span=40, noise=noise)
    return X / 10.0, y


def many_digits(n, d, seed, noise=0):
    """Float64 numbers with 53 bits each."""
    X, y = integers(n, d, seed, noise=noise)
    rng = np.random.RandomState(seed + 1)
    return X + rng.randint(1, 1 << 30, (n, d)) / 3.0 / (1 << 30), y


def extreme(n, d, seed, low=-1074, high=900):
    """Float64 numbers of all sizes, subnormal ones and negative zeros too."""
    rng = np.random.RandomState(seed)
    mantissa, power = rng.randint(1, 1 << 30, (n, d)), rng.randint(low - 29, high - 29, (n, d))
    sign = rng.choice([-1.0, 1.0], (n, d))
    X = sign * np.ldexp(mantissa.astype(float), power)
    X[rng.randint(0, 8, (n, d)) == 0] = -0.0
    y = rng.randint(0, 2, n)
    y[:2] = 0, 1
    return X, y


def near_ties(n, d, seed):
    """Rows whose scores are 0 or nearly so, again and again: 1 ± 2⁻⁵², 2⁵³ ± 1 and their like."""
    rng = np.random.RandomState(seed)
    values = [1.0, 1 + 2.0**-52, 1 - 2.0**-53, -1.0, 2.0**53, 2.0**53 - 1, -(2.0**53), 0.0, -0.0]
    X = np.array(values)[rng.randint(0, len(values), (n, d))]
    y = rng.randint(0, 2, n)
    y[:2] = 0, 1
    return X, y


def sparse(n, d, seed, *, noise=0, index=np.int32):
    """A CSR matrix with about three entries a row, some of which are stored zeros."""
    rng = np.random.RandomState(seed)
    X, y = integers(n, d, seed, noise=noise)
    keep = rng.randint(0, d, (n, d)) < 3
    X[np.arange(n), rng.randint(0, d, n)] += 20 * y - 10
    kept = sp.csr_array(np.where(keep | (np.abs(X) > 9), X / 4.0, 0.0))
    kept.data[::17] = 0.0
    kept.indices, kept.indptr = kept.indices.astype(index), kept.indptr.astype(index)
    return kept, y


def fractions(n, d, seed, noise=0):
    """Thirds, sevenths and whole numbers beyond 64 bits, as Python's objects."""
    X, y = integers(n, d, seed, noise=noise)
    divisors = np.random.RandomState(seed + 1).randint(1, 8, (n, d)).tolist()
    rows = [
        [Fraction(x, by) for x, by in zip(row, bys, strict=True)]
        for row, bys in zip(X.tolist(), divisors, strict=True)
    ]
    rows[0][0] += 10**25
    return np.array(rows, dtype=object), y


def rare_dummies(n, levels, seed, noise=0):
    """Dummies of two factors and a count: what faces of rational dimension are made of."""
    rng = np.random.RandomState(seed)
    first, second, count = rng.randint(0, levels, n), rng.randint(0, 3, n), rng.randint(0, 4, n)
    X = np.column_stack([first == k for k in range(levels)] + [second == k for k in range(3)])
    X = np.column_stack([X.astype(int), count])
    y = (first + 2 * second > levels // 2 + 1).astype(int)
    if noise:
        y[rng.randint(0, n, noise)] = rng.randint(0, 2, noise)
    y[:2] = 0, 1
    return X, y


def weights_of(n, seed):
    """Weights of examples: quarters, and some zeros."""
    return np.random.RandomState(seed).randint(0, 9, n) / 4.0
