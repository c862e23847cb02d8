"""Questions about models of other libraries: the arguments of `diagnose`, and the description."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import PARTS, Name
from novikoff.errors import DataError, OptionError
from novikoff.matrix.arrays import arrow_table
from novikoff.regression.inputs import Inputs, regression_of
from novikoff.regression.result import Link, Regression, Variance


@dataclass(frozen=True)
class GivenModel:
    """A model, and the data that came with it, as the user gave them."""

    model: Any
    X: Any = None
    y: Any = None
    weights: Any = None
    names: Sequence[str] | None = None
    decimals: bool = False

    @property
    def kind(self) -> str:
        """The class of the model, by its name."""
        return type(self.model).__name__

    def need(self, *parts: str, call: str) -> None:
        """Raise `OptionError` unless the data is there that the library does not keep."""
        if any(getattr(self, part) is None for part in parts):
            raise OptionError(f"{self.kind} keeps no data: {call}.")

    def refuse(self, *parts: str) -> None:
        """Raise `OptionError` for data that is not asked for."""
        given = [part for part in parts if getattr(self, part) is not None]
        if given:
            raise OptionError(f"for a {self.kind}, diagnose takes no {' and no '.join(given)}.")

    @contextmanager
    def frame(self, call: str) -> Iterator[Any]:
        """The data as a DataFrame of pandas; what it lacks is an error."""
        from formulaic.errors import FormulaicError

        self.need("X", call=call)
        try:
            yield as_pandas(self.X)
        except (KeyError, FormulaicError) as error:
            reason = str(error).strip("\"'")
            raise DataError(f"this {self.kind} was fitted to another frame: {reason}") from error


def as_pandas(frame: Any) -> Any:
    """A frame of any kind as pandas'."""
    if hasattr(frame, "iloc"):
        return frame
    found = arrow_table(frame)
    if not hasattr(found, "to_pandas"):
        raise OptionError(f"the data must be a DataFrame; got {type(frame).__name__}.")
    return found.to_pandas()


def offset_of(model: Any) -> NDArray[np.float64] | None:
    """Offset and logarithm of the exposure of a model as statsmodels keeps them, if it has any."""
    parts = [getattr(model, name, None) for name in ("offset", "exposure")]
    there = [np.asarray(part, dtype=np.float64) for part in parts if part is not None]
    there = [part for part in there if part.shape == np.shape(model.endog)[:1]]
    return sum(there) if there else None  # type: ignore[return-value]


@dataclass(frozen=True)
class Described(Inputs):
    """What a user would give for a model, its name here, and what else a fit needs."""

    fit_intercept: bool | None = False
    name: Name = "logit"
    link: Link | None = None
    dispersion: float | None = None
    variance: Variance = "nb2"

    def regression(self, asked: GivenModel) -> Regression:
        """The regression, its data validated."""
        names = self.names if asked.names is None else asked.names
        given = dict.fromkeys(PARTS) | dict(self.given)
        inputs = replace(self, given=given, names=names, decimals=asked.decimals)
        regression = regression_of(self.name, inputs, link=self.link)
        return replace(regression, dispersion=self.dispersion, variance=self.variance)
