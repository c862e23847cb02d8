"""Where a run goes round in a circle: the perceptron's own proof that no separator exists.

If the mistakes between the starts of two epochs add up to nothing, Σ cᵢyᵢx̂ᵢ = 0 with cᵢ ≥ 0 not all
0, then the counts cᵢ are a certificate. The sums are done in integers, on the decimals themselves
where the points stand for decimals, and the certificate is verified before anybody sees it.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

import novikoff
from novikoff.certificates.verify import verify_problem
from novikoff.exact.decimals import decimal_fraction, is_decimal_column
from novikoff.lab.engine.cached_answers import arrays_of
from novikoff.lab.messages.answers import Cycle
from novikoff.lab.messages.requests import LabelledPoints

__all__ = ["cycle_of"]

LARGEST_SUM = 2**62


def cycle_of(made: Any, points: LabelledPoints) -> Cycle | None:
    """The first time that the weights at the start of an epoch come back, or None."""
    if made.status.name == "CONVERGED" or made.order in ("shuffled", "random"):
        return None
    rows = _integer_rows(points, made.problem.fit_intercept)
    if rows is None or int(np.abs(rows).max()) * made.n_mistakes > LARGEST_SUM:
        return None
    ends = np.cumsum(made.mistakes_per_epoch)
    sums = np.cumsum(rows[made.rows], axis=0)
    seen: dict[bytes, int] = {np.zeros(rows.shape[1], np.int64).tobytes(): 0}
    for epoch, end in enumerate(ends.tolist(), 1):
        key = sums[end - 1].tobytes()
        if key in seen:
            start = seen[key]
            first = 0 if start == 0 else int(ends[start - 1])
            return _describe(made, points, (first, end), epoch - start)
        seen[key] = epoch
    return None


def _integer_rows(points: LabelledPoints, fit_intercept: bool) -> NDArray[np.int64] | None:
    """yᵢx̂ᵢ with each column scaled to integers (which changes no sum that is zero), if it fits."""
    X, y = arrays_of(points)
    columns = []
    for column in X.T:
        as_decimal = points.decimals and is_decimal_column(column)
        exact = [decimal_fraction(x) if as_decimal else Fraction(x) for x in column.tolist()]
        scale = int(np.lcm.reduce(np.array([value.denominator for value in exact], dtype=object)))
        whole = [int(value * scale) for value in exact]
        if max(map(abs, whole)) > LARGEST_SUM // 10**6:
            return None
        columns.append(whole)
    if fit_intercept:
        columns.append([1] * len(y))
    return np.array(columns, dtype=np.int64).T * y[:, None].astype(np.int64)


def _describe(
    made: Any, points: LabelledPoints, between: tuple[int, int], epochs: int
) -> Cycle | None:
    """The cycle from its first to its last mistake, with its certificate, which must be valid."""
    first, last = between
    rows, counts = np.unique(made.rows[first:last], return_counts=True)
    problem = replace(made.problem, names=tuple(points.names), classes=points.classes)
    certificate = novikoff.Certificate.not_separable(
        problem, rows.tolist(), counts.tolist(), decimals=points.decimals
    )
    if not verify_problem(certificate, problem).valid:
        return None
    turn = "one epoch" if epochs == 1 else f"{epochs:,} epochs"
    named = ", ".join(f"{c} × row {i}" for i, c in zip(rows[:12], counts[:12], strict=True))
    more = f" and {len(rows) - 12} more rows" if len(rows) > 12 else ""
    return Cycle(
        first=first,
        last=last,
        epochs=epochs,
        rows=rows.tolist(),
        counts=counts.tolist(),
        sentences=[
            f"It cycles: after mistake {last} the weights are those after mistake {first} again, "
            f"{turn} later, and everything repeats for ever.",
            f"One turn adds up to nothing, Σ cᵢyᵢx̂ᵢ = 0, with c = {named}{more}. These counts are "
            "a certificate: no separator exists. The perceptron has proven its own failure.",
        ],
        certificate=certificate.to_dict(),
    )
