"""`MaximumMarginClassifier`: the hyperplane of the greatest margin, with the margin proven.

    maximise γ  subject to  yᵢ(w·xᵢ + b) ≥ γ for all i, ‖w‖ = 1

It is the support vector machine without slack (Vapnik and Chervonenkis 1964).
"""

from contextlib import suppress
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.core.options import first_few
from novikoff.errors import DataError, LabelError, SeparationError
from novikoff.estimators.linear import HyperplaneClassifier, proof_of_weights
from novikoff.estimators.validation import check_labels, check_numbers, note_columns
from novikoff.learners.unit import scores
from novikoff.matrix.problem import Matrix, as_fraction
from novikoff.matrix.rows import Floats, n_rows, rows_of
from novikoff.separability.api import Answer, separate
from novikoff.separability.verdicts import Interval, NotSeparable, Separable, Undecided


class MaximumMarginClassifier(HyperplaneClassifier):
    """The hard-margin linear classifier: the separating hyperplane farthest from both classes.

    It has two classes and no slack: if no hyperplane separates them, `fit` raises
    `SeparationError`, whose `answer` is the verdict.

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.
    time_limit : float or None, default=60.0
        Seconds to decide, and again as many to measure the margin; None for as long as it takes.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (1, d) and (1,)
        The hyperplane, ‖w‖ = 1 up to rounding. That it separates every row is checked exactly.
    margin_ : Interval
        The greatest margin that any hyperplane has, between two proven bounds.
    support_ : ndarray of int
        The rows nearest to the hyperplane, which fix it.
    support_vectors_ : array or sparse matrix
        These rows.
    certificate_ : Certificate
        The proof that `coef_` and `intercept_` separate the rows; `novikoff.verify` checks it.
    classes_ : ndarray
        The two labels; the second is +1.

    Examples
    --------
    >>> import novikoff
    >>> model = novikoff.MaximumMarginClassifier().fit([[0.0], [2.0], [5.0]], ["a", "b", "b"])
    >>> print(model.margin_, model.support_)
    1 [0 1]
    """

    margin_: Interval
    support_: NDArray[np.intp]
    certificate_: Certificate

    def fit(self, X: object, y: object = None) -> Self:
        """Find the hyperplane of greatest margin; `SeparationError` if none separates."""
        self._check_options()
        matrix = check_numbers(self, X, exact=False)
        classes, index = check_labels(matrix, y)
        if len(classes) > 2:
            raise LabelError(
                "Only binary classification is supported. The type of the target is multiclass: "
                f"y has {len(classes)} classes. Wrap it in OneVsOneClassifier, which needs "
                "only each pair of classes to be separable."
            )
        note_columns(self, X, matrix)
        names = getattr(self, "feature_names_in_", None)
        options: dict[str, Any] = {"fit_intercept": self.fit_intercept, "names": names}
        verdict = separate(matrix, classes[index], time_limit=self.time_limit, **options)
        if not isinstance(verdict, Separable):
            raise SeparationError(_refusal(verdict), verdict)
        margins = verdict.measure(time_limit=self.time_limit).margins
        w, b, self.certificate_ = _proven(matrix, verdict)
        self.classes_ = classes
        self.coef_, self.intercept_ = np.array([w]), np.array([b])
        self.margin_, self.support_ = margins.margin, margins.support
        self.support_vectors_ = matrix[self.support_]
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _proven(matrix: Matrix, verdict: Separable) -> tuple[Floats, float, Certificate]:
    """The hyperplane of widest margin in float64, or the verdict's own; whichever separates."""
    planes = [(verdict.weights, verdict.intercept)]
    direction = verdict.margins.direction
    if direction is not None:
        b = _middle(matrix, direction, verdict.problem.y) if verdict.fit_intercept else 0.0
        planes.insert(0, (direction, b))
    for w, b in planes:
        with suppress(DataError):
            exact = [as_fraction(value) for value in w]
            return w, b, proof_of_weights(verdict.problem, exact, as_fraction(b))
    raise SeparationError(
        "a hyperplane separates the classes, but none was found whose weights float64 holds: scale "
        "the columns to similar sizes. `answer` of this error has exact weights.",
        verdict,
    )


def _middle(matrix: Matrix, w: Floats, y: NDArray[np.int8]) -> float:
    """The intercept halfway between the nearest rows of both classes."""
    rows = rows_of(matrix)
    found = scores(rows, n_rows(rows), np.append(w, 0.0))
    low, high = float(found[y < 0].max()), float(found[y > 0].min())
    return -(low + (high - low) / 2)


def _refusal(verdict: Answer) -> str:
    """Why there is no margin, and what to do."""
    if isinstance(verdict, Undecided):
        return f"{verdict.title}: {verdict.reason}. Raise time_limit."
    assert isinstance(verdict, NotSeparable)
    rows = first_few(verdict.problem.numbers_of(verdict.rows), 4)
    if verdict.fit_intercept:
        plane, why = "hyperplane", f"the hulls of the classes meet in rows {rows}"
    else:
        plane, why = "hyperplane through the origin", f"rows {rows} forbid one"
    return (
        f"no {plane} separates the classes ({verdict.word}), so there is no margin: {why}. "
        "FewestErrorsClassifier finds the hyperplane with the fewest errors; `answer` of this "
        "error has the proof."
    )
