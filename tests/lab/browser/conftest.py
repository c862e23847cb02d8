"""A page of the lab in a real browser, which fails the test if anything goes wrong there."""

from contextlib import contextmanager

import pytest
from tests.lab.browser.visit import Visit
from tests.pages import serving

from novikoff.lab.export import export


@contextmanager
def opening(browser, url):
    """A function that opens the lab as often as a test likes; at the end nothing went wrong."""
    visits = []

    def opened(fragment="", **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        visits.append(Visit(context.new_page(), url + fragment))
        return visits[-1]

    yield opened
    for visit in visits:
        visit.page.context.close()
    for visit in visits:
        assert visit.complaints == []


@pytest.fixture
def open_page(browser, lab):
    """Opens the lab of a server."""
    with opening(browser, lab.url) as opened:
        yield opened


@pytest.fixture
def open_file(browser, alone):
    """Opens the lab that is files."""
    with opening(browser, alone) as opened:
        yield opened


@pytest.fixture
def page(open_page):
    return open_page()


@pytest.fixture
def visit(open_file):
    return open_file()


@pytest.fixture(params=["open_page", "open_file"], ids=["server", "files"])
def either(request):
    """Opens the one, then the other: both must do what the test says."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The address of an exported lab."""
    folder = tmp_path_factory.mktemp("lab") / "page"
    export(folder)
    with serving(folder) as address:
        yield address
