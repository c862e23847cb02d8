"""Fixed effects of thousands of levels: the finding of the graph that they are."""

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from novikoff.exact.spans import Vector
from novikoff.regressions.question import Question
from novikoff.separation.aliases import primitive
from novikoff.separation.finding import Estimate, Finding
from novikoff.separation.network import Integers, Network, network_of
from novikoff.separation.pins import Idle, Pins
from novikoff.separation.potentials import decide_by_cycles
from novikoff.separation.signs_of_levels import SignsOfLevels

if TYPE_CHECKING:
    from novikoff.verdicts.verdict import Word

__all__ = ["fixed_effects"]


def fixed_effects(question: Question) -> Finding | None:
    """The finding for rows that are a graph of levels; None if they are not, or it cannot tell."""
    network = network_of(question.rows, question.decimals)
    found = None if network is None else decide_by_cycles(network)
    if network is None or found is None:
        return None
    p = question.rows.shape[1]
    idle = Idle(network, found)
    pins = Pins(network, idle, network.weak)
    moved = ~found.on_plane
    word: Word = "overlapping" if not moved.any() else "touching"
    if not found.on_plane.any():
        word = "separable"
    rows, alpha = found.rows, found.alpha
    if len(rows) == 0 and word != "separable":
        # Only rows of zeros are on the plane, and each of them is a proof of that by itself.
        rows, alpha = np.flatnonzero(found.on_plane)[:1], (Fraction(1),)
    # In the limit, what moves as one is a component of its own.
    set_aside = Pins(network, idle, network.strong).columns
    return Finding(
        word=word,
        estimates=_estimates(network, pins, p),
        direction=_direction(network, pins, found.potentials),
        on_plane=np.flatnonzero(found.on_plane),
        rows=rows,
        multipliers=lambda: alpha,
        estimable=tuple(j for j in range(p) if j not in set_aside),
    )


def _estimates(network: Network, pins: Pins, p: int) -> tuple[Estimate, ...]:
    signs = SignsOfLevels(network, pins)
    return tuple(Estimate.ALIASED if j in pins.columns else signs.estimate(j) for j in range(p))


def _direction(network: Network, pins: Pins, potentials: Integers) -> Vector:
    """Falling potentials as coefficients, 0 in the columns that are set aside."""
    direction = [Fraction(0)] * len(network.head)
    for j in range(len(direction)):
        if j not in pins.columns:
            terms = pins.sum_of(j).items()
            direction[j] = sum((a * int(potentials[node]) for node, a in terms), Fraction(0))
    for j, factor in zip(network.others.tolist(), network.factors, strict=True):
        direction[j] *= factor
    return primitive(direction) if any(direction) else tuple(direction)
