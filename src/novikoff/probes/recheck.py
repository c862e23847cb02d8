"""Proofs of a GPU, repeated on the CPU: for a sample, or for all.

The rounding bounds hold on either. That a GPU computes as it says is worth a second look.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.probes.basis import basis_of
from novikoff.probes.devices import CPU
from novikoff.probes.proofs import Prover
from novikoff.probes.settle import Settled

__all__ = ["recheck"]

TOGETHER = 256  # proofs that are repeated in one product


def recheck(X: NDArray[Any], Y: NDArray[np.int8], settled: Settled, count: int | None) -> int:
    """How many of the proofs do not hold on the CPU; `count` of each kind are tried, or all."""
    separators = [at for at, known in enumerate(settled.outcomes) if known.weights is not None]
    multipliers = [at for at, known in enumerate(settled.outcomes) if known.alpha is not None]
    prover = Prover(X, basis_of(X, CPU), CPU)
    wrong = 0
    for some in _batches(separators, count):
        w = np.column_stack([settled.outcomes[at].weights for at in some])
        wrong += int((~prover.separators(w, Y[:, some].astype(np.float32)).hold).sum())
    for some in _batches(multipliers, count):
        alpha = np.column_stack([settled.outcomes[at].alpha for at in some])
        found = prover.multipliers(alpha, Y[:, some].astype(np.float32), refined=True)
        wrong += int((~found.hold).sum())
    return wrong


def _batches(places: list[int], count: int | None) -> Iterator[list[int]]:
    """`count` of the places, spread over all of them, some at a time; or all."""
    if count is not None and len(places) > count:
        places = [places[at] for at in np.linspace(0, len(places) - 1, count, dtype=int)]
    for start in range(0, len(places), TOGETHER):
        yield places[start : start + TOGETHER]
