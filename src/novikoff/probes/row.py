"""One concept on one X: a row of the table of probes, as numbers, as texts and as a sentence."""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.probes.conclusions import conclusion
from novikoff.probes.cover import cover_probability, shown_probability
from novikoff.probes.labelling import Control, Labelling
from novikoff.probes.labels import Shuffle
from novikoff.verdicts.base import Interval

__all__ = ["Probe", "cells_of", "heads_of", "values_of"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Probe(Labelling):
    """One concept on one X: its verdict, what it scores on held-out rows, and its controls.

    `n_test` are the rows held out, and `n_apart` how many of them stand for themselves: where whole
    groups have one label, the groups count and not their rows.

    Examples
    --------
    >>> import numpy as np, novikoff
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> probe = novikoff.probe(X, {"first": X[:, 0] > 0}, random_state=0, progress=False)["first"]
    >>> probe.verdict, probe.dimension, len(probe.controls)
    ('separable', 3, 5)
    >>> novikoff.verify(probe.certificate(), X, X[:, 0] > 0).valid
    True
    """

    name: str
    layer: str | None
    n_test: int
    n_apart: float
    shuffle: Shuffle
    controls: tuple[Control, ...] = field(repr=False)

    @property
    def dimension(self) -> int:
        """The dimension of the points: the rank of the centred columns."""
        return self.points.dimension

    @property
    def cover(self) -> Fraction:
        """Cover's number: the probability that random labels on such points are separable."""
        return cover_probability(self.n, self.dimension)

    @property
    def selectivity(self) -> float:
        """Held-out accuracy less the mean of the controls' (Hewitt and Liang 2019)."""
        if not self.controls:
            return math.nan
        return self.accuracy - float(np.mean([control.accuracy for control in self.controls]))

    @property
    def conclusion(self) -> str:
        """What may be concluded, in a sentence or two."""
        return conclusion(self)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain JSON values."""
        controls = self.controls
        return {
            **({} if self.layer is None else {"layer": self.layer}),
            "concept": self.name,
            "verdict": self.verdict,
            "margin": _bounds(self.margin),
            "errors": list(self.errors),
            "accuracy": _number(self.accuracy),
            "auc": _number(self.auc),
            "selectivity": _number(self.selectivity),
            "controls": [
                {
                    "verdict": control.verdict,
                    "margin": _bounds(control.margin),
                    "errors": list(control.errors),
                    "accuracy": _number(control.accuracy),
                    "auc": _number(control.auc),
                }
                for control in controls
            ],
            "shuffle": self.shuffle,
            "n": self.n,
            "positive": int((self.labels > 0).sum()),
            "dimension": self.dimension,
            "dimension_is_proven": self.points.dimension_is_proven,
            "cover": float(self.cover),
            "conclusion": self.conclusion,
        }

    def __str__(self) -> str:
        where = self.name if self.layer is None else f"{self.name} in {self.layer}"
        return f"{where}: {self.conclusion}"


def values_of(row: Probe) -> dict[str, Any]:
    """The row as one number or text a column, for a data frame."""
    margin = row.margin
    accuracies = [control.accuracy for control in row.controls]
    separable = [control.verdict == "separable" for control in row.controls]
    return {
        **({} if row.layer is None else {"layer": row.layer}),
        "concept": row.name,
        "verdict": row.verdict,
        "margin_lower": math.nan if margin is None else margin.lower,
        "margin_upper": math.nan if margin is None else margin.upper,
        "errors_lower": row.errors[0],
        "errors_upper": row.errors[1],
        "accuracy": row.accuracy,
        "auc": row.auc,
        "control_accuracy": float(np.mean(accuracies)) if accuracies else math.nan,
        "controls_separable": sum(separable),
        "controls": len(row.controls),
        "selectivity": row.selectivity,
        "n": row.n,
        "dimension": row.dimension,
        "cover": float(row.cover),
        "conclusion": row.conclusion,
    }


def heads_of(with_layers: bool) -> list[str]:
    """The heads of the columns of the table."""
    heads = ["concept", "verdict", "geometric margin", "errors", "accuracy", "AUC", "controls"]
    heads += ["selectivity", "Cover"]
    return ["layer", *heads] if with_layers else heads


def cells_of(row: Probe, with_layers: bool) -> list[str]:
    """The row as short texts, one a column."""
    lower, upper = row.errors
    errors = str(lower) if lower == upper else f"{lower}–{upper}"
    separable = sum(control.verdict == "separable" for control in row.controls)
    cells = [
        row.name,
        row.verdict,
        "" if row.margin is None else _range(row.margin),
        errors,
        _percent(row.accuracy),
        "" if math.isnan(row.auc) else f"{row.auc:.3f}",
        f"{separable} of {len(row.controls)}" if row.controls else "none",
        "" if math.isnan(row.selectivity) else f"{100 * row.selectivity:+.1f}",
        shown_probability(row.cover),
    ]
    return [str(row.layer), *cells] if with_layers else cells


def _range(margin: Interval) -> str:
    """Both ends of a margin, or one text where they read the same."""
    lower, upper = f"{margin.lower:.3g}", f"{margin.upper:.3g}"
    return lower if lower == upper else f"{lower}–{upper}"


def _percent(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.1%}"


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _bounds(margin: Interval | None) -> dict[str, float | None] | None:
    if margin is None:
        return None
    return {"lower": margin.lower, "upper": _number(margin.upper)}
