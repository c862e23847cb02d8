"""Predict the rows of a file with a saved model, reading the file as the training data was read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff.core.options import choice
from novikoff.data.columns import rows_without_missing
from novikoff.data.features import FeatureRecipe, is_date, refuse_text
from novikoff.data.options import FileLayout
from novikoff.data.reading import BUILT_IN, format_of, load_source, read_source
from novikoff.data.source import Source, open_raw
from novikoff.data.svmlight import read_sparse
from novikoff.errors import DataError, FileError, OptionError, ShapeError
from novikoff.estimators.persistence.calibration import probabilities
from novikoff.estimators.persistence.store import Model


@dataclass(frozen=True)
class DataForModel:
    """The points of the rows that have all their values (`rows`), and the columns of all rows."""

    X: Any
    rows: NDArray[np.int64]
    columns: Any
    source: str


def read_for_model(
    file: str,
    recipe: FeatureRecipe,
    layout: FileLayout | None = None,
    *,
    drop_missing: bool = False,
    unknown: str = "error",
) -> DataForModel:
    """Read a file for a model; with `drop_missing`, rows that lack a value have no point.

    Text is read as that of the model's own data was, where `layout` says nothing else. A level that
    is `unknown` is an error, or "zero" in all columns of its factor.
    """
    choice("unknown", unknown, ("error", "zero"))
    layout = layout or FileLayout()
    as_before = recipe.layout.texts
    as_before["missing"] = (*layout.missing, *recipe.layout.missing)
    layout = FileLayout(format=layout.format, **{**as_before, **_given(layout)})
    many = file.startswith(BUILT_IN) or (file != "" and Path(file).is_dir())
    if many or format_of(raw := open_raw(file), layout.format) != "svmlight":
        source = read_source(file, layout) if many else load_source(raw, layout)
        return _of(source, recipe, drop_missing, unknown)
    X, y, _ = read_sparse(raw, float64=True)
    wanted = [int(name.removeprefix("x")) for name in recipe.features if name[1:].isdigit()]
    if len(wanted) < len(recipe.features):
        raise ShapeError(f"{raw.name}: the model was not made from a sparse file.")
    X.resize((X.shape[0], max(X.shape[1], max(wanted) + 1)))
    X, _ = recipe.transform(X[:, wanted], recipe.features)
    return DataForModel(X, np.arange(len(y)), pa.table({"label": y}), raw.name)


def _given(layout: FileLayout) -> dict[str, Any]:
    """What the user says of a file's text, but for marks of missing values, which add up."""
    return {name: value for name, value in layout.texts.items() if name != "missing"}


def _of(source: Source, recipe: FeatureRecipe, drop_missing: bool, unknown: str) -> DataForModel:
    for name in recipe.needed:
        source.resolve(name, "the model's column")
    for name in recipe.dates:
        kind = source.table.schema.field(name).type
        if not is_date(kind):
            raise DataError(
                f"{source.name}: column {name!r} holds {kind}, and the model had dates."
            )
    if recipe.formula is None:
        aside = {*recipe.levels, *recipe.dates}
        refuse_text(source, [name for name in recipe.needed if name not in aside])
    made = recipe.filled(recipe.with_dates(source))
    every = np.ones(source.table.num_rows, dtype=np.bool_)
    keep, _ = rows_without_missing(made, recipe.features, every, drop_missing)
    rows = np.flatnonzero(keep)
    made = made if keep.all() else made.take(rows)
    return DataForModel(recipe.apply(made, unknown=unknown), rows, source.table, source.name)


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
    model: Model,
    file: str,
    layout: FileLayout | None = None,
    *,
    drop_missing: bool = False,
    unknown: str = "error",
    probable: bool = False,
) -> Predictions:
    """Read a file as the model's own data was read, and predict its rows.

    `probable` adds the probability of each class, if the model was calibrated.
    """
    about = model.about
    if "recipe" not in about:
        raise FileError(
            "the model does not say which columns it needs: it was saved without them. "
            "Load it in Python with novikoff.load."
        )
    recipe = FeatureRecipe.from_dict(about["recipe"])
    data = read_for_model(file, recipe, layout, drop_missing=drop_missing, unknown=unknown)
    predicted = np.asarray(model.estimator.predict(data.X))
    if about.get("signs"):
        predicted = np.where(predicted > 0, about["classes"][1], about["classes"][0])
    decision = np.asarray(model.estimator.decision_function(data.X))
    columns = {"predicted": predicted, **_scores(model, decision)}
    if probable:
        columns |= _probabilities(model, decision)
    return Predictions(
        table=_beside(data, columns),
        source=data.source,
        counts=_counts(predicted),
        without=data.columns.num_rows - len(data.rows),
        errors=_errors(data, about.get("label"), about.get("classes"), predicted),
    )


def _probabilities(model: Model, decision: NDArray[Any]) -> dict[str, NDArray[Any]]:
    if "calibration" not in model.about:
        raise OptionError(
            "the model gives scores, and no probabilities: fit it with --holdout and --calibrate."
        )
    found = probabilities(model.about["calibration"], decision)
    classes = model.about["classes"]  # of two, the positive one last, as the scores have it
    return {f"probability[{name}]": found[:, k] for k, name in enumerate(classes)}


def _scores(model: Model, decision: NDArray[Any]) -> dict[str, NDArray[Any]]:
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
