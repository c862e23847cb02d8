"""Rows that are integers once each column is scaled, and sums of them tested for 0 by residues.

A float64 is an integer times a power of two, a decimal an integer over a power of ten. A sum of
products of such rows with numbers of any length is 0 exactly if it is 0 modulo so many primes that
their product exceeds what the sum can be. That costs, for each prime, one pass over the stored
entries in the core (`core/residues.hpp`).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import in_time, seconds_in_force
from novikoff.exact.rational import over_one_denominator
from novikoff.exact.reading import MOST_PLACES, ExactMatrix, power_of_two
from novikoff.matrix.rows import Floats, Rows, n_features

MOST_DIGITS = 10.0**15  # decimals below this are recovered from their float64 values
MOST_ENTRY_BITS = 600  # of an integer: columns of very different sizes are left to others
MOST_SUM_BITS = 1 << 17  # of a sum: beyond this, big integers are no slower


class ResidueRows(NamedTuple):
    """Entry x of column j is the integer x / 2^lowest[j], or x · tens[j] rounded where that is > 0.

    For decimals the rounded product is exactly the integer that is meant. `factors` are the same
    scalings as fractions, `bits` the length of the longest integer.
    """

    rows: Rows
    lowest: NDArray[np.int64]
    tens: Floats
    factors: tuple[Fraction, ...]
    bits: int

    def integers(self, values: Floats, columns: Any) -> NDArray[np.int64]:
        """The integers of some entries of these columns, where none has more than 53 bits."""
        tens = self.tens[columns]
        binary = np.ldexp(values, -self.lowest[columns])
        integers = np.where(tens > 0, np.rint(values * tens), binary)
        return np.asarray(integers, dtype=np.int64)


def whole_rows(reading: ExactMatrix) -> ResidueRows | None:
    """The rows of `reading` as integers; None if those are of extreme length, or not of float64."""
    if not reading.is_float:
        return None
    rows, places = reading.rows, reading.places
    if (places > MOST_PLACES).any():
        return None
    d = n_features(rows)
    lowest, highest, greatest = np.empty(d, np.int64), np.empty(d, np.int64), np.empty(d)
    _core.column_ranges(rows, lowest, highest, greatest, seconds_in_force())
    # A decimal column without places holds integers as they are, unless they are long: 1e23.
    if ((places == 0) & (highest > 53)).any():
        return None
    if not np.isfinite(greatest).all():
        return None
    tens = np.where(places > 0, 10.0 ** np.maximum(places, 0), 0.0)
    if not (greatest * tens < MOST_DIGITS).all():
        return None
    # The product of a decimal and its power of ten is rounded: one bit to spare.
    decimal_bits = np.frexp(greatest * tens)[1] + 1
    bits = int(np.where(places > 0, decimal_bits, highest - lowest).max(initial=1))
    if bits > MOST_ENTRY_BITS:
        return None
    factors = tuple(
        Fraction(10**place) if place > 0 else power_of_two(-low)
        for place, low in zip(places.tolist(), lowest.tolist(), strict=True)
    )
    return ResidueRows(rows, lowest, tens, factors, bits)


def combination_is_zero(
    whole: ResidueRows, indices: NDArray[np.intp], factors: Sequence[int]
) -> bool | None:
    """Whether Σ factorᵢ · row(indicesᵢ) is 0; None if the numbers are too long for residues."""
    bound = sum(map(abs, factors)) << whole.bits
    chosen = np.ascontiguousarray(indices, dtype=np.int64)
    for prime in in_time(_primes_beyond(bound)):
        if prime is None:
            return None
        residues = np.array([factor % prime for factor in factors], dtype=np.int64)
        sums = np.empty(len(whole.tens), np.int64)
        _core.sum_of_rows(
            whole.rows, whole.lowest, whole.tens, chosen, residues, prime, sums, seconds_in_force()
        )
        if sums.any():
            return False
    return True


def scores_are_zero(
    whole: ResidueRows, indices: NDArray[np.intp], w: Sequence[int], b: int
) -> NDArray[np.bool_] | None:
    """Where row·w + b is 0, for integer weights on integer rows; None if they are too long."""
    bound = (sum(map(abs, w)) << whole.bits) + abs(b)
    zero = np.ones(len(indices), dtype=np.bool_)
    for prime in in_time(_primes_beyond(bound)):
        if prime is None:
            return None
        residues = np.array([weight % prime for weight in w], dtype=np.int64)
        left = np.flatnonzero(zero)
        chosen, scores = indices[left].astype(np.int64), np.empty(len(left), np.int64)
        _core.score_residues(
            whole.rows, whole.lowest, whole.tens, chosen, residues, b % prime, prime, scores,
            seconds_in_force(),
        )  # fmt: skip
        zero[left] = scores == 0
    return zero


def zero_scores(
    whole: ResidueRows | None, rows: NDArray[np.intp], w: Sequence[Fraction], b: Fraction
) -> NDArray[np.bool_]:
    """Which of these rows surely have a score w·x + b of 0; none where residues cannot tell."""
    zero = None
    if whole is not None:
        scaled = [
            weight / k if weight else weight for weight, k in zip(w, whole.factors, strict=True)
        ]
        (*integers, last), _ = over_one_denominator([*scaled, b])
        zero = scores_are_zero(whole, rows, integers, last)
    return np.zeros(len(rows), dtype=np.bool_) if zero is None else zero


def _primes_beyond(bound: int) -> Iterator[int | None]:
    """Primes whose product exceeds `bound`; a None at once if those would be too many."""
    if bound.bit_length() > MOST_SUM_BITS:
        yield None
        return
    product, k = 1, 0
    while product <= bound:
        prime = prime_below(k)
        yield prime
        product, k = product * prime, k + 1


@cache
def prime_below(k: int) -> int:
    """The k-th prime below 2³¹, counted downwards: products of two residues fit in int64."""
    candidate = (1 << 31) - 1 if k == 0 else prime_below(k - 1) - 2
    while not flint.fmpz(candidate).is_prime():
        candidate -= 2
    return candidate


def residues_of(
    whole: ResidueRows, columns: NDArray[np.integer[Any]], values: Floats, k: int
) -> NDArray[np.int64]:
    """The integers that these entries of these columns are, modulo the k-th prime."""
    found = np.empty(len(values), np.int64)
    _core.entry_residues(
        columns.astype(np.int64, copy=False), values, whole.lowest, whole.tens, prime_below(k),
        found, seconds_in_force(),
    )  # fmt: skip
    return found
