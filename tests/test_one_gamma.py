"""One γ and one bound R²/γ² a run, wherever they are shown; and both are proven."""

import html
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.shell import inside
from tests.figures.reading import words
from tests.oracles import nearest_point

import novikoff
from novikoff.lab.engine.runs import run as run_of_the_lab
from novikoff.lab.engine.verdict import verdict as verdict_of_the_lab
from novikoff.lab.messages.requests import RunRequest, VerdictRequest

NUMBER = r"([0-9][0-9.,]*[0-9](?:e[+-]?[0-9]+)?)"
GAMMA = re.compile(rf"augmented (?:margin )?γ(?: of ŵ\*)? ?=? ?{NUMBER}")
BOUND = re.compile(rf"(?:R²/γ²(?: by ŵ\*)?(?: =| allows|:)?) ?{NUMBER}")
IRIS = "dataset:iris-setosa-versicolor"
PETALS = {"features": "petal length,petal width"}


def agrees(text, value):
    """Whether a decimal says this number: within one unit of its last digit."""
    mantissa, _, power = text.replace(",", "").partition("e")
    unit = Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2]))
    return abs(Fraction(mantissa) * Fraction(10) ** int(power or 0) - Fraction(value)) <= unit


def columns_of(names):
    table = novikoff.load_dataset("iris-setosa-versicolor")
    return table.X[:, [table.names.index(name) for name in names]], table.y


def shown_on_the_command_line(folder, options):
    """What commands print and write, as one text a command."""
    for command in ("check", "trace"):
        done = inside(command, IRIS, *options, folder=folder)
        yield " ".join(re.sub("[│╭╮╰╯─]", " ", done.out).split())
    inside("check", IRIS, *options, "--report", "page.html", folder=folder)
    page = (folder / "page.html").read_text("utf-8")
    yield " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def shown_in_the_lab(X, y, fit_intercept):
    """The verdict's panel, what is said of the run, and the names of all curves."""
    signs = np.where(y == sorted(set(y))[1], 1, -1)
    points = {"X": X.tolist(), "y": signs.tolist(), "names": list("abcd"[: X.shape[1]])}
    told = run_of_the_lab(RunRequest(points=points, options={"fit_intercept": fit_intercept}))
    names = [curve.name for chart in told.charts for curve in chart.curves]
    yield from (text.replace("`", "") for text in (" ".join(told.summary), *names))
    panel = verdict_of_the_lab(VerdictRequest(points=points, fit_intercept=fit_intercept)).verdict
    yield " ".join(f"{name} {text}" for name, text in panel.facts)
    yield f"R²/γ² {panel.mistake_bound:.10g}"


@pytest.mark.parametrize(
    ("names", "fit_intercept"),
    [
        (["petal length", "petal width"], True),
        (["sepal length", "sepal width", "petal length", "petal width"], True),
        (["sepal length", "sepal width", "petal length", "petal width"], False),
    ],
    ids=["petals", "all columns", "through the origin"],
)
def test_all_that_is_shown_of_a_run_has_one_gamma_and_one_bound(names, fit_intercept, tmp_path):
    X, y = columns_of(names)
    verdict = novikoff.separate(X, y, fit_intercept=fit_intercept)
    assert verdict.word == "separable"
    alone = novikoff.trace(X, y, fit_intercept=fit_intercept)
    run = alone.compared_with(verdict)
    run.to_parquet(tmp_path / "run.parquet")
    options = ["--features", ",".join(names), *([] if fit_intercept else ["--no-intercept"])]
    texts = [
        *shown_on_the_command_line(tmp_path, options),
        *shown_in_the_lab(X, y, fit_intercept),
        words(novikoff.figures.plot_trace(run)),
        words(novikoff.figures.plot_trace(alone, verdict)),
        words(novikoff.figures.plot_trace(novikoff.read_trace(tmp_path / "run.parquet", X, y))),
        str(verdict),
    ]
    if fit_intercept and len(names) == 2:
        tour = " ".join(inside("demo", folder=tmp_path).out.split())
        texts.append(tour.partition("2. XOR")[0])
    gammas = [found for text in texts for found in GAMMA.findall(text)]
    bounds = [found for text in texts for found in BOUND.findall(text)]
    assert min(len(gammas), len(bounds)) >= 10
    assert [text for text in gammas if not agrees(text, verdict.augmented_margin.middle)] == []
    assert [text for text in bounds if not agrees(text, verdict.mistake_bound.middle)] == []

    document = inside("trace", IRIS, *options, "--json").json
    proof = novikoff.inequalities(run)
    assert proof == novikoff.inequalities(run, verdict)
    for bound in (
        document["mistake_bound"],
        proof.mistake_bound,
        novikoff.mistake_bound_of(verdict, X, y, fit_intercept=fit_intercept),
    ):
        assert bound == pytest.approx(verdict.mistake_bound.upper, rel=1e-9)
    for gamma in (document["augmented_margin"], proof.gamma):
        assert gamma == pytest.approx(verdict.augmented_margin.lower, rel=1e-9)


@st.composite
def separable(draw):
    """Few points on both sides of a plane, of any size, with columns of other sizes beside them."""
    d = draw(st.integers(1, 3))
    w = draw(st.lists(st.integers(-3, 3), min_size=d, max_size=d).filter(any))
    fit_intercept = draw(st.booleans())
    b = draw(st.integers(-3, 3)) if fit_intercept else 0
    row = st.lists(st.integers(-9, 9), min_size=d, max_size=d)
    X = draw(st.lists(row, min_size=3, max_size=8))
    sides = [sum(a * x for a, x in zip(w, row, strict=True)) + b for row in X]
    kept = [(row, 1 if side > 0 else -1) for row, side in zip(X, sides, strict=True) if side]
    at = max(range(d), key=lambda j: abs(w[j]))
    for sign in (-1, 1):
        far = [20 * sign * (1 if w[at] > 0 else -1) * (j == at) for j in range(d)]
        kept.append((far, sign))
    whole = draw(st.sampled_from([0, 0, -600, -50, 50, 600]))
    widths = draw(st.lists(st.sampled_from([0, 0, -20, 20]), min_size=d, max_size=d))
    X = np.ldexp(np.array([row for row, _ in kept], float), whole + np.array(widths))
    return X, [sign for _, sign in kept], fit_intercept


@settings(max_examples=60, deadline=None)
@given(separable())
def test_the_reference_reaches_the_margin_and_its_bound_is_proven(case):
    X, y, fit_intercept = case
    verdict = novikoff.separate(X, y, fit_intercept=fit_intercept)
    assert verdict.word == "separable"
    hats = [[*map(Fraction, row), Fraction(fit_intercept)] for row in X.tolist()]
    signed = [[sign * x for x in hat] for sign, hat in zip(y, hats, strict=True)]
    w, b = verdict.reference
    w_star = [*map(Fraction, w.tolist()), Fraction(b)]
    least = min(sum(u * v for u, v in zip(w_star, row, strict=True)) for row in signed)
    square = least**2 / sum(v * v for v in w_star)
    widest = sum(v * v for v in nearest_point(signed))
    assert least > 0
    assert widest * (1 - Fraction(1, 10**6)) ** 2 <= square <= widest
    radius_squared = max(sum(v * v for v in hat) for hat in hats)
    bound = novikoff.mistake_bound_of(verdict, X, y, fit_intercept=fit_intercept)
    assert radius_squared / square <= bound
    assert bound <= verdict.mistake_bound.upper * (1 + 1e-6)
    if (np.abs(X) < 1e30).all() and np.abs(X[X != 0]).min() > 1e-30:
        run = novikoff.trace(X, y, fit_intercept=fit_intercept, separator=verdict, max_iter=20)
        proof = novikoff.inequalities(run)
        assert proof.hold
        assert Fraction(proof.gamma) ** 2 <= square
        assert run.n_mistakes <= radius_squared / square <= proof.mistake_bound


@pytest.mark.parametrize(
    ("offset", "spread"), [(1e9, 0), (2.0**44, 0), (0.0, 400), (1e9, 400), (0.0, 996)]
)
def test_the_reference_separates_where_the_weights_do(offset, spread):
    """Far from the origin, and in columns of very different widths, the margin is found exactly."""
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (40, 3)).astype(float)
    y = np.where(X @ [1, 2, -1] + 0.5 > 0, 1, -1)
    X = np.ldexp(X + offset, [-spread, 0, spread])
    verdict = novikoff.separate(X, y)
    assert novikoff.margins(verdict, X, y).functional > 0
    reached = novikoff.margins(verdict.reference, X, y).augmented
    assert 0 < reached <= verdict.augmented_margin.upper * (1 + 1e-15)
    assert reached >= verdict.augmented_margin.lower * (1 - 1e-2)


def test_another_reference_is_named_and_keeps_its_own_gamma():
    X, y = columns_of(["petal length", "petal width"])
    verdict = novikoff.separate(X, y)
    plane = verdict.weights, verdict.intercept
    run = novikoff.trace(X, y, separator=plane)
    assert novikoff.inequalities(run).gamma == pytest.approx(
        novikoff.margins(plane, X, y).augmented
    )
    shown = words(novikoff.figures.plot_trace(run))
    assert "R²/γ² by ŵ*: 493.93 (augmented γ 0.2447)" in shown
    assert "where R²/γ² by ŵ* allows 493.93" in shown
