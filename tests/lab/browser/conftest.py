"""A real browser, and a page of the lab in it that fails the test if anything goes wrong there."""

import os
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import sync_playwright
from tests.lab.browser.visit import Visit

from novikoff.lab.export import export

FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser():
    """The system's Chromium. It is closed with the module: its loop would disturb other tests."""
    found = shutil.which("chromium")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("there is no chromium on the PATH, and where CI is set there must be one")
        pytest.skip("there is no chromium on the PATH")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()


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


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, without a line on the screen for each."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The address of an exported lab."""
    folder = tmp_path_factory.mktemp("lab") / "page"
    export(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visit(browser, alone):
    """A page of the exported lab, which nothing went wrong in."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    here = Visit(context.new_page(), alone)
    yield here
    context.close()
    assert here.complaints == []
