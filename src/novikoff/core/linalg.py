"""`scipy.linalg`, loaded when it is needed: most data is decided without, and it loads slowly.

Used as SciPy's own module is: `from novikoff.core import linalg as la`.
"""

from importlib import import_module
from typing import Any

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_module("scipy.linalg"), name)
