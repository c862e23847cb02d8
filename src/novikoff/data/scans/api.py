"""`novikoff.data.scan`: labelled points read in batches, for data that does not fit in memory."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from novikoff.core.options import check_count
from novikoff.data.columns import Column, ReadOptions
from novikoff.data.reading import BUILT_IN, FileLayout, format_of
from novikoff.data.scans.blocks import ArrowBlocks, Blocks, NpyBlocks, ParquetBlocks
from novikoff.data.scans.cache import Kept, ScanCache, default_folder
from novikoff.data.scans.columns import Scan
from novikoff.data.scans.csv import CsvBlocks
from novikoff.data.scans.sparse import SparseScan
from novikoff.data.source import InputFile, open_raw
from novikoff.errors import FileError, OptionError

BATCH_ROWS = 1 << 16


def scan(
    source: str | os.PathLike[str],
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
    batch_rows: int = BATCH_ROWS,
    cache: str | os.PathLike[str] | bool = True,
) -> Scan | SparseScan:
    r"""Labelled points from a file that need not fit in memory, read in batches.

    Parameters
    ----------
    source
        A Parquet file, or a folder of them (read in the order of their names); CSV or TSV (also
        .gz and .zst); Arrow or Feather; svmlight; .npy.
    label, features, drop, positive, classes, categorical, drop_missing
        As in `read`.
    formula, weights, standardise, degree, float64
        As in `read`; a formula may use columns, `C(column)`, logarithms, roots and products, whose
        values depend on one row each. It is code: never pass on a stranger's.
    format, delimiter, header, encoding, missing
        As in `read`.
    batch_rows
        How many rows are in memory together; one more batch is read ahead.
    cache
        Where text is kept once it is parsed (`clear_cache()` removes that), and where the numbers
        are for a learner that needs rows in any order, while it learns: a folder, True for the
        usual place (~/.cache/novikoff), False for nowhere.

    Returns
    -------
    Scan
        `for batch in scan` gives `batch.X`, `batch.y`, `batch.weights`; every learner that can
        learn so takes it in place of X and y.

    Examples
    --------
    >>> from pathlib import Path
    >>> from novikoff import Perceptron
    >>> from novikoff.data import scan
    >>> _ = Path("towns.csv").write_text("size,kind\n1.5,small\n2.1,small\n7,large\n")
    >>> batches = scan("towns.csv", label="kind", cache="kept")
    >>> Perceptron().fit(batches).predict([[8.0], [1.0]])
    array(['large', 'small'], dtype='<U5')
    >>> batches.clear_cache()
    """
    check_count("batch_rows", batch_rows)
    choice = ReadOptions(
        label, features, drop, positive, classes, categorical, drop_missing, formula, weights,
        standardise, degree, float64,
    )  # fmt: skip
    layout = FileLayout(format, delimiter, header, encoding, tuple(missing))
    folder = None if cache is False else default_folder() if cache is True else Path(cache)
    if not isinstance(source, (str, os.PathLike)):
        raise OptionError(f"a {type(source).__name__} is in memory already: use novikoff.read.")
    if str(source).startswith(BUILT_IN):
        raise OptionError(f"{source}: it is small: use novikoff.read.")
    path = Path(source)
    if str(source) and path.is_dir():  # Path("") is the folder that one is in
        paths = sorted(str(file) for file in path.rglob("*.parquet"))
        if not paths:
            raise FileError(f"{path}: no .parquet files in this folder.")
        return Scan(ParquetBlocks(paths), str(path), choice, batch_rows, folder)
    raw = open_raw(source)
    if raw.path is None:
        raise OptionError(f"{raw.name}: it can be read only once: save it to a file, or use read.")
    kind = format_of(raw, format)
    if kind == "svmlight":
        kept = None if folder is None else ScanCache(folder, raw.path, [kind, float64])
        return SparseScan(raw, choice, batch_rows, Kept(kept, folder))
    made = Scan(_blocks_of(raw, kind, layout), raw.name, choice, batch_rows, folder)
    if kind == "csv" and folder is not None:
        made.keep_text(folder, raw.path, [delimiter, header, encoding, list(missing)])
    return made


def _blocks_of(raw: InputFile, kind: str, layout: FileLayout) -> Blocks:
    """The blocks of a file of this kind."""
    assert raw.path is not None
    if kind == "csv":
        return CsvBlocks(raw, layout)
    if raw.compression is not None:
        raise OptionError(f"{raw.name}: compressed, and only text can be scanned so.")
    if kind == "parquet":
        return ParquetBlocks([raw.path])
    if kind == "arrow":
        return ArrowBlocks(raw.path)
    if kind == "npy":
        return NpyBlocks(raw.path)
    raise OptionError(f"{raw.name}: a {kind} file cannot be scanned; use novikoff.read.")
