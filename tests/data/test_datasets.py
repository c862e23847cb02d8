"""Built-in data: sizes and verdicts as they are listed; margins exactly as they are promised."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff.data.datasets import list_datasets, load_dataset
from novikoff.data.synthetic import fibonacci, gaussian, known_margin, moons, parity
from novikoff.errors import OptionError
from novikoff.separability.api import separate

LISTED = list_datasets()
TWO = [dataset for dataset in LISTED if "classes" not in dataset.verdict]


@pytest.mark.parametrize("dataset", LISTED, ids=lambda dataset: dataset.name)
def test_the_list_tells_the_size(dataset):
    table = load_dataset(dataset.name)
    assert (table.n, table.d) == (dataset.n, dataset.d)


@pytest.mark.parametrize("dataset", TWO, ids=lambda dataset: dataset.name)
def test_the_list_tells_the_verdict(dataset):
    table = load_dataset(dataset.name)
    verdict = separate(table.X, table.signs, decimals=table.decimals)
    assert verdict.word == dataset.verdict


def test_families():
    assert load_dataset("parity-2").X.tolist() == load_dataset("xor").X.tolist()
    assert load_dataset("digits-3-5").classes == (3, 5)
    assert load_dataset("fibonacci-7").n == 14


@pytest.mark.parametrize("name", ["nope", "digits-3-3", "parity-99", "iris-setosa"])
def test_what_is_not_built_in(name):
    with pytest.raises(OptionError):
        load_dataset(name)


@settings(deadline=None, max_examples=60)
@given(
    n=st.integers(2, 12),
    d=st.integers(1, 20),
    margin=st.floats(1e-12, 1e6),
    seed=st.integers(0, 1000),
)
def test_a_known_margin_is_exact(n, d, margin, seed):
    made = known_margin(n, d, margin=margin, seed=seed)
    w = [Fraction(weight) for weight in made.weights]
    gamma = Fraction(made.margin)
    assert sum(weight * weight for weight in w) == 1
    assert abs(gamma - Fraction(margin)) <= Fraction(margin) / 2**29
    scores = [
        int(y) * sum(weight * Fraction(x) for weight, x in zip(w, row, strict=True))
        for row, y in zip(made.X.tolist(), made.y, strict=True)
    ]
    assert min(scores) == gamma
    # The two points that face each other: the band cannot be wider than their distance.
    assert [Fraction(x) for x in made.X[0]] == [gamma * weight for weight in w]
    assert [Fraction(x) for x in made.X[1]] == [-gamma * weight for weight in w]


@pytest.mark.parametrize("d", [1, 2, 9, 40])
def test_fibonacci_is_separated_by_fibonacci_weights(d):
    X, y = fibonacci(d)
    sizes = [1, 2]
    while len(sizes) < d:
        sizes.append(sizes[-1] + sizes[-2] + 1)
    w = [(1 if k % 2 == 0 else -1) * sizes[k] for k in range(d)]
    for row, sign in zip(X, y.tolist(), strict=True):
        assert sign * sum(weight * int(x) for weight, x in zip(w, row, strict=True)) > 0


def test_made_data_is_seeded():
    for make in (lambda s: gaussian(9, 3, seed=s), lambda s: moons(9, seed=s)):
        assert np.array_equal(make(1)[0], make(1)[0])
        assert not np.array_equal(make(1)[0], make(2)[0])
    assert parity(3)[1].sum() == 0
    assert np.bincount(moons(9)[1] + 1).tolist() == [5, 0, 4]
