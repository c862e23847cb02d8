"""What goes wrong on clusters: the answer is the same, or the error is clear; nothing hangs."""

import os
import signal
import subprocess
import sys
import threading
import time

import dask
import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster
from tests.cluster.cases import points, two_workers

import novikoff
from novikoff import Perceptron
from novikoff.errors import ClusterError
from novikoff.learners.distributed import sequential as walking
from novikoff.matrix.dask.executor import DaskExecutor

# Sockets of processes that were killed are left to the collector, by Dask.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

X, Y = points(n=400, margin=0.01, seed=3)


def learned(client, **options):
    """A run of some length, on partitions whose graph can be computed again."""
    unit = Perceptron(**options).fit(da.from_array(X, chunks=(100, 4)), Y)
    return unit.coef_.tobytes(), unit.n_mistakes_, unit.n_errors_


@pytest.fixture(scope="module")
def expected():
    unit = Perceptron().fit(X, Y)
    return unit.coef_.tobytes(), unit.n_mistakes_, 0


def kill_a_worker(client):
    """SIGKILL to the first worker, whatever it is doing."""
    pids = client.run(os.getpid)
    os.kill(pids[min(pids)], signal.SIGKILL)


SOAKED = [
    pytest.param(what, marks=pytest.mark.soak)
    for what in ("describe", "bring-near-rows", "certify")
]


@pytest.mark.parametrize("what", ["walk", *SOAKED])
def test_a_worker_killed_in_the_middle_of_a_pass(client, monkeypatch, expected, what):
    two_workers(client)
    wait, killed = DaskExecutor._wait, []

    def wait_and_kill(self, futures, name):
        if name == what and not killed:
            killed.append(name)
            kill_a_worker(client)
        wait(self, futures, name)

    monkeypatch.setattr(DaskExecutor, "_wait", wait_and_kill)
    monkeypatch.setattr(walking, "best_reach", lambda spread, pace, row_bytes: 2 * pace)
    assert learned(client) == expected
    assert killed == [what]


def test_a_worker_killed_while_partitions_learn_and_are_mixed(client, monkeypatch):
    """Once in the first epoch, and once more in a later one, when weights are mixed already."""
    two_workers(client)
    expected = learned(client, strategy="mixing")
    assert expected[-1] == 0
    wait, epochs, killed = DaskExecutor._wait, [], []

    def wait_and_kill(self, futures, name):
        if name == "mix":
            epochs.append(name)
            if len(epochs) in (1, 3):
                two_workers(client)
                kill_a_worker(client)
                killed.append(len(epochs))
        wait(self, futures, name)

    monkeypatch.setattr(DaskExecutor, "_wait", wait_and_kill)
    assert learned(client, strategy="mixing") == expected
    assert killed == [1, 3]


def failing(block, path, times):
    """A partition that cannot be read the first few times."""
    if block.size and block.flat[0] == X[100, 0]:
        tries = len(os.listdir(path))
        if tries < times:
            (path / str(tries)).touch()
            raise OSError("the disk was away")
    return block


def test_a_partition_that_fails_to_read_once_is_read_again(client, expected, folder):
    parts = da.from_array(X, chunks=(100, 4)).map_blocks(failing, folder, 1, meta=np.empty((0, 0)))
    unit = Perceptron().fit(parts, Y)
    assert len(os.listdir(folder)) == 1
    assert (unit.coef_.tobytes(), unit.n_mistakes_, unit.n_errors_) == expected


def test_a_partition_that_never_can_be_read_is_an_error(client, folder):
    parts = da.from_array(X, chunks=(100, 4)).map_blocks(failing, folder, 99, meta=np.empty((0, 0)))
    with pytest.raises(ClusterError, match="the disk was away"):
        Perceptron().fit(parts, Y)


def greedy(block, path):
    """A partition that takes more memory than its worker has, the first time."""
    if block.size and block.flat[0] == X[100, 0] and not os.listdir(path):
        (path / "tried").touch()
        hoard = []
        for _ in range(300):
            hoard.append(np.ones(1 << 22))  # 32 MB, touched
            time.sleep(0.05)
    return block


@pytest.mark.soak
def test_a_worker_out_of_memory_is_restarted(expected, folder):
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, memory_limit="1500MB", dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        first = set(client.run(os.getpid).values())
        parts = da.from_array(X, chunks=(100, 4)).map_blocks(greedy, folder, meta=np.empty((0, 0)))
        unit = Perceptron().fit(parts, Y)
        assert set(client.run(os.getpid).values()) != first
        assert (unit.coef_.tobytes(), unit.n_mistakes_, unit.n_errors_) == expected


CLIENT = """
import sys, warnings
import dask.array as da, numpy as np
from distributed import Client
import novikoff
from novikoff import Perceptron
with Client(sys.argv[1]):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((2000, 4)), rng.integers(0, 2, 2000)
    print("connected", flush=True)
    Perceptron(max_iter=10**9).fit(da.from_array(X, chunks=(500, 4)), y)
"""


def tasks_wanted_by_others(dask_scheduler, us):
    """Tasks that the scheduler keeps for clients other than this one."""
    clients = [state for name, state in dask_scheduler.clients.items() if name != us]
    return sum(len(state.wants_what) for state in clients)


def until(condition, seconds=60):
    """Wait for it, but not for ever."""
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "it never happened"
        time.sleep(0.1)


def test_a_client_that_dies_leaves_nothing_behind(client, expected):
    command = [sys.executable, "-W", "ignore", "-c", CLIENT, client.scheduler.address]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "connected\n"
        until(lambda: client.run_on_scheduler(tasks_wanted_by_others, us=client.id) > 0)
    finally:
        process.kill()
        process.communicate(timeout=30)
    until(lambda: client.run_on_scheduler(tasks_wanted_by_others, us=client.id) == 0)
    assert learned(client) == expected


def test_a_client_that_disconnects_is_an_error(client):
    rng = np.random.default_rng(0)
    noise = da.from_array(rng.standard_normal((400, 4)), chunks=(100, 4))
    with Client(client.scheduler.address) as other:
        closing = threading.Timer(3.0, other.close)
        closing.start()
        try:
            with pytest.raises(ClusterError, match=r"Client|client"):
                Perceptron(max_iter=10**9).fit(noise, rng.integers(0, 2, 400))
        finally:
            closing.join()


def test_a_cluster_without_workers_is_an_error():
    with (
        dask.config.set({"novikoff.patience": 2}),
        LocalCluster(n_workers=0, dashboard_address=":0") as cluster,
        Client(cluster) as client,
        pytest.raises(ClusterError, match="no worker for"),
    ):
        learned(client)


@pytest.mark.parametrize(
    ("workers", "processes"), [pytest.param(1, True, marks=pytest.mark.soak), (4, False)]
)
def test_any_number_of_workers_gives_the_same(client, workers, processes, expected):
    two_workers(client)
    mixed = learned(client, strategy="mixing")
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=processes, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as other,
    ):
        assert learned(other) == expected
        assert learned(other, strategy="mixing") == mixed


def test_what_is_asked_after_the_client_is_closed_says_what_to_do(client):
    rows = da.random.default_rng(0).standard_normal((100_000, 180), chunks=(25_000, 180))
    with Client(client.scheduler.address, set_as_default=True):
        verdict = novikoff.separate(rows, da.where(rows[:, 0] + rows[:, 1] ** 3 > 0, 1, -1))
    with pytest.raises(ClusterError, match=r"Client is closed.*inside its with block"):
        verdict.certificate()
