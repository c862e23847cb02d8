"""The kernel perceptron (Aizerman, Braverman and Rozonoer 1964): a ŵ that is never written down.

In the space of a kernel k, ŵ = Σ cⱼ ψ(xⱼ) over the rows that were mistaken, and the score of x is
Σ cⱼ k(xⱼ, x). The scores of all rows are kept up to date, so that a round costs O(1) and a mistake
one row of the Gram matrix. A bias adds 1 to the kernel: x̂ = (ψ(x), 1).

A score is the float64 sum of float64 kernel values, in the order of the mistakes: exact where all
of them are integers. With the linear kernel ŵ *is* written down as well, and decides where rounding
could have changed the sign of a score: the mistakes are exactly those of the perceptron.

Rows of a Gram matrix, computed in blocks when they are asked for and kept within a budget.

The whole matrix exists only where the budget has room for it. A block is made of rows that are
about to be needed, because one product of matrices is faster than many of vectors.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.errors import NotFiniteError
from novikoff.exact.bounds import norm_bound
from novikoff.learners.run import EpochLoop
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import Examples, Weights
from novikoff.matrix.rows import Floats

MOST_ROWS_TOGETHER = 16
# While a block is computed there are up to this many arrays of its size besides the cache.
COPIES_OF_A_BLOCK = 4


class KernelRowCache(NamedTuple):
    """The rows that are kept: row i is `values[slots[i]]` (−1: not kept); `uses` counts uses."""

    values: Floats
    slots: NDArray[np.int64]
    uses: NDArray[np.int64]


class Gram:
    """The rows of an n×n Gram matrix within `max_bytes` (one row and one block at the least)."""

    def __init__(
        self, compute: Callable[[NDArray[np.int64]], Floats], n: int, max_bytes: float
    ) -> None:
        self._compute = compute
        room = int(max_bytes // (8 * n))
        self.block = max(1, min(MOST_ROWS_TOGETHER, room // (2 * COPIES_OF_A_BLOCK), n))
        capacity = max(1, min(n, room - COPIES_OF_A_BLOCK * self.block))
        self.cache = KernelRowCache(np.empty((capacity, n)), np.full(n, -1), np.zeros(n, np.int64))
        self._owners = np.full(capacity, -1)
        self._filled = 0
        self.n_computed = 0

    @classmethod
    def of_matrix(cls, matrix: Floats) -> "Gram":
        """A Gram matrix that the user computed: all rows are there, and none is copied."""
        gram = cls(_no_rows, len(matrix), 0.0)
        gram.cache = KernelRowCache(matrix, np.arange(len(matrix)), np.zeros(len(matrix), np.int64))
        return gram

    def fetch(self, wanted: NDArray[np.int64]) -> None:
        """Compute the first of the rows `wanted` (none is here) in place of the least used.

        Not of the oldest: an epoch passes all rows in turn, and the oldest is the next to come.
        """
        cache = self.cache
        wanted = wanted[: min(self.block, len(cache.values))]
        with np.errstate(over="ignore", invalid="ignore"):  # looked for below
            block = self._compute(wanted)
            _check_finite(block, wanted)
        places = self._places_for(len(wanted))
        cache.values[places] = block
        cache.slots[wanted] = places
        self._owners[places] = wanted
        self.n_computed += len(wanted)

    def _places_for(self, m: int) -> NDArray[np.int64]:
        """Empty slots while there are any, then those of the rows with the fewest mistakes."""
        capacity = len(self.cache.values)
        if self._filled + m <= capacity:
            self._filled += m
            return np.arange(self._filled - m, self._filled)
        self._filled = capacity
        uses = np.where(self._owners < 0, -1, self.cache.uses[self._owners])
        places = np.argpartition(uses, m - 1)[:m]
        leaving = self._owners[places]
        self.cache.slots[leaving[leaving >= 0]] = -1
        return places

    def row(self, i: int) -> Floats:
        """Row i (a view, good until the next one is fetched)."""
        if self.cache.slots[i] < 0:
            self.fetch(np.array([i]))
        self.cache.uses[i] += 1
        row: Floats = self.cache.values[self.cache.slots[i]]
        return row


def _no_rows(wanted: NDArray[np.int64]) -> Floats:
    raise AssertionError(f"rows {wanted} of a given matrix are not kept")


def _check_finite(block: Floats, wanted: NDArray[np.int64]) -> None:
    if np.isfinite(block.sum()):
        return
    bad = np.argwhere(~np.isfinite(block))
    if len(bad):
        row, column = int(wanted[bad[0, 0]]), int(bad[0, 1])
        raise NotFiniteError(
            f"the kernel of rows {row} and {column} is not finite: scale the data, or choose "
            "a smaller degree or gamma."
        )


# How many rounds ahead of a missing row to look for others that will be missed.
ROUNDS_AHEAD = 16


class KernelState(NamedTuple):
    """The state of a run: the coefficients and the scores of all rows, and how many mistakes.

    `weights` is ŵ for the linear kernel, and empty for others. `path` bounds ‖ŵ₀‖ + Σ η‖x̂‖, how far
    ŵ has travelled, from which the rounding of a score is known.
    """

    coef: Floats
    scores: Floats
    weights: Weights
    path: Floats
    mistakes: NDArray[np.int64]


def state_of(coef: Floats, scores: Floats, w: Floats) -> KernelState:
    """The state of a run that is about to start (nothing is copied; `w` empty: not linear)."""
    norm = norm_bound(w)
    return KernelState(
        coef, scores, Weights(w, np.array([norm])), np.array([norm]), np.zeros(1, np.int64)
    )


# The first place in the order, from one on, whose row is a mistake.
next_mistake = _core.kernel_next_mistake


# How many of the presented examples are misclassified, without learning from them.
errors = _core.kernel_errors


# Every score after ŵ ← ŵ + step·x̂, given the row of the Gram matrix that belongs to x.
add_row = _core.add_row


@dataclass(frozen=True)
class KernelEpochs(EpochLoop):
    """Epochs on the rows of one Gram matrix."""

    gram: Gram

    def epoch(
        self, examples: Examples, order: NDArray[np.int64], tie: int, state: KernelState
    ) -> tuple[int, int]:
        """One epoch; rows of the Gram matrix are fetched as they are needed."""
        before, n = int(state.mistakes[0]), len(order) or len(examples.push)
        t = _core.kernel_advance(examples, order, 0, tie, state, self.gram.cache)
        while t < n:  # at a mistake whose Gram row is not kept
            self.gram.fetch(self._about_to_be_missed(examples, order, t, state))
            t = _core.kernel_advance(examples, order, t, tie, state, self.gram.cache)
        mistakes = int(state.mistakes[0]) - before
        return mistakes, GO_ON if mistakes else CONVERGED

    def _about_to_be_missed(
        self, examples: Examples, order: NDArray[np.int64], t: int, state: KernelState
    ) -> NDArray[np.int64]:
        """The row at place t, and rows soon after it that are mistakes as things stand."""
        end = t + ROUNDS_AHEAD
        ahead = order[t:end] if len(order) else np.arange(t, min(end, len(examples.push)))
        wrong = state.scores[ahead] * examples.push[ahead] <= 0
        wrong[0] = True
        missing = ahead[wrong & (self.gram.cache.slots[ahead] < 0)]
        return np.array(list(dict.fromkeys(missing.tolist())), dtype=np.int64)
