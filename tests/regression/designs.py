"""Random designs for regressions: dummies, empty cells, counts, columns that repeat others."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def designs(draw, model="logit"):
    """X and y of up to 60 rows, in which cells are often of one outcome."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    n, levels = int(rng.integers(4, 60)), int(rng.integers(1, 5))
    cell = rng.integers(0, levels, n)
    columns = [(cell == k).astype(float) for k in range(levels)]
    for _ in range(int(rng.integers(0, 3))):
        kind = rng.integers(0, 4)
        if kind == 0:
            columns.append(rng.integers(-2, 3, n).astype(float))
        elif kind == 1:
            columns.append(np.round(rng.standard_normal(n), 1))
        elif kind == 2:
            columns.append(sum(columns[: int(rng.integers(1, len(columns) + 1))]))
        else:
            columns.append((rng.random(n) < 0.3) * rng.random(n))
    X = np.column_stack(columns)[:, rng.permutation(len(columns))]
    score = X @ rng.integers(-2, 3, X.shape[1])
    noise = rng.choice([0.0, 0.5, 3.0]) * rng.standard_normal(n)
    y = (score + noise > np.median(score)).astype(np.int64)
    y[cell == rng.integers(0, levels + 1)] = rng.integers(0, 2)
    if len(np.unique(y)) < 2:
        y[0] ^= 1
    return X, y * rng.integers(1, 5, n) if model in ("poisson", "negative-binomial") else y
