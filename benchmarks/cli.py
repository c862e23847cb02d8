"""From a cold start to a verdict: `novikoff check` on a big CSV beside pandas and HiGHS."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.table import Results
from novikoff.data.write import write_columns

ROWS, COLUMNS = 1_000_000, 20

# What one would write without novikoff: the whole linear program, y(w·x + b) ≥ 1.
PEER = """
import sys
import numpy as np
import pandas as pd
from scipy.optimize import linprog
frame = pd.read_csv(sys.argv[1])
y = np.where(frame.pop("kind") == "yes", 1.0, -1.0)
A = -y[:, None] * np.column_stack([frame.to_numpy(), np.ones(len(frame))])
free = {"bounds": (None, None), "method": "highs"}
status = linprog(np.zeros(A.shape[1]), A_ub=A, b_ub=-np.ones(len(A)), **free).status
print({0: "separable", 2: "not separable"}.get(status, f"status {status}"))
"""


def write_csv(path: Path, flip: bool) -> None:
    """Decimals of four places, a hundredth and more from a plane; or one of them mislabelled."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS + ROWS // 20, COLUMNS)).round(4)
    score = X @ np.ones(COLUMNS) / np.sqrt(COLUMNS)
    far = np.flatnonzero(np.abs(score) > 0.01)[:ROWS]
    kind = np.where(score[far] > 0, "yes", "no")
    if flip:
        deep = int(np.argmax(score[far]))
        kind[deep] = "no"
    columns = {f"x{j}": X[far, j] for j in range(COLUMNS)}
    write_columns(pa.table({**columns, "kind": kind}), path)


def timed(*command: str) -> tuple[float, str]:
    """Seconds from start to end of a new process, and what it printed."""
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return time.perf_counter() - start, done.stdout


def ours(path: Path) -> tuple[float, str]:
    command = (
        "-m",
        "novikoff.cli",
        "check",
        str(path),
        "--label",
        "kind",
        "--json",
        "--no-explain",
    )
    seconds, printed = timed(sys.executable, *command)
    verdict = json.loads(printed)["verdict"]
    return seconds, "separable" if verdict == "separable" else "not separable"


def theirs(path: Path) -> tuple[float, str]:
    seconds, printed = timed(sys.executable, "-c", PEER, str(path))
    return seconds, printed.strip()


def whole_life(*command: str) -> tuple[float, float]:
    """Seconds of the processor, and megabytes, of a new process."""
    with open(os.devnull, "w") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return used.ru_utime + used.ru_stime, used.ru_maxrss / (
        1e6 if sys.platform == "darwin" else 1e3
    )


def starting(results: Results) -> None:
    """A verdict on four points: what starting costs, beside the libraries that it stands on."""
    verdict = (sys.executable, "-m", "novikoff.cli", "check", "dataset:xor")
    libraries = (sys.executable, "-c", "import numpy, scipy.linalg")
    seconds, memory = min(whole_life(*verdict) for _ in range(9))
    least, its_memory = min(whole_life(*libraries) for _ in range(9))
    name = "check dataset:xor, seconds of the processor"
    note = f"{memory:.0f} MB, {seconds / least:.2f} times the libraries (2 and 150 MB allowed)"
    results.add(name, "novikoff check", seconds, note)
    results.add(name, "import numpy, scipy.linalg", least, f"{its_memory:.0f} MB")


def run() -> None:
    results = Results("from a cold start: the command line")
    starting(results)
    with tempfile.TemporaryDirectory() as folder:
        for name, flip in (("separable", False), ("one label flipped", True)):
            path = Path(folder) / "points.csv"
            write_csv(path, flip)
            size = f"check, CSV {ROWS:,} × {COLUMNS}, {name}"
            seconds, answer = min(ours(path) for _ in range(3))
            results.add(size, "novikoff check", seconds, answer, "exact verdict, proven")
            seconds, expected = theirs(path)
            note = "" if answer == expected else "ANSWERS DIFFER"
            results.add(size, "pandas, HiGHS", seconds, expected, note)
    seconds = min(timed(sys.executable, "-m", "novikoff.cli", "--help")[0] for _ in range(5))
    results.add("help", "novikoff --help", seconds, "0.5 s allowed")
    results.show()


if __name__ == "__main__":
    run()
