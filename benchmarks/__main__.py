"""Benchmarks: `python -m benchmarks all`, or those named: `python -m benchmarks designs fewest`.

What each printed is kept in `benchmarks/measured.json` with the date and the machine, and
`docs/about/comparisons.md` is written from that file: a benchmark that is not run again keeps its
rows. `python -m benchmarks page` writes the page only.
"""

import datetime
import importlib
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from benchmarks import table
from benchmarks.table import Results

ALL = [
    "perceptron",
    "separability",
    "designs",
    "regressions",
    "fewest",
    "probes",
    "gpu",
    "beyond",
    "streams",
    "cluster",
    "files",
    "sparse",
    "cli",
    "lab",
]
MEASURED = Path(__file__).with_name("measured.json")
PAGE = Path(__file__).parents[1] / "docs" / "about" / "comparisons.md"
INTRODUCTION = """# Measured comparisons

Here you can see how long novikoff takes beside other programs that do the same, on which data, and
whether their answers agree. `python -m benchmarks all` measures it, on workloads that are made
from a seed, and writes this page.

Answers are compared before times. "Same bits" means that both programs end with the same weights
to the last bit; where a program answers another question, its row says which. Verdicts of novikoff
are proven; those of others are not, unless the row says so.

Seconds are the least of several runs, on the clock and of all processors together. Other work on
the machine lengthens those on the clock. "times ours" compares processor time where it is known.
MB is the highest memory that was reached, less what was held before. The limit is what a program
that knew the answer would still have to do, and how many times less that takes.
"""


def machine() -> str:
    """The processor, how many of them, and the versions that matter."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{os.cpu_count()} cores of {model}, Python {platform.python_version()}"


def measure(name: str) -> dict[str, Any] | None:
    """One benchmark: its tables, the date and the machine; None if it could not be run here."""
    table.shown.clear()
    where = importlib.import_module(f"benchmarks.{name}").run()
    if not table.shown:
        return None
    return {
        "date": datetime.date.today().isoformat(),
        "machine": where or machine(),
        "tables": [results.as_dict() for results in table.shown],
    }


def kept_results() -> dict[str, Any]:
    """The results by the names of their benchmarks."""
    return dict(json.loads(MEASURED.read_text())) if MEASURED.exists() else {}


def write_page(measured: dict[str, Any]) -> None:
    parts = [INTRODUCTION]
    for name in [name for name in ALL if name in measured]:
        of_one = measured[name]
        for number, given in enumerate(of_one["tables"]):
            results = Results.of(given)
            parts.append(f"## {results.title}\n")
            if number == 0:
                said = f"`python -m benchmarks {name}`, {of_one['date']}, {of_one['machine']}."
                parts.append(f"{said}\n")
            parts.append(f"{results.markdown()}\n")
    PAGE.write_text("\n".join(parts))


def main() -> None:
    named = sys.argv[1:] or ["all"]
    everything = Results("All benchmarks")
    for name in ALL if named == ["all"] else [name for name in named if name != "page"]:
        found = measure(name)
        if found is not None:
            kept = {**kept_results(), name: found}
            MEASURED.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
            everything.rows += [row for results in table.shown for row in results.rows]
    if len(named) > 1 or named == ["all"]:
        everything.show()
    write_page(kept_results())


if __name__ == "__main__":
    main()
