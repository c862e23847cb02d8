"""The part of the page that lets a reader check the verdict without trusting who made it."""

from collections.abc import Sequence

from novikoff.certificates.certificate import Certificate, Kind
from novikoff.report import html
from novikoff.verdicts.verdict import NotSeparable, Undecided, Verdict

__all__ = ["certificate_section", "proof_section"]

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
    claim = CLAIMS[certificate.kind]
    if not certificate.fit_intercept:
        claim = claim.replace("(w·x + b)", "(w·x)").replace("(x, 1)", "x")
        claim = claim.replace(" and an intercept b", "")
    return html.section(
        "Certificate",
        html.paragraphs(
            f"The certificate is a small file that proves what is said here. {claim} Checking it "
            "takes exact additions and multiplications, and none of the code that found it."
        ),
        html.commands(commands) if commands else "",
        html.definitions([("data, SHA-256", certificate.data_sha256)]),
        html.details(f"The certificate ({len(text):,} characters)", text)
        if len(text) <= LARGEST_SHOWN
        else html.paragraphs(f"It has {len(text):,} characters and is kept in its own file."),
    )
