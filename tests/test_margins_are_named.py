"""Wherever a margin is shown, it is said which: the geometric or the augmented one."""

import html
import re

import numpy as np
import pytest
from matplotlib.text import Text
from tests.cli.shell import inside

import novikoff
from novikoff.core.progress import Deadline
from novikoff.lab.engine.presets import preset
from novikoff.lab.messages.presets import PRESETS

NAMED = re.compile(r"(geometric|augmented)[^.;]{0,12}$")


def unnamed(text):
    """The places where a margin, or a number for γ, is not called by its name."""
    # R²/γ² and kγ are names of bounds; the γ beside them is what must be named.
    places = re.finditer(r"\bmargins?\b(?!\s+you choose)|(?<![\w/·²])γ (=|≤|[0-9])", text)
    return [
        text[max(0, at.start() - 40) : at.end() + 10]
        for at in places
        if not NAMED.search(text[: at.start()])
    ]


@pytest.fixture
def stages(monkeypatch):
    """What somebody who waits is told."""
    told = []

    def stage(self, text):
        told.append(text)
        self.check()

    monkeypatch.setattr(Deadline, "stage", stage)
    return told


def separable(n, d, widths=1.0):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) * widths
    y = (X / widths) @ rng.normal(size=d) > 0
    return X, y


@pytest.mark.parametrize("widths", [1.0, np.geomspace(1e-9, 1e9, 8)], ids=["alike", "unlike"])
def test_while_a_verdict_is_found(widths, stages):
    X, y = separable(4000, 8, widths)
    verdict = novikoff.separate(X, y)
    assert verdict.word == "separable"
    assert verdict.mistake_bound.upper > 0
    assert any("geometric margin " in text for text in stages)
    assert any("augmented margin" in text for text in stages)
    assert [unnamed(text) for text in stages if unnamed(text)] == []


def test_while_probes_are_found(stages):
    X, y = separable(300, 5)
    probes = novikoff.probe(X, {"tone": y}, random_state=0)
    assert any("margins of" in text for text in stages)
    assert [unnamed(text) for text in stages if unnamed(text)] == []
    assert unnamed(str(probes)) == []
    assert unnamed(probes._repr_html_()) == []


@pytest.mark.parametrize(
    "command",
    [
        ("check", "dataset:toy"),
        ("check", "dataset:xor"),
        ("trace", "dataset:toy"),
        ("trace", "dataset:iris-setosa-versicolor"),
        ("datasets",),
        ("demo",),
    ],
    ids=" ".join,
)
def test_on_the_command_line(command, tmp_path):
    done = inside(*command, folder=tmp_path)
    assert done.status == 0
    text = " ".join(re.sub("[│╭╮╰╯─]", " ", done.out).split())
    # The name of a data set is no margin.
    assert unnamed(text.replace("margin 200 × 5", "")) == []


@pytest.mark.parametrize("name", ["toy", "iris-setosa-versicolor"])
def test_in_pages_and_notebooks(name, tmp_path):
    inside("check", f"dataset:{name}", "--report", "page.html", folder=tmp_path)
    page = (tmp_path / "page.html").read_text("utf-8")
    body = re.sub(r"<svg.*?</svg>|<style.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert "geometric margin" in body
    assert unnamed(html.unescape(body)) == []
    table = novikoff.load_dataset(name)
    shown = novikoff.separate(table.X, table.y)._repr_html_()
    assert unnamed(html.unescape(re.sub(r"<img[^>]*>|<[^>]*>", " ", shown))) == []


def words_of(figure):
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def test_in_figures():
    table = novikoff.load_dataset("iris-setosa-versicolor")
    X, y = table.X[:, 2:], table.y
    verdict = novikoff.separate(X, y)
    run = novikoff.trace(X, y, separator=verdict)
    probes = novikoff.probe(X, {"setosa": y == "setosa"}, random_state=0, progress=False)
    figures = [
        novikoff.figures.plot_verdict(verdict),
        novikoff.figures.plot_trace(run),
        novikoff.figures.plot_probes(probes, what="margin"),
        novikoff.figures.plot_probe_map(probes, what="margin"),
    ]
    for figure in figures:
        words = words_of(figure)
        assert any("geometric" in text or "augmented" in text for text in words)
        assert [unnamed(text) for text in words if unnamed(text)] == []


def test_in_the_lab():
    for one in PRESETS:
        assert unnamed(one.title + ". " + one.about) == []
    assert all(unnamed(note) == [] for note in preset("margin", 0.5).notes)


def test_the_test_itself():
    assert unnamed("margin in [1, 2]")
    assert unnamed("the bound 70, γ = 0.652")
    assert not unnamed("geometric margin 3, augmented margin γ ≤ 2, R²/γ² = 4")
