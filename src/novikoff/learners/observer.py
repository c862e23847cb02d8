"""Who watches a run: a journal of its mistakes, a watch for cycles, or nobody.

The loop tells its observer of every mistake. Which code that is, the type of the observer says:
for `NullObserver` all of it compiles to nothing.

When a run must go on for ever: Brent's cycle detection on the weights at the start of an epoch.

In exact arithmetic and cyclic order an epoch is a function of the weights it starts from. If they
return, everything returns; and the mistakes in between add up to nothing, Σ cᵢ yᵢ x̂ᵢ = 0 with
cᵢ ≥ 0: the perceptron's own proof that no separator exists. Brent (1980) needs one saved vector.

What a run writes down as it goes: which rows it erred on, when, and with what score.

A journal without room records nothing and costs nothing; a run pauses before one that has room
could overflow, so that a run of any length needs no more memory than its reader wants to keep.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.core.options import Order
from novikoff.exact.accumulator import exact_score
from novikoff.learners.status import CYCLED, GO_ON, OUTGROWN, PAUSED
from novikoff.learners.unit import LARGEST_EXACT, Examples, Weights
from novikoff.matrix.rows import Floats, Rows

__all__ = [
    "CycleDetector",
    "MistakeJournal",
    "NullObserver",
    "Observer",
    "counts_of",
    "has_cycled",
    "has_room",
    "journal_in",
    "journal_of",
    "may_round",
    "no_watch",
    "observer_of",
    "reason_to_stop",
    "reason_to_wait",
    "record",
    "tell_mistake",
    "watch_from",
]


class CycleDetector(NamedTuple):
    """The saved weights, the mistakes on each row since, and how far to go before saving again.

    `saved` is empty where an epoch is not a function of the weights it starts from. `growth` bounds
    what one epoch can add to ‖ŵ‖² (the second inequality of the proof); −1 where nothing is exact.
    """

    saved: Floats
    counts: NDArray[np.int64]
    lap: NDArray[np.int64]
    power: NDArray[np.int64]
    growth: float


def watch_from(examples: Examples, weights: Weights, order: Order) -> CycleDetector:
    """Watch that these weights stay exact and, where it proves something, that they never return.

    On data that is not on a grid nothing is exact, and nothing is watched.
    """
    if examples.unit == 0.0:
        return no_watch()
    once_each = order in ("cyclic", "shuffled")
    with np.errstate(over="ignore"):  # an infinite growth is one that may round
        gains = np.square(examples.push * examples.norms)
        growth = float(gains.sum() if once_each else gains.max() * len(gains)) * (1 + 1e-9)
    if order in ("shuffled", "random"):
        return no_watch()._replace(growth=growth)
    counts = np.zeros(len(examples.push), np.int64)
    return CycleDetector(
        weights.w.copy(), counts, np.zeros(1, np.int64), np.ones(1, np.int64), growth
    )


def no_watch() -> CycleDetector:
    """Watch nothing."""
    nothing = np.zeros(0, np.int64)
    return CycleDetector(np.empty(0), nothing, nothing, nothing, -1.0)


@kernel
def may_round(watch: CycleDetector, unit: float, weights: Weights) -> bool:
    """Whether one more epoch could round a weight that has been exact so far."""
    limit = unit * LARGEST_EXACT
    return watch.growth >= 0.0 and weights.norm[0] ** 2 + watch.growth >= limit**2


@kernel
def are_equal(w: Floats, saved: Floats) -> bool:
    """Whether all weights are the saved ones; mostly the first one says no."""
    for j in range(len(w)):  # noqa: SIM110 (Numba has no generators)
        if w[j] != saved[j]:
            return False
    return True


@kernel
def has_cycled(watch: CycleDetector, weights: Weights) -> bool:
    """After each epoch: are these the saved weights? If not, save anew at each power of 2."""
    if len(watch.saved) == 0:
        return False
    if are_equal(weights.w, watch.saved):
        return True
    watch.lap[0] += 1
    if watch.lap[0] == watch.power[0]:
        watch.saved[:] = weights.w
        watch.counts[:] = 0
        watch.lap[0] = 0
        watch.power[0] *= 2
    return False


class MistakeJournal(NamedTuple):
    """Mistakes in the order they were made; `size[0]` of them are filled in."""

    rounds: NDArray[np.int64]
    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    size: NDArray[np.int64]


def journal_of(capacity: int) -> MistakeJournal:
    """An empty journal for up to `capacity` mistakes; 0 records nothing."""
    return MistakeJournal(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity),
        np.zeros(1, np.int64),
    )


@kernel
def has_room(journal: MistakeJournal, n: int) -> bool:
    """Whether n more mistakes fit (always, if nothing is recorded)."""
    capacity = len(journal.rounds)
    return capacity == 0 or journal.size[0] + n <= capacity


@kernel
def record(journal: MistakeJournal, round_: int, i: int, rows: Rows, w: Floats) -> None:
    """Write down the mistake on row i, before the weights learn from it."""
    at = journal.size[0]
    journal.rounds[at] = round_
    journal.rows[at] = i
    journal.scores[at] = exact_score(rows, i, w)
    journal.size[0] = at + 1


class NullObserver(NamedTuple):
    """Nobody watches."""


class Observer(NamedTuple):
    """A journal, or nobody who writes one, and a watch for cycles, which may be empty."""

    journal: MistakeJournal | NullObserver
    watch: CycleDetector


def observer_of(
    journal: MistakeJournal | None = None, watch: CycleDetector | None = None
) -> NullObserver | Observer:
    """The observer for what is to be watched."""
    watches = watch is not None and watch.growth >= 0.0
    if journal is None and not watches:
        return NullObserver()
    return Observer(
        NullObserver() if journal is None else journal,
        watch if watch is not None and watches else no_watch(),
    )


def _is_nobody(observer: object) -> bool:
    return getattr(observer, "instance_class", None) is NullObserver


# The bodies below that only raise are what a type checker reads and what Numba overloads.


def journal_in(observer: NullObserver | Observer) -> MistakeJournal | NullObserver:
    """The journal of an observer, to be held in a name of its own while a loop runs."""
    raise NotImplementedError("compiled loops only")


def counts_of(observer: NullObserver | Observer) -> NDArray[Any] | NullObserver:
    """The mistakes on each row that an observer counts, to be held in a name of its own."""
    raise NotImplementedError("compiled loops only")


def tell_mistake(journal: Any, counts: Any, round_: int, i: int, rows: Rows, w: Floats) -> None:
    """Row i is a mistake in this round, and the weights are about to learn from it."""
    raise NotImplementedError("compiled loops only")


def reason_to_wait(observer: NullObserver | Observer, examples: Examples, weights: Weights) -> int:
    """Before an epoch: why it must not begin, or GO_ON."""
    raise NotImplementedError("compiled loops only")


def reason_to_stop(observer: NullObserver | Observer, weights: Weights) -> int:
    """After an epoch with mistakes: why no other is needed, or GO_ON."""
    raise NotImplementedError("compiled loops only")


@kernel
def _count(counts: NDArray[Any], i: int) -> None:
    if len(counts) > 0:
        counts[i] += 1


def _has_room(journal: MistakeJournal | NullObserver, n: int) -> bool:
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
