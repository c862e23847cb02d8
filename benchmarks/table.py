"""The reading of time and memory, and the table that every benchmark prints."""

import contextlib
import math
import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

COLUMNS = ("workload", "who", "seconds", "processor", "MB", "times ours", "answer", "note", "limit")


class Spent(float):
    """Seconds on the clock; with them those of the processor, and megabytes beyond the start's."""

    processor = math.nan
    megabytes = math.nan


@dataclass
class Row:
    """One contender on one workload: what it answered, and what that took.

    `limit` is what no program can be quicker than, in words, and how many seconds it takes.
    """

    workload: str
    who: str
    seconds: float
    answer: str
    note: str = ""
    processor: float = math.nan
    megabytes: float = math.nan
    limit: str = ""
    least: float = math.nan

    def cells(self, ours: float) -> tuple[str, ...]:
        """The row as text; `ours` are the seconds that its ratio is to."""
        limit = self.limit
        if limit and self.least > 0:
            limit += f": {self.least:.2g} s, {self.spent / self.least:.3g} times less"
        ratio = f"{self.spent / ours:.2g}" if ours else ""
        numbers = [_number(self.seconds), _number(self.processor), _number(self.megabytes, ".0f")]
        return (self.workload, self.who, *numbers, ratio, self.answer, self.note, limit)

    @property
    def spent(self) -> float:
        """Seconds of the processor, which others on the machine hardly lengthen, where known."""
        return self.seconds if math.isnan(self.processor) else self.processor


def _number(value: float, form: str = ".2g") -> str:
    return "" if math.isnan(value) else f"{value:{form}}" if value < 100 else f"{value:.0f}"


shown: list["Results"] = []  # what benchmarks have printed, for the page


@dataclass
class Results:
    """Rows of one benchmark; ratios are to ours, the first row of each workload."""

    title: str
    rows: list[Row] = field(default_factory=list)

    def add(
        self,
        workload: str,
        who: str,
        seconds: float,
        answer: Any,
        note: str = "",
        limit: tuple[str, float] = ("", math.nan),
    ) -> None:
        """Add a row; `seconds` from `best_of` bring the processor's and the memory with them."""
        spent = seconds if isinstance(seconds, Spent) else Spent(seconds)
        more = spent.processor, spent.megabytes, *limit
        self.rows.append(Row(workload, who, float(seconds), str(answer), note, *more))

    def lines(self) -> list[tuple[str, ...]]:
        """The rows as text, with their ratios."""
        ours: dict[str, float] = {}
        return [row.cells(ours.setdefault(row.workload, row.spent)) for row in self.rows]

    def show(self) -> None:
        """Print the table, and keep it for the page."""
        shown.append(self)
        table = Table(title=self.title, title_justify="left")
        for column in COLUMNS:
            justify = "right" if column in COLUMNS[2:6] else "left"
            table.add_column(column, justify=justify, overflow="fold")
        for line in self.lines():
            table.add_row(*line)
        Console(width=180).print(table)

    def markdown(self) -> str:
        """The same as a table for a page, without the columns in which nothing is."""
        lines = self.lines()
        used = [k for k in range(len(COLUMNS)) if any(line[k] for line in lines)]
        rows = [COLUMNS, ("---",) * len(COLUMNS), *lines]
        return "\n".join(f"| {' | '.join(row[k] for k in used)} |" for row in rows)

    def as_dict(self) -> dict[str, Any]:
        """For a file of results."""
        return asdict(self)

    @classmethod
    def of(cls, given: dict[str, Any]) -> "Results":
        """What `as_dict` gave."""
        return cls(given["title"], [Row(**row) for row in given["rows"]])


def best_of(times: int, work: Callable[[], Any]) -> tuple[Spent, Any]:
    """The least time of several runs, and the last answer: noise only ever adds."""
    best, processor, memory, answer = math.inf, math.inf, 0.0, None
    for _ in range(times):
        before = _reset_peak()
        start, used = time.perf_counter(), _processor()
        answer = work()
        processor = min(processor, _processor() - used)
        best = min(best, time.perf_counter() - start)
        memory = max(memory, _memory("VmHWM") - before)
    spent = Spent(best)
    spent.processor, spent.megabytes = processor, memory
    return spent, answer


def _processor() -> float:
    """Processor seconds of this process and of those that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _reset_peak() -> float:
    """Megabytes held now; the peak is counted from here on, where the system can (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _memory("VmRSS")


def _memory(name: str) -> float:
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) / 1000
    return math.nan
