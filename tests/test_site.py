"""The documentation site: it builds without a warning, its links lead on, and it is searched."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from tests.pages import serving

import novikoff

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where the versions of the site are read, and the folder in which they lie."""
    folder = tmp_path_factory.mktemp("versions")
    with serving(folder) as url:
        yield url, folder


@pytest.fixture(scope="module")
def site(tmp_path_factory, address):
    """The site, built in a copy: what Sphinx makes beside its sources goes away with it."""
    pytest.importorskip("sphinx", reason="the documentation needs: make docs")
    folder = tmp_path_factory.mktemp("site")
    ignored = shutil.ignore_patterns("_build", "gallery", "generated")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=ignored)
    for name in ("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, folder)
    for name in ("core", "tests"):  # pages show parts of their files
        (folder / name).symlink_to(ROOT / name)
    url, versions = address
    made = versions / "dev"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    done = subprocess.run(
        [*command, folder / "docs", made],
        env=os.environ | {"DOCS_URL": url, "DOCS_VERSION": "dev"},
        capture_output=True,
        text=True,
        check=False,
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


def test_types_lead_to_their_pages(site):
    page = Page((site / "reference/generated/novikoff.Perceptron.html").read_text("utf-8"))
    assert any(link.endswith("generated/numpy.ndarray.html#numpy.ndarray") for link in page.links)
    page = Page((site / "reference/generated/novikoff.separate.html").read_text("utf-8"))
    assert "novikoff.Separable.html#novikoff.Separable" in page.links


def test_a_message_that_was_printed_is_found_by_a_search(site, address, browser):
    with pytest.raises(novikoff.NovikoffError) as raised:
        novikoff.separate([[0.0], [float("nan")]], ["zanzibar", "quux"])
    page = browser.new_page()
    page.goto(f"{address[0]}dev/search.html?q={raised.value}")
    page.get_by_role("link", name="Error messages").first.wait_for()
    page.close()


def test_a_menu_leads_to_the_other_versions(site, address, browser):
    url, folder = address
    for name in ("1.9.0", "1.10.0"):
        (folder / name).mkdir()
        (folder / name / "index.html").write_text(name, "utf-8")
    subprocess.run([sys.executable, ROOT / "docs" / "versions.py", folder, url], check=True)
    menu = json.loads((folder / "switcher.json").read_text("utf-8"))
    assert [entry["name"] for entry in menu] == ["1.10.0 (stable)", "1.9.0", "dev"]
    page = browser.new_page()
    page.goto(url)  # leads to the newest release
    page.wait_for_url(f"{url}1.10.0/")
    page.goto(f"{url}dev/index.html")
    page.get_by_label("Version switcher list").first.click()
    page.get_by_role("option", name="1.9.0").first.click()
    page.wait_for_url(f"{url}1.9.0/index.html")
    page.close()


def test_every_page_of_the_guide_has_a_picture():
    guide = (ROOT / "docs" / "guide" / "index.md").read_text("utf-8")
    named = set(re.findall(r"^\.\./([a-z/]+)$", guide, re.MULTILINE))
    others = {path.stem for path in (ROOT / "docs").glob("[!it]*.md")} - {"development"}
    for page in named | others:
        assert "![" in (ROOT / "docs" / f"{page}.md").read_text("utf-8"), page
