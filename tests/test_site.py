"""The documentation site: it builds without a warning, and its links lead somewhere."""

import re
import shutil
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built in a copy: what Sphinx makes beside its sources goes away with it."""
    pytest.importorskip("sphinx", reason="the documentation needs: make docs")
    folder = tmp_path_factory.mktemp("site")
    ignored = shutil.ignore_patterns("_build", "gallery", "generated")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=ignored)
    for name in ("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, folder)
    made = folder / "html"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, folder / "docs", made], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return made


class Page(HTMLParser):
    """The links of a page, and the places in it that a link can lead to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "a" and given.get("href"):
            self.links.append(unescape(given["href"]))
        if tag == "img":
            self.links.append(given["src"])
        self.places.update(value for key, value in attributes if key in ("id", "name"))


def test_every_link_leads_somewhere(site):
    pages = {path: Page(path.read_text("utf-8")) for path in site.rglob("*.html")}
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            name, _, place = unquote(link).partition("#")
            target = (path.parent / name).resolve() if name else path
            known = pages.get(target)
            if not target.exists() or (place and known is not None and place not in known.places):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert not broken


def test_every_page_says_first_what_the_reader_can_do(site):
    for path in (site / "start").glob("*.html"):
        assert "you can" in path.read_text("utf-8"), path.name
    for name in ("about/formats", "about/proofs", "about/comparisons", "gallery/index"):
        assert "you" in (site / f"{name}.html").read_text("utf-8")


def test_nothing_is_fetched_from_elsewhere(site):
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="https?:[^"]*"', text), path
