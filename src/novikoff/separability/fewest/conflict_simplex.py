"""Conflicts as vertices: a small simplex method that walks from one conflict to the next.

    minimise c·α   over α ≥ 0, Uᵀα = 0, Σ αᵢ = 1          (U spans the columns of A: the rows yᵢx̂ᵢ)

The vertices of this polyhedron are the conflicts: sets of rows that no plane serves, none of whose
rows could be left out (Gleeson and Ryan, 1990). Every basis on the way is one, so a walk of a
hundred pivots looks at a hundred conflicts and keeps those that the fractional cover x leaves
uncovered (Σ x over the rows < 1). The basis is small (rank + 1), its inverse is kept explicitly,
and a new cost starts from the old basis: a pivot costs one pass over the rows.

If the forbidden rows cannot be avoided, the dual solution separates all the others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel, summation
from novikoff.matrix.rows import Floats

__all__ = ["FORBIDDEN", "UNAVOIDABLE", "SimplexState", "enumerate_conflicts", "new_walk", "walk"]

TOLERANCE = 1e-9
POSITIVE = 1e-8  # an α above this is taken to be there; what it leads to is proven or not used
UNCOVERED = 1.0 - 1e-3
FORBIDDEN = 1e3  # the cost of a forbidden row: more than any cover
REFACTOR = 60  # pivots between two fresh inverses
WIDE = 300  # a wider basis keeps its inverse from call to call
WIDEST = 1000  # and still wider ones for good: a fresh inverse would take seconds
MOST_PIVOTS = 2000
MOST_EXCHANGES = 20
MOST_WORK = 1e9  # multiplications in one call, about: a caller looks at the time in between
OPTIMAL, UNAVOIDABLE, STOPPED = 0, 1, 2


class SimplexState(NamedTuple):
    """Where a walk stands: the basic rows (n + k: artificial column k) and the inverse.

    `separator` is the dual solution of a walk that ended `UNAVOIDABLE`. A call makes at most
    `most_pivots`, and `most_exchanges` at its end; the next one goes on from there. `age` is the
    number of pivots since the inverse was fresh.
    """

    U: Floats
    basis: NDArray[np.int64]
    inverse: Floats
    rhs: Floats
    separator: Floats
    age: NDArray[np.int64]
    most_pivots: int
    most_exchanges: int


def new_walk(U: Floats, seed: int) -> SimplexState:
    """A walk at its start: nothing but artificial columns."""
    n, rank = U.shape
    m = rank + 1
    # Tiny positive right sides keep the walk from going in circles on degenerate data.
    rhs = np.random.default_rng(seed).uniform(0.5, 1.0, m) * 1e-7
    rhs[-1] = 1.0
    fresh = m**3 / REFACTOR if m <= WIDEST else 0
    pivots = min(MOST_PIVOTS, 20 + int(MOST_WORK / (n * m + 2 * m * m + fresh)))
    exchanges = min(MOST_EXCHANGES, int(MOST_WORK / (n * m * m)))
    age = np.zeros(1, dtype=np.int64)
    return SimplexState(
        U, np.arange(n, n + m), np.eye(m), rhs, np.zeros(rank), age, pivots, exchanges
    )


@summation
def _times(matrix: Floats, vector: Floats, product: Floats) -> None:
    for i in range(len(product)):
        total = 0.0
        for k in range(len(vector)):
            total += matrix[i, k] * vector[k]
        product[i] = total


@kernel
def _fill_column(U: Floats, j: int, column: Floats) -> None:
    """The column of row j in the constraints: (U_j, 1), or an artificial unit."""
    n, rank = U.shape
    column[:] = 0.0
    if j < n:
        column[:rank] = U[j]
        column[rank] = 1.0
    else:
        column[j - n] = 1.0


@kernel
def _pivot(inverse: Floats, basis: NDArray[np.int64], column: Floats, r: int, j: int) -> None:
    """Row j enters where the r-th of the basis leaves; `column` is inverse · its column."""
    m = len(basis)
    for k in range(m):
        inverse[r, k] /= column[r]
    for i in range(m):
        factor = column[i]
        if i != r and factor != 0.0:
            for k in range(m):
                inverse[i, k] -= factor * inverse[r, k]
    basis[r] = j


@kernel
def _refactor(U: Floats, basis: NDArray[np.int64], inverse: Floats) -> None:
    """The inverse afresh: every basic row enters a basis of artificial columns, largest first."""
    n, m = len(U), len(basis)
    wanted = basis.copy()
    free = np.ones(m, np.bool_)
    column, entered = np.empty(m), np.empty(m)
    inverse[:, :] = 0.0
    for k in range(m):
        inverse[k, k] = 1.0
        basis[k] = n + k
    for k in range(m):
        if wanted[k] >= n:
            free[wanted[k] - n] = False
    for k in range(m):
        if wanted[k] >= n:
            continue
        _fill_column(U, wanted[k], column)
        _times(inverse, column, entered)
        r, largest = -1, TOLERANCE
        for i in range(m):
            if free[i] and abs(entered[i]) > largest:
                r, largest = i, abs(entered[i])
        if r >= 0:  # a row that has become dependent leaves an artificial column in its place
            free[r] = False
            _pivot(inverse, basis, entered, r, wanted[k])


@kernel
def _leaving_place(column: Floats, values: Floats) -> int:
    """The place in the basis that reaches 0 first, or −1."""
    r, least = -1, np.inf
    for i in range(len(values)):
        if column[i] > TOLERANCE:
            ratio = max(values[i], 0.0) / column[i]
            if ratio < least:
                r, least = i, ratio
    return r


@kernel
def _keep(at: SimplexState, x: Floats, cost: Floats, found: NDArray[np.int64], n_found: int) -> int:
    """Keep the conflict at hand if there is room, x leaves it uncovered, and nothing is forbidden.

    The rows go into the next line of `found`, filled up with −1.
    """
    basis, inverse = at.basis, at.inverse
    n, m, total = len(x), len(basis), 0.0
    if n_found == len(found):
        return n_found
    for i in range(m):
        if inverse[i, m - 1] > POSITIVE:
            if basis[i] >= n or cost[basis[i]] >= FORBIDDEN:
                return n_found
            total += x[basis[i]]
    if total > UNCOVERED:
        return n_found
    for i in range(m):
        found[n_found, i] = basis[i] if inverse[i, m - 1] > POSITIVE else -1
    return n_found + 1


@kernel
def walk(
    at: SimplexState, cost: Floats, x: Floats, found: NDArray[np.int64], n_found: int
) -> tuple[int, int]:
    """Walk to the conflict of the least cost, keeping uncovered ones; how it ended, how many kept.

    Rows whose cost is `FORBIDDEN` or more are to be avoided. Ends with `UNAVOIDABLE` if that cannot
    be; then `at.separator` has the ŵ (for U) with positive scores on all other rows.
    """
    U, basis, inverse = at.U, at.basis, at.inverse
    n, rank = U.shape
    m = rank + 1
    dual, column, entered, values = np.empty(m), np.empty(m), np.empty(m), np.empty(m)
    reduced = np.empty(n)
    for step in range(at.most_pivots):
        if (step == 0 and m <= WIDE) or (at.age[0] >= REFACTOR and m <= WIDEST):
            _refactor(U, basis, inverse)
            at.age[0] = 0
        dual[:] = 0.0
        for i in range(m):
            basic_cost = cost[basis[i]] if basis[i] < n else FORBIDDEN
            for k in range(m):
                dual[k] += basic_cost * inverse[i, k]
        _times(U, dual[:rank], reduced)
        j, least = -1, -TOLERANCE
        for i in range(n):
            value = cost[i] - reduced[i] - dual[rank]
            if value < least:
                j, least = i, value
        if j < 0:
            for i in range(m):
                is_allowed = basis[i] < n and cost[basis[i]] < FORBIDDEN
                if not is_allowed and inverse[i, rank] > POSITIVE:
                    at.separator[:] = -dual[:rank]
                    return UNAVOIDABLE, n_found
            return OPTIMAL, n_found
        _fill_column(U, j, column)
        _times(inverse, column, entered)
        _times(inverse, at.rhs, values)
        r = _leaving_place(entered, values)
        if r < 0:
            return STOPPED, n_found
        _pivot(inverse, basis, entered, r, j)
        at.age[0] += 1
        n_found = _keep(at, x, cost, found, n_found)
    return STOPPED, n_found


@kernel
def _sharpen(
    at: SimplexState, cost: Floats, x: Floats, found: NDArray[np.int64], n_found: int
) -> int:
    """Go down from the conflict at hand to neighbours that x covers less; how many were kept.

    The linear program minimises Σ xᵢαᵢ, which is not Σ xᵢ over the rows with an α: here it is the
    latter that decides. A neighbour has one row for another, which the ratio test tells.
    """
    U, basis, inverse = at.U, at.basis, at.inverse
    n, m = len(U), len(basis)
    column, entered, values = np.empty(m), np.empty(m), np.empty(m)
    is_basic = np.zeros(n, np.bool_)
    for i in range(m):
        if basis[i] < n:
            is_basic[basis[i]] = True
    for _ in range(at.most_exchanges):
        highest = 0.0
        for i in range(m):
            if basis[i] < n:
                highest = max(highest, x[basis[i]])
        _times(inverse, at.rhs, values)
        best, best_gain, best_place = -1, 1e-9, -1
        for j in range(n):
            if is_basic[j] or cost[j] >= FORBIDDEN or x[j] >= highest - best_gain:
                continue
            _fill_column(U, j, column)
            _times(inverse, column, entered)
            r = _leaving_place(entered, values)
            if r >= 0 and basis[r] < n and x[basis[r]] - x[j] > best_gain:
                best, best_gain, best_place = j, x[basis[r]] - x[j], r
        if best < 0:
            break
        is_basic[basis[best_place]] = False
        is_basic[best] = True
        _fill_column(U, best, column)
        _times(inverse, column, entered)
        _pivot(inverse, basis, entered, best_place, best)
        at.age[0] += 1
        n_found = _keep(at, x, cost, found, n_found)
    return n_found


@kernel
def enumerate_conflicts(
    at: SimplexState, cost: Floats, x: Floats, found: NDArray[np.int64], n_found: int
) -> tuple[int, int]:
    """Walk to the least cost, then on to what x covers less; how it ended, how many were kept."""
    ended, n_found = walk(at, cost, x, found, n_found)
    if ended != UNAVOIDABLE:
        n_found = _sharpen(at, cost, x, found, n_found)
    return ended, n_found
