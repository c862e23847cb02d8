"""Why a regression will not converge: a fitted model in, the answer out."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from novikoff.errors import MissingDependencyError, OptionError
from novikoff.regression.detect import detect, detect_separation
from novikoff.regression.libraries.asked import Described, GivenModel
from novikoff.regression.result import Separation
from novikoff.separability.api import Exact

# For each library the module that knows its models.
ADAPTERS = {
    "statsmodels": "statsmodels_models",
    "lifelines": "lifelines_models",
    "sksurv": "estimators",
    "pyfixest": "pyfixest_models",
    "glum": "glum_models",
    "firthmodels": "estimators",
    "sklearn": "estimators",
}


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
    with or without a formula. With data: lifelines' `CoxPHFitter` and `CoxTimeVaryingFitter`
    (`diagnose(fitted, frame)`), scikit-survival's Cox models, firthmodels, glum, and scikit-learn's
    `LogisticRegression` (`diagnose(model, X, y)`), alone, at the end of a fitted pipeline, or as
    what a search has chosen.
    pyfixest's `fepois` and `feglm`, with their fixed effects, keep the rows that they did not drop;
    with the frame all rows are asked about. Answers use the model's own column names, and are about
    the model without its penalty. A design matrix needs labels, `diagnose(X, y)`; an intercept is
    added unless it has a constant column, or as `fit_intercept` says. Other regressions of a matrix
    are `detect_separation`'s.

    Parameters
    ----------
    model : model or result of a library above, or array-like
        The regression, or its design matrix.
    X : array-like, optional
        The data of a model that keeps none; the labels, where `model` is a design matrix.
    y : array-like, optional
        The outcome of a model that keeps none.
    weights : array-like, optional
        Weights of the rows, with a model that takes some in `fit`, or a design matrix: 0 means
        absent.
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
    asked = GivenModel(model, X, y, weights, names, decimals)
    if "sklearn" in _packages(model):
        from novikoff.regression.libraries.estimators import innermost

        asked = innermost(asked)
    describe = _adapter_of(asked.model)
    if describe is not None:
        regression = describe(asked).regression(asked)
        return detect(regression, exact=exact, time_limit=time_limit, progress=progress)
    if X is not None and y is None and not hasattr(model, "fit"):
        labels = X
        return detect_separation(
            model, labels, weights=weights, fit_intercept=fit_intercept, names=names,
            decimals=decimals, exact=exact, time_limit=time_limit, progress=progress,
        )  # fmt: skip
    raise OptionError(
        f"{type(model).__name__} cannot be diagnosed; models of {', '.join(ADAPTERS)} can. "
        "For a design matrix, give the labels too: diagnose(X, y)."
    )


def _adapter_of(model: object) -> Callable[[GivenModel], Described] | None:
    """The adapter of the library that the model's class, or one it inherits from, is of."""
    for package in _packages(model):
        if package in ADAPTERS:
            try:
                adapter = import_module(f"novikoff.regression.libraries.{ADAPTERS[package]}")
            except ImportError as error:
                raise MissingDependencyError(
                    f"diagnose needs {package} for this model: it cannot be imported ({error})."
                ) from error
            found: Callable[[GivenModel], Described] = adapter.describe
            return found
    return None


def _packages(model: object) -> list[str]:
    """The packages of the model's class, and of those that it inherits from."""
    return [kind.__module__.split(".")[0] for kind in type(model).__mro__]
