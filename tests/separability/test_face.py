"""The face that floating point proposes, on data that made its proof fail or take for ever."""

import numpy as np

from novikoff import verify
from novikoff.core.progress import Deadline
from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem
from novikoff.separability import build as answers
from novikoff.separability import stages as decision
from novikoff.separability.search.passes import survey
from novikoff.separability.stages import AT_ONCE, Decision


def deciding(X, y):
    """A decision that has looked at its data."""
    points = ExactProblem.of(Problem.of(X, y))
    question = Decision(points, AT_ONCE, Deadline())
    question.seen = survey(points)
    return question


def nearly_a_copy(n=400, d=12):
    """A dummy that one class alone has, and two columns that differ in the last row only."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, d)), rng.integers(0, 2, n)
    X[:, 0] = y * (rng.random(n) < 0.1)
    X[:, 2] = X[:, 1]
    X[-1, 2] += 1
    y[-1], X[-1, 0] = 0, 0
    return X, y


def test_weights_of_a_dummy_and_of_long_numbers_are_rounded_alike():
    """The last row is off the plane by the copies alone, whose unit is far from the dummy's."""
    X, y = nearly_a_copy()
    verdict = deciding(X, y)._by_face()
    assert verdict is not None
    assert verdict.word == "touching"
    off = np.setdiff1d(np.arange(len(X)), verdict.rows_on_plane)
    assert off.tolist() == [*np.flatnonzero(X[:, 0] == 1).tolist(), len(X) - 1]
    assert verify(verdict.certificate(), X, y)


def test_rationals_start_from_few_rows(monkeypatch):
    """A face that was tried has hundreds of rows: an exact system of so many takes hours."""
    X, y = nearly_a_copy()
    starts = []
    reduce = decision.facial_reduction

    def noticed(points, start, check):
        starts.append(len(start))
        return reduce(points, start, check)

    monkeypatch.setattr(decision, "proven_face", lambda *_: None)
    monkeypatch.setattr(decision, "facial_reduction", noticed)
    question = deciding(X, y)
    assert question._by_face() is None
    assert max(len(found.rows) for found in question.tried) > 100
    assert question._in_rationals().word == "touching"
    assert max(starts) <= X.shape[1] + 1


def test_an_overlap_of_some_rows_proven_in_floats_is_one_of_all(monkeypatch):
    """Exact multipliers, which can take minutes and fail on many rows, are not asked for."""
    monkeypatch.setattr(answers, "face_multipliers", lambda *_: None)
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(70_000, 110)), rng.integers(0, 2, 70_000)
    verdict = deciding(X, y)._by_some_rows()
    assert verdict.word == "overlapping"
    assert verdict.alpha is None
