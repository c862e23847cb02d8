"""The API, fuzzed from its own document: nothing that is sent to it makes it fail."""

import json
import select
import socket
import time
from contextlib import ExitStack

import numpy as np
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.lab.asking import AND, XOR, ask

from novikoff.lab import limits
from novikoff.lab.app import api, make_app
from novikoff.lab.guard import Address

pytestmark = pytest.mark.slow

schema = schemathesis.openapi.from_dict(make_app(Address("127.0.0.1", 1)).app.openapi())


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
def test_no_request_makes_it_fail(case, lab):
    """No 5xx, and every answer is of the form that the document promises.

    That numbers and labels are equally many is more than a schema can say: what is valid by the
    schema may be refused all the same. `test_extremes` asks about points that agree.
    """
    case.call_and_validate(
        base_url=lab.url.rstrip("/"), excluded_checks=[positive_data_acceptance], timeout=120
    )


def test_every_question_is_documented(lab):
    status, document = ask(lab.url, "/api/openapi.json")
    assert status == 200
    for route in api.routes:
        assert route.path in document["paths"]
        for described in document["paths"][route.path].values():
            assert described["description"]


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/api/verdict", {"points": {**XOR, "y": [1]}}, "4 points, but 1 labels"),
        ("/api/verdict", {"points": {**XOR, "names": ["a"]}}, "point 0 has 2 numbers for 1 names"),
        ("/api/verdict", {"points": {**XOR, "X": [[0, 1e99]] * 4}}, "less than or equal to 1"),
        ("/api/verdict", {"points": XOR, "path": "/etc/passwd"}, "path: Extra inputs"),
        ("/api/verdict", {"points": {**XOR, "names": ["a", "a"]}}, "same name"),
        ("/api/steps", {"points": AND, "first": 99}, "first must be at most 18"),
        ("/api/run", {"points": {**XOR, "y": [1, 1, 1, 1]}}, "class"),
        ("/api/run", {"points": AND, "options": {"max_iter": 10**6}}, "max_iter"),
        ("/api/columns", {"csv": "\n"}, "empty"),
    ],
)
def test_refusals_name_what_is_wrong(lab, path, body, said):
    status, answer = ask(lab.url, path, body)
    assert status == 422
    assert said in answer["error"]


def test_too_many_points_are_refused(lab):
    many = {"X": [[0.0]] * 2001, "y": [1] * 2001, "names": ["x"]}
    status, answer = ask(lab.url, "/api/verdict", {"points": many})
    assert status == 422
    assert "2000" in answer["error"]


def test_a_small_question_waits_for_no_large_ones(lab):
    generator = np.random.default_rng(0)
    points = {
        "X": generator.normal(size=(1000, 2)).round(3).tolist(),
        "y": generator.choice([-1, 1], 1000).tolist(),
        "names": ["x1", "x2"],
    }
    run = {"points": points, "options": {"max_iter": limits.EPOCHS, "order": "worst"}}
    body = json.dumps(run).encode()
    head = (
        f"POST /api/run HTTP/1.1\r\nHost: 127.0.0.1:{lab.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with ExitStack() as stack:  # to leave it is to stop them
        large = []
        for _ in range(8):
            large.append(stack.enter_context(socket.create_connection(("127.0.0.1", lab.port))))
            large[-1].sendall(head.encode() + body)
        time.sleep(0.5)  # so that they are all at work, or queued
        status, answer = ask(lab.url, "/api/verdict", {"points": XOR})
        assert (status, answer["verdict"]["word"]) == (200, "overlapping")
        assert select.select(large, [], [], 0)[0] == [], "a large question was answered first"
