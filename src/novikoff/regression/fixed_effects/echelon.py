"""Some rows of a sparse integer matrix: what is orthogonal to them, and what they add up to.

The core eliminates modulo a prime, the rarest columns first, so that rows of dummies stay short. A
rank modulo a prime is never too large. So if it leaves k columns free, and k vectors that differ in
these are orthogonal to all rows, exactly, then these vectors span all that is. They are written as
fractions from their residues modulo a few primes, and checked in whole numbers.
"""

from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappop, heappush
from math import lcm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core.progress import in_time
from novikoff.exact.residues import prime_below
from novikoff.exact.sparse_elimination import Elimination, eliminate, fraction_of

Indices: TypeAlias = NDArray[np.intp]
Sum: TypeAlias = dict[int, Fraction]

MOST_LIFTS = 128  # primes' digits of a solution


def add_to(total: Sum, row: Sum, factor: Fraction) -> None:
    """Add a multiple of a row, without keeping zeros."""
    for j, value in row.items():
        new = total.get(j, 0) + factor * value
        if new:
            total[j] = Fraction(new)
        else:
            total.pop(j, None)


class Echelon:
    """The echelon form of the rows `makers`; `null` has a basis of their null vectors."""

    def __init__(self, rows: Any, found: Elimination) -> None:
        self.rows, self.makers, self.place, self.null = rows, found.makers, found.place, found.null
        self.free = found.free
        form = (part.tolist() for part in found.form)
        self.begin, self.end, self.columns, self.residues, self.sources = form
        self.known: dict[int, tuple[int, dict[int, int]]] = {}

    @classmethod
    def of(cls, rows: Any, makers: Indices) -> "Echelon | None":
        """The form; None if it is too much work, or a number too long."""
        found = eliminate(rows, makers)
        return None if found is None else cls(rows, found)

    @property
    def basis(self) -> Indices:
        """Makers that span all of them."""
        return np.array([row for row in self.sources if row >= 0], dtype=np.intp)

    def row(self, i: int) -> Sum:
        """A row, by its columns."""
        here = slice(self.rows.indptr[i], self.rows.indptr[i + 1])
        values = map(Fraction, self.rows.data[here].tolist())
        return dict(zip(self.rows.indices[here].tolist(), values, strict=True))

    def lifted(self, shares: list[Fraction]) -> list[Fraction]:
        """The sum of the null vectors, each times its share."""
        total: Sum = {}
        for k, share in enumerate(shares):
            if share:
                here = slice(self.null.indptr[k], self.null.indptr[k + 1])
                vector = zip(
                    self.null.indices[here].tolist(), self.null.data[here].tolist(), strict=True
                )
                add_to(total, {j: Fraction(value) for j, value in vector}, share)
        return [total.get(j, Fraction(0)) for j in range(self.rows.shape[1])]

    def coordinates(self, direction: NDArray[np.float64]) -> NDArray[np.float64]:
        """About the shares of the null vectors in a direction."""
        at = [int(self.null[k, j]) for k, j in enumerate(self.free.tolist())]
        return np.asarray(direction[self.free] / np.array(at, dtype=np.float64))

    def shares(self, total: Sum) -> Sum | None:
        """How much of each row of the basis adds up to a sum in their span; None if too long.

        Digit by digit to the base of the prime: what a digit does not account for is a multiple of
        the prime, and is divided by it.
        """
        prime = prime_below(0)
        denominator = lcm(*(value.denominator for value in total.values()))
        left = {j: int(value * denominator) for j, value in total.items()}
        digits: dict[int, int] = {}
        power, attempt = 1, 1
        for lift in in_time(range(1, MOST_LIFTS + 1)):
            for i, digit in self._modulo(left).items():
                digits[i] = digits.get(i, 0) + power * digit
                for j, value in self.row(i).items():
                    left[j] = left.get(j, 0) - digit * int(value)
            if any(value % prime for value in left.values()):
                return None
            left = {j: value // prime for j, value in left.items() if value}
            power *= prime
            if left and lift < attempt:
                continue
            attempt *= 2
            found = self._checked(digits, power, total, denominator)
            if found is not None:
                return found
        return None

    def _checked(
        self, digits: dict[int, int], power: int, total: Sum, denominator: int
    ) -> Sum | None:
        """The fractions with these residues, if they are the shares."""
        found, left = Sum(), dict(total)
        for i, digit in digits.items():
            share = fraction_of(digit % power, power)
            if share is None:
                return None
            found[i] = share / denominator
            add_to(left, self.row(i), -found[i])
        return None if left else found

    def _modulo(self, total: dict[int, int]) -> dict[int, int]:
        """The shares modulo the prime."""
        prime = prime_below(0)
        row = {int(self.place[j]): value % prime for j, value in total.items()}
        order, found = self._order, dict[int, int]()
        weights = self._taken_out(row, len(self.makers), len(self.sources))
        waiting = [(-order[j], j) for j in weights]
        heapify(waiting)
        while waiting:
            _, j = heappop(waiting)
            weight = weights.pop(j, 0)
            if weight % prime == 0:
                continue
            lead, taken = self._source(j)
            share = weight * pow(lead, -1, prime) % prime
            found[self.sources[j]] = share
            for other, factor in taken.items():
                if other not in weights:
                    heappush(waiting, (-order[other], other))
                weights[other] = (weights.get(other, 0) - share * factor) % prime
        return found

    @cached_property
    def _order(self) -> dict[int, int]:
        """When the row of the form came that begins in a column."""
        at = {row: k for k, row in enumerate(self.makers.tolist())}
        return {j: at[row] for j, row in enumerate(self.sources) if row >= 0}

    def _taken_out(self, row: dict[int, int], before: int, until: int) -> dict[int, int]:
        """How much of each row of the form that came before is in a row, up to a column.

        What is left of the row stays in it.
        """
        prime, order = prime_below(0), self._order
        taken: dict[int, int] = {}
        waiting = list(row)
        heapify(waiting)
        while waiting:
            j = heappop(waiting)
            if j >= until:
                break
            factor = row.get(j, 0)
            if not factor or order.get(j, before) >= before:
                continue
            taken[j] = factor
            row[j] = 0
            here = slice(self.begin[j], self.end[j])
            for c, value in zip(self.columns[here], self.residues[here], strict=True):
                if c not in row:
                    heappush(waiting, c)
                row[c] = (row.get(c, 0) - factor * value) % prime
        return taken

    def _source(self, j: int) -> tuple[int, dict[int, int]]:
        """The row that the form's row at column j came from: its share of that, and of others."""
        if j not in self.known:
            prime = prime_below(0)
            row = {int(self.place[c]): int(v) % prime for c, v in self.row(self.sources[j]).items()}
            taken = self._taken_out(row, self._order[j], j)
            self.known[j] = row[j], taken
        return self.known[j]
