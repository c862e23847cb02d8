"""Equality of records that hold arrays: field by field, by what is in them."""

from dataclasses import fields
from typing import Any

import numpy as np

from novikoff.core import sparse as sp


class ComparedByValue:
    """A dataclass (declared with `eq=False`) whose arrays are compared by what they hold."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(
            same(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)  # type: ignore[arg-type]
        )

    __hash__ = None  # type: ignore[assignment]  # arrays can change, so there is no hash


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal; arrays if they have one shape and the same entries."""
    if a is b:
        return True
    if sp.issparse(a) or sp.issparse(b):
        if not (sp.issparse(a) and sp.issparse(b)) or a.shape != b.shape:
            return False
        return bool((a != b).nnz == 0)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        floating = a.dtype.kind == "f" and b.dtype.kind == "f"
        return bool(np.array_equal(a, b, equal_nan=floating))
    return bool(a == b)
