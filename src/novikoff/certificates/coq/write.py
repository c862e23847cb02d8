"""A certificate as one file for Coq: the theory it needs, the rows, the theorem and its proof.

What Coq will need for a proof, told before it is written: time and memory, roughly.
"""

import logging
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.coq.claims import CLAIMS, rows_needed
from novikoff.certificates.coq.margin import MOST_NUMBERS
from novikoff.certificates.coq.theorem import digits, remark, theory
from novikoff.certificates.verify import read_data_of_claim, verify
from novikoff.core.files import write_text
from novikoff.errors import CertificateError
from novikoff.exact.rational import over_one_denominator
from novikoff.exact.reading import ExactMatrix

SAMPLE = 500  # rows whose numbers stand for all
# Measured with Coq 8.16 on one core of 2024: reading a number, a digit of it, and multiplying bits.
START, NUMBER, DIGIT, BIT = 2.0, 40e-6, 9e-6, 1.5e-8
GCD = 1.2e-7  # a bit of a weight times another, where fractions are brought to lowest terms
MEMORY, MEMORY_OF_DIGIT = 0.45, 1e-6


@dataclass(frozen=True)
class Cost:
    """How many numbers Coq reads, and about how many seconds and gigabytes that takes."""

    numbers: int
    seconds: float
    gigabytes: float

    def __str__(self) -> str:
        if self.seconds < 100:
            time = f"{self.seconds:.0f} seconds"
        elif self.seconds < 6000:
            time = f"{self.seconds / 60:.0f} minutes"
        else:
            time = f"{self.seconds / 3600:.0f} hours"
        return f"coqc needs about {time} and {self.gigabytes:.1f} GB for {self.numbers:,} numbers"


def cost_of(claim: Any, reading: ExactMatrix, rows: int) -> Cost:
    """The cost of a proof with this many rows of the data in it."""
    n, d = reading.X.shape
    chosen = np.linspace(0, n - 1, min(n, SAMPLE)).astype(int).tolist()
    integers, _ = reading.integers(chosen, range(d))
    values = [int(value) for row in integers.tolist() for value in row]
    length = sum(len(digits(value)) for value in values) / len(values)
    bits = sum(value.bit_length() for value in values) / len(values)
    weights = over_one_denominator(claim.weights or claim.alpha)[0]
    width = max(value.bit_length() for value in weights)
    numbers = rows * d
    squares = bits if numbers <= MOST_NUMBERS else 0  # rows of large data are looked at once
    work = NUMBER + DIGIT * length + BIT * bits * (width + squares)
    seconds = START + numbers * work + GCD * len(weights) * width**2
    return Cost(numbers, seconds, MEMORY + numbers * length * MEMORY_OF_DIGIT)


LONG = 60.0  # seconds that nobody waits for without having been told


@dataclass(frozen=True)
class CoqProof:
    """A file written for Coq: its path, how many rows of data it has, what checking it costs."""

    path: Path
    rows: int
    cost: Cost

    def __str__(self) -> str:
        return f"{self.path}: {self.rows} rows; {self.cost}"


def to_coq(certificate: Certificate, X: object, y: object, path: str | PathLike[str]) -> CoqProof:
    """Write a file that `coqc` checks by itself: the certificate's claim about X and y, proven.

    A certificate does not hold its data, so the data is asked for. It is verified first, and one
    that is not valid is refused. What a long proof will cost is logged before it is written.

    Parameters
    ----------
    certificate : Certificate
        The proof, in exact numbers.
    X : array-like of shape (n, d)
        The data that the certificate is about.
    y : array-like of shape (n,)
        The labels.
    path : path
        Where the file goes; names for Coq end in `.v`.

    Returns
    -------
    CoqProof
        Where it is, how many rows of the data it holds, and what checking it costs.

    Examples
    --------
    >>> import novikoff, tempfile
    >>> xor = novikoff.load_dataset("xor")
    >>> certificate = novikoff.separate(xor.X, xor.y).certificate()
    >>> proof = novikoff.to_coq(certificate, xor.X, xor.y, f"{tempfile.mkdtemp()}/xor.v")
    >>> proof.rows, proof.path.name
    (4, 'xor.v')
    """
    if certificate.proof is not None:
        raise CertificateError(
            "Coq computes with exact numbers, and this certificate holds a proof in floating "
            "point: ask the verdict for an exact one, with verdict.certificate(exact=True)."
        )
    if certificate.cones is not None:
        raise CertificateError(
            "Coq does not know cones of planes, which prove the fewest errors here: use "
            "novikoff.verify, or checker/novikoff_fewest.py."
        )
    verification = verify(certificate, X, y)
    if not verification:
        raise CertificateError(f"there is nothing to prove: {verification.reason}")
    reading, signs = read_data_of_claim(certificate, X, y)
    rows = rows_needed(certificate, reading, signs)
    cost = cost_of(certificate, reading, rows)
    if cost.seconds > LONG:
        logging.getLogger("novikoff").warning(f"{cost}: a large proof.")
    write_text(path, coq_text(certificate, X, y))
    return CoqProof(Path(path), rows, cost)


def coq_text(certificate: Certificate, X: object, y: object) -> str:
    """The text of that file, whether the certificate is valid or not: Coq will say."""
    reading, signs = read_data_of_claim(certificate, X, y)
    theorem = CLAIMS[certificate.kind](certificate, reading, signs)
    return f"{_heading(certificate)}\n{theory(theorem.parts)}\n{theorem.text()}"


def _heading(claim: Certificate) -> str:
    numbers = "decimals as they print" if claim.decimals else "numbers as they are stored"
    lines = [
        f"{claim.kind}: {claim.n} rows and {claim.d} columns, {numbers}",
        f"sha256 of the data ({claim.encoding}): {claim.data_sha256}",
        f"Minus is {claim.classes[0]!s}, Plus is {claim.classes[1]!s}"
        + ("" if claim.label is None else f", in the column {claim.label}"),
        f"columns: {', '.join(claim.columns)}",
        "check it with: coqc FILE",
    ]
    return "\n".join(map(remark, lines)) + "\n"
