"""Problems that nobody would choose, and an oracle in plain Python for every answer.

    python -m tests.fuzz [--seed S] [--seconds T] [--targets a,b] [--jobs N] [--markdown]

Each target draws cases from the seed, one after the other, for its share of the seconds. The first
case of each failure is made smaller and printed as Python that repeats it; then the status is 1.
"""

import argparse
import secrets
import sys
import tempfile
from pathlib import Path

from tests.fuzz.campaign import Found, run_in_processes
from tests.fuzz.targets import TARGETS


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, help="where the cases come from (default: a new one)")
    parser.add_argument("--seconds", type=float, default=240.0, help="in all (default: 240)")
    parser.add_argument(
        "--targets", default=",".join(TARGETS), help=f"some of {', '.join(TARGETS)}"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--markdown", action="store_true", help="the table as the docs have it")
    asked = parser.parse_args()
    targets = asked.targets.split(",")
    for name in targets:
        if name not in TARGETS:
            parser.error(f"no target {name!r}; there are {', '.join(TARGETS)}")
    seed = secrets.randbelow(2**32) if asked.seed is None else asked.seed
    print(f"seed {seed}", file=sys.stderr if asked.markdown else sys.stdout, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found = run_in_processes(seed, targets, asked.seconds, asked.jobs, Path(folder))
    command = f"python -m tests.fuzz --seed {seed} --seconds {asked.seconds:g}"
    print(as_markdown(found, command) if asked.markdown else as_text(found), flush=True)
    for name in targets:
        for failure in found[name].failures:
            print(f"\n# {name}, seed {seed}, case {failure.number}: {failure.said}")
            print(failure.lines, flush=True)
    return int(any(found[name].failures for name in targets))


def as_text(found: dict[str, Found]) -> str:
    """How many cases of each target, and what came of them."""
    lines = []
    for name, one in found.items():
        words = ", ".join(f"{count:,} {word}" for word, count in sorted(one.words.items()))
        lines.append(f"{name}: {one.cases:,} cases ({words}); {one.wrong:,} wrong; "
                     f"slowest {one.slowest:.2f} s")  # fmt: skip
    return "\n".join(lines)


def as_markdown(found: dict[str, Found], command: str) -> str:
    """The table in the docs."""
    lines = ["| what is asked | cases | wrong | slowest |", "|---|---:|---:|---:|"]
    for name, one in found.items():
        lines.append(
            f"| {TARGETS[name].asks} | {one.cases:,} | {one.wrong:,} | {one.slowest:.1f} s |"
        )
    total = sum(one.cases for one in found.values())
    wrong = sum(one.wrong for one in found.values())
    return "\n".join([*lines, f"| all | {total:,} | {wrong:,} | |", "", f"`{command}`"])


if __name__ == "__main__":
    sys.exit(main())
