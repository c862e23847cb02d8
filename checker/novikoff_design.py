"""The columns of a design from those of a file: numbers, the levels of categories, and products.

    x              the number in column x
    g[T.b], g[b]   1 where column g has the value b, else 0; also C(g)[T.b]
    g[T.b]:x       the product of the two

A name that is read otherwise than it was meant does no harm: the SHA-256 of the rows that are made
must be the certificate's.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from novikoff_numbers import NUMBER, exact, need
from novikoff_rows import Row, Table

LEVEL = re.compile(r"(?:C\((?P<inner>[^,]+)(?:, (?:contr\.treatment|Treatment).*)?\)|(?P<name>.+?))"
                   r"\[(?:T\.)?(?P<level>.*)\]", re.DOTALL)  # fmt: skip
TRUTHS = {"true": Fraction(1), "false": Fraction(0)}
Term = tuple[tuple[str, ...], tuple[str, ...]]  # the columns of numbers, those of categories


def number_or_text(cell: str) -> Any:
    """A category: two cells are the same if they are as numbers, or as texts."""
    return exact(cell) if NUMBER.fullmatch(cell) else cell


def factors(feature: str, header: Iterable[str]) -> list[str]:
    """The parts of a product; a colon inside brackets, or in a column's name, is none."""
    if feature in header:
        return [feature]
    parts, depth = [""], 0
    for character in feature:
        depth += (character == "[") - (character == "]")
        if character == ":" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def term(feature: str, header: Iterable[str]) -> tuple[Term, tuple[Any, ...]]:
    """The columns that a feature is made of, and the levels of those that are categories."""
    numbers, categories, levels = [], [], []
    for part in factors(feature, header):
        found = LEVEL.fullmatch(part)
        name = part if found is None else found["inner"] or found["name"]
        need(name in header, f"the file has no column {name!r}", ValueError)
        if part in header or found is None:
            numbers.append(part)
        else:
            categories.append(name)
            levels.append(number_or_text(found["level"]))
    return (tuple(numbers), tuple(categories)), tuple(levels)


def value(numbers: tuple[str, ...], row: dict[str, str]) -> Fraction:
    """The number of a row, or the float64 product of some; 1 for categories alone."""
    truths = [TRUTHS.get(row[k].lower()) for k in numbers]
    read = [exact(row[k]) if x is None else x for k, x in zip(numbers, truths, strict=True)]
    if len(read) < 2:
        return read[0] if read else Fraction(1)
    product = 1.0
    for x in read:
        product *= float(x)
    return Fraction(product)


def made_of(features: list[str], table: Table) -> set[str]:
    """The columns of the file that the features are made of."""
    parts = (names for feature in features for names in term(feature, table[0])[0])
    return {name for names in parts for name in names}


def design(features: list[str], table: Table) -> list[Row]:
    """The features of each row, by their positions; a category has the one of its level alone."""
    terms: dict[Term, dict[tuple[Any, ...], int]] = {}
    for j, feature in enumerate(features):
        made_of, levels = term(feature, table[0])
        places = terms.setdefault(made_of, {})
        need(levels not in places, f"the column {feature!r} is there twice")
        places[levels] = j
    rows = []
    for row in table:
        cells: Row = {}
        for (numbers, categories), places in terms.items():
            levels = tuple(number_or_text(row[k]) for k in categories)
            if levels in places:
                cells[places[levels]] = value(numbers, row)
        rows.append(dict(sorted(cells.items())))
    return rows
