"""Why a regression will not converge: a fitted model in, the answer out."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from novikoff.data.factors import base_levels
from novikoff.errors import MissingDependencyError, OptionError
from novikoff.regression.detect import detect, detect_separation
from novikoff.regression.inputs import Inputs, regression_of
from novikoff.regression.result import Separation
from novikoff.separability.api import Exact

KNOWN = (
    "Logit, Probit, GLM with the binomial, Poisson or negative binomial family, MNLogit, "
    "OrderedModel, ConditionalLogit, PHReg, Poisson and NegativeBinomial of statsmodels, and "
    "scikit-learn's LogisticRegression"
)


def diagnose(
    model: Any,
    X: object = None,
    y: object = None,
    *,
    weights: object = None,
    fit_intercept: bool | None = None,
    names: Sequence[str] | None = None,
    decimals: bool = False,
    exact: Exact = "auto",
    time_limit: float | None = None,
    progress: bool = False,
) -> Separation:
    """Which coefficients are infinite, of a fitted model, or of a design matrix with labels.

    Of statsmodels: `Logit`, `Probit`, `GLM` (binomial, Poisson, negative binomial), `MNLogit`,
    `OrderedModel`, `ConditionalLogit`, `PHReg`, `Poisson` and `NegativeBinomial`, fitted or not,
    with or without a formula, in the model's own column names. Of scikit-learn:
    `diagnose(LogisticRegression(), X, y)`. Both are asked about without their penalty. A design
    matrix needs labels, `diagnose(X, y)`; an intercept is added unless it has a constant column, or
    as `fit_intercept` says. Other regressions of a matrix are `detect_separation`'s.

    Parameters
    ----------
    model : statsmodels model or result, LogisticRegression, or array-like
        The regression, or its design matrix.
    X : array-like, optional
        The data of a scikit-learn model; the labels, where `model` is a design matrix.
    y : array-like, optional
        The labels of a scikit-learn model.
    weights : array-like, optional
        Weights of the rows, with a scikit-learn model or a design matrix: 0 means absent.
    fit_intercept : bool, optional
        Whether an intercept is to be added to a design matrix.
    names : sequence of str, optional
        Names of the columns, where the data brings none.
    decimals : bool, default=False
        Whether numbers stand for the decimals that they print as (0.1 is one tenth).
    exact : {"auto", True, False}, default="auto"
        How far to go in rational numbers, as for `separate`.
    time_limit : float, optional
        Seconds after which what is known is returned, as in `detect_separation`.
    progress : bool, default=False
        Whether to show on standard error what is being done.

    Returns
    -------
    Separation
        Which coefficients are infinite, why, and what to do.

    Examples
    --------
    >>> import novikoff
    >>> print(novikoff.diagnose([[1.0], [2.0], [3.0]], [0, 0, 1], names=["dose"]).kind)
    complete
    """
    ask = partial(
        detect_separation, weights=weights, names=names, decimals=decimals,
        exact=exact, time_limit=time_limit, progress=progress,
    )  # fmt: skip
    if _is_of("sklearn", model):
        kind = _name_of_scikit_learn(model, X, y)
        return ask(X, y, model=kind, fit_intercept=model.fit_intercept)
    inner = getattr(model, "model", model)
    if _is_of("statsmodels", inner):
        if X is not None or weights is not None:
            raise OptionError(f"{type(inner).__name__} brings its data: give the model alone.")
        if getattr(model, "constraints", None) is not None:
            raise OptionError(
                f"{type(inner).__name__} was fitted with constraints, and without them it is "
                "another model: diagnose one that has them in its columns."
            )
        regression = _statsmodels(inner, names, decimals)
        return detect(regression, exact=exact, time_limit=time_limit, progress=progress)
    if X is not None and y is None and not hasattr(model, "fit"):
        labels = X
        return ask(model, labels, fit_intercept=fit_intercept)
    raise OptionError(
        f"{type(model).__name__} cannot be diagnosed; {KNOWN} can. "
        "For a design matrix, give the labels too: diagnose(X, y)."
    )


def _is_of(package: str, model: object) -> bool:
    """Whether it is an object of a class of the package."""
    return any(kind.__module__.split(".")[0] == package for kind in type(model).__mro__)


def _name_of_scikit_learn(model: Any, X: object, y: object) -> Literal["logit", "multinomial"]:
    """Which regression a scikit-learn model is."""
    from sklearn.linear_model import LogisticRegression

    if not isinstance(model, LogisticRegression):
        raise OptionError(
            f"{type(model).__name__} of scikit-learn cannot be diagnosed; LogisticRegression can "
            "(of a pipeline: its last step, with the data that reaches it)."
        )
    if X is None or y is None:
        raise OptionError("scikit-learn keeps no data: diagnose(LogisticRegression(), X, y).")
    return "multinomial" if len(np.unique(np.asarray(y))) > 2 else "logit"


def _statsmodels(model: Any, names: Sequence[str] | None, decimals: bool) -> Any:
    """The regression that a statsmodels model is."""
    try:
        from novikoff.regression.statsmodels_models import describe
    except ImportError as error:
        raise MissingDependencyError(
            "diagnose needs statsmodels for this model: pip install 'novikoff[statsmodels]'."
        ) from error
    if getattr(model, "endog", True) is None or getattr(model, "exog", True) is None:
        raise OptionError(
            f"the data of this {type(model).__name__} was removed: diagnose it before remove_data()"
            ", or diagnose the model."
        )
    found = describe(model)
    if found is None:
        raise OptionError(
            f"{type(model).__name__} of statsmodels cannot be diagnosed; {KNOWN} can."
        )
    parts = dict.fromkeys(("y", "trials", "strata", "time", "event", "entry", "weights"))
    inputs = Inputs(
        X=np.asarray(model.exog, dtype=np.float64),
        given=parts | found.parts,
        offset=found.offset,
        fit_intercept=False,
        levels=found.levels,
        names=list(model.exog_names)[: model.exog.shape[1]] if names is None else names,
        decimals=decimals,
        ties=found.ties,
        bases=_bases(model),
        numbers=_numbered_as_given(model),
    )
    regression = regression_of(found.name, inputs, link=found.link)
    return replace(regression, dispersion=found.dispersion, variance=found.variance)


def _bases(model: Any) -> dict[str, Any]:
    """The levels without a column of the factors in a formula, which patsy keeps."""
    info = getattr(model.data, "model_spec", None)
    factors = getattr(info, "factor_infos", None) or {}
    levels = {
        factor.name(): factor_info.categories
        for factor, factor_info in factors.items()
        if factor_info.type == "categorical"
    }
    return base_levels(info.column_names, levels) if levels and info is not None else {}


def _numbered_as_given(model: Any) -> NDArray[np.intp] | None:
    """For each row of the model its number in the data it was made of, if NaN rows were dropped."""
    dropped = getattr(model.data, "missing_row_idx", None)
    if not dropped:
        return None
    given = np.arange(len(model.endog) + len(dropped))
    return np.delete(given, np.asarray(dropped, dtype=np.intp))
