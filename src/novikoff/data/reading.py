"""`novikoff.read`: from a file to labelled points."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, cast

from novikoff.core.options import Format
from novikoff.data.arrays import read_arrow, read_frame, read_npy, read_npz, read_parquet
from novikoff.data.columns import Column, FileLayout, ReadOptions, choose
from novikoff.data.datasets import LABEL, dataset_source
from novikoff.data.delimited import read_delimited
from novikoff.data.source import InputFile, Source, open_raw
from novikoff.data.svmlight import read_svmlight
from novikoff.data.table import Table
from novikoff.errors import OptionError

__all__ = ["FileLayout", "format_of", "load_source", "read", "read_chosen", "read_source"]

BUILT_IN = "dataset:"


class Reader(NamedTuple):
    """How files of a kind are recognised, by their ending or their first bytes, and read.

    An svmlight file has no columns to choose from: it is read as a matrix (`read_svmlight`).
    """

    suffixes: tuple[str, ...]
    magic: bytes | None
    read: Callable[[InputFile, FileLayout], Source] | None


def _read_text(raw: InputFile, layout: FileLayout) -> Source:
    return read_delimited(
        raw,
        delimiter=layout.delimiter,
        header=layout.header,
        encoding=layout.encoding,
        missing=tuple(layout.missing),
    )


READERS: dict[Format, Reader] = {
    "csv": Reader((), None, _read_text),
    "parquet": Reader((".parquet", ".pq"), b"PAR1", lambda raw, _: read_parquet(raw)),
    "arrow": Reader(
        (".arrow", ".feather", ".ipc", ".arrows"), b"ARROW1", lambda raw, _: read_arrow(raw)
    ),
    "svmlight": Reader((".svm", ".svmlight", ".libsvm"), None, None),
    "npy": Reader((".npy",), b"\x93NUMPY", lambda raw, _: read_npy(raw)),
    "npz": Reader((".npz",), b"PK\x03\x04", lambda raw, _: read_npz(raw)),
}


def format_of(raw: InputFile, format: str | None = None) -> str:  # noqa: A002
    """What kind of file it is: as the user says, by its ending, by its first bytes, else text."""
    if format is not None:
        if format not in READERS:
            raise OptionError(f"format must be one of {', '.join(READERS)}; got {format!r}.")
        return format
    for kind, reader in READERS.items():
        if raw.suffix in reader.suffixes:
            return kind
    head = raw.head(8)
    known = ((kind, reader.magic) for kind, reader in READERS.items() if reader.magic is not None)
    return next((kind for kind, magic in known if head.startswith(magic)), "csv")


def load_source(raw: InputFile, layout: FileLayout) -> Source:
    """The columns of a file of any kind but svmlight, which has none to name."""
    read = READERS[cast("Format", format_of(raw, layout.format))].read
    if read is None:
        raise OptionError(f"{raw.name}: an svmlight file has no columns to choose from.")
    return read(raw, layout)


def read_source(source: str, layout: FileLayout) -> Source:
    """The columns of a file, or of a built-in data set."""
    if source.startswith(BUILT_IN):
        return dataset_source(source.removeprefix(BUILT_IN))
    return load_source(open_raw(source), layout)


def read(
    source: str | os.PathLike[str] | Any,
    *,
    label: Column | None = None,
    features: Sequence[Column] | None = None,
    drop: Sequence[Column] = (),
    positive: object = None,
    classes: Sequence[object] | None = None,
    categorical: Sequence[Column] | Literal["auto"] = (),
    drop_missing: bool = False,
    formula: str | None = None,
    weights: Column | None = None,
    standardise: bool = False,
    degree: int = 1,
    float64: bool = False,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    header: bool = True,
    encoding: str | None = None,
    missing: Sequence[str] = (),
) -> Table:
    r"""Read labelled points from a file, from standard input (`-`) or from a DataFrame.

    Parameters
    ----------
    source
        CSV or TSV (also .gz and .zst), Parquet, Arrow or Feather, svmlight, .npy or .npz; or
        anything that speaks Arrow: a pandas or polars DataFrame, an Arrow table; or a built-in
        data set, `"dataset:xor"`.
    label
        The column of the labels (by number where the file gives no names).
    features, drop
        The columns to use (default: all others), and columns to leave out.
    positive
        Which label is +1 (default: the greater of two). With more than two labels: this one
        against the rest.
    classes
        Two labels to keep; the rows of others are left out.
    categorical
        Columns to code as categories: a column of 0 and 1 for each value but the first; "auto"
        for all columns of text.
    drop_missing
        Leave out rows with missing values; otherwise these are an error that counts them.
    formula
        `"HG ~ NV + PI + C(EH)"`, through formulaic, instead of label and features. A formula is
        code: never pass on a stranger's.
    weights
        A column of counts or weights; rows of weight 0 are left out.
    standardise, degree
        Give each column mean 0 and deviation 1, then add all products of up to `degree` columns.
    float64
        Take the nearest float64 for each number; otherwise one that float64 would round is an
        error that names its row and column.
    format, delimiter, header, encoding, missing
        How the file is written, where its name and its first bytes do not say: one of csv,
        parquet, arrow, svmlight, npy, npz; the delimiter; whether the first line has names; the
        encoding (default UTF-8); texts that mean a missing value, besides the usual ones.

    Returns
    -------
    Table
        `X`, `y`, `names`, `classes`, `weights`, `decimals`, and `notes` on what was done.

    Examples
    --------
    >>> from pathlib import Path
    >>> import novikoff
    >>> _ = Path("towns.csv").write_text("size,kind\n1.5,small\n2.1,small\n7,large\n")
    >>> novikoff.read("towns.csv", label="kind").X.tolist()
    [[1.5], [2.1], [7.0]]
    """
    layout = FileLayout(format, delimiter, header, encoding, missing)
    choice = ReadOptions(
        label, features, drop, positive, classes, categorical, drop_missing, formula, weights,
        standardise, degree, float64, layout,
    )  # fmt: skip
    return read_chosen(source, choice)


def read_chosen(source: str | os.PathLike[str] | Any, choice: ReadOptions) -> Table:
    """`read`, with all that is said about the file and its columns in one object."""
    if not isinstance(source, (str, os.PathLike)):
        return choose(read_frame(source), choice)
    if str(source).startswith(BUILT_IN):
        if choice.label is None and choice.formula is None:
            choice = replace(choice, label=LABEL)
        return choose(dataset_source(str(source).removeprefix(BUILT_IN)), choice)
    raw = open_raw(source)
    if format_of(raw, choice.layout.format) == "svmlight":
        return read_svmlight(raw, choice)
    return choose(load_source(raw, choice.layout), choice)
