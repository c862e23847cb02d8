"""`novikoff.read`: from a file to labelled points."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa

from novikoff.core.options import Format
from novikoff.data.arrays import read_arrow, read_frame, read_npy, read_npz, read_parquet
from novikoff.data.columns import choose
from novikoff.data.datasets import LABEL, dataset_source
from novikoff.data.delimited import read_delimited
from novikoff.data.jsonlines import read_json_lines
from novikoff.data.options import FileLayout, ReadOptions, takes
from novikoff.data.source import InputFile, Source, open_raw
from novikoff.data.svmlight import read_svmlight
from novikoff.data.table import Table
from novikoff.errors import DataError, FileError, OptionError

BUILT_IN = "dataset:"


class Reader(NamedTuple):
    """How files of a kind are recognised, by their ending or their first bytes, and read.

    An svmlight file has no columns to choose from: it is read as a matrix (`read_svmlight`).
    """

    suffixes: tuple[str, ...]
    magic: bytes | None
    read: Callable[[InputFile, FileLayout], Source] | None


READERS: dict[Format, Reader] = {
    "csv": Reader((), None, read_delimited),
    "jsonl": Reader((".jsonl", ".ndjson", ".json"), b"{", read_json_lines),
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


def files_in(folder: Path, layout: FileLayout) -> tuple[list[InputFile], str]:
    """The files of a folder in the order of their names, and their kind; hidden ones are not.

    Where there are Parquet files, the others are passed over.
    """
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    shown = [path for path in found if path.name[0] not in "._"]
    parquet = [path for path in shown if path.suffix in READERS["parquet"].suffixes]
    files = [open_raw(path) for path in parquet or shown]
    if not files:
        raise FileError(f"{folder}: no files in this folder.")
    kinds = {format_of(raw, layout.format): raw.name for raw in files}
    if len(kinds) > 1:
        (one, first), (other, second) = list(kinds.items())[:2]
        raise FileError(f"{folder}: {first} is {one}, {second} is {other}: one kind is needed.")
    return files, next(iter(kinds))


def _joined(sources: Sequence[Source], folder: str) -> Source:
    """The rows of several files, one after the other, in the columns of the first."""
    first = sources[0]
    for source in sources:
        for name in first.names:
            source.resolve(name, f"a column of {first.name}")
    tables = [source.table.select(first.names) for source in sources]
    try:
        table = pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise DataError(f"{folder}: a column is not the same in all files: {reason}.") from error
    starts = np.cumsum([0, *(part.num_rows for part in tables)])

    def place(row: int) -> str:
        k = int(np.searchsorted(starts, row, side="right")) - 1
        return f"{sources[k].place(row - int(starts[k]))} of {sources[k].name}"

    def written(names: Sequence[str]) -> dict[str, Any]:
        parts = [source.written(names) if source.written else {} for source in sources]
        texts: dict[str, list[Any]] = {}
        for name in {name for part in parts for name in part}:
            columns = zip(parts, sources, strict=True)
            texts[name] = [
                part[name] if name in part else one.column(name).cast(pa.string())
                for part, one in columns
            ]
        return {name: pa.concat_arrays(columns) for name, columns in texts.items()}

    return replace(
        first,
        table=table,
        name=folder,
        place=place,
        written=written if any(source.written for source in sources) else None,
        decimals=all(source.decimals for source in sources),
        has_long_numbers=any(source.has_long_numbers for source in sources),
    )


def read_source(source: str, layout: FileLayout) -> Source:
    """The columns of a file, or of a built-in data set."""
    if source.startswith(BUILT_IN):
        return dataset_source(source.removeprefix(BUILT_IN))
    folder = Path(source)
    if source and folder.is_dir():
        files, _ = files_in(folder, layout)
        return _joined([load_source(raw, layout) for raw in files], source)
    return load_source(open_raw(source), layout)


@takes(ReadOptions)
def read(source: str | os.PathLike[str] | Any, options: ReadOptions) -> Table:
    r"""Read labelled points from a file, from standard input (`-`) or from a DataFrame.

    Parameters
    ----------
    source
        CSV, TSV or JSON lines (also .gz and .zst), Parquet, Arrow or Feather, svmlight, .npy or
        .npz; or a folder of such files of one kind, one after the other by their names; or
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
    dates
        Make numbers of columns of dates (ISO 8601): "ordinal", the days since 1970, or "parts",
        columns of year, month, day and weekday (and of hour, minute and second).
    drop_missing
        Leave out rows with missing values; otherwise these are an error that counts them.
    impute, missing_indicator
        Fill missing values instead: with the "mean", "median" or "mode" of the column, or with
        "constant:V". A column of categories takes its mode. The indicator adds a column of 0 and 1
        for each column with missing values.
    formula
        `"HG ~ NV + PI + C(EH)"`, through formulaic, instead of label and features. A formula is
        code: use only those you trust.
    weights
        A column of counts or weights; rows of weight 0 are left out.
    standardise, degree
        Give each column mean 0 and deviation 1, then add all products of up to `degree` columns.
    float64
        Take the nearest float64 for each number; otherwise one that float64 would round is an
        error that names its row and column.
    format, delimiter, header, encoding, missing, decimal
        How the file is written, where its name and its first bytes do not say: one of csv,
        jsonl, parquet, arrow, svmlight, npy, npz; the delimiter; whether the first line has
        names; the encoding (default UTF-8); texts that mean a missing value, besides the usual
        ones; what stands before the decimals of a number ("," for 1,5).

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
    return read_chosen(source, options)


def read_chosen(source: str | os.PathLike[str] | Any, choice: ReadOptions) -> Table:
    """`read`, with all that is said about the file and its columns in one object."""
    if not isinstance(source, (str, os.PathLike)):
        return choose(read_frame(source), choice)
    if str(source).startswith(BUILT_IN) and choice.label is None and choice.formula is None:
        choice = replace(choice, label=LABEL)
    if str(source).startswith(BUILT_IN) or (str(source) and Path(source).is_dir()):
        return choose(read_source(str(source), choice), choice)
    raw = open_raw(source)
    if format_of(raw, choice.format) == "svmlight":
        return read_svmlight(raw, choice)
    return choose(load_source(raw, choice), choice)
