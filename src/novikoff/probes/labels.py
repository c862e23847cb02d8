"""Concepts as columns of ±1, and the shuffled labellings that they are compared with.

A column of two labels is one concept; of more, each label against the rest is one. A control is the
same labels on other rows: permuted over all rows or, where rows come in groups (the tokens of a
prompt), within each group, so that what a group has of each label stays. A concept that is the same
throughout every group would not change by that: whole groups exchange their labels then.

`Labelling` is one such column on the points of X, with its verdict, measurements and proof.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.form import FLOATING
from novikoff.errors import CertificateError, LabelError, OptionError, ShapeError
from novikoff.matrix.arrays import column_names, is_missing
from novikoff.matrix.problem import Problem, default_names, distinct, python_value, signs_of
from novikoff.matrix.rows import Floats
from novikoff.probes.devices import host_array
from novikoff.probes.settle import LabellingOutcome, ProbeWord
from novikoff.separability.verdict_base import Interval


@dataclass(frozen=True, eq=False)
class ProbePoints:
    """The points that labellings speak of, as far as they are kept."""

    shape: tuple[int, int]
    columns: NDArray[np.intp]
    dimension: int
    dimension_is_proven: bool
    X: Any = None


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
    outcome: LabellingOutcome = field(repr=False)
    points: ProbePoints = field(repr=False)

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

        `X` is asked for where the points are not in memory: layers that came one at a time are not
        kept. The labels are the column that was given; True and False for one class against the
        rest; `labels` for a control.
        """
        return _certificate(self, X)


@dataclass(frozen=True, kw_only=True, eq=False)
class Control(Labelling):
    """A shuffled labelling: what the same labels give on rows that they do not belong to."""


def _separator(outcome: LabellingOutcome, points: ProbePoints) -> tuple[Floats, float] | None:
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
            "the points are not in memory, because layers came one at a time: give them, "
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
        return replace(outcome.verdict.certificate(), classes=row.classes)
    if outcome.alpha is not None:
        rows = range(problem.n)
        return Certificate.overlapping(problem, rows, outcome.alpha.tolist(), proof=FLOATING)
    if outcome.pair is not None:
        return Certificate.not_separable(problem, outcome.pair, (1, 1))
    raise CertificateError(f"an undecided concept has no certificate: {outcome.reason}.")


MOST_CLASSES = 200
Shuffle = Literal["all rows", "within groups", "whole groups"]


@dataclass(frozen=True, eq=False)
class Concept:
    """A name, labels as ±1, and the two labels that −1 and +1 stand for."""

    name: str
    signs: NDArray[np.int8]
    classes: tuple[Any, Any]


def concepts_of(Y: object, names: Sequence[str] | None = None) -> list[Concept]:
    """The concepts of a matrix, a frame, an Arrow table, a mapping or a single column."""
    columns = list(_columns(Y))
    if names is not None:
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise OptionError(f"names must be a list with a name for each column; got {names!r}.")
        named = [str(name) for name in names]
        if len(named) != len(columns):
            raise ShapeError(f"Y has {len(columns)} columns, but there are {len(named)} names.")
        columns = [(name, values) for name, (_, values) in zip(named, columns, strict=True)]
    if not columns:
        raise ShapeError("Y has no columns: at least one concept is needed.")
    concepts = [concept for name, values in columns for concept in _of_column(name, values)]
    seen: set[str] = set()
    for concept in concepts:
        if concept.name in seen:
            raise LabelError(f"two concepts are called {concept.name!r}: give each its own name.")
        seen.add(concept.name)
        if len(concept.signs) != len(concepts[0].signs):
            raise ShapeError(
                f"concept {concept.name!r} has {len(concept.signs)} labels, but "
                f"{concepts[0].name!r} has {len(concepts[0].signs)}."
            )
    return concepts


def _columns(Y: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    """The columns of labels with their names: concept0, concept1, … where there are none."""
    if isinstance(Y, Mapping):
        for name, values in Y.items():
            yield str(name), _host(values)
        return
    found = column_names(Y)
    if found is not None:
        for name, column in zip(found, _columns_of_table(Y), strict=True):
            yield name, _host(column)
        return
    array = _host(Y)
    if array.ndim == 1:
        own = getattr(Y, "name", None)  # of a Series
        yield "concept0" if own in (None, "") else str(own), array
        return
    if array.ndim != 2:
        raise ShapeError(f"Y must have a column for each concept; it has {array.ndim} dimensions.")
    for j in range(array.shape[1]):
        yield f"concept{j}", array[:, j]


def _columns_of_table(Y: Any) -> Iterator[Any]:
    """The columns by their places: a name may be a number, and need not be the only one."""
    if hasattr(Y, "iter_columns"):  # polars
        yield from Y.iter_columns()
    elif hasattr(Y, "itercolumns"):  # an Arrow table
        yield from Y.itercolumns()
    else:  # pandas
        yield from (column for _, column in Y.items())


def _host(values: Any) -> NDArray[Any]:
    """A column, a matrix or a tensor of any library, wherever it lies, as NumPy's."""
    if np.ma.is_masked(values):
        raise LabelError("labels and groups must not be masked: leave those rows out.")
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    elif hasattr(values, "__cuda_array_interface__") and hasattr(values, "get"):
        values = values.get()
    elif hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        values = np.from_dlpack(values)
    return np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values)


def _first_missing(values: NDArray[Any]) -> int | None:
    """The first row without an entry: None, NaN, NaT, pandas' NA."""
    if values.dtype.kind in "mM":
        missing = np.isnat(values)
    elif values.dtype.kind == "f":
        missing = ~np.isfinite(values)
    elif values.dtype == object:
        missing = np.array([is_missing(value) for value in values], dtype=np.bool_)
    else:
        return None
    return int(np.argmax(missing)) if missing.any() else None


def _of_column(name: str, labels: NDArray[Any]) -> Iterator[Concept]:
    if labels.ndim != 1:
        raise ShapeError(f"concept {name!r} must have one label a row.")
    if len(labels) == 0:
        raise LabelError(f"concept {name!r} has no labels: a label for each row of X is needed.")
    row = _first_missing(labels)
    if row is not None:
        raise LabelError(f"concept {name!r} has a missing label (row {row}): leave that row out.")
    try:
        classes = [python_value(label) for label in distinct(labels)]
    except LabelError as error:
        raise LabelError(f"concept {name!r}: {error}") from error
    if len(classes) < 2:
        raise LabelError(
            f"concept {name!r} has one label only, {classes[0]!r}: two are needed. Leave it out."
        )
    if len(classes) == 2:
        yield Concept(name, signs_of(labels, classes[1]), (classes[0], classes[1]))
        return
    if len(classes) > MOST_CLASSES:
        raise LabelError(
            f"concept {name!r} has {len(classes)} different labels, and each would be taken "
            f"against the rest ({MOST_CLASSES} at most): give classes, not measurements."
        )
    for label in classes:
        yield Concept(f"{name}={label}", signs_of(labels, label), (False, True))


def groups_of(groups: object, n: int) -> NDArray[np.intp] | None:
    """A number for each row's group."""
    if groups is None:
        return None
    named = _host(groups)
    if named.ndim != 1 or len(named) != n:
        raise ShapeError(f"groups must have one entry for each of the {n} rows of X.")
    row = _first_missing(named)
    if row is not None:
        raise LabelError(f"groups has a missing entry (row {row}): leave that row out.")
    try:
        number = np.unique(named, return_inverse=True)[1]
    except TypeError as error:
        raise LabelError("groups has entries of several kinds: make them one kind.") from error
    if int(number.max()) == 0:
        raise ShapeError("groups has one group only: two are needed to hold some out.")
    return np.asarray(number, dtype=np.intp)


def control_signs(
    signs: NDArray[np.int8], groups: NDArray[np.intp] | None, count: int, rng: np.random.Generator
) -> tuple[NDArray[np.int8], Shuffle]:
    """`count` shuffled labellings (n × count), and how they were shuffled."""
    columns = np.empty((len(signs), count), dtype=np.int8)
    if groups is None:
        for j in range(count):
            columns[:, j] = rng.permutation(signs)
        return columns, "all rows"
    share = np.bincount(groups, weights=signs > 0) / np.bincount(groups)
    if ((share == 0.0) | (share == 1.0)).all():
        of_group = np.where(share > 0.5, 1, -1)
        for j in range(count):
            columns[:, j] = rng.permutation(of_group)[groups]
        return columns, "whole groups"
    order = np.argsort(groups, kind="stable")
    for j in range(count):
        # Sorting random numbers within each group permutes its rows.
        shuffled = np.lexsort((rng.random(len(signs)), groups))
        columns[order, j] = signs[shuffled]
    return columns, "within groups"
