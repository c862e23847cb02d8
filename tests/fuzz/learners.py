"""`Perceptron` beside the page of the textbook in plain Python, from every storage."""

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from tests.fuzz.cases import Case, Wrong
from tests.fuzz.hostile import points, rows_of, signs_of
from tests.oracles import float_perceptron, perceptron

from novikoff import Perceptron
from novikoff.errors import DataError, NotFiniteError

EPOCHS = 3
HELD = 2**53


def draw(rng: np.random.Generator) -> Case:
    data = points(rng)
    if np.asarray(data.y).dtype.kind == "f":  # scikit-learn's classifiers take no such labels
        data = data._replace(y=signs_of(data.y))
    tie, cut = str(rng.choice(["mistake", "+1", "-1"])), int(rng.integers(1, 8))
    if rng.random() < 0.3:
        return Case(check_exact, {"X": data.X, "y": data.y, "tie": tie})
    eta0 = float(rng.choice([1.0, 1.0, 0.1, 3.0, 2.0**-30, 1e-300]))
    return Case(check_float, {"X": data.X, "y": data.y, "tie": tie, "eta0": eta0, "cut": cut})


def _learned(unit: Perceptron, X: Any, y: Any) -> Perceptron | None:
    """The unit, or None if the weights outgrew float64."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        try:
            return unit.fit(X, y)
        except NotFiniteError:
            return None


def _bits(unit: Perceptron | None) -> Any:
    return None if unit is None else [*unit.coef_[0].tolist(), unit.intercept_[0].item()]


def check_float(X: Any, y: Any, tie: str, eta0: float, cut: int) -> str:
    """Float64 weights: the same bits from the oracle, a dense array, CSR, and row by row."""
    rows, signs = rows_of(X), signs_of(y)
    floats = [[float(value) for value in row] for row in rows]
    held = all(Fraction(x) == v for xs, vs in zip(floats, rows, strict=True)
               for x, v in zip(xs, vs, strict=True))  # fmt: skip
    # Integers beyond 2⁵³ are refused where they are no floats, whether float64 holds them or not.
    is_long = any(v.denominator == 1 and abs(v) > HELD for vs in rows for v in vs)
    options: dict[str, Any] = {"tie": tie, "eta0": eta0, "max_iter": EPOCHS}
    try:
        unit = _learned(Perceptron(**options), X, y)
    except DataError:
        if held and not is_long:
            raise
        return "refused"
    epochs = EPOCHS if unit is None else unit.n_iter_
    try:
        w, mistaken = float_perceptron(floats, signs, eta=eta0, epochs=epochs, tie=tie)
        expected = w if np.isfinite(w).all() else None
    except (OverflowError, ValueError):  # a weight is infinite, or no number
        expected, mistaken = None, []
    if _bits(unit) != expected:
        raise Wrong(f"weights {_bits(unit)}, and they are {expected}")
    if unit is None:
        return "outgrown"
    if unit.n_mistakes_ != len(mistaken):
        raise Wrong(f"{unit.n_mistakes_} mistakes, and there are {len(mistaken)}")
    dense = np.array(floats)
    for name, other in (("CSR", sp.csr_array(dense)), ("dense", dense)):
        if _bits(_learned(Perceptron(**options), other, signs)) != expected:
            raise Wrong(f"other weights from a {name} array")
    parts = Perceptron(tie=tie, eta0=eta0)
    for _ in range(epochs):
        for part in (slice(None, cut), slice(cut, None)):
            if len(dense[part]):
                parts.partial_fit(dense[part], signs[part], classes=[-1, 1])
    if _bits(parts) != expected:
        raise Wrong(f"weights {_bits(parts)} from parts, and they are {expected}")
    return str(unit.status_.name).lower()


def check_exact(X: Any, y: Any, tie: str) -> str:
    """Exact weights: those of fractions."""
    unit = _learned(Perceptron(tie=tie, max_iter=EPOCHS, arithmetic="exact"), X, y)
    epochs = EPOCHS if unit is None else unit.n_iter_
    w, mistaken, _ = perceptron(rows_of(X), signs_of(y), max_iter=epochs, tie=tie)
    if unit is None:
        if all(abs(value) < 2**1023 for value in w):
            raise Wrong("refused, and float64 is near enough to all weights")
        return "exact: outgrown"
    found = [*unit.exact_coef_.ravel().tolist(), *np.ravel(unit.exact_intercept_).tolist()]
    if list(map(Fraction, found)) != w:
        raise Wrong(f"weights {found}, and they are {w}")
    if unit.n_mistakes_ != len(mistaken):
        raise Wrong(f"{unit.n_mistakes_} mistakes, and there are {len(mistaken)}")
    return f"exact: {unit.status_.name.lower()}"
