"""The figure that a verdict, a trace or an explanation shows in a notebook."""

from typing import Any

from novikoff.errors import NovikoffError
from novikoff.figures.fewest import plot_fewest
from novikoff.figures.trace import plot_trace, plot_trace_update
from novikoff.figures.verdict import plot_verdict
from novikoff.learners.theory.trace import Trace
from novikoff.report.html import image
from novikoff.separability.fewest.result import FewestErrors
from novikoff.separability.verdict_base import Answer, Verdict

MOST_NUMBERS = 5_000_000  # of more than these a notebook would wait for its figure


def figure_html(shown: Answer | Trace) -> str:
    """The figure of a verdict or a trace as an HTML image, or nothing where none can be drawn.

    Parameters
    ----------
    shown : Finding or Trace
        What `novikoff.separate`, `novikoff.fewest_errors` or `novikoff.trace` returned. A trace
        that has a separator is drawn beside its bounds; of one that has none, the last mistake is.

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
    if shown.problem.n * shown.problem.d > MOST_NUMBERS:
        return ""
    try:
        drawn = image(_figure(shown), _caption(shown), said=isinstance(shown, Answer))
    except (NovikoffError, ValueError):  # numbers that cannot be drawn, or a run without a mistake
        return ""
    return drawn.replace("<img ", '<img style="max-width:100%" ', 1)  # a notebook has no such rule


def _figure(shown: Answer | Trace) -> Any:
    if isinstance(shown, Verdict):
        return plot_verdict(shown)
    if isinstance(shown, FewestErrors):
        return plot_fewest(shown)
    assert isinstance(shown, Trace)
    if shown.separator is not None:
        return plot_trace(shown)
    return plot_trace_update(shown, shown.n_mistakes)


def _caption(shown: Answer | Trace) -> str:
    if isinstance(shown, Answer):
        return shown.title
    if shown.separator is not None:
        return "The run beside the bounds of the convergence proof."
    return f"The last mistake of the run, number {shown.n_mistakes}."
