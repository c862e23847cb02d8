"""Fixed effects as a graph: the same answers as by elimination, and thousands of levels."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import novikoff
import novikoff.regression.table
from novikoff.regression import coefficients


def design(rng, n, sizes, *, treatment, x):
    """Dummies of two factors (all levels, or all but the first), with or without a covariate."""
    blocks = [sp.csr_array(rng.integers(-2, 3, (n, x)).astype(float))] if x else []
    for size in sizes:
        codes = rng.integers(0, size, n)
        block = sp.csr_array((np.ones(n), (np.arange(n), codes)), shape=(n, size))
        blocks.append(block[:, 1:] if treatment else block)
    return sp.csr_array(sp.hstack(blocks))


@pytest.mark.parametrize("seed", range(60))
def test_the_graph_answers_as_elimination_does(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 30))
    sizes = rng.integers(2, 7, 2)
    X = design(rng, n, sizes, treatment=seed % 2 == 0, x=seed % 3 // 2)
    model = "poisson" if seed % 4 < 2 else "logit"
    y = rng.poisson(0.6, n) if model == "poisson" else rng.integers(0, 2, n)
    plain = novikoff.detect_separation(X, y, model=model)
    monkeypatch.setattr(coefficients, "MANY", 0)
    found = novikoff.detect_separation(X, y, model=model)
    assert found.kind == plain.kind
    assert found.separated.tolist() == plain.separated.tolist()
    assert (found.finding.on_plane == np.sort(plain.finding.on_plane)).all()
    assert found.coefficients == plain.coefficients
    assert found.limit().columns == plain.limit().columns
    aliased = {name for name, estimate in found.coefficients.items() if estimate == "aliased"}
    assert not any(aliased & direction.keys() for direction in found.directions)
    assert novikoff.verify(found.certificate(), X, y).valid


@pytest.mark.parametrize("model", ["poisson", "logit"])
@pytest.mark.parametrize("x", [0, 2])
def test_base_levels_that_move_themselves(model, x, monkeypatch):
    """The levels a formula leaves out are in the constant, and may be the separated ones."""
    rng = np.random.default_rng(x)
    n = 80
    table = pd.DataFrame({"a": rng.integers(0, 6, n), "b": rng.integers(0, 6, n)})
    numbers = [f"x{j}" for j in range(x)]
    for name in numbers:
        table[name] = rng.normal(size=n).round(1)
    table["y"] = rng.poisson(2, n) if model == "poisson" else rng.integers(0, 2, n)
    table.loc[table.a == 0, "y"] = 0
    table.loc[(table.b == 0) & (table.a == 3), "y"] = 0
    formula = " + ".join(["y ~ C(a) + C(b)", *numbers])
    plain = novikoff.detect_separation(formula, table, model=model)
    monkeypatch.setattr(coefficients, "MANY", 0)
    monkeypatch.setattr(novikoff.regression.table, "MANY", 0)
    monkeypatch.setattr(coefficients, "decided", None)  # elimination is not asked
    found = novikoff.detect_separation(formula, table, model=model)
    assert found.coefficients["(intercept)"] == "−∞"
    assert found.coefficients == plain.coefficients
    assert found.limit().columns == plain.limit().columns


@pytest.mark.parametrize("seed", range(12))
def test_a_measured_column_made_of_levels(seed, monkeypatch):
    """Its coefficient is in units of the column, not of the integers it was read as."""
    monkeypatch.setattr(coefficients, "MANY", 0)
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 5, (2, 24))
    x = np.column_stack([np.where(a < 2, 0.75, 0), np.where(b < 2, 0.125, 0)])
    levels = (a[:, None] == np.arange(5), b[:, None] == np.arange(1, 5))
    X = sp.csr_array(np.hstack([x, *levels]).astype(float))
    y = rng.poisson(0.5, 24)
    y[(a == 0) | (b == 1)] = 0
    found = novikoff.detect_separation(X, y, model="poisson", fit_intercept=False)
    assert novikoff.verify(found.certificate(), X, y).valid


def test_the_graph_is_mostly_enough(monkeypatch):
    """On data like those above, most questions need no elimination."""
    monkeypatch.setattr(coefficients, "MANY", 0)
    monkeypatch.setattr(coefficients, "sparse_finding", lambda *_: None)
    answered = []
    through = coefficients.fixed_effects
    monkeypatch.setattr(
        coefficients,
        "fixed_effects",
        lambda question: answered.append(through(question)) or answered[-1],
    )
    rng = np.random.default_rng(0)
    for _ in range(10):
        X = design(rng, 60, (5, 5), treatment=True, x=1)
        novikoff.detect_separation(X, rng.poisson(0.5, 60), model="poisson")
    assert sum(found is not None for found in answered) >= 6


@pytest.mark.parametrize("model", ["poisson", "logit"])
def test_two_factors_of_thousands_of_levels(model):
    rng = np.random.default_rng(1)
    n, levels = 20_000, 2000
    codes = [rng.integers(0, levels, n) for _ in range(2)]
    eta = sum(rng.normal(size=levels)[code] for code in codes)
    blocks = [sp.csr_array((np.ones(n), (np.arange(n), code)), shape=(n, levels)) for code in codes]
    x = sp.csr_array(rng.normal(size=(n, 1)))
    X = sp.csr_array(sp.hstack([x, *blocks]))
    y = rng.poisson(np.exp(eta - 1)) if model == "poisson" else (rng.logistic(size=n) < eta) * 1
    found = novikoff.detect_separation(X, y, model=model)
    assert found.kind == "quasi-complete"
    assert found.coefficients["x0"] == "finite"
    # Levels that never count anything, or always have one outcome, are separated with their rows.
    for code in codes:
        total = np.bincount(code, y, minlength=levels)
        alone = total == 0
        if model == "logit":
            alone |= total == np.bincount(code, minlength=levels)
        assert found.separated[alone[code]].all()
    delta = np.array([float(found.directions[0].get(name, 0)) for name in found.coefficients])
    eta = delta[0] + X @ delta[1:]
    if model == "poisson":
        assert (eta[y > 0] == 0).all()
        assert (eta <= 0).all()
    else:
        assert (eta * (2 * y - 1) >= 0).all()
    assert ((eta != 0) == found.separated).all()


def test_the_graph_leaves_the_rows_as_they_are():
    """Slopes store zeros; taken out in place, they would leave arrays of unequal length."""
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame({"y": rng.poisson(0.7, n), "z": rng.integers(0, 2, n)})
    frame = frame.assign(firm=np.arange(n) % 110, year=np.arange(n) % 4)
    frame["x"] = rng.choice([1e-30, 1e30, 1.0, 3.0], n)  # too far apart for elimination
    found = novikoff.detect_separation("y ~ x | firm + year[z]", frame, model="poisson")
    rows = found.question.rows
    assert rows.nnz == len(rows.data) == len(rows.indices)
    rows.check_format()
