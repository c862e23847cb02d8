"""Every float64 from 5e-324 to 1.8e308, and numbers beyond: a proven verdict."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import faces

from novikoff import detect_separation, explain_verdict, fewest_errors, separate, verify, why_not
from novikoff.errors import DataError
from novikoff.separability.verdicts import Verdict

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
def test_any_numbers_give_a_proof(X, fit_intercept, data):
    others = data.draw(st.lists(st.integers(0, 1), min_size=len(X) - 2, max_size=len(X) - 2))
    y = [0, 1, *others]
    verdict = separate(X, y, fit_intercept=fit_intercept)
    assert verdict.word == faces(X, [2 * label - 1 for label in y], fit_intercept)[0]
    assert verify(verdict.certificate(), X, y).valid
    for further in (
        lambda: explain_verdict(verdict),
        lambda: why_not(X, y, fit_intercept=fit_intercept),
        lambda: verdict.certificate().to_dict(),
        lambda: repr(verdict),
    ):
        further()


@pytest.mark.parametrize(
    ("X", "y", "fit_intercept"),
    [
        # Rows times 2^±1000, whose differences no float64 is near to.
        (np.ldexp([[4, -5, -9], [5, -40, 45], [-3, -4, -8]], [[-2], [500], [-1001]]), [0, 1, 1], 0),
        (np.ldexp([[-1, 2], [2, -1], [3, -6]], [[-1050], [0], [660]]), [0, 0, 1], 1),
        (np.ldexp([[-1, 1], [1, 1], [-1, -1], [-1, -1], [1, 1], [1, 0]],
                  [[820], [500], [1000], [-1050], [-500], [-1000]]), [0, 1, 0, 1, 0, 1], 1),
        ([[1e-316], [-1e-238], [1e-316], [0.0], [-2.0], [2e301]], [0, 0, 1, 1, 0, 1], 0),
    ],
)  # fmt: skip
def test_rows_of_any_size_are_decided(X, y, fit_intercept):
    fit_intercept = bool(fit_intercept)
    verdict = separate(X, y, fit_intercept=fit_intercept)
    assert verdict.word == faces(X, [2 * label - 1 for label in y], fit_intercept)[0]
    assert verify(verdict.certificate(), X, y).valid
    assert "undecided" not in {c.estimate for c in verdict.explain().coefficients}


EXPONENTS = st.sampled_from([-9000, -2000, -1100, 0, 3, 1100, 2000, 9000])


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(*[st.tuples(st.integers(-3, 3), EXPONENTS)] * 2), min_size=2, max_size=5),
    st.sampled_from([Fraction, Decimal]),
    st.booleans(),
)
def test_numbers_beyond_float64_are_decided(rows, kind, fit_intercept):
    X = np.array([[whole * kind(10) ** power for whole, power in row] for row in rows], object)
    y = [0, *[1] * (len(X) - 1)]
    verdict = separate(X, y, fit_intercept=fit_intercept)
    assert verdict.word == faces(X, [2 * label - 1 for label in y], fit_intercept)[0]
    assert verify(verdict.certificate(), X, y).valid
    for text in (str, Verdict.to_json, lambda v: str(v.explain())):
        assert text(verdict)
    if verdict.word == "separable":
        assert verdict.margin.lower <= verdict.margin.upper


def test_numbers_beyond_float64_without_rational_numbers_are_undecided():
    X = np.array([[Fraction(10) ** 400], [Fraction(1)]], object)
    verdict = separate(X, [0, 1], exact=False)
    assert (verdict.word, verdict.margin_at_most) == ("undecided", np.inf)
    assert "exact=False" in verdict.reason


def test_an_exponent_that_would_fill_the_memory_is_refused():
    X = np.array([[Decimal("1e999999999")], [Decimal("0")]], object)
    with pytest.raises(DataError, match=r"row 0, column 0.*exponent is beyond"):
        separate(X, [0, 1])


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i2", "i4", "i8", "u4", "u8"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_order_of_bytes_does_not_matter(kind, fit_intercept):
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0, 1], [3, 2]]), [0, 0, 0, 1, 0, 1]
    here, there = (
        separate(X.astype(order + kind), y, fit_intercept=fit_intercept) for order in "<>"
    )
    assert here.to_dict() == there.to_dict()
    assert here.explain() == there.explain()
    certificate = here.certificate()
    assert certificate.to_dict() == there.certificate().to_dict()
    assert verify(certificate, X.astype(">" + kind), y).valid
    estimates = detect_separation(X.astype(">" + kind), y).coefficients
    assert estimates == detect_separation(X, y).coefficients
    many = fewest_errors(X.astype(">" + kind), y, fit_intercept=fit_intercept)
    assert str(many.errors) == str(fewest_errors(X, y, fit_intercept=fit_intercept).errors)
