"""What is built for others: a wheel and an sdist, installed and tried in a clean environment."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import novikoff

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXTENSIONS = (".so", ".pyd")


def run(*command: object, **options) -> str:
    """What a command prints; its error, if it fails."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def built(source: Path, folder: Path, *kinds: str) -> Path:
    """A package of `source`, made without asking the network."""
    uv = [sys.executable, "-m", "uv", "build", "--quiet", "--offline", "--no-build-isolation"]
    run(*uv, "--python", sys.executable, *kinds, "--out-dir", folder, source)
    return next(path for path in folder.iterdir() if path.suffix in (".whl", ".gz"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return built(ROOT, tmp_path_factory.mktemp("sdist"), "--sdist")


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory):
    """The wheel that an installer makes of the sdist, where there is no repository."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.iterdir()
    # Without optimisation the core compiles in a fraction of the time.
    fast = ("--config-setting", "cmake.build-type=Debug")
    return built(unpacked, tmp_path_factory.mktemp("wheel"), "--wheel", *fast)


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """A new environment that has the wheel, and shares the dependencies of this one."""
    folder = tmp_path_factory.mktemp("clean")
    uv = [sys.executable, "-m", "uv"]
    run(*uv, "venv", "--quiet", "--offline", "--python", sys.executable, folder)
    run(*uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", folder, wheel)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(run(scripts / "python", "-c", where).strip())
    # Files that name paths are not read in a folder that such a file names: where novikoff is
    # installed for editing, this environment does not see it.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return scripts


def test_the_sdist_has_what_it_takes_to_test_and_to_document(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "src/novikoff/py.typed",
        "src/novikoff/__init__.pyi",
        "tests/conftest.py",
        "checker/novikoff_check.py",
        "docs/conf.py",
        "core/CMakeLists.txt",
        "core/bindings.cpp",
        "CHANGELOG.md",
        "CITATION.cff",
        "LICENSE",
        "Makefile",
    } <= names
    made = ("__pycache__", "_build/", "CMakeFiles", "CMakeCache", ".so", ".pyd")
    assert not any(part in name for name in names for part in made)


def test_the_wheel_has_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"novikoff"}
    assert {"novikoff/py.typed", "novikoff/__init__.pyi"} <= set(names)
    sources = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in EXTENSIONS
    }
    inside = {name for name in names if name.startswith("novikoff/")}
    (extension,) = inside - sources
    assert extension.startswith("novikoff/_core.")
    assert extension.endswith(EXTENSIONS)
    assert sources < inside


def test_the_wheel_works_in_a_clean_environment(environment, tmp_path):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    options = {"cwd": tmp_path, "env": clean}
    home = run(environment / "python", "-c", "import novikoff; print(novikoff.__file__)", **options)
    assert Path(home.strip()).is_relative_to(environment.parent)
    assert run(environment / "novikoff", "--version", **options).split()[1] == novikoff.__version__
    verdict = run(environment / "novikoff", "check", "dataset:xor", "--json", **options)
    assert '"verdict": "overlapping"' in verdict


def test_the_version_and_the_dependencies_are_stated_alike():
    """The citation and the conda recipe repeat them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text("utf-8")
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {novikoff.__version__}\n" in citation
    assert f'  version: "{novikoff.__version__}"\n' in recipe
    for needed in project["dependencies"]:
        name, bound = needed.split(">=")
        name = "matplotlib-base" if name == "matplotlib" else name
        assert f"    - {name} >={bound}\n" in recipe
