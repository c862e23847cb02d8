"""An update in the words of the textbook, with its numbers."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from novikoff.report.numbers import short

__all__ = ["start_words", "step_words", "vector_text"]

MOST_SHOWN = 4  # coordinates of a vector that are written out

Weights = tuple[NDArray[np.float64], float]


def start_words(made: Any) -> tuple[str, list[str]]:
    """The state before any mistake."""
    tie = {
        "mistake": "with the tie rule “mistake” every example is wrong at first",
        "+1": "with the tie rule “+1” it says +1 to everything at first",
        "-1": "with the tie rule “−1” it says −1 to everything at first",
    }[made.tie]
    zero = "w = 0, b = 0" if made.problem.fit_intercept else "w = 0, without a bias"
    return "The start", [f"{zero}: every score is 0, and {tie}."]


def step_words(made: Any, k: int, before: Weights, after: Weights) -> tuple[str, list[str]]:
    """Mistake k: the score that was wrong, and what the update changes."""
    row = int(made.rows[k - 1])
    x, y = made.problem.X[row], int(made.problem.y[row])
    s = float(made.scores[k - 1])
    sign, eta = ("+1" if y > 0 else "−1"), short(made.eta0)
    title = f"Mistake {k:,} of {made.n_mistakes:,}"
    bias = made.problem.fit_intercept
    form = "w·x + b" if bias else "w·x"
    shown = f"{short(s)}: y·s = {short(y * s + 0.0)}, {_why_wrong(made.tie, s)}"
    words = [
        f"Epoch {int(made.epochs[k - 1]):,}, round {int(made.rounds[k - 1]) + 1:,}: row {row}, "
        f"x = {vector_text(x)}, y = {sign}.",
        f"Score s = {form} = {vector_text(before[0])}·{vector_text(x)}"
        f"{f' + {_in_parentheses(before[1])}' if bias else ''} = {shown}",
        f"w ← w + η·y·x = {vector_text(before[0])} + {eta}·({sign})·{vector_text(x)} "
        f"= {vector_text(after[0])}.",
    ]
    if bias:
        words.append(f"b ← b + η·y = {short(before[1])} + {eta}·({sign}) = {short(after[1])}.")
    return title, words


def _why_wrong(tie: str, score: float) -> str:
    if score != 0:
        return "so it is on the wrong side: a mistake."
    if tie == "mistake":
        return "and a score of 0 counts as a mistake."
    return f"and the tie rule says {tie.replace('-', '−')} at a score of 0: a mistake."


def _in_parentheses(value: float) -> str:
    return f"({short(value)})" if value < 0 else short(value)


def vector_text(values: ArrayLike) -> str:
    """A vector as it is read: (1, 0.5), the first few of many coordinates."""
    shown = [short(float(value)) for value in np.asarray(values)[:MOST_SHOWN]]
    more = ", …" if np.size(values) > MOST_SHOWN else ""
    return f"({', '.join(shown)}{more})"
