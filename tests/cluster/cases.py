"""Labelled points for tests on a cluster, separable unless asked otherwise."""

import numpy as np


def points(n=600, d=4, seed=0, *, margin=0.05, integers=False, flips=0):
    """Points on both sides of a plane, none nearer to it than `margin`; some labels flipped."""
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((4 * n, d)), rng.standard_normal(d)
    w /= np.linalg.norm(w)
    X = np.round(X * 4) if integers else X
    score = X @ w + 0.1
    X = X[np.abs(score) > margin][:n]
    y = (X @ w + 0.1 > 0).astype(np.int64)
    y[rng.choice(n, flips, replace=False)] ^= 1
    return X, y


def two_workers(client):
    """Wait until there are two workers; where a nanny is slow to bring one back, start another."""
    try:
        client.wait_for_workers(2, timeout=15)
    except TimeoutError:
        client.cluster.scale(3)
        client.wait_for_workers(2, timeout=60)
