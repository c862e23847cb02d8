"""The limiting model: what is left to estimate when the separated rows are fitted perfectly.

Along a direction of recession the likelihood rises to that of the rows of A that no direction
moves, which has a maximum (Geyer 2009). Where a row of the data has one row of A, it stays or goes.
A choice among classes loses those that are out of question for a row; an interval between
thresholds loses an end; a risk set loses those who are not on its event's level.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import DataError
from novikoff.separation.aliases import independent_columns
from novikoff.separation.finding import Estimate

if TYPE_CHECKING:
    from novikoff.separation.separation import Separation

__all__ = ["Limit", "LimitFit", "limit_of"]

VALUES = {
    Estimate.PLUS_INFINITY: inf,
    Estimate.MINUS_INFINITY: -inf,
}


@dataclass(frozen=True, eq=False)
class Limit:
    """The model in the limit: the rows of the data that stay, and the columns estimable in it.

    Every finite coefficient is among `columns`. An infinite one may be as well: then it stands for
    what it shares with others, as a contrast of two infinite ones may be finite. `rows_of_question`
    are the rows of A that stay.
    """

    rows: NDArray[np.intp]
    columns: tuple[str, ...]
    infinite: Mapping[str, Estimate]
    rows_of_question: NDArray[np.intp] = field(repr=False)
    separation: "Separation" = field(repr=False)

    @property
    def places(self) -> list[int]:
        """Where the columns are among the coefficients."""
        names = self.separation.question.names
        return [names.index(name) for name in self.columns]

    def fit(self, **options: Any) -> "LimitFit":
        """Fit the limiting model with statsmodels.

        `options` go to the `fit` of statsmodels; an ordinal model takes `distr="probit"` too.
        """
        from novikoff.separation.fits import fit_limit

        if not self.columns:
            raise DataError(
                "nothing is left to fit: in the limit every row is fitted perfectly. "
                "See separation.firth(), or penalise."
            )
        result = fit_limit(self, options)
        names = list(result.model.exog_names)[: len(self.columns)]
        values = dict(zip(names, np.asarray(result.params).tolist(), strict=False))
        errors = dict(zip(names, np.asarray(result.bse).tolist(), strict=False))
        estimates = self.separation.coefficients
        return LimitFit(
            result=result,
            coefficients={
                name: values[name] if e is Estimate.FINITE else VALUES.get(e, nan)
                for name, e in estimates.items()
            },
            standard_errors={
                name: errors[name] if e is Estimate.FINITE else nan for name, e in estimates.items()
            },
            estimates=estimates,
        )


@dataclass(frozen=True, eq=False)
class LimitFit:
    """A fit of the limiting model: `result` is statsmodels', of the columns that stayed.

    `coefficients` has every coefficient: a number, ±inf, or NaN for what is not determined or
    aliased; `standard_errors` those of the numbers.
    """

    result: Any = field(repr=False)
    coefficients: Mapping[str, float]
    standard_errors: Mapping[str, float]
    estimates: Mapping[str, Estimate] = field(repr=False)

    def __str__(self) -> str:
        width = max(len(name) for name in self.coefficients)
        lines = [f"{'':<{width}}  {'estimate':>14}  {'std. error':>10}"]
        for name, estimate in self.estimates.items():
            if estimate is Estimate.FINITE:
                value, error = self.coefficients[name], self.standard_errors[name]
                lines.append(f"{name:<{width}}  {value:>14.6g}  {error:>10.4g}")
            else:
                lines.append(f"{name:<{width}}  {estimate:>14}")
        return "\n".join(lines)


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
