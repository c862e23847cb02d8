"""Write columns to a CSV or Parquet file, and split rows into training and test, class by class."""

import csv
import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from novikoff.core.files import replace_whole
from novikoff.data.features import is_text
from novikoff.data.scans.columns import Scan
from novikoff.data.source import joined
from novikoff.data.table import Table
from novikoff.errors import OptionError

T = TypeVar("T", Table, Scan)
ROW_GROUP = 1 << 17  # rows of a Parquet file that are kept together


def held_out(data: T, share: float, seed: int = 0) -> tuple[T, T]:
    """The rows in two: to learn from, and (this share of each class) to test on."""
    from sklearn.model_selection import train_test_split

    if not 0 < share < 1:
        raise OptionError(f"holdout: a share between 0 and 1 is needed; got {share}.")
    labels = data.y if isinstance(data, Table) else data.label_places()
    try:
        train, test = train_test_split(
            np.arange(len(labels)), test_size=share, stratify=labels, random_state=seed
        )
    except ValueError as error:
        raise OptionError(f"holdout {share} of {len(labels)} rows: {error}") from error
    return data.part(np.sort(train)), data.part(np.sort(test))


def write_columns(
    tables: Iterable[Any], path: str | os.PathLike[str], texts: Iterable[Any]
) -> None:
    """Write Arrow tables, one below the other: `.parquet` or text, with tabs for `.tsv`.

    `-` is standard output. `texts` are tables whose texts say whether text needs quotes.
    """
    if str(path) == "-":
        _write_text(tables, sys.stdout.buffer, ",", texts)
        return
    suffix = Path(path).suffix.lower()
    if suffix not in (".csv", ".tsv", ".parquet", ".pq", ""):
        raise OptionError(f"{path}: the ending must be .csv, .tsv or .parquet.")
    with replace_whole(path) as temporary:
        if suffix in (".parquet", ".pq"):
            import pyarrow.parquet as pq

            writer = None
            for table in joined(tables, ROW_GROUP):
                writer = writer or pq.ParquetWriter(temporary, table.schema)
                writer.write_table(table)
            if writer is not None:
                writer.close()
        else:
            with temporary.open("wb") as file:
                _write_text(tables, file, "\t" if suffix == ".tsv" else ",", texts)


def _write_text(tables: Iterable[Any], file: Any, delimiter: str, texts: Iterable[Any]) -> None:
    import pyarrow.csv as arrow_csv

    # Arrow quotes all texts, or none.
    quoting = "needed" if any(_needs_quotes(table, delimiter) for table in texts) else "none"
    options = arrow_csv.WriteOptions(
        include_header=False, delimiter=delimiter, quoting_style=quoting
    )
    for k, table in enumerate(tables):
        if k == 0:  # Arrow puts every name of a header into quotes, needed or not.
            header = io.StringIO()
            csv.writer(header, delimiter=delimiter, lineterminator="\n").writerow(
                table.column_names
            )
            file.write(header.getvalue().encode())
        arrow_csv.write_csv(table, file, options)


def _needs_quotes(table: Any, delimiter: str) -> bool:
    """Whether a text is empty or holds what divides fields."""
    import pyarrow.compute as pc

    for column in table.columns:
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        if is_text(kind):
            texts = column.cast(kind)
            if pc.any(pc.match_substring_regex(texts, f'["\\r\\n{delimiter}]|^$')).as_py():
                return True
    return False
