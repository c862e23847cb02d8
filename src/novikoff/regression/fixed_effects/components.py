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
from novikoff.core.progress import Deadline, OutOfTime, in_time, seconds_in_force
from novikoff.exact.rational import primitive
from novikoff.exact.sparse_elimination import eliminate, sparse_product
from novikoff.regression.cone import Rows, estimate_of
from novikoff.regression.estimates import Estimate
from novikoff.regression.fixed_effects.echelon import Sum, add_to
from novikoff.regression.fixed_effects.face import OppositeRows, highs_program, scores_of

Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]
Key: TypeAlias = tuple[tuple[int, int], ...]  # a function, by coordinates

MOST_QUESTIONS = 300  # functions that the engine is asked about, where a program is no proof
MOST_VECTORS = 20_000
SAFE = 2**61  # sums of two are int64
NEARLY = 1e-7  # below this a float is taken for 0 in what is proposed
SIMPLE = 1000  # greatest denominator of a multiplier that is proposed
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
                if cones.asks:
                    cones.look_around()
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
        self.asks, self.engine_asked = False, 0
        self.asked: dict[Key, Estimate] = {}
        self.waiting: dict[int, dict[Key, int]] = {}
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
                if not self.asks or self.deadline.is_over():
                    self.waiting.setdefault(label, {})[key] = 1 if inner > 0 else -1
                    yield Estimate.UNDECIDED
                    continue
                self.asked[key] = self._ask(label, key, one_way)
            yield self.asked[key]

    def look_around(self) -> None:
        """Find directions in which many of the functions that wait have the other sign."""
        for label, functions in in_time(self.waiting.items()):
            here = self.known[label] = _Component.of(self, label)
            here.look_around(here.written(functions))

    def _ask(self, label: int, key: Key, one_way: Estimate) -> Estimate:
        """Whether the cone has a direction in which the function has the other sign."""
        here = self.known[label]
        sign = 1 if one_way is Estimate.PLUS_INFINITY else -1
        function = here.written({key: sign}).toarray()[0]
        known = here.turns(function)
        if known is not None:
            return Estimate.NOT_DETERMINED if known else one_way
        if self.engine_asked >= MOST_QUESTIONS:
            return Estimate.UNDECIDED
        self.engine_asked += 1
        table = here.rows.astype(np.float64).toarray()
        rows = Rows(table, np.ones(len(table), np.int8), False)
        try:
            return estimate_of(rows.with_row(function.tolist(), -1, self.deadline), one_way)
        except OutOfTime:
            return Estimate.UNDECIDED


class _Component:
    """The rows of a component in its coordinates, and linear programs over their cone.

    HiGHS minimises one function after another over 0 ≤ Rx ≤ 1, each from where the last one ended.
    It proposes a direction in which the function is negative, or multipliers that make the function
    a sum of rows; both are checked in whole numbers.
    """

    def __init__(self, rows: Any, place: dict[int, int], inner: list[Fraction]) -> None:
        self.rows, self.place = rows, place
        # A little of an inner direction makes up for what is rounded.
        more = int(abs(rows).sum(axis=1).max()) + 1
        self.margin = np.array([more * int(value) for value in primitive(inner)], dtype=object)
        if max(map(abs, self.margin.tolist())) < SAFE:
            self.margin = self.margin.astype(np.int64)
        self.found: list[NDArray[Any]] = []
        m, width = rows.shape
        self.program = highs_program(rows, np.zeros(width), np.zeros(m), np.ones(m))
        # Primal simplex goes on from the last corner; presolve would forget it.
        self.program.setOptionValue("presolve", "off")
        self.program.setOptionValue("simplex_strategy", 4)

    @classmethod
    def of(cls, cones: _Cones, label: int) -> "_Component":
        coordinates = np.flatnonzero(cones.label == label)
        some = sp.csr_array(cones.rows[np.flatnonzero(cones.of_row == label)][:, coordinates])
        some.sort_indices()
        some.data //= np.repeat(
            np.gcd.reduceat(np.abs(some.data), some.indptr[:-1]), np.diff(some.indptr)
        )
        place = {int(k): at for at, k in enumerate(coordinates)}
        inner = [cones.inner[k] for k in coordinates.tolist()]
        return cls(OppositeRows.of(some).oriented(), place, inner)

    def written(self, functions: dict[Key, int]) -> Any:
        """Functions of the coordinates, each times its sign, as rows for those of the component."""
        at = [self.place[k] for key in functions for k, _ in key]
        values = [sign * value for key, sign in functions.items() for _, value in key]
        ends = np.cumsum([0, *map(len, functions)])
        shape = (len(functions), self.rows.shape[1])
        return sp.csr_array((np.array(values, dtype=np.int64), np.array(at), ends), shape=shape)

    def look_around(self, functions: Any) -> None:
        """Add directions in which some of the functions are negative, until their sum never is."""
        while functions.shape[0]:
            direction = self._least(functions.sum(axis=0))
            if not isinstance(direction, np.ndarray):
                return
            left = np.flatnonzero(scores_of(functions, direction) >= 0)
            if len(left) == functions.shape[0]:
                return
            self.found.append(direction)
            functions = sp.csr_array(functions[left])

    def turns(self, function: NDArray[np.int64]) -> bool | None:
        """Whether the function can be negative, proven either way; None if it is not."""
        there = np.flatnonzero(function)
        values = function[there].tolist()
        if any(_scored(direction[there], values) < 0 for direction in self.found):
            return True
        solution = self._least(function)
        if isinstance(solution, np.ndarray):
            self.found.append(solution)
            return True
        if solution is None:
            return None
        multipliers = np.array(solution.row_dual)
        total: Sum = {}
        for i in np.flatnonzero(multipliers > NEARLY).tolist():
            here = slice(self.rows.indptr[i], self.rows.indptr[i + 1])
            entries = zip(
                self.rows.indices[here].tolist(), self.rows.data[here].tolist(), strict=True
            )
            share = Fraction(float(multipliers[i])).limit_denominator(SIMPLE)
            add_to(total, {j: Fraction(value) for j, value in entries}, share)
        return False if total == dict(zip(there.tolist(), values, strict=True)) else None

    def _least(self, function: NDArray[np.int64]) -> Any:
        """A direction in which the function is negative, or HiGHS's solution if it shows none.

        None if nothing is proven.
        """
        width = len(function)
        self.program.changeColsCost(
            width, np.arange(width, dtype=np.int32), function.astype(np.float64)
        )
        left = seconds_in_force()
        if np.isfinite(left):
            self.program.setOptionValue("time_limit", self.program.getRunTime() + max(0.0, left))
        self.program.run()
        solution = self.program.getSolution()
        corner = np.array(solution.col_value)
        if not np.isfinite(corner).all():
            return None
        if corner @ function >= -NEARLY:
            return solution
        there = np.flatnonzero(function)
        for digits in (20, 40):
            near = np.rint(corner * 2.0**digits)
            fits = np.abs(near).max() < SAFE
            direction = self.margin + (near.astype(np.int64) if fits else _long(near))
            if (
                _scored(direction[there], function[there].tolist()) < 0
                and (scores_of(self.rows, direction) >= 0).all()
            ):
                return direction
        return None


def _long(values: NDArray[np.float64]) -> NDArray[Any]:
    return np.array([int(value) for value in values.tolist()], dtype=object)


def _scored(weights: NDArray[Any], values: list[int]) -> int:
    return sum(int(w) * value for w, value in zip(weights.tolist(), values, strict=True))
