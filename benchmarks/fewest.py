"""The fewest errors beside E01Loss, a big-M integer program on HiGHS, the pocket and others.

Answers first: an interval is what was claimed when the time was up, and ours is proven at both
ends. Each answer of another is held against ours before its time is printed: a claimed optimum must
be ours, bounds must not exclude it, and no plane may have fewer errors than are proven.

    python -m benchmarks fewest
"""

import contextlib
import importlib
import multiprocessing
import queue
import warnings
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import highspy
import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.table import Results, best_of
from novikoff import PocketPerceptron, fewest_errors, verify

Data = tuple[np.ndarray, np.ndarray]

OURS = 60.0  # seconds for our own search; all that follow are over long before
OTHERS = 20.0  # for an integer program
M = 100.0
ENUMERATION = 120.0  # for E01Loss, which needs 48 on its authors' 704 × 2

Answer = tuple[int, int]  # at least, at most; equal if an optimum is claimed


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


def transfusion() -> Data:
    """Blood donors (Yeh, Yang and Ting, 2009; UCI, CC BY 4.0)."""
    path = Path(__file__).parents[1] / "tests" / "separability" / "fewest" / "transfusion.csv"
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, :-1], np.where(table[:, -1] > 0, 1, -1)


def haberman() -> Data:
    """Survival after surgery (Haberman, 1976; UCI, CC BY 4.0)."""
    table = np.loadtxt(Path(__file__).with_name("haberman.csv"), delimiter=",", skiprows=1)
    return table[:, :-1], np.where(table[:, -1] > 0, 1, -1)


def voicepath() -> Data:
    """The data that comes with E01Loss."""
    path = resources.files("e01loss") / "test" / "voicepath_data.csv"
    table = np.loadtxt(path.read_text().splitlines(), delimiter=",")
    return table[:, :-1], np.where(table[:, -1] > 0, 1, -1)


def big_m(X: np.ndarray, y: np.ndarray) -> Answer | None:
    """Minimise Σ z with y(w·x + b) ≥ 1 − M z, on standardised columns, from a good start.

    M = 100, weights of at most 100 and a start from logistic regression did best of M = 10 to
    10,000; the start is what keeps the answers near ours where the program does not end.
    """
    Z = np.column_stack([StandardScaler().fit_transform(X), np.ones(len(X))])
    n, p = Z.shape
    highspy.Highs.resetGlobalScheduler(True)  # ours has one thread, and HiGHS would refuse two
    program, most = highspy.Highs(), 100.0
    for option, value in (("output_flag", False), ("time_limit", OTHERS), ("threads", 2)):
        program.setOptionValue(option, value)
    w = [program.addVariable(lb=-most, ub=most) for _ in range(p)]
    z = [program.addBinary(obj=1.0) for _ in range(n)]
    index = np.array([v.index for v in w], dtype=np.int32)
    for i in range(n):
        columns = np.append(index, z[i].index).astype(np.int32)
        values = np.append(y[i] * Z[i], M)
        program.addRow(1.0, highspy.kHighsInf, p + 1, columns, values)
    model = LogisticRegression(C=100.0, max_iter=1000).fit(Z[:, :-1], y)
    plane = np.append(model.coef_[0], model.intercept_[0])
    plane *= min(most, 10.0) / np.abs(plane).max()
    start = highspy.HighsSolution()
    start.col_value = [*plane, *(y * (Z @ plane) < 1.0).astype(float)]
    program.setSolution(start)
    program.run()
    info = program.getInfo()
    if info.primal_solution_status != 2:
        return None
    return int(np.ceil(info.mip_dual_bound - 1e-6)), round(info.objective_function_value)


def pocket(X: np.ndarray, y: np.ndarray) -> Answer:
    scaled = StandardScaler().fit_transform(X)
    return 0, PocketPerceptron(random_state=0).fit(scaled, y).n_errors_


def logistic(X: np.ndarray, y: np.ndarray) -> Answer:
    scaled = StandardScaler().fit_transform(X)
    model = LogisticRegression(C=100.0, max_iter=1000).fit(scaled, y)
    return 0, int((model.predict(scaled) != y).sum())


def _enumerate(X: np.ndarray, y: np.ndarray, answers: Any) -> None:
    e01loss = importlib.import_module("e01loss.exact_classify01loss")
    try:
        _, loss, _, _ = e01loss.exact_classify01loss_cell(X, y.astype(float), max_margin=True)
    except np.linalg.LinAlgError:  # three points on a line, say: it wants general position
        answers.put(None)
    else:
        answers.put(round(float(np.min(loss))))


def e01loss(X: np.ndarray, y: np.ndarray) -> Answer | None:
    """E01Loss enumerates the cells of an arrangement; it has no limit, so it gets a process."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_enumerate, args=(X, y, answers))
    process.start()
    try:
        fewest = answers.get(timeout=ENUMERATION)
    except queue.Empty:
        return None
    finally:
        process.terminate()
        process.join()
    return None if fewest is None else (fewest, fewest)


PEERS: dict[str, Callable[[np.ndarray, np.ndarray], Answer | None]] = {
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
    ("flips 5000 × 5", lambda: flips(5000, 5, 10), False),
    ("flips 300 × 3, 25 %", lambda: flips(300, 3, 75), False),
    ("flips 748 × 4, 24 %", lambda: flips(748, 4, 180), False),
    ("flips 200 × 5, 20 %", lambda: flips(200, 5, 40), False),
    ("transfusion 748 × 4", transfusion, True),
    ("haberman 306 × 3", haberman, True),
    ("voicepath 704 × 2", voicepath, True),
    ("breast_cancer 569 × 2", lambda: breast_cancer(2), True),
    ("breast_cancer 569 × 4", lambda: breast_cancer(4), False),
    ("breast_cancer 569 × 10", lambda: breast_cancer(10), False),
]


def compare(answer: Answer | None, least: int, most: int) -> tuple[str, str]:
    """An answer in words, and what it says about ours: the fewest are between least and most."""
    if answer is None:
        return "no answer", ""
    lower, upper = answer
    if lower > most or upper < least:
        return f"{lower} to {upper}" if lower < upper else f"{upper}", "contradicts what is proven"
    if lower == upper:
        return f"{upper}", "the same" if least == most else "within the interval"
    more = upper - most
    note = "as few errors" if more == 0 else f"{more} more errors" if more > 0 else "fewer errors"
    return (f"{lower} to {upper}" if lower else f"{upper}"), note


def peers_for(enumerable: bool) -> dict[str, Callable[..., Answer | None]]:
    peers: dict[str, Callable[..., Answer | None]] = dict(PEERS)
    if enumerable:
        with contextlib.suppress(ImportError):
            importlib.import_module("e01loss")
            peers["E01Loss"] = e01loss
    return peers


def run() -> None:
    warnings.simplefilter("ignore")
    results = Results("The fewest errors: answers first, then seconds")
    for name, make, enumerable in WORKLOADS:
        X, y = make()
        spent, found = best_of(1, lambda X=X, y=y: fewest_errors(X, y, time_limit=OURS))
        certificate = found.certificate()
        check, answer = best_of(1, lambda X=X, y=y, c=certificate: verify(c, X, y))
        assert answer
        size = len(certificate.to_json()) / 1000
        note = f"{len(found.conflicts)} conflicts, {found.n_leaves} leaves, {size:.0f} kB"
        said = f"{found.errors.upper}, proven"
        if not found.optimal:
            said = f"{found.errors.lower} to {found.errors.upper}, both proven"
        limit = "one check of the proof", check.processor
        results.add(name, "novikoff", spent, said, note, limit)
        for peer, ask in peers_for(enumerable).items():
            spent, answer = best_of(1, lambda X=X, y=y, ask=ask: ask(X, y))
            results.add(name, peer, spent, *compare(answer, *map(int, found.errors)))
    results.show()


if __name__ == "__main__":
    run()
