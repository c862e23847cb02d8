"""Designs as users bring them: dummies, interactions, low rank, text; with proof, beside HiGHS."""

import time
from collections.abc import Callable
from typing import Any

import formulaic
import highspy
import numpy as np
import scipy.sparse as sp
import statsmodels.api as sm

from benchmarks.table import Results
from novikoff import separate, verify

Data = tuple[Any, np.ndarray]
PATIENCE = 100.0  # seconds for HiGHS
LIMIT = 120.0  # seconds for us


def factors(n: int, levels: list[int], numbers: int, seed: int, power: float = 1.2) -> Data:
    """Dummies of factors with rare levels, some decimals, and labels of a logistic model."""
    rng = np.random.default_rng(seed)
    columns = []
    for count in levels:
        p = 1 / np.arange(1, count + 1) ** power
        codes = rng.choice(count, size=n, p=p / p.sum())
        ones = (np.ones(n), (np.arange(n), codes))
        columns.append(sp.csr_array(ones, shape=(n, count))[:, 1:])
    if numbers:
        columns.append(sp.csr_array(rng.standard_normal((n, numbers)).round(2)))
    X = sp.csr_array(sp.hstack(columns))
    chance = 1 / (1 + np.exp(-(X @ (1.5 * rng.standard_normal(X.shape[1])))))
    return X, (rng.random(n) < chance).astype(int)


def dense(data: Data) -> Data:
    return data[0].toarray(), data[1]


def fair() -> Data:
    """The model of statsmodels' `fair` data with an interaction of two factors."""
    table = sm.datasets.fair.load_pandas().data
    X = formulaic.model_matrix("C(occupation) * C(rate_marriage) + age + C(educ)", table)
    return X.to_numpy()[:, 1:], (table.affairs > 0).to_numpy().astype(int)


def low_rank(n: int, rank: int, d: int) -> Data:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, d))
    return X, rng.integers(0, 2, n)


def wide(n: int, d: int) -> Data:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    return rng.standard_normal((n, d)), y


def uniform(n: int, d: int, per_row: int) -> Data:
    rng = np.random.default_rng(0)
    X = sp.random_array((n, d), density=per_row / d, rng=rng, format="csr")
    return X, rng.integers(0, 2, n)


def text(n: int, words: int, planted: bool) -> Data:
    """Thirty words a row, drawn by Zipf's law; labels of a plane, or of chance."""
    rng = np.random.default_rng(0)
    p = 1 / np.arange(1, words + 1)
    at = rng.choice(words, size=n * 30, p=p / p.sum())
    X = sp.csr_array((np.ones(n * 30), (np.repeat(np.arange(n), 30), at)), shape=(n, words))
    X.sum_duplicates()
    y = X @ rng.standard_normal(words) > 0 if planted else rng.random(n) < 0.5
    return X, y.astype(int)


def highs(X: Any, y: np.ndarray, solver: str) -> str:
    """Maximise Σ t over Aw ≥ t, 0 ≤ t ≤ 1: how many rows can be off the plane together."""
    n = X.shape[0]
    sign = np.where(y > 0, 1.0, -1.0)
    A = sp.diags_array(sign) @ sp.csr_array(sp.hstack([sp.csr_array(X), np.ones((n, 1))]))
    p = A.shape[1]
    rows = sp.csr_array(sp.hstack([A, -sp.eye_array(n)]))
    model, free = highspy.HighsLp(), np.full(p, highspy.kHighsInf)
    model.num_col_, model.num_row_ = p + n, n
    model.col_cost_ = np.concatenate([np.zeros(p), -np.ones(n)])
    model.col_lower_ = np.concatenate([-free, np.zeros(n)])
    model.col_upper_ = np.concatenate([free, np.ones(n)])
    model.row_lower_, model.row_upper_ = np.zeros(n), np.full(n, highspy.kHighsInf)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_ = rows.indptr, rows.indices
    model.a_matrix_.value_ = rows.data
    program = highspy.Highs()
    for option, value in (("output_flag", False), ("solver", solver), ("time_limit", PATIENCE)):
        program.setOptionValue(option, value)
    program.passModel(model)
    program.run()
    if program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return f"no answer ({program.modelStatusToString(program.getModelStatus())})"
    off = int((np.array(program.getSolution().col_value)[p:] > 0.5).sum())
    word = {0: "overlapping", n: "separable"}.get(off, "touching")
    return f"{word}, {off} off the plane"


WORKLOADS: list[tuple[str, Callable[[], Data], bool]] = [
    ("300 × 23 factors", lambda: dense(factors(300, [8] * 3, 2, 0, 1.5)), True),
    ("500 × 48 factors", lambda: dense(factors(500, [10] * 5, 3, 0, 1.8)), True),
    ("2000 × 58, two factors", lambda: dense(factors(2000, [30, 30], 0, 0)), True),
    ("2000 × 195 factors", lambda: dense(factors(2000, [20] * 10, 5, 0, 1.8)), True),
    ("5000 × 195 factors", lambda: dense(factors(5000, [20] * 10, 5, 0)), True),
    ("5000 × 595 factors", lambda: factors(5000, [60] * 10, 5, 0, 1.8), True),
    ("20,000 × 500 factors", lambda: factors(20_000, [50] * 10, 10, 1), True),
    ("100,000 × 1995 factors", lambda: factors(100_000, [200] * 10, 5, 2, 1.8), True),
    ("fair, an interaction", fair, True),
    ("low rank: 10 in 100 columns", lambda: low_rank(400, 10, 100), True),
    ("2 × 20,000", lambda: wide(2, 20_000), True),
    ("62 × 2000", lambda: wide(62, 2000), True),
    ("sparse 20,000 × 1000, chance", lambda: uniform(20_000, 1000, 30), True),
    ("text 50,000 × 20,000, planted", lambda: text(50_000, 20_000, True), False),
    ("text 50,000 × 20,000, chance", lambda: text(50_000, 20_000, False), False),
]


def run() -> None:
    separate(*dense(factors(200, [5, 5], 1, 0)), decimals=True)
    results = Results("Designs: verdict and proof first, then seconds")
    for name, make, with_peer in WORKLOADS:
        X, y = make()
        started = time.perf_counter()
        verdict = separate(X, y, decimals=True, time_limit=LIMIT)
        seconds = time.perf_counter() - started
        answer, note = verdict.word, ""
        if answer == "touching":
            answer += f", {verdict.n - len(verdict.rows_on_plane)} off the plane"
        if answer == "undecided":
            note = f"γ ≤ {verdict.margin_at_most:.3g}"
        else:
            started = time.perf_counter()
            valid = verify(verdict.certificate(), X, y).valid
            took = time.perf_counter() - started
            note = f"certificate {'valid' if valid else 'NOT VALID'}, {took:.2g} s"
        results.add(name, "novikoff", seconds, answer, note)
        if with_peer:
            for solver in ("simplex", "ipm"):
                started = time.perf_counter()
                said = highs(X, y, solver)
                results.add(name, f"HiGHS, {solver}", time.perf_counter() - started, said)
    results.show()
