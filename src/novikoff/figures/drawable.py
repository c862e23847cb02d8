"""What can be drawn: an overflow on the way to the paper is an error that says what to do."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np

from novikoff.errors import DataError

__all__ = ["drawable"]

P = ParamSpec("P")
R = TypeVar("R")


def drawable(function: Callable[P, R]) -> Callable[P, R]:
    """Let a figure refuse numbers whose sums, squares or ratios float64 does not hold.

    Axes end far below 1.8e308 and far above 5e-324: they have margins, and their lengths ratios.
    """

    @wraps(function)
    def draw(*arguments: P.args, **options: P.kwargs) -> R:
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise"):
                return function(*arguments, **options)
        except (FloatingPointError, OverflowError) as error:
            raise DataError(
                "some numbers are too large, or too close to 0, to be drawn (the largest that can "
                "be are about 1e150, the smallest 1e-150): scale the columns."
            ) from error

    return draw
