"""The account of a stream: counts, progressive errors, R, ‖ŵ‖, and upper bounds on γ.

If a unit ŵ* keeps every example seen at yᵢ ŵ*·x̂ᵢ ≥ γ, then M mistakes pushed ŵ at least Mηγ in its
direction. So γ ≤ ‖Σ η y x̂‖ / (ηM), the sum being over the mistakes; and that norm is at most ηR√M,
because each of them was one. Hence γ ≤ R/√M. The weights are a rounded version of the sum; how far
all roundings together can have moved them is known, and added, and every division rounds upwards:
both bounds are theorems about the numbers that were seen.

The last examples are kept, so that the recent error can be given.
"""

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.options import with_count
from novikoff.exact.rational import above, root_below
from novikoff.matrix.rows import Floats


class Window:
    """The last `size` examples: rows as flat arrays, or as values and columns, and their signs.

    Flat rows are in a matrix whose oldest row the newest one replaces.
    """

    def __init__(self, size: int) -> None:
        self._size, self._count, self._next = size, 0, 0
        self._matrix = np.empty((0, 0))
        self._pairs: deque[tuple[NDArray[Any], NDArray[Any]]] = deque(maxlen=size)
        self._signs = np.empty(size)

    def __len__(self) -> int:
        return self._count

    def add(self, row: Any, sign: float) -> None:
        """The newest example; the oldest leaves if there is no room. The arrays are copied."""
        at = self._next
        if row.__class__ is ndarray:
            if not self._count:
                self._matrix = np.empty((self._size, len(row)))
            self._matrix[at] = row
        else:
            values, columns = row
            self._pairs.append((values.copy(), columns.copy()))
        self._signs[at] = sign
        self._next = at + 1 if at + 1 < self._size else 0
        if self._count < self._size:
            self._count += 1

    @property
    def signs(self) -> Floats:
        """The labels as −1 and +1, the oldest first."""
        return np.asarray(self._signs[self._order])

    @property
    def _order(self) -> NDArray[np.int64]:
        """Where the examples are, the oldest first."""
        return (np.arange(self._count) + self._next - self._count) % self._size

    def in_any_order(self, d: int) -> tuple[Any, Floats]:
        """The examples as a matrix of d columns, and their signs: not copied, where they are flat.

        The oldest need not come first.
        """
        if self._pairs:
            return self.matrix(d), self.signs
        return self._matrix[: self._count], self._signs[: self._count]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The window as a few arrays, for a checkpoint."""
        values, columns = np.empty(0), np.empty(0)
        lengths = np.full(self._count, self._matrix.shape[1], np.int64)
        if self._pairs:
            values = np.concatenate([values for values, _ in self._pairs])
            columns = np.concatenate([columns for _, columns in self._pairs])
            lengths = np.array([len(values) for values, _ in self._pairs], np.int64)
        elif self._count:
            values = self._matrix[self._order].ravel()
        return {
            "window_values": values,
            "window_columns": columns.astype(np.uint64),
            "window_lengths": lengths,
            "window_signs": self.signs,
        }

    def set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """The window that `arrays` wrote."""
        values, columns = arrays["window_values"], arrays["window_columns"]
        by_name = len(columns) > 0 or not len(values)  # by name, an example may have no number
        at = 0
        for length, sign in zip(arrays["window_lengths"], arrays["window_signs"], strict=True):
            part = slice(at, at + length)
            row = (values[part], columns[part]) if by_name else values[part]
            self.add(row, float(sign))
            at += length

    def matrix(self, d: int) -> Any:
        """The examples as a matrix of d columns, the oldest first: an array, or CSR."""
        if not self._pairs:
            return self._matrix[self._order]
        bounds = np.cumsum([0, *(len(values) for values, _ in self._pairs)])
        values = np.concatenate([values for values, _ in self._pairs])
        columns = np.concatenate([columns for _, columns in self._pairs]).astype(np.int64)
        return sp.csr_array((values, columns, bounds), shape=(self._count, d))


UNIT = Fraction(1, 2**53)


@dataclass(frozen=True)
class Account:
    """The account of a stream.

    `recent_error` is the progressive error over the last `window` examples (NaN before the first).
    `radius` is R, `norm` is ‖ŵ‖, both rounded upwards. No separator of all that has been seen has
    an augmented margin above `gamma_at_most`; `radius_over_root` is the same by R/√M alone.
    """

    examples: int
    mistakes: int
    window: int
    recent_mistakes: int
    radius: float
    norm: float
    gamma_at_most: float
    radius_over_root: float

    @property
    def error(self) -> float:
        """The progressive error: the share of examples that were mistakes when they came."""
        return self.mistakes / self.examples if self.examples else math.nan

    @property
    def recent_error(self) -> float:
        """The share of mistakes among the last `window` examples."""
        seen = min(self.window, self.examples)
        return self.recent_mistakes / seen if seen else math.nan

    @property
    def squared_norm(self) -> float:
        """‖ŵ‖²."""
        return self.norm * self.norm

    def __str__(self) -> str:
        if not self.examples:
            return "no examples yet"
        made = f"{with_count(self.examples, 'example')}, {with_count(self.mistakes, 'mistake')}"
        return (
            f"{made} ({self.error:.2%}; "
            f"{self.recent_error:.2%} of the last {min(self.window, self.examples):,}), "
            f"R = {self.radius:.6g}, ‖ŵ‖² = {self.squared_norm:.6g}, "
            f"augmented margin γ ≤ {self.gamma_at_most:.6g}"
        )


@dataclass(frozen=True)
class Tally:
    """The counts and bounds of a stream; `norm`, `radius`, `drift` are upper bounds."""

    examples: int
    mistakes: int
    window: int
    recent_mistakes: int
    radius: float
    norm: float
    drift: float
    eta0: float


def account_of(tally: Tally) -> Account:
    """The account, with both bounds on γ rounded upwards."""
    return Account(
        examples=tally.examples,
        mistakes=tally.mistakes,
        window=tally.window,
        recent_mistakes=tally.recent_mistakes,
        radius=tally.radius,
        norm=tally.norm,
        gamma_at_most=_by_the_weights(tally),
        radius_over_root=_by_the_radius(tally),
    )


def _by_the_weights(tally: Tally) -> float:
    """(‖ŵ‖ + drift) / (ηM), rounded upwards; no more than R, which bounds every margin."""
    if not tally.mistakes or not math.isfinite(tally.norm + tally.drift):
        return tally.radius if tally.examples else math.inf
    length = Fraction(tally.norm) + Fraction(tally.drift)
    bound = above(length / (Fraction(tally.eta0) * tally.mistakes))
    return min(bound, tally.radius)


def _by_the_radius(tally: Tally) -> float:
    """R/√M, rounded upwards, with room for the roundings of M updates.

    Each update can lengthen ŵ by a factor of 1 + 4u beyond what the theorem allows, and move it by
    3u·‖ŵ‖ from where it should be: together no more than a factor of 1 + 16·u·M while u·M is small.
    """
    if not tally.mistakes:
        return tally.radius if tally.examples else math.inf
    roundings = 1 + 16 * UNIT * tally.mistakes
    root = Fraction(root_below(Fraction(tally.mistakes)))
    return above(Fraction(tally.radius) * roundings / root)
