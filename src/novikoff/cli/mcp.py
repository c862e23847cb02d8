"""`novikoff mcp`: check, diagnose, verify and fewest errors as tools for an assistant.

Each question runs a command of its own, in a process that can be stopped, without any option that
writes. So a question gets the answer, the checks and the error messages of the command line.
"""

import csv
import io
import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.command import command
from novikoff.cli.options import Output
from novikoff.cli.regression import Model
from novikoff.errors import MissingDependencyError, OptionError

if TYPE_CHECKING:
    from anyio import CapacityLimiter
    from mcp.server import MCPServer

FILE_BYTES = 64 * 2**20
ANSWER_BYTES = 2**20
MEMORY_BYTES = 16 * 2**30  # of addresses, which many threads take some of
AT_ONCE = 2
SHARE = 0.7  # of the time: what a command may search for before it answers with what it knows
MINUTE = 60.0

Name = str | None
Names = list[str] | None
Answered = dict[str, Any]

INSTRUCTIONS = (
    "Ask here when a logistic, Poisson or Cox regression does not converge or its coefficients are "
    "huge (diagnose), whether a hyperplane separates two classes (check), and how few rows any "
    "hyperplane gets wrong (fewest_errors). The answers are proven. Rows are counted from 0."
)


@command
def mcp(
    folder: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Only files below this folder are read.")
    ] = Path(),
    time_limit: Annotated[
        float, typer.Option(metavar="SECONDS", help="Stop a question after this time.")
    ] = MINUTE,
    *,
    output: Output,  # noqa: ARG001
) -> None:
    """Answer an assistant's questions about local files, over standard input and output (MCP).

    Its tools are check, diagnose, verify and fewest_errors. Nothing is written, and nothing is
    read outside of the folder. Needs the extra: pip install "novikoff[mcp]".
    """
    if not folder.is_dir():
        raise OptionError(f"--folder {folder}: there is no such folder.")
    if not time_limit > 0:
        raise OptionError(f"--time-limit is a number of seconds above 0; got {time_limit:g}.")
    try:
        server = make_server(folder.resolve(), time_limit)
    except ImportError as error:
        raise MissingDependencyError(
            "novikoff mcp needs the package mcp: pip install 'novikoff[mcp]'."
        ) from error
    _limit_memory()
    server.run("stdio")


def make_server(folder: Path, seconds: float) -> "MCPServer[Any]":
    """A server with four tools about the files below that folder."""
    from anyio import CapacityLimiter
    from mcp.server import MCPServer
    from mcp.types import ToolAnnotations

    from novikoff import __version__

    name = "novikoff"
    server = MCPServer(name, instructions=INSTRUCTIONS, version=__version__, log_level="ERROR")
    tools = Tools(folder, seconds, CapacityLimiter(AT_ONCE))
    harmless = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for tool in (tools.check, tools.diagnose, tools.verify, tools.fewest_errors):
        server.add_tool(tool, annotations=harmless)
    return server


@dataclass(frozen=True)
class Tools:
    """What can be asked about the files below a folder, and for how many seconds."""

    folder: Path
    seconds: float
    limiter: "CapacityLimiter" = field(repr=False)

    async def check(
        self, file: str, label: str, features: Names = None, positive: Name = None,
        categorical: Names = None, drop_missing: bool = False,
    ) -> Answered:  # fmt: skip
        """Prove whether a hyperplane separates the two classes of the label column of a file.

        features: columns to use (default: all others). positive: this class against the rest.
        categorical: columns of text to code as 0 and 1, or ["auto"].
        """
        return await self._ask(
            "check", file, timed=True, label=label, features=features, positive=positive,
            categorical=categorical, drop_missing=drop_missing,
        )  # fmt: skip

    async def diagnose(
        self, file: str, outcome: Name = None, model: Model = "logit", formula: Name = None,
        features: Names = None, categorical: Names = None, drop_missing: bool = False,
        trials: Name = None, strata: Name = None, time: Name = None, event: Name = None,
    ) -> Answered:  # fmt: skip
        """Prove whether a regression's estimate exists, and say which coefficients are infinite.

        outcome: its column; or formula: "y ~ x + C(g)". For model="cox": time and event, columns.
        features: columns to use (default: all others). categorical: columns to code, or ["auto"].
        """
        return await self._ask(
            "diagnose", file, timed=True, label=outcome, model=model, formula=formula,
            features=features, categorical=categorical, drop_missing=drop_missing,
            trials=trials, strata=strata, time=time, event=event,
        )  # fmt: skip

    async def verify(
        self, file: str, certificate: str, label: Name = None, formula: Name = None,
        categorical: Names = None, drop_missing: bool = False,
    ) -> Answered:  # fmt: skip
        """Check exactly whether a certificate, a JSON file of novikoff, is a proof about a file.

        Give formula, categorical and drop_missing as they were given when it was made.
        """
        return await self._ask(
            "verify", certificate, file, label=label, formula=formula, categorical=categorical,
            drop_missing=drop_missing,
        )  # fmt: skip

    async def fewest_errors(
        self, file: str, label: str, features: Names = None, positive: Name = None,
        categorical: Names = None, drop_missing: bool = False,
    ) -> Answered:  # fmt: skip
        """Find the fewest rows that any hyperplane gets wrong, with proven bounds.

        The wrong rows are candidates for wrong labels. The options are those of check.
        """
        return await self._ask(
            "fewest", file, timed=True, label=label, features=features, positive=positive,
            categorical=categorical, drop_missing=drop_missing,
        )  # fmt: skip

    async def _ask(
        self, name: str, *files: str, timed: bool = False, **options: Name | Names | bool
    ) -> Answered:
        """The JSON of a command; what it cannot do is an error with the command's sentence."""
        from anyio import fail_after, run_process
        from mcp.server.mcpserver.exceptions import ToolError

        # -P: what lies in the folder is data, also where it is named like a module.
        line = [sys.executable, "-P", "-m", "novikoff", name, "--json", "--quiet"]
        line += [f"--time-limit={SHARE * self.seconds}"] if timed else []
        line += [word for option, value in options.items() for word in _words(option, value)]
        try:
            line += [self._inside(file) for file in files]
            async with self.limiter:
                with fail_after(self.seconds):
                    done = await run_process(
                        line, check=False, stdin=subprocess.DEVNULL, cwd=self.folder
                    )
        except OptionError as error:
            raise ToolError(str(error)) from None
        except TimeoutError:
            raise ToolError(
                f"this took longer than {self.seconds:g} seconds and was stopped."
            ) from None
        except (OSError, ValueError):
            raise ToolError(
                "an option is too long, or holds a character that is not allowed."
            ) from None
        if len(done.stdout) > ANSWER_BYTES:
            raise ToolError(f"the answer is too long to return: run novikoff {name} --json.")
        with suppress(ValueError):
            answer: Answered = json.loads(done.stdout)
            return answer
        raise ToolError(_sentence(done.stderr.decode(errors="replace")))

    def _inside(self, name: str) -> str:
        """The file that a question names, from the folder on; links are followed."""
        try:
            path = (self.folder / name).resolve(strict=True)
            known = path.is_relative_to(self.folder) and path.is_file()
            size = path.stat().st_size if known else 0
        except (OSError, RuntimeError, ValueError):  # of links that lead in a circle; of a name
            known = False
        if not known:
            raise OptionError(f"{name}: there is no such file below the folder of this server.")
        if size > FILE_BYTES:
            raise OptionError(f"{name} has more than {FILE_BYTES >> 20} MiB: use the command line.")
        return f"./{path.relative_to(self.folder).as_posix()}"  # no option, and no built-in data


def _words(name: str, value: Name | Names | bool) -> list[str]:
    """An option as a command line has it."""
    if value is None or value is False:
        return []
    option = f"--{name.replace('_', '-')}"
    if isinstance(value, list):
        row = io.StringIO()
        csv.writer(row, lineterminator="").writerow(value)
        value = row.getvalue()
    return [option] if value is True else [f"{option}={value}"]


def _sentence(printed: str) -> str:
    """What a command says of an error; of one that it did not expect, nothing more."""
    _, _, sentence = printed.strip().partition("novikoff: ")
    if not sentence or sentence.startswith("unexpected "):
        return "this could not be answered: a mistake in novikoff, or too little memory."
    return sentence


def _limit_memory() -> None:
    """For this process, and so for those that it starts, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        wanted = MEMORY_BYTES if most == resource.RLIM_INFINITY else min(MEMORY_BYTES, most)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))
