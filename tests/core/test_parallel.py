"""One run on several threads: weights, bounds, mistakes and journal are the bits of one thread."""

import numpy as np
import pytest
from tests.core.rows import STORAGES, STRANGE, examples_of, random_rows, weights_at

from novikoff import _core
from novikoff.learners.perceptron import journal_of

EPOCHS, N, D = 20, 900, 7  # in blocks of some rows: threads are tried after 256 of them
# Most rows are far from the plane, so that only a proof keeps them from being scored again.
PLAIN = np.append(np.linspace(-3, 3, 13), [100.0, -250.0])


def run(loop, rows, push, w, threads, entries, tie):
    """All that a run leaves behind, as bytes."""
    examples = examples_of(rows, push, entries=entries)
    weights = weights_at(w.copy())
    mistakes = np.zeros(EPOCHS, np.int64)
    order = np.random.default_rng(1).permutation(len(push))
    if loop == "averaged":
        state = (weights, np.zeros_like(w), np.array([5]))
        left = [*weights, *state[1:]]
        done = _core.averaged_epochs(examples, order, tie, state, mistakes, threads)
    elif loop == "journal":
        journal = journal_of(EPOCHS * len(push))
        for each in journal:
            each[:] = 0
        state = (weights, (journal, None), np.zeros(1, np.int64))
        left = [*weights, *journal, state[2]]
        done = _core.perceptron_epochs(examples, order, tie, state, mistakes, threads)
    else:
        state = (weights, (None, None), np.zeros(1, np.int64))
        survey = (np.empty_like(w), np.empty(len(push), np.int64), np.zeros(1, np.int64),
                  np.zeros(1), np.zeros(1))  # fmt: skip
        schedule = (np.array([0, 0, 1, 1]), np.zeros(1))
        left = [*weights, state[2]]
        args = (examples, order, tie, state, survey, schedule, mistakes, threads)
        done = _core.skipping_epochs(*args)
    return done, mistakes.tolist(), [each.tobytes() for each in left]


@pytest.mark.filterwarnings("ignore")  # strange numbers overflow on their way to float32
@pytest.mark.parametrize("loop", ["journal", "skipping", "averaged"])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("values", [PLAIN, STRANGE], ids=["plain", "strange"])
def test_any_number_of_threads_leaves_the_same_bits(storage, values, loop):
    for seed, entries, noise in ((0, 10_000, 0.02), (1, 5_000, 0.3), (2, 100_000, 0.0)):
        rng = np.random.default_rng(seed)
        rows, cells = random_rows(storage, N, D, rng, values, repeats=False)
        plane = rng.standard_normal(D + 1)
        score = [sum(x * plane[j] for j, x in row) + plane[-1] for row in cells]
        y = np.where((np.array(score) > 0) != (rng.random(N) < noise), 1.0, -1.0)
        push = y * rng.choice([1.0, 0.5, 3.0], N)
        args = (rows, push, np.zeros(D + 1))
        expected = run(loop, *args, 1, entries, seed - 1)
        assert sum(expected[1]) > 0
        for threads in (2, 5):
            assert run(loop, *args, threads, entries, seed - 1) == expected


def test_every_row_a_tie():
    rows = np.ones((300, 2))
    push = np.where(np.arange(300) % 2 == 0, 1.0, -1.0)
    for tie in (-1, 0, 1):
        expected = run("journal", rows, push, np.zeros(3), 1, 20_000, tie)
        assert run("journal", rows, push, np.zeros(3), 3, 20_000, tie) == expected


@pytest.mark.parametrize("threads", [0, -1, 1025])
def test_a_number_of_threads_that_makes_no_sense_is_refused(threads):
    with pytest.raises(ValueError, match="1 to 1024"):
        run("journal", np.ones((2, 1)), [1.0, -1.0], np.zeros(2), threads, 8, 0)
