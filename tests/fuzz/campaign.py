"""Many cases of some targets, in one process or in several, and what was found."""

import faulthandler
import multiprocessing
import pickle
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from tests.fuzz.cases import CAUGHT, Case, described, kind_of
from tests.fuzz.targets import TARGETS

PATIENCE = 120.0  # seconds after which a case counts as one without an end


@dataclass(frozen=True)
class Failure:
    """One failure: the number of its case, what went wrong, and Python that repeats it."""

    number: int
    said: str
    lines: str


@dataclass
class Found:
    """What came of a target's cases; of failures that look alike, the first."""

    cases: int = 0
    wrong: int = 0
    slowest: float = 0.0
    words: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def join(self, other: "Found") -> None:
        """Add what another process found."""
        self.cases += other.cases
        self.wrong += other.wrong
        self.slowest = max(self.slowest, other.slowest)
        self.words += other.words
        known = {kind_of(failure.said) for failure in self.failures}
        self.failures += [f for f in other.failures if kind_of(f.said) not in known]


def run(
    seed: int,
    target: str,
    *,
    seconds: float = float("inf"),
    cases: int = 10**18,
    first: int = 0,
    step: int = 1,
    note: Path | None = None,
) -> Found:
    """Draw and check cases number `first`, `first + step`, … of a seed, until time or cases end.

    Each is written to the file `note` before it is tried, for whoever finds the process dead.
    """
    found, end = Found(), time.monotonic() + seconds
    for number in range(first, first + step * cases, step):
        if time.monotonic() > end:
            break
        case = TARGETS[target].draw(np.random.default_rng([seed, *target.encode(), number]))
        if note is not None:
            note.write_text(f"# {target}, case {number}\n{case.lines()}\n", encoding="utf-8")
        start = time.monotonic()
        try:
            word = case.run()
        except CAUGHT as error:
            word = _tell(found, number, case, described(error))
        found.slowest = max(found.slowest, time.monotonic() - start)
        found.cases += 1
        found.words[word] += 1
    return found


def _tell(found: Found, number: int, case: Case, said: str) -> str:
    """Keep a failure if none like it is known; the word to count it under."""
    found.wrong += 1
    if kind_of(said) not in {kind_of(failure.said) for failure in found.failures}:
        found.failures.append(Failure(number, said, case.shrunk().lines()))
    return "wrong"


def run_in_processes(
    seed: int, targets: list[str], seconds: float, jobs: int, folder: Path
) -> dict[str, Found]:
    """Each target for its share of the seconds; a process that dies or hangs is a failure too."""
    context = multiprocessing.get_context("spawn")
    found = {}
    for name in targets:
        found[name] = Found()
        share = seconds / len(targets)
        workers = []
        for job in range(jobs):
            files = folder / f"{name}-{job}.py", folder / f"{name}-{job}.pickle"
            asked = (seed, name, share, job, jobs, *files)
            workers.append((context.Process(target=_work, args=asked), *files))
            workers[-1][0].start()
        end = time.monotonic() + share + PATIENCE
        for process, note, result in workers:
            process.join(max(end - time.monotonic(), 0.0))
            hangs = process.is_alive()
            if hangs:
                process.kill()
                process.join()
            if result.exists():
                found[name].join(pickle.loads(result.read_bytes()))
                continue
            said = "no end" if hangs else f"the process died with status {process.exitcode}"
            lines = note.read_text(encoding="utf-8") if note.exists() else "# before the first case"
            lost = Found(1, 1, 0.0, Counter(["wrong"]), [Failure(-1, said, lines)])
            found[name].join(lost)
    return found


def _work(
    seed: int, target: str, seconds: float, first: int, step: int, note: Path, result: Path
) -> None:
    faulthandler.enable()
    found = run(seed, target, seconds=seconds, first=first, step=step, note=note)
    result.write_bytes(pickle.dumps(found))
