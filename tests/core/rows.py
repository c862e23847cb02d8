"""Data for the extension in every storage, hostile but legal, and what plain Python makes of it."""

from fractions import Fraction

import numpy as np

from novikoff import _core

# Far apart, so that scores cancel, and with products that vanish; none overflows.
STRANGE = [0.0, -0.0, 1.0, -1.0, 0.1, 5e-324, -2e-308, 1e-200, -1e100, 3e100, 2.0**53, 1 / 3]

STORAGES = ["float64", "float32", "int16", "csr64", "csr32", "csr of int8"]


def random_rows(storage, n, d, rng, values=None, *, repeats=True):
    """Rows for `_core`, and the entries (column, value) of each as Python's numbers.

    `repeats`: sparse rows name columns twice, which bounds with norms do not allow.
    """
    kind = {"float64": "f8", "float32": "f4", "int16": "i2", "csr of int8": "i1"}.get(storage, "f8")
    if values is None or "int" in storage:
        values = np.arange(-3, 4)
    if storage == "float32":
        values = [v for v in values if v == 0 or 1e-30 < abs(v) < 1e30]
    if not storage.startswith("csr"):
        X = rng.choice(values, (n, d)).astype(kind)
        return X, [[(j, float(x)) for j, x in enumerate(row)] for row in X]
    # Columns twice, out of order, with zeros that are stored; some rows are empty.
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, d + 2, n))])
    columns = rng.integers(0, d, starts[-1])
    if not repeats:
        lengths = np.minimum(np.diff(starts), d)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        columns = np.concatenate([rng.permutation(d)[:k] for k in lengths])
    data = rng.choice(values, starts[-1]).astype(kind)
    index = np.uint64 if storage == "csr64" else np.uint32
    entries = [
        [(int(columns[k]), float(data[k])) for k in range(starts[i], starts[i + 1])]
        for i in range(n)
    ]
    return (data, columns.astype(index), starts.astype(index), d), entries


def examples_of(rows, push, *, bias=1.0, unit=0.0, entries=None):
    """The tuple that `_core` takes; `entries` says how long a block is, and changes no bit."""
    push = np.asarray(push, float)
    norms = np.empty(len(push))
    _core.row_norms(rows, bias > 0, norms)
    return (rows, push, norms, bias, unit, float(norms.max(initial=0)), entries or 8)


def weights_at(w):
    """Weights, and a bound on their norm."""
    return (w, np.array([_core.norm_bound(w)]))


def score(entries, w):
    """x · w + b without any rounding."""
    return sum((Fraction(x) * Fraction(w[j]) for j, x in entries), Fraction(w[-1]))


def is_mistake(side, y, tie):
    """Whether a score is on the wrong side of label y; `tie` is the side of a score of 0."""
    return side * y < 0 or (side == 0 and tie * y <= 0)


def push_by(entries, step, w, bias):
    """w ← w + step·x̂, each weight rounded by itself."""
    for j, x in entries:
        w[j] += step * x
    w[-1] += step * bias


def sign(value):
    """−1, 0 or 1."""
    return int(value > 0) - int(value < 0)
