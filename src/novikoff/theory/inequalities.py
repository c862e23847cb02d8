"""Both inequalities of the convergence proof, along a run, as arrays ready to plot.

After k mistakes with steps of length η, with γ the augmented margin of a unit ŵ*:
ŵ*·ŵ_k ≥ ηkγ (each mistake moves ŵ towards ŵ* by at least ηγ) and ‖ŵ_k‖² ≤ η²kR² (no mistake makes ŵ
longer by more than ηR, at right angles). Together k ≤ R²/γ², and cos(ŵ*, ŵ_k) ≥ √k·γ/R.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.errors import DataError
from novikoff.rows import Floats
from novikoff.theory.bounds import margins, radius
from novikoff.theory.trace import Trace

__all__ = ["Inequalities", "inequalities"]


@dataclass(frozen=True)
class Inequalities:
    """What was, and what the proof says of it, after k = 1, 2, … mistakes (‖ŵ*‖ = 1)."""

    k: Floats
    alignment: Floats
    alignment_bound: Floats
    squared_norm: Floats
    squared_norm_bound: Floats
    cosine: Floats
    cosine_bound: Floats
    gamma: float
    R: float

    @property
    def mistake_bound(self) -> float:
        """R²/γ²."""
        return (self.R / self.gamma) ** 2

    @property
    def hold(self) -> bool:
        """Whether both hold at every k, up to the rounding of the arrays themselves."""
        room = 1 + 1e-9
        return bool(
            (self.alignment * room >= self.alignment_bound).all()
            and (self.squared_norm <= self.squared_norm_bound * room).all()
        )


def inequalities(trace: Trace, separator: Any = None) -> Inequalities:
    """The two inequalities along `trace`, by its own reference or by another separator.

    Parameters
    ----------
    trace : Trace
        A run of the perceptron.
    separator : (w, b), verdict or fitted classifier, optional
        The reference ŵ*, where the trace has none, or another.

    Returns
    -------
    Inequalities
        Both sides of both inequalities after each mistake, and whether they hold.

    Examples
    --------
    >>> import novikoff
    >>> toy = novikoff.load_dataset("toy")
    >>> run = novikoff.trace(toy.X, toy.y)
    >>> novikoff.inequalities(run, ([1.0, 1.0], -1.0)).hold
    True
    """
    if separator is not None:
        trace = trace.compared_with(separator)
    if trace.separator is None:
        raise DataError("a reference is needed: pass separator=(w, b) here or to trace().")
    problem, w_star = trace.problem, trace.separator
    options = {"fit_intercept": problem.fit_intercept}
    gamma = margins((w_star[:-1], w_star[-1]), problem.X, problem.y, **options).augmented
    if not gamma > 0:
        raise DataError(f"the reference is no separator: its least margin is {gamma:g}.")
    R = radius(problem.X, **options)
    k = np.arange(1.0, trace.n_mistakes + 1)
    return Inequalities(
        k=k,
        alignment=trace.alignments / np.linalg.norm(w_star),
        alignment_bound=trace.eta0 * gamma * k,
        squared_norm=trace.squared_norms,
        squared_norm_bound=trace.eta0**2 * R**2 * k,
        cosine=trace.cosines,
        cosine_bound=np.sqrt(k) * gamma / R,
        gamma=gamma,
        R=R,
    )
