"""Epoch after epoch, for every compiled learner: the one loop around what it does with examples.

A learner is three verbs about its own kind of state: `begin_epoch`, `present` and `end_epoch`. They
are chosen by the type of the state when the loop is compiled, so that each kind of state has a loop
of its own in machine code, which the disk keeps, and one in this file.

Between two blocks of rows the loop returns to Python: Ctrl-C is heard within a second, however long
an epoch takes. Where the blocks end changes no bit of the weights.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.learners.status import GO_ON, PAUSED
from novikoff.learners.unit import Examples

__all__ = [
    "advance",
    "begin_epoch",
    "end_epoch",
    "epoch_length",
    "epochs",
    "learner",
    "present",
    "rounds_per_call",
]

# Multiply-adds between two returns to Python: about a hundredth of a second.
WORK_PER_CALL = 10_000_000
OVERHEAD = 8  # what else a round costs, in multiply-adds

# The bodies below that only raise are what a type checker reads and what Numba overloads.


def begin_epoch(examples: Examples, order: NDArray[np.int64], state: Any) -> int:
    """Get ready for an epoch; why it cannot begin, or GO_ON."""
    raise NotImplementedError("compiled loops only")


def present(
    examples: Examples, order: NDArray[np.int64], tie: int, state: Any, start: int, stop: int
) -> tuple[int, int]:
    """Present the examples at these positions of the order, and learn from each mistake.

    Returns the number of mistakes and the position where to go on: `stop`, or less where the
    learner wants to be asked once more, or the epoch's length where it needs no other round.
    """
    raise NotImplementedError("compiled loops only")


def end_epoch(examples: Examples, tie: int, state: Any, mistakes: int) -> int:
    """After an epoch: why no other is needed, or GO_ON."""
    raise NotImplementedError("compiled loops only")


def learner(
    kind: type,
    *,
    present_with: Callable[..., tuple[int, int]],
    end_with: Callable[..., int],
    begin_with: Callable[..., int] | None = None,
) -> None:
    """Let states of this kind be driven by `epochs`, with these kernels as its verbs."""

    def is_ours(state: object) -> bool:
        return getattr(state, "instance_class", None) is kind

    @overload(begin_epoch)
    def _begin(examples, order, state):  # type: ignore[no-untyped-def]  # noqa: ARG001
        if not is_ours(state):
            return None
        if begin_with is None:
            return lambda examples, order, state: GO_ON  # noqa: ARG005
        return lambda examples, order, state: begin_with(examples, order, state)

    @overload(present)
    def _present(examples, order, tie, state, start, stop):  # type: ignore[no-untyped-def]  # noqa: ARG001
        if not is_ours(state):
            return None
        return lambda examples, order, tie, state, start, stop: present_with(
            examples, order, tie, state, start, stop
        )

    @overload(end_epoch)
    def _end(examples, tie, state, mistakes):  # type: ignore[no-untyped-def]  # noqa: ARG001
        if not is_ours(state):
            return None
        return lambda examples, tie, state, mistakes: end_with(examples, tie, state, mistakes)


@kernel
def epoch_length(examples: Examples, order: NDArray[np.int64]) -> int:
    """How many examples an epoch presents; an empty `order` stands for all, as they are given."""
    return len(order) if len(order) > 0 else len(examples.push)


@kernel
def rounds_per_call(examples: Examples) -> int:
    """How many examples are presented between two returns to Python."""
    return max(1, WORK_PER_CALL // (examples.entries + OVERHEAD))


@kernel
def advance(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: Any,
    mistakes_per_epoch: NDArray[np.int64],
    place: tuple[int, int, int],
) -> tuple[int, int, int]:
    """Go on from an epoch and a position in it for so many rounds (`place`), through many epochs.

    Returns the epoch and the position reached, and why; GO_ON if nothing but the rounds ran out.
    """
    epoch, position, rounds = place
    n = epoch_length(examples, order)
    while epoch < len(mistakes_per_epoch):
        if position == 0:
            reason = begin_epoch(examples, order, state)
            if reason != GO_ON:
                return epoch, position, reason
        stop = min(n, position + rounds)
        mistakes, reached = present(examples, order, tie, state, position, stop)
        mistakes_per_epoch[epoch] += mistakes
        rounds -= stop - position
        position = reached
        if position < n:
            if position < stop or rounds <= 0:
                return epoch, position, GO_ON
            continue
        epoch, position = epoch + 1, 0
        reason = end_epoch(examples, tie, state, mistakes_per_epoch[epoch - 1])
        if reason != GO_ON:
            return epoch, position, reason
        if rounds <= 0:
            return epoch, position, GO_ON
    return epoch, position, PAUSED


def epochs(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: Any,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """Epoch after epoch in the same order; return how many were run, and why it stopped."""
    rounds = rounds_per_call(examples)
    epoch, position, reason = 0, 0, GO_ON
    while reason < 0:
        place = (epoch, position, rounds)
        epoch, position, reason = advance(examples, order, tie, state, mistakes_per_epoch, place)
    return epoch, reason
