"""The answer: whether the estimate exists, which coefficients are infinite, which rows are why."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.models.model import Outcome, RegressionModel
from novikoff.certificates.models.question import RegressionRows
from novikoff.errors import CertificateError
from novikoff.exact.rational import nearest_float
from novikoff.matrix.problem import Matrix, exact_text
from novikoff.regression.estimates import CoefficientAnswers, Estimate
from novikoff.regression.summary import CoefficientTable

if TYPE_CHECKING:
    from rich.console import Group

    from novikoff.regression.limit import Limit
    from novikoff.regression.text import SeparationText

Link: TypeAlias = Literal["logit", "probit", "cloglog", "loglog"]
Variance: TypeAlias = Literal["nb2", "nb1", "geometric"]
Kind: TypeAlias = Literal["none", "quasi-complete", "complete", "undecided"]

WORDS: dict[str, Kind] = {
    "separable": "complete",
    "touching": "quasi-complete",
    "overlapping": "none",
    "undecided": "undecided",
}


@dataclass(frozen=True, eq=False)
class Regression:
    """A regression with its data: what `detect_separation` was asked about.

    `X` has the model's features as columns, without a constant. `offset` and `link` change no
    answer, and are kept for fitting: the link of a binomial or an ordinal model, where the model's
    name does not say it. A negative binomial model has a `dispersion` α where that is given, and a
    `variance` beyond the mean μ of αμ² ("nb2"), αμ ("nb1") or μ² ("geometric"). `bases` say which
    level has no column, of each factor that was coded.
    """

    model: RegressionModel
    X: Matrix
    outcome: Outcome
    offset: NDArray[np.float64] | None = None
    link: Link | None = None
    dispersion: float | None = None
    variance: Variance = "nb2"
    bases: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Separation:
    """Whether a regression's estimate exists, and what becomes of its coefficients if not.

    `kind` is "none" (it exists), "quasi-complete" or "complete"; "undecided" where a limit was hit.
    `separated` says of each row whether some direction of recession moves it: no finite estimate
    fits it. `separated_rows` are their numbers in the data, where rows may have been left out.
    `coefficients` has an `Estimate` for each name. `directions` are those along which the
    likelihood rises for ever, exactly, without their zeros: the first one moves every row that any
    of them moves; those after it change a single coefficient each.

    Examples
    --------
    >>> import novikoff
    >>> found = novikoff.detect_separation([[-1], [0], [0], [1]], [0, 0, 1, 1], names=["dose"])
    >>> print(found.kind, found.separated, found.coefficients["dose"])
    quasi-complete [ True False False  True] +∞
    >>> novikoff.verify(found.certificate(), [[-1], [0], [0], [1]], [0, 0, 1, 1]).valid
    True
    """

    kind: Kind
    separated: NDArray[np.bool_]
    coefficients: Mapping[str, Estimate]
    directions: tuple[Mapping[str, Fraction], ...]
    regression: Regression = field(repr=False)
    question: RegressionRows = field(repr=False)
    finding: CoefficientAnswers = field(repr=False)

    @property
    def model(self) -> RegressionModel:
        """Which regression this is about."""
        return self.regression.model

    @property
    def n(self) -> int:
        """How many rows the data has."""
        return self.question.n

    @property
    def separated_rows(self) -> list[int]:
        """The separated rows, by their numbers in the data, from 0; those left out count, too."""
        rows = np.flatnonzero(self.separated).tolist()
        return [self.regression.outcome.number_of(row) for row in rows]

    def explain(self) -> "SeparationText":
        """The answer in sentences: the coefficients, the rows and cells responsible, what to do."""
        from novikoff.regression.text import words

        return words(self)

    def certificate(self, label: str | None = None) -> Certificate:
        """The proof, about the rows of the model: `novikoff.verify` and the checker accept it."""
        found, problem = self.finding, self.question.problem
        options: dict[str, Any] = {"decimals": self.question.decimals}
        if found.word == "overlapping":
            proof = Certificate.overlapping(problem, found.rows, found.multipliers(), **options)
        elif found.word == "touching":
            separator = (found.direction or (), 0)
            proof = Certificate.touching(
                problem, separator, found.rows, found.multipliers(), **options
            )
        elif found.word == "separable":
            proof = Certificate.separable(problem, found.direction or (), **options)
        else:
            raise CertificateError("nothing was decided, so there is nothing to certify.")
        return replace(proof, model=self.model, label=label or self.model.columns.get("y"))

    def limit(self) -> "Limit":
        """What is left when the separated rows are fitted perfectly: a model that has an estimate.

        Its `fit()` fits it with statsmodels.
        """
        from novikoff.regression.limit import limit_of

        return limit_of(self)

    def firth(self, **options: Any) -> Any:
        """The regression fitted with Firth's penalty, by the package firthmodels.

        Its estimates are always finite. For logit, binomial (logit link) and Cox models; columns
        that are aliased are left out. `options` go to its `FirthLogisticRegression` or
        `FirthCoxPH`; what these offer is there: `conf_int(method="pl")`, `lrt()`, predictions.
        """
        from novikoff.regression.firth import firth_fit

        return firth_fit(self, options)

    def firth_summary(self, **options: Any) -> CoefficientTable:
        """Firth's fit as a table: estimates, profile intervals, p of the likelihood-ratio test."""
        from novikoff.regression.firth import firth_summary, firth_table

        return firth_summary(firth_table(self, self.firth(**options)))

    def firth_code(self) -> str:
        """The lines of Python that do what `firth()` does, to paste."""
        from novikoff.regression.firth import firth_code

        return firth_code(self)

    def to_frame(self) -> Any:
        """A pandas DataFrame: for each coefficient its estimate, and the direction it is moved in.

        `direction` is that of the first of `directions`, as a float.
        """
        import pandas as pd

        moved = self.directions[0] if self.directions else {}
        names = list(self.coefficients)
        return pd.DataFrame(
            {
                "estimate": [str(self.coefficients[name]) for name in names],
                "direction": [nearest_float(Fraction(moved.get(name, 0))) for name in names],
            },
            index=names,
        )

    def summary(self) -> CoefficientTable:
        """The coefficients in a table, which has `as_text()`, `as_html()` and `as_latex()`."""
        words = self.explain()
        return CoefficientTable(
            words.headline,
            ("maximum-likelihood estimate",),
            tuple((name, str(estimate)) for name, estimate in self.coefficients.items()),
            words.reasons,
        )

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON values."""
        words = self.explain()
        return {
            "outcome": words.outcome,
            "model": self.model.to_dict(),
            "kind": self.kind,
            "n": self.n,
            "separated": self.separated_rows,
            "coefficients": {name: str(value) for name, value in self.coefficients.items()},
            "directions": [
                {name: exact_text(value) for name, value in direction.items()}
                for direction in self.directions
            ],
            "reasons": list(words.reasons),
            "advice": list(words.advice),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The answer as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        return str(self.explain())

    def __rich__(self) -> "Group":
        return self.explain().__rich__()

    def _repr_html_(self) -> str:
        return self.explain()._repr_html_()
