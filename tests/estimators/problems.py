"""Small labelled problems for the learners, and the rows that an order presents."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.datasets import load_iris

# Integers make ties, tenths make rounding.
VALUES = st.one_of(st.integers(-4, 4).map(float), st.integers(-30, 30).map(lambda i: i / 10))


@st.composite
def problems(draw, classes=2):
    """(X, labels): a few points of a few columns, every class among the labels."""
    n, d = draw(st.integers(classes, 10)), draw(st.integers(1, 3))
    X = draw(hnp.arrays(np.float64, (n, d), elements=VALUES))
    rest = draw(st.lists(st.integers(0, classes - 1), min_size=n - classes, max_size=n - classes))
    return X, np.array(draw(st.permutations([*range(classes), *rest])))


def signs(labels):
    """The labels 0 and 1 as −1 and +1, as plain numbers."""
    return [1 if label == 1 else -1 for label in labels]


def orders(kind, n, epochs, seed):
    """The rows that a binary estimator with `random_state=seed` presents, epoch by epoch."""
    rng = np.random.RandomState(np.random.RandomState(seed).randint(2**31 - 1, size=1)[0])
    draws = {
        "cyclic": lambda: range(n),
        "shuffled": lambda: rng.permutation(n),
        "random": lambda: rng.randint(0, n, size=n, dtype=np.int64),
    }
    return [[int(i) for i in draws[kind]()] for _ in range(epochs)]


def versicolor_virginica():
    """The two species of iris that no plane separates, raw."""
    X, y = load_iris(return_X_y=True)
    return X[50:], y[50:]
