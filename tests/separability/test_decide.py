"""Verdicts against a linear program over the rationals, and every certificate checked."""

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import example, given, settings
from tests.oracles import separability
from tests.separability.checks import check_margins, check_proof

from novikoff.errors import DataError, LabelError, NotFiniteError, OptionError, ShapeError
from novikoff.separability.api import mistake_bound, separate
from novikoff.separability.search.wolfe import STALLED
from novikoff.separability.verdicts import Overlapping, Separable, Touching, Undecided

pytestmark = pytest.mark.slow


@st.composite
def small_problems(draw):
    """Few points on a small grid: separable, touching and overlapping ones in like numbers."""
    n = draw(st.integers(2, 8))
    d = draw(st.integers(1, 3))
    width = draw(st.sampled_from([1, 2, 5]))
    cell = st.integers(-width, width)
    X = draw(st.lists(st.lists(cell, min_size=d, max_size=d), min_size=n, max_size=n))
    if draw(st.booleans()):
        # Labels by a plane through the grid, points on it taking any: often touching.
        w = draw(st.lists(cell, min_size=d, max_size=d))
        b = draw(cell)
        sides = [sum(a * x for a, x in zip(w, row, strict=True)) + b for row in X]
        free = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
        y = [
            (1 if side > 0 else -1) if side else sign
            for side, sign in zip(sides, free, strict=True)
        ]
    else:
        y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n, max_size=n))
    y[:2] = [-1, 1]
    return X, y


@settings(max_examples=2000, deadline=None)
@given(small_problems(), st.booleans())
@example(([[0], [0]], [-1, 1]), False)
@example(([[0], [1]], [-1, 1]), False)
@example(([[1], [1], [2], [0]], [-1, 1, 1, -1]), True)
def test_verdicts_are_those_of_the_linear_program(problem, fit_intercept):
    X, y = problem
    verdict = separate(X, y, fit_intercept=fit_intercept)
    assert verdict.word == separability(X, y, fit_intercept)
    check_proof(verdict, X, y)
    if isinstance(verdict, Separable):
        check_margins(verdict)


def test_all_three_kinds_are_frequent():
    rng = np.random.default_rng(0)
    words = Counter()
    for _ in range(300):
        n, d = rng.integers(2, 12), rng.integers(1, 5)
        X, y = rng.integers(-2, 3, (n, d)), rng.choice([-1, 1], n)
        y[:2] = -1, 1
        verdict = separate(X, y, fit_intercept=bool(rng.integers(2)))
        check_proof(verdict, X, y)
        words[verdict.word] += 1
    assert min(words[word] for word in ("separable", "touching", "overlapping")) > 20


@settings(max_examples=60, deadline=None)
@given(small_problems(), st.booleans())
def test_without_rationals_it_never_lies(problem, fit_intercept):
    X, y = problem
    verdict = separate(X, y, fit_intercept=fit_intercept, exact=False)
    if isinstance(verdict, Undecided):
        assert "exact=True" in verdict.advice
        return
    assert verdict.word == separability(X, y, fit_intercept)
    check_proof(verdict, X, y)


def test_rows_of_zeros_have_exact_multipliers():
    """Nothing of X is stored, so the constant is the first of all integers."""
    verdict = separate(np.zeros((2, 1)), [-1, 1], exact=False)
    assert verdict.word == "overlapping"
    assert verdict.exact_alpha() == (1, 1)


X = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 0.5], [3.0, 1.0], [1.5, 2.0]])
LABELS = [np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 0, 1])]


@pytest.mark.parametrize("y", LABELS)
@pytest.mark.parametrize(
    "convert",
    [
        lambda X: X.tolist(),
        lambda X: X.astype(np.float32),
        lambda X: (X * 2).astype(np.int64),
        lambda X: (X * 2).astype(np.uint8),
        lambda X: np.asfortranarray(X),
        lambda X: sp.csr_array(X),
        lambda X: sp.coo_array(X),
        lambda X: pd.DataFrame(X, columns=["a", "b"]),
        lambda X: np.array([[Fraction(v) / 3 for v in row] for row in X.tolist()]),
        lambda X: np.array([[Decimal(v) / 10 for v in row] for row in X.tolist()]),
        lambda X: (X * 2**60).astype(np.int64),
    ],
)
def test_every_kind_of_matrix_gives_the_same_verdict(convert, y):
    given_X = convert(X)
    verdict = separate(given_X, y)
    assert verdict.word == separate(X, y).word
    if not isinstance(given_X, pd.DataFrame):
        check_proof(verdict, given_X, y)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_float16_is_read_as_it_is(fit_intercept):
    rng = np.random.default_rng(3)
    words = set()
    for _ in range(12):
        level = np.eye(4)[rng.integers(0, 4, 60)]
        X = np.hstack([level, level[:, :2] * rng.integers(-2, 3, (60, 1))]).astype(np.float16)
        y = np.where(rng.random() < 0.5, level[:, 0], 0) + rng.integers(0, 2, 60) > 0
        half, full = (
            separate(given, y, fit_intercept=fit_intercept) for given in (X, X.astype(np.float64))
        )
        check_proof(half, X, y)
        assert half.word == full.word
        assert half.explain() == full.explain()
        words.add(half.word)
    assert words == {"touching", "overlapping"}


def test_booleans_are_numbers():
    verdict = separate(np.array([[True, False], [False, False], [True, True]]), [1, 0, 1])
    assert isinstance(verdict, Separable)


def test_names_come_from_the_frame_or_the_caller():
    frame = pd.DataFrame({"dose": [-1.0, 0, 0, 1], "noise": [0.0, 1, -1, 0]})
    verdict = separate(frame, [0, 0, 1, 1])
    assert verdict.names == ("dose", "noise")
    assert separate(frame.to_numpy(), [0, 0, 1, 1], names=["a", "b"]).names == ("a", "b")


def test_columns_responsible_are_named():
    # The level "b" always says yes; x overlaps within the others.
    frame = pd.DataFrame({"x": [1.0, 2, 3, 1, 2, 3, 1, 2], "b": [0.0, 0, 0, 0, 0, 0, 1, 1]})
    verdict = separate(frame, [0, 1, 0, 1, 0, 1, 1, 1])
    assert isinstance(verdict, Touching)
    assert verdict.columns == ("b",)
    assert verdict.rows_on_plane.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_memory_map_is_read_as_it_is(tmp_path):
    rng = np.random.default_rng(3)
    data = rng.normal(size=(5000, 6))
    y = data @ np.arange(1, 7) > 0.5
    stored = np.lib.format.open_memmap(tmp_path / "X.npy", "w+", np.float64, data.shape)
    stored[:] = data
    stored.flush()
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    verdict = separate(mapped, y)
    assert isinstance(verdict, Separable)
    assert verdict.margin == separate(data, y).margin


def test_sparse_and_dense_give_the_same_numbers():
    data = sp.random_array((3000, 40), density=0.1, rng=np.random.default_rng(5), format="csr")
    y = data @ np.linspace(-1, 1, 40) > 0.01
    sparse, dense = separate(data, y), separate(data.toarray(), y)
    assert isinstance(sparse, Separable)
    assert sparse.margin.lower <= dense.margin.upper
    assert dense.margin.lower <= sparse.margin.upper


def large(n, d, margin, seed=0):
    """Gaussian points, pushed apart along a random direction."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(n, d)), rng.normal(size=d)
    w /= np.linalg.norm(w)
    y = np.where(X @ w + 0.3 > 0, 1, -1)
    return X + np.outer(y * margin, w), y


def test_a_working_set_is_enough_for_many_rows():
    X, y = large(60_000, 40, 1e-3)
    verdict = separate(X, y)
    assert isinstance(verdict, Separable)
    assert verdict.margin.lower > 1e-3
    assert (y * (X @ verdict.weights + verdict.intercept) > 0).all()
    check_margins(verdict)
    y[17] *= -1
    assert isinstance(separate(X, y), Overlapping)


def test_many_columns_overlap_without_rationals():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 15)), rng.integers(0, 2, 60)
    verdict = separate(X, y, exact=False)
    assert isinstance(verdict, Overlapping)
    assert verdict.alpha is None
    check_proof(verdict, X, y)
    insisted = separate(X, y, exact=True)
    assert insisted.alpha is not None


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 60)), rng.integers(0, 2, 12)
    verdict = separate(X, y)
    check_proof(verdict, X, y)
    check_margins(verdict)
    doubled = np.vstack([X, X])
    assert separate(doubled, np.append(y, 1 - y)).word == "overlapping"


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_every_verdict_prints_and_converts(fit_intercept):
    for y in LABELS:
        for labels in (y, 1 - y, np.array(["no", "yes"])[y]):
            verdict = separate(X, labels, fit_intercept=fit_intercept)
            assert str(verdict).startswith(verdict.word)
            assert verdict.word in verdict._repr_html_()
            assert verdict.to_dict()["verdict"] == verdict.word
            assert verdict.to_json()
            assert verdict.__rich__() is not None


@pytest.mark.parametrize("verdict", [Separable, Touching, Overlapping, Undecided])
def test_a_headline_fits_a_terminal(verdict):
    assert len(f"╭─ {verdict.word}: {verdict.headline} ─╮") <= 80


def test_the_shared_point_is_in_both_hulls():
    verdict = separate([[0.0, 0.0], [2.0, 2.0], [0.0, 2.0], [2.0, 0.0]], [0, 0, 1, 1])
    assert isinstance(verdict, Overlapping)
    np.testing.assert_allclose(verdict.shared_point, [1.0, 1.0])


def test_progress_is_shown(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    X, y = large(60_000, 40, 1e-3)
    separate(X, y, progress=True)
    shown = capsys.readouterr().err
    assert "pass" in shown
    assert "working set" in shown
    assert "geometric margin" in shown


def test_mistake_bound_is_for_separable_data_only():
    X, y = [[0.0], [1.0]], [0, 1]
    bound = mistake_bound(X, y)
    # R² = 2 and the augmented margin is that of ŵ along (2, −1): γ² = 1/5.
    assert 10 in bound
    assert bound.upper - bound.lower < 1e-9
    with pytest.raises(DataError, match="touching"):
        mistake_bound([[-1.0], [0.0], [0.0], [1.0]], [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("X", "y", "options", "error"),
    [
        ([[0.0], [np.nan]], [0, 1], {}, NotFiniteError),
        ([[0.0], [1.0]], [1, 1], {}, LabelError),
        ([[0.0], [1.0], [2.0]], [0, 1, 2], {}, LabelError),
        ([[0.0], [1.0]], [0, 1, 1], {}, ShapeError),
        ([[0.0], [1.0]], [0, 1], {"exact": "yes"}, OptionError),
        ([[0.0], [1.0]], [0, 1], {"decimals": "no"}, OptionError),
        ([[0.0], [1.0]], [0, 1], {"names": ["a", "b"]}, ShapeError),
        (np.array([[Decimal("1e99999")], [Decimal(0)]]), [0, 1], {}, DataError),
    ],
)
def test_what_cannot_be_decided_has_an_error(X, y, options, error):
    with pytest.raises(error):
        separate(X, y, **options)


def test_very_many_columns_are_asked_of_the_perceptron_first():
    rng = np.random.default_rng(0)
    X = sp.random_array((2000, 9000), density=0.003, rng=rng, format="csr")
    y = X @ rng.normal(size=9000) > 0
    verdict = separate(X, y)
    assert isinstance(verdict, Separable)
    assert 0 < verdict.margin.lower <= verdict.margin.upper
    scores = X @ verdict.weights + verdict.intercept
    assert (np.where(y, scores, -scores) > 0).all()
    assert verdict.exact_margin_squared is None


def test_a_working_set_that_is_cut_back(monkeypatch):
    X, y = large(60_000, 40, 1e-3)
    expected = separate(X, y).margin
    monkeypatch.setattr("novikoff.separability.search.working_set.MOST_WORKING", 30_000)
    margin = separate(X, y).margin
    assert margin.lower <= expected.upper
    assert expected.lower <= margin.upper
    assert margin.upper < margin.lower * (1 + 1e-6)


@pytest.mark.parametrize("face", [2, 30])
def test_touching_in_many_columns(face):
    # Apart along the first column, but for some rows on the plane, which overlap in `face` columns.
    rng = np.random.default_rng(face)
    X = rng.normal(size=(3000, 60))
    y = np.where(X[:, 0] > 0, 1, -1)
    on_plane = rng.permutation(3000)[: 8 * face]
    X[on_plane] = 0.0
    X[np.ix_(on_plane, np.arange(1, face))] = rng.normal(size=(8 * face, face - 1))
    verdict = separate(X, y)
    assert isinstance(verdict, Touching)
    assert verdict.rows_on_plane.tolist() == sorted(on_plane.tolist())
    check_proof(verdict, X, y)


@pytest.mark.parametrize("flipped", [False, True])
def test_the_interior_point_steps_in_where_the_search_stalls(monkeypatch, flipped):
    monkeypatch.setattr("novikoff.separability.search.working_set.nearest_in", lambda *_: STALLED)
    X, y = large(400, 6, 0.1)
    if flipped:
        y[np.argmax(np.abs(X).sum(axis=1))] *= -1
    verdict = separate(X, y)
    assert isinstance(verdict, Overlapping if flipped else Separable)
    check_proof(verdict, X, y)


def test_progress_is_a_flag():
    verdict = separate([[0.0], [1.0]], [0, 1])
    with pytest.raises(OptionError, match="progress must be True or False; got 'x'"):
        separate([[0.0], [1.0]], [0, 1], progress="x")
    with pytest.raises(OptionError, match="progress must be True or False; got 1"):
        verdict.measure(progress=1)


def test_no_time_and_no_limit():
    X, y = [[0.0], [2.0]], [0, 1]
    hurried = separate(X, y, time_limit=0)
    assert isinstance(hurried, Undecided)
    assert hurried.reason == "the time limit of 0 seconds was reached"
    verdict = separate(X, y, time_limit=math.inf)
    assert isinstance(verdict, Separable)
    assert verdict.measure(time_limit=0).margin.lower > 0
    for limit in (-1, math.nan, "soon"):
        with pytest.raises(OptionError, match="time_limit must be seconds, 0 or more"):
            separate(X, y, time_limit=limit)
