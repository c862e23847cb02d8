"""All benchmarks, or those named: `python -m benchmarks perceptron separability`."""

import importlib
import sys

ALL = [
    "perceptron",
    "separability",
    "designs",
    "regressions",
    "fewest",
    "probes",
    "beyond",
    "streams",
    "cluster",
    "files",
    "sparse",
    "cli",
    "lab",
]


def main() -> None:
    for name in sys.argv[1:] or ALL:
        importlib.import_module(f"benchmarks.{name}").run()


if __name__ == "__main__":
    main()
