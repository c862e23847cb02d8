"""The input of the search for the fewest errors: distinct rows with weights, in scaled coordinates.

Also here: line searches among its planes, and the tree of cases, in which rows are taken to be
right or wrong.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.core.blas import is_quick, orthonormal
from novikoff.exact.points import ExactProblem
from novikoff.exact.rational import common_divisor, total
from novikoff.matrix.rows import Floats
from novikoff.separability.fewest.covering import Rows

ALMOST = 1e-6


class Instance(NamedTuple):
    """Rows that differ, with weights, in coordinates that floating point likes.

    `U` has rows of length 1 (or 0) in a basis of the span of the rows yᵢx̂ᵢ; errors are multiples of
    `unit`, if that is not 0.
    """

    U: Floats
    weights: Floats
    unit: float
    widest: int  # rows of a conflict at most

    def rounded_up(self, value: float) -> float:
        """The least total of weights that is not below `value`, as far as one can tell."""
        if self.unit <= ALMOST or math.isinf(value):
            return value
        return self.unit * math.ceil(value / self.unit - ALMOST)


class Fixing(NamedTuple):
    """Rows that no better plane gets wrong: these shares leave no room for one that does."""

    rows: frozenset[int]
    shares: dict[Rows, float]


@dataclass(eq=False)
class Node:
    """Hyperplanes that are right on some rows and wrong on others, and what they are bound to.

    `fixings` came one after the other: the shares of each, and those of the node, may load the rows
    of the earlier ones without a limit.
    """

    right: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()
    bound: float = 0.0
    shares: dict[Rows, float] = field(default_factory=dict)
    fixings: list[Fixing] = field(default_factory=list)
    floor: float = 0.0  # the bound of the node above
    x: Floats | None = None  # a fractional cover, once the node was looked at
    row: int | None = None
    children: tuple["Node", "Node"] | None = None  # right on `row`, wrong on it

    @property
    def all_right(self) -> frozenset[int]:
        """The rows taken to be right, and those that are fixed."""
        return self.right.union(*(fixing.rows for fixing in self.fixings))

    @property
    def best_bound(self) -> float:
        """What the node or all nodes below it prove."""
        if self.children is None:
            return self.bound
        return max(self.bound, min(child.best_bound for child in self.children))

    def leaves(self) -> list["Node"]:
        """The leaves below, or the node itself."""
        if self.children is None:
            return [self]
        return [leaf for child in self.children for leaf in child.leaves()]

    def all_nodes(self) -> list["Node"]:
        """The node and all nodes below it."""
        below = self.children or ()
        return [self, *(node for child in below for node in child.all_nodes())]

    def all_shares(self) -> list[dict[Rows, float]]:
        """The shares that the node rests on: those of its fixings, and its own."""
        return [*(fixing.shares for fixing in self.fixings), self.shares]

    def split(self, row: int) -> None:
        """Tell apart the planes that are right on the row and those that are wrong on it."""
        one, right, floor = frozenset((row,)), self.all_right, max(self.floor, self.bound)
        kept = Node(right | one, self.wrong, self.bound, dict(self.shares), floor=floor)
        # A share of a conflict with `row` cannot be kept where `row` is wrong.
        gone = Node(right, self.wrong | one, floor=floor)
        self.row, self.children = row, (kept, gone)


BLOCK = 1 << 20  # numbers made dense together
NEAR_OVERFLOW, NEAR_UNDERFLOW, SMALL_UNIT = 2.0**1000, 2.0**-1000, 2.0**-64
MOST_UNITS = 10**6  # a total weight of more units than this is not rounded up to a whole number
GREATEST = 4096  # what the greatest weight is then in the search, whose tolerances are absolute
LEAST = 1e-12  # what a weight is at least: less would vanish beside the tolerances, or be 0


class Groups(NamedTuple):
    """Rows with equal yᵢx̂ᵢ, taken together; rows that count nothing are left out."""

    members: list[list[int]]
    weights: list[Fraction]

    @property
    def first(self) -> NDArray[np.intp]:
        """One row of each group."""
        return np.array([rows[0] for rows in self.members], dtype=np.intp)


def groups_of(points: ExactProblem, row_weights: Sequence[Fraction]) -> Groups:
    """The groups of equal rows yᵢx̂ᵢ: equal floats, and then equal decimals too."""
    X, y = points.problem.X, points.problem.y
    bias = points.problem.fit_intercept
    members_of: dict[Any, list[int]] = {}
    step = max(1, BLOCK // points.problem.d)
    for start in range(0, points.problem.n, step):
        block = X[start : start + step]
        dense = block.toarray() if sp.issparse(block) else block
        exact = points.rounded and not points.decimals
        signed = dense.astype(object if exact else np.float64) * y[start : start + step, None]
        for i, row in enumerate(signed if exact else np.ascontiguousarray(signed + 0.0), start):
            if row_weights[i] > 0:
                key = (int(y[i]) * bias, tuple(row.tolist()) if exact else row.tobytes())
                members_of.setdefault(key, []).append(i)
    # In an order that the data has and not the file: what is found depends on no permutation.
    members = [members_of[key] for key in sorted(members_of)]
    weights = [
        row_weights[rows[0]] if len(rows) == 1 else total(row_weights[i] for i in rows)
        for rows in members
    ]
    return Groups(members, weights)


class Coordinates(NamedTuple):
    """How the search sees the rows: x centred and scaled, then turned; and what a weight 1 is."""

    turned: Floats
    centre: Floats
    scale: Floats
    factor: Fraction
    fit_intercept: bool

    def plane(self, w_hat: Floats) -> Floats:
        """The plane for U whose scores have the signs of those of ŵ, the way back."""
        d = len(self.scale)
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = w_hat[:d] * self.scale
            if self.fit_intercept:
                scaled = np.append(scaled, w_hat[d] + w_hat[:d] @ self.centre)
        if not np.isfinite(scaled).all():
            return np.full(self.turned.shape[1], np.nan)
        return np.asarray(np.linalg.lstsq(self.turned, scaled, rcond=None)[0], dtype=np.float64)

    def weights(self, plane: Floats) -> Floats:
        """The ŵ for the rows as they were given, from one for U."""
        w_hat: Floats = self.turned @ plane
        # Columns near the least numbers have weights beyond the largest: the plane is shortened.
        if self.scale.min(initial=1.0) < NEAR_UNDERFLOW:
            w_hat = w_hat * SMALL_UNIT
        d = len(self.scale)
        with np.errstate(over="ignore", invalid="ignore"):  # whoever asked looks at what comes
            w = w_hat[:d] / self.scale
            return np.append(w, w_hat[d] - w @ self.centre) if self.fit_intercept else w


def instance_of(
    points: ExactProblem, groups: Groups, row_weights: Sequence[Fraction]
) -> tuple[Instance, Coordinates]:
    """The instance that is searched, and the way back."""
    rows = groups.first
    y = points.problem.y[rows, None]
    X = points.take(rows)
    # Sums and differences of the largest numbers would overflow: they are taken in another unit.
    shrunk = SMALL_UNIT if np.abs(X).max(initial=0.0) > NEAR_OVERFLOW else 1.0
    X = X * shrunk
    bias = points.problem.fit_intercept
    # With an intercept Σ αy = 0, so moving a column changes no conflict.
    centre = X.mean(axis=0) if bias else np.zeros(X.shape[1])
    X = X - centre
    scale = np.abs(X).max(axis=0)
    scale[scale == 0] = 1.0
    A = np.column_stack([X / scale, np.ones(len(X))]) if bias else X / scale
    U, turned = _spanning(_of_length_one(A * y))
    unit = common_divisor(row_weights)
    rounds_up = total(groups.weights) <= MOST_UNITS * unit
    factor = unit if rounds_up else max(groups.weights) / GREATEST
    weights = np.array([max(float(weight / factor), LEAST) for weight in groups.weights])
    widest = min(len(rows), A.shape[1] + 1)
    instance = Instance(_of_length_one(U), weights, 1.0 if rounds_up else 0.0, widest)
    scale = np.minimum(scale, np.finfo(np.float64).max * shrunk) / shrunk
    return instance, Coordinates(turned, centre / shrunk, scale, factor, bias)


def _of_length_one(A: Floats) -> Floats:
    """The rows, each divided by its length: a conflict's α changes, and nothing else."""
    lengths = np.linalg.norm(A, axis=1, keepdims=True)
    # What is left of a row of zeros after a rotation is not to be blown up.
    some = lengths > 1e-13 * lengths.max()
    return np.ascontiguousarray(np.where(some, A / np.where(some, lengths, 1.0), 0.0))


def _spanning(A: Floats) -> tuple[Floats, Floats]:
    """U with as many columns as A has rank, as far as one can tell, and T with A·T = U.

    Where that would take seconds which nothing can stop, U has as many columns as A has rows, or A
    columns.
    """
    if not is_quick(A if len(A) > A.shape[1] else A.T):
        if len(A) > A.shape[1]:
            return A, np.eye(A.shape[1])
        turned, R = orthonormal(A.T)
        return np.ascontiguousarray(R.T), turned
    U, sizes, V = np.linalg.svd(A, full_matrices=False)
    rank = int((sizes > 1e-11 * sizes[0]).sum())
    if rank == 0:
        return np.zeros((len(A), 1)), np.zeros((A.shape[1], 1))
    return U[:, :rank], V[:rank].T / sizes[:rank]


RIGHT = _core.RIGHT  # a score above this is taken to be positive: rows and planes have length 1


def descend(
    U: Floats,
    weights: Floats,
    start: Floats,
    steps: int,
    rng: np.random.Generator,
    is_late: Callable[[], bool],
) -> tuple[Floats, float]:
    """The last of the best ŵ of a walk of so many line searches from `start`, and its loss.

    The walk ends early when it is late; the loss is infinite if there was no time to count it.
    """
    plane = start.copy()
    loss = _core.descend(U, weights, plane, steps, rng.bit_generator.capsule, is_late)
    return plane, loss
