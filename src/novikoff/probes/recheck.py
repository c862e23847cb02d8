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
from novikoff.rows import Floats

__all__ = ["recheck"]

TOGETHER = 256  # proofs that are repeated in one product


def recheck(X: NDArray[Any], Y: NDArray[np.int8], settled: Settled, count: int | None) -> int:
    """How many of the proofs do not hold on the CPU; `count` of each kind are tried, or all."""
    pairs = list(enumerate(settled.outcomes))
    separators = [(at, known.weights) for at, known in pairs if known.weights is not None]
    multipliers = [(at, known.alpha) for at, known in pairs if known.alpha is not None]
    prover = Prover(X, basis_of(X, CPU), CPU)
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
