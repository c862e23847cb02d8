"""A run played again from its journal: the same updates, in the same order, to the same bits."""

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.accumulator import exact_score
from novikoff.learners.unit import Examples, update
from novikoff.rows import Floats, sqnorm

__all__ = ["follow", "replay"]


@kernel
def replay(examples: Examples, mistakes: NDArray[np.int64], w: Floats) -> None:
    """Push `w` by each of these mistakes in turn."""
    rows, push, bias = examples.rows, examples.push, examples.bias
    for i in mistakes:
        update(rows, i, push[i], w, bias)


@kernel
def follow(
    examples: Examples, mistakes: NDArray[np.int64], scores: Floats, w_star: Floats
) -> tuple[Floats, Floats]:
    """‖ŵ‖² and ŵ·ŵ* after each mistake, each by what one update adds to it.

    ‖ŵ + ηyx̂‖² = ‖ŵ‖² + 2ηy(ŵ·x̂) + η²‖x̂‖², where ŵ·x̂ is the score that was written down. Sums are
    compensated (Neumaier), so that a million small terms lose nothing.
    """
    rows, push, bias = examples.rows, examples.push, examples.bias
    squared_norms, alignments = np.empty(len(mistakes)), np.empty(len(mistakes))
    norm = norm_rest = dot = dot_rest = 0.0
    for k in range(len(mistakes)):
        i = mistakes[k]
        step = push[i]
        gained = step * (2.0 * scores[k] + step * (sqnorm(rows, i) + bias))
        total = norm + gained
        norm_rest += (
            (norm - total) + gained if abs(norm) >= abs(gained) else (gained - total) + norm
        )
        norm = total
        gained = step * exact_score(rows, i, w_star) if len(w_star) > 0 else 0.0
        total = dot + gained
        dot_rest += (dot - total) + gained if abs(dot) >= abs(gained) else (gained - total) + dot
        dot = total
        squared_norms[k], alignments[k] = norm + norm_rest, dot + dot_rest
    return squared_norms, alignments
