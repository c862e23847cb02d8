"""Ordinal regression whose intervals may have lost an end, by statsmodels' generic likelihood.

A row of class k is in (θ_{k−1} − xβ, θ_k − xβ]. In the limit, an end that a direction of recession
moves is at infinity. The kept columns say all about the ends that stay.
"""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.conventions import choice
from novikoff.separation.newton import newton

if TYPE_CHECKING:
    from novikoff.separation.limit import Limit

__all__ = ["ordinal_fit"]


def ordinal_fit(limit: "Limit", *, distr: str = "logit", **options: Any) -> Any:
    """The fit of the limiting ordinal model, logit or probit."""
    from scipy import stats
    from statsmodels.base.model import GenericLikelihoodModel

    choice("distr", distr, ("logit", "probit"))
    F = stats.logistic if distr == "logit" else stats.norm
    ends = _ends(limit)
    weights = limit.separation.regression.outcome.weights
    counts = np.ones(len(limit.rows)) if weights is None else weights[limit.rows]
    offset = limit.separation.regression.offset
    shift = np.zeros(len(limit.rows)) if offset is None else offset[limit.rows]

    class LimitingOrdinal(GenericLikelihoodModel):
        """The likelihood of intervals; `exog` holds their upper ends' rows, or zeros."""

        def nloglikeobs(self, params: Any) -> Any:
            upper = np.where(ends.has_upper, ends.upper @ params - shift, np.inf)
            lower = np.where(ends.has_lower, ends.lower @ params - shift, -np.inf)
            # From the side where both are small: 1 − F(a) loses digits where F(a) is near 1.
            swap = lower > 0
            upper, lower = np.where(swap, -lower, upper), np.where(swap, -upper, lower)
            share = F.cdf(upper) - F.cdf(lower)
            return -counts * np.log(np.maximum(share, np.finfo(float).tiny))

    import pandas as pd

    exog = pd.DataFrame(ends.upper, columns=list(limit.estimands))
    model = LimitingOrdinal(np.zeros(len(exog)), exog)
    with warnings.catch_warnings():
        # Thresholds are no slopes, and statsmodels counts only these.
        warnings.filterwarnings("ignore", "df_(model|resid)", UserWarning)
        return newton(model, options, start_params=ends.start())


class _Ends:
    """The rows of A for the upper and the lower end of each interval, zeros where it has none."""

    def __init__(self, n: int, p: int):
        self.upper, self.lower = np.zeros((n, p)), np.zeros((n, p))
        self.has_upper, self.has_lower = np.zeros(n, np.bool_), np.zeros(n, np.bool_)

    def start(self) -> NDArray[np.float64]:
        """Coefficients that make every interval with two ends one unit wide."""
        both = self.has_upper & self.has_lower
        if not both.any():
            return np.zeros(self.upper.shape[1])
        widths = (self.upper - self.lower)[both]
        return np.asarray(np.linalg.lstsq(widths, np.ones(len(widths)), rcond=None)[0])


def _ends(limit: "Limit") -> _Ends:
    question, stay = limit.separation.question, limit.rows_of_question
    rows = question.rows[stay]
    rows = (rows.toarray() if sp.issparse(rows) else rows).astype(np.float64)
    # A row of A is θ_k − xβ or xβ − θ_{k−1}: the sign of its threshold says which end.
    thresholds = len(limit.separation.model.levels) - 1
    upper = rows[:, :thresholds].sum(axis=1) > 0
    at = np.searchsorted(limit.rows, question.first[stay])
    ends = _Ends(len(limit.rows), len(limit.columns))
    kept = rows[:, limit.places]
    ends.upper[at[upper]], ends.has_upper[at[upper]] = kept[upper], True
    ends.lower[at[~upper]], ends.has_lower[at[~upper]] = -kept[~upper], True
    return ends
