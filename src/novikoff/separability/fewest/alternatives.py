"""All sets of wrong rows that count as few errors as the best one, or a sample of them.

Few sets are all found, and counted. Of many, or where time is short, line searches that drift over
the plateau of planes as good as the best one bring a sample; each set is counted by exact signs. A
row is wrong in every such set if planes that are right on it have more errors, which conflicts
prove as they prove any lower bound, the row without a limit.

To find all sets, each with a proof, cases are split. A known set of groups g₁, …, gₖ parts all
others into cases: right on g₁; wrong on g₁ and right on g₂; and so on. No case has a plane as good,
which conflicts prove, or a plane in it is one more set, which parts the case again.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from novikoff.core.blas import one_thread
from novikoff.core.options import check_seconds
from novikoff.core.progress import Deadline
from novikoff.errors import OptionError
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats
from novikoff.separability.fewest.instance import Node, descend
from novikoff.separability.fewest.proof import FewestProof
from novikoff.separability.fewest.result import Alternatives, FewestErrors

Groups = frozenset[int]


class Counting:
    """The sets of groups that are known to be wrong together, for errors that are the fewest."""

    def __init__(self, proof: FewestProof, known: Iterable[int]) -> None:
        self.proof = proof
        self.sets: list[Groups] = [frozenset(known)]
        self.fewest = proof.best.errors
        self._enough = float((self.fewest + proof.unit) / proof.coordinates.factor)

    def find_all(self, most: int) -> bool:
        """Look for all sets; whether these are all.

        They are not known to be if there are more than `most`, or if time is up.
        """
        waiting = [Node()]
        while waiting:
            if len(self.sets) > most or self.proof.search.is_late():
                return False
            node = waiting.pop()
            known = next((one for one in self.sets if _is_in(one, node)), None)
            if known is not None:
                waiting += _others(node, known)
                continue
            if self.has_none(node):
                continue
            if self.proof.search.is_late() or node.x is None:
                return False
            if self._look_for_plane(node):
                waiting.append(Node(node.right, node.wrong))
                continue
            row = _undecided(node)
            if row is None:
                return False
            waiting.append(Node(node.right | {row}, node.wrong))
            waiting.append(Node(node.right, node.wrong | {row}))
        return True

    def has_none(self, node: Node) -> bool:
        """Whether all planes of the case have more errors, proven."""
        search = self.proof.search
        search.upper = self._enough
        search.bound(node, search.workers[:1])
        self._hear()
        if not search.is_closed(node):
            return False
        target = self.fewest + self.proof.unit
        return self.proof.proven_bound(node, target) > self.fewest

    def _look_for_plane(self, node: Node) -> bool:
        """Try the rows that the fractional cover points at; whether that brought something new."""
        search = self.proof.search
        assert node.x is not None
        wrong = node.wrong | frozenset(np.flatnonzero(node.x > 0.5).tolist())
        before = (len(self.sets), len(search.pool))
        worker = search.workers[0]
        search.pool.add(worker.enumerate_conflicts(np.zeros(len(node.x)), wrong, search.is_late))
        self._hear()
        return before != (len(self.sets), len(search.pool))

    def _hear(self) -> None:
        """Take in what was found on the way: conflicts, and planes that are as good."""
        search = self.proof.search
        planes = [plane for worker in search.workers for plane in worker.separators]
        for worker in search.workers:
            search.pool.add(worker.fresh.clear())
            worker.separators.clear()
        for plane in planes:
            self.take(plane)

    def take(self, plane: Floats) -> bool:
        """Add the groups that a plane has wrong, if it is as good as the best one, and new."""
        exact = self.proof.exact(plane)
        if exact is None or exact.errors != self.fewest:
            return False
        wrong = set(exact.wrong.tolist())
        members = self.proof.groups.members
        groups = frozenset(g for g, rows in enumerate(members) if rows[0] in wrong)
        is_new = groups not in self.sets
        if is_new:
            self.sets.append(groups)
        return is_new


def _is_in(one: Groups, node: Node) -> bool:
    return node.wrong <= one and node.right.isdisjoint(one)


def _others(node: Node, known: Groups) -> list[Node]:
    """The cases of all sets but the known one: right on one of its groups, wrong on the former."""
    cases, wrong = [], node.wrong
    for group in sorted(known - node.wrong):
        cases.append(Node(node.right | {group}, wrong))
        wrong |= {group}
    return cases


def _undecided(node: Node) -> int | None:
    """A row that the cover takes in part, or takes at all."""
    assert node.x is not None
    x = node.x
    free = [g for g in np.flatnonzero(x > 1e-6).tolist() if g not in node.wrong]
    return min(free, key=lambda g: (abs(float(x[g]) - 0.5), g)) if free else None


STEPS = 200  # line searches between two looks at the wrong rows
HEAVY = 1e4  # what a row counts that is to be right
IN_VAIN = 30  # looks at the wrong rows in a row that bring nothing new, before a sample is done


def alternatives(found: FewestErrors, *, most: int = 100, time_limit: float = 10.0) -> Alternatives:
    """Sets of wrong rows that count what those of `found` count: all of them, or a sample.

    They are counted if `found` is optimal, there are at most `most` and there is time enough;
    otherwise the sets are a sample. Rows are named as wrong in all of them only where that is
    proven. Of rows that count nothing nothing is said.

    Parameters
    ----------
    found : FewestErrors
        What `novikoff.fewest_errors` returned.
    most : int, default=100
        How many sets to look for.
    time_limit : float, default=10.0
        Seconds to look: up to three quarters of them for counting, the rest for a sample.

    Returns
    -------
    Alternatives
        The sets, whether they are all that there are, and the rows that are wrong in all of them.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1, 0]
    >>> others = novikoff.alternatives(novikoff.fewest_errors(X, y))
    >>> others.sets, others.counted, others.always_wrong
    (((4,),), True, (4,))
    """
    if most < 1:
        raise OptionError(f"most must be 1 or more; got {most!r}.")
    check_seconds("time_limit", time_limit)
    deadline = Deadline(time_limit)
    counts = found.row_weights or (Fraction(1),) * found.n
    if not _counts_rows(found.wrong_rows.tolist(), counts):
        return Alternatives(((),), True, ())
    points = ExactProblem.of(found.problem, decimals=found.decimals)
    with np.errstate(all="ignore"), one_thread(found.n * found.d):
        proof = FewestProof(points, counts, Deadline(0.75 * time_limit))
        proof.start_from(found)
        counting = Counting(proof, proof.wrong_groups())
        counted = found.optimal and counting.find_all(most)
        if counted:
            always = frozenset.intersection(*counting.sets)
        else:
            proof.search.deadline = deadline
            always = _sampled(counting, most)
    sets = [_rows_of(proof, groups, counts) for groups in counting.sets[:most]]
    return Alternatives(tuple(sets), counted, _rows_of(proof, always, counts))


def _counts_rows(rows: Sequence[int], counts: Sequence[Fraction]) -> tuple[int, ...]:
    return tuple(row for row in rows if counts[row] > 0)


def _rows_of(
    proof: FewestProof, groups: frozenset[int], counts: Sequence[Fraction]
) -> tuple[int, ...]:
    rows = sorted(row for group in groups for row in proof.groups.members[group])
    return _counts_rows(rows, counts)


def _sampled(counting: Counting, most: int) -> frozenset[int]:
    """Look for more sets, and prove which groups are wrong in all of them, found or not."""
    search = counting.proof.search
    always: set[int] = set()
    for group in sorted(counting.sets[0]):
        if search.is_late():
            break
        for seed in range(2):
            if all(group in one for one in counting.sets):
                _try_without(counting, group, seed)
        if all(group in one for one in counting.sets) and counting.has_none(
            Node(right=frozenset((group,)))
        ):
            always.add(group)
    in_vain = 0
    for is_new in _drift(counting):
        in_vain = 0 if is_new else in_vain + 1
        if len(counting.sets) >= most or search.is_late() or in_vain > IN_VAIN:
            break
    return frozenset(always)


def _try_without(counting: Counting, group: int, seed: int) -> None:
    """Look for a set without this group: it is made so heavy that it is put right."""
    search = counting.proof.search
    weights = search.instance.weights.copy()
    weights[group] = HEAVY * weights.sum()
    rng = np.random.default_rng(seed)
    plane, _ = descend(search.instance.U, weights, search.plane, 3 * STEPS, rng, search.is_late)
    counting.take(plane)


def _drift(counting: Counting) -> Iterator[bool]:
    """Whether another look around on the plateau of the best plane brought a new set."""
    search = counting.proof.search
    U, weights = search.instance.U, search.instance.weights
    plane, seed = search.plane, 0
    while True:
        rng = np.random.default_rng(seed)
        plane, _ = descend(U, weights, plane, STEPS, rng, search.is_late)
        yield counting.take(plane)
        seed += 1
