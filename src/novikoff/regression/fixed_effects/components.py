"""The signs of the coefficients of a sparse design, once it is known which rows stay.

The directions of recession are the h with x·h = 0 on the rows that stay and x·h ≥ 0 on the others.
With the aliased columns at 0, they lie in the space that null vectors of the rows that stay span.
In coordinates of these, the other rows fall apart into components without a common coordinate. The
cone is the product of their cones, and a coefficient is a sum of a function of each. In a component
of one coordinate its sign is known; in larger ones the engine is asked, as for any regression.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from novikoff.core import sparse as sp
from novikoff.core.progress import Deadline, OutOfTime, in_time
from novikoff.exact.sparse_elimination import eliminate, sparse_product
from novikoff.regression.cone import Rows, estimate_of
from novikoff.regression.estimates import Estimate
from novikoff.regression.fixed_effects.echelon import Sum, add_to
from novikoff.separability.verdicts import Separable

Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]

MOST_QUESTIONS = 300  # functions that the engine is asked about
MOST_VECTORS = 20_000
BOTH = {Estimate.PLUS_INFINITY, Estimate.MINUS_INFINITY}


@dataclass(frozen=True, eq=False)
class CoefficientSigns:
    """What becomes of each coefficient, the columns estimable in the limit, and the direction.

    The direction is 0 in aliased columns.
    """

    estimates: tuple[Estimate, ...]
    estimable: tuple[int, ...]
    direction: list[Fraction]


def signs_of(
    rows: Any, on: Mask, direction: list[int], deadline: Deadline
) -> CoefficientSigns | None:
    """The answer for rows of which those in `on` stay; None if it is too much work."""
    p = rows.shape[1]
    everything = eliminate(rows, np.arange(rows.shape[0]))
    if everything is None:
        return None
    dependencies = _echelon_from_the_right(everything.null)
    moved = {j: Fraction(value) for j, value in enumerate(direction) if value}
    for lead in sorted(dependencies, reverse=True):
        if lead in moved:
            row = dependencies[lead]
            add_to(moved, row, -moved[lead] / row[lead])
    kept = np.array([j for j in range(p) if j not in dependencies], dtype=np.intp)
    estimates = [Estimate.ALIASED] * p
    for j in kept.tolist():
        estimates[j] = Estimate.FINITE
    estimable = kept
    straight = [moved.get(j, Fraction(0)) for j in range(p)]
    if not on.all():
        narrow = sp.csr_array(rows[:, kept])
        stay = eliminate(narrow, np.flatnonzero(on))
        if stay is None or stay.null.shape[0] > MOST_VECTORS:
            return None
        off = sparse_product(sp.csr_array(narrow[~on]), sp.csr_array(stay.null.T))
        if off is None:
            return None
        inner = [straight[j] for j in kept[stay.free].tolist()]
        scale = stay.null[np.arange(len(inner)), stay.free] if len(inner) else []
        coordinates = [value / int(by) for value, by in zip(inner, scale, strict=True)]
        cones = _Cones(off, coordinates, deadline)
        leads = _echelon_from_the_right(stay.null)
        columns = sp.csc_array(stay.null)
        functions = {}
        for k in np.flatnonzero(np.diff(columns.indptr)).tolist():
            here = slice(columns.indptr[k], columns.indptr[k + 1])
            values = columns.indices[here].tolist(), columns.data[here].tolist()
            functions[int(kept[k])] = dict(zip(*values, strict=True))
            estimates[int(kept[k])] = Estimate.UNDECIDED
        try:
            for cones.asks in (False, True):  # what is known at once comes first
                for j, function in in_time(functions.items()):
                    if estimates[j] is Estimate.UNDECIDED:
                        estimates[j] = cones.estimate(function)
        except OutOfTime:
            pass
        estimable = kept[[k for k in range(len(kept)) if k not in leads]]
    return CoefficientSigns(tuple(estimates), tuple(estimable.tolist()), straight)


def _echelon_from_the_right(vectors: Any) -> dict[int, Sum]:
    """A basis of the span whose vectors end in different columns, by these columns."""
    found: dict[int, Sum] = {}
    for k in in_time(range(vectors.shape[0])):
        here = slice(vectors.indptr[k], vectors.indptr[k + 1])
        values = map(Fraction, vectors.data[here].tolist())
        row: Sum = dict(zip(vectors.indices[here].tolist(), values, strict=True))
        while row:
            lead = max(row)
            if lead not in found:
                found[lead] = row
                break
            add_to(row, found[lead], -row[lead] / found[lead][lead])
    return found


class _Cones:
    """The cones of the components, and functions on them that were asked about."""

    def __init__(self, rows: Any, inner: list[Fraction], deadline: Deadline) -> None:
        self.rows, self.inner, self.deadline = rows, inner, deadline
        links = sp.csr_array((np.ones(rows.nnz), rows.indices, rows.indptr), shape=rows.shape)
        both = sp.block_array([[None, links], [links.T, None]])
        labels = connected_components(sp.csr_array(both), directed=False)[1]
        self.of_row, self.label = labels[: rows.shape[0]], labels[rows.shape[0] :]
        self.size = np.bincount(self.label, minlength=int(labels.max(initial=0)) + 1)
        self.asks = False
        self.asked: dict[tuple[tuple[int, int], ...], Estimate] = {}
        self.known: dict[int, _Component] = {}

    def estimate(self, function: dict[int, int]) -> Estimate:
        """What becomes of a coefficient that is this function of the coordinates."""
        parts: dict[int, dict[int, int]] = {}
        for k, value in function.items():
            parts.setdefault(int(self.label[k]), {})[k] = value
        signs = set(self._signs(parts))
        if Estimate.NOT_DETERMINED in signs or BOTH <= signs:
            return Estimate.NOT_DETERMINED
        return Estimate.UNDECIDED if Estimate.UNDECIDED in signs else signs.pop()

    def _signs(self, parts: dict[int, dict[int, int]]) -> Iterator[Estimate]:
        for label, part in parts.items():
            inner = sum((value * self.inner[k] for k, value in part.items()), Fraction(0))
            if inner == 0:  # an inner direction can be bent either way
                yield Estimate.NOT_DETERMINED
                return
            one_way = Estimate.PLUS_INFINITY if inner > 0 else Estimate.MINUS_INFINITY
            if self.size[label] == 1:
                yield one_way
                continue
            shared = gcd(*part.values())
            key = tuple((k, value // shared) for k, value in sorted(part.items()))
            if key not in self.asked:
                if not self.asks or len(self.asked) >= MOST_QUESTIONS or self.deadline.is_over():
                    yield Estimate.UNDECIDED
                    continue
                self.asked[key] = self._ask(label, dict(key), one_way)
            yield self.asked[key]

    def _ask(self, label: int, part: dict[int, int], one_way: Estimate) -> Estimate:
        """Whether the cone has a direction in which the function has the other sign."""
        if label not in self.known:
            self.known[label] = _Component.of(self, label)
        here = self.known[label]
        row = [0] * len(here.place)
        for k, value in part.items():
            row[here.place[k]] = value
        sign = 1 if one_way is Estimate.PLUS_INFINITY else -1
        if tuple(sign * value for value in row) in here.faces:
            return one_way
        for direction in here.found:
            if sum(x * t for x, t in zip(row, direction, strict=True) if x) * sign < 0:
                return Estimate.NOT_DETERMINED
        try:
            answer = here.rows.with_row(row, -sign, self.deadline)
        except OutOfTime:
            return Estimate.UNDECIDED
        if isinstance(answer, Separable):
            here.found.append(answer.exact_weights)
        return estimate_of(answer, one_way)


@dataclass(frozen=True, eq=False)
class _Component:
    """The rows of a component in its coordinates, and directions of its cone that were found.

    `faces` are the rows as primitive integers: a multiple of one has its sign.
    """

    rows: Rows
    place: dict[int, int]
    faces: set[tuple[int, ...]]
    found: list[tuple[Fraction, ...]]

    @classmethod
    def of(cls, cones: _Cones, label: int) -> "_Component":
        coordinates = np.flatnonzero(cones.label == label)
        some = cones.rows[np.flatnonzero(cones.of_row == label)][:, coordinates]
        table = np.unique(some.toarray(), axis=0)
        table //= np.gcd.reduce(np.abs(table), axis=1)[:, None]
        short = bool((np.abs(table) < 2**53).all())
        rows = Rows(
            table.astype(np.float64 if short else object), np.ones(len(table), np.int8), False
        )
        place = {int(k): at for at, k in enumerate(coordinates)}
        return cls(rows, place, set(map(tuple, table.tolist())), [])
