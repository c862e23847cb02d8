"""What a stream has come to: counts, progressive errors, R, ‖ŵ‖, and the theorem read backwards.

If a unit ŵ* keeps every example seen at yᵢ ŵ*·x̂ᵢ ≥ γ, then M mistakes pushed ŵ at least Mηγ in its
direction. So γ ≤ ‖Σ η y x̂‖ / (ηM), the sum being over the mistakes; and that norm is at most ηR√M,
because each of them was one. Hence γ ≤ R/√M. The weights are a rounded version of the sum; how far
all roundings together can have moved them is known, and added, and every division rounds upwards:
both bounds are theorems about the numbers that were seen.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from novikoff.conventions import with_count
from novikoff.exact.roundings import above, root_below

__all__ = ["Account", "account_of"]

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
        """The same over the last `window` examples."""
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
    """What a stream counts and bounds as it goes; `norm`, `radius`, `drift` are from above."""

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
