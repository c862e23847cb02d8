"""Conclusions from a probe: Cover's number, and a sentence that allows for chance.

Of the 2ⁿ labellings of n points in general position in d dimensions, 2·Σ_{k≤d} C(n − 1, k) are
separated by a hyperplane with a bias (Cover, "Geometrical and statistical properties of systems of
linear inequalities", 1965). So random labels are separable with probability
2^(1−n) Σ_{k≤d} C(n − 1, k): 1 for n ≤ d + 1, exactly ½ at n = 2(d + 1), and soon nothing beyond.
"""

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from novikoff.probes.results import Probe
from functools import lru_cache
from numbers import Integral

from novikoff.core.options import check_count
from novikoff.errors import OptionError

SHOWN_TO = 1e-4


@lru_cache(maxsize=256, typed=True)
def cover_probability(n: int, d: int) -> Fraction:
    """The probability that uniformly random labels of n points in d dimensions are separable.

    The points are in general position and the hyperplane may miss the origin. A labelling with one
    class only counts as separable.

    Parameters
    ----------
    n : int
        How many points.
    d : int
        Their dimension: how many columns, or their rank where columns depend on each other.

    Returns
    -------
    Fraction
        The probability, exactly.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.cover_probability(4, 2)
    Fraction(7, 8)
    >>> novikoff.cover_probability(2002, 1000)
    Fraction(1, 2)
    """
    check_count("n", n)
    given: Any = d
    if isinstance(given, bool) or not isinstance(given, Integral) or d < 0:
        raise OptionError(f"d must be a whole number of at least 0; got {d!r}.")
    n, d = int(n), int(d)  # NumPy's integers (a matrix_rank, say) would overflow
    if d >= n - 1:
        return Fraction(1)
    term = total = 1
    for k in range(1, d + 1):
        term = term * (n - k) // k
        total += term
    return Fraction(total, 1 << (n - 1))


def shown_probability(value: Fraction) -> str:
    """A probability for people: near 0 and near 1 the small part is what is shown."""
    if value in (0, 1):
        return str(value)
    least = 1e-300
    rest = float(1 - value)
    if rest < SHOWN_TO:
        return f"1 − {rest:.1e}" if rest > least else "nearly 1"
    near = float(value)
    if near < SHOWN_TO:
        return f"{near:.1e}" if near > least else "nearly 0"
    return f"{near:.4f}"


COMMON = Fraction(1, 20)  # a probability of random labels being separable that cannot be ignored
SMALL_SAMPLE = 4  # test errors of this many standard deviations are a difference
MOSTLY = 0.5  # of the way from chance to the concept itself: such controls are no controls


def conclusion(probe: "Probe") -> str:
    """The sentence for one concept on one X."""
    return f"{_of_verdict(probe)} {_of_accuracy(probe)}".strip()


def _of_verdict(probe: "Probe") -> str:
    size = f"n = {probe.n}, d = {probe.dimension}"
    word, controls = probe.verdict, probe.controls
    separable = sum(control.verdict == "separable" for control in controls)
    if word == "undecided":
        return f"Undecided: {probe.reason}."
    if word == "separable":
        if probe.n <= probe.dimension + 1:
            others = "so is every labelling of these points"
            if not probe.points.dimension_is_proven:
                others = "so is every labelling of so few points in general position"
            return (
                f"Separable, but {others}: {size}, and n ≤ d + 1. Separability says nothing here."
            )
        if _controls_are_the_concept(probe):
            chance = shown_probability(probe.cover)
            return (
                f"Separable: {size}; random labels would be with probability {chance}. The "
                f"controls agree with the concept in {_agreement(probe):.1%} of the rows, so that "
                "they say nothing."
            )
        if separable > 0:
            return (
                f"Separable, but so are random labels on these points ({separable} of "
                f"{len(controls)} controls): {size}. Separability says little here."
            )
        if probe.cover >= COMMON:
            return (
                f"Separable, but random labels would be with probability "
                f"{shown_probability(probe.cover)}: {size}. Separability says little here."
            )
        if not controls:
            chance = shown_probability(probe.cover)
            return f"Separable, and random labels would be with probability {chance}: {size}."
        return (
            f"Separable, and none of {len(controls)} controls is: {size}; random labels would be "
            f"with probability {shown_probability(probe.cover)}. The plane reflects the concept."
        )
    lower, upper = probe.errors
    errors = f"{lower}" if lower == upper else f"{lower} to {upper}"
    sentence = f"Not separable ({word}): the best plane makes {errors} errors of {probe.n}."
    if word == "not separable":
        sentence = (
            f"Not separable: equal points have different labels; "
            f"the best plane makes {errors} errors of {probe.n}."
        )
    if separable > 0 and not _controls_are_the_concept(probe):
        sentence += f" Yet {separable} of {len(controls)} controls are separable: {size}."
    return sentence


def _of_accuracy(probe: "Probe") -> str:
    if not math.isfinite(probe.accuracy):
        return ""
    held_out = f"Held out: {probe.accuracy:.1%}"
    if not probe.controls:
        return f"{held_out}; without controls nothing is there to compare it with."
    mean = probe.accuracy - probe.selectivity
    if _controls_are_the_concept(probe):
        why = ", permuted within groups" if probe.shuffle == "within groups" else ""
        return f"{held_out} against {mean:.1%} for much the same labels{why}: nothing follows."
    if generalises(probe):
        return f"{held_out} against {mean:.1%} for shuffled labels: it generalises."
    deviations = probe.selectivity / _noise(probe)
    if deviations > 2:
        how = f"better, though only by {deviations:.1f} standard deviations"
        return f"{held_out} against {mean:.1%} for shuffled labels: {how}."
    return f"{held_out} against {mean:.1%} for shuffled labels: no better than chance."


def generalises(probe: "Probe") -> bool:
    """Whether it is right on held-out rows more often than chance lets shuffled labels be."""
    known = bool(probe.controls) and math.isfinite(probe.accuracy)
    if not known or _controls_are_the_concept(probe):
        return False
    return probe.selectivity > SMALL_SAMPLE * _noise(probe)


def _noise(probe: "Probe") -> float:
    """The standard deviation of an accuracy like that of the controls: by chance, or as seen."""
    mean = probe.accuracy - probe.selectivity
    by_chance = math.sqrt(max(mean * (1 - mean), 1e-9) / probe.n_apart)
    accuracies = [control.accuracy for control in probe.controls]
    return max(by_chance, float(np.std(accuracies, ddof=1)) if len(accuracies) > 1 else 0.0)


def _agreement(probe: "Probe") -> float:
    """The share of rows whose labels are the same in the controls, on average."""
    return float(np.mean([np.mean(control.labels == probe.labels) for control in probe.controls]))


def _controls_are_the_concept(probe: "Probe") -> bool:
    """Whether the controls agree with the concept much more than random labels would."""
    if not probe.controls:
        return False
    share = float(np.mean(probe.labels > 0))
    chance = share**2 + (1 - share) ** 2
    return _agreement(probe) - chance > MOSTLY * (1 - chance)
