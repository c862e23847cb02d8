"""Columns that span all others, against elimination with fractions in plain Python."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import rank

from novikoff.core import sparse as sp
from novikoff.exact import spanning
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.spanning import spanning_columns

NUMBERS = [0.0, -0.0, 1.0, -1.0, 3.0, 0.1, 2.0**53 - 1, 2.0**53, 1e300, -1e-300, 5e-324, 1.5e-323]


def last_basis(X, with_one):
    """Going from the last column to the first, each that is no combination of those kept."""
    columns = [[Fraction(value) for value in column] for column in zip(*X, strict=True)]
    kept = [[Fraction(1)] * len(X)] if with_one else []
    chosen = []
    for j in range(len(columns) - 1, -1, -1):
        if rank([*kept, columns[j]]) > len(kept):
            kept.append(columns[j])
            chosen.append(j)
    return sorted(chosen)


@st.composite
def wide_rows(draw):
    """Few rows, more columns, some of the rows and columns repeated."""
    n = draw(st.integers(1, 4))
    d = draw(st.integers(n + 1, 9))
    rows = draw(
        st.lists(st.lists(st.sampled_from(NUMBERS), min_size=d, max_size=d), min_size=n, max_size=n)
    )
    if n > 1 and draw(st.booleans()):
        rows[-1] = list(rows[0])
    return rows


@settings(max_examples=150)
@given(wide_rows(), st.booleans(), st.sampled_from(["<f8", ">f8", "sparse", "fractions"]))
def test_they_are_the_last_independent_columns(rows, with_one, kind):
    if kind == "sparse":
        X = sp.csr_array(np.array(rows))
    elif kind == "fractions":
        X = np.array([[Fraction(value) for value in row] for row in rows], dtype=object)
    else:
        X = np.array(rows, dtype=kind)
    found = spanning_columns(ExactMatrix(X, decimals=False), with_one=with_one)
    assert found == last_basis(rows, with_one)


def test_an_unlucky_prime_is_noticed(monkeypatch):
    # Modulo the first prime the last column is a multiple of the first.
    first = spanning.prime_below(0)
    X = np.array([[1.0, 0.0, 1.0, 2.0], [1.0, 0.0, 1.0 + first, 2.0], [1.0, 0.0, 1.0, 2.0]])
    reading = ExactMatrix(X, decimals=False)
    assert spanning_columns(reading, with_one=True) == [2]
    monkeypatch.setattr(spanning, "MOST_PRIMES", 1)
    assert spanning_columns(reading, with_one=True) is None


@pytest.mark.parametrize("limit", ["MOST_NUMBERS", "MOST_STEPS"])
def test_what_is_too_large_is_left_alone(monkeypatch, limit):
    monkeypatch.setattr(spanning, limit, 1)
    assert spanning_columns(ExactMatrix(np.ones((2, 5)), decimals=False), with_one=True) is None
