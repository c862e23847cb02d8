"""What `novikoff warm-up` has done, and the process that does it: commands on tiny data.

Each task is one or more commands as a user would type them, so that exactly what commands use is
compiled. SPARSE and FRACTIONS stand for files of sparse rows; LARGE_… and WIDE_… for files of more
rows and of more columns; LINES and JSON_LINES for examples to stream; SURVIVAL, ACTIVATIONS and
CONCEPTS for data of `diagnose` and `probe`; PROOF, MODEL and TABLE for files that are made.
"""

import os
import shlex
import sys
import tempfile
import warnings
from pathlib import Path

__all__ = ["TASKS", "main"]

LARGE = (1400, 3)  # rows and columns: enough for the loop that skips rows
WIDE = (6500, 330)  # enough for a search among some of the rows, started by a perceptron
# Two processes take these from the front: whatever shares much code stands far apart.
STORAGES = ("dataset:toy", "SPARSE")
LEARNERS = (
    "perceptron",
    "pocket",
    "averaged --arithmetic exact",
    "kernel --kernel rbf",
    "perceptron --order worst",
    "voted",
    "averaged",
    "perceptron --arithmetic exact",
    "kernel --kernel linear --budget 2",
    "network --restarts 1 --max-iter 5",
)
STREAMS = tuple(
    f"stream {file} --classes 0,1 --learner {learner} --window 3 --test-then-train "
    "--predictions TABLE --model MODEL --force"
    for learner in ("perceptron", "averaged", "pocket")
    for file in ("LINES --label y", "SPARSE")
)
REGRESSIONS = (
    "dataset:toy --label label",
    "SURVIVAL --model cox --time time --event event --features a,b",
    "SURVIVAL --model poisson --label count --features a,b",
    "SURVIVAL --model conditional --label event --strata group --features a,b",
    "dataset:iris --model multinomial --label label",
    "dataset:iris --model ordinal --label label --levels setosa,versicolor,virginica",
    "SURVIVAL --label event --categorical group --features a,group",
)
TASKS = (
    *(f"check {file} --certificate PROOF && verify PROOF {file}" for file in STORAGES),
    *(
        f"fit {file} --learner {learner} --model MODEL && predict MODEL {file} --out TABLE --force"
        for learner in LEARNERS
        for file in STORAGES
    ),
    *(f"trace {file}" for file in STORAGES),
    # Numbers that are no integers: nobody watches for cycles, and long runs skip rows.
    *(
        f"fit {file} --max-iter 2{order}"
        for file in ("LARGE_DENSE --label y", "LARGE_SPARSE", "LINES --label y", "FRACTIONS")
        for order in ("", " --order worst")
    ),
    *(f"fit {file} --learner kernel --max-iter 1" for file in STORAGES),
    "fit dataset:iris --label label --learner averaged --multi-class joint --max-iter 1",
    "check dataset:iris-versicolor-virginica --certificate PROOF "
    "&& verify PROOF dataset:iris-versicolor-virginica",
    "fit dataset:iris --label label --learner averaged --multi-class joint",
    "check dataset:touching --certificate PROOF && verify PROOF dataset:touching",
    "fit dataset:xor --learner perceptron",
    "check dataset:gaussian-tall",
    "check dataset:gaussian-wide",
    "check dataset:fibonacci-20 --exact",
    "check dataset:moons --lift degree=3",
    *(f"fewest {file} --certificate PROOF && verify PROOF {file}" for file in STORAGES),
    "fewest dataset:iris-versicolor-virginica --alternatives",
    "check dataset:toy --exact",
    "check SPARSE --exact",
    *STREAMS,
    "stream JSON_LINES --label y --classes 0,1 --window 3",
    *(f"diagnose {data} --certificate PROOF" for data in REGRESSIONS),
    "check WIDE_DENSE --label y --no-explain",
    "check WIDE_SPARSE --no-explain",
    *(f"trace {file} --order worst" for file in STORAGES),
    "probe ACTIVATIONS --labels CONCEPTS",
)


def main() -> None:
    """Do the tasks that standard input names, a line each, and answer each with `done`."""
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the commands print is for nobody
    with tempfile.TemporaryDirectory() as folder:
        files = _files(Path(folder))
        for task in sys.stdin:
            for line in task.split("&&"):
                _run([files.get(word, word) for word in shlex.split(line)])
            print("done", file=answers, flush=True)


def _run(arguments: list[str]) -> None:
    from novikoff.cli.main import app

    try:
        app([*arguments, "--quiet"], prog_name="novikoff")
    except SystemExit as leaving:
        if leaving.code != 0:
            raise


def _files(folder: Path) -> dict[str, str]:
    import numpy as np

    names = {
        "SPARSE": "rows.svm",
        "FRACTIONS": "fractions.svm",
        "LARGE_SPARSE": "large.svm",
        "LARGE_DENSE": "large.npz",
        "PROOF": "proof.json",
        "MODEL": "model",
        "TABLE": "table.csv",
        "WIDE_DENSE": "wide.npz",
        "WIDE_SPARSE": "wide.svm",
        "LINES": "lines.csv",
        "JSON_LINES": "lines.jsonl",
        "SURVIVAL": "survival.csv",
        "ACTIVATIONS": "activations.npy",
        "CONCEPTS": "concepts.csv",
    }
    points = [(2, 1, 1), (3, 3, 1), (1, 3, 1), (-1, 0, 0), (0, -2, 0), (1, -1, 0)]
    rows = "".join(f"{label} 1:{a} 2:{b}\n" for a, b, label in points)
    (folder / names["SPARSE"]).write_text(rows, "utf-8")
    (folder / names["FRACTIONS"]).write_text(rows.replace(" 2:", ".5 2:"), "utf-8")
    X = np.random.default_rng(0).integers(-9, 10, LARGE) + 0.5
    y = (X.sum(axis=1) > 0).astype(int)
    np.savez(folder / names["LARGE_DENSE"], X=X.astype(np.float64), y=y)
    rows = "".join(f"{y[i]} {i % LARGE[1] + 1}:{y[i] - 0.5}\n" for i in range(LARGE[0]))
    (folder / names["LARGE_SPARSE"]).write_text(rows, "utf-8")
    _write_wide(folder / names["WIDE_DENSE"], folder / names["WIDE_SPARSE"])
    lines = "".join(f"{a}.5,{b},{label}\n" for a, b, label in points)
    (folder / names["LINES"]).write_text(f"a,b,y\n{lines}", "utf-8")
    lines = "".join(f'{{"a": {a}, "b": {b}, "y": {label}}}\n' for a, b, label in points)
    (folder / names["JSON_LINES"]).write_text(lines, "utf-8")
    lines = "".join(
        f"{a},{b},{1 + i},{i % 2},{i % 3},g{i % 3}\n"
        for i, (a, b, _) in enumerate([*points, *((b, a, 0) for a, b, _ in points)])
    )
    (folder / names["SURVIVAL"]).write_text(f"a,b,time,event,count,group\n{lines}", "utf-8")
    np.save(folder / names["ACTIVATIONS"], X[:60].astype(np.float32))
    lines = "".join(f"{int(row[0] > 0)},{int(row[1] > row[2])}\n" for row in X[:60])
    (folder / names["CONCEPTS"]).write_text(f"first,second\n{lines}", "utf-8")
    return {word: str(folder / name) for word, name in names.items()}


def _write_wide(dense: Path, sparse: Path) -> None:
    """Many rows of many columns, the first of which has the answer."""
    import numpy as np

    n, d = WIDE
    X = np.zeros(WIDE)
    X[:, 0] = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    X[np.arange(n), 1 + np.arange(n) % (d - 1)] = 0.5
    y = (X[:, 0] > 0).astype(int)
    np.savez_compressed(dense, X=X, y=y)
    rows = (f"{y[i]} 1:{X[i, 0]:g} {2 + i % (d - 1)}:0.5\n" for i in range(n))
    sparse.write_text("".join(rows), "utf-8")


if __name__ == "__main__":
    main()
