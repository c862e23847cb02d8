"""Conflicts: rows that cannot all be right, and trees of cases that raise the bound they prove.

In few dimensions cones of planes prove the bound instead.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from novikoff.matrix.problem import Problem, exact_text

SETTLED = 255
Leaf: TypeAlias = tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class Conflict:
    """Rows that cannot all be right, the α that prove it, and the conflict's share in the bound."""

    rows: tuple[int, ...]
    alpha: tuple[Fraction, ...]
    share: Fraction

    def numbered(self, problem: Problem) -> "Conflict":
        """The conflict with its rows numbered as in the file."""
        return replace(self, rows=tuple(problem.numbers_of(self.rows)))

    def to_dict(self) -> dict[str, Any]:
        """The conflict as plain JSON values."""
        alpha = [exact_text(value) for value in self.alpha]
        return {"rows": list(self.rows), "alpha": alpha, "share": str(self.share)}


@dataclass(frozen=True)
class Split:
    """Two kinds of planes: right on `row` (and all rows equal to it), or wrong on it."""

    row: int
    right: "Tree"
    wrong: "Tree"


@dataclass(frozen=True)
class Fixed:
    """Rows on which a plane cannot be wrong: with these shares it would have too many errors.

    A plane that is wrong on a row (and all rows equal to it) has at least the sum of the shares in
    errors, and what these rows count beyond the shares that they bear. All others are in `then`.
    """

    rows: tuple[int, ...]
    shares: Leaf
    then: "Tree"


@dataclass(frozen=True)
class Cones:
    """All planes, as non-negative combinations of a few vectors or their opposites, in cones.

    The vectors have the bias last where there is one. There is a cone for each choice of signs; the
    sign of vector j is minus where bit j of its number is 1. `tree` has a byte for each cone, and
    after it those of its halves: 255 where it is left as it is, or 6·a + b where the edge from
    corner a to corner b is halved. The half that keeps a comes first.
    """

    vectors: tuple[tuple[Fraction, ...], ...]
    tree: bytes

    @property
    def n_leaves(self) -> int:
        """The cones that were left as they are."""
        return self.tree.count(SETTLED)


Tree: TypeAlias = Split | Fixed | Leaf
