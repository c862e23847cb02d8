"""The voted perceptron (Freund and Schapire 1999): every ŵ the perceptron had votes on each point.

A ŵ that survived c rounds has c votes, so that good weights outvote the last ones. The list of all
ŵ is never stored: ŵ_k is ŵ_{k−1} plus the push of the k-th mistake, so the rows mistaken, in order,
and the survival counts are all there is to keep; voting replays them.

Y. Freund and R. E. Schapire, "Large margin classification using the perceptron algorithm", Machine
Learning 37, 1999.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.learners.status import PAUSED
from novikoff.learners.unit import Examples, Weights
from novikoff.matrix.rows import Floats, Rows, n_rows


class History(NamedTuple):
    """The history of a run: row and push of each mistake, and how many rounds each ŵ lived.

    There is one more ŵ than mistakes: the first is zero. `survived[size]` is that of the last ŵ.
    """

    mistaken: NDArray[np.int64]
    push: Floats
    survived: NDArray[np.int64]
    size: NDArray[np.int64]

    @property
    def nbytes(self) -> int:
        """Memory, in bytes: 24 a mistake."""
        return self.mistaken.nbytes + self.push.nbytes + self.survived.nbytes

    def trim(self) -> "History":
        """A copy without unused room."""
        size = int(self.size[0])
        mistaken, push = self.mistaken[:size].copy(), self.push[:size].copy()
        return History(mistaken, push, self.survived[: size + 1].copy(), self.size.copy())


def grow(history: History | None, capacity: int) -> History:
    """A copy of the history (None: an empty one) with room for `capacity` mistakes in all."""
    fresh = History(
        np.zeros(capacity, np.int64),
        np.zeros(capacity),
        np.zeros(capacity + 1, np.int64),
        np.zeros(1, np.int64),
    )
    if history is not None:
        size = int(history.size[0])
        fresh.mistaken[:size] = history.mistaken[:size]
        fresh.push[:size] = history.push[:size]
        fresh.survived[: size + 1] = history.survived[: size + 1]
        fresh.size[0] = size
    return fresh


class Voters(NamedTuple):
    """All that voting needs: the rows mistaken, the history that counts them, bias and tie rule."""

    rows: Rows
    history: History
    bias: float
    tie: int


@dataclass
class VotedRun:
    """A run whose history grows as it needs to, up to `max_mistakes`."""

    weights: Weights
    history: History
    max_mistakes: int

    def epochs(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,
        state: "VotedRun",  # noqa: ARG002 (it is `self`)
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch in the same order; return how many were run, and why it stopped."""
        done, outcome = 0, PAUSED
        while outcome == PAUSED and done < len(mistakes_per_epoch):
            self._make_room(len(order) or len(examples.push))
            state_now = (self.weights, self.history, self.max_mistakes)
            more, outcome = _core.voted_epochs(
                examples, order, tie, *state_now, mistakes_per_epoch[done:]
            )
            done += more
        return done, outcome

    def _make_room(self, n: int) -> None:
        """Room for n more mistakes, or for as many as there may be."""
        capacity, needed = len(self.history.mistaken), int(self.history.size[0]) + n
        if capacity < min(needed, self.max_mistakes):
            self.history = grow(self.history, min(max(needed, 2 * capacity), self.max_mistakes))


def votes(points: Rows, voters: Voters) -> Floats:
    """For each point the votes for +1 minus those for −1; a score of 0 votes as it predicts."""
    result = np.empty(n_rows(points))
    _core.votes(points, voters.rows, voters.history, voters.bias, voters.tie, result)
    return result
