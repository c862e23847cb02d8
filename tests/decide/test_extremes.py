"""Every float64 from 5e-324 to 1.8e308: a proven verdict, or an error that says what to do."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff import explain_verdict, separate, verify, why_not
from novikoff.errors import NovikoffError

SIZES = [5e-324, 1e-310, 2.3e-308, 1e-200, 1e-100, 1.0, 1e100, 1e200, 1e300]
SHAPES = {
    "separable": (np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1], "separable"),
    "touching": (np.array([[0.0], [1.0], [0.0]]), [0, 1, 1], "touching"),
    "overlapping": (np.array([[0.0], [1.0], [2.0]]), [0, 1, 0], "overlapping"),
    "xor": (np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), [0, 1, 1, 0], "overlapping"),
    "planes": (
        np.array([[0.0, 1.0], [1.0, 3.0], [1.0, 0.0], [4.0, 1.0]]),
        [0, 0, 1, 1],
        "separable",
    ),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("storage", [np.array, sp.csr_array])
def test_a_verdict_does_not_depend_on_the_unit(size, name, storage):
    X, y, word = SHAPES[name]
    X = storage(X * size)
    verdict = separate(X, y)
    assert verdict.word == word
    assert verify(verdict.certificate(), X, y).valid
    explain_verdict(verdict)


def test_the_subnormal_of_the_report():
    X, y = [[0.0], [1e-310], [0.0]], [0, 1, 1]
    verdict = separate(X, y)
    assert verdict.word == "touching"
    assert verify(verdict.certificate(), X, y).valid
    assert explain_verdict(verdict).separation == "quasi-complete"


@pytest.mark.parametrize("size", SIZES)
def test_why_not_with_numbers_of_every_size(size):
    reason = why_not(np.array([[0.0], [1.0], [2.0]]) * size, [0, 1, 0])
    assert reason.sentences


def test_why_not_of_very_different_numbers():
    reason = why_not([[1e300], [1e-300]], [0, 1], fit_intercept=False)
    assert reason.sentences


NUMBERS = st.one_of(
    st.sampled_from([0.0, 5e-324, -5e-324, 1e-310, 2.3e-308, 1e-160, 1.0, -1.0, 1e160, 1e300]),
    st.sampled_from([-1.7e308, 1.7e308]),
    st.floats(allow_nan=False, allow_infinity=False),
)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 3).flatmap(
        lambda d: st.lists(st.lists(NUMBERS, min_size=d, max_size=d), min_size=2, max_size=6)
    ),
    st.booleans(),
    st.data(),
)
def test_any_numbers_give_a_proof_or_one_of_our_errors(X, fit_intercept, data):
    others = data.draw(st.lists(st.integers(0, 1), min_size=len(X) - 2, max_size=len(X) - 2))
    y = [0, 1, *others]
    try:
        verdict = separate(X, y, fit_intercept=fit_intercept)
    except NovikoffError:
        return
    if verdict.word == "undecided":
        return
    assert verify(verdict.certificate(), X, y).valid
    for further in (
        lambda: explain_verdict(verdict),
        lambda: why_not(X, y, fit_intercept=fit_intercept),
        lambda: verdict.certificate().to_dict(),
        lambda: repr(verdict),
    ):
        try:
            further()
        except NovikoffError:
            continue
