"""`scipy.sparse`, loaded when a sparse matrix is met: most data is dense, and it loads slowly.

Used as SciPy's own module is: `from novikoff.core import sparse as sp`.
"""

import sys
from importlib import import_module
from typing import Any

__all__ = ["csr_of", "issparse"]


def issparse(X: object) -> bool:
    """Whether `X` is a sparse matrix or array; there is none before `scipy.sparse` is loaded."""
    if not hasattr(X, "tocsr"):  # most X, of which SciPy takes longer to say so
        return False
    module = sys.modules.get("scipy.sparse")
    return module is not None and bool(module.issparse(X))


def csr_of(X: Any) -> Any:
    """A dense or sparse matrix as CSR; of float16, which SciPy does not know, as float32."""
    narrow = X.dtype.kind == "f" and X.dtype.itemsize < 4
    return import_module("scipy.sparse").csr_array(X.astype("float32") if narrow else X)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_module("scipy.sparse"), name)
