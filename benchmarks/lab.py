"""The lab under load: 200 sessions at once, each stepping through a run on its own 200 points.

Every session takes a step, waits for the answer, looks at it for a second (the page's own speed of
one mistake a second) and takes the next; the sessions start spread over that second. Nothing is
cached for them: there are many times more sessions than answers that a worker remembers.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from typing import Any

import numpy as np

from benchmarks.table import Results

SESSIONS = 200
STEPS = 20
POINTS = 200
LOOKING = 1.0  # seconds between an answer and the next step
ALLOWED = 0.050


def points_of(session: int) -> dict[str, Any]:
    """Two hundred points in the plane with some labels turned: the run goes on and on."""
    generator = np.random.default_rng(session)
    X = generator.normal(size=(POINTS, 2)).round(2)
    y = np.where(X.sum(axis=1) > 0, 1, -1)
    y[: POINTS // 20] *= -1
    return {"X": X.tolist(), "y": y.tolist(), "names": ["x1", "x2"]}


class Client:
    """One connection that is kept, as a browser keeps it."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def ask(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        self.writer.write(head.encode() + content)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        lengths = [
            line.split(":")[1] for line in lines if line.lower().startswith("content-length")
        ]
        answer = json.loads(await self.reader.readexactly(int(lengths[0])))
        return int(lines[0].split()[1]), answer

    async def __aenter__(self) -> "Client":
        self.reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self.port, limit=2**22
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()


async def session(number: int, port: int) -> tuple[list[float], int]:
    """How long each step took, and how many were not answered as they should be."""
    points, seconds, errors = points_of(number), [], 0
    async with Client(port) as client:
        await asyncio.sleep(LOOKING * number / SESSIONS)
        for k in range(1, STEPS + 1):
            start = time.perf_counter()
            asked = {"points": points, "options": {"max_iter": 100}, "first": k, "count": 1}
            status, answer = await client.ask("/api/steps", asked)
            seconds.append(time.perf_counter() - start)
            errors += status != 200 or answer["steps"][0]["k"] != k
            await asyncio.sleep(LOOKING)
    return seconds, errors


async def all_sessions(port: int) -> tuple[list[float], int]:
    async with Client(port) as client:  # the workers are ready once this is answered
        for _ in range(8):
            await client.ask("/api/steps", {"points": points_of(0)})
    done = await asyncio.gather(*(session(number, port) for number in range(SESSIONS)))
    return [second for seconds, _ in done for second in seconds], sum(e for _, e in done)


def run() -> None:
    command = [sys.executable, "-m", "novikoff", "lab", "--no-browser", "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        printed = ""
        while not printed.rstrip().endswith("}"):
            printed += server.stdout.readline()
        start = time.perf_counter()
        seconds, errors = asyncio.run(all_sessions(json.loads(printed)["port"]))
        elapsed = time.perf_counter() - start
    finally:
        server.send_signal(2)
        server.wait(30)
    results = Results("the lab under load")
    median = statistics.median(seconds)
    late = sorted(seconds)[int(0.99 * len(seconds))]
    what = f"{SESSIONS} sessions, {POINTS} points, {STEPS} steps each"
    note = "" if median < ALLOWED and errors == 0 else "MORE THAN ALLOWED"
    answered = f"{len(seconds)} steps, {errors} errors, {len(seconds) / elapsed:.0f} a second"
    results.add(what, "median answer", median, answered, note or f"{ALLOWED:g} s allowed")
    results.add(what, "99 of 100 answers", late, "")
    results.show()


if __name__ == "__main__":
    run()
