"""The verdict, always on: in words, in numbers, and as shapes over the points."""

from typing import Any

import novikoff
from novikoff.explain.why_not import why_not_of
from novikoff.figures.hulls import hull_corners
from novikoff.lab.engine.cached_answers import arrays_of, labels_of, verdict_of
from novikoff.lab.engine.stage import Stage, place_of, stage_of
from novikoff.lab.messages.answers import (
    CertificateAnswer,
    Hull,
    Marks,
    Multiplier,
    SharedPoint,
    VerdictAnswer,
    VerdictText,
    VerifyAnswer,
)
from novikoff.lab.messages.requests import LabelledPoints, VerdictRequest, VerifyRequest
from novikoff.report.numbers import fraction_text

__all__ = ["certificate", "stage_for", "verdict", "verify"]

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
    for sign, name in zip((-1, 1), points.classes, strict=True):
        if sign not in points.y:
            return f"Add a point of class {name}: with one class there is nothing to separate."
    return None


def _text(decided: Any) -> VerdictText:
    separable = decided.word == "separable"
    return VerdictText(
        word=decided.word,
        headline=decided.headline,
        facts=decided.facts(),
        why_not=[] if separable else list(why_not_of(decided).sentences),
        margin=decided.margin.lower if separable else None,
        mistake_bound=decided.mistake_bound.upper if separable else None,
    )


def _marks(stage: Stage, decided: Any) -> Marks:
    marks = Marks()
    if decided.word in ("separable", "touching"):
        w, b = decided.weights, decided.intercept
        marks.line, marks.normal = stage.line(w, b), stage.normal(w, b)
        marks.direction = stage.direction(w)
    if decided.word == "separable":
        marks.band = stage.band(w, b, decided.margin.lower)
        marks.ringed = decided.support.tolist()
        marks.ringed_label = "support: the points that fix the geometric margin"
    elif decided.word == "touching":
        marks.ringed = decided.rows_on_plane.tolist()
        marks.ringed_label = "these must lie on the line"
    elif decided.word == "overlapping":
        marks.ringed = decided.rows.tolist()
        marks.ringed_label = "the points of the proof"
        marks.hulls = _hulls(stage, decided.fit_intercept)
        marks.shared = _shared_point(stage, decided)
    if decided.word in ("touching", "overlapping"):
        marks.alpha = _alpha(decided)
    return marks


def _alpha(decided: Any) -> list[Multiplier]:
    rows = decided.rows.tolist()
    if len(rows) > MOST_MULTIPLIERS:
        return []
    pairs = zip(rows, decided.exact_alpha(), strict=True)
    return [Multiplier(row=row, text=fraction_text(alpha)) for row, alpha in pairs]


def _hulls(stage: Stage, fit_intercept: bool) -> list[Hull]:
    """Both hulls; without an intercept, that of all y·x, which holds the origin."""
    signs = stage.points.y
    if not fit_intercept:
        mirrored = hull_corners(stage.plane.project(stage.points.X) * signs[:, None])
        corners = [place_of(corner) for corner in mirrored]
        return [Hull(kind="mirrored", label="hull of all y·x", corners=corners)]
    hulls = []
    for sign, kind in ((-1, "minus"), (1, "plus")):
        corners = [place_of(corner) for corner in hull_corners(stage.places[signs == sign])]
        label = f"hull of class {stage.points.classes[(sign + 1) // 2]}"
        hulls.append(Hull(kind=kind, label=label, corners=corners))  # type: ignore[arg-type]
    return hulls


def _shared_point(stage: Stage, decided: Any) -> SharedPoint:
    if not decided.fit_intercept:
        return SharedPoint(place=(0.0, 0.0), label="the origin, which the hull holds")
    place = stage.plane.project(decided.shared_point.reshape(1, -1))[0]
    return SharedPoint(place=place_of(place), label="a point of both hulls")
