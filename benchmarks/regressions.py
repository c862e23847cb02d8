"""Does the estimate exist? Regressions of the size that economists and epidemiologists have.

HiGHS solves the linear program of the same rows, pyfixest and firthmodels look with their own
methods; each only where it is installed and has one. Answers come first, then seconds.
"""

import contextlib
import importlib.util
import time
from collections.abc import Callable
from typing import Any

import highspy
import numpy as np
import pandas as pd
import scipy.sparse as sp

from benchmarks.table import Results
from novikoff import detect_separation, verify

LIMIT = 120.0
PATIENCE = 100.0  # seconds for HiGHS
MOST_ROWS = 60_000  # for HiGHS

THREE_WAY = "y ~ rta | exporter^year + importer^year + pair"


def gravity(n: int, years: int = 10) -> pd.DataFrame:
    """Counts of trade between countries; about n of them."""
    rng = np.random.default_rng(7)
    c = int(np.sqrt(n / years)) + 1
    e, i, t = (a.ravel() for a in np.indices((c, c, years)))
    e, i, t = (a[e != i] for a in (e, i, t))
    sizes, pair = rng.normal(size=(2, c)), rng.normal(size=(c, c)) * 1.5
    rta = (t >= rng.integers(0, 25, (c, c))[e, i]).astype(int)
    y = rng.poisson(np.exp(sizes[0, e] + sizes[1, i] + pair[e, i] - 1 + 0.3 * rta))
    columns = {"y": y, "rta": rta, "exporter": e, "importer": i, "year": t, "pair": e * c + i}
    return pd.DataFrame(columns)


def firms() -> tuple[Any, Any]:
    """Two factors of 60 levels, and a covariate with a threshold within each firm."""
    rng = np.random.default_rng(0)
    firm, place = rng.integers(0, 60, (2, 1200))
    x = rng.integers(0, 50, 1200)
    levels = (firm[:, None] == np.arange(60), place[:, None] == np.arange(60))
    return np.hstack([*levels, x[:, None]]).astype(float), x >= rng.integers(10, 40, 60)[firm]


def stratum() -> tuple[Any, Any]:
    """2,000 people, of whom 500 are cases."""
    rng = np.random.default_rng(0)
    y = np.zeros(2000, int)
    y[rng.permutation(2000)[:500]] = 1
    return rng.standard_normal((2000, 5)), y


def classes(n: int) -> tuple[Any, Any]:
    """17 dummies and four classes beside the base: 72 coefficients."""
    rng = np.random.default_rng(0)
    sizes = (5, 5, 4, 4, 3, 2)
    X = np.hstack([np.eye(k)[rng.integers(0, k, n)][:, 1:] for k in sizes])
    eta = np.hstack([np.zeros((n, 1)), X @ rng.standard_normal((X.shape[1], 4))])
    return X, (eta + rng.gumbel(size=eta.shape)).argmax(axis=1)


def credit(n: int) -> tuple[Any, Any]:
    """Thirty categorical columns with rare levels."""
    rng = np.random.default_rng(0)
    blocks = []
    for _ in range(30):
        size = int(rng.integers(3, 25))
        p = 1 / np.arange(1, size + 1) ** 1.5
        blocks.append(np.eye(size)[rng.choice(size, n, p=p / p.sum())][:, 1:])
    X = np.hstack(blocks)
    X = X[:, X.any(axis=0)]
    score = X @ rng.standard_normal(X.shape[1]) * 0.7 - 2.5
    return X, (rng.random(n) < 1 / (1 + np.exp(-score))).astype(int)


def matched(strata: int) -> tuple[Any, Any, Any]:
    """One case and four controls in each stratum."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (5 * strata, 6)).astype(float)
    return X, np.tile([1, 0, 0, 0, 0], strata), np.repeat(np.arange(strata), 5)


def highs(A: Any) -> str:
    """How many rows of A a direction can move: the greatest Σ t with Aδ ≥ t, 0 ≤ t ≤ 1."""
    A = sp.csr_array(A, dtype=np.float64)
    m, p = A.shape
    rows = sp.csr_array(sp.hstack([A, -sp.eye_array(m)]))
    model, free = highspy.HighsLp(), np.full(p, highspy.kHighsInf)
    model.num_col_, model.num_row_ = p + m, m
    model.col_cost_ = np.concatenate([np.zeros(p), -np.ones(m)])
    model.col_lower_ = np.concatenate([-free, np.zeros(m)])
    model.col_upper_ = np.concatenate([free, np.ones(m)])
    model.row_lower_, model.row_upper_ = np.zeros(m), np.full(m, highspy.kHighsInf)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_, model.a_matrix_.index_ = rows.indptr, rows.indices
    model.a_matrix_.value_ = rows.data
    program = highspy.Highs()
    for option, value in (("output_flag", False), ("time_limit", PATIENCE)):
        program.setOptionValue(option, value)
    program.passModel(model)
    program.run()
    if program.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return f"no answer ({program.modelStatusToString(program.getModelStatus())})"
    off = int((np.array(program.getSolution().col_value)[p:] > 0.5).sum())
    return f"{ {0: 'none', m: 'complete'}.get(off, 'quasi-complete') }"


def pyfixest(frame: pd.DataFrame) -> str:
    """What pyfixest drops as separated before it fits a Poisson model."""
    from pyfixest.estimation.models.fepois_ import _check_for_separation

    called = {"exporter^year": ["exporter", "year"], "importer^year": ["importer", "year"]}
    fe = pd.DataFrame(
        {k: frame.groupby(v).ngroup() for k, v in called.items()} | {"pair": frame.pair}
    )
    dropped = _check_for_separation(
        fml=THREE_WAY, data=frame, Y=frame[["y"]], X=frame[["rta"]], fe=fe, methods=["fe", "ir"]
    )
    return f"{len(dropped)} rows"


def firthmodels(X: Any, y: Any) -> str:
    import firthmodels

    found = firthmodels.detect_separation(np.asarray(X), np.asarray(y).astype(int))
    return "separation" if found.separation else "none"


def has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def ask(results: Results, name: str, peers: dict[str, Callable[..., str]], **asked: Any) -> Any:
    """Our answer with its certificate, then without signs, then what others say."""
    X, y = asked.pop("X"), asked.pop("y")
    started = time.perf_counter()
    found = detect_separation(X, y, time_limit=LIMIT, **asked)
    seconds = time.perf_counter() - started
    undecided = sum(e == "undecided" for e in found.coefficients.values())
    note = f"{undecided} signs undecided"
    if found.kind != "undecided":
        started = time.perf_counter()
        proof = found.certificate()
        made = time.perf_counter() - started
        outcome = found.regression.outcome
        parts = {} if outcome.strata is None else {"strata": outcome.strata}
        started = time.perf_counter()
        valid = verify(proof, found.regression.X, outcome.y, **parts).valid
        took = time.perf_counter() - started
        note += f"; certificate {'valid' if valid else 'NOT VALID'}, {made:.2g} + {took:.2g} s"
    said = f"{found.kind}, {len(found.separated_rows)} rows"
    results.add(name, "novikoff", seconds, said, note)
    started = time.perf_counter()
    kind = detect_separation(X, y, time_limit=LIMIT, signs=False, **asked).kind
    results.add(name, "novikoff, signs=False", time.perf_counter() - started, kind)
    for who, peer in peers.items():
        with contextlib.redirect_stdout(None):
            started = time.perf_counter()
            try:
                answer = peer(found)
            except Exception as error:
                answer = f"{type(error).__name__}: {error}"[:60]
        results.add(name, who, time.perf_counter() - started, answer)
    return found


def solver(found: Any) -> str:
    return highs(found.question.rows)


def run() -> None:
    detect_separation([[0.0], [1.0], [2.0]], [0, 1, 0])
    results = Results("Regressions: does the estimate exist? Answers, then seconds")
    for n in (5_000, 19_000, 49_000, 499_000):
        frame = gravity(n)
        peers: dict[str, Callable[..., str]] = {} if n > MOST_ROWS else {"HiGHS": solver}
        if has("pyfixest"):
            peers["pyfixest, fe + ir"] = lambda _, frame=frame: pyfixest(frame)
        name = f"gravity, {len(frame):,} rows"
        ask(results, name, peers, X=THREE_WAY, y=frame, model="poisson")
    tables = {
        "two factors of 60, 1,200 × 121": firms(),
        "credit, 10,000": credit(10_000),
        "credit, 100,000": credit(100_000),
    }
    for name, (X, y) in tables.items():
        peers = {"HiGHS": solver}
        if has("firthmodels"):
            peers["firthmodels"] = lambda _, X=X, y=y: firthmodels(X, y)
        ask(results, name, peers, X=X, y=y)
    X, y = classes(100_000)
    ask(results, "multinomial, 100,000 × 72", {}, X=X, y=y, model="multinomial")
    X, y = stratum()
    ask(results, "one stratum, as a logit", {"HiGHS": solver}, X=X, y=y)
    one = np.zeros(len(y))
    ask(results, "one stratum, conditional", {}, X=X, y=y, model="conditional", strata=one)
    X, y, strata = matched(20_000)
    named = {"model": "conditional", "strata": strata}
    ask(results, "20,000 strata of 1:4", {"HiGHS": solver}, X=X, y=y, **named)
    results.show()
    outcomes()


def outcomes(n: int = 3_000, count: int = 2_000) -> None:
    """Many outcomes of one design, and the same one after the other."""
    rng = np.random.default_rng(0)
    genes = rng.binomial(2, [0.01, 0.3, 0.3], (n, 3))
    X = np.column_stack([rng.standard_normal((n, 4)), rng.integers(0, 2, (n, 2)), genes])
    Y = (rng.random((n, count)) < rng.choice([0.002, 0.01, 0.1, 0.3], count)).astype(int)
    results = Results(f"{count:,} outcomes of {n:,} × {X.shape[1]}")
    started = time.perf_counter()
    table = detect_separation(X, Y).to_frame()
    seconds = time.perf_counter() - started
    said = ", ".join(f"{kind}: {k}" for kind, k in table.kind.value_counts().items())
    results.add("all", "novikoff", seconds, said)
    if has("firthmodels"):
        started = time.perf_counter()
        found = [firthmodels(X, Y[:, j]) for j in range(count)]
        said = f"none: {found.count('none')}"
        results.add("all", "firthmodels", time.perf_counter() - started, said)
    results.show()
