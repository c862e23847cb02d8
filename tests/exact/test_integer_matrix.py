"""Sparse matrices of long integers, beside plain sums."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novikoff.exact.lifting import IntegerMatrix


@st.composite
def systems(draw):
    """A table with empty rows anywhere, and a vector; entries of few or many digits."""
    n, d = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    most = draw(st.sampled_from([3, 2**40, 2**200]))
    entry = st.one_of(st.just(0), st.integers(-most, most))
    row = st.one_of(st.just([0] * d), st.lists(entry, min_size=d, max_size=d))
    table = draw(st.lists(row, min_size=n, max_size=n))
    return table, draw(st.lists(st.integers(-most, most), min_size=d, max_size=d))


def matrix_of(table, dtype) -> IntegerMatrix:
    stored = [[(j, x) for j, x in enumerate(row) if x] for row in table]
    data = np.array([x for row in stored for _, x in row], dtype=dtype)
    indices = np.array([j for row in stored for j, _ in row], dtype=np.int64)
    indptr = np.cumsum([0, *map(len, stored)])
    return IntegerMatrix.of(data, indices, indptr, (len(table), len(table[0])))


@given(systems())
def test_products_are_sums_of_products(system):
    """Empty rows, the last one too, take nothing from those beside them."""
    table, x = system
    expected = [sum(a * b for a, b in zip(row, x, strict=True)) for row in table]
    assert matrix_of(table, object).times(x) == expected
    columns = [sum(row[j] * a for row, a in zip(table, range(len(table)), strict=True))
               for j in range(len(x))]  # fmt: skip
    assert matrix_of(table, object).transpose().times(range(len(table))) == columns
    if max(map(abs, sum(table, x))) < 2**62:
        assert matrix_of(table, np.int64).times(x) == expected
