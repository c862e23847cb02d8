"""The rows of models that compare rows of the data: a case minus those it was chosen from.

    conditional   case minus control, within a stratum
    Cox           event minus everybody at risk at its time, within a stratum

Events at one time have x·δ all equal with Breslow's and Efron's ties; with exact ties each is above
everybody who was at risk and had none. Whoever is also at risk at the next event is compared there:
that event is in this one's risk set, and inequalities add up. So there are about as many pairs as
rows, and not as many as rows times events.
"""

from collections.abc import Iterator
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import Outcome, RegressionModel
from novikoff.certificates.models.rows import check_codes, whole_numbers
from novikoff.core import sparse as sp
from novikoff.core.progress import in_time
from novikoff.errors import DataError
from novikoff.exact.rational import nearest_float
from novikoff.matrix.problem import Matrix

Indices: TypeAlias = NDArray[np.intp]
Pairs: TypeAlias = tuple[Indices, Indices]

MOST_PAIRS = 10_000_000  # of a case and a control: beyond, they would fill the memory
BLOCK = 1 << 18  # numbers that are subtracted together


def conditional_pairs(outcome: Outcome, model: RegressionModel) -> Pairs:
    """Every case with every control of its stratum, both in the order of the data."""
    assert outcome.strata is not None
    present = outcome.present
    codes = check_codes(outcome, model, present)
    strata = outcome.strata[present]
    cases, controls = present[codes == 1], present[codes == 0]
    groups = _by_stratum(controls, strata[codes == 0])
    nobody = np.empty(0, dtype=np.intp)
    partners = [groups.get(stratum, nobody) for stratum in strata[codes == 1].tolist()]
    sizes = [len(others) for others in partners]
    if sum(sizes) == 0:
        raise DataError("no stratum has both outcomes, so there is nothing to estimate from.")
    if sum(sizes) > MOST_PAIRS:
        raise DataError(
            f"the strata have {sum(sizes):,} pairs of a case and a control, and at most "
            f"{MOST_PAIRS:,} are compared. Leave out the strata with one outcome, and ask for "
            "a logit with a column for each stratum: it separates the same rows."
        )
    return np.repeat(cases, sizes), np.concatenate(partners)


def cox_pairs(outcome: Outcome, model: RegressionModel) -> Pairs:
    """Each event with those that leave before the next one, and with that: in order of the events.

    With several events at one time, the first of them in the order of the data speaks for all
    unless ties are exact.
    """
    present = outcome.present
    strata = np.zeros(outcome.n, dtype=np.intp) if outcome.strata is None else outcome.strata
    by_speaker: dict[int, Pairs] = {}
    for members in in_time(_by_stratum(present, strata[present]).values()):
        by_speaker |= _cox_stratum(_Stratum.of(members, outcome), model.ties == "exact")
    if not by_speaker:
        raise DataError(
            "no other row is at risk at the time of an event: nothing to estimate from."
        )
    pairs = [by_speaker[row] for row in sorted(by_speaker)]
    first, second = (np.concatenate(side) for side in zip(*pairs, strict=True))
    return first, second


def _by_stratum(rows: Indices, strata: Indices) -> dict[int, Indices]:
    if len(rows) == 0:
        return {}
    order = np.argsort(strata, kind="stable")
    labels, starts = np.unique(strata[order], return_index=True)
    parts = np.split(rows[order], starts[1:])
    return dict(zip(labels.tolist(), parts, strict=True))


class _Stratum:
    """The members of a stratum by time, and at one time in the order of the data."""

    def __init__(self, rows: Indices, time: Any, event: Any, entry: Any):
        self.rows, self.time, self.event, self.entry = rows, time, event, entry

    @classmethod
    def of(cls, members: Indices, outcome: Outcome) -> "_Stratum":
        assert outcome.time is not None
        time = outcome.time[members]
        order = np.lexsort((members, time))
        members, time = members[order], time[order]
        n = len(members)
        event = np.ones(n, np.bool_) if outcome.event is None else outcome.event[members]
        entry = np.full(n, -np.inf) if outcome.entry is None else outcome.entry[members]
        return cls(members, time, event, entry)


def _cox_stratum(stratum: _Stratum, exact: bool) -> dict[int, Pairs]:
    """The pairs of one stratum, by the row that speaks for them."""
    rows, time, event, entry = stratum.rows, stratum.time, stratum.event, stratum.entry
    pairs: dict[int, Pairs] = {}
    events = np.flatnonzero(event)
    times, starts = np.unique(time[events], return_index=True)
    ends = np.append(starts[1:], len(events))
    begin = np.append(np.searchsorted(time, times), len(time))
    for k, after in enumerate(in_time(_next_times(stratum, events, times))):
        t, failing = times[k], events[starts[k] : ends[k]]
        here = np.arange(begin[k], begin[after])
        leaving = here[(entry[here] < t) & ~(event[here] & (time[here] == t))]
        following = events[starts[after] : ends[after]] if after < len(times) else events[:0]
        following = following[entry[following] < t]
        if exact:
            others = np.sort(rows[np.concatenate([leaving, following])])
            pairs |= {int(rows[i]): (np.full(len(others), rows[i]), others) for i in failing}
            continue
        speaker, tied = rows[failing[0]], rows[failing[1:]]
        others = np.concatenate([rows[following[:1]], np.sort(rows[leaving])])
        both = np.column_stack([tied, np.full(len(tied), speaker)]).astype(np.intp)
        pairs[int(speaker)] = (
            np.concatenate([both[:, ::-1].ravel(), np.full(len(others), speaker)]),
            np.concatenate([both.ravel(), others]),
        )
    return {row: pair for row, pair in pairs.items() if len(pair[0])}


def _next_times(stratum: _Stratum, events: Indices, times: Any) -> Iterator[int]:
    """For each time with events, the next at which somebody fails who is at risk at it.

    It is a place among the times, and their count if nobody does. Those who came before t wait in
    the order in which they fail; whoever failed by then never comes back.
    """
    coming = events[np.argsort(stratum.entry[events], kind="stable")]
    entries, place = stratum.entry[coming], np.searchsorted(times, stratum.time[coming])
    come = np.searchsorted(entries, times)
    waiting: list[int] = []
    for k in range(len(times)):
        for each in place[0 if k == 0 else come[k - 1] : come[k]].tolist():
            heappush(waiting, each)
        while waiting and waiting[0] <= k:
            heappop(waiting)
        yield waiting[0] if waiting else len(times)


def differences(X: Matrix, decimals: bool, pairs: Pairs) -> tuple[Matrix, tuple[Any, ...] | None]:
    """x of the first minus x of the second, without rounding, each column times a factor.

    None for the factors where they are all 1.
    """
    first, second = pairs
    Z, factors = whole_numbers(X, decimals, 2)
    if sp.issparse(Z):
        return sp.csr_array(Z[first] - Z[second]), None
    D = np.empty((len(first), X.shape[1]), dtype=Z.dtype)
    step = max(1, BLOCK // X.shape[1])
    for start in in_time(range(0, len(first), step)):
        some = slice(start, start + step)
        np.subtract(Z[first[some]], Z[second[some]], out=D[some])
    return D, factors


def true_differences(D: Matrix, factors: tuple[Any, ...] | None) -> Matrix:
    """The differences themselves: float64 where it holds all of them, else fractions."""
    if factors is None:
        return D
    exact = [
        [Fraction(int(value)) / factor for value, factor in zip(row, factors, strict=True)]
        for row in D.tolist()
    ]
    floats = [[nearest_float(value) for value in row] for row in exact]
    if floats == exact:
        return np.array(floats, dtype=np.float64)
    table = np.empty((len(exact), len(factors)), dtype=object)
    table[:] = exact
    return table
