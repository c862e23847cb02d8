"""The reference: every public name is listed, says its parameters, and has an example that runs."""

import doctest
import inspect
import re
import runpy
from pathlib import Path

import pytest

import novikoff
from novikoff import data, figures, models, report

SITE = Path(__file__).parents[1] / "docs"
ROOMS = {"data": data, "figures": figures, "models": models, "report": report}
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

TOP = {name: getattr(novikoff, name) for name in novikoff.__all__ if name not in ROOMS}
INSIDE = {
    f"{room}.{name}": getattr(module, name)
    for room, module in ROOMS.items()
    for name in module.__all__
    if getattr(module, name) not in TOP.values()
}
PUBLIC = TOP | INSIDE
# The statuses are values to compare with, and the reference page itself shows one; figures are
# shown by the gallery.
DOCUMENTED = {
    name: value
    for name, value in PUBLIC.items()
    if name != "Status" and not name.startswith("figures.")
}


def test_every_public_name_is_in_the_reference():
    page = (SITE / "reference" / "index.md").read_text("utf-8")
    listed = re.findall(r"^   ([\w.]+)$", page, re.MULTILINE)
    assert sorted(listed) == sorted(PUBLIC)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_example_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    text = inspect.getdoc(DOCUMENTED[name])
    assert "\nExamples\n--------\n" in text
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(example, out=said.append)
    assert runner.failures == 0, "".join(said)


def is_told(value):
    """Whether users call it: functions, and the classes of estimators."""
    return inspect.isfunction(value) or hasattr(value, "fit")


CALLED = [name for name, value in DOCUMENTED.items() if is_told(value)]


@pytest.mark.parametrize("name", CALLED)
def test_every_parameter_is_described(name):
    text = inspect.getdoc(DOCUMENTED[name])
    described = text.partition("\nParameters\n")[2].partition("\n\n")[0]
    names = re.findall(r"^(\w+(?:, \w+)*)(?: : .*)?$", described, re.MULTILINE)
    names = [part for line in names for part in line.split(", ")]
    expected = list(inspect.signature(DOCUMENTED[name]).parameters)
    assert sorted(names) == sorted(expected)


EXAMPLES = sorted((SITE / "examples").glob("plot_*.py"))


def test_every_figure_is_in_the_gallery():
    text = "".join(path.read_text("utf-8") for path in EXAMPLES)
    used = set(re.findall(r"\b(?:plot|animate)_\w+(?=\()", text))
    assert used == set(figures.__all__) - {"save"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_of_the_gallery_draws(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    drawn = runpy.run_path(str(path))
    assert any(type(value).__name__ == "Figure" for value in drawn.values())
