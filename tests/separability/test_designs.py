"""Designs as statisticians bring them: factors with rare levels, interactions, nested and collinear
columns, low rank, mixtures of scales; against oracles in rational numbers.
"""

import time

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import faces, rank
from tests.separability.checks import check_proof

import novikoff
from novikoff import Undecided, separate


def dummies(codes, levels, full):
    """A column for each level but the first, or for every one."""
    return np.eye(levels)[codes][:, 0 if full else 1 :]


@st.composite
def designs(draw):
    """Small designs of the kinds that are not in general position, with their labels."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(4, 14))
    parts = []
    a_levels, b_levels = draw(st.integers(2, 4)), draw(st.integers(2, 3))
    a = np.minimum(rng.geometric(0.5, n) - 1, a_levels - 1)
    b = rng.integers(0, b_levels, n)
    parts.append(dummies(a, a_levels, draw(st.booleans())))
    kind = draw(st.sampled_from(["one", "two", "interaction", "nested", "low rank"]))
    if kind == "two":
        parts.append(dummies(b, b_levels, draw(st.booleans())))
    if kind == "interaction":
        B = dummies(b, b_levels, False)
        parts += [B, np.einsum("ij,ik->ijk", parts[0], B).reshape(n, -1)[:, :4]]
    if kind == "nested":
        parts.append(dummies(a, a_levels, True)[:, :2] * rng.integers(0, 2, (n, 1)))
    if kind == "low rank":
        U = rng.integers(-2, 3, (n, 1)).astype(float)
        parts.append(U @ np.array([[1.0, 0.3, 3.0]]))
    if draw(st.booleans()):
        parts.append(np.column_stack([np.ones(n), parts[0][:, 0]]))  # constant, and again
    if draw(st.booleans()):
        parts.append(rng.poisson(2.0, (n, 1)) * draw(st.sampled_from([1.0, 1e-6, 1e9, 0.1])))
    X = np.column_stack(parts)[:, :7]
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    return X, y


@given(designs(), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=200)
def test_verdict_and_face_are_those_of_the_oracle(design, fit_intercept, sparse):
    X, y = design
    data = sp.csr_array(X) if sparse else X
    verdict = separate(data, y, fit_intercept=fit_intercept)
    signs = np.where(y == 1, 1, -1).tolist()
    word, on_plane = faces(X.tolist(), signs, fit_intercept)
    assert verdict.word == word
    check_proof(verdict, X, y)
    if word == "touching":
        assert verdict.rows_on_plane.tolist() == on_plane
        A = [[s * v for v in (*row, *[1.0] * fit_intercept)] for row, s in
             zip(X.tolist(), signs, strict=True)]  # fmt: skip
        spanning = [A[i] for i in verdict.rows.tolist()]
        assert rank(spanning) == rank([A[i] for i in on_plane])
    assert novikoff.verify(verdict.certificate(), data, y).valid


def rare_levels(n, factors, numbers, seed, power=1.5):
    """Factors with rare levels, some columns of decimals, and labels of a logistic model."""
    rng = np.random.default_rng(seed)
    columns = []
    for levels in factors:
        p = 1 / np.arange(1, levels + 1) ** power
        columns.append(dummies(rng.choice(levels, size=n, p=p / p.sum()), levels, False))
    columns.append(rng.normal(size=(n, numbers)).round(2))
    X = np.column_stack(columns)
    chance = 1 / (1 + np.exp(-X @ rng.normal(size=X.shape[1]) * 1.5))
    return X, (rng.random(n) < chance).astype(int)


@pytest.mark.parametrize(
    ("n", "factors", "numbers", "seed"),
    [(300, [8] * 3, 2, 0), (500, [10] * 5, 3, 0), (2000, [30, 28], 0, 1), (1500, [20] * 6, 4, 2)],
)
@pytest.mark.parametrize("sparse", [False, True])
def test_designs_of_factors_are_proven(n, factors, numbers, seed, sparse):
    X, y = rare_levels(n, factors, numbers, seed)
    data = sp.csr_array(X) if sparse else X
    verdict = separate(data, y, decimals=True)
    assert not isinstance(verdict, Undecided)
    assert novikoff.verify(verdict.certificate(), data, y).valid


def test_raw_floats_beside_dummies():
    X, y = rare_levels(800, [12] * 4, 0, 3)
    X = np.column_stack([X, np.random.default_rng(0).normal(size=(800, 3))])
    verdict = separate(X, y)
    assert novikoff.verify(verdict.certificate(), X, y).valid


@pytest.mark.parametrize("seed", range(3))
def test_columns_that_only_roundings_tell_apart(seed):
    rng = np.random.default_rng(seed)
    U = rng.normal(size=(150, 4))
    X, y = U @ rng.normal(size=(4, 25)), rng.integers(0, 2, 150)
    verdict = separate(X, y)
    assert verdict.word == "overlapping"
    assert novikoff.verify(verdict.certificate(), X, y).valid
    y = (U[:, 0] > 0).astype(int)
    assert novikoff.verify(separate(X, y).certificate(), X, y).valid


def test_more_columns_than_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3, 2000)), [0, 1, 1]
    verdict = separate(X, y)
    assert verdict.word == "separable"
    text = str(verdict.explain())
    assert "all 2001 coefficients" in text
    assert "more coefficients (2001) than rows (3)" in text


def test_an_empty_cell_of_an_interaction_aliases_one_column():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 3, 200), rng.integers(0, 3, 200)
    keep = ~((a == 2) & (b == 2))
    a, b = a[keep], b[keep]
    A, B = dummies(a, 3, False), dummies(b, 3, False)
    X = np.column_stack([A, B, np.einsum("ij,ik->ijk", A, B).reshape(len(a), -1)])
    y = rng.integers(0, 2, len(a))
    y[(a == 1) & (b == 2)] = 1
    names = ["a1", "a2", "b1", "b2", "a1b1", "a1b2", "a2b1", "a2b2"]
    explanation = separate(X, y, names=names).explain()
    estimates = {c.name: c.estimate for c in explanation.coefficients}
    assert estimates["a2b2"] == "aliased"
    assert estimates["a1b2"] == "+∞"
    assert sum(estimate == "finite" for estimate in estimates.values()) == 7


def test_a_pure_cell_is_named():
    X, y = [], []
    for a in (0, 1):
        for b in (0, 1):
            for repeat in range(6):
                X.append([a, b, repeat])
                y.append(1 if a and b else repeat % 2)
    verdict = separate(np.array([[a, b, a * b, r] for a, b, r in X]), y,
                       names=["old", "ill", "both", "dose"])  # fmt: skip
    cells = [str(cell) for cell in verdict.explain().cells]
    assert cells == ["old with ill: all 6 rows are 1"]


def test_the_time_can_be_limited():
    rng = np.random.default_rng(0)
    X = sp.random_array((20_000, 6_000), density=0.002, rng=rng, format="csr")
    y = rng.integers(0, 2, 20_000)
    started = time.monotonic()
    verdict = separate(X, y, time_limit=0.05)
    assert time.monotonic() - started < 60  # not a measurement: it ends at all
    assert isinstance(verdict, Undecided)
    assert "time limit" in verdict.reason
    assert verdict.rows_failed is None or 0 < verdict.rows_failed <= 20_000


def test_what_is_undecided_has_a_proven_bound():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    apart = X[:, 0] > 0
    verdict = separate(X, apart, exact=False)
    assert verdict.word == "separable"
    from novikoff.separability.proofs.margin import augmented_margin_above

    points = verdict.lazy.points
    for _ in range(20):
        rows = np.sort(rng.permutation(60)[:20])
        bound = augmented_margin_above(points, rows, rng.random(20))
        assert bound >= verdict.augmented_margin.lower
    assert y.any()


@pytest.mark.parametrize("kind", ["separable", "touching", "overlapping"])
def test_data_too_large_to_look_at_as_a_whole(monkeypatch, kind):
    # The limits are lowered instead of the data being made larger.
    monkeypatch.setattr("novikoff.separability.stages.MOST_FLOATS", 12_000)
    monkeypatch.setattr("novikoff.separability.stages.ROWS_A_COLUMN", 3)
    monkeypatch.setattr(
        "novikoff.separability.stages.Decision._by_nearest_points", lambda self: None
    )
    monkeypatch.setattr(
        "novikoff.separability.stages.some_rows", lambda y, count: np.arange(0, len(y), 40)
    )
    rng = np.random.default_rng(5)
    city = rng.integers(0, 6, 4000)
    X = np.column_stack([dummies(city, 6, False), rng.poisson(3, 4000), rng.poisson(1, 4000)])
    y = {
        "separable": X @ np.array([1, -2, 3, 1, 1, 2, -2]) > 0.5,
        "touching": (rng.random(4000) < 0.5) | (city == 3),
        "overlapping": rng.random(4000) < 0.5,
    }[kind].astype(int)
    verdict = separate(X, y)
    assert verdict.word == kind
    assert novikoff.verify(verdict.certificate(), X, y).valid
    if kind == "touching":
        assert verdict.rows_on_plane.tolist() == np.flatnonzero(city != 3).tolist()


@pytest.mark.parametrize("seed", range(25))
def test_a_column_that_differs_in_one_row_only(seed):
    # To the eye of floating point it is the same column; fewer rows do not span that one row.
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (14, 3)).astype(float)
    X[:, 2] = X[:, 0]
    X[rng.integers(14), 2] += rng.choice([2.0**-20, 2.0**-26, -(2.0**-24)])
    y = rng.integers(0, 2, 14)
    y[:2] = 0, 1
    word, on_plane = faces(X.tolist(), np.where(y == 1, 1, -1).tolist())
    verdict = separate(X, y)
    assert verdict.word == word
    if word == "touching":
        assert verdict.rows_on_plane.tolist() == on_plane
    assert novikoff.verify(verdict.certificate(), X, y).valid
