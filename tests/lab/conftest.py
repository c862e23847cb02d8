"""One lab for all tests of a worker: starting its processes takes seconds."""

import pytest
from tests.lab.asking import AND, ask
from tests.lab.serving import serving


@pytest.fixture(scope="session")
def lab():
    with serving() as running:
        status, answer = ask(running.url, "/api/verdict", {"points": AND})  # the workers are loaded
        assert status == 200, answer
        yield running
