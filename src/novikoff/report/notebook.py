"""The figure that a verdict, a trace, a certificate or a learner shows in a notebook."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from novikoff.certificates.certificate import Certificate
from novikoff.core.options import with_count
from novikoff.errors import NovikoffError, ShapeError
from novikoff.estimators.linear import LinearThresholdClassifier
from novikoff.figures.diagrams import plot_multipliers, plot_perceptron
from novikoff.figures.fewest import plot_fewest
from novikoff.figures.style import shorten
from novikoff.figures.trace import plot_trace, plot_trace_update
from novikoff.figures.verdict import plot_verdict
from novikoff.learners.theory.trace import Trace
from novikoff.report.html import image
from novikoff.separability.fewest.result import FewestErrors
from novikoff.separability.verdict_base import Answer, Verdict

MOST_NUMBERS = 5_000_000  # of more than these a notebook would wait for its figure


Shown = Answer | Trace | Certificate | LinearThresholdClassifier


def figure_html(shown: Shown) -> str:
    """The figure of a verdict or a trace as an HTML image, or nothing where none can be drawn.

    Parameters
    ----------
    shown : Finding, Trace, Certificate or linear learner
        What `novikoff.separate`, `novikoff.fewest_errors` or `novikoff.trace` returned. A trace
        that has a separator is drawn beside its bounds; of one that has none, the last mistake is.
        A certificate shows its multipliers or its weights, a learner of two classes its weights.

    Returns
    -------
    str
        A ``<figure>`` element that holds its image, or ``""``.

    Examples
    --------
    >>> import novikoff
    >>> xor = novikoff.load_dataset("xor")
    >>> novikoff.report.figure_html(novikoff.separate(xor.X, xor.y))[:19]
    '<figure><img style='
    """
    if isinstance(shown, Answer | Trace) and shown.problem.n * shown.problem.d > MOST_NUMBERS:
        return ""
    try:
        drawn = image(_figure(shown), _caption(shown), said=isinstance(shown, Answer))
    except (
        NovikoffError,
        ValueError,
        OverflowError,
    ):  # numbers that cannot be drawn, or a run without a mistake
        return ""
    return drawn.replace("<img ", '<img style="max-width:100%" ', 1)  # a notebook has no such rule


def _figure(shown: Shown) -> Any:
    if isinstance(shown, Verdict):
        return plot_verdict(shown)
    if isinstance(shown, FewestErrors):
        return plot_fewest(shown)
    if isinstance(shown, Certificate):
        if shown.alpha is not None and shown.rows is not None:
            total = sum(shown.alpha)
            return plot_multipliers(shown.rows, [float(a / total) for a in shown.alpha])
        assert shown.weights is not None
        return _unit(list(map(float, shown.weights)), float(shown.intercept or 0), shown.columns)
    if isinstance(shown, LinearThresholdClassifier):
        if len(shown.coef_) > 1:
            raise ShapeError("a unit tells two classes apart.")
        names = getattr(shown, "feature_names_in_", None)
        return _unit(shown.coef_[0], float(shown.intercept_[0]), names)
    assert isinstance(shown, Trace)
    if shown.separator is not None:
        return plot_trace(shown)
    return plot_trace_update(shown, shown.n_mistakes)


def _unit(w: ArrayLike, b: float, names: Sequence[str] | None) -> Any:
    """The unit with its numbers, and the names of its inputs where there are any."""
    return plot_perceptron(w, b, names=None if names is None else [shorten(str(n)) for n in names])


def _caption(shown: Shown) -> str:
    if isinstance(shown, Answer):
        return shown.title
    if isinstance(shown, Certificate):
        return "What the certificate holds."
    if isinstance(shown, LinearThresholdClassifier):
        return f"The unit that was learned, of {with_count(shown.n_features_in_, 'input')}."
    if shown.separator is not None:
        return "The run beside the bounds of the convergence proof."
    return f"The last mistake of the run, number {shown.n_mistakes}."
