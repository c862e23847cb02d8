"""Rows kept aside for a test, each class in its share."""

import numpy as np

from novikoff.data.table import Table
from novikoff.errors import OptionError

__all__ = ["held_out"]


def held_out(table: Table, share: float, seed: int = 0) -> tuple[Table, Table]:
    """The table in two: to learn from, and (this share of each class) to test on."""
    from sklearn.model_selection import train_test_split

    if not 0 < share < 1:
        raise OptionError(f"holdout: a share between 0 and 1 is needed; got {share}.")
    try:
        train, test = train_test_split(
            np.arange(table.n), test_size=share, stratify=table.y, random_state=seed
        )
    except ValueError as error:
        raise OptionError(f"holdout {share} of {table.n} rows: {error}") from error
    return table.part(np.sort(train)), table.part(np.sort(test))
