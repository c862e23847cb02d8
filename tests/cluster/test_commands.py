"""`--cluster` as a user types it: a folder of Parquet, checked, learned from and verified there."""

import os
import signal
import subprocess
import sys
import time

import dask
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.shell import inside, novikoff
from tests.cluster.cases import points

from novikoff import load
from novikoff.cli.reading import connected
from novikoff.cli.screen import Screen
from novikoff.errors import ClusterError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_a_folder_is_checked_verified_and_learned_from_on_a_cluster(client, folder):
    X, y = points(n=300)
    table = pa.table({**{f"c{j}": X[:, j] for j in range(4)}, "kind": np.where(y, "yes", "no")})
    (folder / "rows").mkdir()
    for k in range(3):
        pq.write_table(table.slice(100 * k, 100), folder / "rows" / f"{k}.parquet")
    there = ["--cluster", client.scheduler.address]
    done = novikoff("check", "rows", "--label", "kind", "--certificate", "c.json", "--json",
                    *there, folder=folder)  # fmt: skip
    assert done.status == 0, done.err
    assert done.json["verdict"] == "separable"
    assert "2 workers" in done.err
    done = novikoff("verify", "c.json", "rows", *there, folder=folder)
    assert done.status == 0, done.err + done.out
    assert done.out.startswith("valid")
    done = novikoff("fit", "rows", "--label", "kind", "--model", "m", "--json", *there,
                    folder=folder)  # fmt: skip
    assert done.status == 0, done.err
    assert done.json["training"] == {"n": 300, "errors": 0, "accuracy": 1.0}
    assert (load(folder / "m").predict(X) == np.where(y, "yes", "no")).all()


def test_the_workers_are_there_until_all_is_shown(client, folder, monkeypatch):
    """What is shown of rows that are never brought here takes a pass over them."""
    monkeypatch.setattr("novikoff.separability.stages.ALL_AT_ONCE", 100)
    monkeypatch.setattr("novikoff.separability.stages.MANY_ROWS", 50)
    X, y = points(n=300)
    (folder / "rows").mkdir()
    table = pa.table({**{f"c{j}": X[:, j] for j in range(4)}, "kind": y})
    pq.write_table(table, folder / "rows" / "0.parquet", row_group_size=100)
    done = inside("check", folder / "rows", "--label", "kind", "--cluster",
                  client.scheduler.address)  # fmt: skip
    assert done.status == 0, done.err
    assert "separable" in done.out


@pytest.mark.parametrize(
    ("address", "message"),
    [("nowhere", "tcp://HOST:PORT"), ("tcp://127.0.0.1:1", "no scheduler answers")],
)
def test_a_cluster_that_is_not_there(folder, address, message):
    (folder / "rows").mkdir()
    pq.write_table(pa.table({"x": [0.0, 1.0], "y": [0, 1]}), folder / "rows" / "0.parquet")
    done = novikoff("check", "rows", "--label", "y", "--cluster", address, folder=folder,
                    DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT="2s")  # fmt: skip
    assert done.status == 2
    assert message in done.err


def test_a_folder_is_diagnosed_where_it_is(client, folder):
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 2, (90, 3)), rng.integers(0, 2, 90)
    y[X[:, 1] == 1] = 1
    table = pa.table({**{f"c{j}": X[:, j] for j in range(3)}, "kind": np.where(y, "yes", "no")})
    (folder / "rows").mkdir()
    for k in range(3):
        pq.write_table(table.slice(30 * k, 30), folder / "rows" / f"{k}.parquet")
    pq.write_table(table, folder / "all.parquet")
    here = novikoff("diagnose", "all.parquet", "--label", "kind", "--json", folder=folder)
    for options in (["--cluster", client.scheduler.address], []):
        done = novikoff("diagnose", "rows", "--label", "kind", "--certificate", "c.json", "--json",
                        "--force", *options, folder=folder)  # fmt: skip
        assert done.status == 0, done.err
        for name in ("kind", "separated", "coefficients", "directions", "reasons"):
            assert done.json[name] == here.json[name]
        assert done.json["coefficients"]["c1"] == "+∞"
        done = novikoff("verify", "c.json", "rows", *options, folder=folder)
        assert done.status == 0, done.err + done.out
        done = novikoff("verify", "c.json", "all.parquet", folder=folder)
        assert done.status == 0, done.err + done.out
    done = novikoff("diagnose", "rows", "--label", "kind", "--fit", folder=folder)
    assert done.status == 0, done.err
    assert done.out == novikoff(
        "diagnose", "all.parquet", "--label", "kind", "--fit", folder=folder
    ).out  # fmt: skip


def test_a_local_worker_has_time_to_come_back(monkeypatch):
    """Dask gives up a worker that is not back after 15 seconds, which a busy machine needs."""
    found = []

    def cluster(**options):
        found.append(dask.config.get("distributed.deploy.lost-worker-timeout"))
        raise OSError("seen enough")

    monkeypatch.setattr("distributed.LocalCluster", cluster)
    with pytest.raises(ClusterError, match="seen enough"), connected("local", Screen(quiet=True)):
        pass
    assert found == [60]


def test_ctrl_c_ends_a_local_cluster_without_a_traceback(folder):
    (folder / "rows").mkdir()
    X = np.random.default_rng(0).standard_normal((2000, 3))
    columns = {f"x{j}": X[:, j] for j in range(3)}
    table = pa.table({**columns, "y": np.arange(2000) % 2})
    pq.write_table(table, folder / "rows" / "0.parquet")
    command = ["fit", "rows", "--label", "y", "--cluster", "local", "--max-iter", "1000000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "novikoff", *command],
        cwd=folder, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    for line in process.stderr:
        if line.startswith("cluster: "):
            break
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the command
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
