"""The verdicts on many labellings of one X: proposed and proven together, the rest one by one.

equal rows       the same point with both labels: not separable, and that many errors at least
search           separators and α for all labellings at once, each proven as soon as it appears
interior point   for a labelling that the batch leaves over, from where it stood
decide           what `novikoff.separate` does, for what is left and small
margins, errors  intervals for what is separable, and bounds on the errors of what is not
recheck          proofs of a GPU repeated on the CPU: bounds hold on either, but does it compute so?
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core.blas import one_thread
from novikoff.core.progress import Clock, Deadline, OutOfTime
from novikoff.core.threads import in_threads, n_cores
from novikoff.exact.duplicates import equal_rows
from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem, default_names
from novikoff.matrix.rows import Floats
from novikoff.probes.devices import CPU, Device
from novikoff.probes.margins import widest_gaps
from novikoff.probes.proofs import Prover
from novikoff.probes.search import Best, Judge, Proposals, ScoreBasis, basis_of, search_both
from novikoff.probes.single_newton import LeftOver, settle_alone
from novikoff.separability.api import decide
from novikoff.separability.verdicts import Interval, Separable, Undecided, Verdict

ProbeWord: TypeAlias = Literal["separable", "touching", "overlapping", "not separable", "undecided"]
Signs: TypeAlias = NDArray[np.int8]

ARRAYS_ALONE = 4  # of rank × rank numbers, that an interior point takes
ARRAYS_A_COLUMN = 14  # of n numbers each, that a labelling takes in the search and its proofs
MOST_WORK = 10**10  # numbers of X times labellings, that a step on the CPU works on
FEWEST_TOGETHER = 64  # labellings, below which products of matrices are slow
NEAR = 0.98  # of an upper bound, that a lower bound should reach
SMALL = 1 << 18  # numbers of X for which the exact decision is asked about a labelling left over


@dataclass(frozen=True)
class LabellingOutcome:
    """What is proven of one labelling: a word, and what the word rests on.

    `weights` and `intercept` separate; `alpha` > 0 on all rows is near a solution of Σ αᵢyᵢx̂ᵢ = 0;
    `pair` are two rows with one point and both labels; `verdict` is that of `novikoff.separate`.
    """

    word: ProbeWord = "undecided"
    weights: Floats | None = None
    intercept: float = 0.0
    margin: Interval | None = None
    alpha: Floats | None = None
    pair: tuple[int, int] | None = None
    verdict: Verdict | None = None
    errors: tuple[int, int] = (0, 0)
    reason: str = ""


@dataclass(frozen=True)
class Settled:
    """The outcomes, and what all labellings share.

    `columns` are those with weights; `dimension` is the rank of the centred columns, and it is
    proven unless columns depend on each other in ways that floating point cannot be sure of.
    `basis` is None if the time was over before.
    """

    outcomes: list[LabellingOutcome]
    columns: NDArray[np.intp]
    dimension: int
    dimension_is_proven: bool
    basis: ScoreBasis | None = None


def decide_labellings(
    X: Any,
    Y: Signs,
    device: Device,
    deadline: Deadline,
    host: Callable[[], NDArray[Any]],
    clock: Clock | None = None,
) -> Settled:
    """Settle the labellings `Y` (n × L, ±1) of the points `X`, which are on the device.

    `host` gives the points on the host, for what is left to exact arithmetic.
    """
    try:
        deadline.stage("the shared basis")
    except OutOfTime:
        return _not_begun(X, Y, deadline)
    clock = clock or Clock()
    with clock.time("basis"):
        basis = basis_of(X, device)
        prover = Prover(X, basis, device)
        groups = equal_rows(X, device.xp)
    work = Settling(basis, prover, groups, host, clock)
    outcomes: list[LabellingOutcome] = []
    size = max(1, device.batch_bytes // (ARRAYS_A_COLUMN * 4 * basis.n))
    if device.name == "cpu":  # so that a step is over soon, and the time is looked at
        size = min(size, max(FEWEST_TOGETHER, MOST_WORK // (basis.n * basis.Q.shape[1])))
    for start in range(0, Y.shape[1], size):
        outcomes += work.batch(np.ascontiguousarray(Y[:, start : start + size]), deadline)
    proven = basis.rank == 0 or (
        not deadline.is_over() and (prover.sigma > 0.0 or prover.rows_are_independent())
    )
    return Settled(outcomes, basis.columns, basis.rank, proven, basis)


def _not_begun(X: Any, Y: Signs, deadline: Deadline) -> Settled:
    """All undecided, because the time was over before; the columns are only counted."""
    n, d = (int(size) for size in X.shape)
    positive = (Y > 0).sum(axis=0).tolist()
    outcomes = [
        LabellingOutcome(errors=(0, min(count, n - count)), reason=_too_late(deadline))
        for count in positive
    ]
    return Settled(outcomes, np.arange(d), min(d, n - 1), False)


def _too_late(deadline: Deadline) -> str:
    return f"{deadline.reason}: allow more"


class Settling:
    """One X and what is known about it, for batch after batch of labellings."""

    def __init__(
        self,
        basis: ScoreBasis,
        prover: Prover,
        groups: NDArray[np.intp],
        host: Callable[[], NDArray[Any]],
        clock: Clock,
    ) -> None:
        self.clock = clock
        self.basis, self.prover, self.device = basis, prover, prover.device
        self.groups, self.host = groups, host
        self.repeated = len(np.unique(groups)) < len(groups)

    def batch(self, Y: Signs, deadline: Deadline) -> list[LabellingOutcome]:
        """The outcomes of some labellings; after the time is over, "undecided"."""
        xp = self.device.xp
        self.Y = self.device.array(Y.astype(np.float32))
        self.found = [self._by_equal_rows(y) for y in Y.T]
        self.u = xp.zeros((self.basis.Q.shape[1], Y.shape[1]), dtype=xp.float32)
        best = None
        try:
            judges = (self._separators, self._multipliers)
            left = np.zeros(0, dtype=np.intp)
            if self.prover.d > 0:
                with self.clock.time("all labellings at once"):
                    left, best = search_both(self.basis, self.Y, self.device, deadline, judges)
            # What equal points have proven is no longer open.
            left = left[[self.found[at].word == "undecided" for at in left]]
            if best is not None and len(left):
                with self.clock.time("interior points"):
                    self._settle_each(left, best, judges, deadline)
            with self.clock.time("exact decisions"):
                self._decide_left(Y, deadline)
            with self.clock.time("margins"):
                self._measure(deadline)
                self._measure_closely(Y, deadline)
        except OutOfTime:
            for at, known in enumerate(self.found):
                if known.word == "undecided":
                    self.found[at] = replace(known, reason=_too_late(deadline))
        with self.clock.time("errors"):
            self._count_errors(best)
        return self.found

    def _settle_each(
        self, left: NDArray[np.intp], best: Best, judges: tuple[Judge, Judge], deadline: Deadline
    ) -> None:
        """An interior point for each of these labellings, on all cores."""

        def settle(at: int) -> None:
            deadline.stage(f"interior points of {len(left)} labellings")
            labelling = LeftOver(at, self.Y[:, at], best.u[:, at])
            settle_alone(self.basis, labelling, self.device, deadline, judges)

        cores = n_cores() if self.device.name == "cpu" else 1
        # A core for each does more than BLAS does with all of them for one, if memory allows it.
        if cores * ARRAYS_ALONE * 8 * self.basis.rank**2 > self.device.batch_bytes:
            cores = 1
        with one_thread() if cores > 1 else nullcontext():
            _ = self.prover.sigma  # once, and not in each thread
            for _ in in_threads(cores, deadline, settle, left.tolist()):
                pass

    def _by_equal_rows(self, y: Signs) -> LabellingOutcome:
        """What two rows with one point and both labels prove; undecided without such rows."""
        n = len(y)
        if not self.repeated:
            return LabellingOutcome(errors=(0, n))
        count = int(self.groups.max()) + 1
        positive = np.bincount(self.groups[y > 0], minlength=count)
        negative = np.bincount(self.groups[y < 0], minlength=count)
        fewer = np.minimum(positive, negative)
        if not fewer.any():
            return LabellingOutcome(errors=(0, n))
        group = int(np.argmax(fewer > 0))
        members = self.groups == group
        pair = (
            int(np.flatnonzero(members & (y > 0))[0]),
            int(np.flatnonzero(members & (y < 0))[0]),
        )
        return LabellingOutcome("not separable", pair=pair, errors=(int(fewer.sum()), n))

    def _separators(self, proposals: Proposals) -> NDArray[np.bool_]:
        """Prove separators, and keep those that hold."""
        device = self.device
        at = device.array(proposals.labellings)
        w, _ = self.basis.weights(proposals.values, device)
        proof = self.prover.separators(w, device.xp.take(self.Y, at, axis=1))
        held = np.flatnonzero(proof.hold)
        if len(held) == 0:
            return proof.hold
        xp, kept = device.xp, device.array(held)
        weights = device.host(xp.take(proof.weights, kept, axis=1))
        self.u[:, xp.take(at, kept, axis=0)] = device.cast(
            xp.take(proposals.values, kept, axis=1), xp.float32
        )
        for column, place in enumerate(held.tolist()):
            labelling = int(proposals.labellings[place])
            self._keep_separator(
                labelling,
                np.ascontiguousarray(weights[:, column]),
                float(proof.intercepts[place]),
                Interval(float(proof.margins[place]), np.inf),
            )
        return proof.hold

    def _keep_separator(self, at: int, w: Floats, b: float, margin: Interval) -> None:
        self.found[at] = LabellingOutcome("separable", weights=w, intercept=b, margin=margin)

    def _multipliers(self, proposals: Proposals) -> NDArray[np.bool_]:
        """Prove that positive multipliers exist near those proposed, and keep these."""
        device = self.device
        if self.prover.sigma == 0.0:
            # No α can be proven, so the search need not go on: they are open, and stay so.
            return np.ones(len(proposals.labellings), dtype=np.bool_)
        at = device.array(proposals.labellings)
        proof = self.prover.multipliers(proposals.values, device.xp.take(self.Y, at, axis=1))
        held = np.flatnonzero(proof.hold)
        alpha = device.host(device.xp.take(proof.alpha, device.array(held), axis=1))
        for column, place in enumerate(held.tolist()):
            labelling = int(proposals.labellings[place])
            known = self.found[labelling]
            lower = max(1, known.errors[0])
            self.found[labelling] = replace(
                known,
                word="overlapping",
                alpha=np.ascontiguousarray(alpha[:, column]),
                errors=(lower, self.basis.n),
            )
        return proof.hold

    def _decide_left(self, Y: Signs, deadline: Deadline) -> None:
        """Decide small data exactly, and give the reason why large data stays undecided."""
        for at, known in enumerate(self.found):
            if known.word not in ("undecided", "not separable"):
                continue
            n, d = self.basis.n, self.prover.d
            if n * (d + 1) > SMALL:
                if known.word == "undecided":
                    self.found[at] = replace(known, reason=self._why_not())
                continue
            deadline.stage("exact decision")
            verdict = decide(self._points(Y[:, at]), time_limit=deadline.seconds_left())
            if isinstance(verdict, Undecided):
                self.found[at] = replace(known, reason=verdict.reason)
                continue
            separable = isinstance(verdict, Separable)
            margin = None
            if isinstance(verdict, Separable):  # its margin is not worked out until it is asked for
                margin = verdict.measure(time_limit=deadline.seconds_left()).margin
            self.found[at] = replace(
                known,
                word=verdict.word,
                verdict=verdict,
                margin=margin,
                errors=(0, 0) if separable else (max(1, known.errors[0]), n),
            )

    def _why_not(self) -> str:
        if self.prover.sigma == 0.0 and self.basis.n > self.prover.d:
            return (
                "columns of X depend on each other, or nearly, so that floating point cannot prove "
                "that no plane separates: leave out columns, or ask novikoff.separate"
            )
        return "floating point could not decide: ask novikoff.separate(X, y, exact=True)"

    def _measure(self, deadline: Deadline) -> None:
        """Margins of the separable labellings."""
        at = [place for place, known in enumerate(self.found) if known.weights is not None]
        if not at or self.basis.rank == 0:
            return
        xp, columns = self.device.xp, self.device.array(np.array(at))
        lower = np.array([_lower(self.found[place]) for place in at])
        u, Y = xp.take(self.u, columns, axis=1), xp.take(self.Y, columns, axis=1)
        gaps = widest_gaps(self.prover, u, Y, lower, deadline)
        weights = self.device.host(gaps.weights)
        for column, place in enumerate(at):
            known = self.found[place]
            margin = Interval(float(gaps.lower[column]), float(gaps.upper[column]))
            if gaps.improved[column]:
                known = replace(
                    known,
                    weights=np.ascontiguousarray(weights[:, column]),
                    intercept=float(gaps.intercepts[column]),
                )
            self.found[place] = replace(known, margin=margin)

    def _measure_closely(self, Y: Signs, deadline: Deadline) -> None:
        """Margins of small data whose bounds are far apart: tall points, near to the plane."""
        if self.basis.n * (self.prover.d + 1) > SMALL:
            return
        for at, known in enumerate(self.found):
            margin = known.margin
            if margin is None or known.verdict is not None or margin.lower > NEAR * margin.upper:
                continue
            deadline.stage("closer geometric margins")
            verdict = decide(self._points(Y[:, at]), time_limit=deadline.seconds_left())
            if isinstance(verdict, Separable):
                other = verdict.measure(time_limit=deadline.seconds_left()).margin
                both = max(margin.lower, other.lower), min(margin.upper, other.upper)
                self.found[at] = replace(known, margin=Interval(*both))

    def _points(self, y: Signs) -> ExactProblem:
        X = self.host()
        labels = np.ascontiguousarray(y)
        return ExactProblem.of(Problem(X, labels, True, default_names(X.shape[1]), (-1, 1)))

    def _count_errors(self, best: Best | None) -> None:
        """Errors of the best plane met, where the labelling is not separable."""
        for place, known in enumerate(self.found):
            if known.word == "separable":
                self.found[place] = replace(known, errors=(0, 0))
        at = [place for place, known in enumerate(self.found) if known.word != "separable"]
        if not at:
            return
        fewest = self._of_the_larger_class(at)
        if best is not None:
            xp, columns = self.device.xp, self.device.array(np.array(at))
            w, b = self.basis.weights(xp.take(best.u, columns, axis=1), self.device)
            errors = self.prover.errors(w, b, xp.take(self.Y, columns, axis=1))
            fewest = np.minimum(errors, fewest)
        for place, upper in zip(at, fewest.tolist(), strict=True):
            known = self.found[place]
            self.found[place] = replace(known, errors=(known.errors[0], int(upper)))

    def _of_the_larger_class(self, at: list[int]) -> NDArray[np.intp]:
        """The errors of a plane that has all points on one side: the rows of the smaller class."""
        xp = self.device.xp
        positive = self.device.host(xp.sum(self.device.cast(self.Y > 0, xp.int64), axis=0))[at]
        return np.asarray(np.minimum(positive, self.basis.n - positive))


def _lower(known: LabellingOutcome) -> float:
    assert known.margin is not None
    return known.margin.lower


TOGETHER = 256  # proofs that are repeated in one product


def recheck(X: NDArray[Any], Y: NDArray[np.int8], settled: Settled, count: int | None) -> int:
    """How many of the proofs do not hold on the CPU; `count` of each kind are tried, or all."""
    pairs = list(enumerate(settled.outcomes))
    separators = [(at, known.weights) for at, known in pairs if known.weights is not None]
    multipliers = [(at, known.alpha) for at, known in pairs if known.alpha is not None]
    if settled.basis is None:
        return 0
    # The basis is a proposal only: the bound on σ_min that follows from it is proven here.
    basis = ScoreBasis(*(CPU.host(part) for part in settled.basis))
    prover = Prover(X, basis, CPU)
    wrong = 0
    for some, w in _batches(separators, count):
        wrong += int((~prover.separators(w, Y[:, some].astype(np.float32)).hold).sum())
    for some, alpha in _batches(multipliers, count):
        found = prover.multipliers(alpha, Y[:, some].astype(np.float32), refined=True)
        wrong += int((~found.hold).sum())
    return wrong


def _batches(
    found: list[tuple[int, Floats]], count: int | None
) -> Iterator[tuple[list[int], Floats]]:
    """`count` of the labellings, spread over all of them, or all, in batches with their values."""
    if count is not None and len(found) > count:
        found = [found[at] for at in np.linspace(0, len(found) - 1, count, dtype=int)]
    for start in range(0, len(found), TOGETHER):
        some = found[start : start + TOGETHER]
        yield [at for at, _ in some], np.column_stack([values for _, values in some])
