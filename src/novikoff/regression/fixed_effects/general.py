"""The finding for sparse rows with any number of fixed effects: see `face` for the argument."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.certificates.models.question import RegressionRows
from novikoff.core.progress import Deadline, OutOfTime
from novikoff.exact.rational import primitive
from novikoff.exact.sparse_elimination import whole_csr
from novikoff.regression.estimates import CoefficientAnswers, Estimate
from novikoff.regression.fixed_effects.components import CoefficientSigns, signs_of
from novikoff.regression.fixed_effects.face import Face, OppositeRows, face_of, scores_of

if TYPE_CHECKING:
    from novikoff.separability.verdicts import Word


def sparse_finding(
    question: RegressionRows, deadline: Deadline, signs: bool
) -> CoefficientAnswers | None:
    """The finding for a sparse design; None if its numbers are too long, or no method decides."""
    deadline.show("levels and rank")
    whole = whole_csr(question.rows, question.decimals)
    if whole is None:
        return None
    Z, factors = whole
    groups = OppositeRows.of(Z)
    oriented = groups.oriented()
    face = face_of(oriented, groups.pinned, deadline)
    if face is None:
        return None
    scores = scores_of(oriented, np.array(face.direction, dtype=object))
    if (scores[face.on] != 0).any() or (scores[~face.on] <= 0).any():
        return None
    if (scores[groups.pinned] != 0).any():
        return None
    on_plane = np.flatnonzero(face.on[groups.place])
    multipliers = groups.multipliers(face)
    rows = np.array(sorted(multipliers), dtype=np.intp)
    alpha = tuple(multipliers[row] for row in sorted(multipliers))
    word: Word = "touching" if len(on_plane) else "separable"
    if len(on_plane) == Z.shape[0]:
        word = "overlapping"
    if len(rows) == 0 and word != "separable":
        # Only rows of zeros are on the plane, and each of them is a proof of that by itself.
        rows, alpha = on_plane[:1], (Fraction(1),)
    p = Z.shape[1]
    scale = question.factors or (1,) * p
    found = _signs(oriented, face, deadline) if signs or face.on.all() else None
    moved = map(Fraction, face.direction) if found is None else found.direction
    direction = [
        value * factor * Fraction(other)
        for value, factor, other in zip(moved, factors, scale, strict=True)
    ]
    return CoefficientAnswers(
        word=word,
        estimates=(Estimate.UNDECIDED,) * p if found is None else found.estimates,
        direction=primitive(direction) if any(direction) else tuple(direction),
        on_plane=on_plane,
        rows=rows,
        multipliers=lambda: alpha,
        estimable=None if found is None else found.estimable,
    )


def _signs(rows: Any, face: Face, deadline: Deadline) -> CoefficientSigns | None:
    """What becomes of each coefficient, if there is time."""
    deadline.show("signs")
    try:
        return signs_of(rows, face.on, face.direction, deadline)
    except OutOfTime:
        return None
