"""A proof in a small file: what a verdict rests on, in exact numbers, for anybody to check.

A certificate is JSON and nothing but: loading one runs no code. Fractions are strings, "p/q" in
lowest terms. `digest` is a SHA-256 over all other fields: it finds a damaged or edited file. It is
no signature. Whoever edits a file on purpose can compute it again, and then the mathematics has to
hold by itself, which is what `novikoff.verify` checks.

What is claimed, with A the rows yᵢx̂ᵢ (x̂ = (x, 1) with an intercept, x without):

separable      every yᵢ(w·xᵢ + b) > 0
not separable  α > 0 on some rows S with Σ αᵢ yᵢ x̂ᵢ = 0 (Gordan)
touching       that, and every yᵢ(w·xᵢ + b) ≥ 0 with one of them > 0
overlapping    that, and rank(A_S) = rank(A) (Stiemke)
fewest errors  every yᵢ(w·xᵢ + b) > 0 but on the wrong rows, and conflicts (such S with such α)
               whose shares no row exceeds, or cones of planes with the rows that are wrong on
               each: the fewest errors lie between two numbers

A certificate about a regression states its `model`. Then A has the rows of that model (see
`novikoff.certificates.models.rows`), n and d are A's sizes, and the columns are the coefficients.

`lines_about` tells the rows, columns and labels that a certificate is about.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from novikoff.certificates.conflicts import Cones, Conflict, Tree
from novikoff.certificates.fields import (
    NoCertificateError,
    check_names_of_fields,
    check_size,
    content_digest,
    parse,
    read_fields,
    read_text,
    write_fields,
)
from novikoff.certificates.form import (
    Kind,
    check_alpha,
    check_data,
    check_fewest,
    check_model,
    check_weights,
)
from novikoff.certificates.models.model import RegressionModel
from novikoff.core.files import write_text
from novikoff.core.options import list_names
from novikoff.errors import CertificateError
from novikoff.matrix.digest import Encoding, data_sha256, encoding_of
from novikoff.matrix.problem import Problem, as_fraction

if TYPE_CHECKING:
    from novikoff.certificates.coq.write import CoqProof
    from novikoff.separability.fewest.result import FewestErrors
    from novikoff.separability.verdict_base import Verdict

SHOWN = 100  # names of columns
WEIGHTS_SHOWN = 10


def lines_about(
    claim: "Certificate", *, rounded: tuple[str, ...] = (), absent: int = 0
) -> tuple[str, ...]:
    """The claim and the rows, columns and labels that it is about, a line each.

    `rounded` are columns of decimals with more digits than float64 tells apart; `absent` says how
    many rows of the data have no weight or no trials in a regression.
    """
    written = "as written" + (
        f", but as float64 in {list_names(rounded, SHOWN)}" if rounded else ""
    )
    if claim.model is not None:
        left_out = f"rows of the data left out: {absent}, without weight or trials"
        return (
            f"kind: {claim.kind}, of the {claim.n} rows of the model {claim.model.name!r}",
            *([left_out] if absent else []),
            f"numbers: {written if claim.model.decimals else 'as given'}",
            f"coefficients: {list_names(claim.columns, SHOWN)}",
            *(f"{part}: {column!r}" for part, column in claim.model.columns.items()),
        )
    exactly = claim.decimals or claim.encoding == "fractions"
    label = "not named" if claim.label is None else repr(claim.label)
    minus, plus = claim.classes
    return (
        f"kind: {claim.kind}, {'with' if claim.fit_intercept else 'without'} an intercept",
        *([f"weights: {_weights(claim)}"] if claim.row_weights else []),
        f"rows: all {claim.n}; numbers: {written if exactly else 'as float64'}",
        f"columns: {list_names(claim.columns, SHOWN)}",
        f"label: {label}, where {minus!r} is -1 and {plus!r} is +1",
    )


def _weights(claim: "Certificate") -> str:
    """The weights of the rows, the commonest first."""
    counts = Counter(claim.row_weights or ()).most_common()
    shown = ", ".join(f"{rows} rows count {weight}" for weight, rows in counts[:WEIGHTS_SHOWN])
    more = len(counts) - WEIGHTS_SHOWN
    return f"{shown} and {more} other weights" if more > 0 else shown


FORMAT = "novikoff-certificate"
VERSION = 1

Scalar: TypeAlias = str | int | float | bool


@dataclass(frozen=True)
class Certificate:
    """The proof of a verdict: exact weights, or exact α on a few rows, and the data it is about.

    `columns` and `label` are names for the reader; `classes` are the labels that −1 and +1 stand
    for. `weights` and `intercept` are there for "separable", "touching" and "fewest errors", `rows`
    and `alpha` for "touching", "overlapping" and "not separable", and `errors` and all that follows
    for "fewest errors" alone. If `proof` is "floating point", α is not a solution itself: that one
    exists near it is proven by bounds on rounding, which `verify` works out again. `model` is there
    if the rows are those of a regression.

    Examples
    --------
    >>> import novikoff
    >>> xor = novikoff.load_dataset("xor")
    >>> certificate = novikoff.separate(xor.X, xor.y).certificate()
    >>> print(certificate)
    certificate: overlapping, 4 × 2 with intercept, α on 4 rows
    >>> certificate.save("proof.json")
    >>> novikoff.Certificate.load("proof.json") == certificate
    True
    """

    kind: Kind
    n: int
    d: int
    fit_intercept: bool
    decimals: bool
    encoding: Encoding
    data_sha256: str
    columns: tuple[str, ...]
    label: str | None
    classes: tuple[Scalar, Scalar]
    weights: tuple[Fraction, ...] | None = None
    intercept: Fraction | None = None
    rows: tuple[int, ...] | None = None
    alpha: tuple[Fraction, ...] | None = None
    proof: str | None = None
    model: RegressionModel | None = None
    errors: tuple[Fraction, ...] | None = None
    wrong_rows: tuple[int, ...] | None = None
    conflicts: tuple[Conflict, ...] | None = None
    row_weights: tuple[Fraction, ...] | None = None
    tree: Tree | None = None
    cones: Cones | None = None

    def __post_init__(self) -> None:
        check_data(self)
        check_model(self)
        check_weights(self)
        check_alpha(self)
        check_fewest(self)

    @classmethod
    def separable(
        cls,
        problem: Problem,
        weights: Iterable[Any],
        intercept: Any = 0,
        *,
        decimals: bool = False,
        label: str | None = None,
    ) -> "Certificate":
        """The certificate that (weights, intercept) separates the problem; floats are rationals."""
        return cls(
            "separable",
            **_about(problem, decimals, label),
            weights=tuple(as_fraction(weight) for weight in weights),
            intercept=as_fraction(intercept),
        )

    @classmethod
    def not_separable(
        cls,
        problem: Problem,
        rows: Iterable[Any],
        alpha: Iterable[Any],
        *,
        decimals: bool = False,
        label: str | None = None,
    ) -> "Certificate":
        """Gordan's certificate: what a cycling perceptron proves with its mistakes on each row."""
        support, positive = _sort_by_row(rows, alpha)
        about = _about(problem, decimals, label)
        return cls("not separable", **about, rows=support, alpha=positive)

    @classmethod
    def overlapping(
        cls,
        problem: Problem,
        rows: Iterable[Any],
        alpha: Iterable[Any],
        *,
        decimals: bool = False,
        label: str | None = None,
        proof: str | None = None,
    ) -> "Certificate":
        """Stiemke's certificate: the rows must have the rank of all of them."""
        support, positive = _sort_by_row(rows, alpha)
        about = _about(problem, decimals, label)
        return cls("overlapping", **about, rows=support, alpha=positive, proof=proof)

    @classmethod
    def touching(
        cls,
        problem: Problem,
        separator: tuple[Iterable[Any], Any],
        rows: Iterable[Any],
        alpha: Iterable[Any],
        *,
        decimals: bool = False,
        label: str | None = None,
    ) -> "Certificate":
        """Both halves: a weak separator (w, b), and the α that forbids a strict one."""
        support, positive = _sort_by_row(rows, alpha)
        weights, intercept = separator
        return cls(
            "touching",
            **_about(problem, decimals, label),
            weights=tuple(as_fraction(weight) for weight in weights),
            intercept=as_fraction(intercept),
            rows=support,
            alpha=positive,
        )

    @classmethod
    def fewest_errors(cls, fewest: "FewestErrors", *, label: str | None = None) -> "Certificate":
        """The certificate of `novikoff.fewest_errors`: both bounds, and what proves them."""
        return cls(
            "fewest errors",
            **_about(fewest.problem, fewest.decimals, label),
            weights=fewest.weights,
            intercept=fewest.intercept,
            errors=tuple(fewest.errors),
            wrong_rows=tuple(fewest.wrong_rows.tolist()),
            conflicts=fewest.conflicts,
            row_weights=fewest.row_weights,
            tree=fewest.tree,
            cones=fewest.cones,
        )

    @classmethod
    def of(
        cls, verdict: "Verdict", *, label: str | None = None, exact: bool = False
    ) -> "Certificate":
        """The certificate of a verdict; an undecided one has none.

        Where the multipliers are known to exist, and working them out would take more than a few
        seconds, the certificate holds the proof in floating point, unless `exact`.
        """
        return verdict.certificate(label=label, exact=exact)

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON has them: fractions as strings, and the digest of all the rest."""
        written = {"format": FORMAT, "version": VERSION, **write_fields(self)}
        return written | {"digest": content_digest(written)}

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> "Certificate":
        """The certificate that these fields write; a `CertificateError` says what is wrong."""
        if written.get("format") != FORMAT:
            raise NoCertificateError(f'not a certificate: its "format" is not {FORMAT!r}.')
        version = written.get("version")
        if type(version) is not int or version != VERSION:
            raise NoCertificateError(
                f"the certificate is of version {version!r}, and this program knows {VERSION}: "
                "use the version of novikoff that wrote it."
            )
        check_names_of_fields(written)
        if written["digest"] != content_digest(written):
            raise CertificateError(
                "the digest does not match: the certificate was changed after it was written."
            )
        return cls(**read_fields(written))

    @property
    def digest(self) -> str:
        """SHA-256 over all other fields: it finds damage, and is no signature."""
        return str(self.to_dict()["digest"])

    def to_json(self) -> str:
        """The text of the file: one field a line."""
        lines = (f"  {json.dumps(key)}: {json.dumps(v)}" for key, v in self.to_dict().items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> "Certificate":
        """The certificate that `text` writes; nothing in it is run."""
        return cls.from_dict(parse(text))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file in one piece: it is replaced whole, or not at all."""
        text = self.to_json()  # in ASCII
        check_size(len(text))
        write_text(path, text)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "Certificate":
        """Read a file and check its form; `novikoff.verify` checks what it claims."""
        return cls.from_json(read_text(Path(path)))

    def _repr_html_(self) -> str:
        from html import escape

        import novikoff

        return f"<p>{escape(str(self))}</p>{novikoff.report.figure_html(self)}"

    def to_coq(self, path: str | PathLike[str], X: object, y: object) -> "CoqProof":
        """Write the claim as a theorem with its proof, for `coqc`: see `novikoff.to_coq`.

        A certificate does not hold its data, so the data is asked for.
        """
        import novikoff

        proof: CoqProof = novikoff.to_coq(self, X, y, path)
        return proof

    def __str__(self) -> str:
        rows = "" if self.rows is None else f", α on {len(self.rows)} rows"
        if self.model is not None:
            return f"certificate: {self.model.name}, {self.kind}, {self.n} × {self.d}{rows}"
        if self.conflicts is not None:
            rows = f", {len(self.conflicts)} conflicts"
        if self.cones is not None:
            rows = f", {self.cones.n_leaves} cones"
        bias = "with" if self.fit_intercept else "without"
        return f"certificate: {self.kind}, {self.n} × {self.d} {bias} intercept{rows}"


def _about(problem: Problem, decimals: bool, label: str | None) -> dict[str, Any]:
    encoding = encoding_of(problem.X)
    return {
        "n": problem.n,
        "d": problem.d,
        "fit_intercept": problem.fit_intercept,
        "decimals": bool(decimals),
        "encoding": encoding,
        "data_sha256": data_sha256(problem.X, problem.y, encoding),
        "columns": problem.names,
        "label": label,
        "classes": tuple(scalar_of(label) for label in problem.classes),
    }


def scalar_of(label: Any) -> Scalar:
    """The label as JSON can hold it: text, a number, or how it prints."""
    return label if isinstance(label, (str, int, float)) else str(label)


def _sort_by_row(
    rows: Iterable[Any], alpha: Iterable[Any]
) -> tuple[tuple[int, ...], tuple[Fraction, ...]]:
    pairs = sorted(zip(map(int, rows), map(as_fraction, alpha), strict=True))
    return tuple(row for row, _ in pairs), tuple(a for _, a in pairs)
