"""The rows near the plane, found by all workers at once, for the client to learn from.

Row j stays right while ‖ŵ − ŵ₀‖·‖x̂ⱼ‖ < yⱼ·s₀(xⱼ) (see `novikoff.learners.skipping`). Under weights
ŵ₀ every worker says how many of its rows could be mistaken before ŵ has moved so and so far, all
together choose a *reach*, and the rows within it come to the client: few, and the only data that
ever travels. Until ŵ has moved that far, whole epochs need no cluster at all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.cluster.partitions import Block
from novikoff.cluster_learners.tasks import Pushes, examples_on
from novikoff.compiled import kernel
from novikoff.exact.signs import error_bound
from novikoff.learners import perceptron, skipping
from novikoff.learners.epochs import epoch_length
from novikoff.learners.observer import Nobody
from novikoff.learners.skipping import HORIZONS, Survey, new_survey, slack
from novikoff.learners.unit import Examples, Weights, presented_rows
from novikoff.problem import Matrix
from novikoff.rows import Floats, longest_row, rows_of

__all__ = [
    "Near",
    "NearPart",
    "best_reach",
    "gather",
    "near_part",
    "present_near_rows",
    "spread_of",
]

MOST_BYTES = 1 << 26  # of near rows on the client
WORTHWHILE = 0.75  # of a walk through all partitions


class NearPart(NamedTuple):
    """The near rows of a partition: their positions there, and all that learning needs of them."""

    positions: NDArray[np.int64]
    X: Matrix
    push: Floats
    norms: Floats


class Near(NamedTuple):
    """The near rows of all partitions as examples, where each came from, and the survey."""

    examples: Examples
    part: NDArray[np.int64]
    position: NDArray[np.int64]
    survey: Survey


@kernel
def slacks(examples: Examples, order: NDArray[np.int64], weights: Weights) -> Floats:
    """How far ŵ can move before each presented row may be a mistake; −1 where it may be one now."""
    rows, push, norms = examples.rows, examples.push, examples.norms
    n = epoch_length(examples, order)
    error = error_bound(examples.entries, examples.radius * weights.norm[0])
    found = np.empty(n)
    for t in range(n):
        i = order[t] if len(order) > 0 else t
        found[t] = slack(rows, i, push[i], weights.w, norms[i], error)
    return found


def spread_of(
    block: Block, pushes: Pushes, unit: float, w: Floats, norm: Floats, pace: float
) -> NDArray[np.int64]:
    """How many rows of a partition are within 2, 4, 8, … epochs' movement; the rest last."""
    examples = examples_on(block, pushes, unit)
    room = slacks(examples, presented_rows(examples), Weights(np.array(w), np.array(norm)))
    if not examples.push.any():
        return np.zeros(HORIZONS + 1, np.int64)
    horizon = np.frexp(np.maximum(room, pace) / pace)[1] - 1
    return np.bincount(np.clip(horizon, 0, HORIZONS), minlength=HORIZONS + 1)


def best_reach(spread: NDArray[np.int64], pace: float, row_bytes: float) -> float:
    """The reach that saves most, if ŵ moves by `pace` an epoch; 0 if none saves enough.

    Counted in passes over all rows that an epoch costs: two to find the near rows, which are spread
    over the epochs that they last, and the near rows themselves, which must fit on the client.
    """
    cheapest, reach, near = WORTHWHILE, 0.0, 0
    for h in range(HORIZONS):
        near += int(spread[h])
        cost = 2 * 0.5 ** (h + 1) + near / int(spread.sum())
        if cost < cheapest and near * row_bytes <= MOST_BYTES:
            cheapest, reach = cost, pace * 2.0 ** (h + 1)
    return reach


def near_part(
    block: Block, pushes: Pushes, unit: float, w: Floats, norm: Floats, reach: float
) -> NearPart:
    """The rows of a partition within the reach of these weights."""
    examples = examples_on(block, pushes, unit)
    order = presented_rows(examples)
    if not examples.push.any():
        positions = np.empty(0, np.int64)
    else:
        room = slacks(examples, order, Weights(np.array(w), np.array(norm)))
        positions = np.flatnonzero(room <= reach)
    rows = order[positions] if len(order) else positions
    return NearPart(positions, block.batch.X[rows], pushes.push[rows], pushes.norms[rows])


def gather(parts: list[NearPart], bias: float, unit: float, w: Floats, reach: float) -> Near:
    """The near rows of all partitions together."""
    matrices = [part.X for part in parts]
    stacked = (
        sp.vstack(matrices, format="csr")
        if any(sp.issparse(X) for X in matrices)
        else np.concatenate(matrices)
    )
    rows = rows_of(stacked)
    push = np.concatenate([part.push for part in parts])
    norms = np.concatenate([part.norms for part in parts])
    size = len(push)
    radius = float(norms.max(initial=0.0))
    entries = longest_row(rows) if size else 0
    examples = Examples(rows, push, norms, bias, unit, radius, entries)
    survey = new_survey(size, len(w))
    survey.origin[:], survey.near[:] = w, np.arange(size)
    survey.size[0], survey.reach[0] = size, reach
    origin = np.repeat(np.arange(len(parts)), [len(part.positions) for part in parts])
    return Near(examples, origin, np.concatenate([part.positions for part in parts]), survey)


def present_near_rows(near: Near, tie: int, state: perceptron.State) -> tuple[int, int]:
    """One epoch over the near rows: the mistakes, and how many rows were looked at.

    They are fewer than all where ŵ has moved beyond the reach.
    """
    n, p = len(near.position), len(state.weights.w)
    if n == 0:
        return 0, 0
    schedule = skipping.Schedule(np.zeros(6, np.int64), np.zeros(p), np.zeros(1))
    # Whoever watches the whole run cannot be told of rows by their places among these.
    surveyed = skipping.State(state._replace(observer=Nobody()), near.survey, schedule)
    empty = np.empty(0, np.int64)
    mistakes, stopped = skipping.present_near(near.examples, empty, tie, surveyed, n)
    return int(mistakes), int(stopped)
