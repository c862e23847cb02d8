"""Numbers for the theorems about a separator: its margin from both sides, and the mistake bound."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log10
from typing import Any

import flint

from novikoff.certificates.coq.theorem import ProofData
from novikoff.exact.nearest_point import nearest_point
from novikoff.exact.rational import common_divisor, over_one_denominator

SHOWN = 12  # significant digits of a bound
SCALE = 1 << 60  # α are rounded to multiples of 1/SCALE: any α ≥ 0 proves a bound
NEAR = Fraction(1, 10**6)  # rows with scores this close to the least one may fix the margin
MOST_NEAR = 150  # rows for which rational arithmetic takes no time to speak of
MOST_COLUMNS = 200
MOST_NUMBERS = 100_000  # in data for which a second look at every row costs little
FINE = 1 << 48  # weights of the reference are rounded to multiples of 1/FINE of the largest


@dataclass(frozen=True)
class Promise:
    """The numbers of a separator: least score m/L, longest squared row R2/U, at most k mistakes."""

    L: int
    m: int
    U: int
    R2: int
    mistakes: int
    margin_squared: Fraction
    near: list[int]


def promise_of(data: ProofData, weights: Sequence[Fraction], intercept: Fraction) -> Promise:
    """The promise of a separator; if the weights do not separate, Coq refuses it."""
    v, L = over_one_denominator(data.hat(weights, intercept))
    column = flint.fmpz_mat([[value] for value in v])
    scores = [int(score) for score in (flint.fmpz_mat(data.signed) * column).entries()]
    m = max(min(scores), 1)
    squares, U = over_one_denominator([unit * unit for unit in data.units])
    one = U if data.fit_intercept else 0
    R2 = one + max(
        sum(s * z * z for s, z in zip(squares, row, strict=True)) for row in data.entries
    )
    least = Fraction(m, L) ** 2
    length = sum((w * w for w in weights), Fraction(0))
    bias = intercept * intercept if data.fit_intercept else Fraction(0)
    limit = m + m * NEAR
    return Promise(
        L=L,
        m=m,
        U=U,
        R2=R2,
        mistakes=int(Fraction(R2, U) * (length + bias) / least),
        margin_squared=least / length if length else Fraction(0),
        near=[i for i, score in enumerate(scores) if score <= limit],
    )


def hull_weights(data: ProofData, near: Sequence[int]) -> tuple[list[int], list[int], Fraction]:
    """α on rows near the plane and the bound ‖Σ αyx‖²/(Σ α)² on the squared margin; or no rows."""
    signs = [data.signs[i] for i in near]
    groups = [int(sign > 0) for sign in signs] if data.fit_intercept else [0] * len(signs)
    if not _is_small(data, near) or len(set(groups)) < 1 + data.fit_intercept:
        return [], [], Fraction(0)
    rows, unit = _in_one_unit(data, with_one=False)
    table = [rows[i] for i in near]
    start = {at: flint.fmpq(1) for at in range(len(table))}
    nearest = nearest_point(flint.fmpz_mat(table), groups, start, until_optimal=True)
    alpha = {
        at: round(Fraction(int(value.p), int(value.q)) * SCALE)
        for at, value in zip(nearest.rows, nearest.alpha, strict=True)
    }
    if data.fit_intercept:
        _balance(alpha, groups)
    chosen = sorted(at for at, value in alpha.items() if value > 0)
    values = [alpha[at] for at in chosen]
    sums = flint.fmpz_mat([values]) * flint.fmpz_mat([table[at] for at in chosen])
    square = sum(int(value) ** 2 for value in sums.entries()) * unit**2
    return [near[at] for at in chosen], values, square / sum(values) ** 2


def best_reference(data: ProofData, near: Sequence[int]) -> tuple[list[Fraction], Fraction] | None:
    """Weights and bias of nearly the widest margin of (x, 1): those that allow fewest mistakes.

    The nearest point of the hull of a few rows; rows below its level join them, until there are
    none or too many: None then. Whatever is found is checked on every row, here and by Coq.
    """
    rows, _ = _in_one_unit(data, with_one=data.fit_intercept)
    everything = flint.fmpz_mat(rows)
    working = list(near)
    while _is_small(data, working):
        block = flint.fmpz_mat([rows[i] for i in working])
        start = {at: flint.fmpq(1) for at in range(len(working))}
        nearest = nearest_point(block, [0] * len(working), start, until_optimal=True)
        scores = (everything * nearest.point).entries()
        below = sorted(
            (i for i in range(data.n) if scores[i] < nearest.levels[0]), key=lambda i: scores[i]
        )
        if not below:
            return _round_plane(nearest.point, data.fit_intercept)
        working = [working[at] for at in nearest.rows] + below[:8]
    return None


def _round_plane(point: Any, bias: bool) -> tuple[list[Fraction], Fraction] | None:
    """The direction of the point, rounded to short integers; its length does not matter."""
    entries = [int(value) for value in point.entries()]
    largest = max(map(abs, entries))
    if largest == 0:
        return None
    short = [Fraction(round(Fraction(value, largest) * FINE)) for value in entries]
    return (short[:-1], short[-1]) if bias else (short, Fraction(0))


def _is_small(data: ProofData, near: Sequence[int]) -> bool:
    return len(near) <= MOST_NEAR and data.d <= MOST_COLUMNS


def _in_one_unit(data: ProofData, *, with_one: bool) -> tuple[list[list[int]], Fraction]:
    """Integer rows yx, or y(x, 1), and the one unit of all columns: distances stay as they are."""
    units = [*data.units, Fraction(1)] if with_one else data.units
    unit = common_divisor(units)
    factors = [int(u / unit) for u in units]
    table = [
        [sign * x * f for x, f in zip([*row, 1] if with_one else row, factors, strict=True)]
        for sign, row in zip(data.signs, data.entries, strict=True)
    ]
    return table, unit


def _balance(alpha: dict[int, int], groups: Sequence[int]) -> None:
    """Give both classes the same sum, which rounding may have missed by a little."""
    totals = [sum(v for at, v in alpha.items() if groups[at] == g) for g in (0, 1)]
    lesser = int(totals[1] < totals[0])
    largest = max((at for at in alpha if groups[at] == lesser), key=alpha.__getitem__)
    alpha[largest] += abs(totals[0] - totals[1])


def round_down(value: Fraction) -> Fraction:
    """At most `value`, and equal to it in the first digits: a number that can be read."""
    power = _places(value)
    return Fraction(value * power // 1) / power


def round_up(value: Fraction) -> Fraction:
    """At least `value`, and equal to it in the first digits."""
    power = _places(value)
    return -(Fraction(-value * power // 1) / power)


def _places(value: Fraction) -> Fraction:
    """The power of ten that leaves about twelve digits before the point."""
    if value == 0:
        return Fraction(1)
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    return Fraction(10) ** (SHOWN - int(bits * log10(2)))
