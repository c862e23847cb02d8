"""Aliased columns of designs with more columns than rows, against elimination in plain Python."""

import time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import oracles

from novikoff import detect_separation
from novikoff.core import sparse as sp
from novikoff.regression import aliases

NUMBERS = [0.0, -0.0, 1.0, -1.0, 3.0, 2.0**53 - 1, 1e300, -1e-300, 5e-324]


@st.composite
def wide_rows(draw):
    """Few rows, more columns, some of the rows repeated."""
    n = draw(st.integers(1, 4))
    d = draw(st.integers(n, 11))
    row = st.lists(st.sampled_from(NUMBERS), min_size=d, max_size=d)
    rows = draw(st.lists(row, min_size=n, max_size=n))
    return [*rows, rows[0]] if draw(st.booleans()) else rows


@settings(max_examples=100)
@given(wide_rows(), st.booleans())
def test_columns_are_aliased_by_those_before_them(rows, is_sparse):
    X = sp.csr_array(np.array(rows)) if is_sparse else np.array(rows)
    at_least, aliases.AT_LEAST = aliases.AT_LEAST, 1
    try:
        found = aliases.independent_columns(X, np.arange(len(rows)), False)
    finally:
        aliases.AT_LEAST = at_least
    assert list(found) == oracles.independent_columns(rows)


def test_a_regression_of_four_rows_and_thousands_of_columns_takes_seconds():
    X = np.random.default_rng(0).standard_normal((4, 2500))
    X[1] = X[0]
    start = time.process_time()
    found = detect_separation(X, [0, 1, 0, 1])
    assert time.process_time() - start < 30  # a null space of 2,497 vectors takes two minutes
    assert found.kind == "quasi-complete"
    assert sum(str(estimate) == "aliased" for estimate in found.coefficients.values()) == 2498
