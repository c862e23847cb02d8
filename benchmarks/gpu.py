"""Many concepts on one X, proven, on a GPU: 1,000 concepts with 5 controls on 10,000 × 4,096.

    python -m benchmarks gpu

Half of the 6,000 labellings are not separable. The first call compiles kernels, which CuPy keeps
on disk, so a second one is timed, too. Without a GPU nothing is measured.
"""

import os
import platform
import time
from collections.abc import Callable
from typing import Any

from benchmarks.probes import add_probes, workload
from benchmarks.table import Results


def kernels() -> dict[str, float]:
    """What limits it: rates of the matrix products, and times of the factorisations."""
    import cupy

    rng = cupy.random.default_rng(0)
    n, k, m = 10_000, 4_097, 4_096
    Q = rng.standard_normal((n, k))
    V = rng.standard_normal((n, m))
    small = Q.astype(cupy.float32), V.astype(cupy.float32)
    gram = Q.T @ Q
    return {
        "Q(QᵀV) in float64, V of 4,096 columns": _timed(lambda: Q @ (Q.T @ V)),
        "the same in float32": _timed(lambda: small[0] @ (small[0].T @ small[1])),
        "Gram matrix of 10,000 × 4,097": _timed(lambda: Q.T @ Q),
        "Cholesky factor of 4,097": _timed(lambda: cupy.linalg.cholesky(gram)),
        "eigenvectors of 4,097": _timed(lambda: cupy.linalg.eigh(gram)),
    }


def _timed(work: Callable[[], Any]) -> float:
    import cupy

    work()
    cupy.cuda.Stream.null.synchronize()
    start = time.perf_counter()
    for _ in range(3):
        work()
    cupy.cuda.Stream.null.synchronize()
    return (time.perf_counter() - start) / 3


def run() -> str | None:
    """Print the tables; the machine, or None where there is no GPU."""
    try:
        import cupy

        name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as error:  # no CuPy, no driver, no GPU
        print(f"No GPU, so nothing is measured: {error}")
        return None
    results = Results("Probes on a GPU: 1,000 concepts × (1 + 5 controls), 10,000 × 4,096 float32")
    rates = kernels()
    for kernel, seconds in rates.items():
        results.add(kernel, "CuPy", seconds, "")
    X, Y = workload(10_000, 4_096, 1_000)
    # Twice 6,000 columns in a step.
    product = rates["the same in float32"] * 12_000 / 4_096
    for call in ("first call, compiles", "second call"):
        add_probes(results, call, X, Y, "cuda", ("one step of all labellings", product))
    results.show()
    return f"one {name}, {os.cpu_count()} cores, Python {platform.python_version()}"
