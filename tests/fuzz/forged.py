"""Proofs in floating point as a forger makes them: what is accepted has an exact proof as well."""

from typing import Any

import numpy as np
from tests.fuzz.cases import Case, Wrong
from tests.fuzz.hostile import float_matrix, labels, rows_of, signs_of, stored
from tests.oracles import faces, rank, signed_rows, weak_separator

import novikoff
from novikoff.certificates.form import FLOATING
from novikoff.matrix.digest import encoding_of
from novikoff.matrix.problem import Problem

GREATEST, LEAST = 1e300, 1e-300


def draw(rng: np.random.Generator) -> Case:
    shape = (40, 3) if rng.random() < 0.1 else (int(rng.integers(3, 9)), int(rng.integers(1, 4)))
    X = float_matrix(rng, *shape)
    y = labels(rng, X)
    n, fit_intercept = len(X), bool(rng.random() < 0.6)
    alpha = _alpha(rng, X, y, fit_intercept)
    rows = np.flatnonzero(alpha > 0)
    if len(rows) == 0 or rng.random() < 0.2:
        rows = np.arange(n)
    if rng.random() < 0.3:
        rows = np.sort(rng.choice(n, int(rng.integers(1, n + 1)), replace=False))
    chosen = np.where(alpha[rows] > 0, alpha[rows], rng.choice([1e-9, 1e-3, 1.0]))
    chosen = (
        chosen * _size(rng) if rng.random() < 0.6 else np.ldexp(chosen, rng.integers(-900, 900))
    )
    chosen = np.clip(chosen, 5e-324, 1.7e308)
    given = stored(rng, X)
    return Case(check, {
        "X": given, "y": y.tolist(), "rows": tuple(rows.tolist()), "alpha": tuple(chosen.tolist()),
        "power": int(rng.integers(-900, 900)), "fit_intercept": fit_intercept,
        "decimals": bool(rng.random() < 0.2),
    })  # fmt: skip


def _size(rng: np.random.Generator) -> float:
    return float(10.0 ** rng.integers(-300, 301))


def _alpha(rng: np.random.Generator, X: Any, y: Any, fit_intercept: bool) -> Any:
    """Multipliers: a null vector of the rows where there is one, ones, or any, near those."""
    A = X * y[:, None] if not fit_intercept else np.column_stack([X, np.ones(len(X))]) * y[:, None]
    alpha = np.ones(len(X)) if rng.random() < 0.3 else rng.random(len(X))
    with np.errstate(all="ignore"):
        sizes = np.abs(A).max(axis=0)
        A = A / np.where((sizes > 0) & np.isfinite(sizes), sizes, 1.0)
        if rng.random() < 0.7:
            for _ in range(3):
                alpha = np.maximum(alpha - A @ np.linalg.lstsq(A, alpha, rcond=None)[0], 0.0)
    if rng.random() < 0.3:
        alpha = alpha * (1 + rng.choice([1e-15, 1e-9, 1e-2]) * rng.normal(size=len(X)))
    return np.where(np.isfinite(alpha), alpha, 1.0)


def check(
    X: Any,
    y: Any,
    rows: tuple[int, ...],
    alpha: tuple[float, ...],
    power: int,
    fit_intercept: bool,
    decimals: bool,
) -> str:
    """Whether `verify` accepts; if so, α > 0 exists on exactly these rows, of full rank."""
    problem = Problem.of(X, y, fit_intercept=fit_intercept)

    def accepted(alpha: Any) -> bool:
        proof = novikoff.Certificate.overlapping(
            problem, rows, alpha, decimals=decimals, proof=FLOATING
        )
        return bool(novikoff.verify(proof, X, y))

    if encoding_of(problem.X) == "fractions":
        return "no floats"
    found = accepted(alpha)
    exact = signed_rows(rows_of(X, decimals=decimals), signs_of(y), fit_intercept)
    if found:
        word, _ = faces(rows_of(X, decimals=decimals), signs_of(y), fit_intercept)
        if word != "overlapping":
            raise Wrong(f"accepted, and the data is {word}")
        part = [exact[i] for i in rows]
        if weak_separator(part)[0] != list(range(len(part))):
            raise Wrong("accepted, and no positive α on these rows exists")
        if rank(part) != rank(exact):
            raise Wrong("accepted on rows of too low a rank")
    with np.errstate(all="ignore"):
        scaled = np.ldexp(alpha, power)
    normal = LEAST < scaled.min() and scaled.max() < GREATEST and min(alpha) > LEAST
    if normal and accepted(scaled.tolist()) != found:
        raise Wrong(f"α is {'accepted' if found else 'refused'}, and α·2^{power} is not")
    return "accepted" if found else "refused"
