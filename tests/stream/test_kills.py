"""Real processes, killed at random moments: nothing is learned twice or skipped."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.stream.victim import feed_all, settings_of

from novikoff.stream.durable import DurableStream

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def write_input(path, n, by_name, seed=0):
    """Noisy labels, so that there are mistakes to the end; new names now and then."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 4)).round(3)
    y = np.where(X @ rng.standard_normal(4) + rng.standard_normal(n) > 0, 1, -1)
    with path.open("w") as file:
        if not by_name:
            file.write("a,b,c,d,label\n")
        for i, (row, label) in enumerate(zip(X.tolist(), y.tolist(), strict=True)):
            if by_name:
                record = dict(zip("abcd", row, strict=True)) | {"label": label}
                record |= {"town": f"town {i % 50}"} if i % 3 else {}
                file.write(json.dumps(record) + "\n")
            else:
                file.write(",".join(map(str, [*row, label])) + "\n")


def state_of(folder):
    """All that a folder holds, in comparable form."""
    with DurableStream(folder) as stream:
        learner = stream.learner
        arrays = {name: array.tobytes() for name, array in learner._arrays().items()}
        return arrays, learner.names, stream.place, stream.notes


@pytest.mark.parametrize(
    ("kind", "learner", "sync", "deaths"),
    [
        ("csv", "perceptron", 7, 16),
        ("jsonl", "averaged", 5, 16),
        pytest.param("csv", "perceptron", 1, 80, marks=pytest.mark.soak),
        pytest.param("csv", "perceptron", 7, 80, marks=pytest.mark.soak),
        pytest.param("csv", "perceptron", 0, 60, marks=pytest.mark.soak),
        pytest.param("csv", "averaged", 25, 60, marks=pytest.mark.soak),
        pytest.param("csv", "pocket", 10, 60, marks=pytest.mark.soak),
        pytest.param("jsonl", "perceptron", 5, 60, marks=pytest.mark.soak),
    ],
)
def test_a_killed_stream_is_the_uninterrupted_one(kind, learner, sync, deaths, folder):
    source = folder / f"input.{kind}"
    write_input(source, 3000, kind == "jsonl")
    calm, wild = folder / "calm", folder / "wild"
    feed_all(settings_of(source, learner), calm, 1000, folder / "calm.predictions")
    arguments = [source, wild, learner, sync, deaths, 1]
    done = subprocess.run(
        [sys.executable, "-m", "tests.stream.victim", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > deaths // 3, "it was hardly ever killed"
    assert state_of(wild) == state_of(calm)
    predictions = [(folder / f"{name}.predictions").read_bytes() for name in ("wild", "calm")]
    assert predictions[0] == predictions[1]
    assert len(predictions[0].splitlines()) == 3000


def test_the_command_itself_killed_and_stopped(folder):
    """`novikoff stream` under SIGKILL, then SIGTERM, then to the end."""
    source = folder / "input.csv"
    write_input(source, 20_000, by_name=False)
    calm, wild = folder / "calm", folder / "wild"
    feed_all(settings_of(source, "perceptron"), calm, 1000, None)
    command = [sys.executable, "-m", "novikoff.cli", "stream", str(source), "--label", "label"]
    command += ["--window", "20", "--state", str(wild), "--sync", "2", "--json"]
    for number in (signal.SIGKILL, signal.SIGTERM):
        before = sizes(wild)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for(lambda before=before: sizes(wild) > before)
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode == {signal.SIGKILL: -9, signal.SIGTERM: 130}[number]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout)["examples"] == 20_000
    arrays = [state_of(kept)[0] for kept in (wild, calm)]
    assert arrays[0] == arrays[1]


def sizes(folder):
    """Generation and size of the journal: greater when more has been learned."""
    pairs = []
    for path in folder.glob("journal-*"):
        with contextlib.suppress(FileNotFoundError):
            pairs.append((int(path.name.removeprefix("journal-")), path.stat().st_size))
    return max(pairs, default=(1, 500))


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing was written"
        time.sleep(0.005)


def test_one_process_at_a_time(tmp_path):
    source = tmp_path / "input.csv"
    write_input(source, 10, by_name=False)
    feed_all(settings_of(source, "perceptron"), tmp_path / "run", 1, None)
    with DurableStream(tmp_path / "run"):
        code = (
            f"from novikoff.stream import DurableStream; DurableStream({str(tmp_path / 'run')!r})"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "run")], capture_output=True, text=True
        )
        assert "another process is learning there" in done.stderr
    assert os.listdir(tmp_path / "run")
