"""Every example in the README and in the docs is run."""

import doctest
import os
import re
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SITE = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(SITE.glob("*.md")), *sorted(SITE.glob("[!_]*/*.md"))]
PINNED = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Fenced(doctest.DocTestParser):
    """Doctest's parser, blind to the fences of Markdown."""

    def parse(self, string, name="<string>"):
        lines = ("" if line.lstrip().startswith("```") else line for line in string.split("\n"))
        return super().parse("\n".join(lines), name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if page.parent.name == "regressions":  # these examples read published data
        if f"statsmodels=={version('statsmodels')}" not in PINNED:
            pytest.skip(
                "where no estimate exists, other versions of statsmodels print other numbers"
            )
        for table in (ROOT / "tests" / "cases" / "separation").glob("*.csv"):
            shutil.copy(table, tmp_path)
        shutil.copytree(ROOT / "tests" / "cases" / "poisson_separation", tmp_path / "ppmlhdfe")
    if page.stem == "pyfixest":  # it brings thirty packages
        pytest.importorskip("pyfixest", reason="pip install --group test-more")
    monkeypatch.setenv("COLUMNS", "100")
    examples = Fenced().get_doctest(page.read_text("utf-8"), {}, page.name, str(page), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(examples, out=report.append)
    assert runner.failures == 0, "".join(report)
    assert os.getcwd() == str(tmp_path)


INCLUDED = {"changelog.md", "contributing.md"}  # pages that show a file of the repository


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES[1:] if page.name not in INCLUDED],
    ids=lambda page: page.relative_to(SITE).as_posix(),
)
def test_the_first_paragraph_says_what_the_reader_will_be_able_to_do(page):
    _, _, text = page.read_text("utf-8").partition("\n\n")
    first = text.partition("\n\n")[0]
    assert "you" in first.split(), first


def test_the_list_for_language_models_names_pages_that_exist():
    named = re.findall(r"\]\((\S+)\.html\)", (SITE / "llms.txt").read_text("utf-8"))
    assert len(named) > 10
    for page in named:
        assert (SITE / f"{page}.md").exists(), page
