"""Who watches a run: a journal of its mistakes, a watch for cycles, or nobody.

The loop tells its observer of every mistake. Which code that is, the type of the observer says:
for `Nobody` all of it compiles to nothing.
"""

from typing import NamedTuple

from numba.extending import overload

from novikoff.compiled import kernel
from novikoff.learners.cycles import Watch, has_cycled, may_round, no_watch
from novikoff.learners.journal import Journal, has_room, journal_of, record
from novikoff.learners.status import CYCLED, GO_ON, OUTGROWN, PAUSED
from novikoff.learners.unit import Examples, Weights
from novikoff.rows import Floats, Rows

__all__ = ["Nobody", "Observer", "observer_of", "reason_to_stop", "reason_to_wait", "tell_mistake"]


class Nobody(NamedTuple):
    """Nobody watches."""


class Observer(NamedTuple):
    """A journal and a watch for cycles; either of them may be empty."""

    journal: Journal
    watch: Watch


def observer_of(journal: Journal | None = None, watch: Watch | None = None) -> Nobody | Observer:
    """The observer for what is to be watched."""
    watches = watch is not None and watch.growth >= 0.0
    if journal is None and not watches:
        return Nobody()
    return Observer(
        journal_of(0) if journal is None else journal,
        watch if watch is not None and watches else no_watch(),
    )


# The bodies below that only raise are what a type checker reads and what Numba overloads.


def tell_mistake(observer: Nobody | Observer, round_: int, i: int, rows: Rows, w: Floats) -> None:
    """Row i is a mistake in this round, and the weights are about to learn from it."""
    raise NotImplementedError("compiled loops only")


def reason_to_wait(observer: Nobody | Observer, examples: Examples, weights: Weights) -> int:
    """Before an epoch: why it must not begin, or GO_ON."""
    raise NotImplementedError("compiled loops only")


def reason_to_stop(observer: Nobody | Observer, weights: Weights) -> int:
    """After an epoch with mistakes: why no other is needed, or GO_ON."""
    raise NotImplementedError("compiled loops only")


@kernel
def _tell_mistake(observer: Observer, round_: int, i: int, rows: Rows, w: Floats) -> None:
    if len(observer.journal.rounds) > 0:
        record(observer.journal, round_, i, rows, w)
    if len(observer.watch.counts) > 0:
        observer.watch.counts[i] += 1


@kernel
def _reason_to_wait(observer: Observer, examples: Examples, weights: Weights) -> int:
    if not has_room(observer.journal, len(examples.push)):
        return PAUSED
    if may_round(observer.watch, examples.unit, weights):
        return OUTGROWN
    return GO_ON


@kernel
def _reason_to_stop(observer: Observer, weights: Weights) -> int:
    return CYCLED if has_cycled(observer.watch, weights) else GO_ON


def _is_nobody(observer: object) -> bool:
    return getattr(observer, "instance_class", None) is Nobody


@overload(tell_mistake)
def _choose_tell_mistake(observer, round_, i, rows, w):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_nobody(observer):
        return lambda observer, round_, i, rows, w: None  # noqa: ARG005
    return lambda observer, round_, i, rows, w: _tell_mistake(observer, round_, i, rows, w)


@overload(reason_to_wait)
def _choose_reason_to_wait(observer, examples, weights):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_nobody(observer):
        return lambda observer, examples, weights: GO_ON  # noqa: ARG005
    return lambda observer, examples, weights: _reason_to_wait(observer, examples, weights)


@overload(reason_to_stop)
def _choose_reason_to_stop(observer, weights):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_nobody(observer):
        return lambda observer, weights: GO_ON  # noqa: ARG005
    return lambda observer, weights: _reason_to_stop(observer, weights)
