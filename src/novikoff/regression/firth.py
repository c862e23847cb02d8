"""Firth's penalised fit through firthmodels: as one call, as a table, and as text to paste."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import Outcome
from novikoff.certificates.models.question import INTERCEPT
from novikoff.certificates.models.rows import level_codes
from novikoff.core import sparse as sp
from novikoff.errors import DataError, MissingDependencyError, OptionError
from novikoff.matrix.remote import RemoteMatrix, refuse_remote
from novikoff.regression.estimates import Estimate
from novikoff.regression.summary import CoefficientTable, shown

if TYPE_CHECKING:
    from novikoff.regression.result import Regression, Separation

FITTED = ("logit", "binomial", "cox")


def has_firth(regression: "Regression") -> bool:
    """Whether firthmodels fits this regression, with its rows in memory."""
    return not isinstance(regression.X, RemoteMatrix) and _refusal(regression) is None


def _check(regression: "Regression") -> None:
    """Raise `OptionError` for what firthmodels does not fit."""
    refuse_remote(
        regression.X, "Firth's fit", "penalise by ridge, with a program that reads data in parts"
    )
    refusal = _refusal(regression)
    if refusal is not None:
        raise OptionError(refusal)


def _refusal(regression: "Regression") -> str | None:
    """Why firthmodels does not fit a regression, if it does not."""
    model, outcome, link = regression.model, regression.outcome, regression.link
    if model.name not in FITTED or (model.name == "binomial" and link not in (None, "logit")):
        shown = f" with the {link} link" if model.name == "binomial" else ""
        return (
            f"firthmodels fits logit, binomial (logit link) and Cox models, and no {model.name!r} "
            f"one{shown}: penalise it by ridge, or fit its limit (separation.limit().fit())."
        )
    if model.name != "cox":
        both = len(np.unique(_rows(regression)[1])) > 1
        return None if both else "firthmodels needs both outcomes: all rows have the same one."
    strata, weights = outcome.strata, outcome.weights
    several = strata is not None and len(np.unique(strata[outcome.present])) > 1
    if outcome.entry is not None or several:
        return "firthmodels fits Cox models without late entry and strata only."
    if regression.offset is not None:
        return "firthmodels fits Cox models without an offset only."
    if model.ties != "breslow" and _has_ties(outcome):
        return (
            f"firthmodels fits Cox models with Breslow's ties, and not with {model.ties!r} ones: "
            "ask with ties='breslow'."
        )
    if weights is not None and (weights != np.rint(weights)).any():
        return "firthmodels fits Cox models without weights: repeat rows if weights are whole."
    return None


def _has_ties(outcome: Outcome) -> bool:
    """Whether two events, or one that counts twice, have the same time."""
    assert outcome.time is not None
    rows = outcome.present
    events = rows if outcome.event is None else rows[outcome.event[rows]]
    counts_twice = outcome.weights is not None and bool((outcome.weights[events] > 1).any())
    return counts_twice or len(np.unique(outcome.time[events])) < len(events)


def _kept(separation: "Separation") -> list[int]:
    """The features that are not aliased: with the others, nothing has a single best fit."""
    features = enumerate(separation.model.features)
    return [j for j, name in features if separation.coefficients[name] is not Estimate.ALIASED]


def firth_fit(separation: "Separation", options: dict[str, Any]) -> Any:
    """The fitted estimator of firthmodels, made with the options."""
    regression = separation.regression
    _check(regression)
    try:
        import firthmodels
    except ImportError as error:
        raise MissingDependencyError(
            "Firth's fit needs firthmodels: pip install 'novikoff[statsmodels]'."
        ) from error
    import pandas as pd

    model, outcome, kept = regression.model, regression.outcome, _kept(separation)
    rows, y, weights = _rows(regression)
    X = regression.X[rows][:, kept]
    dense = (X.toarray() if sp.issparse(X) else X).astype(np.float64)
    frame = pd.DataFrame(dense, columns=[model.features[j] for j in kept])
    try:
        if model.name == "cox":
            assert outcome.time is not None
            return firthmodels.FirthCoxPH(**options).fit(frame, (y, outcome.time[rows]))
        extra: dict[str, Any] = {} if weights is None else {"sample_weight": weights}
        if regression.offset is not None:
            extra["offset"] = regression.offset[rows]
        options = {"fit_intercept": model.intercept, **options}
        return firthmodels.FirthLogisticRegression(**options).fit(frame, y, **extra)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DataError(f"firthmodels could not fit it: {error}") from error


def _rows(
    regression: "Regression",
) -> tuple[NDArray[np.intp], NDArray[Any], NDArray[np.float64] | None]:
    """Which row of the data each row to fit is, its outcome, and its weight."""
    model, outcome = regression.model, regression.outcome
    rows = outcome.present
    weights = None if outcome.weights is None else outcome.weights[rows]
    if model.name == "cox":
        if weights is not None:
            rows = np.repeat(rows, weights.astype(np.intp))
        event = np.ones(outcome.n, np.bool_) if outcome.event is None else outcome.event
        return rows, event[rows], None
    assert outcome.y is not None
    if model.name == "logit":
        return rows, level_codes(outcome.y[rows], model.levels), weights
    assert outcome.trials is not None
    successes, trials = outcome.y[rows], outcome.trials[rows]
    counts = np.concatenate([successes, trials - successes])
    counts = counts if weights is None else counts * np.tile(weights, 2)
    there = counts > 0
    outcomes = np.repeat([1, 0], len(rows))
    return np.tile(rows, 2)[there], outcomes[there], counts[there]


@dataclass(frozen=True)
class FirthRow:
    """A coefficient with Firth's penalty: profile-likelihood interval and p of the ratio test."""

    name: str
    estimate: float
    lower: float
    upper: float
    p: float


def firth_table(separation: "Separation", fit: Any) -> list[FirthRow]:
    """The coefficients of a Firth fit, the intercept first."""
    names = [separation.model.features[j] for j in _kept(separation)]
    values = fit.coef_.tolist()
    if separation.model.intercept:
        names, values = [*names, INTERCEPT], [*values, float(fit.intercept_)]
    intervals, p = fit.conf_int(method="pl"), fit.lrt().lrt_pvalues_
    rows = [
        FirthRow(name, value, float(low), float(high), float(probability))
        for name, value, (low, high), probability in zip(names, values, intervals, p, strict=True)
    ]
    return rows[-1:] + rows[:-1] if separation.model.intercept else rows


def firth_summary(rows: list[FirthRow]) -> CoefficientTable:
    """The table of a Firth fit."""
    return CoefficientTable(
        "With Firth's penalty:",
        ("estimate", "[0.025", "0.975]", "p"),
        tuple((row.name, *map(shown, (row.estimate, row.lower, row.upper, row.p))) for row in rows),
        ("intervals by the profile of the penalised likelihood, p by its ratio",),
    )


def firth_code(separation: "Separation") -> str:
    """Lines of Python with the same fit; X, a DataFrame, and the outcome are the user's own."""
    regression = separation.regression
    _check(regression)
    model = regression.model
    lines = []
    if len(_kept(separation)) < len(model.features):
        aliased = [n for n in model.features if separation.coefficients[n] is Estimate.ALIASED]
        lines.append(f"X = X.drop(columns={aliased!r})  # aliased")
    weighted = regression.outcome.weights is not None
    if model.name == "cox":
        if weighted:
            lines += [
                "X = X.loc[X.index.repeat(weights)]",
                "event, time = event.repeat(weights), time.repeat(weights)",
            ]
        lines += [
            "from firthmodels import FirthCoxPH",
            "fit = FirthCoxPH().fit(X, (event, time))",
            'print(fit.coef_, fit.conf_int(method="pl"), fit.lrt().lrt_pvalues_)',
        ]
        return "\n".join(lines)
    extra = ", sample_weight=weights" if weighted else ""
    extra += "" if regression.offset is None else ", offset=offset"
    if model.name == "binomial":
        lines += ["import pandas as pd", *_both_outcomes(weighted, regression.offset is not None)]
        extra = extra if weighted else f", sample_weight=counts{extra}"
        extra = extra.replace("sample_weight=weights", "sample_weight=counts")
    intercept = "" if model.intercept else "fit_intercept=False"
    lines += [
        "from firthmodels import FirthLogisticRegression",
        f"fit = FirthLogisticRegression({intercept}).fit(X, y{extra})",
        'print(fit.coef_, fit.intercept_, fit.conf_int(method="pl"), fit.lrt().lrt_pvalues_)',
    ]
    return "\n".join(lines)


def _both_outcomes(weighted: bool, with_offset: bool) -> list[str]:
    """Lines that turn successes and trials into rows with counts."""
    times = " * weights" if weighted else ""
    lines = [
        "X = pd.concat([X, X])",
        f"counts = pd.concat([successes{times}, (trials - successes){times}])",
        "y = [1] * len(trials) + [0] * len(trials)",
    ]
    return [*lines, "offset = pd.concat([offset, offset])"] if with_offset else lines
