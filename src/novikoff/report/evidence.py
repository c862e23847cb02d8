"""The evidence of a verdict as tables: proven numbers, columns, rows.

The part of the page that lets a reader check the verdict without trusting who made it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.form import Kind
from novikoff.core import sparse as sp
from novikoff.matrix.problem import python_value
from novikoff.regression.explain import Explanation
from novikoff.report import html
from novikoff.report.tables import TextTable, at_least, at_most, fraction_text, short
from novikoff.separability.verdicts import (
    Interval,
    NotSeparable,
    Overlapping,
    Separable,
    Touching,
    Undecided,
    Verdict,
)

LARGEST_SHOWN = 200_000  # characters of a certificate that a page can still carry

CLAIMS: dict[Kind, str] = {
    "separable": "It holds weights w and an intercept b as exact fractions, and claims that "
    "y·(w·x + b) > 0 on every row.",
    "not separable": "It holds numbers α > 0 for a few rows and claims that Σ α·y·(x, 1) is "
    "exactly 0: no weights can then be right about all of these rows.",
    "touching": "It holds weights w and an intercept b as exact fractions, and claims that "
    "y·(w·x + b) ≥ 0 on every row and > 0 on some; and numbers α > 0 for a few rows with "
    "Σ α·y·(x, 1) exactly 0, which forbid that all are > 0.",
    "overlapping": "It holds numbers α > 0 for a few rows and claims that Σ α·y·(x, 1) is exactly "
    "0, and that these rows have the rank of all rows: no weights can then be right about all "
    "rows, nor wrong about none and right about some.",
    "fewest errors": "It holds weights w and an intercept b as exact fractions, and claims that "
    "y·(w·x + b) > 0 on every row but the wrong ones; and conflicts, each with numbers α > 0 and "
    "Σ α·y·(x, 1) exactly 0, whose shares add up to the lower bound and, on every row, to no more "
    "than the row counts.",
}


def proof_section(
    verdict: Verdict, certificate: Certificate | None, commands: Sequence[str]
) -> str:
    """The certificate, what it claims, and the commands that check it."""
    if isinstance(verdict, Undecided):
        return ""
    if certificate is None:
        if isinstance(verdict, NotSeparable) and verdict.alpha is None:
            return html.section(
                "Certificate",
                html.paragraphs(
                    "The verdict is proven in floating point with rigorous error bounds. For a "
                    "certificate in exact numbers, decide again with exact=True."
                ),
            )
        certificate = verdict.certificate()
    return certificate_section(certificate, commands)


def certificate_section(certificate: Certificate, commands: Sequence[str]) -> str:
    """A certificate, what it claims, and the commands that check it."""
    text = certificate.to_json()
    about, rows = f"what is said here. {CLAIMS[certificate.kind]}", "data"
    if not certificate.fit_intercept:
        about = about.replace("(w·x + b)", "(w·x)").replace("(x, 1)", "x")
        about = about.replace(" and an intercept b", "")
    if certificate.model is not None:
        about, rows = "the answer about the rows of the model.", "rows of the model"
    return html.section(
        "Certificate",
        html.paragraphs(
            f"The certificate is a small file that proves {about} Checking it "
            "takes exact additions and multiplications, and none of the code that found it."
        ),
        html.commands(commands) if commands else "",
        html.definitions([(f"{rows}, SHA-256", certificate.data_sha256)]),
        html.details(f"The certificate ({len(text):,} characters)", text)
        if len(text) <= LARGEST_SHOWN
        else html.paragraphs(f"It has {len(text):,} characters and is kept in its own file."),
    )


MOST_ROWS = 25
MOST_COLUMNS = 40
MOST_CELLS = 6  # columns of the data shown beside a row's number


def verdict_sentence(verdict: Verdict) -> str:
    """The verdict as one sentence that can be quoted."""
    negative, positive = verdict.classes
    between = f"“{negative}” and “{positive}”"
    through = "" if verdict.fit_intercept else " through the origin"
    if isinstance(verdict, Separable):
        return (
            f"A hyperplane{through} separates {between} completely: all {verdict.n:,} rows lie "
            "strictly on their own side of it (complete separation)."
        )
    if isinstance(verdict, Touching):
        return (
            f"No hyperplane{through} separates {between} strictly, but one has no row on the wrong "
            f"side: {len(verdict.rows_on_plane):,} of the {verdict.n:,} rows lie on it "
            "(quasi-complete separation)."
        )
    if isinstance(verdict, Overlapping):
        return (
            f"No hyperplane{through} keeps {between} apart, not even touching: their hulls "
            f"overlap, and {len(verdict.rows):,} of the {verdict.n:,} rows prove it."
        )
    assert isinstance(verdict, Undecided)
    return f"Whether a hyperplane{through} separates {between} was not decided: {verdict.reason}"


def numbers_table(verdict: Verdict) -> TextTable | None:
    """The proven numbers of a separable verdict, each between two bounds."""
    if not isinstance(verdict, Separable):
        return None
    augmented = " of x̂ = (x, 1)" if verdict.fit_intercept else ""
    lines: list[tuple[str, Interval, str]] = [
        ("geometric margin", verdict.margin, "distance from the separator to the nearest row"),
        ("augmented margin γ", verdict.augmented_margin, f"the γ in the bound{augmented}"),
        ("radius R", verdict.radius, f"the largest length{augmented}"),
        (
            "mistake bound R²/γ²",
            verdict.mistake_bound,
            "a perceptron started at 0 makes no more mistakes",
        ),
    ]
    rows = [(name, at_least(i.lower), at_most(i.upper), what) for name, i, what in lines]
    square = verdict.exact_margin_squared
    if square is not None:
        text = fraction_text(square)
        rows.append(("geometric margin, squared", text, text, "worked out in exact fractions"))
    return TextTable("Proven numbers", ("quantity", "at least", "at most", "what it is"), rows)


def columns_table(verdict: Verdict) -> TextTable | None:
    """The columns that carry the separator, heaviest first; nothing where there is none."""
    if not isinstance(verdict, Separable | Touching):
        return None
    weights = np.asarray(verdict.weights, dtype=np.float64)
    used = [int(j) for j in np.argsort(-np.abs(weights), kind="stable") if weights[j] != 0]
    positive = verdict.classes[1]
    rows = [
        (verdict.names[j], short(weights[j]), _direction(weights[j], positive))
        for j in used[:MOST_COLUMNS]
    ]
    if verdict.fit_intercept:
        rows.append(("(intercept)", short(verdict.intercept), ""))
    kind = "separator" if isinstance(verdict, Separable) else "weak separator"
    return TextTable(
        f"Columns of the {kind}",
        ("column", "weight", "a larger value speaks"),
        rows,
        left_out=max(0, len(used) - MOST_COLUMNS),
    )


def coefficients_table(explanation: Explanation | None) -> TextTable | None:
    """What becomes of the coefficients of a logistic regression, unless all of them are finite."""
    if explanation is None or all(c.estimate == "finite" for c in explanation.coefficients):
        return None
    lines = explanation.table(most=len(explanation.coefficients))
    return TextTable(
        "Maximum-likelihood estimates of a logistic regression",
        ("coefficient", "estimate"),
        lines[:MOST_COLUMNS],
        left_out=max(0, len(lines) - MOST_COLUMNS),
    )


def rows_table(verdict: Verdict) -> TextTable | None:
    """The rows that the proof rests on, numbered as in the file, with their labels and values."""
    if isinstance(verdict, Separable):
        chosen, caption, name = (
            verdict.support,
            "Rows that fix the geometric margin (support rows)",
            None,
        )
    elif isinstance(verdict, NotSeparable):
        chosen, caption, name = verdict.rows, "Rows that forbid a separator", "α"
    else:
        return None
    columns = _columns_shown(verdict)
    values = cells_of(verdict.problem.X, chosen[:MOST_ROWS], columns)
    alphas = _alphas(verdict) if isinstance(verdict, NotSeparable) else [""] * len(chosen)
    numbers = verdict.problem.numbers_of(chosen[:MOST_ROWS])
    rows = []
    for at, row in enumerate(chosen[:MOST_ROWS]):
        label = str(verdict.classes[int(verdict.problem.y[row] > 0)])
        proof = (alphas[at],) if name else ()
        rows.append((str(numbers[at]), label, *proof, *values[at]))
    header = (
        "row",
        "class",
        *((name,) if name else ()),
        *(verdict.names[j] for j in columns),
    )
    return TextTable(caption, header, rows, left_out=max(0, len(chosen) - MOST_ROWS))


def _direction(weight: float, positive: object) -> str:
    return f"for “{positive}”" if weight > 0 else f"against “{positive}”"


def _columns_shown(verdict: Verdict) -> list[int]:
    if verdict.d <= MOST_CELLS or not isinstance(verdict, Separable | Touching):
        return list(range(min(verdict.d, MOST_CELLS)))
    heaviest = np.argsort(-np.abs(np.asarray(verdict.weights)), kind="stable")[:MOST_CELLS]
    return sorted(int(j) for j in heaviest)


def cells_of(X: Any, rows: Iterable[int], columns: Sequence[int]) -> list[tuple[str, ...]]:
    """Some values of the data, as they would be written."""
    part = X[list(rows)]
    part = part.tocsc()[:, columns].toarray() if sp.issparse(part) else part[:, columns]
    return [tuple(_cell(value) for value in row) for row in part]


def _cell(value: Any) -> str:
    """A value as it would be written: the shortest decimal that is that number."""
    text = str(python_value(value))
    return text.removesuffix(".0").replace("-", "−")


def _alphas(verdict: NotSeparable) -> list[str]:
    if verdict.alpha is None:
        return [f"≈ {short(float(a))}" for a in verdict.alpha_float]
    return [fraction_text(a) for a in verdict.alpha]
