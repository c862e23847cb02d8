"""Shares of rows that are equal: what a group of them carries is dealt out to its members."""

from collections.abc import Sequence
from fractions import Fraction

from novikoff.certificates.conflicts import Conflict
from novikoff.proofs.conflicts import ProvenConflict

__all__ = ["Registry", "deal_out"]


class Registry:
    """Conflicts of rows as they were given, each once, in the order in which they were met."""

    def __init__(self) -> None:
        self._places: dict[tuple[int, ...], int] = {}
        self._found: list[tuple[tuple[int, ...], tuple[Fraction, ...]]] = []

    def place(self, rows: Sequence[int], alpha: Sequence[Fraction]) -> int:
        """Where the conflict of these rows is in the list."""
        pairs = sorted(zip(rows, alpha, strict=True))
        key = tuple(row for row, _ in pairs)
        if key not in self._places:
            self._places[key] = len(self._found)
            self._found.append((key, tuple(a for _, a in pairs)))
        return self._places[key]

    def conflicts(self, shares: dict[int, Fraction]) -> tuple[Conflict, ...]:
        """All of them, with the shares that some have."""
        return tuple(
            Conflict(rows, alpha, shares.get(k, Fraction(0)))
            for k, (rows, alpha) in enumerate(self._found)
        )


def deal_out(
    packed: Sequence[tuple[ProvenConflict, Fraction]],
    members: Sequence[Sequence[int]],
    row_weights: Sequence[Fraction],
    unlimited: frozenset[int],
    registry: Registry,
) -> dict[int, Fraction]:
    """Shares of conflicts between groups as shares of conflicts between their members.

    Each group's members are filled one after the other, so few conflicts become more than one.
    """
    filling: dict[int, int] = {}
    left: dict[int, Fraction] = {}
    shares: dict[int, Fraction] = {}
    for conflict, share in packed:
        while share > 0:
            rows = []
            part = share
            for group in conflict.rows:
                at = filling.setdefault(group, 0)
                row = members[group][at]
                rows.append(row)
                if group not in unlimited:
                    part = min(part, left.setdefault(row, row_weights[row]))
            place = registry.place(rows, conflict.alpha)
            shares[place] = shares.get(place, Fraction(0)) + part
            share -= part
            for group, row in zip(conflict.rows, rows, strict=True):
                if group not in unlimited:
                    left[row] -= part
                    if left[row] == 0 and filling[group] + 1 < len(members[group]):
                        filling[group] += 1
    return {place: share for place, share in shares.items() if share > 0}
