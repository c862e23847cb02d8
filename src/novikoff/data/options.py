"""Options for reading a file and its columns, declared once for `read`, `scan` and the commands.

`novikoff.read` explains each option.
"""

import inspect
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from novikoff.errors import OptionError

Column = str | int
P = ParamSpec("P")
R = TypeVar("R")

BATCH_ROWS = 1 << 16
IMPUTE = ("mean", "median", "mode")
CONSTANT = "constant:"


@dataclass(frozen=True, kw_only=True)
class FileLayout:
    """How a file is written."""

    format: str | None = None
    delimiter: str | None = None
    header: bool = True
    encoding: str | None = None
    missing: Sequence[str] = ()
    decimal: str = "."

    def __post_init__(self) -> None:
        if self.decimal not in (".", ","):
            raise OptionError(f"decimal must be a point or a comma; got {self.decimal!r}.")

    @property
    def texts(self) -> dict[str, Any]:
        """How text is written, for another file of the same kind: what is not as usual."""
        names = [field.name for field in fields(FileLayout) if field.name != "format"]
        found = {name: getattr(self, name) for name in names}
        found["missing"] = tuple(found["missing"])
        return {name: value for name, value in found.items() if value != getattr(AS_USUAL, name)}


AS_USUAL = FileLayout()


@dataclass(frozen=True, kw_only=True)
class ReadOptions(FileLayout):
    """How a file is written, which columns mean what, and which rows stay."""

    label: Column | None = None
    features: Sequence[Column] | None = None
    drop: Sequence[Column] = ()
    positive: object = None
    classes: Sequence[object] | None = None
    categorical: Sequence[Column] | Literal["auto"] = ()
    dates: Literal["ordinal", "parts"] | None = None
    drop_missing: bool = False
    impute: str | None = None
    missing_indicator: bool = False
    formula: str | None = None
    weights: Column | None = None
    standardise: bool = False
    degree: int = 1
    float64: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.degree < 1:
            raise OptionError(f"lift: the degree must be at least 1; got {self.degree}.")
        if self.dates not in (None, "ordinal", "parts"):
            raise OptionError(f"dates must be 'ordinal' or 'parts'; got {self.dates!r}.")
        if self.impute is None and self.missing_indicator:
            raise OptionError("missing_indicator needs impute: say how to fill the cells.")
        if self.impute is not None and self.impute not in IMPUTE and self.constant is None:
            raise OptionError(
                f"impute must be mean, median, mode or constant:V; got {self.impute!r}."
            )
        if self.formula is not None and (self.missing_indicator or self.dates == "parts"):
            raise OptionError(
                "a formula names its columns: missing_indicator and dates='parts' make others."
            )

    @property
    def constant(self) -> str | None:
        """The V of `constant:V`."""
        given = str(self.impute)
        return given.removeprefix(CONSTANT) if given.startswith(CONSTANT) else None


@dataclass(frozen=True, kw_only=True)
class ScanOptions(ReadOptions):
    """What `scan` takes beside."""

    batch_rows: int = BATCH_ROWS
    cache: str | os.PathLike[str] | bool = field(default=True)

    @property
    def folder(self) -> Path | None:
        """Where files may be kept."""
        if isinstance(self.cache, bool):
            return default_folder() if self.cache else None
        return Path(self.cache)


def default_folder() -> Path:
    """The folder of caches, if no other is named."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "novikoff"


def takes(
    options: Callable[P, Any],
) -> Callable[[Callable[[Any, Any], R]], Callable[Concatenate[Any, P], R]]:
    """Let a function of a source and an object of options take the options as keywords."""

    def decorate(function: Callable[[Any, Any], R]) -> Callable[Concatenate[Any, P], R]:
        source = next(iter(inspect.signature(function).parameters.values()))
        known = inspect.signature(options).parameters.values()
        signature = inspect.signature(function).replace(parameters=[source, *known])

        @wraps(function)
        def called(*given: Any, **named: Any) -> R:
            bound = signature.bind(*given, **named).arguments
            made: Callable[..., Any] = options
            return function(bound.pop(source.name), made(**bound))

        called.__signature__ = signature  # type: ignore[attr-defined]
        return called

    return decorate
