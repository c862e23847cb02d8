"""`explain` and `detect_separation` beside rational numbers: what becomes of each coefficient."""

from typing import Any

import numpy as np
from tests.fuzz.cases import Case, Wrong
from tests.fuzz.hostile import points, rows_of, signs_of
from tests.oracles import rank, signed_rows, weak_separator
from tests.regression import plain
from tests.regression.random_data import MODELS

import novikoff

WITH_INTERCEPT = ("logit", "binomial", "poisson", "multinomial")


def draw(rng: np.random.Generator) -> Case:
    if rng.random() < 0.4:
        data = points(rng, most_columns=3)
        return Case(check_explanation, {
            "X": data.X, "y": data.y, "fit_intercept": bool(rng.random() < 0.6),
            "decimals": bool(rng.random() < 0.2),
        })  # fmt: skip
    model = str(rng.choice(MODELS))
    X = points(rng, most_rows=7, most_columns=1 if model == "multinomial" else 2).X
    return Case(check_regression, {
        "model": model, "X": X, "outcome": _outcome(rng, model, len(rows_of(X))),
        "decimals": bool(rng.random() < 0.2),
    })  # fmt: skip


def _outcome(rng: np.random.Generator, model: str, n: int) -> dict[str, list[int]]:
    """The parts of an outcome that the model can have."""
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    if model == "binomial":
        trials = rng.integers(1, 4, n)
        return {"y": rng.integers(0, trials + 1).tolist(), "trials": trials.tolist()}
    if model == "poisson":
        return {"y": (rng.integers(0, 2, n) * rng.integers(0, 5, n)).tolist()}
    if model in ("multinomial", "ordinal"):
        y = rng.integers(0, 3, n)
        y[:2] = 0, 2
    if model == "conditional":
        strata = rng.integers(0, 2, n)
        strata[:2] = 0
        return {"y": y.tolist(), "strata": strata.tolist()}
    if model == "cox":
        time, event, strata = (rng.integers(a, b, n) for a, b in ((2, 6), (0, 2), (0, 2)))
        event[0], strata[:2], time[:2] = 1, 0, [2, 4]
        entry = np.where(rng.random(n) < 0.5, rng.integers(0, time), 0)
        entry[:2] = 0
        parts = {"time": time, "event": event, "entry": entry, "strata": strata}
        return {name: part.tolist() for name, part in parts.items()}
    return {"y": y.tolist()}


def check_explanation(X: Any, y: Any, fit_intercept: bool, decimals: bool) -> str:
    """The kind of separation, if every coefficient is said to do what it does."""
    verdict = novikoff.separate(X, y, fit_intercept=fit_intercept, decimals=decimals)
    found = novikoff.explain_verdict(verdict)
    A = signed_rows(rows_of(X, decimals=decimals), signs_of(y), fit_intercept)
    if fit_intercept:  # an intercept is no combination of the columns: it comes before them
        A = [[row[-1], *row[:-1]] for row in A]
    on_plane, _ = weak_separator(A)
    estimates = plain.estimates(A)
    said = [coefficient.estimate for coefficient in found.coefficients]
    if fit_intercept:
        said = [said[-1], *said[:-1]]
    if said != estimates:
        raise Wrong(f"coefficients (the intercept first) {said}, and it is {estimates}")
    if list(found.rows_on_plane) != on_plane:
        raise Wrong(f"rows on the plane {found.rows_on_plane}, and it is {on_plane}")
    p = len(A[0])
    sizes = p - rank(A[i] for i in on_plane), p - rank(A)
    if (found.cone_dimension, found.idle_dimension) != sizes:
        raise Wrong(f"{found.cone_dimension}, {found.idle_dimension} dimensions, and it is {sizes}")
    str(found)
    return f"explain: {found.separation}"


def check_regression(model: str, X: Any, outcome: dict[str, Any], decimals: bool) -> str:
    """The model, if its kind of separation and its coefficients are right, and its proof."""
    options = {"fit_intercept": True} if model in WITH_INTERCEPT else {}
    found = novikoff.detect_separation(X, model=model, decimals=decimals, **outcome, **options)
    A = [row for row, _ in plain.rows(model, rows_of(X, decimals=decimals), outcome)]
    kind, _, estimates = plain.answer(A)
    said = list(found.coefficients.values())
    if (found.kind, said) != (kind, estimates):
        raise Wrong(f"{found.kind}, {said}; and it is {kind}, {estimates}")
    verification = novikoff.verify(found.certificate(), X, **outcome)
    if not verification:
        raise Wrong(f"verify refuses: {verification.reason}")
    str(found)
    return f"{model}: {kind}"
