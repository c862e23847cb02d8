"""Who watches a run: a journal of its mistakes, a watch for cycles, or nobody.

The loop tells its observer of every mistake. Which code that is, the type of the observer says:
for `Nobody` all of it compiles to nothing.
"""

from typing import Any, NamedTuple

from numba.extending import overload
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.learners.cycles import Watch, has_cycled, may_round, no_watch
from novikoff.learners.journal import Journal, has_room, record
from novikoff.learners.status import CYCLED, GO_ON, OUTGROWN, PAUSED
from novikoff.learners.unit import Examples, Weights
from novikoff.rows import Floats, Rows

__all__ = [
    "Nobody",
    "Observer",
    "counts_of",
    "journal_in",
    "observer_of",
    "reason_to_stop",
    "reason_to_wait",
    "tell_mistake",
]


class Nobody(NamedTuple):
    """Nobody watches."""


class Observer(NamedTuple):
    """A journal, or nobody who writes one, and a watch for cycles, which may be empty."""

    journal: Journal | Nobody
    watch: Watch


def observer_of(journal: Journal | None = None, watch: Watch | None = None) -> Nobody | Observer:
    """The observer for what is to be watched."""
    watches = watch is not None and watch.growth >= 0.0
    if journal is None and not watches:
        return Nobody()
    return Observer(
        Nobody() if journal is None else journal,
        watch if watch is not None and watches else no_watch(),
    )


def _is_nobody(observer: object) -> bool:
    return getattr(observer, "instance_class", None) is Nobody


# The bodies below that only raise are what a type checker reads and what Numba overloads.


def journal_in(observer: Nobody | Observer) -> Journal | Nobody:
    """The journal of an observer, to be held in a name of its own while a loop runs."""
    raise NotImplementedError("compiled loops only")


def counts_of(observer: Nobody | Observer) -> NDArray[Any] | Nobody:
    """The mistakes on each row that an observer counts, to be held in a name of its own."""
    raise NotImplementedError("compiled loops only")


def tell_mistake(journal: Any, counts: Any, round_: int, i: int, rows: Rows, w: Floats) -> None:
    """Row i is a mistake in this round, and the weights are about to learn from it."""
    raise NotImplementedError("compiled loops only")


def reason_to_wait(observer: Nobody | Observer, examples: Examples, weights: Weights) -> int:
    """Before an epoch: why it must not begin, or GO_ON."""
    raise NotImplementedError("compiled loops only")


def reason_to_stop(observer: Nobody | Observer, weights: Weights) -> int:
    """After an epoch with mistakes: why no other is needed, or GO_ON."""
    raise NotImplementedError("compiled loops only")


@kernel
def _count(counts: NDArray[Any], i: int) -> None:
    if len(counts) > 0:
        counts[i] += 1


def _has_room(journal: Journal | Nobody, n: int) -> bool:
    raise NotImplementedError("compiled loops only")


@overload(_has_room)
def _choose_has_room(journal, n):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_nobody(journal):
        return lambda journal, n: True  # noqa: ARG005
    return lambda journal, n: has_room(journal, n)


@kernel
def _reason_to_wait(observer: Observer, examples: Examples, weights: Weights) -> int:
    if not _has_room(observer.journal, len(examples.push)):
        return PAUSED
    if may_round(observer.watch, examples.unit, weights):
        return OUTGROWN
    return GO_ON


@kernel
def _reason_to_stop(observer: Observer, weights: Weights) -> int:
    return CYCLED if has_cycled(observer.watch, weights) else GO_ON


@overload(journal_in)
def _choose_journal_in(observer):  # type: ignore[no-untyped-def]
    if _is_nobody(observer):
        return lambda observer: observer
    return lambda observer: observer.journal


@overload(counts_of)
def _choose_counts_of(observer):  # type: ignore[no-untyped-def]
    if _is_nobody(observer):
        return lambda observer: observer
    return lambda observer: observer.watch.counts


@overload(tell_mistake)
def _choose_tell_mistake(journal, counts, round_, i, rows, w):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_nobody(counts):
        return lambda journal, counts, round_, i, rows, w: None  # noqa: ARG005
    if _is_nobody(journal):
        return lambda journal, counts, round_, i, rows, w: _count(counts, i)  # noqa: ARG005

    def tell(journal, counts, round_, i, rows, w):  # type: ignore[no-untyped-def]
        record(journal, round_, i, rows, w)
        _count(counts, i)

    return tell


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
