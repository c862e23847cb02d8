"""Any points within the limits, at once tiny and huge, are answered in the promised form."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff.lab.messages import answers, requests
from novikoff.lab.workers import answer

pytestmark = pytest.mark.slow

FORMS = {
    "verdict": (requests.VerdictRequest, answers.VerdictAnswer),
    "run": (requests.RunRequest, answers.RunAnswer),
    "steps": (requests.StepsRequest, answers.Steps),
    "compare": (requests.CompareRequest, answers.Comparison),
    "space": (requests.SpaceRequest, answers.SpaceAnswer),
    "regions": (requests.RegionsRequest, answers.Regions),
    "lift": (requests.LiftRequest, answers.LiftAnswer),
    "network": (requests.NetworkRequest, answers.NetworkAnswer),
    "certificate": (requests.VerdictRequest, answers.CertificateAnswer),
}
numbers = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e9, 1e9, allow_nan=False),
    st.sampled_from([1e-300, -1e-300, 5e-324, 1e9, -1e9, 0.1, 1e-9]),
)


@st.composite
def labelled(draw):
    d = draw(st.integers(1, 4))
    n = draw(st.integers(2, 6))
    row = st.lists(numbers, min_size=d, max_size=d)
    X = draw(st.lists(row, min_size=n, max_size=n))
    y = [1, -1, *draw(st.lists(st.sampled_from([-1, 1]), min_size=n - 2, max_size=n - 2))]
    return {
        "X": X,
        "y": y,
        "names": [f"x{j}" for j in range(d)],
        "decimals": draw(st.booleans()),
    }


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=25, deadline=None)
@given(points=labelled())
def test_an_answer_has_its_form(name, points):
    request, form = FORMS[name]
    options = {"options": {"max_iter": 20}} if "options" in request.model_fields else {}
    status, text = answer(name, request(points=points, **options))
    if status == 200:
        form.model_validate_json(text)  # a NaN would be null, and null is no number
    else:
        answers.Refusal.model_validate_json(text)


def test_a_picture_beyond_float64_is_left_out():
    names = ["a", "b"]
    points = {"X": [[0.0, 0.0], [0.0, 5e-324]], "y": [1, -1], "names": names, "decimals": False}
    status, text = answer("lift", requests.LiftRequest(points=points))
    found = answers.LiftAnswer.model_validate_json(text)
    assert (status, found.regions) == (200, None)
    assert "proven" in found.sentence
