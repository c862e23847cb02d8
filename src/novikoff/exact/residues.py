"""Rows that are integers once each column is scaled, and sums of them tested for 0 by residues.

A float64 is an integer times a power of two, a decimal an integer over a power of ten. A sum of
products of such rows with numbers of any length is 0 exactly if it is 0 modulo so many primes that
their product exceeds what the sum can be. That costs, for each prime, one pass over the stored
entries in compiled code.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.core.progress import in_time
from novikoff.exact.reading import MOST_PLACES, ExactMatrix, power_of_two
from novikoff.matrix.rows import Floats, Rows, entry, n_entries, n_features, n_rows

__all__ = [
    "ResidueRows",
    "combination_is_zero",
    "prime_below",
    "residues_of",
    "scores_are_zero",
    "whole_rows",
]

TWO_53 = 2.0**53
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


def whole_rows(reading: ExactMatrix) -> ResidueRows | None:
    """The rows of `reading` as integers; None if those are of extreme length, or not of float64."""
    if not reading.is_float:
        return None
    rows, places = reading.rows, reading.places
    n, d = n_rows(rows), n_features(rows)
    if (places > MOST_PLACES).any():
        return None
    lowest, highest, greatest = _ranges(rows, n, d)
    # A decimal column without places holds integers as they are, unless they are long: 1e23.
    if ((places == 0) & (highest > 53)).any():
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
    for prime in in_time(_primes_beyond(bound)):
        if prime is None:
            return None
        residues = np.array([factor % prime for factor in factors], dtype=np.int64)
        powers = _powers_of_two(prime)
        rows, lowest, tens = whole.rows, whole.lowest, whole.tens
        if _combine(rows, lowest, tens, indices, residues, powers, prime).any():
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
        powers = _powers_of_two(prime)
        left = np.flatnonzero(zero)
        rows, lowest, tens = whole.rows, whole.lowest, whole.tens
        scores = _score(rows, lowest, tens, indices[left], residues, b % prime, powers, prime)
        zero[left] = scores == 0
    return zero


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


@cache
def _powers_of_two(prime: int) -> NDArray[np.int64]:
    """2^k modulo the prime, for every k by which an entry can be shifted."""
    powers = [1]
    for _ in range(MOST_ENTRY_BITS):
        powers.append(powers[-1] * 2 % prime)
    return np.array(powers, dtype=np.int64)


def residues_of(
    whole: ResidueRows, columns: NDArray[np.int32], values: Floats, k: int
) -> NDArray[np.int64]:
    """The integers that these entries of these columns are, modulo the k-th prime."""
    prime = prime_below(k)
    return _residues(columns, values, whole.lowest, whole.tens, _powers_of_two(prime), prime)


@kernel
def _ranges(rows: Rows, n: int, d: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """For each column the least and the greatest power of two in its entries, and the largest one.

    Every entry is an integer times 2^lowest, and below 2^highest in size; 0 and 1 if all are 0.
    """
    greatest = np.zeros(d)
    lowest, highest = np.full(d, 1 << 20, np.int64), np.full(d, -(1 << 20), np.int64)
    for i in range(n):
        for k in range(n_entries(rows, i)):
            j, x = entry(rows, i, k)
            if x == 0.0:
                continue
            fraction, exponent = math.frexp(x)
            highest[j] = max(highest[j], np.int64(exponent))
            greatest[j] = max(greatest[j], abs(x))
            if lowest[j] <= exponent - 53:
                continue
            mantissa = np.int64(fraction * TWO_53)
            power = np.int64(exponent) - 53
            while mantissa & 1 == 0:
                mantissa >>= 1
                power += 1
            lowest[j] = min(lowest[j], power)
    for j in range(d):
        if highest[j] == -(1 << 20):
            lowest[j], highest[j] = 0, 1
    return lowest, highest, greatest


@kernel
def _residue(x: float, lowest: int, ten: float, powers: NDArray[np.int64], prime: int) -> int:
    """The integer of an entry, modulo the prime."""
    if ten > 0.0:
        return int(np.int64(np.rint(x * ten)) % prime)
    fraction, exponent = math.frexp(x)
    mantissa = np.int64(fraction * TWO_53)
    shift = exponent - 53 - lowest
    if shift <= 0:
        return int((mantissa >> np.int64(-shift)) % prime)
    return int((mantissa % prime) * powers[shift] % prime)


@kernel
def _residues(
    columns: NDArray[np.int32],
    values: Floats,
    lowest: NDArray[np.int64],
    tens: Floats,
    powers: NDArray[np.int64],
    prime: int,
) -> NDArray[np.int64]:
    """The residues of entries, each of its column."""
    found = np.zeros(len(values), np.int64)
    for at in range(len(values)):
        j = columns[at]
        if values[at] != 0.0:
            found[at] = _residue(values[at], lowest[j], tens[j], powers, prime)
    return found


@kernel
def _combine(
    rows: Rows,
    lowest: NDArray[np.int64],
    tens: Floats,
    indices: NDArray[np.intp],
    factors: NDArray[np.int64],
    powers: NDArray[np.int64],
    prime: int,
) -> NDArray[np.int64]:
    """Σ factor · row modulo the prime, column by column."""
    sums = np.zeros(len(tens), np.int64)
    for at in range(len(indices)):
        i, factor = indices[at], factors[at]
        for k in range(n_entries(rows, i)):
            j, x = entry(rows, i, k)
            if x != 0.0:
                z = _residue(x, lowest[j], tens[j], powers, prime)
                sums[j] = (sums[j] + z * factor) % prime
    return sums


@kernel
def _score(
    rows: Rows,
    lowest: NDArray[np.int64],
    tens: Floats,
    indices: NDArray[np.intp],
    w: NDArray[np.int64],
    b: int,
    powers: NDArray[np.int64],
    prime: int,
) -> NDArray[np.int64]:
    """row·w + b modulo the prime, for some rows."""
    scores = np.empty(len(indices), np.int64)
    for at in range(len(indices)):
        i = indices[at]
        total = np.int64(b)
        for k in range(n_entries(rows, i)):
            j, x = entry(rows, i, k)
            if x != 0.0:
                z = _residue(x, lowest[j], tens[j], powers, prime)
                total = (total + z * w[j]) % prime
        scores[at] = total
    return scores
