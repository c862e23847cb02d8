"""Likelihood ratios of infinite coefficients: what values the data does not reject.

Where β runs to +∞, the likelihood rises along β to a supremum, that of the limiting model. A value
b is rejected at level α if 2(sup ℓ − max ℓ at β = b) exceeds the quantile of χ² with one degree of
freedom. At β = b the column is an offset b·x, and the others may be separated still: then their
limit has the maximum. All values that are not rejected are an interval [b, ∞).
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.question import INTERCEPT
from novikoff.core import sparse as sp
from novikoff.regression.estimates import Estimate

if TYPE_CHECKING:
    from novikoff.regression.limit import Limit, LimitFit
    from novikoff.regression.result import Regression, Separation

MOST_COEFFICIENTS = 20  # infinite ones that are profiled: each takes some ten fits
MOST_DOUBLINGS = 20  # then no score of a million is rejected
CLOSE = 1e-6
SECONDS = 60.0  # to decide what is left without one column


@dataclass
class RatioOfInfinite:
    """The profile of an infinite coefficient; `sign` says where it runs to."""

    sign: int
    supremum: float
    limit: "Limit"
    column: NDArray[np.float64]
    offset: NDArray[np.float64]
    seen: dict[float, float] = field(default_factory=dict)

    def ratio(self, b: float) -> float:
        """2(sup ℓ − max ℓ) where the coefficient is b; NaN if no maximum was found."""
        if b not in self.seen:
            self.seen[b] = 2 * (self.supremum - self._profile(b))
        return self.seen[b]

    def _profile(self, b: float) -> float:
        """The supremum at β = b: rows that are separated still add 0 to it."""
        from statsmodels.tools.sm_exceptions import ConvergenceWarning

        separation = self.limit.separation
        if len(self.limit.rows) == 0:
            return 0.0
        regression = replace(separation.regression, offset=self.offset + b * self.column)
        limit = replace(self.limit, separation=replace(separation, regression=regression))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", ConvergenceWarning)
            try:
                found = limit.fit().result
            except (ValueError, FloatingPointError, np.linalg.LinAlgError, ConvergenceWarning):
                return nan
        return float(found.llf) if getattr(found, "converged", True) else nan

    @property
    def p_of_zero(self) -> float:
        """p of the likelihood-ratio test that the coefficient is 0."""
        from scipy.stats import chi2

        return float(chi2.sf(max(self.ratio(0.0), 0.0), 1))

    def interval(self, alpha: float) -> tuple[float, float]:
        """The values that are not rejected: one end is infinite; NaN if a fit was in vain."""
        from scipy.optimize import brentq
        from scipy.stats import chi2

        quantile = float(chi2.isf(alpha, 1))

        def excess(b: float) -> float:
            return self.ratio(b) - quantile

        # The ratio falls on the way to the infinity that the coefficient runs to.
        step = -float(self.sign) / float(np.abs(self.column).max())
        rejected = held = 0.0
        for _ in range(MOST_DOUBLINGS):
            if excess(0.0) > 0:
                rejected, held = held, held - step
                found = excess(held) <= 0
            else:
                held, rejected = rejected, rejected + step
                found = excess(rejected) > 0
            if found:
                break
            step *= 2
        else:
            return (-inf, inf)
        try:
            end = float(brentq(excess, rejected, held, xtol=CLOSE * abs(held - rejected)))
        except ValueError:  # a NaN on the way
            return (nan, nan)
        return (end, inf) if self.sign > 0 else (-inf, end)


def ratios_of(fit: "LimitFit", detect: Callable[..., "Separation"]) -> dict[str, RatioOfInfinite]:
    """The profile of each infinite coefficient that has a column, but in multinomial models."""
    separation = fit.separation
    regression = separation.regression
    if regression.model.name == "multinomial":  # a column has several coefficients
        return {}
    signs = {Estimate.PLUS_INFINITY: 1, Estimate.MINUS_INFINITY: -1}
    columns = (INTERCEPT, *regression.model.features)
    estimates = separation.coefficients
    infinite = [(n, signs[estimates[n]]) for n in columns if estimates.get(n) in signs]
    if len(infinite) > MOST_COEFFICIENTS:
        return {}
    supremum = float(fit.result.llf)
    found = {name: _profiled(regression, name, sign, supremum, detect) for name, sign in infinite}
    return {name: ratio for name, ratio in found.items() if ratio is not None}


def _profiled(
    regression: "Regression",
    name: str,
    sign: int,
    supremum: float,
    detect: Callable[..., "Separation"],
) -> RatioOfInfinite | None:
    """The regression with a column as an offset; None where nothing is left to fit."""
    model = regression.model
    if name == INTERCEPT:
        column = np.ones(regression.X.shape[0])
        rest = replace(regression, model=replace(model, intercept=False))
    else:
        j = model.features.index(name)
        taken: Any = regression.X[:, [j]]
        column = (taken.toarray() if sp.issparse(taken) else taken).astype(np.float64).ravel()
        kept = [k for k in range(len(model.features)) if k != j]
        features = tuple(model.features[k] for k in kept)
        rest = replace(regression, X=regression.X[:, kept], model=replace(model, features=features))
    if not rest.model.features:
        if not rest.model.intercept:
            return None
        alone = replace(rest.model, features=("constant",), intercept=False)
        rest = replace(rest, X=np.ones((len(column), 1)), model=alone)
    found = detect(rest, time_limit=SECONDS)
    if found.kind == "undecided":
        return None
    limit = found.limit()
    if len(limit.rows) and not limit.columns:
        return None
    offset = np.zeros(len(column)) if regression.offset is None else regression.offset
    return RatioOfInfinite(sign, supremum, limit, column, offset)
