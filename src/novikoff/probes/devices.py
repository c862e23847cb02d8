"""Devices: NumPy on the CPU, or CuPy on a GPU, by the same names.

The searches and proofs of this room are written once against the array API standard: they ask a
`Device` for its module `xp`. Tensors of torch and JAX come in through DLPack; what is on the GPU
already is not copied to the host.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core.options import choice
from novikoff.core.threads import run_in_thread
from novikoff.errors import (
    DataError,
    DeviceError,
    LimitError,
    MissingDependencyError,
    NovikoffError,
)
from novikoff.matrix.arrays import dense_of
from novikoff.matrix.problem import check_float64_holds, matrix_of

DeviceName: TypeAlias = Literal["auto", "cpu", "cuda"]
DEVICES: tuple[DeviceName, ...] = ("auto", "cpu", "cuda")
BLOCK = 1 << 22  # numbers made float64 together
CPU_BYTES = 3 << 29  # of work arrays on the CPU
CUDA_ON_DLPACK = 2
QUICKLY_FACTORED = 500  # rows of a matrix whose eigenvectors take a fraction of a second
LARGEST = 1e100  # sums of squares stay in range
SHARE_OF_FREE = 0.4  # of the GPU's free memory, for the arrays of one batch


class Fallback(Exception):  # noqa: N818
    """The GPU cannot be used; the message says why, and the CPU may be used instead."""


@dataclass(frozen=True)
class Device:
    """A place for arrays: its name, its module of functions, and bytes that a batch may take."""

    name: Literal["cpu", "cuda"]
    xp: Any
    batch_bytes: int

    def array(self, values: Any, dtype: Any = None) -> Any:
        """`values` on this device."""
        return self.xp.asarray(values, dtype=dtype)

    def cast(self, values: Any, dtype: Any) -> Any:
        """`values` in another type."""
        return values.astype(dtype) if hasattr(values, "astype") else self.xp.astype(values, dtype)

    def concat(self, arrays: list[Any], axis: int = 0) -> Any:
        """Arrays one after the other."""
        return self.xp.concatenate(arrays, axis=axis)

    def points(self, X: Any) -> Any:
        """The matrix on this device, as it was given: no number is changed."""
        if self.name == "cpu":
            return X
        return X if isinstance(X, self.xp.ndarray) else self.xp.asarray(X)

    def host(self, values: Any) -> NDArray[Any]:
        """`values` as a NumPy array."""
        return np.asarray(values.get() if hasattr(values, "get") else values)

    def factor(self, function: Any, matrix: Any) -> Any:
        """A function of a square matrix; on the CPU Ctrl-C is heard while LAPACK works."""
        if self.name == "cpu" and matrix.shape[0] > QUICKLY_FACTORED:
            return run_in_thread(function, matrix)
        return function(matrix)

    def blocks(self, X: Any) -> Iterator[tuple[slice, Any]]:
        """The rows of `X` as float64, some at a time: float16 products would overflow."""
        n, d = X.shape
        step = max(1, min(n, BLOCK * (1 if self.name == "cpu" else 32) // max(1, d)))
        for start in range(0, n, step):
            rows = slice(start, min(start + step, n))
            yield rows, self.cast(X[rows, :], self.xp.float64)


CPU = Device("cpu", np, CPU_BYTES)


def choose_device(wanted: DeviceName) -> tuple[Device, str | None]:
    """The device to use, and a sentence if "auto" could not have the GPU that is there."""
    choice("device", wanted, DEVICES)
    if wanted == "cpu":
        return CPU, None
    try:
        return _cuda(), None
    except MissingDependencyError:
        if wanted == "cuda":
            raise
        return CPU, None
    except LimitError as reason:
        if wanted == "cuda":
            raise
        return CPU, f"{reason} The CPU was used instead."
    except Fallback as reason:
        if wanted == "cuda":
            raise DeviceError(
                f"{reason} Use device='cpu', or repair the driver: nvidia-smi says what it sees."
            ) from reason
        return CPU, f"{reason} The CPU was used instead."


def _cupy() -> Any:
    import cupy

    return cupy


def _cuda() -> Device:
    try:
        cupy = _cupy()
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            "device='cuda' needs CuPy: pip install 'novikoff[cuda]', for CUDA 12 (for CUDA 13: "
            f"pip install cupy-cuda13x). Python says: {error}."
        ) from error
    except Exception as error:  # it is there, and a library of the driver's is not
        raise Fallback(f"CuPy cannot be imported ({_first_line(error)}).") from error
    try:
        if cupy.cuda.runtime.getDeviceCount() == 0:
            raise Fallback("CuPy is installed, but there is no GPU.")
        free, _ = cupy.cuda.runtime.memGetInfo()
        # The first call of a library may fail where the driver is older than it, or the library
        # missing: products, sums and factors are what will be asked of them.
        float((cupy.ones((2, 2)) @ cupy.ones((2, 2))).sum())
        float(cupy.linalg.eigh(cupy.eye(2))[0].sum())
    except Fallback:
        raise
    except Exception as error:
        failure = device_error(error)
        if isinstance(failure, LimitError):  # others have its memory: it answers
            raise failure from error
        raise Fallback(f"The GPU does not answer ({_first_line(error)}).") from error
    return Device("cuda", cupy, int(SHARE_OF_FREE * free))


def device_error(error: Exception) -> NovikoffError | None:
    """What an error of the GPU means, as one of ours; None if it is not the GPU's."""
    kinds = {f"{kind.__module__}.{kind.__name__}" for kind in type(error).__mro__}
    ours = [kind for kind in kinds if kind.startswith(("cupy", "cupy_backends"))]
    if not ours:
        return None
    if any("OutOfMemory" in kind for kind in ours):
        return LimitError(
            f"The GPU's memory is too small for this ({_first_line(error)}). "
            "Give fewer rows, columns or concepts at a time, or use device='cpu'."
        )
    return DeviceError(f"The GPU failed ({_first_line(error)}). Use device='cpu'.")


def _first_line(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].rstrip(".")


def host_array(X: Any) -> Any:
    """`X` as a validated NumPy matrix of numbers that float64 holds, copied from a GPU."""
    matrix = matrix_of(_numpy_of(X))
    if not isinstance(matrix, np.ndarray):
        raise DataError("X is sparse; activations are dense: give X.toarray().")
    if matrix.dtype == object:
        raise DataError("X holds Python objects; activations are float16, float32 or float64.")
    check_float64_holds(matrix)
    if matrix.dtype == np.float64:
        largest = max(-float(matrix.min()), float(matrix.max()))
        if largest > LARGEST or 0 < largest < 1 / LARGEST:
            raise DataError(
                f"the largest number of X is {largest:.1e}, whose square float64 cannot work with: "
                "multiply X by a constant, which changes no verdict."
            )
    return matrix


def on_gpu(X: Any) -> bool:
    """Whether `X` lies on an NVIDIA GPU, by what it says of itself to DLPack."""
    if isinstance(X, np.ndarray) or not hasattr(X, "__dlpack_device__"):
        return False
    return int(X.__dlpack_device__()[0]) == CUDA_ON_DLPACK


def gpu_array(X: Any, device: Device) -> Any:
    """A tensor that is on the GPU, as CuPy's array of the same memory; checked as at the door."""
    xp = device.xp
    try:
        array = X if isinstance(X, xp.ndarray) else xp.from_dlpack(_detached(X))
    except (BufferError, TypeError, ValueError, RuntimeError) as error:
        raise DataError(
            f"X cannot be read through DLPack ({_first_line(error)}): bfloat16 has no counterpart "
            "in NumPy; give X.float()."
        ) from error
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise DataError(f"X must be a matrix of numbers; it is {array.ndim}-D of {array.dtype}.")
    # Float32 and less cannot be too large; what can, or is not finite, is named on the host.
    if array.dtype.itemsize == 8 or not bool(xp.isfinite(array).all()):
        host_array(device.host(array))
    return array


def _detached(X: Any) -> Any:
    return X.detach() if hasattr(X, "detach") else X


def _numpy_of(X: Any) -> Any:
    """A tensor of torch, JAX or CuPy as NumPy's; anything else as it is."""
    if on_gpu(X):
        if hasattr(X, "get"):
            return X.get()
        X = _detached(X)
        return np.asarray(X.cpu()) if hasattr(X, "cpu") else np.from_dlpack(X, device="cpu")
    if hasattr(X, "detach"):
        try:
            return np.asarray(_detached(X))
        except TypeError as error:
            raise DataError(f"X cannot be read ({error}): for bfloat16, give X.float().") from error
    if hasattr(X, "__dlpack__") and not hasattr(X, "__array__"):
        return np.from_dlpack(X)
    return dense_of(X) if hasattr(X, "__array_namespace__") else X
