"""Check a proof by cones of planes: on each cone, some rows are wrong for all of its planes.

A plane is a non-negative combination of the corners of a cone. A row whose score is not positive at
any corner is wrong for every plane in it, so the errors are at least what these rows count. The
cones have to hold all planes: the vectors that they come from must give the rows that count scores
of the same rank as all weights do. Scores at the vectors are worked out in integers, once, and
rounded up to 60 bits; halving an edge rounds up again, so that a bound is never above what holds.

Rows whose scores are ± multiples of each other share a plane: each plane is wrong on one side of
it, or on both, so what the lighter side counts is an error in any case.
"""

import base64
import binascii
import zlib
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.certificates.conflicts import Cones
from novikoff.core.progress import seconds_in_force
from novikoff.errors import CertificateError
from novikoff.exact.rational import common_divisor
from novikoff.exact.reading import ExactMatrix

MOST_VECTORS = 6
MOST_NODES = 1 << 23
BITS = 60
MOST_WEIGHT = 1 << 60
MOST_NUMBERS = 1 << 23  # of the rows that count
PRIME = 2**61 - 1


def cones_to_json(cones: Cones) -> dict[str, Any]:
    """Cones as JSON has them: fractions as text, the tree compressed."""
    vectors = [[str(value) for value in vector] for vector in cones.vectors]
    packed = base64.b64encode(zlib.compress(cones.tree, 9)).decode("ascii")
    return {"vectors": vectors, "tree": packed}


def cones_of(value: Any, fraction_of: Any) -> Cones:
    """The cones that an object writes."""
    if not isinstance(value, dict) or value.keys() != {"vectors", "tree"}:
        raise CertificateError("cones must have vectors and tree, and nothing else.")
    vectors, packed = value["vectors"], value["tree"]
    if not isinstance(vectors, list) or not 1 <= len(vectors) <= MOST_VECTORS:
        raise CertificateError(f"cones.vectors must be 1 to {MOST_VECTORS} lists of numbers.")
    if not all(isinstance(vector, list) for vector in vectors) or not isinstance(packed, str):
        raise CertificateError("cones.vectors must be lists of numbers, and cones.tree text.")
    read = zlib.decompressobj()
    try:
        tree = read.decompress(base64.b64decode(packed, validate=True), MOST_NODES + 1)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise CertificateError(f"cones.tree cannot be read: {error}") from error
    if len(tree) > MOST_NODES or not read.eof:
        raise CertificateError(f"cones.tree has more than {MOST_NODES} cones, or is cut short.")
    exact = tuple(
        tuple(fraction_of(number, f"cones.vectors[{j}]") for number in vector)
        for j, vector in enumerate(vectors)
    )
    return Cones(exact, tree)


def least_errors_of_cones(
    cones: Cones,
    reading: ExactMatrix,
    y: NDArray[np.int8],
    row_weights: Sequence[Fraction],
    with_one: bool,
) -> Fraction | str:
    """The lower bound on every plane's errors; or why the cones prove nothing."""
    counting = [i for i, weight in enumerate(row_weights) if weight]
    if not counting:
        return Fraction(0)
    if len(counting) * (reading.X.shape[1] + with_one) > MOST_NUMBERS:
        return "there are too many numbers for cones."
    integers, factors = reading.integers(counting, range(reading.X.shape[1]))
    signs = y[counting].tolist()
    rows = [
        [sign * int(x) for x in row] + [sign] * with_one
        for sign, row in zip(signs, integers.tolist(), strict=True)
    ]
    units = [*map(Fraction, factors), *[Fraction(1)] * with_one]
    if any(len(vector) != len(units) for vector in cones.vectors):
        return "a vector of the cones has not one number a column."
    inner = [
        [value / unit for value, unit in zip(vector, units, strict=True)]
        for vector in cones.vectors
    ]
    whole = lcm(*(value.denominator for vector in inner for value in vector))
    A = flint.fmpz_mat(rows)
    T = flint.fmpz_mat([[int(value * whole) for value in vector] for vector in inner]).transpose()
    S = A * T
    # A rank modulo a prime is at most the rank: where it is too high, no more is to be worked out.
    too_high = flint.nmod_mat(A, PRIME).rank() > len(cones.vectors)
    if too_high or _rank(A) != _rank(S):
        return "the cones do not hold all planes."
    unit = common_divisor([row_weights[i] for i in counting])
    counts = [int(row_weights[i] / unit) for i in counting]
    if sum(counts) >= MOST_WEIGHT:
        return "the weights have too many digits for cones."
    sure, kept = _sides(S.tolist(), counts)
    above = np.array([_rounded_up(row) for row, _ in kept], dtype=np.int64)
    opposite = np.array([_rounded_up([-v for v in row]) for row, _ in kept], dtype=np.int64)
    shape = (len(kept), len(cones.vectors))
    least = _core.cone_tree_bound(
        above.reshape(shape),
        opposite.reshape(shape),
        np.array([count for _, count in kept], dtype=np.int64),
        np.frombuffer(cones.tree, dtype=np.uint8),
        seconds_in_force(),
    )
    return "the tree of cones is none, or takes too long." if least < 0 else (sure + least) * unit


def _rank(matrix: Any) -> int:
    """The rank, of the smaller one of the two products with the transpose."""
    other = matrix.transpose()
    is_long = matrix.nrows() > matrix.ncols()
    return int((other * matrix if is_long else matrix * other).rank())


def _sides(scores: Any, counts: list[int]) -> tuple[int, list[tuple[list[int], int]]]:
    """Errors of every plane, and for each score's plane the heavier side with what it has more."""
    sides: dict[tuple[int, ...], list[int]] = {}
    sure = 0
    for row, count in zip(scores, counts, strict=True):
        values = [int(value) for value in row]
        divisor = gcd(*values)
        if divisor == 0:
            sure += count
            continue
        leading = next(value for value in values if value)
        side = int(leading < 0)
        signed = -divisor if side else divisor
        sides.setdefault(tuple(value // signed for value in values), [0, 0])[side] += count
    kept = []
    for key, (plus, minus) in sides.items():
        sure += min(plus, minus)
        if plus != minus:
            sign = 1 if plus > minus else -1
            kept.append(([sign * value for value in key], abs(plus - minus)))
    return sure, kept


def _rounded_up(values: list[int]) -> list[int]:
    """Integers of at most 60 bits, in proportion to these from above."""
    shift = BITS - max(abs(value).bit_length() for value in values)
    if shift >= 0:
        return [value << shift for value in values]
    return [-(-value >> -shift) for value in values]
