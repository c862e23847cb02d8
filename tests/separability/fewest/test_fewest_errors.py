"""The fewest errors: against enumeration, against an integer program, and on data that is hard."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.estimators.fewest_errors import by_integer_program
from tests.oracles import fewest_errors as by_enumeration
from tests.separability.fewest.cases import breast_cancer, categorical, flips, grid, iris

import novikoff
from novikoff import fewest_errors
from novikoff.certificates.conflicts import Fixed
from novikoff.errors import DataError, OptionError, ShapeError


def assert_proven(found, X, y):
    """The certificate is valid, and says what the answer says; the plane is as described."""
    certificate = novikoff.Certificate.from_json(found.certificate().to_json())
    verification = novikoff.verify(certificate, X, y)
    assert verification, verification.reason
    assert certificate.errors == tuple(found.errors)
    dense = X.toarray() if sp.issparse(X) else np.asarray(X)
    signs = np.where(np.asarray(y) == found.classes[1], 1, -1)
    wrong = [
        i
        for i, (row, sign) in enumerate(zip(dense.tolist(), signs.tolist(), strict=True))
        if sign
        * (sum(Fraction(x) * w for x, w in zip(row, found.weights, strict=True)) + found.intercept)
        <= 0
    ]
    assert wrong == found.wrong_rows.tolist()
    weights = found.row_weights or [1] * len(dense)
    assert found.errors.upper == sum(weights[i] for i in wrong)


@st.composite
def small_problems(draw):
    n, d = draw(st.integers(2, 7)), draw(st.integers(1, 3))
    value = st.integers(-2, 2)
    X = draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    y[:2] = [-1, 1]
    weight = st.sampled_from([0, 1, 2, Fraction(1, 2), 0.3])
    weights = draw(st.none() | st.lists(weight, min_size=n, max_size=n))
    return X, y, weights, draw(st.booleans())


@settings(max_examples=120, deadline=None)
@given(small_problems())
def test_enumeration_says_the_same(problem):
    X, y, weights, fit_intercept = problem
    best, sets = by_enumeration(X, y, fit_intercept=fit_intercept, weights=weights)
    given_weights = None if weights is None else np.array(weights, dtype=object)
    found = fewest_errors(X, y, fit_intercept=fit_intercept, weights=given_weights)
    assert found.optimal
    assert found.errors.upper == best
    counting = tuple(i for i in found.wrong_rows.tolist() if weights is None or weights[i] > 0)
    assert counting in sets
    assert_proven(found, np.array(X, dtype=float), np.array(y))


@pytest.mark.parametrize("seed", range(4))
def test_an_integer_program_says_the_same(seed):
    X, y = flips(60, 3, 5, seed)
    found = fewest_errors(X, y)
    assert found.optimal
    assert found.errors.upper == by_integer_program(X, y)[0]
    assert_proven(found, X, y)


@pytest.mark.parametrize("seed", [22, 58])
def test_where_shares_fall_short_a_tree_closes_the_gap(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-4, 5, (30, 3)).astype(float), rng.integers(0, 2, 30)
    found = fewest_errors(X, y)
    assert found.optimal
    assert found.tree is not None
    assert 1 < found.n_leaves <= 256
    assert f"in each of {found.n_leaves} cases" in found.explain()
    assert_proven(found, X, y)
    assert found.errors.upper == by_integer_program(X, np.where(y > 0, 1, -1))[0]


def test_rows_that_no_better_plane_gets_wrong_are_fixed():
    """Shares alone fall short, and need no tree once some rows bear any share."""
    rng = np.random.default_rng(11)
    X, y = rng.integers(-4, 5, (20, 2)).astype(float), rng.integers(0, 2, 20)
    found = fewest_errors(X, y)
    assert found.optimal
    assert isinstance(found.tree, Fixed)
    assert found.n_leaves == 1
    assert "but for rows that no better hyperplane gets wrong" in found.explain()
    assert "fixed rows" in str(found)
    assert_proven(found, X, y)
    assert found.errors.upper == by_integer_program(X, np.where(y > 0, 1, -1))[0]
    assert not set(found.tree.rows) & set(found.wrong_rows.tolist())


def test_iris_in_raw_centimetres():
    X, y = iris(1, 2)
    for decimals in (False, True):
        found = fewest_errors(X, y, decimals=decimals)
        assert (found.optimal, found.errors.upper) == (True, 1)
        assert novikoff.verify(found.certificate(), X, y)
    separable = fewest_errors(*iris(0, 1))
    assert (separable.errors.lower, separable.errors.upper) == (0, 0)
    assert separable.conflicts == ()
    assert "No errors" in separable.explain()


def test_breast_cancer_on_two_columns():
    X, y = breast_cancer(2)
    found = fewest_errors(X, y, time_limit=60)
    assert found.errors.lower == found.errors.upper == 55
    assert_proven(found, X, y)


@pytest.mark.parametrize("seed", range(3))
def test_categorical_designs(seed):
    """Full sets of indicators: collinear, with duplicates and contradictions throughout."""
    X, y = categorical(80, 3, seed)
    found = fewest_errors(X, y)
    assert found.optimal
    assert_proven(found, X, y)
    # The best plane of a saturated cell is its majority; no plane does better than all of these.
    cells = {}
    for row, label in zip(X.tolist(), y.tolist(), strict=True):
        cells.setdefault(tuple(row), []).append(label)
    assert found.errors.upper >= sum(min(c.count(1), c.count(-1)) for c in cells.values())
    # Counts in place of copies.
    rows = list({(tuple(row), label) for row, label in zip(X.tolist(), y.tolist(), strict=True)})
    counts = [cells[row].count(label) for row, label in rows]
    merged = fewest_errors([row for row, _ in rows], [label for _, label in rows], weights=counts)
    assert merged.errors == found.errors


def test_contradictions_and_copies():
    X = [[0.0], [0.0], [0.0], [1.0], [1.0]]
    y = [0, 1, 1, 0, 0]
    found = fewest_errors(X, y)
    assert (found.optimal, found.errors.upper, found.wrong_rows.tolist()) == (True, 1, [0])
    assert {conflict.rows for conflict in found.conflicts} <= {(0, 1), (0, 2)}
    twice = fewest_errors(X * 3, y * 3)
    assert twice.errors.upper == 3
    assert_proven(twice, np.array(X * 3), np.array(y * 3))
    # Three times the point in both classes: a matching of copies proves what a pair cannot.
    assert sum(conflict.share for conflict in twice.conflicts) == 3


def test_equal_rows_are_split_together():
    """A tree over groups of copies: all copies of a row are right, or all of them wrong."""
    rng = np.random.default_rng(58)
    X, y = rng.integers(-4, 5, (30, 3)).astype(float), rng.integers(0, 2, 30)
    once = fewest_errors(X, y)
    X, y = np.repeat(X, 2, axis=0), np.repeat(y, 2)
    found = fewest_errors(X, y)
    assert found.errors.upper == 2 * once.errors.upper
    assert found.errors.lower == found.errors.upper
    assert_proven(found, X, y)


def test_fewer_rows_than_columns():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((8, 20)), np.array([0, 1] * 4)
    assert fewest_errors(X, y).errors.upper == 0
    X[7], y[7] = X[0], 1 - y[0]
    found = fewest_errors(X, y)
    assert (found.optimal, found.errors.upper) == (True, 1)
    assert_proven(found, X, y)


def test_weights_of_zero_count_nothing():
    X, y = grid(20, 2, 3)
    weights = np.ones(20)
    weights[::3] = 0
    found = fewest_errors(X, y, weights=weights)
    without = fewest_errors(X[weights > 0], y[weights > 0])
    assert found.errors == without.errors
    assert_proven(found, X, y)
    nothing = fewest_errors(X, y, weights=np.zeros(20))
    assert (nothing.errors.lower, nothing.errors.upper) == (0, 0)
    assert_proven(nothing, X, y)


@pytest.mark.parametrize(
    "unit", [10**400, Fraction(10**400, 3), 1e-9, Fraction(1, 10**400), 5e-324]
)
def test_the_unit_of_the_weights_changes_nothing(unit):
    """A bound in proportion, whether float64 holds the weights or not."""
    X, y = flips(40, 2, 4)
    counts = np.random.default_rng(0).integers(1, 1000, 40).tolist()
    weights = np.array([count * Fraction(unit) for count in counts], dtype=object)
    found, plain = fewest_errors(X, y, weights=weights), fewest_errors(X, y, weights=counts)
    assert found.optimal
    assert found.errors.upper == plain.errors.upper * Fraction(unit)
    assert_proven(found, X, y)
    assert str(found).startswith("fewest errors: ")
    assert float(str(found.errors)[:3]) > 0
    assert json.dumps(found.to_dict())


def test_weights_that_float64_brings_close_together():
    """Weights from 2e-9 to 1: none is lost beside the largest."""
    X, y = flips(100, 3, 8)
    weights = np.exp(-20 * np.random.default_rng(1).random(100))
    found = fewest_errors(X, y, weights=weights)
    assert found.optimal
    assert_proven(found, X, y)
    # What is lost to floating point leaves an interval, and no wrong one.
    found = fewest_errors([[0.0], [1.0], [2.0]], [0, 1, 0], weights=[1e300, 1.0, 1e-300])
    assert Fraction(1e-300) in found.errors


def test_tenths_are_no_tenths_in_floats():
    """Sets that count the same in tenths differ by a rounding: it is said, and what helps."""
    X, y = flips(60, 2, 6)
    weights = np.random.default_rng(0).integers(1, 10, 60) / 10
    tenths = fewest_errors(X, y, weights=weights, decimals=True)
    assert (tenths.optimal, str(tenths.errors)) == (True, "2.9")
    floats = fewest_errors(X, y, weights=weights)
    assert floats.errors.upper - floats.errors.lower < 1e-14
    assert_proven(floats, X, y)
    if not floats.optimal:
        lower, upper = str(floats.errors).split(" to ")
        assert lower != upper
        assert f"At least {lower} errors" in floats.explain()
        assert "with decimals=True it is" in floats.explain()


def test_the_order_of_the_rows_changes_nothing():
    X, y = grid(40, 2, 5)
    order = np.random.default_rng(0).permutation(40)
    found, again = fewest_errors(X, y), fewest_errors(X[order], y[order])
    assert found.errors == again.errors
    assert (found.weights, found.intercept) == (again.weights, again.intercept)
    assert sorted(order[again.wrong_rows]) == found.wrong_rows.tolist()


def test_numbers_beyond_floating_point():
    """Points so close that float64 cannot hold a separator of all but one of them."""
    tiny = Fraction(1, 10**25)
    X = np.array([[Fraction(1)], [1 + tiny], [1 + 2 * tiny], [1 + 3 * tiny]], dtype=object)
    found = fewest_errors(X, [0, 1, 1, 1])
    assert (found.optimal, found.errors.upper) == (True, 0)
    found = fewest_errors(X, [0, 1, 0, 1])
    assert (found.optimal, found.errors.upper) == (True, 1)
    assert novikoff.verify(found.certificate(), X, [0, 1, 0, 1])


def test_neighbours_in_float64():
    one = 1.0
    X = [[one], [np.nextafter(one, 2)], [np.nextafter(np.nextafter(one, 2), 2)]]
    assert fewest_errors(X, [0, 0, 1]).errors.upper == 0
    found = fewest_errors(X, [0, 1, 0])
    assert (found.optimal, found.errors.upper) == (True, 1)
    assert_proven(found, X, [0, 1, 0])


def test_columns_of_very_different_sizes():
    X, y = flips(60, 3, 3)
    found, scaled = fewest_errors(X, y), fewest_errors(X * [1e-12, 1.0, 1e9], y)
    assert found.errors == scaled.errors
    assert found.optimal
    assert_proven(scaled, X * [1e-12, 1.0, 1e9], y)


def test_weights_of_planes_beyond_float64_are_shown():
    """The least numbers there are have planes whose exact weights may be beyond the largest."""
    found = fewest_errors(np.array([[5e-324, 0.0], [1e-323, 5e-324]]), [0, 1])
    assert found.errors.upper == 0
    weights = (Fraction(3) * 10**400, Fraction(-1, 3 * 10**400))
    shown = str(replace(found, weights=weights, intercept=Fraction(10**400, 7)))
    assert "3e+400, -3.33333e-401" in shown
    assert "1.42857e+399" in shown
    assert found.errors.texts == ("0", "0")


def test_sparse_is_dense():
    X, y = grid(25, 3, 7, size=1)
    found, dense = fewest_errors(sp.csr_array(X), y), fewest_errors(X, y)
    assert found.errors == dense.errors
    assert_proven(found, sp.csr_array(X), y)


def test_time_can_be_up_at_once():
    X, y = breast_cancer(4)
    found = fewest_errors(X, y, time_limit=0)
    assert found.errors.lower < found.errors.upper
    assert not found.optimal
    assert "give more time" in found.explain()
    assert_proven(found, X, y)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"time_limit": -1}, OptionError, "time_limit must be seconds"),
        ({"time_limit": "1"}, OptionError, "time_limit must be seconds"),
        ({"decimals": "no"}, OptionError, "decimals must be True or False"),
        ({"progress": "x"}, OptionError, "progress must be True or False"),
        ({"weights": [1, 2]}, ShapeError, "one for each of 3 rows"),
        ({"weights": [1, -1, 1]}, DataError, "the weight of row 1 is -1"),
        ({"weights": [1, np.nan, 1]}, DataError, "the weight of row 1 is nan"),
        ({"weights": ["a", "b", "c"]}, DataError, "the weight of row 0 is 'a'"),
    ],
)
def test_what_cannot_be_is_named(options, error, message):
    with pytest.raises(error, match=message):
        fewest_errors([[0.0], [1.0], [2.0]], [0, 1, 0], **options)


def test_what_is_shown():
    found = fewest_errors([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    assert str(found).startswith("fewest errors: 1, proven\npoints")
    assert found.explain().startswith(
        "At least 1 error: every hyperplane errs on one of the 4 rows of a conflict. "
        "At most 1 error: "
    )
    fields = found.to_dict()
    assert fields["errors"] == {"lower": 1, "upper": 1}
    assert fields["conflicts"][0] == {"rows": [0, 1, 2, 3], "alpha": ["1"] * 4, "share": "1"}
    assert "<b>fewest errors</b>: 1, proven" in found._repr_html_()


@pytest.mark.parametrize(
    ("X", "y"),
    [
        # A plane that floating point thinks right on all rows, and exact signs deny.
        ([[0, 0], [0, 0], [1e-9, 0], [0, 0], [-1, 1]], [-1, -1, -1, 1, 1]),
        ([[0, 0], [0, 0], [1e-12, 0], [0, 0], [0, 0], [-1, 1]], [-1, -1, -1, 1, 1, 1]),
        ([[0, 0], [1, 1], [0, 0], [0, 1e-9], [0, 1e-9]], [-1, 1, 1, -1, 1]),
    ],
)
def test_a_plane_that_seems_right_does_not_keep_the_bounds_apart(X, y):
    found = fewest_errors(X, y)
    best, _ = by_enumeration([list(map(Fraction, row)) for row in X], y)
    assert (found.errors.lower, found.errors.upper) == (best, best)


TINY_TO_HUGE = st.sampled_from(
    [0, 1, -1, 2, 1e-9, 1e-16, 5e-324, 1e-300, 1e300, -1e300, 1 + 2**-52]
)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 2).flatmap(
        lambda d: st.lists(st.lists(TINY_TO_HUGE, min_size=d, max_size=d), min_size=1, max_size=3)
    ),
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from([-1, 1])), min_size=1, max_size=5),
    st.booleans(),
)
def test_few_rows_of_any_size_are_settled(points, rest, fit_intercept):
    rows = [(0, -1), (-1, 1), *rest]
    X, y = [points[at % len(points)] for at, _ in rows], [label for _, label in rows]
    found = fewest_errors(X, y, fit_intercept=fit_intercept)
    exact = [list(map(Fraction, row)) for row in X]
    best, _ = by_enumeration(exact, y, fit_intercept=fit_intercept)
    assert (found.errors.lower, found.errors.upper) == (best, best)


def test_numbers_beyond_float64_are_settled():
    X = [[Fraction(10) ** 400, 0], [0, Fraction(1, 10**400)], [0, 0], [0, 0], [Fraction(1), 3]]
    y = [-1, 1, -1, 1, -1]
    found = fewest_errors(np.array(X, object), y)
    assert (found.errors.lower, found.errors.upper) == (1, 1)
