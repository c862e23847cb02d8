"""Kernels, lifts, networks and files: what the page is told is what the package computes."""

import numpy as np
import pytest
from tests.lab.asking import AND, XOR

import novikoff
from novikoff.errors import FileError, LabelError, LimitError, ShapeError
from novikoff.lab import limits
from novikoff.lab.engine import upload
from novikoff.lab.engine.presets import preset
from novikoff.lab.engine.regions import kernel_regions, lift, network
from novikoff.lab.engine.runs import compare
from novikoff.lab.engine.space import space
from novikoff.lab.messages.presets import PRESETS
from novikoff.lab.messages.requests import (
    ChooseColumns,
    CompareRequest,
    CsvFile,
    LiftRequest,
    NetworkRequest,
    RegionsRequest,
    SpaceRequest,
)

WIDE = {"X": [[0, 0, 1], [1, 1, 0]], "y": [1, -1], "names": ["a", "b", "c"]}
CSV = "a,b,kind\n1,2,yes\n3,4,no\n0.1,,no\n5,6,maybe\n"


def inside(place, rings):
    """Whether a place is in an area, by the even-odd rule: count the sides to its right."""
    x, y = place
    odd = False
    for ring in rings:
        for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1], strict=True):
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                odd = not odd
    return odd


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_regions_hold_the_points_that_are_classified_so(kernel):
    answer = kernel_regions(RegionsRequest(points=XOR, kernel=kernel))
    assert answer.errors == 0
    for x, y in zip(XOR["X"], XOR["y"], strict=True):
        assert inside(x, answer.plus) == (y > 0)
        assert inside(x, answer.minus) == (y < 0)
    assert answer.border


def test_the_smallest_lift_of_xor_is_quadratic():
    answer = lift(LiftRequest(points=XOR))
    assert [tried.word for tried in answer.tried] == ["overlapping", "separable"]
    for x, y in zip(XOR["X"], XOR["y"], strict=True):
        assert inside(x, answer.regions.plus) == (y > 0)


def test_what_needs_a_plane_says_so():
    for job, request in (
        (kernel_regions, RegionsRequest(points=WIDE)),
        (space, SpaceRequest(points=WIDE)),
    ):
        with pytest.raises(ShapeError, match="two columns, and these points have 3"):
            job(request)


@pytest.mark.parametrize(("azimuth", "elevation"), [(-62, 18), (0, 0), (135, -90), (300, 45)])
def test_the_lifted_points_are_on_their_sides_of_the_plane(azimuth, elevation):
    answer = space(SpaceRequest(points=XOR, azimuth=azimuth, elevation=elevation))
    assert answer.word == "separable"
    assert len(answer.plane) >= 3
    assert {point.row for point in answer.points} == {0, 1, 2, 3}
    everything = np.array(
        [point.place for point in answer.points] + [p for line in answer.surface for p in line]
    )
    assert np.abs(everything).max() <= 1
    # In a projection without perspective a point and its foot are one above the other in space:
    # where the view is from the side, up in the picture is up in space.
    if elevation == 0:
        for point in answer.points:
            higher = point.place[1] > point.foot[1]
            assert higher == (novikoff_side(point.row) > 0)


def novikoff_side(row):
    """Whether row's x1·x2 is above the plane of the widest margin, 2x1 + 2x2 − 4x3 − 1 = 0."""
    x1, x2 = XOR["X"][row]
    return x1 * x2 - (2 * x1 + 2 * x2 - 1) / 4


def test_the_network_of_xor_and_its_table():
    answer = network(NetworkRequest(points=XOR))
    assert "textbook" in answer.sentence
    for line in answer.table:
        assert line.predicted == line.label == XOR["y"][line.row]
        assert line.active == [float(a) > 0 for a in line.activations]
    trained = network(NetworkRequest(points=AND, hidden=3))
    assert len(trained.hidden_biases) == 3
    assert "0 of 4 points wrong" in trained.sentence


def test_the_pocket_is_no_worse_than_the_last_weights():
    answer = compare(CompareRequest(points=XOR))
    errors = {contender.name: contender.errors for contender in answer.contenders}
    assert errors["pocket"] == 1
    assert errors["pocket"] <= errors["plain"]
    for contender in answer.contenders:
        assert len(contender.wrong) == contender.errors


@pytest.mark.parametrize("name", [offered.name for offered in PRESETS])
def test_presets_are_what_they_are_called(name):
    points = preset(name, 0.25).points
    word = novikoff.separate(points.X, points.y, decimals=points.decimals).word
    expected = {"xor": "overlapping", "collinear": "overlapping", "touching": "touching"} | {
        "moons": "overlapping",
        "iris-versicolor-virginica": "overlapping",
        "iris-four-columns": "overlapping",
    }
    assert word == expected.get(name, "separable")


@pytest.mark.parametrize("margin", [0.05, 0.5, 2.0])
def test_the_slider_sets_the_margin(margin):
    points = preset("margin", margin).points
    assert novikoff.separate(points.X, points.y).margin.lower == pytest.approx(margin, rel=1e-8)


def test_the_columns_of_a_file():
    found = upload.columns(CsvFile(csv=CSV))
    assert (found.rows, found.label, found.features) == (4, "kind", ["a", "b"])
    assert found.columns[1].missing == 1
    assert found.columns[2].values == ["maybe", "no", "yes"]


def test_chosen_columns_become_points():
    chosen = {"csv": CSV, "label": "kind", "features": ["a", "b"], "drop_missing": True}
    one = upload.points(ChooseColumns(**chosen, positive="yes")).points
    assert one.y == (1, -1, -1)
    assert one.classes == ("not yes", "yes")
    two = upload.points(ChooseColumns(**chosen, positive="no", classes=["yes", "no"]))
    assert two.points.y == (-1, 1)
    assert "left out" in " ".join(two.notes)
    assert two.points.decimals


@pytest.mark.parametrize(
    ("csv", "options", "error", "match"),
    [
        ("a,b\n", {}, FileError, "no rows"),
        ("a,a\n1,2\n", {}, Exception, "both called 'a'"),
        ("a,b\n1,x\n2,y\n3,z\n", {"label": "b", "features": ["a"]}, LabelError, "classes"),
        ("a,b\n1,x\n2,x\n", {"label": "b", "features": ["a"]}, LabelError, "one class only"),
        ("a,b\n1e300,x\n2,y\n", {"label": "b", "features": ["a"]}, LimitError, "greater than"),
    ],
)
def test_files_that_will_not_do_say_why(csv, options, error, match):
    job = upload.points if options else upload.columns
    request = ChooseColumns(csv=csv, **options) if options else CsvFile(csv=csv)
    with pytest.raises(error, match=match):
        job(request)


def test_a_file_with_too_many_rows_is_refused_with_a_way_on():
    rows = "\n".join(f"{i},{i % 2}" for i in range(limits.POINTS + 1))
    with pytest.raises(LimitError, match="novikoff check"):
        upload.points(ChooseColumns(csv=f"x,y\n{rows}\n", label="y", features=["x"]))
