"""A certificate as one file for Coq: the theory it needs, the rows, the theorem and its proof."""

import logging
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.verify import read_data_of_claim, verify
from novikoff.errors import CertificateError
from novikoff.files import write_text
from novikoff.formal.claims import CLAIMS, rows_needed
from novikoff.formal.cost import Cost, cost_of
from novikoff.formal.terms import remark
from novikoff.formal.theory import theory

__all__ = ["CoqProof", "coq_text", "to_coq"]

LONG = 60.0  # seconds that nobody waits for without having been told


@dataclass(frozen=True)
class CoqProof:
    """What was written for Coq: where, with how many rows of the data, and what checking costs."""

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
