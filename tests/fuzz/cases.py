"""One case: a check, what it is asked of, and lines of Python that ask it again."""

import re
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from tests.fuzz.hostile import source

IMPORTS = """\
import numpy as np
import pandas as pd
import scipy.sparse as sp
from decimal import Decimal
from fractions import Fraction"""
SHRINKING = 20.0  # seconds to make a failing case smaller
CAUGHT = (Exception, SystemExit)


class Wrong(AssertionError):  # noqa: N818
    """An answer that is not the oracle's."""


@dataclass(frozen=True)
class Case:
    """`check(**arguments)` says in a word what was found, or raises."""

    check: Callable[..., str]
    arguments: dict[str, Any]

    def run(self) -> str:
        """The word of the check."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return self.check(**self.arguments)

    def failure(self) -> str | None:
        """What went wrong, and where; None if nothing did."""
        try:
            self.run()
        except CAUGHT as error:
            return described(error)
        return None

    def lines(self) -> str:
        """Python that repeats the case, from the top of the repository."""
        name = self.check.__name__
        given = [f"    {key}={source(value)}," for key, value in self.arguments.items()]
        imports = f"{IMPORTS}\nfrom {self.check.__module__} import {name}"
        return "\n".join([imports, "", f"{name}(", *given, ")"])

    def shrunk(self) -> "Case":
        """A smaller case that fails in the same way, as far as a few seconds go."""
        kind = kind_of(self.failure())
        smallest, end = self, time.monotonic() + SHRINKING
        changing = True
        while changing and time.monotonic() < end:
            changing = False
            for other in smallest.smaller():
                if time.monotonic() > end:
                    break
                if kind_of(other.failure()) == kind:
                    smallest, changing = other, True
                    break
        return smallest

    def smaller(self) -> Iterator["Case"]:
        """The same without a row, without a column, or with a simpler number."""
        X = self.arguments.get("X")
        if not (isinstance(X, np.ndarray) or sp.issparse(X)) or X.ndim != 2:
            return
        X = X.tocsr() if sp.issparse(X) else X
        n, d = X.shape
        for i in range(n if n > 2 else 0):
            kept = [k for k in range(n) if k != i]
            yield self._with(**{
                key: _rows(value, kept, n) for key, value in self.arguments.items()
            })  # fmt: skip
        for j in range(d if d > 1 else 0):
            yield self._with(X=X[:, [k for k in range(d) if k != j]])
        if sp.issparse(X):
            return
        for simple in (0, 1, -1):
            for i, j in np.argwhere(~np.isin(X, [0, 1, -1][: [0, 1, -1].index(simple) + 1])):
                if simple >= 0 or X.dtype.kind not in "ub":
                    other = X.copy()
                    other[i, j] = simple
                    yield self._with(X=other)

    def _with(self, **changes: Any) -> "Case":
        return Case(self.check, self.arguments | changes)


def _rows(value: Any, kept: list[int], n: int) -> Any:
    """What is said row by row, of fewer rows."""
    if isinstance(value, list):
        return [value[k] for k in kept] if len(value) == n else value
    if isinstance(value, dict):
        return {key: _rows(part, kept, n) for key, part in value.items()}
    if getattr(value, "shape", ())[:1] == (n,):
        return (value.tocsr() if sp.issparse(value) else value)[kept]
    return value


def described(error: BaseException) -> str:
    """The error, and the last line of the package that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "/novikoff/" in f.filename.replace("\\", "/")]
    where = f" ({ours[-1].filename.rpartition('/novikoff/')[2]}: {ours[-1].name})" if ours else ""
    return f"{type(error).__name__}: {error}{where}"


def kind_of(failure: str | None) -> str | None:
    """What failures that look alike share: the error, and its first words without their numbers."""
    return None if failure is None else " ".join(re.sub(r"[-\d].*", "", failure).split()[:6])
