"""`novikoff.data.scan`: labelled points read in batches, for data that does not fit in memory."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from novikoff.core.options import check_count
from novikoff.data.formula import FixedEffect, split_fixed
from novikoff.data.options import FileLayout, ScanOptions, takes
from novikoff.data.reading import BUILT_IN, files_in, format_of
from novikoff.data.scans.blocks import (
    ArrowBlocks,
    Blocks,
    FolderBlocks,
    FrameBlocks,
    NpyBlocks,
    ParquetBlocks,
)
from novikoff.data.scans.columns import Scan
from novikoff.data.scans.csv import CsvBlocks, JsonBlocks
from novikoff.data.scans.sparse import SparseScan
from novikoff.data.source import InputFile, open_raw
from novikoff.errors import OptionError
from novikoff.matrix.dask.inputs import is_dask


@takes(ScanOptions)
def scan(source: Any, options: ScanOptions) -> Scan | SparseScan:
    r"""Labelled points from a file that need not fit in memory, read in batches.

    Parameters
    ----------
    source
        Parquet; CSV, TSV or JSON lines (also .gz and .zst); Arrow or Feather; svmlight; .npy; or a
        folder of such files of one kind (but svmlight), read in the order of their names; or a
        Dask dataframe, a partition at a time.
    label, features, drop, positive, classes, categorical, dates
        As in `read`.
    drop_missing, impute, missing_indicator
        As in `read`; what fills a cell is found in a pass, a median in two to five.
    formula, weights, standardise, degree, float64
        As in `read`; a formula may use columns, `C(column)`, logarithms, roots and products, whose
        values depend on one row each. It is code: use only one you trust. Fixed effects after
        a | become sparse columns, for regressions: `detect_separation` says how to write them.
    format, delimiter, header, encoding, missing, decimal
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
    formula, fixed = options.formula, tuple[FixedEffect, ...]()
    if formula is not None:
        formula, fixed = split_fixed(formula)
    return open_scan(source, replace(options, formula=formula), fixed)


def open_scan(
    source: object, options: ScanOptions, fixed: tuple[FixedEffect, ...] = ()
) -> Scan | SparseScan:
    """`scan`, with all that is said about the file and its columns in one object."""
    check_count("batch_rows", options.batch_rows)
    if is_dask(source):
        return Scan(FrameBlocks(source), "the dataframe", options, fixed)
    if not isinstance(source, (str, os.PathLike)):
        raise OptionError(f"a {type(source).__name__} is in memory already: use novikoff.read.")
    if str(source).startswith(BUILT_IN):
        raise OptionError(f"{source}: it is small: use novikoff.read.")
    if str(source) and Path(source).is_dir():  # Path("") is the folder that one is in
        files, kind = files_in(Path(source), options)
    else:
        files = [open_raw(source)]
        kind = format_of(files[0], options.format)
    if files[0].path is None:
        raise OptionError(
            f"{files[0].name}: it can be read only once: save it to a file, or use read."
        )
    if kind == "svmlight" and len(files) == 1:
        return SparseScan(files[0], options)
    if kind not in SCANNED:
        raise OptionError(
            f"{source}: {kind} cannot be scanned here: use novikoff.read, or join the files."
        )
    if kind not in TEXTS and any(raw.compression is not None for raw in files):
        raise OptionError(f"{source}: compressed, and only text can be scanned compressed.")
    return Scan(_blocks_of(files, kind, options), str(source), options, fixed)


TEXTS, COLUMNAR = ("csv", "jsonl"), ("parquet", "arrow")
SCANNED = (*TEXTS, *COLUMNAR, "npy")


def blocks_of(source: str, layout: FileLayout) -> Blocks | None:
    """The rows of a file or folder in batches, their columns as they are; or None.

    None for what can be read only once, for matrices, and for packed Parquet and Arrow.
    """
    if not source or not Path(source).exists():
        return None
    if Path(source).is_dir():
        files, kind = files_in(Path(source), layout)
    elif Path(source).is_file():
        files = [open_raw(source)]
        kind = format_of(files[0], layout.format)
    else:
        return None
    columnar = kind in COLUMNAR and all(raw.compression is None for raw in files)
    return _blocks_of(files, kind, layout) if columnar or kind in TEXTS else None


def _blocks_of(files: Sequence[InputFile], kind: str, layout: FileLayout) -> Blocks:
    """The blocks of files of this kind."""
    paths = [str(raw.path) for raw in files]
    if kind == "parquet":
        return ParquetBlocks(paths)
    parts: list[Blocks] = []
    for raw, path in zip(files, paths, strict=True):
        if kind == "csv":
            parts.append(CsvBlocks(raw, layout))
        elif kind == "jsonl":
            parts.append(JsonBlocks(raw))
        else:
            parts.append(ArrowBlocks(path) if kind == "arrow" else NpyBlocks(path))
    return parts[0] if len(parts) == 1 else FolderBlocks(parts)
