"""Limiting models as statsmodels fits them: one function a kind of model.

Newton's method maximises the likelihoods of statsmodels, after another method came near.

Intervals of an ordinal regression may have lost an end.

A row of class k is in (θ_{k−1} − xβ, θ_k − xβ]. In the limit, an end that a direction of recession
moves is at infinity. The kept columns say all about the ends that stay.
"""

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import COUNTS
from novikoff.certificates.models.question import with_constant
from novikoff.certificates.models.rows import level_codes
from novikoff.core import sparse as sp
from novikoff.core.options import choice
from novikoff.errors import LimitError, MissingDependencyError, OptionError
from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.remote import refuse_remote
from novikoff.regression.aliases import score_levels

if TYPE_CHECKING:
    from novikoff.regression.limit import Information, Limit


def newton(model: Any, options: dict[str, Any], **start: Any) -> Any:
    """The fit by Newton's method, the most exact one, if `options` ask for no other.

    Far from the estimate its matrix may be singular, or it may run away. Then BFGS goes there, and
    Newton's method takes the last steps.
    """
    if "method" in options:
        return model.fit(**start, **{"disp": 0, **options})
    steps = {"maxiter": 100, **start, "disp": 0, **options}
    found = _tried(model, {**steps, "method": "newton"})
    if _has_converged(found):
        return found
    near = _tried(model, {**steps, "method": "bfgs", "maxiter": max(1000, steps["maxiter"])})
    if not _has_converged(near):
        return model.fit(**{**steps, "method": "bfgs"})  # with the warnings that it deserves
    last = _tried(model, {**steps, "method": "newton", "start_params": np.asarray(near.params)})
    return last if _has_converged(last) else near


def _tried(model: Any, steps: dict[str, Any]) -> Any:
    """A fit; None if it met a singular matrix, or its end too late."""
    from statsmodels.tools.sm_exceptions import ConvergenceWarning

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", ConvergenceWarning)
        try:
            return model.fit(**steps)
        except (np.linalg.LinAlgError, ConvergenceWarning):
            return None


def _has_converged(found: Any) -> bool:
    return found is not None and bool(np.isfinite(found.params).all())


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


class _IntervalRows:
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


def _ends(limit: "Limit") -> _IntervalRows:
    question, stay = limit.separation.question, limit.rows_of_question
    rows = question.rows[stay]
    rows = (rows.toarray() if sp.issparse(rows) else rows).astype(np.float64)
    # A row of A is θ_k − xβ or xβ − θ_{k−1}: the sign of its threshold says which end.
    thresholds = len(limit.separation.model.levels) - 1
    upper = rows[:, :thresholds].sum(axis=1) > 0
    at = np.searchsorted(limit.rows, question.first[stay])
    ends = _IntervalRows(len(limit.rows), len(limit.columns))
    kept = rows[:, limit.places]
    ends.upper[at[upper]], ends.has_upper[at[upper]] = kept[upper], True
    ends.lower[at[~upper]], ends.has_lower[at[~upper]] = -kept[~upper], True
    return ends


MOST_NUMBERS = 1 << 28  # of a dense design: two gigabytes


def fit_limit(limit: "Limit", options: dict[str, Any]) -> Any:
    """The result of statsmodels for the limiting model, in the names of its columns."""
    try:
        import statsmodels.api  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            "fitting needs statsmodels: pip install 'novikoff[statsmodels]'."
        ) from error
    refuse_remote(
        limit.separation.regression.X,
        "limit().fit()",
        "fit the rows limit().rows in the columns limit().columns where they are",
    )
    name = limit.separation.model.name
    given = limit.separation.regression.dispersion is not None
    if name in ("poisson", "logit", "probit", "cloglog", "log-binomial", "binomial") or given:
        return _fit_generalised(limit, options)
    fits = {
        "negative-binomial": _negative_binomial,
        "multinomial": _multinomial,
        "ordinal": _ordinal,
        "conditional": _conditional,
        "cox": _cox,
    }
    if name not in fits:
        raise OptionError(
            f"statsmodels has no {name} model: fit the rows limit().rows in the columns "
            "limit().columns with another package."
        )
    return fits[name](limit, options)


def information_of(result: Any, options: dict[str, Any]) -> "Information":
    """Which information matrix the standard errors of a result come from."""
    asked = str(options.get("cov_type", "nonrobust")).lower()
    if asked == "eim":
        return "expected"
    if asked != "nonrobust":
        return "sandwich"
    family = getattr(result, "family", None)
    if family is None or result.method != "IRLS":
        return "observed"
    # With these links, the canonical ones, the two are the same.
    canonical = {"Binomial": "Logit", "Poisson": "Log"}.get(type(family).__name__)
    return "observed" if type(family.link).__name__ == canonical else "expected"


def _frame(values: Any, columns: tuple[str, ...]) -> Any:
    import pandas as pd

    n, d = values.shape
    if n * d > MOST_NUMBERS:
        raise LimitError(
            f"statsmodels fits dense designs, and {n} × {d} would need {8e-9 * n * d:.0f} GB: fit "
            "limit.rows with a program that absorbs fixed effects."
        )
    dense = values.toarray() if sp.issparse(values) else np.asarray(values)
    return pd.DataFrame(dense.astype(np.float64), columns=list(columns))


def _design(limit: "Limit") -> Any:
    """The rows and columns that stay, as a DataFrame."""
    regression = limit.separation.regression
    X = with_constant(regression.X) if regression.model.intercept else regression.X
    return _frame(X[limit.rows][:, limit.places], limit.estimands)


def _part(limit: "Limit", values: NDArray[Any] | None) -> Any:
    return None if values is None else values[limit.rows]


def _family(name: str, dispersion: float | None) -> Any:
    from statsmodels.genmod import families

    links = families.links
    if name == "poisson":
        return families.Poisson()
    if name == "negative-binomial":
        return families.NegativeBinomial(alpha=dispersion)
    link = {
        "probit": links.Probit,
        "cloglog": links.CLogLog,
        "loglog": links.LogLog,
        "log-binomial": links.Log,
    }
    return families.Binomial(link=link.get(name, links.Logit)())


def _fit_generalised(limit: "Limit", options: dict[str, Any]) -> Any:
    """Logit, probit, cloglog, binomial counts, Poisson, negative binomial of given dispersion."""
    from statsmodels.genmod.generalized_linear_model import GLM

    model, regression = limit.separation.model, limit.separation.regression
    outcome = regression.outcome
    y = _part(limit, outcome.y)
    if model.name == "binomial":
        y = np.column_stack([y, _part(limit, outcome.trials) - y])
    elif model.name not in COUNTS:
        y = level_codes(y, model.levels)
    weights = {} if outcome.weights is None else {"freq_weights": _part(limit, outcome.weights)}
    return GLM(
        y,
        _design(limit),
        family=_family(regression.link or model.name, regression.dispersion),
        offset=_part(limit, regression.offset),
        **weights,
    ).fit(**options)


def _negative_binomial(limit: "Limit", options: dict[str, Any]) -> Any:
    from statsmodels.discrete.discrete_model import NegativeBinomial

    _refuse_weights(limit)
    regression = limit.separation.regression
    model = NegativeBinomial(
        _part(limit, regression.outcome.y),
        _design(limit),
        loglike_method=regression.variance,
        offset=_part(limit, regression.offset),
    )
    return model.fit(**{"disp": 0, **options})


def _multinomial(limit: "Limit", options: dict[str, Any]) -> Any:
    """Each row chooses among its own class and those that are still in question: a stratum each."""
    from statsmodels.discrete.conditional_models import ConditionalLogit

    if limit.separation.regression.offset is not None:
        raise OptionError("a multinomial model is fitted without an offset: leave it out.")
    question = limit.separation.question
    stay = limit.rows_of_question
    # x of the own class minus x of another: only differences matter within a stratum.
    rivals = question.rows[stay][:, limit.places]
    rivals = -(rivals.toarray() if sp.issparse(rivals) else rivals).astype(np.float64)
    rows = question.first[stay]
    counts = _repeats(limit, rows)
    own, starts = np.unique(rows, return_index=True)
    repeats = counts[starts]
    design = np.vstack([np.zeros((len(own), rivals.shape[1])), rivals])
    chosen = np.repeat([1, 0], [len(own), len(rows)])
    group = np.concatenate([own, rows])
    times = np.concatenate([repeats, counts])
    copies = np.concatenate([np.arange(k) for k in times])
    strata = np.repeat(group, times) + limit.separation.n * copies
    exog = _frame(np.repeat(design, times, axis=0), limit.estimands)
    return newton(ConditionalLogit(np.repeat(chosen, times), exog, groups=strata), options)


def _repeats(limit: "Limit", rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """How often each row counts: its weight, which has to be whole."""
    weights = limit.separation.regression.outcome.weights
    if weights is None:
        return np.ones(len(rows), dtype=np.intp)
    if (weights != np.rint(weights)).any():
        raise OptionError("this model takes only weights that are whole numbers.")
    return weights[rows].astype(np.intp)


def _ordinal(limit: "Limit", options: dict[str, Any]) -> Any:
    link = limit.separation.regression.link or "logit"
    return ordinal_fit(limit, **{"distr": link, **options})


def _conditional(limit: "Limit", options: dict[str, Any]) -> Any:
    from statsmodels.discrete.conditional_models import ConditionalLogit

    _refuse_weights(limit)
    outcome, model = limit.separation.regression.outcome, limit.separation.model
    chosen = level_codes(_part(limit, outcome.y), model.levels)
    offset = _part(limit, limit.separation.regression.offset)
    extra = {} if offset is None else {"offset": offset}
    strata = _part(limit, outcome.strata)
    return newton(ConditionalLogit(chosen, _design(limit), groups=strata, **extra), options)


def _cox(limit: "Limit", options: dict[str, Any]) -> Any:
    """Strata by level: an event is compared with those at risk on its own level only."""
    from statsmodels.duration.hazard_regression import PHReg

    _refuse_weights(limit)
    separation = limit.separation
    outcome, model = separation.regression.outcome, separation.model
    assert separation.finding.direction is not None
    assert outcome.time is not None
    if model.ties == "exact":
        raise OptionError("statsmodels has no exact ties: ask with ties='efron' or 'breslow'.")
    reading = ExactMatrix(separation.regression.X, model.decimals)
    strata = score_levels(reading, separation.finding.direction)[limit.rows]
    if outcome.strata is not None:
        strata = strata * (1 + outcome.strata.max()) + _part(limit, outcome.strata)
    time, entry = _part(limit, outcome.time), _part(limit, outcome.entry)
    if entry is not None:
        # statsmodels counts who enters at t as at risk at t; only the order of times matters.
        order = np.unique(np.concatenate([time, entry]))
        time, entry = 2 * np.searchsorted(order, time), 2 * np.searchsorted(order, entry) + 1
    status = None if outcome.event is None else _part(limit, outcome.event).astype(int)
    cox = PHReg(
        time,
        _design(limit),
        status=status,
        entry=entry,
        strata=strata,
        offset=_part(limit, separation.regression.offset),
        ties=model.ties,
    )
    return newton(cox, options)


def _refuse_weights(limit: "Limit") -> None:
    separation = limit.separation
    weights = _part(limit, separation.regression.outcome.weights)
    if weights is not None and (weights != 1).any():
        raise OptionError(
            f"statsmodels fits no weights in a model of the kind {separation.model.name!r}: "
            "repeat the rows instead."
        )
