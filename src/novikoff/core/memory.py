"""Check that so many columns fit in memory, before memory is taken."""

import os
import sys

from novikoff.errors import DataError

SHARE = 0.5  # of the memory, that columns alone may take
UNKNOWN = 1 << 40  # where the system does not say
LITTLE = 1 << 20  # what every machine has: the system is not asked


def refuse_too_wide(columns: int, bytes_each: int, where: str, advice: str) -> None:
    """Raise `DataError` if what is kept for each column would take most of the memory."""
    needed = columns * bytes_each
    if needed > LITTLE and needed > SHARE * _memory():
        raise DataError(
            f"{where} has {columns:,} columns, for which names and weights would take about "
            f"{needed / 1e9:,.0f} GB of memory, more than there is room for: {advice}."
        )


def _memory() -> float:
    """Bytes that this process may have."""
    try:
        most = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        most = UNKNOWN
    if sys.platform != "win32":
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            most = min(most, limit)
    return most
