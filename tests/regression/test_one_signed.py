"""Rare dummies and counts beside fixed effects: columns that separate by themselves."""

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff
from novikoff.regression import coefficients

CASES = 36
INFINITE = {"+∞", "−∞", "not determined"}


def dummies(codes, size):
    n = len(codes)
    return sp.csr_array((np.ones(n), (np.arange(n), codes)), shape=(n, size))


def draw(seed):
    """Two factors, a measured column, and some columns whose rows mostly have one outcome."""
    rng = np.random.default_rng(seed)
    n, sizes = int(rng.integers(14, 40)), rng.integers(2, 6, 2)
    model = "poisson" if seed % 2 else "logit"
    y = rng.poisson(1.5, n) if model == "poisson" else rng.integers(0, 2, n)
    blocks = [dummies(rng.integers(0, size, n), size) for size in sizes]
    if seed % 3 == 0:
        blocks = [block[:, 1:] for block in blocks]
    blocks.append(sp.csr_array(rng.integers(-2, 3, (n, 1)).astype(float)))
    for _ in range(int(rng.integers(1, 4))):
        at = rng.random(n) < 0.2
        column = np.where(at, rng.choice([1, 2, 0.5, 3], n), 0.0)
        if rng.random() < 0.3:  # with all rows of a level
            some = blocks[0].toarray()[:, 0] != 0
            column[some] = 1.0
            at |= some
        if rng.random() < 0.9:
            y[at] = 0 if model == "poisson" else rng.integers(0, 2)
        if rng.random() < 0.2:
            column[np.flatnonzero(at)[:1]] *= -1
        blocks.insert(int(rng.integers(0, len(blocks) + 1)), sp.csr_array(column[:, None]))
    return sp.csr_array(sp.hstack(blocks)), y, model


@pytest.mark.parametrize("seed", range(CASES))
def test_as_the_engine_without_a_graph(seed, monkeypatch):
    X, y, model = draw(seed)
    plain = novikoff.detect_separation(X, y, model=model)
    monkeypatch.setattr(coefficients, "MANY", 0)
    found = novikoff.detect_separation(X, y, model=model)
    assert found.kind == plain.kind
    assert found.separated.tolist() == plain.separated.tolist()
    assert (found.finding.on_plane == np.sort(plain.finding.on_plane)).all()
    for name, estimate in plain.coefficients.items():
        same = found.coefficients[name] == estimate
        assert same or (found.coefficients[name] == "undecided" and estimate in INFINITE), name
    assert found.limit().columns == plain.limit().columns
    aliased = {name for name, estimate in found.coefficients.items() if estimate == "aliased"}
    assert not any(aliased & direction.keys() for direction in found.directions)
    assert novikoff.verify(found.certificate(), X, y).valid


def test_the_graph_answers_and_knows_nearly_all_signs(monkeypatch):
    answers = []
    through = coefficients.fixed_effects
    monkeypatch.setattr(coefficients, "MANY", 0)
    monkeypatch.setattr(coefficients, "sparse_finding", lambda *_: None)
    monkeypatch.setattr(
        coefficients,
        "fixed_effects",
        lambda question: answers.append(through(question)) or answers[-1],
    )
    for seed in range(CASES):
        X, y, model = draw(seed)
        novikoff.detect_separation(X, y, model=model)
    found = [answer.estimates for answer in answers if answer is not None]
    assert len(found) >= CASES // 2
    estimates = [estimate for some in found for estimate in some]
    assert estimates.count("undecided") * 50 < len(estimates)


def small(column, y):
    """Two levels of two factors each, all four cells seen with 0 and with 1, and a column."""
    a, b = np.array([0, 0, 1, 1] * 2), np.array([0, 1] * 4)
    rows = sp.hstack([sp.csr_array(np.zeros((8, 1))), dummies(a, 2), dummies(b, 2)[:, 1:]])
    more = sp.hstack([sp.csr_array(np.array(column, float)[:, None]), dummies([0] * len(y), 2),
                      dummies([0] * len(y), 2)[:, 1:]])  # fmt: skip
    X = sp.csr_array(sp.vstack([rows, more]))
    return X, np.array([0] * 4 + [1] * 4 + y)


@pytest.mark.parametrize(("y", "sign"), [([0, 0], "−∞"), ([1, 1], "+∞")])
def test_the_sign_of_a_column_whose_rows_lie_on_cycles(y, sign, monkeypatch):
    monkeypatch.setattr(coefficients, "MANY", 0)
    monkeypatch.setattr(coefficients, "decided", None)
    X, y = small([2, 0.5], y)
    found = novikoff.detect_separation(X, y, fit_intercept=False)
    assert list(found.coefficients.values()) == [sign, "finite", "finite", "finite"]
    assert found.separated.tolist() == [False] * 8 + [True, True]


@pytest.mark.parametrize("model", ["poisson", "logit"])
def test_thousands_of_levels_and_rare_dummies(model, monkeypatch):
    monkeypatch.setattr(coefficients, "decided", None)  # elimination is not asked
    rng = np.random.default_rng(2)
    n, levels = 15_000, 1500
    codes = [rng.integers(0, levels, n) for _ in range(2)]
    x, rare = rng.normal(size=n).round(3), (rng.random(n) < 0.01).astype(float)
    rarest = (np.arange(n) % 4000 == 7).astype(float)  # fewer rows than levels have
    one_outcome = (rare == 1) | (rarest == 1)
    eta = sum(rng.normal(size=levels)[code] for code in codes)
    y = rng.poisson(np.exp(eta - 1)) if model == "poisson" else (rng.logistic(size=n) < eta) * 1
    y[one_outcome] = 0
    table = sp.csr_array(np.column_stack([x, rare, rarest]))
    X = sp.csr_array(sp.hstack([table, *(dummies(code, levels) for code in codes)]))
    found = novikoff.detect_separation(X, y, model=model)
    assert found.kind == "quasi-complete"
    assert found.coefficients["x0"] == "finite"
    assert found.coefficients["x1"] == found.coefficients["x2"] == "−∞"
    assert found.separated[one_outcome].all()
    without = novikoff.detect_separation(X[~one_outcome], y[~one_outcome], model=model)
    assert (found.separated[~one_outcome] == without.separated).all()
    assert {"x1": -1} in found.directions
    assert {"x2": -1} in found.directions
    assert novikoff.verify(found.certificate(), X, y).valid
