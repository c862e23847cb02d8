"""The loop of epochs of all learners: blocks of rows change no bit of what is learned."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import novikoff
from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, VotedPerceptron
from novikoff.learners import unit

quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

LEARNERS = [
    Perceptron(max_iter=30),
    Perceptron(max_iter=30, order="worst"),
    Perceptron(max_iter=30, order="shuffled", random_state=1),
    AveragedPerceptron(max_iter=30),
    AveragedPerceptron(max_iter=30, multi_class="joint"),
    PocketPerceptron(max_iter=10, random_state=1),
    VotedPerceptron(max_iter=10),
    VotedPerceptron(max_iter=10, max_mistakes=37),
]


def in_blocks_of(rounds, monkeypatch):
    """Let blocks be of so many rows: rows that are said to be long fill them sooner.

    The error bounds grow with the length, so that more signs are decided exactly.
    """
    monkeypatch.setattr(unit, "longest_row", lambda rows: 1_000_000 // rounds - 8)


def learned(learner, X, y, weights):
    made = type(learner)(**learner.get_params()).fit(X, y, weights)
    return {
        name: np.asarray(value).tolist()
        for name, value in vars(made).items()
        if name.endswith("_") and name not in ("certificate_",)
    }


@quiet
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("rounds", [1, 7, 50])
@pytest.mark.parametrize("integers", [False, True], ids=["floats", "integers"])
def test_blocks_of_any_size_give_the_same_bits(learner, rounds, integers, monkeypatch):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 3)).round(0 if integers else 12)
    classes = 3 if learner.get_params().get("multi_class") == "joint" else 2
    y = np.digitize(X @ [1, -2, 0.5] + rng.normal(0, 0.4, 60), [0.0, 1.0][: classes - 1])
    weights = np.where(rng.random(60) < 0.1, 0.0, 1.0)
    whole = learned(learner, X, y, weights)
    in_blocks_of(rounds, monkeypatch)
    assert learned(learner, X, y, weights) == whole


def test_a_trace_in_blocks_is_the_same_trace(monkeypatch):
    X, y = (
        np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]),
        np.array([-1, 1, 1, -1]),
    )
    whole = novikoff.trace(X, y)
    in_blocks_of(3, monkeypatch)
    parts = novikoff.trace(X, y)
    assert parts.rounds.tolist() == whole.rounds.tolist()
    assert parts.scores.tolist() == whole.scores.tolist()
    assert parts.status is whole.status


LONG = """
import sys, warnings
import numpy as np
from novikoff import {learner}
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.standard_normal((400_000, 100))
y = np.where(X[:, 0] + rng.standard_normal(len(X)) > 0, 1, -1)
{learner}(max_iter=1).fit(X[:2000], y[:2000])
print("ready", flush=True)
{learner}(max_iter=10**6).fit(X, y)
"""


@pytest.mark.parametrize("learner", ["Perceptron", "AveragedPerceptron"])
def test_ctrl_c_ends_a_fit_in_the_middle_of_an_epoch(learner):
    """A real process and a real signal; the epoch is cut, and no traceback is lost."""
    process = subprocess.Popen(
        [sys.executable, "-c", LONG.format(learner=learner)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors
    assert process.returncode != 0
