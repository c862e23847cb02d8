"""The help of every command, as docs/cli.md has it. To renew it: python -m tests.cli.helps."""

from pathlib import Path

from tests.cli.shell import inside

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
START = "<!-- What follows is printed by the commands: python -m tests.cli.helps -->\n"
COMMANDS = (
    "",
    "demo",
    "check",
    "diagnose",
    "verify",
    "prove",
    "fewest",
    "probe",
    "fit",
    "predict",
    "show",
    "trace",
    "plot",
    "datasets",
    "stream",
    "lab",
    "mcp",
)


def helps():
    """What each command prints for --help, eighty columns wide."""
    parts = []
    for name in COMMANDS:
        done = inside(*name.split(), "--help")
        assert done.status == 0, done.err
        text = "\n".join(line.rstrip() for line in done.out.strip("\n").splitlines())
        title = f"novikoff {name}".strip()
        parts.append(f"### `{title}`\n\n```text\n{text.strip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    written, _, _ = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(f"{written}{START}\n{helps()}", encoding="utf-8")
