"""Proofs of a GPU, repeated on the CPU: for a sample, or for all.

The rounding bounds hold on either. That a GPU computes as it says is worth a second look.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.probes.basis import basis_of
from novikoff.probes.devices import CPU
from novikoff.probes.proofs import Prover
from novikoff.probes.settle import Settled

__all__ = ["recheck"]


def recheck(X: NDArray[Any], Y: NDArray[np.int8], settled: Settled, count: int | None) -> int:
    """How many of the proofs do not hold on the CPU; `count` of each kind are tried, or all."""
    separators = [at for at, known in enumerate(settled.outcomes) if known.weights is not None]
    multipliers = [at for at, known in enumerate(settled.outcomes) if known.alpha is not None]
    wrong = 0
    prover = Prover(X, basis_of(X, CPU), CPU)
    for chosen, kind in ((separators[:count], "weights"), (multipliers[:count], "alpha")):
        if not chosen:
            continue
        values = np.column_stack([getattr(settled.outcomes[at], kind) for at in chosen])
        check = prover.separators if kind == "weights" else prover.multipliers
        wrong += int((~check(values, Y[:, chosen].astype(np.float32)).hold).sum())
    return wrong
