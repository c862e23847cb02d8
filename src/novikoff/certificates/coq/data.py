"""The rows of a proof: integers and the units of the columns, as Coq is told them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.coq.terms import digits, list_term, rational_list
from novikoff.exact.reading import ExactMatrix


@dataclass(frozen=True)
class ProofData:
    """Some rows of the data: x_ij = entries[i][j] · units[j], with labels −1 or +1.

    `indices` are their places in the user's data, and `whole` says that they are all of it.
    """

    entries: list[list[int]]
    units: list[Fraction]
    signs: list[int]
    indices: list[int]
    fit_intercept: bool
    whole: bool

    @property
    def n(self) -> int:
        """How many rows."""
        return len(self.entries)

    @property
    def d(self) -> int:
        """How many columns."""
        return len(self.units)

    @property
    def planes(self) -> str:
        """Which planes are tried, in the words of the theory."""
        return "every_plane" if self.fit_intercept else "planes_through_0"

    @cached_property
    def signed(self) -> list[list[int]]:
        """The rows y(1, x), or y(0, x) without an intercept, as the theory has them."""
        return [
            [sign if self.fit_intercept else 0, *(sign * x for x in row)]
            for sign, row in zip(self.signs, self.entries, strict=True)
        ]

    def hat(self, weights: Sequence[Fraction], intercept: Fraction) -> list[Fraction]:
        """The bias and the weights in the units of the columns: what integer rows meet."""
        return [intercept, *(w * unit for w, unit in zip(weights, self.units, strict=True))]

    def definitions(self) -> str:
        """The data in Coq, a line a row; where rows were left out, with the place of each."""
        names = {1: "Plus", -1: "Minus"}
        lines = []
        for place, (sign, row) in enumerate(zip(self.signs, self.entries, strict=True)):
            end = ";" if place + 1 < self.n else ""
            note = "" if self.whole else f" (* row {self.indices[place]} *)"
            lines.append(f"  ({names[sign]}, {list_term(map(digits, row))}){end}{note}")
        rows = "\n".join(lines)
        return (
            f"Definition units : list Q := {rational_list(self.units)}.\n\n"
            f"Definition rows : list row := [\n{rows}\n]%digits.\n\n"
            "Definition data : list example := points units rows.\n"
        )


def proof_data(
    reading: ExactMatrix,
    signs: NDArray[np.int8],
    rows: Sequence[int] | None,
    *,
    fit_intercept: bool,
) -> ProofData:
    """These rows of the data, or all of them."""
    n, d = reading.X.shape
    indices = list(range(n)) if rows is None else list(rows)
    integers, factors = reading.integers(indices, range(d))
    return ProofData(
        entries=[[int(value) for value in row] for row in integers.tolist()],
        units=[1 / Fraction(factor) for factor in factors],
        signs=signs[indices].astype(int).tolist(),
        indices=indices,
        fit_intercept=fit_intercept,
        whole=len(indices) == n,
    )


def whole_over(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """The values as integers over their least common denominator."""
    denominator = lcm(*(value.denominator for value in values))
    return [int(value * denominator) for value in values], denominator
