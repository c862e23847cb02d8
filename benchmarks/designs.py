"""Designs as users bring them: dummies, interactions, low rank, text; with proof, beside others.

HiGHS is asked by its own interface, by simplex and by interior point. QSopt_ex (Debian's package
`qsopt-ex`) is exact, as ours is. SoPlex is exact only where it was built with GMP: PySCIPOpt's
wheels are not (6.3, with SoPlex 8.0.2), and Debian has no package of it.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import formulaic
import highspy
import numpy as np
import scipy.sparse as sp
import statsmodels.api as sm

from benchmarks.separability import sparse
from benchmarks.table import Results, best_of
from novikoff import separate, verify

Data = tuple[Any, np.ndarray]
PATIENCE = 60.0  # seconds for a peer
LIMIT = 120.0  # seconds for us
MOST_FACTORED = 3000  # columns
EXACT_ROWS = 5000  # beyond, the exact solver has no answer in time


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
    A = signed_rows(X, y)
    n, p = A.shape
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
    return in_words(int((np.array(program.getSolution().col_value)[p:] > 0.5).sum()), n)


def signed_rows(X: Any, y: np.ndarray) -> sp.csr_array:
    sign = np.where(y > 0, 1.0, -1.0)
    rows = sp.hstack([sp.csr_array(X), np.ones((X.shape[0], 1))])
    return sp.csr_array(sp.diags_array(sign) @ sp.csr_array(rows))


def in_words(off: int, n: int) -> str:
    word = {0: "overlapping", n: "separable"}.get(off, "touching")
    return f"{word}, {off} off the plane"


def qsopt(X: Any, y: np.ndarray) -> str:
    """The same program, solved exactly by QSopt_ex: it is handed over as text."""
    A = signed_rows(X, y)
    n, p = A.shape
    lines = ["Maximize", " obj: " + "\n + ".join(f"t{i}" for i in range(n)), "Subject To"]
    for i in range(n):
        part = slice(A.indptr[i], A.indptr[i + 1])
        terms = zip(A.indices[part].tolist(), A.data[part].tolist(), strict=True)
        lines.append(f" c{i}: " + " ".join(f"{a:+.17g} w{j}" for j, a in terms) + f" - t{i} >= 0")
    lines += ["Bounds", *(f" t{i} <= 1" for i in range(n)), *(f" w{j} free" for j in range(p))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.lp"
        path.write_text("\n".join([*lines, "End", ""]))
        try:
            said = subprocess.run(
                ["esolver", path], cwd=folder, capture_output=True, text=True, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            return f"no answer in {PATIENCE:.0f} s"
    found = [line for line in (said.stdout + said.stderr).splitlines() if "LP value" in line]
    if "Problem Solved Exactly" not in said.stdout + said.stderr or not found:
        return "no answer"
    return in_words(round(float(found[-1].split()[-1])), n) + ", exact"


def factorisation(X: Any) -> tuple[str, float]:
    """What a design costs at least: the Gram matrix of its columns, and its Cholesky factor."""

    def work() -> Any:
        gram = X.T @ X
        gram = gram.toarray() if sp.issparse(gram) else gram
        return np.linalg.cholesky(gram + np.eye(len(gram)) * (1.0 + np.trace(gram)))

    if X.shape[1] > X.shape[0] or X.shape[1] > MOST_FACTORED:
        return "one read", best_of(3, X.sum)[0].processor
    return "one Gram matrix and its factor", best_of(3, work)[0].processor


WORKLOADS: list[tuple[str, Callable[[], Data], bool]] = [
    ("300 × 23 factors", lambda: dense(factors(300, [8] * 3, 2, 0, 1.5)), True),
    ("500 × 48 factors", lambda: dense(factors(500, [10] * 5, 3, 0, 1.8)), True),
    ("2000 × 58, two factors", lambda: dense(factors(2000, [30, 30], 0, 0)), True),
    ("2000 × 195 factors", lambda: dense(factors(2000, [20] * 10, 5, 0, 1.8)), True),
    ("5000 × 195 factors", lambda: dense(factors(5000, [20] * 10, 5, 0)), True),
    ("5000 × 595 factors", lambda: factors(5000, [60] * 10, 5, 0, 1.8), True),
    ("20,000 × 500 factors", lambda: factors(20_000, [50] * 10, 10, 1), True),
    ("20,000 × 1995 factors", lambda: factors(20_000, [200] * 10, 5, 2, 1.8), True),
    ("sparse 100,000 × 1000, 30 a row, separable", lambda: sparse(100_000, 1000, 30), False),
    ("low rank: 5 in 30 columns, 300 rows", lambda: low_rank(300, 5, 30), True),
    ("100,000 × 1995 factors", lambda: factors(100_000, [200] * 10, 5, 2, 1.8), False),
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
        seconds, verdict = best_of(
            2, lambda X=X, y=y: separate(X, y, decimals=True, time_limit=LIMIT)
        )
        answer, note = verdict.word, ""
        if answer == "touching":
            answer += f", {verdict.n - len(verdict.rows_on_plane)} off the plane"
        if answer == "undecided":
            note = f"γ ≤ {verdict.margin_at_most:.3g}"
        else:
            certificate = verdict.certificate()
            took, check = best_of(1, lambda X=X, y=y, c=certificate: verify(c, X, y))
            note = f"certificate {'valid' if check.valid else 'NOT VALID'}, {took:.2g} s"
        results.add(name, "novikoff, with proof", seconds, answer, note, factorisation(X))
        if with_peer:
            peers = {
                f"HiGHS, {solver}": lambda X=X, y=y, solver=solver: highs(X, y, solver)
                for solver in ("simplex", "ipm")
            }
            if shutil.which("esolver") and X.shape[0] <= EXACT_ROWS:
                peers["QSopt_ex, exact"] = lambda X=X, y=y: qsopt(X, y)
            for who, ask in peers.items():
                spent, said = best_of(1, ask)
                results.add(name, who, spent, said)
    results.show()
