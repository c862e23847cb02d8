"""What a scan finds out about its rows before they are learned from."""

from typing import Any, NamedTuple

__all__ = ["Stayed", "Survey"]


class Survey(NamedTuple):
    """What all rows tell, also those that are left out.

    `labels` as they are stored; `texts` of columns that become categories; `prints`: some number is
    written as only programs write float64 numbers.
    """

    n: int
    labels: set[Any]
    texts: dict[str, set[str]]
    prints: bool


class Stayed(NamedTuple):
    """What the rows tell that take part: how many, their classes, the values of coded columns."""

    n: int
    labels: set[Any]
    levels: dict[str, set[Any]]
