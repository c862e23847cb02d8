"""The two parts of a hurdle model."""

from math import exp, expm1, log

import numpy as np
import pandas as pd
import pytest

import novikoff
from novikoff.errors import DataError


def test_zeros_and_counts_are_asked_about_apart():
    table = pd.DataFrame(
        {
            "y": [0, 0, 1, 2, 1, 1, 3, 0, 0, 2],
            "a": [1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            "b": [0, 0, 1, 0, 1, 1, 0, 1, 0, 0],
        }
    )
    found = novikoff.detect_separation("y ~ a + b", table, model="hurdle")
    zeros, counts = found["zeros"], found["counts"]
    # Where a is 1 nothing is counted; where b is 1, never more than 1.
    assert {n: str(e) for n, e in zeros.coefficients.items()} == {
        "(intercept)": "finite", "a": "−∞", "b": "finite"
    }  # fmt: skip
    assert {n: str(e) for n, e in counts.coefficients.items()} == {
        "(intercept)": "finite", "a": "aliased", "b": "−∞"
    }  # fmt: skip
    assert counts.separated_rows == [2, 4, 5]
    assert found.to_frame().loc["counts", "separated"] == 3
    y = table.y.to_numpy()
    proof, X = counts.certificate(), table[["a", "b"]].to_numpy()
    assert novikoff.verify(proof, X, np.maximum(y - 1, 0), weights=(y > 0) * 1.0).valid


def test_the_likelihood_of_a_truncated_one_rises_as_its_mean_falls():
    values = [eta - exp(eta) - log(-expm1(-exp(eta))) for eta in (0.0, -2.0, -8.0)]
    assert values == sorted(values)


def test_counts_below_zero_are_refused():
    with pytest.raises(DataError, match="not negative"):
        novikoff.detect_separation([[0], [1]], [0, -1], model="hurdle")
