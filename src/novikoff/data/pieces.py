"""A scan cut into pieces that other processes read: row groups of Parquet files."""

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.batches import Batch, Piece
from novikoff.data.blocks import ParquetBlocks
from novikoff.data.unchanged import Unchanged

if TYPE_CHECKING:
    from novikoff.data.column_scan import Scan

__all__ = ["PIECE_ROWS", "ScanPiece"]

PIECE_ROWS = 1 << 20  # rows that one process reads together
# What a scan has found out about all its rows, and keeps.
KNOWN = ("_survey", "_typed", "_stayed", "_levels", "_labels", "_first", "recipe", "names",
         "is_integral", "decimals")  # fmt: skip


class ScanPiece(Piece):
    """Some row groups of one file of a scan."""

    def __init__(self, scan: "Scan", blocks: ParquetBlocks) -> None:
        self.scan = copy(scan)
        self.scan.blocks, self.scan.batch_rows = blocks, PIECE_ROWS
        self.scan.files = Unchanged([])  # a copy on another machine may be of another time
        for name in KNOWN:
            self.scan.__dict__.pop(name, None)

    def labels(self) -> Any:
        """How many rows it has, and its labels."""
        return self.scan.survey()

    def levels(self, agreed: Any) -> Any:
        """Its rows that take part, and the values of its columns that are coded."""
        self.scan.take_over(agreed)
        return self.scan.look_at_stayed()

    def whole(self, agreed: Any) -> Batch:
        """All its rows as one batch."""
        self.scan.take_over(agreed)
        batches = list(self.scan.batches())
        if not batches:
            return Batch(np.empty((0, 0)), self.scan.labels[:0], None)
        if len(batches) == 1:
            return batches[0]
        weights = [batch.weights for batch in batches if batch.weights is not None]
        return Batch(
            np.concatenate([batch.X for batch in batches]),
            np.concatenate([batch.y for batch in batches]),
            np.concatenate(weights) if weights else None,
        )
