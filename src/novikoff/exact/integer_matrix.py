"""A sparse matrix of integers of any length: SciPy's has none of those.

SciPy moves the places of the entries about; the integers themselves lie in one array beside it,
int64 where they fit and Python's otherwise.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp

INT64 = 1 << 62  # sums below are safe
LIMB = 24  # bits


class IntegerMatrix(NamedTuple):
    """Entry k of the CSR matrix `places` stands for the integer values[places.data[k]]."""

    places: Any
    values: NDArray[Any]

    @classmethod
    def of(cls, data: NDArray[Any], indices: Any, indptr: Any, shape: Any) -> "IntegerMatrix":
        """From the three arrays of a CSR matrix."""
        at = np.arange(len(data), dtype=np.int64)
        return cls(sp.csr_array((at, indices, indptr), shape=shape), data)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.places.shape  # type: ignore[no-any-return]

    @property
    def data(self) -> NDArray[Any]:
        """The stored integers, in the order of the places."""
        return np.asarray(self.values[self.places.data])

    def take(self, rows: Any, columns: Any = None) -> "IntegerMatrix":
        """Some rows, and some columns."""
        chosen = self.places[rows]
        if columns is not None:
            chosen = chosen[:, columns]
        return IntegerMatrix(sp.csr_array(chosen), self.values)

    def transpose(self) -> "IntegerMatrix":
        """Rows for columns."""
        return IntegerMatrix(sp.csr_array(self.places.T), self.values)

    def floats(self) -> NDArray[np.float64]:
        """A dense array of the nearest floats."""
        places = self.places
        data = self.data.astype(np.float64)
        dense = sp.csr_array((data, places.indices, places.indptr), shape=places.shape).toarray()
        return np.asarray(dense, dtype=np.float64)

    def times(self, x: Sequence[int]) -> list[int]:
        """The product with a vector, without rounding."""
        places, data = self.places, self.data
        if len(data) == 0:
            return [0] * self.shape[0]
        if data.dtype != object:
            matrix = sp.csr_array((data, places.indices, places.indptr), shape=places.shape)
            most = max(1, int(abs(matrix).sum(axis=1).max()))
            if max(map(abs, x), default=0) * most < INT64:
                product: list[int] = (matrix @ np.array(x, dtype=np.int64)).tolist()
                return product
        products = data.astype(object) * np.array(x, dtype=object)[places.indices]
        sums = np.zeros(self.shape[0], dtype=object)
        filled = np.flatnonzero(np.diff(places.indptr))  # reduceat knows no empty rows
        sums[filled] = np.add.reduceat(products, places.indptr[filled])
        return [int(value) for value in sums.tolist()]

    def modulo(self, prime: int) -> Any:
        """The residues as a CSR matrix of int64."""
        places = self.places
        residues = (self.data % prime).astype(np.int64)
        return sp.csr_array((residues, places.indices, places.indptr), shape=places.shape)

    def limbs(self) -> list[tuple[int, Any]]:
        """The matrix as Σ 2^shift · part, with parts of int64, those of long integers below 2²⁴."""
        places, data = self.places, self.data
        if data.dtype != object and np.abs(data).max(initial=0) >> LIMB == 0:
            matrix = sp.csr_array((data, places.indices, places.indptr), shape=places.shape)
            return [(0, matrix)]
        signs = np.where(data < 0, -1, 1)
        sizes, shift, parts = np.abs(data), 0, []
        while sizes.any():
            low = ((sizes & ((1 << LIMB) - 1)) * signs).astype(np.int64)
            part = sp.csr_array((low, places.indices, places.indptr), shape=places.shape)
            parts.append((shift, part))
            sizes, shift = sizes >> LIMB, shift + LIMB
        return parts or [(0, sp.csr_array(places.shape, dtype=np.int64))]
