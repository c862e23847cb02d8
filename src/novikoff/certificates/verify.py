"""Verify a certificate against the data: exactly, and without the solver.

The steps, each with its own reason when it fails: the certificate is whole (its digest), the data
has the right shape, names, labels and hash, and then the claim itself, on the original numbers.
docs/certificates.md says what is claimed; everything else is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate, Scalar, lines_about, scalar_of
from novikoff.certificates.claims import claim_reason, proven_sentence
from novikoff.certificates.models.model import PARTS, SUMMED, Outcome, RegressionModel
from novikoff.certificates.models.question import build_remote_rows, build_rows
from novikoff.certificates.models.rows import Codes, check_has_codes
from novikoff.core.options import list_names
from novikoff.errors import CertificateError, DataError, LabelError, OptionError, ShapeError
from novikoff.exact.rational import nearest_float
from novikoff.exact.reading import BINARY, ExactMatrix
from novikoff.matrix.arrays import column_names
from novikoff.matrix.dask.inputs import is_dask
from novikoff.matrix.digest import Encoding, data_sha256
from novikoff.matrix.problem import Problem, as_fraction, check_lengths, default_names, matrix_of
from novikoff.matrix.remote import RemoteMatrix
from novikoff.matrix.sources import as_problem, coded_rows, is_remote


@dataclass(frozen=True)
class Verification:
    """Whether the certificate is valid for the data, and why (or why not), in a sentence.

    `claim` says, a line each, what is claimed of which rows, columns and labels; it is empty where
    there was no certificate to read.

    Examples
    --------
    >>> import novikoff
    >>> xor = novikoff.load_dataset("xor")
    >>> certificate = novikoff.separate(xor.X, xor.y).certificate()
    >>> other = novikoff.verify(certificate, xor.X + 1, xor.y)
    >>> other.valid, bool(other)
    (False, False)
    """

    valid: bool
    reason: str
    claim: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.valid

    @property
    def answer(self) -> str:
        """Yes or no, and the reason, on one line."""
        return f"{'valid' if self.valid else 'not valid'}: {self.reason}"

    def __str__(self) -> str:
        return "\n".join([self.answer, *self.claim]) if self.valid else self.answer


def verify(
    certificate: Certificate | str | PathLike[str] | Mapping[str, Any],
    X: object,
    y: object = None,
    **outcome: object,
) -> Verification:
    """Check a certificate (or its file, or its fields) against the points `X` and the labels `y`.

    Everything is decided exactly. Data that cannot be read raises an error; a certificate that is
    damaged, or speaks of other data, or claims what is not so, is not valid. A certificate about a
    regression takes `X` without the constant, and what the model has beside or instead of `y`.

    Parameters
    ----------
    certificate : Certificate, path or mapping
        The proof, its file, or the fields of that file.
    X : array-like of shape (n, d), or novikoff.data.scan(…)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample. A scan
        is read a few times and never held.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1. The outcome of a regression. A
        scan has its own.
    outcome : keyword arguments
        Of a regression: `trials`, `strata`, `time`, `event`, `entry`, `weights`.

    Returns
    -------
    Verification
        Whether it is valid, and why, in a sentence.

    Examples
    --------
    >>> import novikoff
    >>> xor = novikoff.load_dataset("xor")
    >>> certificate = novikoff.separate(xor.X, xor.y).certificate()
    >>> novikoff.verify(certificate, xor.X, xor.y).valid
    True
    """
    try:
        claim = _certificate_of(certificate)
    except CertificateError as error:
        return Verification(False, str(error))
    if is_remote(X):
        return _verify_remote(claim, X, y, outcome)
    matrix, absent = matrix_of(X), 0
    if claim.model is not None:
        named = claim.model.features
        try:
            matrix, absent = _rows_of_model(claim.model, matrix, {"y": y, **outcome})
        except (LabelError, ShapeError) as error:
            return Verification(False, f"the data is not the certificate's: {error}")
        labels: NDArray[Any] = np.ones(matrix.shape[0], dtype=np.int8)
    else:
        if y is None or outcome:
            raise OptionError("this certificate is about points X and labels y, and no regression.")
        named, labels = claim.columns, np.asarray(y)
        check_lengths(matrix, labels)
    reason = (
        _names_reason(named, column_names(X))
        or _shape_reason(claim, matrix)
        or _labels_reason(claim, labels)
        or _data_reason(claim, matrix, _signs(claim, labels))
    )
    return _answer(claim, reason, matrix, absent)


def _verify_remote(
    claim: Certificate, X: Any, y: object, outcome: Mapping[str, Any]
) -> Verification:
    """Verify a certificate on a matrix that is not in memory."""
    if claim.kind == "fewest errors":
        raise OptionError(
            "verify of this certificate cannot work on a scan or a cluster: the claim is about all "
            "rows together. Read the data whole (novikoff.read), if it fits in memory."
        )
    if claim.model is not None:
        return _verify_remote_model(claim, claim.model, X, {"y": y, **outcome})
    if outcome:
        raise OptionError(
            f"{min(outcome)} belongs to a regression, but this claim is not about one."
        )
    # Columns of a Dask array have no names that could be others.
    nameless = is_dask(X) and column_names(X) is None and X.shape[1] == claim.d
    try:
        problem = as_problem(X, y, names=claim.columns if nameless else None)
    except LabelError as error:  # one class, or three
        if y is None and is_dask(X):
            raise
        return Verification(False, f"the data is not the certificate's: {error}")
    return verify_problem(claim, problem)


def _verify_remote_model(
    claim: Certificate, model: RegressionModel, X: Any, given: dict[str, Any]
) -> Verification:
    """Verify a certificate about a regression on a matrix that is not in memory."""
    check_has_codes(model.name, "verify")
    for part in given.keys() - {"y", "weights"}:
        raise OptionError(f"the model {model.name!r} has no {part}.")
    coding = Codes(model.name, model.levels)
    try:
        rows, names = coded_rows(X, given["y"], given.get("weights"), lambda _: coding)
        if rows.shape[1] != len(model.features):
            raise ShapeError(f"X has {rows.shape[1]} columns; the model has {len(model.features)}.")
    except (LabelError, ShapeError) as error:
        return Verification(False, f"the data is not the certificate's: {error}")
    nameless = is_dask(X) and column_names(X) is None
    matrix = build_remote_rows(model, rows).problem.X
    reason = (
        _names_reason(model.features, None if nameless else names)
        or _shape_reason(claim, matrix)
        or _data_reason(claim, matrix, matrix.y)
    )
    return _answer(claim, reason, matrix)


def verify_problem(claim: Certificate, problem: Problem) -> Verification:
    """Check a certificate against points and labels that have been validated already."""
    of_classes = np.asarray(problem.classes)
    first = [int(np.argmax(problem.y == sign)) for sign in (-1, 1)]
    reason = (
        _names_reason(claim.columns, problem.names)
        or _shape_reason(claim, problem.X)
        or _labels_reason(claim, of_classes, first)
    )
    if reason is None:
        signs = _signs(claim, of_classes)[(problem.y > 0).astype(np.intp)]
        reason = _data_reason(claim, problem.X, signs)
    return _answer(claim, reason, problem.X)


def _answer(claim: Certificate, reason: str | None, matrix: Any, absent: int = 0) -> Verification:
    if reason is not None:
        return Verification(False, reason, lines_about(claim, absent=absent))
    rounded: tuple[str, ...] = ()
    if claim.decimals and claim.encoding != "fractions":
        binary = ExactMatrix(matrix, decimals=True).places == BINARY
        rounded = tuple(claim.columns[j] for j in np.flatnonzero(binary))
    about = lines_about(claim, rounded=rounded, absent=absent)
    return Verification(True, proven_sentence(claim), about)


def read_data_of_claim(
    claim: Certificate, X: object, y: object
) -> tuple[ExactMatrix, NDArray[np.int8]]:
    """The data as the certificate reads it: exact numbers, and labels as −1 and +1."""
    matrix = _convert_to_encoding(matrix_of(X), claim.encoding)
    return ExactMatrix(matrix, claim.decimals), _signs(claim, np.asarray(y))


def _rows_of_model(model: RegressionModel, X: Any, given: dict[str, object]) -> tuple[Any, int]:
    """The rows that a certificate about a regression speaks of; how many rows of X are absent."""
    for part in given.keys() - PARTS.keys():
        raise OptionError(f"an outcome has no {part!r}; it has {', '.join(PARTS)}.")
    if X.shape[1] != len(model.features):
        raise ShapeError(f"X has {X.shape[1]} columns; the model has {len(model.features)}.")
    outcome = Outcome.of(model.name, X.shape[0], given)
    return build_rows(model, X, outcome).problem.X, outcome.n - len(outcome.present)


def _certificate_of(certificate: object) -> Certificate:
    if isinstance(certificate, Certificate):
        return certificate
    if isinstance(certificate, Mapping):
        return Certificate.from_dict(certificate)
    if isinstance(certificate, (str, PathLike)):
        return Certificate.load(certificate)
    raise CertificateError(
        f"a Certificate, its file or its fields were expected; got {type(certificate).__name__}."
    )


def _is_class(labels: NDArray[Any], name: Scalar) -> NDArray[np.bool_]:
    """Where the label is `name`: numbers by value, text by text, all else by how it prints."""
    kind, nowhere = labels.dtype.kind, np.zeros(len(labels), np.bool_)
    if kind not in "biufU":
        return np.array([scalar_of(label) == name for label in labels.tolist()])
    if isinstance(name, str) != (kind == "U"):
        return nowhere
    if not isinstance(name, str):  # NumPy would compare the nearest float64 numbers of the two
        held = nearest_float(Fraction(name)) if kind == "f" else int(name)
        if held != name:
            return nowhere
        name = held
        labels = labels.astype(np.float64) if kind == "f" else labels
    return np.asarray(labels == name)


def _signs(claim: Certificate, labels: NDArray[Any]) -> NDArray[np.int8]:
    return np.where(_is_class(labels, claim.classes[1]), 1, -1).astype(np.int8)


def _names_reason(named: tuple[str, ...], names: tuple[str, ...] | None) -> str | None:
    """Why these are not the columns that the certificate names, or None if they have no names."""
    numbered = tuple(str(j) for j in range(len(named)))
    if names is None or names in (named, numbered) or named == default_names(len(named)):
        return None
    if sorted(names) == sorted(named):
        return "the data has the certificate's columns in another order."
    other = sorted(set(names) ^ set(named))
    return f"the data has other columns than the certificate: {list_names(other)}."


def _shape_reason(claim: Certificate, matrix: Any) -> str | None:
    """Why the data has not the certificate's shape, or None."""
    n, d = matrix.shape
    if n != claim.n:
        return f"the data has {n} rows; the certificate speaks of {claim.n}."
    if d != claim.d:
        return f"the data has {d} columns; the certificate speaks of {claim.d}."
    return None


def _labels_reason(
    claim: Certificate, labels: NDArray[Any], rows: list[int] | None = None
) -> str | None:
    """Why these are not the certificate's labels, or None; `rows` has them, all if it is None."""
    negative, positive = claim.classes
    where = _is_class(labels, negative), _is_class(labels, positive)
    strange = np.flatnonzero(~where[0] & ~where[1])
    if len(strange):
        places = strange if rows is None else np.array(rows)[strange]
        k = np.argmin(places)
        return (
            f"row {places[k]} has the label {labels[strange[k]]!s}; "
            f"the certificate speaks of the classes {negative!r} and {positive!r}."
        )
    for name, here in zip(claim.classes, where, strict=True):
        if not here.any() and claim.model is None:
            return f"no row has the label {name!r}, which the certificate speaks of."
    return None


def _data_reason(claim: Certificate, matrix: Any, y: NDArray[np.int8]) -> str | None:
    """Why the certificate does not speak of these data, or does not hold of them, or None."""
    is_summed = claim.model is not None and claim.model.name in SUMMED  # sums are exact
    if claim.encoding == "fractions" and matrix.dtype.kind == "f" and not is_summed:
        return (
            "the data is not the certificate's: it has float64 numbers, and the certificate speaks "
            "of numbers as they are written: give Fraction or Decimal numbers."
        )
    try:
        found = data_sha256(matrix, y, claim.encoding)
    except DataError as error:
        return f"the data is not the certificate's: {error}"
    if found != claim.data_sha256:
        return "the data is not the certificate's: its SHA-256 is another."
    reading = ExactMatrix(_convert_to_encoding(matrix, claim.encoding), claim.decimals)
    return claim_reason(claim, reading, y)


def _convert_to_encoding(matrix: Any, encoding: Encoding) -> Any:
    """The matrix as the certificate read it: Python's exact numbers, or float64 ones."""
    if isinstance(matrix, RemoteMatrix):
        return matrix  # float64 holds what a file has been read as
    if encoding == "fractions" and matrix.dtype != object:
        dense = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
        return np.vectorize(as_fraction, otypes=[object])(dense)
    if encoding != "fractions" and matrix.dtype == object:
        return matrix.astype(np.float64)
    return matrix
