"""`novikoff.data.scan`: labelled points read in batches, for data that does not fit in memory."""

import os
from pathlib import Path

from novikoff.core.options import check_count
from novikoff.data.options import FileLayout, ScanOptions, takes
from novikoff.data.reading import BUILT_IN, files_in, format_of
from novikoff.data.scans.blocks import ArrowBlocks, Blocks, FolderBlocks, NpyBlocks, ParquetBlocks
from novikoff.data.scans.columns import Scan
from novikoff.data.scans.csv import CsvBlocks, JsonBlocks
from novikoff.data.scans.sparse import SparseScan
from novikoff.data.source import InputFile, open_raw
from novikoff.errors import OptionError


@takes(ScanOptions)
def scan(source: str | os.PathLike[str], options: ScanOptions) -> Scan | SparseScan:
    r"""Labelled points from a file that need not fit in memory, read in batches.

    Parameters
    ----------
    source
        Parquet; CSV, TSV or JSON lines (also .gz and .zst); Arrow or Feather; svmlight; .npy; or a
        folder of such files of one kind (but svmlight), read in the order of their names.
    label, features, drop, positive, classes, categorical, dates
        As in `read`.
    drop_missing, impute, missing_indicator
        As in `read`; what fills a cell is found in a pass, a median in five.
    formula, weights, standardise, degree, float64
        As in `read`; a formula may use columns, `C(column)`, logarithms, roots and products, whose
        values depend on one row each. It is code: never pass on a stranger's.
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
    return open_scan(source, options)


def open_scan(source: str | os.PathLike[str], options: ScanOptions) -> Scan | SparseScan:
    """`scan`, with all that is said about the file and its columns in one object."""
    check_count("batch_rows", options.batch_rows)
    if not isinstance(source, (str, os.PathLike)):
        raise OptionError(f"a {type(source).__name__} is in memory already: use novikoff.read.")
    if str(source).startswith(BUILT_IN):
        raise OptionError(f"{source}: it is small: use novikoff.read.")
    path = Path(source)
    if str(source) and path.is_dir():  # Path("") is the folder that one is in
        files, kind = files_in(path, options)
        if kind == "parquet":
            return Scan(ParquetBlocks([str(raw.path) for raw in files]), str(path), options)
        if kind == "svmlight":
            raise OptionError(f"{path}: a folder of svmlight files cannot be scanned: join them.")
        parts = [_blocks_of(raw, kind, options) for raw in files]
        return Scan(FolderBlocks(parts), str(path), options)
    raw = open_raw(source)
    if raw.path is None:
        raise OptionError(f"{raw.name}: it can be read only once: save it to a file, or use read.")
    kind = format_of(raw, options.format)
    if kind == "svmlight":
        return SparseScan(raw, options)
    return Scan(_blocks_of(raw, kind, options), raw.name, options)


def _blocks_of(raw: InputFile, kind: str, layout: FileLayout) -> Blocks:
    """The blocks of a file of this kind."""
    assert raw.path is not None
    if kind == "csv":
        return CsvBlocks(raw, layout)
    if kind == "jsonl":
        return JsonBlocks(raw)
    if raw.compression is not None:
        raise OptionError(f"{raw.name}: compressed, and only text can be scanned so.")
    if kind == "parquet":
        return ParquetBlocks([raw.path])
    if kind == "arrow":
        return ArrowBlocks(raw.path)
    if kind == "npy":
        return NpyBlocks(raw.path)
    raise OptionError(f"{raw.name}: a {kind} file cannot be scanned; use novikoff.read.")
