"""Regressions on rows that are read in batches: the answer of one memory, wherever batches end."""

import csv

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.regression.designs import designs

import novikoff
from novikoff.data import scan
from novikoff.errors import DataError, OptionError
from novikoff.exact import projection as far_null
from novikoff.regression import cone as far_cone
from novikoff.regression.text import separated_bases


def same(here, there):
    """All that is answered, and all that is proven."""
    assert there.kind == here.kind
    assert there.separated.tolist() == here.separated.tolist()
    assert dict(there.coefficients) == dict(here.coefficients)
    assert there.directions == here.directions
    # A base level, which has no column, takes all rows at hand to be named.
    bases = [f"where {base.factor.title}," for base in separated_bases(here)]
    named = [text for text in here.explain().reasons if not text.startswith(tuple(bases))]
    assert list(there.explain().reasons) == named
    assert there.limit().rows.tolist() == here.limit().rows.tolist()
    assert there.limit().columns == here.limit().columns
    assert there.certificate() == here.certificate()


@pytest.fixture
def small_steps(monkeypatch):
    """Working sets that begin with few rows and grow by one: many rounds, on little data."""
    monkeypatch.setattr(far_null, "ROWS_A_COLUMN", 1)
    for name in ("ROWS_A_COLUMN", "WORST", "WORST_TOGETHER"):
        monkeypatch.setattr(far_cone, name, 1)


@pytest.mark.parametrize(
    ("model", "decimals"), [("logit", False), ("logit", True), ("poisson", False)]
)
def test_a_scan_has_the_answer_of_one_memory(folder, small_steps, model, decimals):
    @settings(max_examples=25, deadline=None)
    @given(designs(model), st.integers(1, 70))
    def check(design, batch_rows):
        X, y = design
        d = X.shape[1]
        np.save(folder / "rows.npy", np.ascontiguousarray(np.column_stack([X, y])))
        rows = scan(folder / "rows.npy", label=d, batch_rows=batch_rows)
        options = {"model": model, "decimals": decimals}
        names = list(rows.names)
        here = novikoff.detect_separation(X, y.astype(float), names=names, **options)
        there = novikoff.detect_separation(rows, **options)
        same(here, there)
        assert novikoff.verify(there.certificate(), rows)
        assert novikoff.verify(there.certificate(), X, y)

    check()


def test_text_files_and_sparse_ones(folder):
    rng = np.random.default_rng(5)
    X, y = rng.integers(0, 2, (50, 4)), rng.integers(0, 2, 50)
    y[X[:, 2] == 1] = 1
    with open(folder / "rows.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "c", "d", "kind"])
        writer.writerows([[*x, "yes" if k else "no"] for x, k in zip(X, y, strict=True)])
    kinds = np.where(y == 1, "yes", "no")
    rows = scan(folder / "rows.csv", label="kind", batch_rows=7, cache=False)
    there = novikoff.detect_separation(rows, model="probit", fit_intercept=True)
    here = novikoff.detect_separation(
        X.astype(float), kinds, model="probit", fit_intercept=True, names=list("abcd")
    )
    same(here, there)
    lines = [
        f"{k} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x) if v)
        for x, k in zip(X, y, strict=True)
    ]
    (folder / "rows.svm").write_text("\n".join(lines) + "\n")
    rows = scan(folder / "rows.svm", batch_rows=11, cache=False)
    here = novikoff.detect_separation(sp.csr_array(X.astype(float)), y, names=list(rows.names))
    same(here, novikoff.detect_separation(rows))


def test_a_wrong_certificate_and_other_data(folder):
    X, y = np.array([[-1.0], [0], [0], [1]]), np.array([0.0, 0, 1, 1])
    np.save(folder / "rows.npy", np.ascontiguousarray(np.column_stack([X, y])))
    proof = novikoff.detect_separation(scan(folder / "rows.npy", label=1)).certificate()
    y[0] = 1
    np.save(folder / "others.npy", np.ascontiguousarray(np.column_stack([X, y])))
    answer = novikoff.verify(proof, scan(folder / "others.npy", label=1))
    assert not answer
    assert "SHA-256" in answer.reason
    y[0] = 3
    np.save(folder / "others.npy", np.ascontiguousarray(np.column_stack([X, y])))
    answer = novikoff.verify(proof, scan(folder / "others.npy", label=1, batch_rows=3))
    assert not answer
    assert "row 0" in answer.reason


@pytest.mark.parametrize(
    ("model", "reason"),
    [("multinomial", "every other class"), ("ordinal", "thresholds"), ("cox", "at risk"),
     ("conditional", "a case and a control"), ("binomial", "two numbers a row")],
)  # fmt: skip
def test_models_of_other_rows_are_refused_by_name(folder, model, reason):
    np.save(folder / "rows.npy", np.array([[-1.0, 0], [0, 0], [0, 1], [1, 1]]))
    with pytest.raises(OptionError, match=f"{model}.*{reason}"):
        novikoff.detect_separation(scan(folder / "rows.npy", label=1), model=model)


def test_what_needs_rows_at_hand_says_so(folder):
    np.save(folder / "rows.npy", np.array([[-1.0, 0], [0, 0], [0, 1], [1, 1]]))
    rows = scan(folder / "rows.npy", label=1, batch_rows=2)
    found = novikoff.detect_separation(rows)
    with pytest.raises(OptionError, match=r"limit\(\).fit\(\) needs all rows in memory"):
        found.limit().fit()
    with pytest.raises(OptionError, match="Firth's fit needs all rows"):
        found.firth()
    assert "limit().rows" in str(found)
    np.save(folder / "rows.npy", np.array([[-1.0, 0], [0, 0], [0, 1], [1, -1]]))
    with pytest.raises(DataError, match=r"y is -1.0 in row 3"):
        novikoff.detect_separation(
            scan(folder / "rows.npy", label=1, batch_rows=2), model="poisson"
        )
