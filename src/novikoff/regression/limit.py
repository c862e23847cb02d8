"""The limiting model: what is left to estimate when the separated rows are fitted perfectly.

Along a direction of recession the likelihood rises to that of the rows of A that no direction
moves, which has a maximum (Geyer 2009). Where a row of the data has one row of A, it stays or goes.
A choice among classes loses those that are out of question for a row; an interval between
thresholds loses an end; a risk set loses those who are not on its event's level.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from math import inf, isinf, isnan, nan
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import DataError, OptionError
from novikoff.exact.projection import null_space_of
from novikoff.exact.reading import ExactMatrix
from novikoff.regression.aliases import combinations_of, independent_columns
from novikoff.regression.estimates import Estimate
from novikoff.regression.summary import CoefficientTable, shown

if TYPE_CHECKING:
    from novikoff.regression.ratio import RatioOfInfinite
    from novikoff.regression.result import Separation

MOST_SHOWN = 60  # characters of a combination in a table
Information: TypeAlias = Literal["observed", "expected", "sandwich"]

VALUES = {
    Estimate.PLUS_INFINITY: inf,
    Estimate.MINUS_INFINITY: -inf,
}


@dataclass(frozen=True, eq=False)
class Limit:
    """The model in the limit: the rows of the data that stay, and the columns estimable in it.

    Every finite coefficient is among `columns`. An infinite one may be as well, for a combination
    of infinite ones may have an estimate: `estimands` say what the coefficient of each column is in
    the limit, itself or such a combination. `rows_of_question` are the rows of A that stay.
    """

    rows: NDArray[np.intp]
    columns: tuple[str, ...]
    infinite: Mapping[str, Estimate]
    rows_of_question: NDArray[np.intp] = field(repr=False)
    separation: "Separation" = field(repr=False)

    @cached_property
    def places(self) -> list[int]:
        """Where the columns are among the coefficients."""
        place_of = {name: j for j, name in enumerate(self.separation.question.names)}
        return [place_of[name] for name in self.columns]

    @cached_property
    def estimands(self) -> tuple[str, ...]:
        """What the coefficient of each column is in the limit: "b", or "b − c" for a contrast.

        The other columns are combinations of these on the rows that stay, so their coefficients
        add to those of these. Aliased ones are 0, as in the whole model.
        """
        question, estimates = self.separation.question, self.separation.coefficients
        factors = question.factors or (1,) * len(question.names)
        reading = ExactMatrix(question.rows, question.decimals)
        basis = null_space_of(reading, self.rows_of_question, False)
        terms: list[dict[str, Fraction]] = [{name: Fraction(1)} for name in self.columns]
        for j, shares in combinations_of(basis, self.places).items():
            if estimates[question.names[j]] is Estimate.ALIASED:
                continue
            for term, place, share in zip(terms, self.places, shares, strict=True):
                if share:
                    term[question.names[j]] = share * Fraction(factors[place]) / factors[j]
        return tuple(map(_sum_of, terms))

    def fit(self, **options: Any) -> "LimitFit":
        """Fit the limiting model with statsmodels.

        `options` go to the `fit` of statsmodels; an ordinal model takes `distr="probit"` too.
        """
        from novikoff.regression.fits import fit_limit, information_of

        if not self.columns:
            raise DataError(
                "nothing is left to fit: in the limit every row is fitted perfectly. "
                "See separation.firth(), or penalise."
            )
        result = fit_limit(self, options)
        both = np.asarray(result.params).tolist(), np.asarray(result.bse).tolist()
        fitted = list(zip(*both, strict=True))
        values = {name: value for name, (value, _) in zip(self.columns, fitted, strict=False)}
        errors = {name: error for name, (_, error) in zip(self.columns, fitted, strict=False)}
        estimates = self.separation.coefficients
        named = zip(self.columns, self.estimands, fitted, strict=False)
        return LimitFit(
            result=result,
            coefficients={
                name: values[name] if e is Estimate.FINITE else VALUES.get(e, nan)
                for name, e in estimates.items()
            },
            standard_errors={
                name: errors[name] if e is Estimate.FINITE else nan for name, e in estimates.items()
            },
            contrasts={
                estimand: both
                for name, estimand, both in named
                if estimates[name] is not Estimate.FINITE
            },
            information=information_of(result, options),
            estimates=estimates,
            separation=self.separation,
        )


@dataclass(frozen=True, eq=False)
class LimitFit:
    """A fit of the limiting model: `result` is statsmodels', in the names of its `estimands`.

    `coefficients` has every coefficient: a number, ±inf, or NaN for what is not determined or
    aliased; `standard_errors` those of the numbers. `contrasts` are combinations of infinite
    coefficients that have an estimate, each with its standard error. `information` says which
    matrix the standard errors come from: the "observed" information (minus the second derivatives
    of the likelihood), the "expected" one, or a "sandwich", if `options` ask for that.

    `params`, `bse`, `pvalues`, `conf_int()` and `summary()` are those of statsmodels, with a row
    for every coefficient. Those of an infinite coefficient come from the likelihood ratio.
    """

    result: Any = field(repr=False)
    coefficients: Mapping[str, float]
    standard_errors: Mapping[str, float]
    contrasts: Mapping[str, tuple[float, float]]
    information: Information
    estimates: Mapping[str, Estimate] = field(repr=False)
    separation: "Separation" = field(repr=False)

    @property
    def params(self) -> Any:
        """Every coefficient, as a pandas Series: a number, ±inf, or NaN."""
        return _series(self.coefficients)

    @property
    def bse(self) -> Any:
        """Standard errors, as a pandas Series: NaN for what is not finite."""
        return _series(self.standard_errors)

    @cached_property
    def _ratios(self) -> dict[str, "RatioOfInfinite"]:
        """The likelihood ratio of each infinite coefficient that has a column."""
        from novikoff.regression.ratio import ratios_of

        # What is left without a column is asked about anew, by who asked about the whole.
        return ratios_of(self, import_module("novikoff.regression.detect").detect)

    @property
    def pvalues(self) -> Any:
        """p of the hypothesis that a coefficient is 0, as a pandas Series.

        Of a finite one by its standard error, as statsmodels has it; of an infinite one by the
        likelihood ratio, but in multinomial models. NaN elsewhere.
        """
        from scipy.stats import norm

        found = {
            name: 2 * float(norm.sf(abs(value / self.standard_errors[name])))
            for name, value in self.coefficients.items()
        }
        return _series(found | {name: ratio.p_of_zero for name, ratio in self._ratios.items()})

    def conf_int(self, alpha: float = 0.05) -> Any:
        """Intervals of level 1 − alpha, as a DataFrame with a row for every coefficient.

        Of a finite one by its standard error, as statsmodels has it. Of +∞ all values that the
        likelihood-ratio test does not reject: from a finite one to +∞, and so for −∞; NaN in
        multinomial models. They are computed in floating point, and not proven.
        """
        import pandas as pd
        from scipy.stats import norm

        if not 0 < alpha < 1:
            raise OptionError(f"alpha must be between 0 and 1; got {alpha!r}.")
        width = float(norm.isf(alpha / 2))
        found = {
            name: (value - width * self.standard_errors[name],
                   value + width * self.standard_errors[name])
            for name, value in self.coefficients.items()
        }  # fmt: skip
        found |= {name: ratio.interval(alpha) for name, ratio in self._ratios.items()}
        return pd.DataFrame.from_dict(found, orient="index")

    def summary(self, alpha: float = 0.05) -> CoefficientTable:
        """All of it in a table, which has `as_text()`, `as_html()` and `as_latex()`."""
        intervals, p = self.conf_int(alpha), self.pvalues
        rows = [
            (
                name,
                str(self.estimates[name]) if isnan(value) or isinf(value) else shown(value),
                shown(self.standard_errors[name]),
                "<0.001" if p[name] < 0.001 else shown(float(f"{p[name]:.3g}")),
                *map(shown, intervals.loc[name]),
            )
            for name, value in self.coefficients.items()
        ]
        rows += [
            (n, shown(v), shown(error), "", "", "") for n, (v, error) in self.contrasts.items()
        ]
        notes = [f"standard errors: {self.information} information"]
        if self._ratios:
            notes.append("infinite coefficients: p and interval by the likelihood ratio")
        head = ("estimate", "std. error", "p", f"[{alpha / 2:g}", f"{1 - alpha / 2:g}]")
        return CoefficientTable("limiting model", head, tuple(rows), tuple(notes))

    def __str__(self) -> str:
        shown = {_shortened(name): both for name, both in self.contrasts.items()}
        width = max(map(len, [*self.coefficients, *shown]))
        lines = [f"{'':<{width}}  {'estimate':>14}  {'std. error':>10}"]
        for name, estimate in self.estimates.items():
            if estimate is Estimate.FINITE:
                value, error = self.coefficients[name], self.standard_errors[name]
                lines.append(f"{name:<{width}}  {value:>14.6g}  {error:>10.4g}")
            else:
                lines.append(f"{name:<{width}}  {estimate:>14}")
        if shown:
            lines.append("finite combinations:")
        lines += [f"{n:<{width}}  {v:>14.6g}  {error:>10.4g}" for n, (v, error) in shown.items()]
        return "\n".join([*lines, f"standard errors: {self.information} information"])


def _series(values: Mapping[str, float]) -> Any:
    import pandas as pd

    return pd.Series(dict(values), dtype=np.float64)


def _sum_of(terms: Mapping[str, Fraction]) -> str:
    """A combination of coefficients as people write it: `a − 2·b + 1/2·c`."""
    text = ""
    for name, factor in terms.items():
        sign = (" − " if text else "−") if factor < 0 else (" + " if text else "")
        text += sign + (name if abs(factor) == 1 else f"{abs(factor)}·{name}")
    return text


def _shortened(name: str) -> str:
    return name if len(name) <= MOST_SHOWN else f"{name[:MOST_SHOWN]}…"


def limit_of(separation: "Separation") -> Limit:
    """The limiting model of a separation; of none it is the model itself."""
    question, finding = separation.question, separation.finding
    if separation.kind == "undecided":
        raise DataError("nothing was decided, so nothing is known of a limit.")
    stay = np.sort(finding.on_plane)
    if len(stay) == 0:
        columns: tuple[int, ...] = ()
    elif finding.estimable is not None:
        columns = finding.estimable
    else:
        columns = independent_columns(question.rows, stay, question.decimals)
    rows = np.union1d(question.first[stay], question.second[stay])
    return Limit(
        rows=rows[rows >= 0],
        columns=tuple(question.names[j] for j in columns),
        infinite={n: e for n, e in separation.coefficients.items() if e in VALUES},
        rows_of_question=stay,
        separation=separation,
    )
