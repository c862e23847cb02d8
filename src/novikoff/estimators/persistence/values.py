"""Convert attributes of fitted estimators to JSON and arrays and back: a fixed list of types."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.core import sparse as sp
from novikoff.errors import FileError
from novikoff.learners.status import Status
from novikoff.learners.voted import History
from novikoff.matrix.rows import csr_of
from novikoff.separability.fewest.result import ErrorBounds

FRACTION = re.compile(r"-?(0x[0-9a-f]+|0|[1-9][0-9]*)(/(0x[0-9a-f]+|[1-9][0-9]*))?")
MOST_DECIMAL_BITS = 10_000  # Python writes 4300 decimal digits, some 14,000 bits

# The arrays of a model, by the names that its JSON calls them by.
Arrays = dict[str, NDArray[Any]]


def encode(value: object, arrays: Arrays, where: str) -> Any:
    """JSON for a value; arrays go to `arrays`. An error names what has no place in a file."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else {"float": str(value)}
    if isinstance(value, np.generic):
        return encode(value.item(), arrays, where)
    for kind, (matches, write, _) in KINDS.items():
        if matches(value):
            return {kind: write(value, arrays, where)}
    raise FileError(
        f"{where} is a {type(value).__name__}, which cannot be written to a model file: "
        "nothing in it may be code."
    )


def decode(written: Any, arrays: Arrays) -> Any:
    """The value that some JSON stands for."""
    if not isinstance(written, Mapping):
        if isinstance(written, list):
            raise FileError("a bare list where a value is expected.")
        return written
    if len(written) != 1:
        raise FileError(f"a value of unknown kind: {sorted(written)}.")
    [(kind, content)] = written.items()
    if kind == "float":
        return float(content)
    if kind not in KINDS:
        raise FileError(f"a value of unknown kind {kind!r}.")
    return KINDS[kind][2](content, arrays)


def _write_items(values: Any, arrays: Arrays, where: str) -> list[Any]:
    return [encode(value, arrays, f"{where}[{i}]") for i, value in enumerate(values)]


def _read_items(content: Any, arrays: Arrays) -> list[Any]:
    return [decode(item, arrays) for item in content]


def _write_dict(value: Any, arrays: Arrays, where: str) -> list[Any]:
    return [_write_items(pair, arrays, f"{where}[{pair[0]!r}]") for pair in value.items()]


def _read_dict(content: Any, arrays: Arrays) -> dict[Any, Any]:
    return {decode(key, arrays): decode(value, arrays) for key, value in content}


def _write_array(value: Any, arrays: Arrays, _: str) -> str:
    name = f"a{len(arrays)}"
    arrays[name] = value
    return name


def _read_array(content: Any, arrays: Arrays) -> NDArray[Any]:
    # Taken out: one array in many places would be copied for each of them later.
    if not isinstance(content, str) or content not in arrays:
        raise FileError(f"the array {content!r} is missing, or named twice.")
    return arrays.pop(content)


def _write_objects(value: Any, arrays: Arrays, where: str) -> dict[str, Any]:
    return {"shape": list(value.shape), "items": _write_items(value.ravel(), arrays, where)}


def _read_objects(content: Any, arrays: Arrays) -> NDArray[Any]:
    items = _read_items(content["items"], arrays)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.reshape(content["shape"])


def _write_csr(value: Any, arrays: Arrays, where: str) -> dict[str, Any]:
    matrix = sp.csr_array(value)
    parts = {name: getattr(matrix, name) for name in ("data", "indices", "indptr")}
    written: dict[str, Any] = {k: _write_array(v, arrays, where) for k, v in parts.items()}
    return written | {"shape": list(matrix.shape)}


def _read_csr(content: Any, arrays: Arrays) -> Any:
    data, indices, indptr = (
        _read_array(content[name], arrays) for name in ("data", "indices", "indptr")
    )
    rows, columns = content["shape"]
    # Looked at before scipy sees it, whose own constructor follows indices to sort them.
    if data.dtype.kind not in "biuf" or data.ndim != 1:
        raise FileError("a sparse matrix whose data are not numbers.")
    if rows != len(indptr) - 1:
        raise FileError(f"a sparse matrix of {rows!r:.40} rows, and {len(indptr)} starts of rows.")
    matrix = sp.csr_array((int(rows), int(columns)))
    matrix.data, matrix.indices, matrix.indptr = data, indices, indptr
    return csr_of(matrix)


def _write_random_state(value: Any, arrays: Arrays, where: str) -> list[Any]:
    return _write_items(value.get_state(legacy=True), arrays, where)


def _read_random_state(content: Any, arrays: Arrays) -> np.random.RandomState:
    name, key, position, has_gauss, gauss = _read_items(content, arrays)
    sound = (
        name == "MT19937"
        and isinstance(key, np.ndarray)
        and key.shape == (624,)
        and key.dtype == np.uint32
        and key.any()
        and type(position) is int
        and 0 <= position <= 624  # beyond it NumPy would read memory that is not its own
        and has_gauss in (0, 1)
        and isinstance(gauss, float)
    )
    if not sound:
        raise FileError("a malformed RandomState.")
    random_state = np.random.RandomState()
    random_state.set_state((name, key, position, has_gauss, gauss))
    return random_state


def _write_fraction(value: Fraction, *_: Any) -> str:
    """Decimal, as people read it; hexadecimal where Python would refuse to write that many."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= MOST_DECIMAL_BITS:
        return str(value)
    return f"{value.numerator:#x}/{value.denominator:#x}"


def _read_fraction(content: Any, _: Arrays) -> Fraction:
    """p, p/q, or both in hexadecimal; never an exponent, which could stand for any size."""
    if not isinstance(content, str) or FRACTION.fullmatch(content) is None:
        raise FileError(f"{str(content)[:40]!r} is not a fraction.")
    numerator, _slash, denominator = content.partition("/")
    return Fraction(int(numerator, 0), int(denominator or "1", 0))


def _write_bounds(value: ErrorBounds, *_: Any) -> list[str]:
    return [_write_fraction(value.lower), _write_fraction(value.upper)]


def _read_bounds(content: Any, arrays: Arrays) -> ErrorBounds:
    lower, upper = (_read_fraction(value, arrays) for value in content)
    if not 0 <= lower <= upper:
        raise FileError("error bounds must be 0 <= lower <= upper.")
    return ErrorBounds(lower, upper)


def _read_certificate(content: Any, _: Arrays) -> Certificate:
    return Certificate.from_dict(content)


# The small records that estimators keep, and the modules they are in.
RECORDS = {
    "ExactAverage": "novikoff.learners.exact_run",
    "Interval": "novikoff.separability.verdict_base",
    "History": "novikoff.learners.voted",
    "Memory": "novikoff.learners.budget",
    "Network": "novikoff.estimators.network",
    "Past": "novikoff.learners.pocket",
    "Run": "novikoff.learners.run",
}


def _record(name: str) -> Any:
    if name not in RECORDS:
        raise FileError(f"a record of unknown kind {name!r}.")
    return getattr(import_module(RECORDS[name]), name)


def _is_record(value: object) -> bool:
    kind = type(value)
    return kind.__module__ == RECORDS.get(kind.__name__)


def _fields(kind: Any) -> list[str]:
    return list(kind._fields) if issubclass(kind, tuple) else [f.name for f in fields(kind)]


def _write_record(value: Any, arrays: Arrays, where: str) -> dict[str, Any]:
    kind = type(value)
    if isinstance(value, History):  # room for more is not part of what was learned
        value = value.trim()
    named = {name: getattr(value, name) for name in _fields(kind)}
    content = {name: encode(v, arrays, f"{where}.{name}") for name, v in named.items()}
    return {"name": kind.__name__, "fields": content}


def _read_record(content: Any, arrays: Arrays) -> Any:
    kind = _record(content["name"])
    return kind(**{name: decode(value, arrays) for name, value in content["fields"].items()})


def _is(*kinds: type) -> Callable[[object], bool]:
    return lambda value: isinstance(value, kinds)


def _is_plain_array(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "biufUS"


# For each kind: which values it is for, how they are written, how they are read.
KINDS: dict[str, tuple[Callable[[object], bool], Callable[..., Any], Callable[..., Any]]] = {
    "record": (_is_record, _write_record, _read_record),
    "status": (_is(Status), lambda v, *_: v.name, lambda c, _: Status[c]),
    "fraction": (_is(Fraction), _write_fraction, _read_fraction),
    "certificate": (_is(Certificate), lambda v, *_: v.to_dict(), _read_certificate),
    "error bounds": (_is(ErrorBounds), _write_bounds, _read_bounds),
    "list": (_is(list), _write_items, _read_items),
    "tuple": (_is(tuple), _write_items, lambda c, arrays: tuple(_read_items(c, arrays))),
    "dict": (_is(dict), _write_dict, _read_dict),
    "array": (_is_plain_array, _write_array, _read_array),
    "objects": (_is(np.ndarray), _write_objects, _read_objects),
    "csr": (sp.issparse, _write_csr, _read_csr),
    "dice": (_is(np.random.RandomState), _write_random_state, _read_random_state),
}  # fmt: skip
