"""Why the rows of α span all rows: numbers that Coq can check quickly.

Rows are independent if a matrix C makes CB the identity modulo some q: small numbers prove a rank
over the rationals. Where columns depend on others, the reduced echelon form gives every row back
from its entries in the leading columns.
"""

from dataclasses import dataclass
from typing import Any

import flint

from novikoff.errors import LimitError

__all__ = ["Span", "span_of"]

# Small, so that Coq multiplies fast; each is tried if the ones before divide a minor by accident.
MODULI = (32749, 32719, 32717, 32713, 32707, 2147483647, 2**61 - 1)


@dataclass(frozen=True)
class Span:
    """`inverse` times the rows in the `columns` is the identity modulo `modulus`.

    `relation` has one row for each of these columns: a row of the data, times `denominator`, is the
    combination of these rows with its own entries in the columns.
    """

    modulus: int
    inverse: list[list[int]]
    columns: list[int]
    denominator: int
    relation: list[list[int]]


def span_of(table: list[list[int]]) -> Span:
    """What these integer rows span."""
    echelon, denominator, rank = flint.fmpz_mat(table).rref()
    if rank == 0:
        return Span(2, [], [], 1, [])
    rows = [[int(value) for value in row] for row in echelon.table()[:rank]]
    columns = [next(j for j, value in enumerate(row) if value) for row in rows]
    sign = 1 if denominator > 0 else -1
    for modulus in MODULI:
        inverse = _inverse_modulo([[row[j] % modulus for j in columns] for row in table], modulus)
        if inverse is not None:
            relation = [[sign * value for value in row] for row in rows]
            return Span(modulus, inverse, columns, sign * int(denominator), relation)
    raise LimitError("no modulus was found that shows the rank of the rows of α.")


def _inverse_modulo(table: list[list[int]], modulus: int) -> list[list[int]] | None:
    """C with C · table = 1 modulo `modulus`, or None; 0 for all rows but some independent ones."""
    rank = len(table[0])
    columns = flint.nmod_mat([list(column) for column in zip(*table, strict=True)], modulus)
    chosen = _leads(*columns.rref())
    if len(chosen) < rank:
        return None
    square = flint.nmod_mat([table[i] for i in chosen], modulus).inv()
    inverse = [[0] * len(table) for _ in range(rank)]
    for k in range(rank):
        for at, i in enumerate(chosen):
            inverse[k][i] = int(square[k, at])
    return inverse


def _leads(echelon: Any, rank: int) -> list[int]:
    """The columns in which the rows of an echelon form begin."""
    return [next(j for j in range(echelon.ncols()) if int(echelon[i, j]) != 0) for i in range(rank)]
