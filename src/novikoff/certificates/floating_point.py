"""The check of a proof in floating point: A_Sᵀα = 0 has a solution α > 0, and rank A_S = rank A.

The prover (`novikoff.exact.existence`) bounds the roundings of float64 sums. This is a second
implementation, which shares no arithmetic with it: numbers are integers here, sums and products of
them are exact, and what is cut off is counted.

Theorem. Let C be a real m × p matrix with σ_min(C) > ‖Cᵀ1‖. Then Cᵀβ = 0 for some β > 0, and the
rank of C is p. Proof: z = −C(CᵀC)⁻¹Cᵀ1 has Cᵀ(1 + z) = 0 and ‖z‖ ≤ ‖Cᵀ1‖ / σ_min(C) < 1.

It is used for cᵢⱼ = αᵢ yᵢ x̂ᵢⱼ 2^kⱼ, with i over the rows of the certificate and j over the
columns. A positive solution β for C is one for A_S: αᵢβᵢ. The kⱼ bring the largest entry of a
column to [1/2, 1). So powers of two on α, on a row, or on a column change nothing.

Which columns. A column is left out if it is 0 on all rows of the data, constant on all rows (beside
an intercept), or ±2ᵏ times another on all rows: it is a combination of the others, on A_S and on A.
If one of these holds on the rows of α and not on all rows, A_S has a smaller rank than A, and the
claim is false. The theorem shows that A_S has full rank in the columns that are left.

The bounds, in the order in which they are worked out (u is 2⁻⁵³):

- entries: F is C·2⁶² in integers. A number that is no float64 has one rounding, αᵢxᵢⱼ another, the
  scaling to an integer half a unit: |C − F·2⁻⁶²| ≤ 2⁻⁵¹|C| + 2⁻⁶³, subnormal numbers included, as
  mantissas and exponents are kept apart. The α that is used is the given one, rounded: any will do.
- residual: Σᵢ Fᵢⱼ exactly, plus the line above summed over the column.
- least singular value: let Ĉ = ⌊F·2^(a−62)⌋ be C·2ᵃ in integers (a is 25 or 50), so that
  ‖C − Ĉ·2⁻ᵃ‖_F ≤ ε = √(mp)·2^(1−a). Take any p × p matrix B, here an approximate inverse of the
  triangular factor of C, rounded to integers: nothing about it is believed. W = Ĉ·2⁻ᵃ·B is known to
  ω in the Frobenius norm, V is what is known of it, and ρ = ‖I − VᵀV‖_∞ ≥ ‖I − VᵀV‖₂ exactly. If
  √(1 − ρ) > ω then B has an inverse, and σ_min(C) ≥ (√(1 − ρ) − ω) / ‖B‖_F − ε, because
  ‖Ĉ·2⁻ᵃ·x‖ = ‖W B⁻¹x‖ ≥ (√(1 − ρ) − ω)‖B⁻¹x‖ ≥ (√(1 − ρ) − ω)‖x‖ / ‖B‖.

Matrices of integers are multiplied as float64, in digits so short that no sum of products reaches
2⁵³: nothing is rounded, in any order of summation. All else is done with Python's integers.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core import linalg as la
from novikoff.core import sparse as sp
from novikoff.core.blas import one_thread, orthonormalizer
from novikoff.exact.reading import BINARY, WHOLE, ExactMatrix
from novikoff.matrix.rows import Floats

Integers: TypeAlias = NDArray[np.int64]

ENTRY = 62  # bits of an entry of F
HALF = 31
DIGIT = 25  # bits of a digit of Ĉ
UNIT = 20  # bits of an entry of V, whose columns have a length of about 1
MOST_SUM = 52  # bits of a sum of products of digits
MOST_SHIFT = 62  # of an int64
MOST_ROWS = 1 << 20  # whose squares are added up in an int64
AT_ONCE = 1 << 31  # multiply-adds of a block of rows; Ctrl-C is heard between two

NOT_PROVEN = "no positive solution near α could be proven to exist."
LOWER_RANK = (
    "the rows of α do not span all rows: column {column} is a multiple of another on them, but not "
    "on all rows."
)


class Numbers(NamedTuple):
    """Numbers as mantissa · 2^exponent, the mantissas from 1/2 to 1, or 0."""

    mantissas: Floats
    exponents: Integers


class Multiple(NamedTuple):
    """Column `j` is `value` in every row, or ±2^power times the column `of` if there is one."""

    j: int
    value: Any
    of: int | None = None
    sign: int = 1
    power: int = 0


def positive_solution_reason(
    reading: ExactMatrix,
    y: NDArray[np.int8],
    rows: Sequence[int],
    alpha: Sequence[Fraction],
    *,
    with_one: bool,
) -> str | None:
    """Why no positive solution near α is proven to exist on these rows, or None."""
    near = reading.part(list(rows))
    if sp.issparse(near.X):
        near = ExactMatrix(near.X.toarray(), near.decimals, near.places)
    multiples = _multiples(near, reading.is_float, with_one)
    hold = np.all(reading.over_parts(_hold, multiples), axis=0) if multiples else np.ones(0, bool)
    for multiple, holds in zip(multiples, hold.tolist(), strict=True):
        if not holds:
            return LOWER_RANK.format(column=multiple.j)
    left_out = {multiple.j for multiple in multiples}
    columns = [j for j in range(near.X.shape[1]) if j not in left_out]
    F = _entries(near, columns, y[list(rows)], alpha, with_one)
    m, p = F.shape
    if p == 0:  # all rows are 0: any α will do
        return None
    if m <= p:  # a positive solution takes more rows than their rank
        return NOT_PROVEN
    residual = _residual_above(F)
    with one_thread(F.size), np.errstate(all="ignore"):
        inverse = _approximate_inverse(F)
        if inverse is None:
            return NOT_PROVEN
        proven = (_least_singular_value(F, inverse, digits) > residual for digits in (1, 2, 3))
        return None if any(proven) else NOT_PROVEN


# Which columns


def _multiples(near: ExactMatrix, is_float: bool, with_one: bool) -> list[Multiple]:
    """The columns that are 0, constant beside a 1, or ±2ᵏ times an earlier one, on these rows.

    Numbers that float64 does not hold, here or in other rows, are not compared with each other.
    """
    first: dict[bytes, int] = {}
    found = []
    for j in range(near.X.shape[1]):
        values = near.X[:, j]
        is_zero, is_constant = not values.any(), bool((values == values[0]).all())
        if is_zero or (with_one and is_constant):
            found.append(Multiple(j, values[:1].tolist()[0]))
        elif is_float:
            numbers = _numbers_of_floats(values)
            sign, power = _lead(numbers)
            i = first.setdefault(_bytes_of(numbers, sign, power), j)
            if i != j:
                sign_i, power_i = _lead(_numbers_of_floats(near.X[:, i]))
                multiple = Multiple(j, None, i, sign * sign_i, power - power_i)
                if _reads_alike(near, multiple, values, near.X[:, i]):
                    found.append(multiple)
    return found


def _lead(numbers: Numbers) -> tuple[int, int]:
    """The sign and the exponent of the first number that is not 0."""
    k = int(np.flatnonzero(numbers.mantissas)[0])
    return int(np.sign(numbers.mantissas[k])), int(numbers.exponents[k])


def _bytes_of(numbers: Numbers, sign: int, power: int) -> bytes:
    """A key of a column: equal for columns that are ±2ᵏ times each other."""
    mantissas = numbers.mantissas * sign + 0.0  # −0.0 + 0.0 is 0.0
    exponents = np.where(mantissas == 0, 0, numbers.exponents - power)
    return mantissas.tobytes() + exponents.tobytes()


def _hold(part: ExactMatrix, multiples: Sequence[Multiple]) -> NDArray[np.bool_]:
    """Which of these hold on all rows of a part of the data."""
    columns = sp.csc_array(part.X) if sp.issparse(part.X) else part.X
    return np.array([_holds(part, columns, multiple) for multiple in multiples], dtype=np.bool_)


def _holds(part: ExactMatrix, columns: Any, multiple: Multiple) -> bool:
    values = _column(columns, multiple.j)
    if multiple.of is None:
        # Python compares integers with floats exactly, and NumPy does not.
        exact = values if values.dtype.kind == "f" else values.astype(object)
        return bool((exact == multiple.value).all())
    others = _column(columns, multiple.of)
    if not _reads_alike(part, multiple, values, others):
        return False
    now, before = _numbers_of_floats(values), _numbers_of_floats(others)
    same = now.mantissas == multiple.sign * before.mantissas
    shifted = (now.exponents == before.exponents + multiple.power) | (now.mantissas == 0)
    return bool((same & shifted).all())


def _reads_alike(
    part: ExactMatrix, multiple: Multiple, values: NDArray[Any], others: NDArray[Any]
) -> bool:
    """Whether what holds of these floats holds of the numbers that they stand for."""
    assert multiple.of is not None
    places = part.places[[multiple.j, multiple.of]]
    if (places == BINARY).all() or (multiple.power == 0 and (places >= 0).all()):
        return True
    # Integers up to 2⁵³ are what they are, as decimals too.
    small = (np.abs(values) <= WHOLE).all() and (np.abs(others) <= WHOLE).all()
    return bool(small and ((places == BINARY) | (places == 0)).all())


def _column(columns: Any, j: int) -> NDArray[Any]:
    if sp.issparse(columns):
        return np.asarray(columns[:, [j]].toarray()).ravel()
    return np.asarray(columns[:, j])


# The matrix C


def _entries(
    near: ExactMatrix,
    columns: Sequence[int],
    y: NDArray[np.int8],
    alpha: Sequence[Fraction],
    with_one: bool,
) -> Integers:
    """F: the entries αᵢ yᵢ x̂ᵢⱼ 2^kⱼ times 2⁶², rounded to integers."""
    m, p = len(alpha), len(columns) + with_one
    factors = _numbers_of_rationals(alpha)
    F = np.empty((m, p), dtype=np.int64)
    for k in range(p):
        is_one = k == len(columns)
        numbers = _numbers_of_floats(np.ones(m)) if is_one else _numbers(near, columns[k])
        fraction, carry = np.frexp(factors.mantissas * numbers.mantissas)
        exponents = factors.exponents + numbers.exponents + carry
        exponents -= exponents[fraction != 0].max()
        F[:, k] = np.rint(_scaled(fraction, exponents + ENTRY)) * y
    return F


def _numbers(near: ExactMatrix, j: int) -> Numbers:
    """A column, each number within one rounding; float64 numbers as they are.

    A column of decimals, fractions or long integers is multiplied by a positive factor.
    """
    if near.is_float and near.places[j] == BINARY:
        return _numbers_of_floats(near.X[:, j])
    whole = near.whole_floats(slice(None), [j])
    if whole is not None:
        return _numbers_of_floats(whole[0][:, 0])
    return _numbers_of_rationals(near.integers(slice(None), [j])[0][:, 0].tolist())


def _numbers_of_floats(values: NDArray[Any]) -> Numbers:
    mantissas, exponents = np.frexp(values.astype(np.float64))
    return Numbers(mantissas, exponents.astype(np.int64))


def _numbers_of_rationals(values: Sequence[Fraction | int]) -> Numbers:
    pairs = [_number_of(value.numerator, value.denominator) for value in values]
    return Numbers(np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs]))


def _number_of(numerator: int, denominator: int) -> tuple[float, int]:
    """The mantissa and the exponent of a fraction, from its first 64 bits."""
    size = abs(numerator)
    shift = 64 + denominator.bit_length() - size.bit_length()
    bits = (size << shift) // denominator if shift >= 0 else size // (denominator << -shift)
    mantissa, exponent = math.frexp(float(bits))
    return (-mantissa if numerator < 0 else mantissa), exponent - shift


# The bounds


def _residual_above(F: Integers) -> Fraction:
    """An upper bound on ‖Cᵀ1‖."""
    m = len(F)
    squares = 0
    for column in F.T:
        size = _sum(np.abs(column))
        # 2⁻⁵¹|C| is at most 2⁻⁵⁰(|F| + 1) units.
        squares += (abs(_sum(column)) + ((size + m) >> 50) + 1 + m) ** 2
    return Fraction(math.isqrt(squares) + 1, 1 << ENTRY)


def _sum(values: Integers) -> int:
    """The sum of integers of 62 bits."""
    low = values & ((1 << HALF) - 1)
    return (int((values >> HALF).sum()) << HALF) + int(low.sum())


def _approximate_inverse(F: Integers) -> Floats | None:
    """A finite matrix that makes the columns of C nearly orthonormal, by its triangular factor."""
    C = _scaled(F.astype(np.float64), np.array(-ENTRY))
    try:
        inverse = orthonormalizer(C)
    except (la.LinAlgError, ValueError):
        return None
    return inverse if inverse is not None and np.isfinite(inverse).all() else None


def _least_singular_value(F: Integers, inverse: Floats, digits: int) -> Fraction:
    """A lower bound on σ_min(C), 0 if there is none; with so many digits of B, and up to 2 of Ĉ."""
    m, p = F.shape
    short = min(MOST_SUM - DIGIT - p.bit_length(), 20)  # bits of a digit of B
    powers = np.frexp(np.abs(inverse).max(axis=0))[1].astype(np.int64)
    whole = np.rint(_scaled(inverse, digits * short - powers)).astype(np.int64)
    B = [digit for digit, _ in _split(whole, digits, short)]
    a = DIGIT * min(digits, 2)
    grid = MOST_SHIFT - 4 - p.bit_length()  # bits of an entry of W, of which none exceeds p
    sums, gram = np.zeros(p, dtype=np.int64), np.zeros((p, p), dtype=np.int64)
    step = max(1, min(AT_ONCE // (p * p), MOST_ROWS))
    for start in range(0, m, step):
        W = np.zeros((min(step, m - start), p), dtype=np.int64)
        for digit, unit in _split(F[start : start + step] >> (ENTRY - a), a // DIGIT, DIGIT):
            for k, of_B in enumerate(B):
                _add_shifted(W, digit @ of_B, unit - short * (k + 1) + grid)
        V = _rescaled(W, powers + (UNIT - grid))
        if V is None:
            return Fraction(0)
        sums += (V * V).sum(axis=0)
        if not (sums <= 1 << (2 * UNIT + 1)).all():
            return Fraction(0)
        floats = V.astype(np.float64)
        gram += (floats.T @ floats).astype(np.int64)  # no sum exceeds that of the squares
    off = np.abs(gram - (np.eye(p, dtype=np.int64) << (2 * UNIT))).sum(axis=1)
    rho = Fraction(int(off.max()), 1 << (2 * UNIT))
    if rho >= 1:
        return Fraction(0)
    # What is known of W: one unit of V, and one unit of W for each product that was cut off.
    cut = [(Fraction(2 * digits) * _power(k - grid) + _power(-UNIT)) ** 2 for k in powers.tolist()]
    omega = _root_above(m * sum(cut))
    lengths = ((np.abs(B[0]) + 1.0) ** 2).sum(axis=0)  # integers below 2⁵³
    square = sum(
        (
            int(length) * _power(2 * (k - short))
            for length, k in zip(lengths, powers.tolist(), strict=True)
        ),
        Fraction(0),
    )
    epsilon = _root_above(Fraction(m * p)) * _power(1 - a)
    return (_root_below(1 - rho) - omega) / _root_above(square) - epsilon


def _split(whole: Integers, digits: int, bits: int) -> list[tuple[Floats, int]]:
    """Integers of digits·bits bits as digits, each with the power of two that it counts."""
    found = []
    for k in reversed(range(digits)):
        digit = whole >> (k * bits)
        whole = whole & ((1 << (k * bits)) - 1)
        found.append((digit.astype(np.float64), (k - digits) * bits))
    return found


def _add_shifted(W: Integers, product: Floats, shift: int) -> None:
    """Add product · 2^shift, cut off to integers."""
    whole = product.astype(np.int64)
    W += whole << shift if shift >= 0 else whole >> min(-shift, MOST_SHIFT)


def _rescaled(W: Integers, shifts: NDArray[np.int64]) -> Integers | None:
    """Column j times 2^shifts[j], cut off to integers; None if one is far longer than 1."""
    most = np.int64(1 << (UNIT + 1))
    up, down = np.clip(shifts, 0, MOST_SHIFT), np.clip(-shifts, 0, MOST_SHIFT)
    if (shifts > MOST_SHIFT).any() or (np.abs(W) >> down > most >> up).any():
        return None
    return (W >> down) << up


def _scaled(values: Floats, shifts: NDArray[np.int64]) -> Floats:
    """Values times 2^shift; what is far below 1 may become 0."""
    scaled: Floats = np.ldexp(values, np.clip(shifts, -4096, 4096).astype(np.intc))
    return scaled


def _power(k: int) -> Fraction:
    return Fraction(2) ** k


def _root_above(square: Fraction) -> Fraction:
    """At least the root, and little more."""
    return _root_below(square) + _power(-128)


def _root_below(square: Fraction) -> Fraction:
    """At most the root, and less by at most 2⁻¹²⁸."""
    return Fraction(math.isqrt(math.floor(square * (1 << 256))), 1 << 128)
