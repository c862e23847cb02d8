"""The verdict, always on: in words, in numbers, and as shapes over the points.

An update in the words of the textbook, with its numbers.

The fewest errors of any hyperplane, and the conflicts that forbid fewer.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import novikoff
from novikoff.figures.hulls import hull_corners
from novikoff.lab.engine.cached_answers import arrays_of, labels_of, verdict_of
from novikoff.lab.engine.stage import Place, Stage, place_of, stage_of
from novikoff.lab.messages.answers import (
    CertificateAnswer,
    FewestErrorsAnswer,
    Hull,
    Marks,
    Multiplier,
    SharedPoint,
    VerdictAnswer,
    VerdictText,
    VerifyAnswer,
)
from novikoff.lab.messages.requests import (
    FewestErrorsRequest,
    LabelledPoints,
    VerdictRequest,
    VerifyRequest,
)
from novikoff.regression.why_not import small_conflict, why_not_of
from novikoff.report.tables import fraction_text, short

MOST_SHOWN = 4  # coordinates of a vector that are written out

Weights = tuple[NDArray[np.float64], float]


def start_words(made: Any) -> tuple[str, list[str]]:
    """The state before any mistake."""
    so = {
        "mistake": "every point counts as wrong",
        "+1": "the unit says +1 of every point",
        "-1": "the unit says −1 of every point",
    }[made.tie]
    zero = "`w = 0` and `b = 0`" if made.problem.fit_intercept else "`w = 0`, without a bias"
    return "The start", [f"We start with {zero}: every score is 0, so {so}."]


def step_words(made: Any, k: int, before: Weights, after: Weights) -> tuple[str, list[str]]:
    """Mistake k: the score that was wrong, and what the update changes."""
    row = int(made.rows[k - 1])
    x, y = made.problem.X[row], int(made.problem.y[row])
    s = float(made.scores[k - 1])
    sign, eta = ("+1" if y > 0 else "−1"), short(made.eta0)
    title = f"Mistake {k:,} of {made.n_mistakes:,}"
    bias = made.problem.fit_intercept
    form = "w·x + b" if bias else "w·x"
    shown = f"{short(s)}`: `y·s = {short(y * s + 0.0)}`, {_why_wrong(made.tie, s)}"
    words = [
        f"Epoch {int(made.epochs[k - 1]):,}, round {int(made.rounds[k - 1]) + 1:,}: row {row}, "
        f"`x = {vector_text(x)}`, `y = {sign}`.",
        f"Score `s = {form} = {vector_text(before[0])}·{vector_text(x)}"
        f"{f' + {_in_parentheses(before[1])}' if bias else ''} = {shown}",
        f"`w ← w + η·y·x = {vector_text(before[0])} + {eta}·({sign})·{vector_text(x)} "
        f"= {vector_text(after[0])}`.",
    ]
    if bias:
        words.append(f"`b ← b + η·y = {short(before[1])} + {eta}·({sign}) = {short(after[1])}`.")
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


HEADLINES = {
    "separable": "A {line} separates the two classes.",
    "touching": "No point is on the wrong side, but some must lie on the {line} itself.",
    "overlapping": "No {line} separates the two classes, not even one that touches them.",
    "undecided": "No proof was found within the time limit.",
}
TINY = 1e-12  # of a unit vector: rounding
MOST_MULTIPLIERS = 40  # α written beside more points would hide them


def verdict(request: VerdictRequest) -> VerdictAnswer:
    """The verdict on the points, and how to draw it."""
    points = request.points
    missing = _missing(points)
    decided = None if missing else verdict_of(points, request.fit_intercept)
    stage = stage_for(request, decided)
    return VerdictAnswer(
        plane=stage.answer(),
        places=[place_of(place) for place in stage.places],
        verdict=None if decided is None else _text(decided),
        message=missing,
        marks=Marks() if decided is None else _marks(stage, decided),
    )


def stage_for(request: VerdictRequest, decided: Any) -> Stage:
    """The plane of a verdict: along its w, where it has one."""
    return stage_of(request.points, getattr(decided, "weights", None), request.view)


def certificate(request: VerdictRequest) -> CertificateAnswer:
    """The proof of the verdict, as a file to keep."""
    made = verdict_of(request.points, request.fit_intercept).certificate()
    return CertificateAnswer(certificate=made.to_dict(), text=made.to_json())


def verify(request: VerifyRequest) -> VerifyAnswer:
    """Check a certificate against the points, exactly and without the solver."""
    X, _ = arrays_of(request.points)
    checked = novikoff.verify(request.certificate, X, labels_of(request.points))
    return VerifyAnswer(valid=checked.valid, reason=checked.reason)


def _missing(points: LabelledPoints) -> str | None:
    if not points.X:
        return "No points yet. Click in the plot to add some."
    for sign, name in zip((-1, 1), points.classes, strict=True):
        if sign not in points.y:
            return f"Add a point of class {name}: with one class there is nothing to separate."
    return None


def _text(decided: Any) -> VerdictText:
    separable = decided.word == "separable"
    return VerdictText(
        word=decided.word,
        headline=HEADLINES[decided.word].format(line="line" if decided.d <= 2 else "plane"),
        facts=_facts(decided),
        why_not=[] if separable else list(why_not_of(decided).sentences),
        margin=decided.margin.lower if separable else None,
        mistake_bound=decided.mistake_bound.upper if separable else None,
    )


def _facts(decided: Any) -> list[tuple[str, str]]:
    """What the card says of the verdict; γ, R and the bound stand with the run that they bound."""
    if decided.word in ("touching", "overlapping"):
        conflict = small_conflict(decided) or {}
        facts = [] if decided.word == "overlapping" else decided.facts()[1:5]
        rows = ", ".join(map(str, conflict))
        return [*facts, ("conflict", f"{len(conflict)} rows: {rows}")] if conflict else facts
    left_out = ("points", "augmented margin γ", "radius R", "mistake bound R²/γ²")
    if decided.word == "separable":  # what is left of a weight that is 0 is not shown
        w = np.where(np.abs(decided.weights) < TINY, 0.0, decided.weights)
        b = 0.0 if abs(decided.intercept) < TINY else decided.intercept
        decided = replace(decided, weights=w, intercept=b)
    return [fact for fact in decided.facts() if fact[0] not in left_out]


def _marks(stage: Stage, decided: Any) -> Marks:
    marks = Marks()
    if decided.word in ("separable", "touching"):
        w, b = decided.weights, decided.intercept
        marks.line, marks.normal = stage.line(w, b), stage.normal(w, b)
    if decided.word == "separable":
        marks.direction = stage.direction(decided.reference[0])
        marks.band = stage.band(w, b, decided.margin.lower)
        marks.ringed = decided.support.tolist()
        marks.ringed_label = "support: the points that fix the geometric margin"
    elif decided.word == "touching":
        marks.ringed = decided.rows_on_plane.tolist()
        marks.ringed_label = "these must lie on the line"
    if decided.word in ("touching", "overlapping"):
        # The rows that “Why not?” speaks of: picture and words must argue from the same ones.
        conflict = small_conflict(decided) or {}
        if len(conflict) <= MOST_MULTIPLIERS:
            marks.alpha = [
                Multiplier(row=row, text=fraction_text(alpha)) for row, alpha in conflict.items()
            ]
        if decided.word == "overlapping":
            marks.ringed, marks.ringed_label = list(conflict), "the points of the proof"
            marks.hulls = _hulls(stage, decided.fit_intercept)
            marks.shared = _shared_point(stage, decided, conflict)
    return marks


def _hulls(stage: Stage, fit_intercept: bool) -> list[Hull]:
    """Both hulls; without an intercept, that of all y·x, which holds the origin."""
    signs = stage.points.y
    if not fit_intercept:
        mirrored = hull_corners(stage.plane.project(stage.points.X) * signs[:, None])
        corners = _from_the_left(mirrored)
        return [Hull(kind="mirrored", label="hull of all y·x", corners=corners)]
    hulls = []
    for sign, kind in ((-1, "minus"), (1, "plus")):
        corners = _from_the_left(hull_corners(stage.places[signs == sign]))
        label = f"hull of class {stage.points.classes[(sign + 1) // 2]}"
        hulls.append(Hull(kind=kind, label=label, corners=corners))  # type: ignore[arg-type]
    return hulls


def _from_the_left(corners: NDArray[np.float64]) -> list[Place]:
    """The corners in order around the hull, from the leftmost one (of several, the lowest)."""
    first = int(np.lexsort(corners.T[::-1])[0]) if len(corners) else 0
    return [place_of(corner) for corner in np.roll(corners, -first, axis=0)]


def _shared_point(stage: Stage, decided: Any, conflict: dict[int, Fraction]) -> SharedPoint:
    if not decided.fit_intercept:
        return SharedPoint(place=(0.0, 0.0), label="the origin, which the hull holds")
    point = decided.shared_point
    positive = {row: alpha for row, alpha in conflict.items() if decided.problem.y[row] > 0}
    if positive:
        total = sum(positive.values())
        shares = np.array([float(alpha / total) for alpha in positive.values()])
        point = shares @ decided.problem.X[list(positive)]
    place = stage.plane.project(point.reshape(1, -1))[0]
    return SharedPoint(place=place_of(place), label="a point of both hulls")


SECONDS = 8.0  # for the search; what it has found by then is proven
MOST_CONFLICTS = 40


def fewest(request: FewestErrorsRequest) -> FewestErrorsAnswer:
    """A hyperplane with the fewest errors, between two proven bounds."""
    points = request.points
    X, y = arrays_of(points)
    found = novikoff.fewest_errors(
        X,
        y,
        fit_intercept=request.fit_intercept,
        time_limit=SECONDS,
        decimals=points.decimals,
        names=points.names,
    )
    w_hat = _floats((*found.weights, found.intercept))
    stage = stage_of(points, w_hat[:-1] if np.any(w_hat[:-1]) else None, request.view)
    return FewestErrorsAnswer(
        least=int(found.errors.lower),
        most=int(found.errors.upper),
        proven=found.optimal,
        given_up=found.wrong_rows.tolist(),
        conflicts=[list(conflict.rows) for conflict in found.conflicts[:MOST_CONFLICTS]],
        line=stage.line(w_hat[:-1], float(w_hat[-1])),
        sentence=f"{found.title}. {found.explain()}",
    )


def _floats(exact: tuple[Fraction, ...]) -> NDArray[np.float64]:
    """The hyperplane scaled to numbers near 1: exact weights may be larger than any float."""
    largest = max(map(abs, exact)) or Fraction(1)
    return np.array([float(value / largest) for value in exact])
