"""Skipping rows that cannot be mistakes changes nothing but the time."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff import Perceptron, _core
from novikoff.learners import perceptron
from novikoff.learners import run as perceptron_run
from novikoff.learners.perceptron import Observer, journal_of
from novikoff.learners.run import RunPlan
from novikoff.learners.skipping import SkippingRun, new_survey
from novikoff.learners.unit import examples_of, weights_at, with_push
from novikoff.matrix.rows import rows_of

pytestmark = pytest.mark.slow

quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def fitted(X, y, weights=None, *, skip: bool, **options) -> Perceptron:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(perceptron_run, "SKIP_FROM", 0 if skip else 10**9)
        return Perceptron(**options).fit(X, y, weights)


def assert_same(X, y, weights=None, **options) -> Perceptron:
    skipped = fitted(X, y, weights, skip=True, **options)
    plain = fitted(X, y, weights, skip=False, **options)
    assert skipped.coef_.tobytes() == plain.coef_.tobytes()
    assert skipped.intercept_.tobytes() == plain.intercept_.tobytes()
    assert skipped.mistakes_per_epoch_.tolist() == plain.mistakes_per_epoch_.tolist()
    return skipped


@quiet
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([0.0, 1e-3, 0.05, 0.5]),
    st.sampled_from([0.0, 0.3, 1e6]),
)
def test_same_bits_on_separable_and_noisy_data(seed, margin, noise):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(20, 200), rng.integers(1, 8)
    X = rng.standard_normal((n, d)) * rng.lognormal(0, 2, (n, 1))
    w = rng.standard_normal(d)
    y = np.where(X @ w + noise * rng.standard_normal(n) > 0, 1, -1)
    y[:2] = -1, 1
    X = X + margin * np.outer(y, w)
    weights = rng.uniform(0, 2, n) * (rng.random(n) > 0.1)
    assert_same(X, y, max_iter=200, eta0=0.1)
    skipped = fitted(sp.csr_array(X), y, skip=True, max_iter=200, eta0=0.1)
    assert (
        skipped.coef_.tobytes() == fitted(X, y, skip=True, max_iter=200, eta0=0.1).coef_.tobytes()
    )
    weights[:2] = 1.0
    assert_same(X, y, weights, max_iter=60)


@quiet
@pytest.mark.parametrize("power", [-1000, -900, -700, -540, 540, 700, 900])
@pytest.mark.parametrize("steps", [True, False], ids=["steps", "data"])
def test_same_bits_where_squares_vanish_or_overflow(power, steps):
    """Once a run 412 mistakes short: how far ŵ had moved was a square root of what underflowed."""
    rng = np.random.default_rng(30)
    rng.integers(2, 6)
    X, w = rng.normal(size=(1200, 2)), rng.normal(size=2)
    score = X @ w
    far = abs(score) > 10.0 ** rng.uniform(-4, -2)
    X, y = X[far], np.sign(score[far])
    outliers = rng.integers(0, len(X), 5)
    X[outliers] *= rng.choice([10, 100, 1000])
    options = {"max_iter": 1000, "fit_intercept": steps}
    if steps:
        assert_same(X, y, eta0=2.0**power, **options)
    else:
        assert_same(X * 2.0**power, y, **options)


def test_a_survey_names_the_rows_that_could_err():
    """Two rows by the plane, a thousand far away: the survey keeps the two, and says how long."""
    X = np.vstack([[[0.5], [-0.5]], np.full((1000, 1), 100.0)])
    y = np.array([1.0, -1.0, *[1.0] * 1000])
    weights = weights_at(np.array([1.0, 0.0]))
    examples = with_push(examples_of(rows_of(X), fit_intercept=True), y, weights, on_grid=False)
    survey = new_survey(1002, 2)
    as_given = np.empty(0, np.int64)
    assert _core.take_survey(examples, as_given, weights, 0.1, survey)
    assert survey.near[: survey.size[0]].tolist() == [0, 1]
    # No row but those two can err before ŵ has moved so far: the far ones are 100/√10001 away.
    assert 0.1 < survey.reach[0] < 1.0
    assert not _core.take_survey(examples, as_given, weights, 10.0, survey)


def test_a_survey_of_long_rows_is_taken_in_blocks():
    """One row a block: the survey comes to the same near rows, and Ctrl-C is heard in between."""
    rng = np.random.default_rng(0)
    X, w = rng.standard_normal((700, 3)), rng.standard_normal(3)
    y = np.where(X @ w > 0, 1.0, -1.0)
    weights = weights_at(np.append(w, 0.0))
    examples = with_push(examples_of(rows_of(X), fit_intercept=True), y, weights, on_grid=False)
    as_given, at_once, in_blocks = np.empty(0, np.int64), new_survey(700, 4), new_survey(700, 4)
    assert _core.take_survey(examples, as_given, weights, 1e-3, at_once)
    assert at_once.size[0] < 700
    # A row of so many entries fills a block by itself; the bound on rounding grows with them.
    wide = examples._replace(entries=10**7)
    assert _core.take_survey(wide, as_given, weights, 1e-3, in_blocks)
    assert in_blocks.reach[0] == at_once.reach[0]
    assert in_blocks.near[: in_blocks.size[0]].tolist() == at_once.near[: at_once.size[0]].tolist()


def test_long_runs_are_skipping_runs():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 5))
    w = rng.standard_normal(5)
    y = np.where(X @ w > 0, 1, -1)
    assert assert_same(X + 1e-4 * np.outer(y, w), y, max_iter=20_000).n_iter_ > 100
    plan = RunPlan(0, "cyclic", 1000, np.random.RandomState(0))
    examples = examples_of(rows_of(X), fit_intercept=True)
    state = perceptron.state_of(weights_at(np.zeros(6)))
    assert isinstance(perceptron_run._loop_for(plan, examples, state), SkippingRun)
    watched = state._replace(observer=Observer(journal_of(10)))
    assert not isinstance(perceptron_run._loop_for(plan, examples, watched), SkippingRun)
