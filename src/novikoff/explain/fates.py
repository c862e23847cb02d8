"""Coefficients with what becomes of each, as lines: the infinite ones first, and none too often."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["MOST_OF_A_KIND", "fate_lines", "fate_meanings", "rich_steps"]

MOST_OF_A_KIND = 40  # coefficients with the same fate that are named
MANY = 12  # coefficients of one fate that make one line
INFINITE = ("+∞", "−∞")
NOT_DETERMINED, ALIASED = "not determined", "aliased"
MEANINGS = {
    NOT_DETERMINED: "+∞, −∞ and finite are all possible",
    ALIASED: "a combination of the columns before it, set aside",
}


def fate_lines(
    fates: Sequence[tuple[str, str]], most: int = MOST_OF_A_KIND
) -> list[tuple[str, str]]:
    """The names and fates, in one line where all that are not aliased share one.

    "not determined" is such a line for two coefficients, any other fate for many. Of very many
    coefficients with the same fate, the first `most` are named and the others counted.
    """
    left = [fate for _, fate in fates if fate != ALIASED]
    aliased = [(name, fate) for name, fate in fates if fate == ALIASED]
    few = 1 if NOT_DETERMINED in left else MANY
    if len(left) > few and len(set(left)) == 1:
        meaning = f": {MEANINGS[left[0]]}" if left[0] in MEANINGS else ""
        return [(f"all {len(left)} coefficients", f"{left[0]}{meaning}"), *_counted(aliased, most)]
    return _counted(sorted(fates, key=lambda item: item[1] not in INFINITE), most)


def _counted(fates: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    counts: dict[str, int] = {}
    for name, fate in fates:
        counts[fate] = counts.get(fate, 0) + 1
        if counts[fate] <= most:
            lines.append((name, fate))
    more = {fate: count - most for fate, count in counts.items()}
    return lines + [(f"and {count} more", fate) for fate, count in more.items() if count > 0]


def fate_meanings(lines: Sequence[tuple[str, str]]) -> list[str]:
    """What the words in the lines mean, a sentence each, where the line itself does not say."""
    there = {fate for _, fate in lines}
    return [f"{fate}: {meaning}" for fate, meaning in MEANINGS.items() if fate in there]


def rich_steps(steps: Sequence[str]) -> "Table":
    """Advice for a terminal: a line that is too long goes on under its own beginning."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1))
    for step in steps:
        grid.add_row("-", Text(step))
    return grid
