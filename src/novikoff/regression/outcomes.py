"""One design, many outcomes: the same regression of each of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import Name, numbers_of, refuse
from novikoff.data.arrays import read_frame
from novikoff.data.source import as_numpy
from novikoff.errors import LabelError, NovikoffError, OptionError, ShapeError
from novikoff.matrix.arrays import column_names
from novikoff.matrix.problem import check_names, matrix_of
from novikoff.regression.estimates import Estimate
from novikoff.regression.inputs import Inputs, design_of
from novikoff.regression.result import Separation
from novikoff.regression.summary import CoefficientTable

FINE = (Estimate.FINITE, Estimate.ALIASED)
SHOWN = 40  # outcomes in a text
MOST_COLUMNS = 6  # for each of them


@dataclass(frozen=True)
class OutcomeSummary:
    """What a table says of one outcome; `reason` says why it was refused."""

    kind: str
    columns: tuple[str, ...]
    separated: int
    seconds: float
    reason: str = ""


class Separations(Mapping[str, Separation]):
    """The answer for each of many outcomes of one design, by the outcome's name.

    Its text lists what is separated. An outcome of three classes, say, is no part of the items, and
    "refused" in the table. The answer for an outcome without separation is worked out again when it
    is asked for: thousands of them would fill the memory.

    Examples
    --------
    >>> import novikoff
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> found = novikoff.detect_separation(X, [[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> print(found.to_frame()[["kind", "columns", "separated"]])
           kind            columns  separated
    0  complete  ((intercept), x0)          4
    1      none                 ()          0
    """

    def __init__(
        self, ask: Callable[[str], Separation], summaries: dict[str, "OutcomeSummary"]
    ) -> None:
        self._ask, self.summaries = ask, summaries
        self._kept: dict[str, Separation] = {}

    def __getitem__(self, name: str) -> Separation:
        if self.summaries[name].kind == "refused":
            raise LabelError(f"outcome {name!r}: {self.summaries[name].reason}")
        return self._kept.get(name) or self._ask(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, each in self.summaries.items() if each.kind != "refused")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def add(self, name: str) -> None:
        """Ask about an outcome; where nothing is separated its answer is not kept, but its sum."""
        started = perf_counter()
        try:
            found = self._ask(name)
        except LabelError as error:
            said = OutcomeSummary("refused", (), 0, perf_counter() - started, str(error))
        except NovikoffError as error:
            raise type(error)(f"outcome {name!r}: {error}") from error
        else:
            columns, rows = _responsible(found), int(found.separated.sum())
            said = OutcomeSummary(found.kind, columns, rows, perf_counter() - started)
            if found.kind != "none":
                self._kept[name] = found
        self.summaries[name] = said

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each outcome.

        `columns` are the coefficients that are infinite, or not determined; `separated` is the
        number of rows that are. The kind of an outcome without a regression is "refused".
        """
        import pandas as pd

        return pd.DataFrame([vars(each) for each in self.summaries.values()], [*self.summaries])

    def __str__(self) -> str:
        counts = Counter(each.kind for each in self.summaries.values())
        open_ones = [item for item in self.summaries.items() if item[1].kind != "none"]
        rows = [
            (name, each.kind, str(each.separated), ", ".join(each.columns[:MOST_COLUMNS]))
            for name, each in open_ones[:SHOWN]
        ]
        more = len(open_ones) - len(rows)
        said = ", ".join(f"{kind}: {count}" for kind, count in counts.items())
        return CoefficientTable(
            f"{len(self.summaries)} outcomes: {said}",
            ("kind", "rows", "columns"),
            tuple(rows),
            (f"and {more} more",) if more else (),
        ).as_text()


def _responsible(separation: Separation) -> tuple[str, ...]:
    if separation.kind == "none":
        return ()
    found = separation.coefficients.items()
    return tuple(name for name, estimate in found if estimate not in FINE)


def named_outcomes(X: object, y: Any, data: Any) -> dict[str, NDArray[Any]] | None:
    """The outcomes by name: columns of a matrix or a frame, or of `data`; None if y is one."""
    if y is None or isinstance(y, str) or (isinstance(X, str) and data is None):
        return None  # beside a formula, a frame is the data
    if isinstance(y, (list, tuple)) and data is not None and all(isinstance(v, str) for v in y):
        source = read_frame(data)
        return {name: as_numpy(source.column(source.resolve(name, "y"))) for name in y}
    if len(getattr(y, "shape", (0, 0))) != 2:
        return None
    if hasattr(y, "columns") or hasattr(y, "column_names"):
        source = read_frame(y)
        return {name: as_numpy(source.column(name)) for name in source.names}
    array = np.asarray(y)
    if array.ndim != 2:
        return None
    return {str(j): array[:, j] for j in range(array.shape[1])}


def detect_each(
    outcomes: dict[str, NDArray[Any]],
    inputs: Inputs,
    answered: Callable[[Inputs], Separation],
) -> Separations:
    """The answer for each outcome; the design is read once."""
    drop_missing = inputs.drop_missing
    if not outcomes:
        raise ShapeError("y has no column: at least one outcome is needed.")
    inputs = design_of(replace(inputs, given={**inputs.given, "y": None}, drop_missing=False))
    matrix = matrix_of(inputs.X)
    names = inputs.names if inputs.names is not None else column_names(inputs.X)
    shared = replace(inputs, X=matrix, names=check_names(names, matrix.shape[1]), data=None)

    def ask(name: str) -> Separation:
        given = {**shared.given, "y": outcomes[name]}
        if drop_missing:
            given |= _without_missing(outcomes[name], given["weights"])
        return answered(replace(shared, given=given))

    found = Separations(ask, {})
    for name in outcomes:
        found.add(name)
    return found


def detect_hurdle(inputs: Inputs, answered: Callable[[Name, Inputs], Separation]) -> Separations:
    """The two parts of a hurdle model: whether anything is counted, and how much where it is.

    Counts above 0 have a truncated distribution. As its mean falls to 0, a count of 1 becomes sure,
    and any other impossible. So a row with y = 1 asks what y = 0 does of a Poisson model.
    """
    inputs = design_of(inputs)
    y = numbers_of(inputs.given["y"], "y", inputs.numbers)
    refuse(y < 0, "y", y, "counts are not negative", inputs.numbers)
    weights = inputs.given["weights"]
    there = np.ones(len(y)) if weights is None else np.array(weights, dtype=np.float64)
    parts: dict[str, tuple[Name, dict[str, Any]]] = {
        "zeros": ("logit", {"y": (y > 0).astype(np.int64)}),
        "counts": ("poisson", {"y": np.maximum(y - 1, 0), "weights": there * (y > 0)}),
    }

    def ask(part: str) -> Separation:
        name, given = parts[part]
        return answered(name, replace(inputs, given={**inputs.given, **given}))

    found = Separations(ask, {})
    for part in parts:
        found.add(part)
    return found


def _without_missing(y: NDArray[Any], weights: Any) -> dict[str, Any]:
    """The outcome and the weights, 0 where the outcome is missing."""
    missing = np.array([value is None or value != value for value in y.tolist()])
    if missing.all():
        raise OptionError("every value of y is missing.")
    there = np.ones(len(y)) if weights is None else np.array(weights, dtype=np.float64)
    there[missing] = 0
    filled = np.array(y)
    filled[missing] = filled[np.argmin(missing)]
    return {"y": filled, "weights": there}
