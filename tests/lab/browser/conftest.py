"""A page of the lab in a real browser, which fails the test if anything goes wrong there."""

import pytest
from tests.lab.browser.visit import Visit
from tests.pages import serving

from novikoff.lab.export import export


@pytest.fixture
def open_page(browser, lab):
    """Open the lab as many times as a test likes; at its end nothing may have gone wrong."""
    visits = []

    def opened(fragment="", **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        visit = Visit(context.new_page(), lab.url + fragment)
        visits.append(visit)
        return visit

    yield opened
    for visit in visits:
        visit.page.context.close()
    for visit in visits:
        assert visit.complaints == []


@pytest.fixture
def page(open_page):
    return open_page()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The address of an exported lab."""
    folder = tmp_path_factory.mktemp("lab") / "page"
    export(folder)
    with serving(folder) as address:
        yield address
