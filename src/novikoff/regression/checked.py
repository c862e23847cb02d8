"""Ask before a fit whether its estimate exists: `fit_checked`, and a step for pipelines."""

import warnings
from typing import Any, Literal, Self, get_args

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from novikoff.certificates.models.model import Name
from novikoff.core.options import check_seconds, choice
from novikoff.errors import OptionError, SeparationError
from novikoff.estimators.validation import check_labels, check_matrix, check_weights
from novikoff.regression.detect import detect_separation
from novikoff.regression.diagnose import diagnose
from novikoff.regression.estimates import Estimate
from novikoff.regression.firth import has_firth
from novikoff.regression.libraries.asked import offset_of
from novikoff.regression.result import Kind, Separation

Action = Literal["warn", "raise", "ignore"]
SHOWN = 6  # columns in a sentence


class SeparationWarning(UserWarning):
    """A regression has no maximum-likelihood estimate, or many, or the time limit was too short.

    Examples
    --------
    >>> import warnings
    >>> import novikoff
    >>> step = novikoff.SeparationCheck()
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always", novikoff.SeparationWarning)
    ...     _ = step.fit([[1.0], [2.0], [3.0]], [0, 0, 1])
    >>> issubclass(caught[0].category, novikoff.SeparationWarning)
    True
    """


def warning_of(separation: Separation, where: str, *, unique: bool = False) -> str | None:
    """One sentence on what does not exist, which columns run where, and what to do; None if fine.

    `where` is how the user reaches the answer: "result.separation", say. A fit without a penalty
    has a `unique` estimate only if no column is a combination of others.
    """
    aliased = _with(separation, Estimate.ALIASED) if unique else []
    one = len(aliased) == 1
    combined = f"{_listed(aliased)} {'is a combination' if one else 'are combinations'} of others"
    if separation.kind == "none":
        if not aliased:
            return None
        return (
            f"the maximum-likelihood estimate is not unique: {combined}, "
            f"so leave {'it' if one else 'them'} out."
        )
    if separation.kind == "undecided":
        return (
            "whether the maximum-likelihood estimate exists could not be decided: "
            f"{'; '.join(separation.finding.advice) or 'allow more time with time_limit=…'}."
        )
    parts = [
        f"{_listed(names)} {'goes' if len(names) == 1 else 'go'} to {estimate}"
        for estimate in (Estimate.PLUS_INFINITY, Estimate.MINUS_INFINITY)
        if (names := _with(separation, estimate))
    ]
    if names := _with(separation, Estimate.NOT_DETERMINED):
        parts.append(f"{_listed(names)} {'is' if len(names) == 1 else 'are'} not determined")
    if aliased:
        parts.append(combined)
    steps = []
    if _with(separation, Estimate.FINITE):
        steps.append(f"{where}.limit().fit() for the finite coefficients")
    has = has_firth(separation.regression)
    penalised = f"{where}.firth() (Firth's penalty)" if has else "a ridge penalty or a prior"
    steps.append(f"{penalised} for finite estimates of all")
    which = "" if separation.kind == "complete" else "quasi-"
    return (
        f"no maximum-likelihood estimate exists ({which}complete separation): "
        f"{'; '.join(parts) or 'some coefficients are not finite'}; instead of fitted numbers "
        f"use {', or '.join(steps)}."
    )


def _with(separation: Separation, estimate: Estimate) -> list[str]:
    return [name for name, found in separation.coefficients.items() if found is estimate]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def fit_checked(
    model: Any, *, regression: Name | None = None, time_limit: float | None = 60.0, **options: Any
) -> Any:
    """Ask whether the estimate of a model exists, then fit it: the usual result, and the answer.

    Where no estimate exists there is a `SeparationWarning`: one sentence that names the columns,
    which way they run, and what to do. So there is for columns that are combinations of others. If
    the fit fails, its error says the sentence, too.

    Parameters
    ----------
    model : model of statsmodels, or any with `endog`, `exog` and `fit`
        The model, not yet fitted; those that `diagnose` understands.
    regression : str, optional
        Which regression it is, for a model of another class: "logit" or "poisson", say, as `model`
        of `detect_separation`. A class of your own that inherits from statsmodels' needs it, too.
    time_limit : float or None, default=60.0
        Seconds to decide; after that the warning says that nothing is known.
    options
        Passed on to the model's `fit`.

    Returns
    -------
    result
        What the model's `fit` returns, with the answer of `diagnose` as its `separation`.

    Examples
    --------
    >>> import warnings
    >>> import novikoff
    >>> import statsmodels.api as sm
    >>> model = sm.Logit([0, 0, 1, 1, 1], sm.add_constant([1.0, 2.0, 2.0, 3.0, 4.0]))
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     result = novikoff.fit_checked(model, disp=0)
    >>> print(result.separation.kind, result.separation.coefficients["x1"])
    quasi-complete +∞
    """
    kind = type(model).__name__
    if not hasattr(model, "fit"):
        if hasattr(model, "model"):
            raise OptionError(f"{kind} is fitted already: novikoff.diagnose(it).")
        raise OptionError(f"fit_checked takes a model that has fit(); got {kind}.")
    if regression is None:
        try:
            separation = diagnose(model, time_limit=time_limit)
        except OptionError as error:
            if not hasattr(model, "endog") or not hasattr(model, "exog"):
                raise
            raise OptionError(
                f"{error} If it is such a model by another name, say which: "
                'fit_checked(model, regression="logit").'
            ) from None
    else:
        names = getattr(model, "exog_names", None)
        separation = detect_separation(
            model.exog, model.endog, model=regression, fit_intercept=False, time_limit=time_limit,
            names=None if names is None else list(names)[: np.shape(model.exog)[1]],
            weights=getattr(model, "freq_weights", None), offset=offset_of(model),
        )  # fmt: skip
    sentence = warning_of(separation, "result.separation", unique=True)
    if sentence is not None:
        warnings.warn(sentence, SeparationWarning, stacklevel=2)
    try:
        result = model.fit(**options)
    except Exception as error:
        if sentence is not None:
            error.add_note(warning_of(separation, "novikoff.diagnose(model)", unique=True) or "")
        raise
    result.separation = separation
    return result


class SeparationCheck(TransformerMixin, BaseEstimator):
    """A step before a classifier that says which columns a logistic regression on them loses.

    It passes X on unchanged. What it says is about a fit without a penalty: with one, the estimates
    are finite, but it is the penalty that holds them. More than two classes are multinomial.

    Parameters
    ----------
    action : {"warn", "raise", "ignore"}, default="warn"
        What to do where no estimate exists: warn (`SeparationWarning`), raise `SeparationError`, or
        only keep the answer.
    time_limit : float or None, default=60.0
        Seconds to decide; after that a warning says that nothing is known, unless it is ignored.

    Attributes
    ----------
    kind_, coefficients_ : str, dict
        The answer: "none", "quasi-complete", "complete" or "undecided", and what each coefficient
        is, in the names of the columns.
    separation_ : Separation
        All that was found. It holds the rows, so it is left out when the step is pickled.

    Examples
    --------
    >>> import novikoff
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> pipe = make_pipeline(novikoff.SeparationCheck(action="ignore"), LogisticRegression())
    >>> pipe = pipe.fit([[1.0], [2.0], [3.0]], [0, 0, 1])
    >>> pipe[0].kind_, pipe[0].coefficients_["x0"]
    ('complete', '+∞')
    """

    kind_: Kind
    coefficients_: dict[str, str]
    separation_: Separation

    def __init__(self, action: Action = "warn", *, time_limit: float | None = 60.0) -> None:
        self.action = action
        self.time_limit = time_limit

    def fit(self, X: object, y: object = None, sample_weight: object = None) -> Self:
        """Ask, and say the answer; rows of sample weight 0 are absent."""
        choice("action", self.action, get_args(Action))
        if self.time_limit is not None:
            check_seconds("time_limit", self.time_limit)
        matrix = check_matrix(self, X, reset=True)
        classes, index = check_labels(matrix, y)
        weights = check_weights(sample_weight, matrix, some=True)
        self.separation_ = detect_separation(
            matrix, classes[index], weights=weights, time_limit=self.time_limit,
            model="logit" if len(classes) == 2 else "multinomial",
            names=getattr(self, "feature_names_in_", None),
        )  # fmt: skip
        self.kind_ = self.separation_.kind
        self.coefficients_ = {n: str(e) for n, e in self.separation_.coefficients.items()}
        sentence = warning_of(self.separation_, "separation_")
        if sentence is not None and self.action != "ignore":
            if self.action == "raise" and self.separation_.kind != "undecided":
                raise SeparationError(sentence, self.separation_)
            warnings.warn(sentence, SeparationWarning, stacklevel=2)
        return self

    def transform(self, X: Any) -> Any:
        """X as it is, once its columns are those of the fit."""
        check_is_fitted(self)
        matrix = check_matrix(self, X, reset=False)
        return X if hasattr(X, "shape") or hasattr(X, "columns") else matrix

    def __getstate__(self) -> dict[str, Any]:
        """The state without the rows."""
        return {k: v for k, v in super().__getstate__().items() if k != "separation_"}

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the columns, which stay what they are."""
        check_is_fitted(self)
        return _check_feature_names_in(self, input_features)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags
