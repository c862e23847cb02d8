"""Which labels to doubt: other sets of wrong rows that count the same, and rows wrong in all.

Line searches drift over the plateau of planes that are as good as the best one known; each set of
wrong rows is counted by exact signs. A row is wrong in every such set if planes that are right on
it have more errors, which conflicts prove as they prove any lower bound, the row without a limit.
"""

import time
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from novikoff.errors import OptionError
from novikoff.exact.points import Points
from novikoff.proofs.fewest import FewestProof
from novikoff.rows import Floats
from novikoff.search.hitting import Node
from novikoff.search.line_search import descend
from novikoff.verdicts.fewest import Alternatives, FewestErrors

__all__ = ["alternatives"]

STEPS = 200  # line searches between two looks at the wrong rows
HEAVY = 1e4  # what a row counts that is to be right


def alternatives(found: FewestErrors, *, most: int = 100, time_limit: float = 10.0) -> Alternatives:
    """Sets of wrong rows that count what those of `found` count: a sample of at most `most`.

    Rows are named as wrong in all of them only where that is proven. Of rows that count nothing
    nothing is said.

    Parameters
    ----------
    found : FewestErrors
        What `novikoff.fewest_errors` returned.
    most : int, default=100
        How many sets to look for.
    time_limit : float, default=10.0
        Seconds to look.

    Returns
    -------
    Alternatives
        The sets, whether they are the only one, and the rows that are wrong in all of them.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1, 0]
    >>> novikoff.alternatives(novikoff.fewest_errors(X, y)).always_wrong
    (4,)
    """
    if most < 1:
        raise OptionError(f"most must be 1 or more; got {most!r}.")
    deadline = time.monotonic() + time_limit
    counts = found.row_weights or (Fraction(1),) * found.n
    points = Points.of(found.problem, decimals=found.decimals)
    proof = FewestProof(points, counts, deadline, None)
    proof.start_from(found)
    first = _counts_rows(found.wrong_rows.tolist(), counts)
    sets = dict.fromkeys([first])
    if not first:
        return Alternatives((first,), True, ())
    always: list[int] = []
    for group in proof.wrong_groups():
        rows = proof.groups.members[group]
        if all(rows[0] in known for known in sets) and not proof.search.late:
            for wrong in _others(proof, group):
                sets.setdefault(_counts_rows(wrong, counts))
            if all(rows[0] in known for known in sets) and _is_always_wrong(proof, group):
                always += rows
    for wrong in _drift(proof):
        if len(sets) >= most or proof.search.late:
            break
        sets.setdefault(_counts_rows(wrong, counts))
    always = [row for row in sorted(always) if counts[row] > 0]
    return Alternatives(tuple(sets)[:most], tuple(always) == first, tuple(always))


def _counts_rows(rows: Sequence[int], counts: Sequence[Fraction]) -> tuple[int, ...]:
    return tuple(row for row in rows if counts[row] > 0)


def _as_good(proof: FewestProof, plane: Floats) -> list[int] | None:
    """The wrong rows of a plane, if it is as good as the best one."""
    exact = proof.exact(plane)
    if exact is None or exact.errors != proof.best.errors:
        return None
    return [int(row) for row in exact.wrong]


def _others(proof: FewestProof, group: int) -> Iterator[list[int]]:
    """Sets of wrong rows without this group: it is made so heavy that it is put right."""
    instance = proof.search.instance
    weights = instance.weights.copy()
    weights[group] = HEAVY * weights.sum()
    for seed in range(2):
        rng = np.random.default_rng(seed)
        plane, _ = descend(instance.U, weights, proof.search.plane, 3 * STEPS, rng)
        wrong = _as_good(proof, plane)
        if wrong is not None:
            yield wrong


def _is_always_wrong(proof: FewestProof, group: int) -> bool:
    """Whether every plane that is right on the group has more errors, proven."""
    node = Node(right=frozenset((group,)))
    search = proof.search
    search.upper = float((proof.best.errors + proof.unit) / proof.coordinates.factor)
    search.bound_node(search.workers[0], node)
    return proof.proven_bound(node, proof.best.errors + proof.unit) > proof.best.errors


def _drift(proof: FewestProof) -> Iterator[list[int]]:
    """Sets of wrong rows on the plateau around the best plane, until nothing new turns up."""
    plane = proof.search.plane
    instance = proof.search.instance
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        plane, _ = descend(instance.U, instance.weights, plane, STEPS, rng)
        wrong = _as_good(proof, plane)
        if wrong is not None:
            yield wrong
