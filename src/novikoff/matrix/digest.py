"""The SHA-256 of the numbers and labels that a certificate is about.

The hash is over bytes that anybody can write again, in one of three encodings:

``"dense-float64"``  the n × d matrix, row by row, little-endian float64, −0.0 written as 0.0
``"csr-float64"``    int64 indptr, int64 indices, float64 data of the CSR matrix: indices sorted,
                     nothing stored twice, no stored zeros; all little-endian
``"fractions"``      numbers that float64 cannot hold: UTF-8 text, "p/q" in lowest terms ("p" for an
                     integer) joined by commas, every row ended by a newline

each followed by the n labels, −1 or +1, one signed byte each.

The hash is that of the bytes one after the other (FIPS 180-4), so it cannot be put together from
hashes of parts. Where the rows are on several machines the state of a `Sha256` walks past them, a
hundred bytes or so. For data in memory `hashlib` is faster, and gives the same digest.
"""

import hashlib
from collections.abc import Iterator
from functools import partial
from math import isqrt
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.errors import DataError
from novikoff.matrix.problem import Matrix, as_fraction, exact_text, float64_holds
from novikoff.matrix.remote import Part, RemoteMatrix, over_parts

Encoding: TypeAlias = Literal["dense-float64", "csr-float64", "fractions"]
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)

BLOCK = 1 << 19  # numbers converted together: 4 MB of float64


def encoding_of(X: Matrix) -> Encoding:
    """The encoding for `X`: as it is stored, unless float64 cannot hold its numbers."""
    if not _is_all_float64(X):
        return "fractions"
    sparse = X.is_sparse if isinstance(X, RemoteMatrix) else sp.issparse(X)
    return "csr-float64" if sparse else "dense-float64"


def _is_all_float64(X: Matrix) -> bool:
    """Whether every number of `X` is a float64."""
    return all(over_parts(X, None, _part_is_float64))


def _part_is_float64(part: Part) -> bool:
    return float64_holds(part.X)


def data_sha256(X: Matrix, y: NDArray[np.int8], encoding: Encoding) -> str:
    """The hash of the points `X` and the signs `y`, as 64 hexadecimal digits."""
    if encoding != "fractions" and not _is_all_float64(X):
        raise DataError(f"float64 cannot hold the numbers of X, and {encoding!r} is made of them.")
    sha = _hash_of_remote(X, encoding) if isinstance(X, RemoteMatrix) else hashlib.sha256()
    for part in [] if isinstance(X, RemoteMatrix) else _parts(X, encoding):
        sha.update(part)
    sha.update(np.ascontiguousarray(y, dtype=np.int8).data)
    return sha.hexdigest()


def _parts(X: Matrix, encoding: Encoding) -> Iterator[Any]:
    """The bytes of the matrix, a block of rows at a time."""
    if encoding == "csr-float64":
        matrix = _canonical(X)
        yield matrix.indptr.astype("<i8").data
        yield matrix.indices.astype("<i8").data
        yield _little_endian(matrix.data)
        return
    for block in row_blocks(X):
        if encoding == "dense-float64":
            yield _little_endian(block)
        else:
            for row in block:
                yield (",".join(exact_text(as_fraction(value)) for value in row) + "\n").encode()


def _hash_of_remote(X: RemoteMatrix, encoding: Encoding) -> Any:
    """The hash of a matrix that is not in memory: a CSR matrix takes three passes."""
    sha = X.new_hash()
    if encoding != "csr-float64":
        return X.walk(partial(_hash_rows, encoding=encoding), sha)
    lengths = np.concatenate([np.zeros(1, np.int64), *X.over_parts(_lengths)])
    sha.update(np.cumsum(lengths).astype("<i8").data)
    return X.walk(_hash_data, X.walk(_hash_indices, sha))


def _hash_rows(part: Part, sha: Any, encoding: Encoding) -> Any:
    for block in _parts(part.X, encoding):
        sha.update(block)
    return sha


def _hash_indices(part: Part, sha: Any) -> Any:
    sha.update(_canonical(part.X).indices.astype("<i8").data)
    return sha


def _hash_data(part: Part, sha: Any) -> Any:
    sha.update(_little_endian(_canonical(part.X).data))
    return sha


def _lengths(part: Part) -> NDArray[np.int64]:
    """How many numbers each row stores."""
    lengths: NDArray[np.int64] = np.diff(_canonical(part.X).indptr).astype(np.int64)
    return lengths


def _little_endian(values: NDArray[Any]) -> memoryview:
    """The bytes of `values` as float64; adding 0.0 turns −0.0 into 0.0 and changes nothing else."""
    return (np.ascontiguousarray(values, dtype="<f8") + 0.0).astype("<f8", copy=False).data


def _canonical(X: Matrix) -> Any:
    """A copy of `X` as CSR with sorted indices, no duplicates and no stored zeros."""
    matrix: Any = sp.csr_array(X.astype(np.float64), copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def row_blocks(X: Matrix) -> Iterator[NDArray[Any]]:
    """The rows of `X`, dense, some at a time: a sparse matrix is never made dense as a whole."""
    n, d = X.shape
    sparse = sp.issparse(X)
    step = max(1, BLOCK // d)
    for start in range(0, n, step):
        block = X[start : start + step]
        yield block.toarray() if sparse else block


# The first 32 bits of the fractional parts of the square roots of the first eight primes.
FIRST = np.array([isqrt(prime << 64) & 0xFFFFFFFF for prime in (2, 3, 5, 7, 11, 13, 17, 19)], "u4")


class Sha256:
    """SHA-256 with the calls of `hashlib.sha256()`; it can be pickled and copied in the middle."""

    def __init__(self) -> None:
        self._state = FIRST.copy()
        self._pending = b""
        self._length = 0

    def update(self, data: Any) -> None:
        """Go on with these bytes."""
        fresh = np.frombuffer(data, np.uint8)
        self._length += len(fresh)
        if self._pending:
            missing = min(64 - len(self._pending), len(fresh))
            self._pending += fresh[:missing].tobytes()
            fresh = fresh[missing:]
            if len(self._pending) < 64:
                return
            _core.sha256_update(self._state, np.frombuffer(self._pending, np.uint8))
        whole = len(fresh) // 64 * 64
        _core.sha256_update(self._state, fresh[:whole])
        self._pending = fresh[whole:].tobytes()

    def hexdigest(self) -> str:
        """The hash of all bytes so far, as 64 hexadecimal digits."""
        zeros = (55 - self._length) % 64
        end = self._pending + b"\x80" + bytes(zeros) + (8 * self._length).to_bytes(8, "big")
        state = self._state.copy()
        _core.sha256_update(state, np.frombuffer(end, np.uint8))
        return state.astype(">u4").tobytes().hex()
