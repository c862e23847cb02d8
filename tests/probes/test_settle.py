"""Verdicts in batches against `separate`, against an oracle, and through `verify`."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import separability

import novikoff
from novikoff.core.progress import Deadline
from novikoff.probes import search
from novikoff.probes import settle as module
from novikoff.probes.devices import CPU
from novikoff.probes.settle import decide_labellings
from novikoff.separability.verdicts import Separable

pytestmark = pytest.mark.slow

NOT_SEPARABLE = ("touching", "overlapping", "not separable")


def settled(X, Y, deadline=None):
    return decide_labellings(X, Y.astype(np.int8), CPU, deadline or Deadline(), lambda: X)


def labellings(rng, n, count, share=0.5):
    Y = np.where(rng.random((n, count)) < share, 1, -1)
    Y[0], Y[1] = 1, -1
    return Y


def probes_of(X, Y):
    classes = np.where(Y > 0, "yes", "no")
    return novikoff.probe(X, classes, controls=0, progress=False, random_state=0)


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(4, 14))
@settings(deadline=None, max_examples=60)
def test_small_integers_are_decided_as_the_oracle_decides(seed, d, n):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (n, d)).astype(np.float64)
    Y = labellings(rng, n, 6)
    for j, found in enumerate(settled(X, Y).outcomes):
        assert found.word == separability(X.astype(int).tolist(), Y[:, j].tolist(), True)


@pytest.mark.parametrize(("n", "d"), [(60, 29), (120, 20), (40, 60), (90, 44)])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_verdicts_are_those_of_separate_and_their_certificates_hold(n, d, dtype):
    rng = np.random.default_rng(n)
    X = (rng.standard_normal((n, d)) * np.exp(rng.standard_normal(d)) + 5).astype(dtype)
    Y = labellings(rng, n, 12)
    for j, row in enumerate(probes_of(X, Y)):
        expected = novikoff.separate(X, Y[:, j])
        assert row.verdict == expected.word
        assert novikoff.verify(row.certificate(), X, np.where(Y[:, j] > 0, "yes", "no")).valid
        assert not novikoff.verify(row.certificate(), X, np.where(Y[:, j] > 0, "no", "yes")).valid
        if row.verdict == "separable":
            low, high = max(row.margin.lower, expected.margin.lower), expected.margin.upper
            assert 0 < low <= min(row.margin.upper, high)
            assert row.errors == (0, 0)
            w, b = row.separator
            assert ((X.astype(np.float64) @ w + b) * Y[:, j] > 0).all()
        else:
            assert (
                1 <= row.errors[0] <= row.errors[1] <= min((Y[:, j] > 0).sum(), (Y[:, j] < 0).sum())
            )


def test_margins_are_within_a_few_percent():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((400, 60)).astype(np.float32)
    Y = np.sign(X @ rng.standard_normal((60, 6)))
    for row in probes_of(X, Y):
        assert row.margin.lower > 0.9 * row.margin.upper


@pytest.mark.parametrize("kind", ["dead", "constant", "copied", "all of them"])
def test_columns_that_repeat_others_are_left_out_and_counted_out(kind):
    rng = np.random.default_rng(2)
    X = rng.standard_normal((100, 8)).astype(np.float32)
    extra = {"dead": np.zeros(100), "constant": np.full(100, 7.5), "copied": -4 * X[:, 2]}
    more = extra.values() if kind == "all of them" else [extra[kind]]
    X = np.column_stack([X, *more]).astype(np.float32)
    Y = np.column_stack([labellings(rng, 100, 3), np.sign(X[:, :1] - np.median(X[:, 0]))])
    probes = probes_of(X, Y)
    for j, row in enumerate(probes):
        assert row.dimension == 8
        assert row.verdict == ("separable" if j == 3 else "overlapping")
        assert novikoff.verify(row.certificate(), X, np.where(Y[:, j] > 0, "yes", "no")).valid


@pytest.mark.parametrize("small", [10, 1 << 18])
def test_margins_count_the_copies_of_a_column(monkeypatch, small):
    monkeypatch.setattr(module, "SMALL", small)
    rng = np.random.default_rng(14)
    X = rng.standard_normal((60, 3)).astype(np.float32)
    X = np.column_stack([X, X[:, :2], -2 * X[:, 0], np.zeros(60), np.full(60, 9)])
    X = X.astype(np.float32)
    Y = np.sign(X[:, :3])
    for j, row in enumerate(probes_of(X, Y)):
        exact = novikoff.separate(X, Y[:, j]).margin
        assert max(row.margin.lower, exact.lower) <= min(row.margin.upper, exact.upper)


def test_columns_that_nearly_depend_on_each_other_as_after_a_layer_norm():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((200, 24)).astype(np.float32)
    X = X - X.mean(axis=1, keepdims=True)  # rows add up to 0 but for rounding
    X = (X / X.std(axis=1, keepdims=True)).astype(np.float32)
    Y = np.column_stack([labellings(rng, 200, 3), np.sign(X[:, :1])])
    for j, row in enumerate(probes_of(X, Y)):
        assert row.verdict == ("separable" if j == 3 else "overlapping")
        assert novikoff.verify(row.certificate(), X, np.where(Y[:, j] > 0, "yes", "no")).valid


def test_columns_that_depend_exactly_are_left_to_the_exact_decision_or_to_nobody(monkeypatch):
    rng = np.random.default_rng(4)
    levels = rng.integers(0, 3, 60)
    X = np.column_stack([np.eye(3)[levels], rng.standard_normal(60)])  # the three add up to 1
    Y = labellings(rng, 60, 2)
    assert {found.word for found in settled(X, Y).outcomes} == {"overlapping"}
    assert not settled(X, Y).dimension_is_proven
    monkeypatch.setattr(module, "SMALL", 10)
    for found in settled(X, Y).outcomes:
        assert found.word == "undecided"
        assert "columns of X depend on each other" in found.reason


def test_equal_points_with_different_labels_are_not_separable_and_bound_the_errors(monkeypatch):
    monkeypatch.setattr(module, "SMALL", 10)
    rng = np.random.default_rng(5)
    tokens = rng.standard_normal((20, 30)).astype(np.float32)
    X = tokens[np.repeat(np.arange(20), 4)]
    y = np.tile([1, 1, 1, -1], 20)
    y[40:] = 1
    (row,) = probes_of(X, y[:, None])
    assert row.verdict == "not separable"
    assert row.errors == (10, 10)  # one of each of ten points; the other points can be right
    assert novikoff.verify(row.certificate(), X, np.where(y > 0, "yes", "no")).valid
    assert "equal points have different labels" in row.conclusion


def test_what_no_interior_point_can_prove_is_not_sent_to_one(monkeypatch):
    def refuse(*arguments):
        pytest.fail("an interior point was asked")

    monkeypatch.setattr(module, "SMALL", 10)
    monkeypatch.setattr(module, "settle_alone", refuse)
    rng = np.random.default_rng(10)
    tokens = rng.standard_normal((20, 30)).astype(np.float32)
    Y = labellings(rng, 200, 5)
    repeated = settled(tokens[rng.integers(0, 20, 200)], Y).outcomes
    assert {found.word for found in repeated} == {"not separable"}
    dummies = np.column_stack([np.eye(3)[rng.integers(0, 3, 200)], rng.standard_normal((200, 4))])
    assert {found.word for found in settled(dummies, Y).outcomes} == {"undecided"}


def test_points_that_are_all_the_same():
    X = np.ones((6, 3), dtype=np.float32)
    (row,) = probes_of(X, np.array([[1], [1], [1], [-1], [-1], [1]]))
    assert row.verdict in NOT_SEPARABLE
    assert row.dimension == 0
    assert row.errors == (2, 2)


def test_float16_that_would_overflow_does_not():
    rng = np.random.default_rng(6)
    X = (rng.standard_normal((80, 10)) * 2e4).clip(-6e4, 6e4).astype(np.float16)
    Y = np.column_stack([labellings(rng, 80, 2), np.sign(X[:, :1].astype(float) + 1)])
    for j, row in enumerate(probes_of(X, Y)):
        assert row.verdict == novikoff.separate(X, Y[:, j]).word != "undecided"


def test_when_the_time_is_over_what_is_left_is_undecided():
    rng = np.random.default_rng(7)
    X = rng.standard_normal((200, 99)).astype(np.float32)
    found = novikoff.probe(
        X, labellings(rng, 200, 3), time_limit=1e-6, progress=False, random_state=0
    )
    for row in found:
        assert row.verdict == "undecided"
        assert "time limit" in row.conclusion
        assert np.isnan(row.accuracy)
        with pytest.raises(novikoff.NovikoffError, match="no certificate"):
            row.certificate()


def test_margins_of_exact_decisions_are_worked_out_within_the_time_limit(monkeypatch):
    limits = []
    original = Separable.measure

    def measure(verdict, *, time_limit=None, progress=False):
        limits.append(time_limit)
        return original(verdict, time_limit=time_limit, progress=progress)

    monkeypatch.setattr(Separable, "measure", measure)
    monkeypatch.setattr(module, "settle_alone", lambda *arguments: False)
    monkeypatch.setattr(search, "MOST_STEPS", 0)
    rng = np.random.default_rng(13)
    X = rng.standard_normal((40, 19)).astype(np.float32)
    y = np.sign(X @ rng.standard_normal(19))
    (row,) = novikoff.probe(X, y, controls=0, time_limit=100, progress=False)
    assert (row.verdict, row.outcome.verdict is not None) == ("separable", True)
    assert len(limits) == 1
    assert 0 < limits[0] <= 100


def test_layers_that_come_too_late_are_not_worked_on(monkeypatch):
    monkeypatch.setattr(module, "basis_of", lambda *arguments: pytest.fail("too late"))
    X = np.random.default_rng(7).standard_normal((40, 5))
    found = novikoff.probe([X, X], X[:, 0] > 0, time_limit=0, progress=False)
    assert [row.verdict for row in found] == ["undecided"] * 2
    assert found[0].errors[1] <= 20
    assert not found[0].points.dimension_is_proven


def test_batches_of_any_size_give_the_same_verdicts(monkeypatch):
    rng = np.random.default_rng(8)
    X, Y = rng.standard_normal((80, 39)).astype(np.float32), labellings(rng, 80, 9)
    whole = [found.word for found in settled(X, Y).outcomes]
    one = CPU.__class__("cpu", np, 1)
    parts = decide_labellings(X, Y.astype(np.int8), one, Deadline(), lambda: X)
    assert [found.word for found in parts.outcomes] == whole


def test_what_the_batch_leaves_over_is_settled_alone(monkeypatch):
    monkeypatch.setattr(search, "MOST_STEPS", 0)
    rng = np.random.default_rng(9)
    X, Y = rng.standard_normal((80, 39)).astype(np.float32), labellings(rng, 80, 9)
    for j, found in enumerate(settled(X, Y).outcomes):
        assert found.verdict is None  # it was not left to the exact decision
        assert found.word == novikoff.separate(X, Y[:, j]).word


def test_columns_of_very_different_sizes_do_not_hide_each_other(monkeypatch):
    monkeypatch.setattr(module, "SMALL", 10)
    rng = np.random.default_rng(11)
    for n, d in ((200, 12), (12, 20)):
        X = rng.standard_normal((n, d)) * 10.0 ** np.linspace(-15, 15, d)
        Y = np.column_stack([labellings(rng, n, 2), np.sign(X[:, :1])])
        for j, row in enumerate(probes_of(X, Y)):
            assert row.dimension == min(d, n - 1)
            assert row.points.dimension_is_proven
            assert row.verdict == ("overlapping" if n > d and j < 2 else "separable")
            assert novikoff.verify(row.certificate(), X, np.where(Y[:, j] > 0, "yes", "no")).valid


def test_columns_of_subnormal_numbers_leave_bounds_that_are_numbers(monkeypatch):
    monkeypatch.setattr(module, "SMALL", 10)
    rng = np.random.default_rng(12)
    X = rng.standard_normal((30, 6)) * 10.0 ** np.array([0, -319, -310, -300, -320, -1])
    (row,) = probes_of(X, np.sign(X[:, :1]))
    assert 0 < row.margin.lower <= row.margin.upper
    assert novikoff.verify(row.certificate(), X, np.where(X[:, 0] > 0, "yes", "no")).valid
