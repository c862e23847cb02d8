"""Is this Dask's, and which cluster is at hand? Asked without loading Dask for those without it."""

import sys
from typing import Any

from novikoff.errors import ClusterError, MissingDependencyError

__all__ = ["client_at_hand", "is_dask", "needed_client"]


def is_dask(X: object) -> bool:
    """Whether `X` is a Dask array, dataframe or series."""
    if "dask" not in sys.modules:  # then nobody can have made one
        return False
    from dask import is_dask_collection

    return bool(is_dask_collection(X))


def client_at_hand() -> Any | None:
    """The `Client` that the user has made last and not closed, or None."""
    if "distributed" not in sys.modules:
        return None
    from distributed import default_client

    try:
        return default_client()
    except ValueError:
        return None


def needed_client() -> Any:
    """The user's `Client`; an error that says how to make one."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            "Dask's scheduler is needed for Dask data: pip install 'novikoff[dask]'."
        ) from error
    client = client_at_hand()
    if client is None:
        raise ClusterError(
            "Dask data is worked on by a cluster, and no Client is at hand: make one first, with "
            "dask.distributed.Client() for this machine or Client('tcp://…') for a cluster."
        )
    return client
