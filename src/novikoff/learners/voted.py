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

from novikoff.core.compiled import kernel
from novikoff.exact.signs import norm_after_update, norm_bound, row_norms, score_sign, surely_right
from novikoff.learners.epochs import epoch_length, epochs, learner
from novikoff.learners.status import CONVERGED, FULL, GO_ON, PAUSED
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update
from novikoff.matrix.rows import Floats, Rows

__all__ = ["History", "VotedRun", "Voters", "grow", "votes"]

# How many points vote together while the history is replayed once.
POINTS_TOGETHER = 256
# Numbers multiplied between two returns to Python, so that Ctrl-C is prompt.
WORK_PER_CALL = 1 << 24


class History(NamedTuple):
    """What is kept of a run: row and push of each mistake, and how many rounds each ŵ lived.

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
        """The same without the room for more."""
        size = int(self.size[0])
        mistaken, push = self.mistaken[:size].copy(), self.push[:size].copy()
        return History(mistaken, push, self.survived[: size + 1].copy(), self.size.copy())


def grow(history: History | None, capacity: int) -> History:
    """The same history (None: an empty one) with room for `capacity` mistakes in all."""
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


class VotedState(NamedTuple):
    """What an epoch changes: the last ŵ, the history of all of them, and whether it is full."""

    weights: Weights
    history: History
    max_mistakes: int
    is_full: NDArray[np.int64]


class Voters(NamedTuple):
    """All that voting needs: the rows mistaken, the history that counts them, bias and tie rule."""

    rows: Rows
    history: History
    bias: float
    tie: int


@kernel
def begin(examples: Examples, order: NDArray[np.int64], state: VotedState) -> int:
    """Before an epoch: a pause, unless its mistakes fit or there may be no more room."""
    room, n = len(state.history.mistaken), epoch_length(examples, order)
    fits = room - state.history.size[0] >= n or room >= state.max_mistakes
    return GO_ON if fits else PAUSED


@kernel
def present_rows(
    examples: Examples, order: NDArray[np.int64], tie: int, state: VotedState, start: int, stop: int
) -> tuple[int, int]:
    """Present the examples at positions `start` to `stop` of `order` (empty: as they are given).

    The epoch ends at a mistake for which there is no room: then the history is full.
    """
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm, history = state.weights.w, state.weights.norm, state.history
    mistaken, pushes, survived = history.mistaken, history.push, history.survived
    rule = rule_of(examples, tie)
    size, mistakes = history.size[0], 0
    for t in range(start, stop):
        i = order[t] if len(order) > 0 else t
        bound = norms[i] * w_norm[0]
        right = surely_right(rows, i, push[i], w, bound)
        if not right and is_mistake(rows, i, push[i], w, bound, rule):
            if size == len(mistaken):
                state.is_full[0] = 1
                stop = epoch_length(examples, order)
                break
            update(rows, i, push[i], w, bias)
            w_norm[0] = norm_after_update(w_norm[0], push[i], norms[i])
            mistaken[size] = i
            pushes[size] = push[i]
            size += 1
            survived[size] = 0
            mistakes += 1
        survived[size] += 1
    history.size[0] = size
    return mistakes, stop


@kernel
def end(examples: Examples, tie: int, state: VotedState, mistakes: int) -> int:  # noqa: ARG001
    """After an epoch: why no other is needed, or GO_ON."""
    if state.is_full[0] == 1:
        return FULL
    weights = state.weights
    weights.norm[0] = min(weights.norm[0], norm_bound(weights.w))
    return CONVERGED if mistakes == 0 else GO_ON


learner(VotedState, begin_with=begin, present_with=present_rows, end_with=end)


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
            self._make_room(epoch_length(examples, order))
            voted = VotedState(self.weights, self.history, self.max_mistakes, np.zeros(1, np.int64))
            more, outcome = epochs(examples, order, tie, voted, mistakes_per_epoch[done:])
            done += more
        return done, outcome

    def _make_room(self, n: int) -> None:
        """Room for n more mistakes, or for as many as there may be."""
        capacity, needed = len(self.history.mistaken), int(self.history.size[0]) + n
        if capacity < min(needed, self.max_mistakes):
            self.history = grow(self.history, min(max(needed, 2 * capacity), self.max_mistakes))


def votes(points: Rows, n: int, voters: Voters, w: Floats) -> Floats:
    """For each point the votes for +1 minus those for −1; a score of 0 votes as it predicts.

    `w` is room to replay the weights in.
    """
    voting = int(voters.history.size[0]) + 1
    norms = row_norms(points, n, voters.bias > 0.0)
    result = np.zeros(n)
    together = max(1, WORK_PER_CALL // (POINTS_TOGETHER * len(w)))
    for first in range(0, n, POINTS_TOGETHER):
        last = min(n, first + POINTS_TOGETHER)
        w[:] = 0.0
        for k in range(0, voting, together):
            part = (first, last, k, min(voting, k + together))
            _vote(points, norms, voters, w, part, result)
    return result


@kernel
def _vote(
    points: Rows,
    norms: Floats,
    voters: Voters,
    w: Floats,
    part: tuple[int, int, int, int],
    result: Floats,
) -> None:
    """A part of the votes: on points from one place to another, by one ŵ to another, `w` first."""
    rows, history, bias = voters.rows, voters.history, voters.bias
    mistaken, push, survived = history.mistaken, history.push, history.survived
    at_zero = -1.0 if voters.tie < 0 else 1.0
    first, last, oldest, end = part
    for k in range(oldest, end):
        if k > 0:
            update(rows, mistaken[k - 1], push[k - 1], w, bias)
        if survived[k] == 0:
            continue
        w_norm = norm_bound(w)
        for i in range(first, last):
            sign = score_sign(points, i, w, norms[i] * w_norm, 0.0)
            result[i] += survived[k] * (at_zero if sign == 0 else float(sign))
