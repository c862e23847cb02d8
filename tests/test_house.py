"""The house: how many rooms it has, one name for one class, and docstrings that stand alone."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import novikoff

PACKAGE = Path(novikoff.__file__).parent
MAP = Path(__file__).parents[1] / "docs" / "development.md"
TREES = {
    path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def test_few_packages_and_loose_modules():
    packages = {place.split("/")[0] for place in TREES if "/" in place}
    loose = [place for place in TREES if "/" not in place]
    assert len(packages) <= 15
    assert len(loose) <= 6


def test_no_class_name_is_defined_twice():
    names = Counter(
        node.name
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_names_with_an_underscore_stay_in_their_file():
    for place, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("novikoff"):
                private = {name.name for name in node.names if re.match("_[a-z]", name.name)}
                assert private <= {"_core"}, (place, private)


@pytest.mark.parametrize("place", TREES)
def test_docstrings_need_no_other_docstring(place):
    tree = TREES[place]
    module = ast.get_docstring(tree) or ""
    assert not re.match(r"(What|Who|Where|Whose|Whether)\b", module), module
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED):
            assert not (ast.get_docstring(node) or "").startswith("The same"), node


def test_the_map_names_every_package_and_only_files_that_exist():
    text = MAP.read_text("utf-8")
    for package in {Path(place).parent.as_posix() for place in TREES} - {"."}:
        assert f"`{package}/`" in text, package
    for named in re.findall(r"`([\w/]+\.(?:py|hpp|cpp))`", text):
        assert (PACKAGE / named).exists() or (MAP.parents[1] / named).exists(), named
