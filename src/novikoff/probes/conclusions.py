"""The conclusion of a probe as a sentence that takes random labels into account.

Proofs of a GPU are repeated on the CPU, for a sample or for all.

The rounding bounds hold on either. That a GPU computes as it says is worth a second look.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.matrix.rows import Floats
from novikoff.probes.cover import shown_probability
from novikoff.probes.devices import CPU
from novikoff.probes.proofs import Prover
from novikoff.probes.search import ScoreBasis
from novikoff.probes.settle import Settled

if TYPE_CHECKING:
    from novikoff.probes.results import Probe

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


TOGETHER = 256  # proofs that are repeated in one product


def recheck(X: NDArray[Any], Y: NDArray[np.int8], settled: Settled, count: int | None) -> int:
    """How many of the proofs do not hold on the CPU; `count` of each kind are tried, or all."""
    pairs = list(enumerate(settled.outcomes))
    separators = [(at, known.weights) for at, known in pairs if known.weights is not None]
    multipliers = [(at, known.alpha) for at, known in pairs if known.alpha is not None]
    if settled.basis is None:
        return 0
    # The basis is a proposal only: the bound on σ_min that follows from it is proven here.
    basis = ScoreBasis(*(CPU.host(part) for part in settled.basis))
    prover = Prover(X, basis, CPU)
    wrong = 0
    for some, w in _batches(separators, count):
        wrong += int((~prover.separators(w, Y[:, some].astype(np.float32)).hold).sum())
    for some, alpha in _batches(multipliers, count):
        found = prover.multipliers(alpha, Y[:, some].astype(np.float32), refined=True)
        wrong += int((~found.hold).sum())
    return wrong


def _batches(
    found: list[tuple[int, Floats]], count: int | None
) -> Iterator[tuple[list[int], Floats]]:
    """`count` of the labellings, spread over all of them, or all, in batches with their values."""
    if count is not None and len(found) > count:
        found = [found[at] for at in np.linspace(0, len(found) - 1, count, dtype=int)]
    for start in range(0, len(found), TOGETHER):
        some = found[start : start + TOGETHER]
        yield [at for at, _ in some], np.column_stack([values for _, values in some])
