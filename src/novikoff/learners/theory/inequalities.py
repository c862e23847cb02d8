"""Both inequalities of the convergence proof, along a run, as arrays ready to plot.

After k mistakes with steps of length η, with γ the augmented margin of a unit ŵ*:
ŵ*·ŵ_k ≥ ηkγ (each mistake moves ŵ towards ŵ* by at least ηγ) and ‖ŵ_k‖² ≤ η²kR² (no mistake makes ŵ
longer by more than ηR, at right angles). Together k ≤ R²/γ², and cos(ŵ*, ŵ_k) ≥ √k·γ/R.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import DataError, NotFiniteError
from novikoff.exact.bounds import UNIT
from novikoff.exact.rational import above, root_below
from novikoff.learners.theory.bounds import augmented_margin_squared, radius
from novikoff.learners.theory.trace import Trace
from novikoff.matrix.arrays import ComparedByValue
from novikoff.matrix.rows import Floats


@dataclass(frozen=True, eq=False)
class Inequalities(ComparedByValue):
    """Both sides of both inequalities after k = 1, 2, … mistakes (‖ŵ*‖ = 1).

    The proof speaks of real numbers. A run in float64 rounds its weights, and
    `alignment_rounding` and `squared_norm_rounding` bound by how much that, and the rounding of
    these arrays, can have moved the two sides apart. `gamma` is the augmented margin of ŵ*, rounded
    down, and `R` is rounded up: their bound is proven.
    """

    k: Floats
    alignment: Floats
    alignment_bound: Floats
    alignment_rounding: Floats
    squared_norm: Floats
    squared_norm_bound: Floats
    squared_norm_rounding: Floats
    cosine: Floats
    cosine_bound: Floats
    gamma: float
    R: float

    @property
    def mistake_bound(self) -> float:
        """R²/γ², rounded up; infinite if it is beyond what float64 can hold."""
        gamma = Fraction(self.gamma)
        return above((Fraction(self.R) / gamma) ** 2) if gamma else math.inf

    @property
    def hold(self) -> bool:
        """Whether both hold at every k, up to what rounding provably can have done."""
        return bool(
            (self.alignment + self.alignment_rounding >= self.alignment_bound).all()
            and (self.squared_norm <= self.squared_norm_bound + self.squared_norm_rounding).all()
        )


def inequalities(trace: Trace, separator: Any = None) -> Inequalities:
    """The two inequalities along `trace`, by its own reference or by another separator.

    Parameters
    ----------
    trace : Trace
        A run of the perceptron.
    separator : (w, b), verdict or fitted classifier, optional
        The reference ŵ*, where the trace has none, or another; of a verdict its `reference`.

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
    gamma = root_below(augmented_margin_squared(problem, w_star))
    R = radius(problem.X, fit_intercept=problem.fit_intercept)
    k = np.arange(1.0, trace.n_mistakes + 1)
    with np.errstate(over="ignore", under="ignore"):
        step = np.float64(trace.eta0)
        squared_norm_bound = np.square(step * R) * k
        alignment_bound = step * gamma * k
    tiny = np.finfo(np.float64).tiny
    for bound in (squared_norm_bound, alignment_bound):
        if len(k) and not (tiny < bound[0] and bound[-1] < np.inf):
            raise NotFiniteError(
                f"with eta0={trace.eta0:g}, R={R:g} and the augmented margin γ={gamma:g} the two "
                "sides of the inequalities are beyond what float64 can hold: from zero weights "
                "eta0 changes no mistake, so choose another."
            )
    # Each number below is rounded a few times, or once for each weight, and never for each mistake.
    units = 8 * (len(w_star) + 16) * UNIT
    return Inequalities(
        k=k,
        alignment=trace.unit_alignments,
        alignment_bound=alignment_bound,
        alignment_rounding=trace.followed.drift + units * alignment_bound,
        squared_norm=trace.squared_norms,
        squared_norm_bound=squared_norm_bound,
        squared_norm_rounding=trace.followed.growth * (1 + units) + units * squared_norm_bound,
        cosine=trace.cosines,
        cosine_bound=np.sqrt(k) * gamma / R,
        gamma=gamma,
        R=R,
    )
