"""What the whole suite needs: --quick, and a folder."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("novikoff", deadline=None)
settings.load_profile("novikoff")

# What takes long for what it finds: each of these files runs for five seconds or more.
SLOW = (
    "cli/test_bad_input.py",
    "cli/test_check_and_verify.py",
    "cli/test_first_seconds.py",
    "cli/test_fit_and_predict.py",
    "cli/test_help.py",
    "cli/test_stream.py",
    "cli/test_terminal.py",
    "cli/test_trace_plot_demo.py",
    "cluster/test_commands.py",
    "cluster/test_deciding.py",
    "cluster/test_faults.py",
    "cluster/test_learning.py",
    "data/test_scan.py",
    "decide/test_decide.py",
    "decide/test_traps.py",
    "estimators/test_checkpoint.py",
    "estimators/test_memory.py",
    "estimators/test_network.py",
    "estimators/test_perceptron.py",
    "estimators/test_sklearn_checks.py",
    "figures/test_run.py",
    "lab/browser/test_access.py",
    "lab/browser/test_points.py",
    "lab/browser/test_run.py",
    "lab/browser/test_verdict.py",
    "lab/test_api.py",
    "lab/test_extremes.py",
    "lab/test_guard.py",
    "lab/test_workers.py",
    "learners/test_skipping.py",
    "probes/test_probe.py",
    "probes/test_settle.py",
    "report/test_page.py",
    "stream/test_damage.py",
    "stream/test_kills.py",
    "stream/test_river.py",
    "test_checker.py",
    "test_extremes.py",
    "test_package.py",
    "test_site.py",
    "test_types.py",
)

MEMORY = Path("/dev/shm")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer --quick, which `make quick` uses."""
    parser.addoption("--quick", action="store_true", help="leave out the files that take long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow files, if asked to."""
    if config.getoption("quick"):
        items[:] = [item for item in items if not item.path.as_posix().endswith(SLOW)]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder, in memory where there is such a place: waiting for a disk proves nothing."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)
