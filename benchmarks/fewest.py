"""The fewest errors beside E01Loss, a big-M integer program on HiGHS, the pocket and others.

Answers first: an interval is what was proven when the time was up, a number alone is a claim that
nobody proves, and a number with "proven" is the optimum.
"""

import contextlib
import importlib
import multiprocessing
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.table import Results
from novikoff import PocketPerceptron, fewest_errors, verify

Data = tuple[np.ndarray, np.ndarray]

SECONDS = 60.0


def flips(n: int, d: int, count: int, seed: int = 0) -> Data:
    """Gaussian points on two sides of a plane, some labels turned round."""
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    y = np.where(X @ w > 0, 1, -1)
    y[rng.choice(n, count, replace=False)] *= -1
    return X, y


def gaussians(n: int, d: int, apart: float, seed: int = 0) -> Data:
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    X = rng.standard_normal((n, d))
    X[:, 0] += y * apart / 2
    return X, y


def iris() -> Data:
    X, y = load_iris(return_X_y=True)
    return X[y > 0], np.where(y[y > 0] == 2, 1, -1)


def breast_cancer(columns: int) -> Data:
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :columns], np.where(y == 1, 1, -1)


def big_m(X: np.ndarray, y: np.ndarray) -> str:
    """Minimise Σ z with y(w·x + b) ≥ 1 − 1000 z, on standardised columns."""
    Z = np.column_stack([StandardScaler().fit_transform(X), np.ones(len(X))])
    n, p = Z.shape
    answer = milp(
        np.append(np.zeros(p), np.ones(n)),
        constraints=LinearConstraint(np.hstack([y[:, None] * Z, 1e3 * np.eye(n)]), 1.0),
        integrality=np.append(np.zeros(p), np.ones(n)),
        bounds=Bounds(np.append(np.full(p, -1e2), np.zeros(n)), np.append(np.full(p, 1e2), 1)),
        options={"time_limit": SECONDS},
    )
    if answer.x is None:
        return "no answer"
    lower, upper = int(np.ceil(answer.mip_dual_bound - 1e-6)), round(answer.fun)
    return f"{upper}" if lower == upper else f"{lower} to {upper}"


def pocket(X: np.ndarray, y: np.ndarray) -> str:
    scaled = StandardScaler().fit_transform(X)
    return f"{PocketPerceptron(random_state=0).fit(scaled, y).n_errors_}"


def logistic(X: np.ndarray, y: np.ndarray) -> str:
    scaled = StandardScaler().fit_transform(X)
    model = LogisticRegression(C=100.0, max_iter=1000).fit(scaled, y)
    return f"{int((model.predict(scaled) != y).sum())}"


def _enumerate(X: np.ndarray, y: np.ndarray, answers: Any) -> None:
    e01loss = importlib.import_module("e01loss.exact_classify01loss")
    _, loss, _, _ = e01loss.exact_classify01loss_cell(X, y.astype(float), max_margin=True)
    answers.put(round(float(np.min(loss))))


def e01loss(X: np.ndarray, y: np.ndarray) -> str:
    """E01Loss enumerates the cells of an arrangement; it has no limit, so it gets a process."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_enumerate, args=(X, y, answers))
    process.start()
    try:
        return str(answers.get(timeout=SECONDS))
    except Exception:
        return f"no answer in {SECONDS:.0f} s"
    finally:
        process.terminate()
        process.join()


PEERS: dict[str, Callable[[np.ndarray, np.ndarray], str]] = {
    "big-M on HiGHS": big_m,
    "pocket": pocket,
    "logistic regression": logistic,
}

WORKLOADS: list[tuple[str, Callable[[], Data], bool]] = [
    ("iris 1/2, raw, 100 × 4", iris, False),
    ("Gaussians 100 × 2", lambda: gaussians(100, 2, 2.0), True),
    ("Gaussians 704 × 2", lambda: gaussians(704, 2, 3.9), True),
    ("flips 100 × 4", lambda: flips(100, 4, 10), False),
    ("flips 200 × 10", lambda: flips(200, 10, 5), False),
    ("flips 500 × 4", lambda: flips(500, 4, 20), False),
    ("flips 1000 × 10", lambda: flips(1000, 10, 20), False),
    ("flips 500 × 20", lambda: flips(500, 20, 10), False),
    ("flips 1000 × 20", lambda: flips(1000, 20, 20), False),
    ("breast_cancer 569 × 2", lambda: breast_cancer(2), False),
    ("breast_cancer 569 × 4", lambda: breast_cancer(4), False),
    ("breast_cancer 569 × 10", lambda: breast_cancer(10), False),
]


def run() -> None:
    warnings.simplefilter("ignore")
    fewest_errors([[0.0], [1.0], [2.0]], [0, 1, 0])  # compiled before anything is timed
    results = Results(f"The fewest errors: answers first, then seconds (at most {SECONDS:.0f})")
    for name, make, enumerable in WORKLOADS:
        X, y = make()
        start = time.perf_counter()
        found = fewest_errors(X, y, time_limit=SECONDS)
        seconds = time.perf_counter() - start
        certificate = found.certificate()
        assert verify(certificate, X, y)
        size = len(certificate.to_json()) / 1000
        note = f"{len(found.conflicts)} conflicts, {found.n_leaves} leaves, {size:.0f} kB"
        kind = ", proven" if found.optimal else ", both proven"
        results.add(name, "novikoff", seconds, f"{found.errors}{kind}", note)
        peers = dict(PEERS)
        if enumerable:
            with contextlib.suppress(ImportError):
                importlib.import_module("e01loss")
                peers["E01Loss"] = e01loss
        for peer, ask in peers.items():
            start = time.perf_counter()
            answer = ask(X, y)
            results.add(name, peer, time.perf_counter() - start, answer)
    results.show()


if __name__ == "__main__":
    run()
