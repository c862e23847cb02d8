"""Why a logistic regression will not converge: a model in, an explanation out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.decide import separate
from novikoff.errors import LabelError, MissingDependencyError, OptionError
from novikoff.explain.columns import has_constant
from novikoff.explain.explain import Explanation, explain_verdict
from novikoff.problem import Problem

__all__ = ["diagnose"]

# Links with which the likelihood is log-concave and runs off along the same cone.
LINKS = ("Logit", "Probit", "CLogLog", "LogLog")


def diagnose(
    model: Any,
    labels: object = None,
    *,
    fit_intercept: bool | None = None,
    names: Sequence[str] | None = None,
    decimals: bool = False,
) -> Explanation:
    """Which coefficients are infinite, of a statsmodels model or result, or of a design matrix.

    Of statsmodels: `Logit`, `Probit` and `GLM` with the binomial family, with or without a formula,
    in the model's own column names. A design matrix needs `labels`; an intercept is added unless
    the matrix has a constant column already, or as `fit_intercept` says.

    Parameters
    ----------
    model : statsmodels model or result, or array-like
        The regression, or its design matrix.
    labels : array-like, optional
        The outcomes, where `model` is a design matrix.
    fit_intercept : bool, optional
        Whether an intercept is to be added to a design matrix.
    names : sequence of str, optional
        Names of the columns, where the data brings none.
    decimals : bool, default=False
        Whether numbers stand for the decimals that they print as (0.1 is one tenth).

    Returns
    -------
    Explanation
        Which coefficients are infinite, and why.

    Examples
    --------
    >>> import novikoff
    >>> print(novikoff.diagnose([[1.0], [2.0], [3.0]], [0, 0, 1], names=["dose"]).headline)
    complete separation: no maximum-likelihood estimate exists
    """
    if labels is not None:
        problem = Problem.of(model, labels, names=names)
        if fit_intercept is None:
            fit_intercept = not has_constant(problem)
        return explain_verdict(
            separate(model, labels, fit_intercept=fit_intercept, names=names, decimals=decimals)
        )
    inner = _statsmodels(model)
    X, y, rows, columns = _design(inner)
    rows = _numbered_as_given(inner)[rows]
    verdict = separate(
        X, y, fit_intercept=False, names=columns if names is None else names, decimals=decimals
    )
    explanation = explain_verdict(verdict)
    on_plane = np.unique(rows[list(explanation.rows_on_plane)])
    return replace(explanation, n=len(np.unique(rows)), rows_on_plane=tuple(on_plane.tolist()))


def _statsmodels(model: Any) -> Any:
    """The statsmodels model behind a model or a result; an error for everything else."""
    inner = getattr(model, "model", model)
    if not hasattr(inner, "exog") or not hasattr(inner, "endog"):
        raise OptionError(
            f"a statsmodels model or result was expected, not {type(model).__name__}; "
            "for a design matrix, give the labels too: diagnose(X, y)."
        )
    try:
        from statsmodels.discrete.discrete_model import Logit, Probit
        from statsmodels.genmod.families import Binomial
        from statsmodels.genmod.generalized_linear_model import GLM
    except ImportError as error:
        raise MissingDependencyError(
            "diagnose needs statsmodels for this model: pip install 'novikoff[statsmodels]'."
        ) from error
    if isinstance(inner, (Logit, Probit)):
        return inner
    if not isinstance(inner, GLM) or not isinstance(inner.family, Binomial):
        raise OptionError(
            f"{type(inner).__name__} is not a regression of two classes: Logit, Probit and "
            "GLM with the binomial family can be diagnosed."
        )
    link = type(inner.family.link).__name__
    if link not in LINKS:
        raise OptionError(f"the link {link} is not one of {', '.join(LINKS)}.")
    return inner


def _design(
    model: Any,
) -> tuple[NDArray[np.float64], NDArray[np.int8], NDArray[np.intp], list[str]]:
    """Rows, classes, which row of the model each one is, and the columns' names.

    A row with both outcomes (a share of successes between 0 and 1) stands in both classes; a row
    without weight stands in none.
    """
    share = np.asarray(model.endog, dtype=np.float64)
    X = np.asarray(model.exog, dtype=np.float64)
    counts = [getattr(model, name, None) for name in ("freq_weights", "var_weights", "n_trials")]
    weight = np.ones(len(share))
    for count in counts:
        if count is not None:
            weight = weight * np.asarray(count)
    positive = np.flatnonzero((share > 0) & (weight > 0))
    negative = np.flatnonzero((share < 1) & (weight > 0))
    rows = np.concatenate([negative, positive])
    order = np.argsort(rows, kind="stable")
    y = np.repeat(np.array([0, 1], dtype=np.int8), [len(negative), len(positive)])
    if len(negative) == 0 or len(positive) == 0:
        raise LabelError(f"{model.endog_names} has one class only: two are needed.")
    rows = rows[order]
    return X[rows], y[order], rows, list(model.exog_names)


def _numbered_as_given(model: Any) -> NDArray[np.intp]:
    """For each row of the model its number in the data it was made of: NaN rows were dropped."""
    dropped = getattr(model.data, "missing_row_idx", None) or []
    given = np.arange(len(model.endog) + len(dropped))
    return np.delete(given, np.asarray(dropped, dtype=np.intp))
