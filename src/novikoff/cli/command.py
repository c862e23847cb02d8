"""The frame of every command: shared options, errors, exit status."""

import inspect
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any

import typer

from novikoff.cli.options import Output, expand
from novikoff.cli.screen import Screen
from novikoff.errors import NovikoffError

OK, NO, COULD_NOT = 0, 1, 2
PIPE_CLOSED = 141  # what a shell says of a program that wrote to a pipe nobody reads any more

app = typer.Typer(
    name="novikoff",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Can a line separate these, and can you prove it? Linear classification with proofs.",
    epilog="Exit status: 0 done, 1 the answer is no (verify, check --expect), 2 it could not be "
    "done, 130 interrupted.",
)


def _print_version(asked: bool) -> None:
    if asked:
        from novikoff import __version__

        print(f"novikoff {__version__}")
        raise typer.Exit


@app.callback()
def program(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar="",
            help="Print the version and leave.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """What may stand before a command."""


def command(function: Callable[..., Any]) -> Callable[..., None]:
    """Register a command: its dataclasses become options, what it raises becomes a message."""
    signature, groups = expand(function)

    @wraps(function)
    def run(**given: Any) -> None:
        for name, kind in groups.items():
            options = {key: given.pop(key) for key in kind.__dataclass_fields__}  # type: ignore[attr-defined]
            given[name] = kind(**options)
        output: Output = given["output"]
        screen = Screen(output.json, output.quiet)
        with show_errors(screen, output.debug), _show_warnings(screen):
            status = function(**given)
            sys.stdout.flush()
        raise typer.Exit(status or OK)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    app.command(help=_help_of(function))(run)
    return run


def _help_of(function: Callable[..., Any]) -> str:
    """The docstring for a terminal of any width: paragraphs without line ends, lists with them.

    Typer would take what stands in square brackets for a colour.
    """
    paragraphs = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    joined = [text if text.startswith("- ") else text.replace("\n", " ") for text in paragraphs]
    return "\n\n".join(joined).replace("[", r"\[")


@contextmanager
def show_errors(screen: Screen, debug: bool) -> Iterator[None]:
    """Say in a sentence what is raised, and leave with the status that it means."""
    try:
        yield
    except typer.Exit:
        raise
    except BrokenPipeError:
        _close_stdout()
        raise typer.Exit(PIPE_CLOSED) from None
    except Exception as error:
        if debug:
            screen.err.print_exception()
        _fail(screen, _sentence(error))
        raise typer.Exit(COULD_NOT) from error


def _sentence(error: Exception) -> str:
    if isinstance(error, NovikoffError):
        return str(error)
    if isinstance(error, MemoryError):
        return "this machine has too little memory for this."
    if isinstance(error, OSError):
        _close_stdout()
        where = error.filename or "standard output"
        return f"{where}: {os.strerror(error.errno) if error.errno else error}."
    return f"unexpected {type(error).__name__}: {error}. This is a mistake in novikoff (--debug)."


def _fail(screen: Screen, message: str) -> None:
    from rich.text import Text

    text = Text.assemble(("novikoff: ", "bold red"), message)
    console = screen.err
    console.print(text, soft_wrap=not console.is_terminal)


def _close_stdout() -> None:
    """Nothing more can be written there; the interpreter must not try when it leaves."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


@contextmanager
def _show_warnings(screen: Screen) -> Iterator[None]:
    """A warning is a message like any other, and so is what is logged: a line on standard error."""

    def say(message: Any, *_: Any, **__: Any) -> None:
        screen.say(f"note: {message}")

    class Saying(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            screen.say(f"note: {record.getMessage()}")

    logger, handler = logging.getLogger("novikoff"), Saying()
    logger.addHandler(handler)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.showwarning = say
            yield
    finally:
        logger.removeHandler(handler)
