"""Predict the rows of a file with a saved model, reading the file as the training data was read."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff.core.options import choice
from novikoff.data.arrays import source_of_table
from novikoff.data.columns import rows_without_missing
from novikoff.data.features import FeatureRecipe, is_date, missing_mask, refuse_text
from novikoff.data.options import FileLayout
from novikoff.data.reading import BUILT_IN, format_of, load_source, read_source
from novikoff.data.scans.api import blocks_of
from novikoff.data.source import Source, as_numpy, joined, open_raw
from novikoff.data.svmlight import read_sparse
from novikoff.errors import DataError, FileError, OptionError, ShapeError
from novikoff.estimators.persistence.calibration import probabilities
from novikoff.estimators.persistence.store import Model

ROWS = 1 << 13  # that are read and predicted together


@dataclass(frozen=True)
class DataForModel:
    """The points of the rows that have all their values (`rows`), and the columns of all rows."""

    X: Any
    rows: NDArray[np.int64]
    columns: Any


@dataclass(frozen=True)
class FileForModel:
    """A file that is read as the model's own data was: its tables, and the points of each.

    `tables` reads it, from its beginning each time, and in little memory where that can be.
    """

    name: str
    tables: Callable[[], Iterator[Any]]
    points: Callable[[Any, int], DataForModel]

    def __iter__(self) -> Iterator[DataForModel]:
        """Some rows at a time."""
        first = 0
        for table in self.tables():
            yield self.points(table, first)
            first += table.num_rows


def read_for_model(
    file: str,
    recipe: FeatureRecipe,
    layout: FileLayout | None = None,
    *,
    drop_missing: bool = False,
    unknown: str = "error",
) -> FileForModel:
    """Read a file for a model; with `drop_missing`, rows that lack a value have no point.

    Text is read as that of the model's own data was, where `layout` says nothing else. A level that
    is `unknown` is an error, or "zero" in all columns of its factor.
    """
    choice("unknown", unknown, ("error", "zero"))
    layout = layout or FileLayout()
    as_before = recipe.layout.texts
    as_before["missing"] = (*layout.missing, *recipe.layout.missing)
    layout = FileLayout(format=layout.format, **{**as_before, **_given(layout)})
    if (blocks := blocks_of(file, layout)) is not None:
        schema = blocks.schema()

        def points_of_rows(table: Any, first: int) -> DataForModel:
            source = replace(
                source_of_table(table, file),
                numbered=blocks.numbered,
                place=lambda row: blocks.place(first + row),
            )
            return _of(source, recipe, drop_missing, unknown)

        return FileForModel(file, lambda: joined(blocks.typed(schema, ROWS), ROWS), points_of_rows)
    many = file.startswith(BUILT_IN) or (file != "" and Path(file).is_dir())
    if many or format_of(raw := open_raw(file), layout.format) != "svmlight":
        source = read_source(file, layout) if many else load_source(raw, layout)
        return FileForModel(
            source.name,
            lambda: iter([source.table]),
            lambda _, __: _of(source, recipe, drop_missing, unknown),
        )
    X, y, _ = read_sparse(raw, float64=True)
    wanted = [int(name.removeprefix("x")) for name in recipe.features if name[1:].isdigit()]
    if len(wanted) < len(recipe.features):
        raise ShapeError(f"{raw.name}: the model was not made from a sparse file.")
    X.resize((X.shape[0], max(X.shape[1], max(wanted) + 1)))
    X, _ = recipe.transform(X[:, wanted], recipe.features)
    return FileForModel(
        raw.name,
        lambda: iter([pa.table({"label": y})]),
        lambda table, _: DataForModel(X, np.arange(len(y)), table),
    )


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
                f"{source.name}: column {name!r} holds {kind}, but the model needs dates."
            )
    if recipe.formula is None:
        aside = {*recipe.levels, *recipe.dates}
        refuse_text(source, [name for name in recipe.needed if name not in aside])
    made = recipe.filled(recipe.with_dates(source))
    keep = np.ones(source.table.num_rows, dtype=np.bool_)
    if drop_missing:
        for mask in missing_mask(made, recipe.features).values():
            keep &= ~mask
    else:
        rows_without_missing(made, recipe.features, keep, False)
    rows = np.flatnonzero(keep)
    if not len(rows):
        return DataForModel(np.empty((0, 0)), rows, source.table)
    made = made if keep.all() else made.take(rows)
    return DataForModel(recipe.apply(made, unknown=unknown), rows, source.table)


class Predictions:
    """The rows of a file with `predicted` and `score` beside them (null where a value lacked).

    `score` is positive for the class that is +1; with more than two classes each has its own.
    `tables` yields them, and counts meanwhile: how many rows, how many of each class, how many
    without a prediction, and how many `errors`, rows whose label is another, where the file has
    labels.
    """

    def __init__(self, model: Model, file: FileForModel, probable: bool) -> None:
        self.source, self.n, self.without = file.name, 0, 0
        self.errors: int | None = 0
        self._model, self._file, self._probable = model, file, probable
        self._counts: Counter[Any] = Counter()

    @property
    def counts(self) -> dict[str, int]:
        """How many rows are of each class."""
        return {str(name): self._counts[name] for name in sorted(self._counts)}

    def texts(self) -> Iterator[Any]:
        """The tables of the file, and the classes."""
        yield pa.table({"predicted": [str(name) for name in self._model.about["classes"]]})
        yield from self._file.tables()

    def tables(self) -> Iterator[Any]:
        """The file's columns with those that are predicted."""
        model, about = self._model, self._model.about
        for data in self._file:
            n = len(data.rows)
            X = data.X if n else np.zeros((1, model.estimator.n_features_in_))
            predicted = np.asarray(model.estimator.predict(X))[:n]
            if about.get("signs"):
                predicted = np.where(predicted > 0, about["classes"][1], about["classes"][0])
            decision = np.asarray(model.estimator.decision_function(X))[:n]
            columns = {"predicted": predicted, **_scores(model, decision)}
            if self._probable:
                columns |= _probabilities(model, decision)
            self.n += data.columns.num_rows
            self.without += data.columns.num_rows - len(data.rows)
            self._counts.update(predicted.tolist())
            errors = _errors(data, about.get("label"), about.get("classes"), predicted)
            if errors is None or self.errors is None:
                self.errors = None
            else:
                self.errors += errors
            yield _beside(data, columns)


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
    if probable and "calibration" not in about:
        raise OptionError(
            "the model gives scores, and no probabilities: fit it with --holdout and --calibrate."
        )
    recipe = FeatureRecipe.from_dict(about["recipe"])
    data = read_for_model(file, recipe, layout, drop_missing=drop_missing, unknown=unknown)
    return Predictions(model, data, probable)


def _probabilities(model: Model, decision: NDArray[Any]) -> dict[str, NDArray[Any]]:
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


def _errors(data: DataForModel, label: Any, classes: Any, predicted: NDArray[Any]) -> int | None:
    """How many labels differ, if the file has them and they are of the model's classes."""
    if label not in data.columns.column_names:
        return None
    truth = data.columns.column(label).take(pa.array(data.rows)).combine_chunks()
    if pa.types.is_dictionary(truth.type):
        truth = truth.dictionary_decode()
    encoded = truth.dictionary_encode()
    given = np.array([str(value) for value in encoded.dictionary.to_pylist()])
    if encoded.null_count or not {str(name) for name in classes}.issuperset(given.tolist()):
        return None
    return int(np.count_nonzero(given[as_numpy(encoded.indices)] != predicted.astype(str)))
