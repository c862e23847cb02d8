"""Write the golden files anew, or one section of them: only with a reason, in the commit's words.

    python -m tests.golden                              what differs from the files
    python -m tests.golden --write                      write both files
    python -m tests.golden --write errors               write one section, leave the rest

A record must depend on nothing but the code. So write them with other registers and another BLAS,
too, and compare:

    GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-AVX512F OPENBLAS_CORETYPE=Prescott \\
    python -m tests.golden --write --into OTHER

On one machine even what depends on them can be compared, before and after a change:

    python -m tests.golden --in-full --write --into BEFORE
    python -m tests.golden --in-full --against BEFORE
"""

import argparse
import json
from pathlib import Path

from tests.golden import certificates, runs

HERE = Path(__file__).parent
SETS = {"runs": runs, "certificates": certificates}

Records = dict[str, dict[str, str]]


def made(name: str, *, in_full: bool = False) -> Records:
    """The records of one set as the code makes them now, by section."""
    records: Records = {section: {} for section in SETS[name].SECTIONS}
    for run, make in SETS[name].everything():
        record = SETS[name].record_of(make, run, in_full=in_full)
        here = records[SETS[name].section_of(run, record)]
        assert run not in here, f"two are called {run}"
        here[run] = record
    return records


def kept(name: str, folder: Path = HERE) -> Records:
    """The records of one set in the golden file."""
    records: Records = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return records


def differences(now: Records, before: Records) -> list[str]:
    """What is not as it was, a line each."""
    flat = [
        {
            f"{section}: {run}": record
            for section, part in each.items()
            for run, record in part.items()
        }
        for each in (before, now)
    ]
    runs = sorted(set(flat[0]) | set(flat[1]))
    return [
        f"{run}\n  was {flat[0].get(run)}\n  is  {flat[1].get(run)}"
        for run in runs
        if flat[0].get(run) != flat[1].get(run)
    ]


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.golden",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--write", nargs="?", const="everything", metavar="SECTION")
    parser.add_argument("--into", type=Path, default=HERE, metavar="FOLDER")
    parser.add_argument("--against", type=Path, default=HERE, metavar="FOLDER")
    parser.add_argument("--in-full", action="store_true")
    options = parser.parse_args()
    options.into.mkdir(exist_ok=True)
    for name in SETS:
        records = made(name, in_full=options.in_full)
        if options.write is None:
            print(*differences(records, kept(name, options.against)), sep="\n")
            continue
        if options.write != "everything":
            before = kept(name)
            records = {s: records[s] if s == options.write else before[s] for s in before}
        text = json.dumps(records, indent=0, ensure_ascii=False)
        (options.into / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
