"""What the whole suite needs: which tests run when, Ctrl-C, a folder, and a browser."""

import os
import re
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from tests.pages import FLAGS

# How long an example takes says more about the machine than about the code.
settings.register_profile("novikoff", deadline=None)
settings.load_profile("novikoff")

# Tests state how many random examples they need: --quick draws a part of them, --soak a multiple.
QUICK, SOAK = 0.2, 10
MEMORY = Path("/dev/shm")

# A shell ignores Ctrl-C in what it starts in the background, and so would all programs that tests
# start: they could not be interrupted.
if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer --quick and --soak, which `make quick` and `make soak` use."""
    parser.addoption(
        "--quick", action="store_true", help="leave out what is marked slow; fewer random examples"
    )
    parser.addoption(
        "--soak", action="store_true", help="only what is marked soak and tests of random examples"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With --quick, do not even import the files that are slow as a whole: half of the time."""
    if config.getoption("quick") and collection_path.suffix == ".py":
        marked = re.search(
            r"^pytestmark = .*\n?.*\bpytest\.mark\.slow\b", collection_path.read_text("utf-8"), re.M
        )
        return True if marked else None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose the tests, and how many random examples they draw."""
    quick, soak = config.getoption("quick"), config.getoption("soak")
    if soak:
        items[:] = [item for item in items if item.get_closest_marker("soak") or _random(item)]
    else:
        left_out = {"soak", "slow"} if quick else {"soak"}
        items[:] = [item for item in items if not left_out & {m.name for m in item.iter_markers()}]
    if quick or soak:
        for test in {id(test): test for item in items if (test := _random(item))}.values():
            own = test._hypothesis_internal_use_settings or settings()
            count = max(5, int(own.max_examples * (SOAK if soak else QUICK)))
            test._hypothesis_internal_use_settings = settings(own, max_examples=count)


def _random(item: pytest.Item):
    """Return the function of a test that hypothesis draws examples for, or None."""
    function = getattr(item, "obj", None)
    function = getattr(function, "__func__", function)
    return function if getattr(function, "is_hypothesis_test", False) else None


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder, in memory where there is such a place: waiting for a disk proves nothing."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def browser():
    """The system's Chromium. It is closed with the module: its loop would disturb other tests."""
    from playwright.sync_api import sync_playwright

    found = shutil.which("chromium")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("there is no chromium on the PATH, and where CI is set there must be one")
        pytest.skip("there is no chromium on the PATH")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()
