"""Deciding separability beside a linear program, a conic solver, SVMs and a detector."""

import contextlib
import io
import warnings
from collections.abc import Callable
from typing import Any

import cvxpy as cp
import numpy as np
import pandas as pd
import scipy.sparse as sp
from firthmodels import detect_separation
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.svm import SVC, LinearSVC

from benchmarks.table import Results, best_of
from novikoff import separate

Data = tuple[Any, np.ndarray]


def pushed_apart(n: int, d: int, margin: float, seed: int = 0) -> Data:
    """Gaussian points, moved away from a random plane by `margin`."""
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    w /= np.linalg.norm(w)
    y = np.where(X @ w + 0.3 > 0, 1, -1)
    X += np.outer(y * margin, w)
    return X, y


def gaussian(n: int, d: int, seed: int = 0) -> Data:
    """Labels that know nothing of the points: Cover's n = 2d is the threshold."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), np.where(rng.random(n) < 0.5, 1, -1)


def flipped(data: Data, row: int = 17) -> Data:
    X, y = data
    y = y.copy()
    y[row] *= -1
    return X, y


def sparse(n: int, d: int, per_row: int, seed: int = 0) -> Data:
    rng = np.random.default_rng(seed)
    X = sp.random_array((n, d), density=per_row / d, rng=rng, format="csr")
    return X, np.where(X @ rng.standard_normal(d) > 0, 1, -1)


def signed(data: tuple[np.ndarray, np.ndarray]) -> Data:
    X, y = data
    return X, np.where(y > y.min(), 1, -1)


def digits(a: int, b: int) -> Data:
    X, y = load_digits(return_X_y=True)
    rows = (y == a) | (y == b)
    return signed((X[rows], y[rows]))


def highs(X: np.ndarray, y: np.ndarray) -> str:
    """The whole linear program: y(w·x + b) ≥ 1."""
    A = -y[:, None] * np.column_stack([X, np.ones(len(X))])
    options = {"bounds": (None, None), "method": "highs"}
    status = linprog(np.zeros(A.shape[1]), A_ub=A, b_ub=-np.ones(len(A)), **options).status
    return {0: "separable", 2: "not separable"}.get(status, f"status {status}")


def clarabel(X: np.ndarray, y: np.ndarray) -> str:
    """The maximum margin as a quadratic program."""
    w, b = cp.Variable(X.shape[1]), cp.Variable()
    problem = cp.Problem(cp.Minimize(cp.sum_squares(w)), [cp.multiply(y, X @ w + b) >= 1])
    problem.solve(solver=cp.CLARABEL)
    return {"optimal": "separable", "infeasible": "not separable"}.get(
        problem.status, str(problem.status)
    )


def errors_of(model: Any) -> Callable[[np.ndarray, np.ndarray], str]:
    def run(X: np.ndarray, y: np.ndarray) -> str:
        wrong = int((model.fit(X, y).predict(X) != y).sum())
        return f"{wrong} errors" if wrong else "separable"

    return run


def firth(X: np.ndarray, y: np.ndarray) -> str:
    found = detect_separation(pd.DataFrame(X), (y > 0).astype(int))
    return "separation" if found.separation else "none"


PEERS: dict[str, Callable[[np.ndarray, np.ndarray], str]] = {
    "HiGHS, whole LP": highs,
    "cvxpy + Clarabel": clarabel,
    "SVC, C=1e10": errors_of(SVC(kernel="linear", C=1e10, max_iter=10**6)),
    "LinearSVC, C=1e10": errors_of(LinearSVC(C=1e10, max_iter=10**4)),
    "firthmodels": firth,
}
ALL = list(PEERS)
SOLVERS = ALL[:2]

WORKLOADS: list[tuple[str, Callable[[], Data], int, list[str]]] = [
    ("breast_cancer, raw", lambda: signed(load_breast_cancer(return_X_y=True)), 5, ALL),
    ("digits 1/8", lambda: digits(1, 8), 5, ALL),
    ("digits 3/9", lambda: digits(3, 9), 5, ALL),
    ("Gaussian 380 × 200", lambda: gaussian(380, 200), 3, SOLVERS),
    ("Gaussian 420 × 200", lambda: gaussian(420, 200), 3, SOLVERS),
    ("Gaussian 1900 × 1000", lambda: gaussian(1900, 1000), 1, ["HiGHS, whole LP"]),
    ("Gaussian 2100 × 1000", lambda: gaussian(2100, 1000), 1, ["HiGHS, whole LP"]),
    (
        "100,000 × 50, pushed apart by 1e-3",
        lambda: pushed_apart(100_000, 50, 1e-3),
        1,
        [*SOLVERS, ALL[3]],
    ),
    ("100,000 × 50, pushed apart by 1e-9", lambda: pushed_apart(100_000, 50, 1e-9), 1, SOLVERS),
    ("100,000 × 50, one flipped", lambda: flipped(pushed_apart(100_000, 50, 1e-9)), 1, SOLVERS),
    (
        "1,000,000 × 50, pushed apart by 1e-6",
        lambda: pushed_apart(10**6, 50, 1e-6),
        1,
        ["HiGHS, whole LP"],
    ),
    ("CSR 100,000 × 1000, 30 a row", lambda: sparse(100_000, 1000, 30), 1, []),
    ("the same, one flipped", lambda: flipped(sparse(100_000, 1000, 30)), 1, []),
]


def quietly(work: Callable[[], str]) -> str:
    """The answer, or the error's name: what a peer says of itself goes into the table."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            return work()
        except Exception as error:
            return type(error).__name__


def run() -> None:
    separate([[0.0], [1.0]], [0, 1])
    results = Results("Is it separable? Answers first, then seconds")
    for name, make, times, peers in WORKLOADS:
        X, y = make()
        separate(X[:50], np.append(y[:48], [-1, 1]))
        seconds, verdict = best_of(times, lambda X=X, y=y: separate(X, y))
        answer = verdict.word
        if answer == "separable":
            answer += f", γ = {verdict.margin}"
        read = best_of(5, X.sum)[0].processor
        results.add(name, "novikoff, with proof", seconds, answer, limit=("one read of X", read))
        for peer in peers:
            ask = PEERS[peer]
            spent, said = best_of(1, lambda X=X, y=y, ask=ask: quietly(lambda: ask(X, y)))
            results.add(name, peer, spent, said)
    growth = Results("Linear in n: d = 20, pushed apart by 1e-6")
    for n in (10**4, 10**5, 10**6):
        X, y = pushed_apart(n, 20, 1e-6)
        seconds, verdict = best_of(2, lambda X=X, y=y: separate(X, y))
        growth.add(f"{n:,} × 20", "novikoff", seconds, verdict.word)
    results.show()
    growth.show()
