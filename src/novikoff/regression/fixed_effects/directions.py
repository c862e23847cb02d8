"""Fixed effects of thousands of levels: the finding of the graph that they are."""

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from novikoff.certificates.models.question import RegressionRows
from novikoff.core.progress import in_time
from novikoff.exact.rational import Vector, primitive
from novikoff.regression.estimates import CoefficientAnswers, Estimate
from novikoff.regression.fixed_effects.aliasing import AliasedColumns, NullDirections
from novikoff.regression.fixed_effects.graph import Integers, LevelGraph, network_of
from novikoff.regression.fixed_effects.signs import OneSigned, SignsOfLevels, take_out
from novikoff.regression.fixed_effects.solve import decide_by_cycles

if TYPE_CHECKING:
    from novikoff.separability.verdicts import Word


def fixed_effects(question: RegressionRows) -> CoefficientAnswers | None:
    """The finding for rows that are a graph of levels; None if they are not, or it cannot tell."""
    network = network_of(question.rows, question.decimals)
    if network is None:
        return None
    idle = NullDirections(network)
    pins = AliasedColumns(network, idle, network.weak)
    places = [k for k, j in enumerate(network.others.tolist()) if j not in pins.columns]
    # With the columns set aside at 0, these are seen whatever the levels are.
    taken = take_out(network.w, [k for k in places if not pins.sum_of(int(network.others[k]))])
    kept = np.array([k for k in places if k not in taken.places], dtype=np.intp)
    whole = len(kept) == len(network.others)
    rest = network if whole else network.part(taken.stays, kept)
    unseen = idle if whole else NullDirections(rest)
    found = decide_by_cycles(rest, unseen.rank)
    if found is None:
        return None
    on_plane = taken.stays[found.on_plane]
    word: Word = "touching" if len(on_plane) else "separable"
    if len(on_plane) == len(network.start):
        word = "overlapping"
    rows, alpha = taken.stays[found.rows], found.alpha
    if len(rows) == 0 and word != "separable":
        # Only rows of zeros are on the plane, and each of them is a proof of that by itself.
        rows, alpha = on_plane[:1], (Fraction(1),)
    signs = SignsOfLevels(rest, pins, unseen)
    estimates = dict.fromkeys(pins.columns, Estimate.ALIASED)
    for at, place in enumerate(taken.places):
        estimates[int(network.others[place])] = taken.estimate(at, network, unseen, kept)
    p = question.rows.shape[1]
    # In the limit, what moves as one is a component of its own.
    set_aside = AliasedColumns(rest, unseen, rest.strong).columns
    set_aside |= set(network.others.tolist()) - set(rest.others.tolist())
    return CoefficientAnswers(
        word=word,
        estimates=tuple(estimates.get(j) or signs.estimate(j) for j in range(p)),
        direction=_direction(network, pins, taken, found.potentials),
        on_plane=on_plane,
        rows=rows,
        multipliers=lambda: alpha,
        estimable=tuple(j for j in range(p) if j not in set_aside),
    )


def _direction(
    network: LevelGraph, pins: AliasedColumns, taken: OneSigned, potentials: Integers
) -> Vector:
    """Falling potentials as coefficients, 0 in the columns that are set aside."""
    direction = [Fraction(0)] * len(network.head)
    for j in in_time(range(len(direction))):
        if j not in pins.columns:
            terms = pins.sum_of(j).items()
            direction[j] = sum((a * int(potentials[node]) for node, a in terms), Fraction(0))
    for place, weight in taken.weights(network, potentials).items():
        direction[int(network.others[place])] = Fraction(weight)
    for j, factor in zip(network.others.tolist(), network.factors, strict=True):
        direction[j] *= factor
    return primitive(direction) if any(direction) else tuple(direction)
