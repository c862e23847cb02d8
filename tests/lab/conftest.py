"""One lab for all tests of a worker: starting its processes takes seconds."""

import pytest
from tests.lab.serving import serving


@pytest.fixture(scope="session")
def lab():
    with serving() as running:
        yield running
