"""What the lab says of points is what the package proves, and its shapes are where they belong."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lab.asking import AND, XOR

import novikoff
from novikoff.lab.engine.verdict import certificate, verdict, verify
from novikoff.lab.messages.requests import LabelledPoints, VerdictRequest, VerifyRequest


def asked(points, **options):
    return VerdictRequest(points=LabelledPoints(**points), **options)


def distance(place, line):
    """From a place to the line through two others."""
    (x0, y0), (x1, y1) = line
    across = (x1 - x0) * (place[1] - y0) - (y1 - y0) * (place[0] - x0)
    return abs(across) / np.hypot(x1 - x0, y1 - y0)


def test_a_separable_verdict_has_its_band():
    answer = verdict(asked(AND))
    assert answer.verdict.word == "separable"
    assert answer.verdict.why_not == []
    margin = novikoff.separate(AND["X"], AND["y"]).margin
    assert answer.verdict.margin == pytest.approx(margin.lower)
    support = [distance(answer.places[row], answer.marks.line) for row in answer.marks.ringed]
    assert support == pytest.approx([margin.lower] * len(support))
    # The far corners of the band are as far from the line as the margin says.
    assert [distance(corner, answer.marks.line) for corner in answer.marks.band] == pytest.approx(
        [margin.lower] * 4
    )


def test_an_overlapping_verdict_has_hulls_a_common_point_and_alpha():
    answer = verdict(asked(XOR))
    assert answer.verdict.word == "overlapping"
    assert "(0.5, 0.5)" in answer.verdict.why_not[0]
    assert answer.marks.shared.place == (0.5, 0.5)
    assert {hull.kind for hull in answer.marks.hulls} == {"plus", "minus"}
    alpha = {entry.row: Fraction(entry.text) for entry in answer.marks.alpha}
    total = sum(
        a * XOR["y"][i] * np.array([*map(Fraction, XOR["X"][i]), 1]) for i, a in alpha.items()
    )
    assert not np.any(total)


def test_a_touching_verdict_has_the_points_on_the_line():
    points = {"X": [[-1], [0], [0], [1]], "y": [-1, -1, 1, 1], "names": ["x"]}
    answer = verdict(asked(points))
    assert answer.verdict.word == "touching"
    assert answer.marks.ringed == [1, 2]
    assert answer.marks.band is None


def test_one_class_is_a_message_and_not_an_error():
    answer = verdict(
        asked({"X": [[1, 2]], "y": [1], "names": ["a", "b"], "classes": ["no", "yes"]})
    )
    assert answer.verdict is None
    assert "class no" in answer.message
    assert answer.places == [(1.0, 2.0)]
    empty = verdict(asked({"X": [], "y": [], "names": ["a", "b", "c"]}))
    assert empty.places == []


def test_more_than_two_columns_say_that_they_are_a_projection():
    table = novikoff.load_dataset("iris-setosa-versicolor")
    points = {"X": table.X.tolist(), "y": table.signs.tolist(), "names": list(table.names)}
    answer = verdict(asked(points))
    assert answer.plane.is_projection
    assert "projection" in answer.plane.note
    assert not answer.plane.editable
    # Along w nothing is lost: distances to the line are those in four dimensions.
    decided = novikoff.separate(table.X, table.signs, decimals=True)
    true = np.abs(table.X @ decided.weights + decided.intercept)
    seen = [distance(place, answer.marks.line) for place in answer.places]
    assert seen == pytest.approx(true.tolist(), rel=1e-6)


def test_without_a_bias_the_mirrored_hull_holds_the_origin():
    answer = verdict(asked(XOR, fit_intercept=False))
    assert [hull.kind for hull in answer.marks.hulls] == ["mirrored"]
    assert answer.marks.shared.place == (0.0, 0.0)


def test_a_certificate_is_valid_for_its_points_and_for_no_others():
    points = {**XOR, "classes": ["a", "b"]}
    made = certificate(asked(points))
    assert verify(VerifyRequest(points=points, certificate=made.certificate)).valid
    moved = {**points, "X": [[0, 0], [0, 1], [1, 0], [1, 2]]}
    refused = verify(VerifyRequest(points=moved, certificate=made.certificate))
    assert not refused.valid
    assert "SHA-256" in refused.reason
    assert novikoff.Certificate.from_json(made.text).to_dict() == made.certificate


def test_the_view_stays_where_it_is_asked_to_stay():
    view = {"left": -3, "right": 5, "bottom": -2, "top": 4}
    assert verdict(asked(AND, view=view)).plane.view.model_dump() == view


coordinates = st.integers(-40, 40).map(lambda i: i / 10)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(coordinates, coordinates, st.sampled_from([-1, 1])), max_size=9))
def test_every_word_is_the_packages_own(rows):
    """Whatever is clicked together: the word, the shapes and the certificate agree."""
    points = {"X": [row[:2] for row in rows], "y": [row[2] for row in rows], "names": ["a", "b"]}
    answer = verdict(asked(points))
    if len({row[2] for row in rows}) < 2:
        assert answer.verdict is None
        return
    decided = novikoff.separate(points["X"], points["y"], decimals=True)
    assert answer.verdict.word == decided.word
    assert (answer.marks.band is not None) <= (decided.word == "separable")
    assert bool(answer.verdict.why_not) == (decided.word != "separable")
    made = certificate(asked(points)).certificate
    assert made["kind"] == decided.word
    assert verify(VerifyRequest(points=points, certificate=made)).valid
