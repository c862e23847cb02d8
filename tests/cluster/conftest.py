"""A cluster of two real processes for a module, and data that is cut into partitions."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client() -> "Iterator[distributed.Client]":
    """Two workers in processes of their own; every wait of the client ends within a minute."""
    quiet = {"distributed.comm.timeouts.connect": "10s", "novikoff.patience": 60}
    with (
        dask.config.set(quiet),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
