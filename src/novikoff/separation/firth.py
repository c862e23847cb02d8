"""Firth's penalised fit through firthmodels: as one call, and as text to paste."""

from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff import sparse as sp
from novikoff.errors import MissingDependencyError, OptionError
from novikoff.regressions.rows import level_codes

if TYPE_CHECKING:
    from novikoff.separation.separation import Regression

__all__ = ["firth_code", "firth_fit"]


def _check(regression: "Regression") -> None:
    """Raise `OptionError` for what firthmodels does not fit."""
    model, outcome = regression.model, regression.outcome
    if model.name not in ("logit", "cox"):
        raise OptionError(
            f"firthmodels fits logit and Cox models, and no {model.name!r} one: "
            "penalise it by ridge, or fit its limit (separation.limit().fit())."
        )
    if outcome.entry is not None or outcome.strata is not None:
        raise OptionError("firthmodels fits Cox models without late entry and strata only.")
    if model.name == "cox" and regression.offset is not None:
        raise OptionError("firthmodels fits Cox models without an offset only.")
    if model.name == "cox" and outcome.weights is not None and (outcome.weights != 1).any():
        raise OptionError("firthmodels fits Cox models without weights only.")


def firth_fit(regression: "Regression") -> Any:
    """The fitted estimator of firthmodels."""
    _check(regression)
    try:
        import firthmodels
    except ImportError as error:
        raise MissingDependencyError(
            "Firth's fit needs firthmodels: pip install 'novikoff[statsmodels]'."
        ) from error
    import pandas as pd

    model, outcome = regression.model, regression.outcome
    rows = outcome.present
    X = regression.X[rows]
    dense = (X.toarray() if sp.issparse(X) else X).astype(np.float64)
    frame = pd.DataFrame(dense, columns=list(model.features))
    if model.name == "cox":
        assert outcome.time is not None
        event = np.ones(outcome.n, np.bool_) if outcome.event is None else outcome.event
        return firthmodels.FirthCoxPH().fit(frame, (event[rows], outcome.time[rows]))
    assert outcome.y is not None
    y = level_codes(outcome.y[rows], model.levels)
    options: dict[str, Any] = {}
    if outcome.weights is not None:
        options["sample_weight"] = outcome.weights[rows]
    if regression.offset is not None:
        options["offset"] = regression.offset[rows]
    estimator = firthmodels.FirthLogisticRegression(fit_intercept=model.intercept)
    return estimator.fit(frame, y, **options)


def firth_code(regression: "Regression") -> str:
    """Lines of Python with the same fit; X and y are the user's own."""
    _check(regression)
    model = regression.model
    if model.name == "cox":
        return (
            "from firthmodels import FirthCoxPH\n"
            "fit = FirthCoxPH().fit(X, (event, time))\n"
            "print(fit.coef_, fit.conf_int())"
        )
    intercept = "" if model.intercept else "fit_intercept=False"
    extra = "" if regression.outcome.weights is None else ", sample_weight=weights"
    extra += "" if regression.offset is None else ", offset=offset"
    return (
        "from firthmodels import FirthLogisticRegression\n"
        f"fit = FirthLogisticRegression({intercept}).fit(X, y{extra})\n"
        "print(fit.coef_, fit.intercept_, fit.conf_int())"
    )
