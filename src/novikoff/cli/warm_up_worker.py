"""What `novikoff warm-up` has done, and the process that does it: commands on tiny data.

Each task is one or more commands as a user would type them, so that exactly what commands use is
compiled. SPARSE stands for a file of sparse rows, LARGE_DENSE and LARGE_SPARSE for files of more
rows; PROOF, MODEL and TABLE for files that are made.
"""

import os
import shlex
import sys
import tempfile
import warnings
from pathlib import Path

__all__ = ["TASKS", "main"]

LARGE = (1400, 3)  # rows and columns: enough for the loop that skips rows
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
TASKS = (
    *(f"check {file} --certificate PROOF && verify PROOF {file}" for file in STORAGES),
    *(
        f"fit {file} --learner {learner} --model MODEL && predict MODEL {file} --out TABLE --force"
        for learner in LEARNERS
        for file in STORAGES
    ),
    *(f"trace {file}" for file in STORAGES),
    "fit LARGE_DENSE --label y",
    "fit LARGE_SPARSE",
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
        "LARGE_SPARSE": "large.svm",
        "LARGE_DENSE": "large.npz",
        "PROOF": "proof.json",
        "MODEL": "model",
        "TABLE": "table.csv",
    }
    points = [(2, 1, 1), (3, 3, 1), (1, 3, 1), (-1, 0, 0), (0, -2, 0), (1, -1, 0)]
    rows = "".join(f"{label} 1:{a} 2:{b}\n" for a, b, label in points)
    (folder / names["SPARSE"]).write_text(rows, "utf-8")
    X = np.random.default_rng(0).integers(-9, 10, LARGE)
    y = (X.sum(axis=1) > 0).astype(int)
    np.savez(folder / names["LARGE_DENSE"], X=X.astype(np.float64), y=y)
    rows = "".join(f"{y[i]} {i % LARGE[1] + 1}:{2 * y[i] - 1}\n" for i in range(LARGE[0]))
    (folder / names["LARGE_SPARSE"]).write_text(rows, "utf-8")
    return {word: str(folder / name) for word, name in names.items()}


if __name__ == "__main__":
    main()
