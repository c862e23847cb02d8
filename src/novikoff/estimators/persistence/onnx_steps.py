"""Steps of a scikit-learn pipeline as ONNX nodes in float64, column by column: the same bits.

Each column is an n × 1 edge of the graph. What computes in float32 in ONNX's own operators for
scikit-learn (Scaler, Imputer) is written here in elementary ones, which runtimes have in float64.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, OneHotEncoder, StandardScaler

from novikoff.errors import OptionError

KNOWN = (
    "ColumnTransformer, MaxAbsScaler, MinMaxScaler, OneHotEncoder, SimpleImputer, StandardScaler"
)


def columns_after(graph: Any, step: Any, columns: list[str], names: Sequence[str]) -> list[str]:
    """The columns that a fitted step makes of these; `names` are what it may call them."""
    if isinstance(step, str) or step is None:
        return [] if step == "drop" else columns
    if isinstance(step, Pipeline):
        for _, part in step.steps:
            columns = columns_after(graph, part, columns, names)
        return columns
    if isinstance(step, ColumnTransformer):
        made = []
        for _, part, chosen in step.transformers_:
            places = places_of(chosen, names)
            own = [names[j] for j in places]
            made += columns_after(graph, part, [columns[j] for j in places], own)
        return made
    rule = {
        SimpleImputer: _imputed,
        StandardScaler: _standardised,
        MinMaxScaler: _in_range,
        MaxAbsScaler: _standardised,
        OneHotEncoder: _one_hot,
    }.get(type(step))
    if rule is None:
        raise OptionError(f"a {type(step).__name__} cannot become ONNX; only {KNOWN} can.")
    return [edge for j, column in enumerate(columns) for edge in rule(graph, step, column, j)]


def places_of(chosen: Any, names: Sequence[str]) -> list[int]:
    """The numbers of the columns that a ColumnTransformer chose."""
    if isinstance(chosen, (str, int)):
        chosen = [chosen]
    every = np.arange(len(names))
    if isinstance(chosen, slice) or np.asarray(chosen).dtype.kind == "b":
        return [int(j) for j in every[chosen]]
    return [names.index(name) if isinstance(name, str) else int(every[name]) for name in chosen]


def text_columns(step: Any, names: Sequence[str]) -> set[str]:
    """The columns that reach an encoder of texts."""
    if isinstance(step, Pipeline):
        return set().union(*(text_columns(part, names) for _, part in step.steps))
    if isinstance(step, ColumnTransformer):
        parts = [(part, [names[j] for j in places_of(own, names)])
                 for _, part, own in step.transformers_]  # fmt: skip
        return set().union(*(text_columns(part, own) for part, own in parts))
    if isinstance(step, OneHotEncoder):
        kinds = zip(names, step.categories_, strict=False)
        return {name for name, found in kinds if found.dtype.kind in "OU"}
    return set()


def _imputed(graph: Any, step: Any, column: str, j: int) -> list[str]:
    value = step.statistics_[j]
    missing = step.missing_values
    is_nan = isinstance(missing, float) and np.isnan(missing)
    if not is_nan or step.add_indicator or not isinstance(value, (int, float)) or np.isnan(value):
        raise OptionError("a SimpleImputer can become ONNX if it fills NaN in columns of numbers.")
    return [graph.add("Where", graph.add("IsNaN", column), graph.constant(float(value)), column)]


def _standardised(graph: Any, step: Any, column: str, j: int) -> list[str]:
    if getattr(step, "mean_", None) is not None and getattr(step, "with_mean", False):
        column = graph.add("Sub", column, graph.constant(float(step.mean_[j])))
    if step.scale_ is not None:
        column = graph.add("Div", column, graph.constant(float(step.scale_[j])))
    return [column]


def _in_range(graph: Any, step: Any, column: str, j: int) -> list[str]:
    if step.clip:
        raise OptionError("a MinMaxScaler that clips cannot become ONNX.")
    scaled = graph.add("Mul", column, graph.constant(float(step.scale_[j])))
    return [graph.add("Add", scaled, graph.constant(float(step.min_[j])))]


def _one_hot(graph: Any, step: Any, column: str, j: int) -> list[str]:
    if getattr(step, "_infrequent_enabled", False):
        raise OptionError("a OneHotEncoder with infrequent categories cannot become ONNX.")
    dropped = None if step.drop_idx_ is None else step.drop_idx_[j]
    double = graph.onnx.TensorProto.DOUBLE
    edges = []
    for k, category in enumerate(step.categories_[j].tolist()):
        if k != dropped:
            value = category if isinstance(category, str) else float(category)
            same = graph.add("Equal", column, graph.constant(np.array([value])))
            edges.append(graph.add("Cast", same, to=double))
    return edges
