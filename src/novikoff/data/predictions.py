"""What a saved model says of the rows of a file, beside the file's own columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff.data.for_model import DataForModel, read_for_model
from novikoff.data.reading import Layout
from novikoff.data.recipe import Recipe
from novikoff.errors import FileError
from novikoff.models.store import Model

__all__ = ["Predictions", "predict_file"]


@dataclass(frozen=True)
class Predictions:
    """The file's columns with `predicted` and `score` beside them (null where a value lacked).

    `score` is positive for the class that is +1; with more than two classes each has its own.
    `errors` counts the rows whose label is another, where the file has labels.
    """

    table: Any
    source: str
    counts: Mapping[str, int]
    without: int
    errors: int | None

    @property
    def n(self) -> int:
        """How many rows, those without a prediction included."""
        return int(self.table.num_rows)


def predict_file(
    model: Model, file: str, layout: Layout | None = None, *, drop_missing: bool = False
) -> Predictions:
    """Read a file as the model's own data was read, and predict its rows."""
    about = model.about
    if "recipe" not in about:
        raise FileError(
            "the model does not say which columns it needs: it was saved without them. "
            "Load it in Python with novikoff.load."
        )
    recipe = Recipe.from_dict(about["recipe"])
    data = read_for_model(file, recipe, layout, drop_missing=drop_missing)
    predicted = np.asarray(model.estimator.predict(data.X))
    if about.get("signs"):
        predicted = np.where(predicted > 0, about["classes"][1], about["classes"][0])
    columns = {"predicted": predicted, **_scores(model, data)}
    return Predictions(
        table=_beside(data, columns),
        source=data.source,
        counts=_counts(predicted),
        without=data.columns.num_rows - len(data.rows),
        errors=_errors(data, about.get("label"), about.get("classes"), predicted),
    )


def _scores(model: Model, data: DataForModel) -> dict[str, NDArray[Any]]:
    decision = np.asarray(model.estimator.decision_function(data.X))
    if decision.ndim == 1:
        return {"score": decision}
    classes = model.estimator.classes_.tolist()
    return {f"score[{name}]": decision[:, k] for k, name in enumerate(classes)}


def _beside(data: DataForModel, columns: Mapping[str, NDArray[Any]]) -> Any:
    table = data.columns
    rows = pa.array(np.arange(table.num_rows))
    where = pc.index_in(rows, value_set=pa.array(data.rows))
    for name, values in columns.items():
        while name in table.column_names:
            name += "_"
        table = table.append_column(name, pa.array(values).take(where))
    return table


def _counts(predicted: NDArray[Any]) -> dict[str, int]:
    names, sizes = np.unique(predicted, return_counts=True)
    return {str(name): int(size) for name, size in zip(names.tolist(), sizes, strict=True)}


def _errors(data: DataForModel, label: Any, classes: Any, predicted: NDArray[Any]) -> int | None:
    """How many labels differ, if the file has them and they are of the model's classes."""
    if label not in data.columns.column_names:
        return None
    truth = data.columns.column(label).take(pa.array(data.rows)).to_pylist()
    known = {str(name) for name in classes}
    given = [str(value) for value in truth]
    if not known.issuperset(given):
        return None
    return sum(one != other for one, other in zip(given, map(str, predicted.tolist()), strict=True))
