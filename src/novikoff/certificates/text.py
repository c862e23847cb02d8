"""The certificate's paper: strict JSON, exact numbers as strings, and a digest."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any, NoReturn

from novikoff.errors import CertificateError, FileError
from novikoff.matrix.problem import exact_text

WRITTEN_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")
LONGEST = 100_000  # characters of a number: whoever checks a file must be done some time
BITS = 3.33  # of a digit
LONG = 4000  # digits; above about this many, Python's own conversions refuse
# Digits of numbers over one denominator: for each that writes them, and beside these.
SPREAD, FREE = 1000, 10_000_000
LARGEST = 1 << 30  # bytes of a file


class NoCertificateError(CertificateError):
    """Nothing that could be checked: not JSON, or of another format or version."""


def text_of(value: Fraction) -> str:
    """The fraction as "p/q" in lowest terms, or "p" if it is an integer."""
    text = exact_text(value)
    if len(text) > LONGEST:
        raise CertificateError(
            f"a number of {len(text)} characters: a certificate holds at most {LONGEST}."
        )
    return text


def fraction_of(text: object, field: str) -> Fraction:
    """The number that `text` writes; only the one spelling that `text_of` gives is accepted."""
    if isinstance(text, str) and len(text) > LONGEST:
        raise CertificateError(f"{field} has {len(text)} characters; at most {LONGEST} are read.")
    if not isinstance(text, str) or not WRITTEN_FRACTION.fullmatch(text):
        raise CertificateError(f'{field} must be a fraction written as "p/q"; got {_short(text)}.')
    top, _, bottom = text.partition("/")
    denominator = _integer(bottom) if bottom else 1
    value = Fraction(_integer(top), denominator) if denominator else None
    if value is None or text_of(value) != text:
        raise CertificateError(f"{field} is {_short(text)}, not a fraction in lowest terms.")
    return value


def check_together(values: Iterable[Fraction], name: str) -> None:
    """Raise `CertificateError` if these numbers are too long over one denominator.

    What adds them up works with that denominator. Each number may be short, and it long.
    """
    values = list(values)
    common = 1
    for denominator in {value.denominator for value in values}:
        common = lcm(common, denominator)
        if common.bit_length() > BITS * LONGEST:
            raise CertificateError(
                f"{name} have a common denominator of more than {LONGEST} digits: they are not "
                "worked with, because checking them might take for ever."
            )
    pairs = [(v.numerator.bit_length(), v.denominator.bit_length()) for v in values if v]
    written = sum(top + bottom for top, bottom in pairs)
    together = sum(top for top, _ in pairs) + len(pairs) * common.bit_length()
    if common > 1 and together > SPREAD * written + BITS * FREE:
        raise CertificateError(
            f"{name} are {together / BITS:.0f} digits over one denominator, far more than are "
            "written: they are not worked with, because checking them might take for ever."
        )


def _integer(text: str) -> int:
    if len(text) < LONG:
        return int(text)
    from flint import fmpz

    return int(fmpz(text))


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"


def content_digest(fields: Mapping[str, Any]) -> str:
    """SHA-256 of all fields but the digest itself: keys sorted, no spaces, ASCII."""
    content = {key: value for key, value in fields.items() if key != "digest"}
    try:
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise CertificateError(f"a certificate holds plain JSON values only: {error}.") from error
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def parse(text: str) -> dict[str, Any]:
    """The fields of a certificate's text; no key twice, no NaN, and an object at the top."""
    try:
        fields = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        if isinstance(error, CertificateError):
            raise
        raise NoCertificateError(f"not a certificate: not JSON ({error}).") from error
    if not isinstance(fields, dict):
        raise NoCertificateError("not a certificate: a JSON object was expected.")
    return fields


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise NoCertificateError(f"the field {key!r} is there twice.")
        fields[key] = value
    return fields


def _refuse(constant: str) -> NoReturn:
    raise NoCertificateError(f"{constant} is not a number that a certificate can hold.")


def check_size(size: int) -> None:
    """Raise `CertificateError` if a file may not have so many bytes."""
    if size > LARGEST:
        raise CertificateError(f"a certificate has at most {LARGEST} bytes: this one has more.")


def read_text(path: Path) -> str:
    """The text of a certificate file."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise FileError(f"cannot read the certificate {path}: {error.strerror}.") from error
    except ValueError as error:  # the name of no file: it has a null byte
        raise FileError(f"cannot read the certificate {str(path)!r}: {error}.") from error
    check_size(len(content))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoCertificateError(f"{path} is not a certificate: not text in UTF-8.") from error
