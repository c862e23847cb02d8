"""The result of `probe`: a table with a row for each concept and layer.

A row has the numbers, the texts and the sentence about one concept.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.core.options import first_few, list_names
from novikoff.errors import DataError, MissingDependencyError
from novikoff.probes.conclusions import conclusion, cover_probability, shown_probability
from novikoff.probes.labels import Control, Labelling, Shuffle
from novikoff.separability.verdict_base import Interval

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console, ConsoleOptions


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


NAMES = ("layer", "concept")  # columns that may go over several lines
LONGEST_NAME = 16  # characters of a name that stand on a line, where there is little room
FEWEST_COLUMNS = 3


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
        layer, name = key if isinstance(key, tuple) and len(key) == 2 else (None, key)
        # Layers without names are called by their numbers, which a user may well give as numbers.
        wanted = None if layer is None else str(layer)
        found = [row for row in self.rows if row.name == name and wanted in (None, row.layer)]
        if len(found) == 1:
            return found[0]
        if found:
            layers = first_few([row.layer for row in found], 4, repr)
            raise DataError(
                f"{name!r} is a concept of {len(found)} layers ({layers}): "
                f"ask for probes[layer, {name!r}]."
            )
        raise DataError(f"no row is called {key!r}; there are {list_names(self.concepts)}.")

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
            raise MissingDependencyError("to_frame needs pandas: pip install pandas.") from error
        return pd.DataFrame([values_of(row) for row in self.rows])

    def heads(self) -> list[str]:
        """The heads of the columns of the table, as it is printed."""
        return heads_of(bool(self.layers))

    def cells(self) -> list[list[str]]:
        """The table as texts, a list for each row."""
        return [cells_of(row, bool(self.layers)) for row in self.rows]

    def __str__(self) -> str:
        heads = self.heads()
        cells = [heads, *self.cells()]
        widths = [max(len(row[j]) for row in cells) for j in range(len(heads))]
        lines = ["  ".join(f"{c:<{w}}" for c, w in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([*(line.rstrip() for line in lines), *self.notes])

    def __rich_console__(
        self,
        console: "Console",
        options: "ConsoleOptions",
    ) -> Iterator[Any]:
        """The table for a terminal: of the columns, as many as it is wide enough for."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        heads, rows = self.heads(), self.cells()
        shown = _columns_that_fit(heads, rows, options.max_width)
        left_out = [head for j, head in enumerate(heads) if j not in shown]
        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
        for j in shown:
            table.add_column(heads[j], no_wrap=heads[j] not in NAMES)
        for cells in rows:
            table.add_row(*(cells[j] for j in shown))
        yield table
        if left_out:
            yield f"The terminal is too narrow for: {', '.join(left_out)}."

    def _repr_html_(self) -> str:
        from html import escape

        heads = "".join(f"<th>{escape(head)}</th>" for head in self.heads())
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
            for cells in self.cells()
        )
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _columns_that_fit(heads: list[str], rows: list[list[str]], width: int) -> list[int]:
    """The columns to show: the last ones give way, and names may go over several lines."""
    shown = list(range(len(heads)))
    while len(shown) > FEWEST_COLUMNS:
        needed = 0
        for j in shown:
            longest = max(len(row[j]) for row in rows)
            if heads[j] in NAMES:
                longest = min(longest, LONGEST_NAME)
            needed += 2 + max(longest, len(heads[j]))
        if needed <= width:
            break
        shown.pop()
    return shown
