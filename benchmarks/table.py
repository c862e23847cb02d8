"""Timing and the table that every benchmark prints."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass
class Row:
    """One contender on one workload: what it answered, and how long it took."""

    workload: str
    who: str
    seconds: float
    answer: str
    note: str = ""


@dataclass
class Results:
    """Rows of one benchmark; ratios are to ours, the first row of each workload."""

    title: str
    rows: list[Row] = field(default_factory=list)

    def add(self, workload: str, who: str, seconds: float, answer: Any, note: str = "") -> None:
        self.rows.append(Row(workload, who, seconds, str(answer), note))

    def show(self) -> None:
        table = Table(title=self.title, title_justify="left")
        for column, justify in (
            ("workload", "left"), ("who", "left"), ("seconds", "right"),
            ("times ours", "right"), ("answer", "left"), ("note", "left"),
        ):  # fmt: skip
            table.add_column(column, justify=justify, overflow="fold")
        ours: dict[str, float] = {}
        for row in self.rows:
            base = ours.setdefault(row.workload, row.seconds)
            ratio = f"{row.seconds / base:.1f}" if base else ""
            table.add_row(row.workload, row.who, f"{row.seconds:.4g}", ratio, row.answer, row.note)
        Console(width=150).print(table)

    def markdown(self) -> None:
        """The same as a table to paste into a page."""
        columns = ("workload", "who", "seconds", "answer", "note")
        lines = [columns, ("---",) * len(columns)]
        lines += [(r.workload, r.who, f"{r.seconds:.3g}", r.answer, r.note) for r in self.rows]
        print(f"\n{self.title}\n")
        for line in lines:
            print(f"| {' | '.join(line)} |")


def best_of(times: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The least time of several runs, and the last answer: noise only ever adds."""
    best, answer = float("inf"), None
    for _ in range(times):
        start = time.perf_counter()
        answer = work()
        best = min(best, time.perf_counter() - start)
    return best, answer
