"""What `probe` answers: a row for each concept (and layer), and the table of them."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.form import FLOATING
from novikoff.errors import CertificateError, DataError
from novikoff.probes.conclusions import conclusion
from novikoff.probes.cover import cover_probability, shown_probability
from novikoff.probes.devices import host_array
from novikoff.probes.labels import Shuffle
from novikoff.probes.settle import Outcome, ProbeWord
from novikoff.problem import Problem, default_names
from novikoff.rows import Floats
from novikoff.verdicts.base import Interval

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

__all__ = ["Control", "Labelling", "Points", "Probe", "Probes"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Labelling:
    """Labels on the points of one X, with what is proven of them and what was measured.

    `labels` are −1 and +1. `errors` are bounds on the errors of the best plane. `accuracy` and
    `auc` are those of an averaged perceptron on rows that it did not learn from.
    """

    labels: NDArray[np.int8] = field(repr=False)
    accuracy: float
    auc: float
    classes: tuple[Any, Any] = field(default=(-1, 1), repr=False)
    outcome: Outcome = field(repr=False)
    points: "Points" = field(repr=False)

    @property
    def verdict(self) -> ProbeWord:
        """The word: "separable", "touching", "overlapping", "not separable" or "undecided"."""
        return self.outcome.word

    @property
    def margin(self) -> Interval | None:
        """The geometric margin, between two proven bounds; None if it is not separable."""
        return self.outcome.margin

    @property
    def errors(self) -> tuple[int, int]:
        """Proven bounds on the rows that the best plane does not have on their own side."""
        return self.outcome.errors

    @property
    def reason(self) -> str:
        """Why it is undecided; empty if it is not."""
        return self.outcome.reason

    @property
    def n(self) -> int:
        """How many points."""
        return len(self.labels)

    @property
    def separator(self) -> tuple[Floats, float] | None:
        """Weights on all columns and an intercept that separate; None if there are none."""
        return _separator(self.outcome, self.points)

    def certificate(self, X: object = None) -> Certificate:
        """The proof of the verdict, for `novikoff.verify(certificate, X, y)`.

        `X` is asked for where the points are not at hand: layers that came one at a time are not
        kept. The labels are the column that was given; True and False for one class against the
        rest; `labels` for a control.
        """
        return _certificate(self, X)


@dataclass(frozen=True, kw_only=True, eq=False)
class Control(Labelling):
    """A shuffled labelling: what the same labels give on rows that they do not belong to."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Probe(Labelling):
    """One concept on one X: its verdict, what it scores on held-out rows, and its controls.

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


@dataclass(frozen=True, eq=False)
class Probes(Sequence[Probe]):
    """One row for each concept, and each layer where there are several.

    `probes[0]`, `probes["concept"]` and `probes["layer", "concept"]` are rows; `to_frame()` is a
    pandas DataFrame of all. `device` says where it was computed, `notes` what there is to know, and
    `seconds` how long each part of the work took.

    Examples
    --------
    >>> import numpy as np, novikoff
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> probes = novikoff.probe(
    ...     {"embed": X, "block": X + 1}, {"first": X[:, 0] > 0}, random_state=0, progress=False
    ... )
    >>> probes.layers, probes.concepts
    (('embed', 'block'), ('first',))
    >>> probes["block", "first"].verdict
    'separable'
    """

    rows: tuple[Probe, ...]
    device: str
    notes: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Probe]:
        return iter(self.rows)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer, slice)):
            return self.rows[key]
        layer, name = key if isinstance(key, tuple) else (None, key)
        found = [
            row for row in self.rows if row.name == name and (layer is None or row.layer == layer)
        ]
        if len(found) == 1:
            return found[0]
        if found:
            layers = ", ".join(repr(row.layer) for row in found[:4])
            raise DataError(
                f"{name!r} is a concept of {len(found)} layers ({layers}, …): "
                f"ask for probes[layer, {name!r}]."
            )
        known = ", ".join(repr(known) for known in self.concepts[:6])
        raise DataError(f"no row is called {key!r}; there are {known}, …")

    @property
    def concepts(self) -> tuple[str, ...]:
        """The names of the concepts, in order."""
        return tuple(dict.fromkeys(row.name for row in self.rows))

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the layers, in order; none if there is only one X."""
        return tuple(dict.fromkeys(row.layer for row in self.rows if row.layer is not None))

    def to_dict(self) -> dict[str, Any]:
        """The table as plain JSON values."""
        rows = [row.to_dict() for row in self.rows]
        return {"device": self.device, "notes": list(self.notes), "probes": rows}

    def to_json(self, indent: int | None = None) -> str:
        """The table as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def to_frame(self) -> "pd.DataFrame":
        """A pandas DataFrame with one row for each concept (and layer)."""
        try:
            import pandas as pd
        except ImportError as error:
            from novikoff.errors import MissingDependencyError

            raise MissingDependencyError("to_frame needs pandas: pip install pandas.") from error
        return pd.DataFrame([_flat(row) for row in self.rows])

    def heads(self) -> list[str]:
        """The heads of the columns of the table, as it is printed."""
        return _heads(bool(self.layers))

    def cells(self) -> list[list[str]]:
        """The table as texts, a list for each row."""
        return [_cells(row, bool(self.layers)) for row in self.rows]

    def __str__(self) -> str:
        heads = self.heads()
        cells = [heads, *self.cells()]
        widths = [max(len(row[j]) for row in cells) for j in range(len(heads))]
        lines = ["  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([*(line.rstrip() for line in lines), *self.notes])

    def __rich__(self) -> "Table":
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(*self.heads(), box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
        for cells in self.cells():
            table.add_row(*cells)
        return table

    def _repr_html_(self) -> str:
        from html import escape

        heads = "".join(f"<th>{escape(head)}</th>" for head in self.heads())
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
            for cells in self.cells()
        )
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


@dataclass(frozen=True, eq=False)
class Points:
    """The points that labellings speak of, as far as they are kept."""

    shape: tuple[int, int]
    columns: NDArray[np.intp]
    dimension: int
    dimension_is_proven: bool
    X: Any = None


def _separator(outcome: Outcome, points: Points) -> tuple[Floats, float] | None:
    if outcome.weights is not None:
        weights = np.zeros(points.shape[1])
        weights[points.columns] = outcome.weights
        return weights, outcome.intercept
    if outcome.word == "separable" and outcome.verdict is not None:
        return outcome.verdict.weights, outcome.verdict.intercept  # type: ignore[attr-defined]
    return None


def _certificate(row: Labelling, X: object) -> Certificate:
    X = row.points.X if X is None else X
    if X is None:
        raise CertificateError(
            "the points are not at hand, because layers came one at a time: give them, "
            "certificate(X)."
        )
    matrix = host_array(X)
    if matrix.shape != row.points.shape:
        raise CertificateError(f"X has the shape {matrix.shape}, not {row.points.shape}.")
    problem = Problem(matrix, row.labels, True, default_names(matrix.shape[1]), row.classes)
    outcome = row.outcome
    if outcome.weights is not None:
        weights, intercept = _separator(outcome, row.points) or ((), 0.0)
        return Certificate.separable(problem, list(weights), intercept)
    if outcome.verdict is not None:
        certificate = outcome.verdict.certificate()
        return Certificate.from_dict(_with_classes(certificate, row.classes))
    if outcome.alpha is not None:
        rows = range(problem.n)
        return Certificate.overlapping(problem, rows, outcome.alpha.tolist(), proof=FLOATING)
    if outcome.pair is not None:
        return Certificate.not_separable(problem, outcome.pair, (1, 1))
    raise CertificateError(f"an undecided concept has no certificate: {outcome.reason}.")


def _with_classes(certificate: Certificate, classes: tuple[Any, Any]) -> dict[str, Any]:
    from dataclasses import replace

    return replace(certificate, classes=classes).to_dict()


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _bounds(margin: Interval | None) -> dict[str, float | None] | None:
    if margin is None:
        return None
    return {"lower": margin.lower, "upper": _number(margin.upper)}


def _flat(row: Probe) -> dict[str, Any]:
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


def _heads(with_layers: bool) -> list[str]:
    heads = ["concept", "verdict", "margin", "errors", "accuracy", "AUC", "controls"]
    heads += ["selectivity", "Cover"]
    return ["layer", *heads] if with_layers else heads


def _cells(row: Probe, with_layers: bool) -> list[str]:
    lower, upper = row.errors
    errors = str(lower) if lower == upper else f"{lower}–{upper}"
    separable = sum(control.verdict == "separable" for control in row.controls)
    cells = [
        row.name,
        row.verdict,
        "" if row.margin is None else f"{row.margin.lower:.3g}–{row.margin.upper:.3g}",
        errors,
        _percent(row.accuracy),
        "" if math.isnan(row.auc) else f"{row.auc:.3f}",
        f"{separable} of {len(row.controls)}" if row.controls else "none",
        "" if math.isnan(row.selectivity) else f"{100 * row.selectivity:+.1f}",
        shown_probability(row.cover),
    ]
    return [str(row.layer), *cells] if with_layers else cells


def _percent(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.1%}"
