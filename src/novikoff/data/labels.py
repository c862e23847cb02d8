"""Which column is the label, which of its values is +1, and which rows stay."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff.core.options import names_label
from novikoff.data.options import ReadOptions
from novikoff.data.source import Source, as_numpy, list_names, quote
from novikoff.errors import LabelError, OptionError


@dataclass(frozen=True)
class Labels:
    """Labels a row, the classes (of two, the last is +1), and which rows have one of them."""

    y: NDArray[Any]
    classes: tuple[Any, ...]
    keep: NDArray[np.bool_]


def labels_of(source: Source, label: str, choice: ReadOptions) -> Labels:
    """The labels of a column, as they are written there; missing ones are an error that counts."""
    encoded = source.column(label)
    if pa.types.is_temporal(encoded.type) and source.written is not None:
        encoded = source.written([label])[label]  # a label is what stands there, not its date
    if not hasattr(encoded, "dictionary"):
        encoded = pc.dictionary_encode(encoded)
    codes = as_numpy(encoded.indices)
    if encoded.indices.null_count:  # NumPy has no missing integers: they come as NaN
        codes = np.where(np.isnan(codes), -1, codes).astype(np.int64)
    values = np.asarray(encoded.dictionary.to_pylist())
    if values.dtype == object:  # dates, times, decimals
        values = np.asarray([str(value) for value in values.tolist()])
    here = codes >= 0
    if values.dtype.kind == "f":
        here &= np.isin(codes, np.flatnonzero(np.isfinite(values)))
    if not here.all() and not choice.drop_missing:
        raise LabelError(
            f"{source.name}: column {label!r} has {np.count_nonzero(~here)} missing labels, the "
            f"first at {source.place(int(np.argmin(here)))}: correct them, or leave those rows out "
            "(drop_missing, --drop-missing)."
        )
    if not here.any():
        raise LabelError(f"{source.name}: column {label!r} has no labels at all.")
    found = values[np.unique(codes[here])]
    where = f"{source.name}: column {label!r}"
    y = np.take(values, codes)
    return choose_classes(y, here, found, choice, where)


def choose_classes(
    y: NDArray[Any], keep: NDArray[np.bool_], found: NDArray[Any], choice: ReadOptions, where: str
) -> Labels:
    """Keep two classes of many, or set one against the rest, and put the positive one last."""
    found, classes, positive = np.unique(found), choice.classes, choice.positive
    if classes is not None:
        if len(classes) != 2:
            raise OptionError(f"classes names two labels; got {len(classes)}: {list(classes)!r}.")
        found = np.unique([_match(value, found, where, "classes") for value in classes])
        keep = keep & np.isin(y, found)
    if len(found) == 1:
        raise LabelError(
            f"{where} has one class only, {quote(found[0].item())}: "
            "two are needed to separate them."
        )
    names = tuple(value.item() for value in found)
    if positive is None:
        return Labels(y, names, keep)
    plus = _match(positive, found, where, "positive")
    if len(names) == 2:
        minus = names[0] if names[1] == plus else names[1]
        return Labels(y, (minus, plus), keep)
    others = rest(plus)
    return Labels(np.where(y == plus, str(plus), others), (others, str(plus)), keep)


def rest(positive: object) -> str:
    """What the other classes are called, together, when one is set against them."""
    return f"not {positive}"


def _match(value: object, found: NDArray[Any], where: str, option: str) -> Any:
    """The label that `value` names: itself, or what is written like it on a command line."""
    for label in found.tolist():
        if names_label(value, label):
            return label
    shown = list_names([str(label) for label in found.tolist()])
    raise LabelError(f"{where} has no label {quote(value)} ({option}); there are {shown}.")
