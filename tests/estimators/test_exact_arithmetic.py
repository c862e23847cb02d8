"""Exact arithmetic: a perceptron proved correct in Coq printed the same rationals."""

import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import perceptron

import novikoff
from novikoff import Perceptron, Status
from novikoff.errors import DataError
from novikoff.learners import exact_run as integers
from novikoff.learners.exact_run import run_big

CASES = Path(__file__).parents[1] / "cases"
quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def fraction(text: str) -> Fraction:
    """A number as CoqPerceptron writes it: 3, 0.5, 3 % 4 or (-3) % 4."""
    return Fraction(text.replace("(", "").replace(")", "").replace(" % ", "/").strip())


def read_case(name: str) -> tuple[np.ndarray, np.ndarray]:
    n, d, *numbers = (CASES / f"{name}.dat").read_text().split("\n")
    table = np.array([fraction(line) for line in numbers if line.strip()], dtype=object)
    table = table.reshape(int(n), int(d) + 1)
    return table[:, 1:], np.where(table[:, 0] == 1, 1, -1)


def rationals(unit: Perceptron) -> list[Fraction]:
    return [unit.exact_intercept_[0], *unit.exact_coef_[0]]


@pytest.mark.parametrize("name", ["feat100_1", "feat100_2", "feat100_3"])
def test_same_rationals_as_the_verified_perceptron(name):
    X, y = read_case(name)
    unit = Perceptron(arithmetic="exact").fit(X, y)
    printed = [fraction(line) for line in (CASES / f"{name}.out").read_text().splitlines() if line]
    assert unit.status_ is Status.CONVERGED
    assert rationals(unit) == printed


def test_iris_as_the_verified_perceptron_reads_it():
    X, y = read_case("iris")
    unit = Perceptron(arithmetic="exact").fit(X, y)
    w, _, mistakes_per_epoch = perceptron(X, y)
    assert [*unit.exact_coef_[0], unit.exact_intercept_[0]] == w
    assert unit.mistakes_per_epoch_.tolist() == mistakes_per_epoch


# Numbers that float64 holds, that it rounds, and that are far too large for it.
NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([0.1, 0.25, -0.7, 1e-300, 1e300, 2.0**60]),
    st.fractions(-2, 2, max_denominator=7),
    st.sampled_from([Decimal("0.1"), Decimal("-12.34567890123456789"), 10**40 + 1]),
)


@st.composite
def problems(draw):
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    X = np.empty((n, d), dtype=object)
    for at in np.ndindex(n, d):
        X[at] = draw(NUMBERS)
    y = np.array(draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n)))
    y[:2] = -1, 1
    return X, y


@quiet
@settings(max_examples=120, deadline=None)
@given(problems(), st.sampled_from(["mistake", "+1", "-1"]), st.booleans())
def test_same_rationals_as_the_oracle(problem, tie, fit_intercept):
    X, y = problem
    options = {"max_iter": 6, "tie": tie, "fit_intercept": fit_intercept}
    unit = Perceptron(arithmetic="exact", eta0=0.1, **options).fit(X, y)
    w, mistaken, mistakes_per_epoch = perceptron(
        X, y, eta=0.1, **{**options, "max_iter": unit.n_iter_}
    )
    assert [*unit.exact_coef_[0], unit.exact_intercept_[0]] == w
    assert unit.n_mistakes_ == len(mistaken)
    if unit.status_ is Status.CYCLED:
        assert novikoff.verify(unit.certificate_, X, y).valid
    else:
        assert unit.mistakes_per_epoch_.tolist() == mistakes_per_epoch


@quiet
def test_batches_sparse_input_and_weights():
    X = np.array([[0.1, 0.0], [0.0, 0.3], [0.7, 0.2], [0.5, 0.5]])
    y, factors = np.array([1, -1, 1, -1]), [1, 0.5, 2, 0.1]
    whole = Perceptron(arithmetic="exact", max_iter=1).fit(X, y, sample_weight=factors)
    for storage in (np.asarray, sp.csr_array):
        unit = Perceptron(arithmetic="exact")
        for part in (slice(0, 1), slice(1, 4)):
            unit.partial_fit(
                storage(X[part]), y[part], classes=[-1, 1], sample_weight=factors[part]
            )
        assert rationals(unit) == rationals(whole)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random", "worst"])
def test_big_integers_take_over_where_float64_ends(order, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.integers(-(2**50), 2**50, (28, 6))
    y = np.where(X @ rng.standard_normal(6) > 0, 1, -1)
    taken_over = []

    def watched(*args):
        taken_over.append(args[3].max_iter)
        return run_big(*args)

    monkeypatch.setattr(integers, "run_big", watched)
    unit = Perceptron(arithmetic="exact", order=order, random_state=0).fit(X, y)
    assert taken_over
    assert unit.status_ is Status.CONVERGED
    w, b = unit.exact_coef_[0], unit.exact_intercept_[0]
    assert all(int(s) * (w @ x.astype(object) + b) > 0 for x, s in zip(X, y, strict=True))
    if order == "cyclic":
        assert taken_over[0] < 1000  # the compiled loop had its turn first
        assert [*w, b] == perceptron(X.tolist(), y.tolist())[0]


def test_a_cycle_among_big_integers():
    big = 10**30
    X, y = np.array([[0, 0], [0, big], [big, 0], [big, big]], dtype=object), [-1, 1, 1, -1]
    unit = Perceptron(arithmetic="exact", max_iter=100).fit(X, y)
    assert unit.status_ is Status.CYCLED
    assert novikoff.verify(unit.certificate_, X, y).valid


def test_float64_refuses_what_it_would_round():
    with pytest.raises(novikoff.NovikoffError, match="beyond 2\\*\\*53"):
        Perceptron().fit(np.array([[2**60 + 1], [0]]), [0, 1])


LONG = [Decimal("0.12345678901234567890"), Decimal("0.12345678901234567891")]


@quiet
@pytest.mark.parametrize(
    "X",
    [
        [[value] for value in LONG],
        pa.table({"x": pa.array(LONG, type=pa.decimal128(25, 20))}),
        [[Fraction(1, 3)], [Fraction(2, 3)]],
    ],
    ids=["objects", "arrow", "fractions"],
)
def test_what_float64_would_round_is_refused_or_kept(X):
    plain = Perceptron().fit([[Decimal("0.1")], [Decimal("0.7")]], [0, 1])
    calls = [
        lambda: Perceptron().fit(X, [0, 1]),
        lambda: Perceptron().partial_fit(X, [0, 1], classes=[0, 1]),
        lambda: plain.predict(X),
        lambda: plain.decision_function(X),
        lambda: novikoff.PocketPerceptron().fit(X, [0, 1]),
        lambda: novikoff.OnlinePerceptron(classes=[0, 1]).learn_many(X, [0, 1]),
    ]
    for call in calls:
        with pytest.raises(DataError, match="row 0, column 0, which float64 would turn into"):
            call()
    with pytest.raises(DataError, match="which float64 would round"):
        novikoff.OnlinePerceptron(classes=[0, 1]).learn({"x": LONG[0]}, 1)
    exact = Perceptron(arithmetic="exact", max_iter=3).partial_fit(X, [0, 1], classes=[0, 1])
    assert exact.exact_coef_[0, 0].denominator > 1
    assert len(exact.predict(X)) == 2


def test_rational_weights_tell_apart_what_float64_cannot():
    X = [[2**60 + 1], [2**60]]
    unit = Perceptron(arithmetic="exact")
    unit.partial_fit([[0]], [0], classes=[0, 1])
    unit.exact_coef_ = np.array([[Fraction(1)]], dtype=object)
    unit.exact_intercept_ = np.array([Fraction(-(2**60)) - Fraction(1, 2)], dtype=object)
    assert unit.predict(X).tolist() == [1, 0]
    assert unit.predict(np.array(X)).tolist() == [1, 0]
    assert unit.decision_function(X).tolist() == [0.5, -0.5]
    far = [[-(10**400)], [10**400]]
    assert unit.decision_function(far).tolist() == [-sys.float_info.max, sys.float_info.max]
    unit.exact_coef_[0, 0] = Fraction(1, 10**800)
    unit.exact_intercept_[0] = Fraction(0)
    assert unit.decision_function(far).tolist() == [-5e-324, 5e-324]
