"""What is built for others: a wheel and an sdist, installed and tried in a clean environment."""

import doctest
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from doctest import OutputChecker
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import novikoff

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXTENSIONS = (".so", ".pyd")


def run(*command: object, **options) -> str:
    """What a command prints; its error, if it fails."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
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
    """A new environment that has the wheel, and nothing else."""
    folder = tmp_path_factory.mktemp("clean")
    uv = [sys.executable, "-m", "uv"]
    run(*uv, "venv", "--quiet", "--offline", "--python", sys.executable, folder)
    run(*uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", folder, wheel)
    return folder / ("Scripts" if os.name == "nt" else "bin")


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


def needed_by(*requirements: str) -> set[str]:
    """The names of all distributions that pip would install for these requirements."""
    names: set[str] = set()
    left = list(map(Requirement, requirements))
    while left:
        needed = left.pop()
        name = re.sub(r"[-_.]+", "-", needed.name).lower()
        if name not in names or needed.extras:
            names.add(name)
            for further in map(Requirement, metadata.requires(name) or ()):
                extras = needed.extras or {""}
                if not further.marker or any(further.marker.evaluate({"extra": e}) for e in extras):
                    left.append(further)
    return names


def beside(folder: Path, *requirements: str) -> dict[str, object]:
    """How to run a program that finds these requirements, as installed here, and no others."""
    site = folder / "site"
    site.mkdir()
    for name in needed_by(*requirements) - {"novikoff"}:
        for entry in {Path(file).parts[0] for file in metadata.files(name)} - {"..", "__pycache__"}:
            (site / entry).symlink_to(metadata.distribution(name).locate_file(entry))
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {"cwd": folder, "env": clean | {"PYTHONPATH": str(site), "COLUMNS": "100"}}


def test_the_wheel_works_in_a_clean_environment(environment, tmp_path):
    options = beside(tmp_path, "novikoff")
    home = run(environment / "python", "-c", "import novikoff; print(novikoff.__file__)", **options)
    assert Path(home.strip()).is_relative_to(environment.parent)
    assert run(environment / "novikoff", "--version", **options).split()[1] == novikoff.__version__
    verdict = run(environment / "novikoff", "check", "dataset:xor", "--json", **options)
    assert '"verdict": "overlapping"' in verdict


@pytest.mark.parametrize(
    "page",
    [ROOT / "README.md", *sorted((ROOT / "docs" / "start").glob("[!i]*.md"))],
    ids=lambda page: page.stem,
)
def test_a_quick_start_runs_as_written_beside_what_it_installs(environment, page, tmp_path):
    text = page.read_text("utf-8")
    named = re.findall(r"pip install \"?(pandas|novikoff\[\w+\])", text)
    options = beside(tmp_path, "novikoff", *named)
    flags = ("-o", "ELLIPSIS", "-o", "NORMALIZE_WHITESPACE")
    run(environment / "python", "-m", "doctest", *flags, page, **options)
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for line, printed in re.findall(r"^\$ novikoff (.*)\n((?:[^$].*\n)*)", block, re.M):
            made = run(environment / "novikoff", *line.split(), **options)
            wrapped = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            assert not printed or OutputChecker().check_output(printed, made, wrapped)


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
