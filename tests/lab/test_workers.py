"""Slow work is stopped, is not waited for when nobody reads, and blocks nobody else."""

import asyncio
import threading

import numpy as np
import pytest

from novikoff.lab import limits
from novikoff.lab.app import is_small
from novikoff.lab.messages.requests import (
    LabelledPoints,
    NetworkRequest,
    RunOptions,
    RunRequest,
    SpaceRequest,
    StepsRequest,
    VerdictRequest,
)
from novikoff.lab.workers import BusyError, GoneError, TooSlowError, Workers

pytestmark = pytest.mark.slow


def slow_request():
    """Random labels in many columns: a network with eight units trains for many seconds."""
    generator = np.random.default_rng(0)
    points = LabelledPoints(
        X=tuple(map(tuple, generator.normal(size=(2000, 50)).round(3).tolist())),
        y=tuple(generator.choice([-1, 1], 2000).tolist()),
        names=tuple(f"x{j}" for j in range(50)),
    )
    return NetworkRequest(points=points, hidden=8)


QUICK = VerdictRequest(points=LabelledPoints(X=((0.0,), (1.0,)), y=(-1, 1), names=("x",)))


async def stays():
    return False


async def leaves():
    return True


@pytest.fixture(scope="module")
def workers():
    made = Workers(slow_seconds=1.0, fewest=1, most=1)
    yield made
    made.stop()


def run(work):
    """In a thread of its own: a browser of another test may own the loop of this one."""
    outcome = []
    thread = threading.Thread(target=lambda: outcome.append(asyncio.run(work)))
    thread.start()
    thread.join()
    return outcome[0]


async def caught(awaited):
    try:
        return await awaited
    except (BusyError, TooSlowError, GoneError) as error:
        return error


def test_slow_work_is_stopped_and_blocks_nobody(workers):
    async def work():
        await workers.ask("quick", "verdict", QUICK, gone=stays)  # it is ready from here on
        slow = asyncio.create_task(
            caught(workers.ask("slowest", "network", slow_request(), gone=stays))
        )
        await asyncio.sleep(0.2)
        quick = [await workers.ask("quick", "verdict", QUICK, gone=stays) for _ in range(5)]
        unfinished = not slow.done()
        return quick, unfinished, await slow

    quick, unfinished, slow = run(work())
    assert [status for status, _ in quick] == [200] * 5
    assert unfinished, "the slow work was over before the quick work: this tests nothing"
    assert isinstance(slow, TooSlowError)


def test_work_that_nobody_waits_for_is_dropped(workers):
    outcome = run(caught(workers.ask("slow", "network", slow_request(), gone=leaves)))
    assert isinstance(outcome, GoneError)


def test_the_pool_goes_on_after_its_processes_were_killed(workers):
    status, text = run(workers.ask("quick", "verdict", QUICK, gone=stays))
    assert status == 200
    assert '"separable"' in text


def test_what_cannot_be_done_is_a_sentence(workers):
    wide = LabelledPoints(X=((0.0,) * 3, (1.0,) * 3), y=(-1, 1), names=("a", "b", "c"))
    status, text = run(workers.ask("quick", "space", SpaceRequest(points=wide), gone=stays))
    assert status == 422
    assert "two columns" in text


def test_a_full_pool_refuses_nobody_who_asks_another(workers, monkeypatch):
    monkeypatch.setattr(limits, "WAITING", 1)

    async def work():
        slow = asyncio.create_task(
            caught(workers.ask("slow", "network", slow_request(), gone=leaves))
        )
        await asyncio.sleep(0)  # it waits from here on
        refused = await caught(workers.ask("slow", "network", slow_request(), gone=leaves))
        status, _ = await workers.ask("quick", "verdict", QUICK, gone=stays)
        await slow
        return refused, status

    refused, status = run(work())
    assert isinstance(refused, BusyError)
    assert status == 200


def test_a_question_is_small_by_its_text_and_by_the_length_of_its_run():
    numbers = len(QUICK.points.X) * len(QUICK.points.names)
    for kind, order, looks in ((RunRequest, "cyclic", 1), (StepsRequest, "worst", 2)):
        epochs = limits.SMALL_RUN // (numbers * looks)
        for most, small in ((epochs, True), (epochs + 1, False)):
            options = RunOptions.model_construct(max_iter=most, order=order)
            asked = kind.model_construct(points=QUICK.points, options=options)
            assert is_small("quick", b"{}", asked) == small
    for asked in ((QUICK,), ("xor", 1.0)):
        sizes = (0, limits.SMALL_BYTES, limits.SMALL_BYTES + 1)
        assert [is_small("quick", b"x" * size, *asked) for size in sizes] == [True, True, False]
    assert is_small("slow", b"{}", NetworkRequest(points=QUICK.points))
    assert not is_small("slow", b"{}", slow_request())
