import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from tests.figures.verdicts import overlapping, separable, touching, undecided

from novikoff.certificates.certificate import Certificate
from novikoff.figures import plot_perceptron
from novikoff.matrix.problem import Problem
from novikoff.report import page, write_page
from novikoff.report.html import LARGEST_DRAWING, image

pytestmark = pytest.mark.slow

VOID = {"meta", "img", "br", "link"}


class Reader(HTMLParser):
    """Collects the tags and the text, and that every tag is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data


@pytest.mark.parametrize("make", [separable, touching, overlapping, undecided])
def test_the_page_stands_by_itself(make) -> None:
    text = page(make())
    reader = Reader(text)
    names = [tag for tag, _ in reader.tags]
    assert "script" not in names
    assert "link" not in names
    for _, attributes in reader.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert "href" not in attributes
        assert attributes.get("src", "data:image/").startswith("data:image/")
    assert "url(" not in text
    assert "@import" not in text
    assert make().word in reader.text


def test_the_page_says_all_that_a_reader_needs() -> None:
    text = Reader(
        page(
            separable(),
            source="trial.csv",
            steps=["All columns were standardised, which changes the margin."],
            commands=["novikoff verify c.json trial.csv"],
        )
    ).text
    for part in (
        "Separability of trial.csv",
        "6 rows, 2 columns, with an intercept",
        "complete separation",
        "geometric margin",
        "1.414213562",
        "support rows",
        "dose",
        "standardised, which changes the margin",
        "novikoff verify c.json trial.csv",
        "novikoff-certificate",
        "Class −1 is “ill”, class +1 is “well”",
    ):
        assert part in text


def test_the_explanation_names_the_coefficients_that_run_away() -> None:
    text = Reader(page(touching(), touching().explain())).text
    for part in (
        "Quasi-complete separation: no maximum-likelihood estimate exists.",
        "+∞",
        "dose alone separates quasi-completely",
        "What to do next",
        "Firth",
    ):
        assert part in text
    assert "What to do next" not in page(touching())


def test_the_certificate_in_the_page_is_the_certificate() -> None:
    text = page(overlapping())
    inside = re.search(r"<details>.*?<pre>(.*?)</pre>", text, re.DOTALL)
    assert inside is not None
    written = Reader(f"<pre>{inside[1]}</pre>").text
    assert Certificate.from_json(written) == overlapping().certificate()


def test_names_and_labels_cannot_break_out() -> None:
    evil = "<script>alert('\"&')</script>"
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    problem = Problem.of(X, [evil, "b", "b", evil], names=["a", evil])
    text = page(
        overlapping(problem=problem),
        figures=[(plot_perceptron(), evil)],
        title=evil,
        source=evil,
        steps=[evil],
        commands=[evil],
    )
    assert "<script" not in text
    assert Reader(text).text.count(evil) >= 5


def test_nothing_done_to_the_data_is_said_too() -> None:
    assert "every row and every column was used as it was read" in page(touching())


def test_an_undecided_verdict_has_advice_and_no_certificate() -> None:
    text = Reader(page(undecided())).text
    assert "the limit of 3 <passes> was hit" in text
    assert "ask again" in text
    assert "Certificate" not in text


def test_a_floating_point_proof_says_how_to_get_an_exact_one() -> None:
    text = page(overlapping(alpha=None, alpha_float=np.ones(4)))
    assert "decide again with exact=True" in text
    assert "<details>" not in text


def test_without_an_intercept_the_claim_has_none() -> None:
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    problem = Problem.of(X, [1, 1, 0], fit_intercept=False)
    verdict = overlapping(problem=problem, rows=np.arange(3), alpha=(1, 1, 1))
    text = Reader(page(verdict)).text
    assert "Σ α·y·x is exactly 0" in text
    assert "(x, 1)" not in text


def test_figures_are_drawings_until_they_have_too_many_points() -> None:
    assert 'src="data:image/svg+xml;base64,' in image(plot_perceptron(), "small")
    figure = plot_perceptron()
    rng = np.random.default_rng(0)
    figure.axes[0].plot(*rng.standard_normal((2, LARGEST_DRAWING // 20)))
    assert 'src="data:image/png;base64,' in image(figure, "large")


def test_the_same_verdict_makes_the_same_page(tmp_path: Path) -> None:
    write_page(tmp_path / "a.html", page(separable()))
    write_page(tmp_path / "b.html", page(separable()))
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
