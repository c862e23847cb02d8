"""`strategy="mixing"`: every partition learns at the same time, and the weights are mixed.

Iterative parameter mixing (McDonald, Hall and Mann, "Distributed training strategies for the
structured perceptron", NAACL 2010). In each epoch every partition i runs the perceptron once over
its rows, from the same ŵ, makes kᵢ mistakes and ends with ŵᵢ; then ŵ ← Σ μᵢŵᵢ with μᵢ = kᵢ/Σk.

On data with margin γ and radius R, steps of one length and zero weights at the start,
Σ over epochs of Σ μᵢkᵢ ≤ R²/γ² (their theorem 3, for any mixture μ). With this mixture
Σ μᵢkᵢ = Σkᵢ²/Σkᵢ is at least 1 in an epoch with a mistake, and at least Σkᵢ divided by the number
of partitions P. So at most R²/γ² epochs have mistakes, and there are at most P·R²/γ² mistakes in
all. (In exact arithmetic: mixing rounds, and what was found is checked exactly in the end.)
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from novikoff.exact.bounds import norm_bound
from novikoff.learners import averaged, perceptron
from novikoff.learners.distributed.tasks import (
    PresentedPartitions,
    Pushes,
    WalkResult,
    average_walk,
    perceptron_walk,
)
from novikoff.learners.run import PartsLoop
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.matrix.dask.partitions import Block
from novikoff.matrix.rows import Floats


def mixing_step(
    block: Block, pushes: Pushes, walk: Callable[..., WalkResult], begun: WalkResult, tie: int
) -> WalkResult:
    """One partition's epoch, on its worker; mixed weights are on no grid."""
    return walk(block, pushes, None, 0, begun, (0.0, tie))


def mix(weights: list[Floats], mistakes: list[int]) -> Floats:
    """Σ μᵢŵᵢ with μᵢ = kᵢ/Σk, summed in the order of the partitions."""
    total = np.zeros_like(weights[0])
    for w, count in zip(weights, mistakes, strict=True):
        if count:
            total += w * (count / sum(mistakes))
    return total


@dataclass
class MixingPerceptron(PartsLoop):
    """Epochs of parameter mixing; `weighted` is Σ μᵢkᵢ of each epoch, which R²/γ² bounds."""

    parts: PresentedPartitions
    weighted: list[float] = field(default_factory=list)

    def over_parts(self, tie: int, state: perceptron.PerceptronState) -> tuple[int, int]:
        """All partitions at once, from the same weights; then the mixture."""
        weights = state.weights
        walks = self.parts.each(
            "mix", mixing_step, perceptron_walk, WalkResult(tuple(weights)), tie
        )
        counts = [walk.mistakes for walk in walks]
        if not any(counts):
            return 0, CONVERGED
        self.weighted.append(sum(count * count for count in counts) / sum(counts))
        weights.w[:] = mix([walk.carried[0] for walk in walks], counts)
        weights.norm[0] = norm_bound(weights.w)
        return sum(counts), GO_ON


@dataclass
class MixingAverage(PartsLoop):
    """Mixing that also averages the weights after each round of each partition."""

    parts: PresentedPartitions

    def over_parts(self, tie: int, state: averaged.AverageState) -> tuple[int, int]:
        """All partitions at once, from the same weights; then the mixture."""
        weights = state.weights
        # The sum of the weights after each round so far is T·ŵ − delayed.
        summed = state.rounds[0] * weights.w - state.delayed
        begun = WalkResult((*weights, np.zeros_like(state.delayed), np.zeros(1, np.int64)))
        walks = self.parts.each("mix", mixing_step, average_walk, begun, tie)
        for walk in walks:
            w, _, delayed, rounds = walk.carried
            summed += rounds[0] * w - delayed
            state.rounds[0] += rounds[0]
        counts = [walk.mistakes for walk in walks]
        if any(counts):
            weights.w[:] = mix([walk.carried[0] for walk in walks], counts)
            weights.norm[0] = norm_bound(weights.w)
        state.delayed[:] = state.rounds[0] * weights.w - summed
        return sum(counts), GO_ON if any(counts) else CONVERGED
