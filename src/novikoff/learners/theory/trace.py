"""The run as data: one row a mistake, from the first to the last, and any weights in between."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core.options import (
    ORDERS,
    Order,
    Tie,
    check_count,
    check_positive,
    choice,
    tie_sign,
    with_count,
)
from novikoff.errors import NotFiniteError, OptionError
from novikoff.exact.rational import nearest_float
from novikoff.learners.perceptron import (
    MistakeJournal,
    RunMeasures,
    first_false,
    follow,
    journal_of,
    replay,
)
from novikoff.learners.run import Run, RunPlan, run_perceptron
from novikoff.learners.status import Status
from novikoff.learners.theory.bounds import length_of, w_star_of
from novikoff.learners.unit import Examples, examples_of, rows_are_integral, with_push, zero_weights
from novikoff.matrix.arrays import ComparedByValue
from novikoff.matrix.batches import Batches, copy_to_memmap, refuse_labels, refuse_weights
from novikoff.matrix.problem import Problem
from novikoff.matrix.rows import Floats

if TYPE_CHECKING:
    import pyarrow as pa

# The journal is emptied when it may be full: this many mistakes at a time, or one epoch's.
JOURNAL = 1 << 16


@dataclass(frozen=True, eq=False)
class Trace(ComparedByValue):
    """A run of the perceptron, mistake by mistake (arrays of equal length, k = 0 for the first).

    `rounds` counts examples presented, from 0; `rows` says which one it was; `scores` is s(x)
    before the update, rounded once, to the nearest float64. `separator` is ŵ* = (w, b), if one was
    given.

    Examples
    --------
    >>> import novikoff
    >>> toy = novikoff.load_dataset("toy")
    >>> run = novikoff.trace(toy.X, toy.y)
    >>> run.rows.tolist(), run.epochs.tolist()
    ([0, 5], [1, 1])
    """

    problem: Problem
    eta0: float
    order: Order
    tie: Tie
    status: Status
    mistakes_per_epoch: NDArray[np.int64]
    rounds: NDArray[np.int64]
    rows: NDArray[np.int64]
    scores: Floats
    separator: Floats | None = None

    @property
    def n_mistakes(self) -> int:
        """How many mistakes were made."""
        return len(self.rows)

    @property
    def n_epochs(self) -> int:
        """How many epochs were run."""
        return len(self.mistakes_per_epoch)

    @property
    def epochs(self) -> NDArray[np.int64]:
        """The epoch of each mistake, from 1."""
        return self.rounds // self.problem.n + 1

    @property
    def labels(self) -> NDArray[np.int8]:
        """The label, −1 or +1, of each mistaken example."""
        return self.problem.y[self.rows]

    @cached_property
    def _examples(self) -> Examples:
        weights = zero_weights(self.problem.rows)
        rows = examples_of(self.problem.rows, fit_intercept=self.problem.fit_intercept)
        push = self.problem.y.astype(np.float64) * self.eta0
        return with_push(rows, push, weights, on_grid=False)

    @cached_property
    def followed(self) -> RunMeasures:
        """‖ŵ‖ and ŵ·ŵ* after each mistake, ŵ* divided by a power of two near its length.

        Measured on the weights of the run played again, not carried along from one to the next.
        """
        w = zero_weights(self.problem.rows).w
        w_star = np.empty(0)
        if self.separator is not None:
            w_star = np.ldexp(self.separator, -_power_of(self.separator))
        return follow(self._examples, self.rows, w, w_star)

    @property
    def squared_norms(self) -> Floats:
        """‖ŵ‖² after each mistake."""
        norms = self.followed.norms
        with np.errstate(over="ignore", under="ignore"):
            squares = np.square(norms)
        _check_range(squares, norms, "‖ŵ‖²", self.eta0)
        return squares

    @property
    def alignments(self) -> Floats:
        """ŵ·ŵ* after each mistake, ŵ* as given (not normalised)."""
        power = _power_of(self._reference())
        with np.errstate(over="ignore", under="ignore"):
            products = np.ldexp(self.followed.alignments, power)
        _check_range(products, self.followed.alignments, "ŵ·ŵ*", self.eta0)
        return products

    @property
    def unit_alignments(self) -> Floats:
        """ŵ·ŵ* after each mistake, ŵ* divided by its length."""
        reference = self._reference()
        length = nearest_float(length_of(np.ldexp(reference, -_power_of(reference))))
        return np.asarray(self.followed.alignments / length)

    @property
    def cosines(self) -> Floats:
        """The cosine of the angle between ŵ and ŵ* after each mistake."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.unit_alignments / self.followed.norms)

    def _reference(self) -> Floats:
        if self.separator is None:
            raise OptionError("this trace has no reference: pass separator=(w, b) to trace().")
        return self.separator

    def weights_after(self, k: int) -> tuple[Floats, float]:
        """(w, b) after k mistakes, 0 ≤ k ≤ n_mistakes: the run played again, to the same bits."""
        if not 0 <= k <= self.n_mistakes:
            raise OptionError(f"k must be from 0 to {self.n_mistakes}; got {k}.")
        w = zero_weights(self.problem.rows).w
        replay(self._examples, self.rows[:k], w)
        return w[:-1], float(w[-1])

    def first_that_is_no_mistake(self) -> int | None:
        """The first k whose row is no mistake or has another score than was written down, or None.

        The run played again: a trace from somebody else's file is believed only after this.
        """
        if len(self.rows) and not 0 <= self.rows.min() <= self.rows.max() < self.problem.n:
            outside = (self.rows < 0) | (self.rows >= self.problem.n)
            return int(np.flatnonzero(outside)[0])
        w = zero_weights(self.problem.rows).w
        found = first_false(self._examples, self.rows, self.scores, w, tie_sign(self.tie))
        return None if found < 0 else found

    def compared_with(self, separator: Any) -> "Trace":
        """The run compared with another separator: (w, b), a verdict or a fitted classifier."""
        problem = self.problem
        w_star = w_star_of(separator, problem.d, fit_intercept=problem.fit_intercept)
        return replace(self, separator=w_star)

    @property
    def table(self) -> "pa.Table":
        """One row a mistake, as an Arrow table."""
        from novikoff.learners.theory.trace_table import table_of

        return table_of(self)

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write the table, with the options of the run in its metadata."""
        from novikoff.learners.theory.trace_table import write_parquet

        write_parquet(self, path)

    def _repr_html_(self) -> str:
        from html import escape

        import novikoff

        made = f"{with_count(self.n_mistakes, 'mistake')} in {with_count(self.n_epochs, 'epoch')}"
        facts = f"<p><b>{escape(made)}</b>: {escape(str(self.status))}</p>"
        return facts + novikoff.report.figure_html(self)


def trace(
    X: object,
    y: object = None,
    *,
    eta0: float = 1.0,
    max_iter: int = 1000,
    order: Order = "cyclic",
    tie: Tie = "mistake",
    fit_intercept: bool = True,
    random_state: Any = None,
    separator: Any = None,
) -> Trace:
    """Run the perceptron on two classes and write down every mistake.

    The options are those of `Perceptron`, and so are the mistakes. `separator`: a reference ŵ* to
    follow ŵ·ŵ* and the cosine by, as (w, b), a verdict (which gives its `reference`) or a fitted
    classifier.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample. Or a
        scan, which has the labels too: its numbers are put into a file that is mapped.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    eta0 : float, default=1.0
        η, the length of a step.
    max_iter : int, default=1000
        Epochs at most.
    order : {"cyclic", "shuffled", "random", "worst"}, default="cyclic"
        Which example comes next.
    tie : {"mistake", "+1", "-1"}, default="mistake"
        Which side a score of exactly 0 falls on.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.
    random_state : int or RandomState, optional
        Of the orders "shuffled" and "random".
    separator : (w, b), verdict or fitted classifier, optional
        The reference ŵ*.

    Returns
    -------
    Trace
        The run as arrays, one entry a mistake.

    Examples
    --------
    >>> import novikoff
    >>> run = novikoff.trace([[2.0, 1.0], [-1.0, 0.0]], [1, -1])
    >>> run.n_mistakes, run.weights_after(1)
    (1, (array([2., 1.]), 1.0))
    """
    check_positive("eta0", eta0)
    check_count("max_iter", max_iter)
    choice("order", order, ORDERS)
    names = None
    if isinstance(X, Batches):
        refuse_weights(X, "trace")
        refuse_labels(y)
        names = X.names
        X, y, _ = copy_to_memmap(X, "a trace plays the run again on the rows that were mistaken")
    problem = Problem.of(X, y, fit_intercept=fit_intercept, names=names)
    w_star = None
    if separator is not None:
        w_star = w_star_of(separator, problem.d, fit_intercept=fit_intercept)
    plan = RunPlan(tie_sign(tie), order, max_iter, random_state_like_estimator(random_state))
    report, (rounds, rows, scores) = _run_with_journal(problem, float(eta0), plan)
    return Trace(
        problem=problem,
        eta0=float(eta0),
        order=order,
        tie=tie,
        status=report.status,
        mistakes_per_epoch=report.mistakes_per_epoch,
        rounds=rounds,
        rows=rows,
        scores=scores,
        separator=w_star,
    )


def _power_of(w_star: Floats) -> int:
    """The power of two by which ŵ* is divided, so that its products stay in the middle."""
    return int(np.frexp(np.abs(w_star).max())[1])


def _check_range(values: Floats, origins: Floats, name: str, eta0: float) -> None:
    """Raise `NotFiniteError` if float64 cannot hold some of these numbers with all digits."""
    tiny = np.finfo(np.float64).tiny
    if np.isfinite(values).all() and not (np.abs(values[origins != 0]) < tiny).any():
        return
    raise NotFiniteError(
        f"{name} along this run is beyond what float64 can hold: from zero weights eta0 (here "
        f"{eta0:g}) and a factor of all the data change no mistake, so choose others."
    )


def random_state_like_estimator(random_state: Any) -> np.random.RandomState:
    """The random numbers that `Perceptron` draws with the same `random_state`, for two classes."""
    from sklearn.utils import check_random_state

    return np.random.RandomState(check_random_state(random_state).randint(2**31 - 1))


def _run_with_journal(
    problem: Problem, eta0: float, plan: RunPlan
) -> tuple[Run, tuple[NDArray[np.int64], NDArray[np.int64], Floats]]:
    """The run, its journal emptied whenever the compiled loop returns."""
    weights = zero_weights(problem.rows)
    rows = examples_of(problem.rows, fit_intercept=problem.fit_intercept)
    push = problem.y.astype(np.float64) * eta0
    examples = with_push(rows, push, weights, on_grid=rows_are_integral(problem.rows))
    journal = journal_of(max(JOURNAL, problem.n))
    pages: list[tuple[NDArray[Any], ...]] = []
    watched = replace(plan, watch=_empty_into(journal, pages))
    report, _ = run_perceptron(examples, weights, watched, journal=journal)
    rounds, mistaken, scores = (np.concatenate(column) for column in zip(*pages, strict=True))
    return report, (rounds, mistaken, scores)


def _empty_into(
    journal: MistakeJournal, pages: list[tuple[NDArray[Any], ...]]
) -> Callable[[int, int], None]:
    def turn_page(_epochs: int, _mistakes: int) -> None:
        size = int(journal.size[0])
        pages.append(tuple(column[:size].copy() for column in journal[:3]))
        journal.size[0] = 0

    return turn_page
