"""Many concepts on one X, proven: on 2 CPU cores, and on a GPU with `--device cuda`.

`python -m benchmarks probes` asks the CPU's question: 50 concepts with 5 controls each on 2,000 ×
1,000 float32 numbers, where n is nearly 2(d + 1) and random labels are separable half of the time:
the hardest place there is. `python -m benchmarks.probes --device cuda --out FOLDER` times the
kernels of the GPU and asks its question: 1,000 concepts with 5 controls on 10,000 × 4,096, half of
the 6,000 labellings not separable. It writes `probes.json` and `probes.md` to the folder.

Half of the concepts are rare (4% of the rows), and with so few rows in a class even shuffled labels
are separable; the others are even, half of them planted with noise and half of them random.
"""

import argparse
import json
import platform
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import novikoff
from benchmarks.table import Results

RARE, TURNED = 0.04, 0.1
CHECKED = 3  # certificates of each kind that `verify` is asked about, where that is quick


def workload(n: int, d: int, concepts: int, seed: int = 0) -> tuple[Any, Any]:
    """Activations in float32, and labels: rare concepts, planted ones with noise, random ones."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d), dtype=np.float32)
    scores = X @ rng.standard_normal((d, concepts), dtype=np.float32)
    Y = np.empty((n, concepts), dtype=np.int8)
    for j in range(concepts):
        if j % 2 == 0:
            Y[:, j] = scores[:, j] > np.quantile(scores[:, j], 1 - RARE)
        elif j % 4 == 1:
            Y[:, j] = (scores[:, j] > 0) ^ (rng.random(n) < TURNED)
        else:
            Y[:, j] = rng.random(n) < 0.5
    return X, Y


def measured(n: int, d: int, concepts: int, controls: int, device: str) -> dict[str, Any]:
    """One call of `probe`, its time and its verdicts; some certificates are verified after it."""
    X, Y = workload(n, d, concepts)
    start = time.perf_counter()
    probes = novikoff.probe(X, Y, controls=controls, device=device, random_state=0, progress=False)
    seconds = time.perf_counter() - start
    labellings = [row for probe in probes for row in (probe, *probe.controls)]
    words = Counter(row.verdict for row in labellings)
    valid, tried = _verified(X, labellings)
    return {
        "n": n,
        "d": d,
        "concepts": concepts,
        "controls": controls,
        "device": probes.device,
        "seconds": seconds,
        "labellings": len(labellings),
        "verdicts": dict(words),
        "margin_gap": _median_gap(labellings),
        "certificates_valid": f"{valid} of {tried}",
        "notes": list(probes.notes),
        "parts": {part: round(value, 2) for part, value in probes.seconds.items()},
        "device_gigabytes": _device_gigabytes() if probes.device == "cuda" else None,
    }


def _device_gigabytes() -> float:
    import cupy

    return round(cupy.get_default_memory_pool().total_bytes() / 1e9, 1)


def _verified(X: Any, labellings: list[Any]) -> tuple[int, int]:
    chosen: list[Any] = []
    for word in ("separable", "overlapping", "touching", "not separable"):
        chosen += [row for row in labellings if row.verdict == word][:CHECKED]
    valid = sum(
        bool(novikoff.verify(row.certificate(), X, _labels_of(row)).valid) for row in chosen
    )
    return valid, len(chosen)


def _labels_of(row: Any) -> Any:
    return np.where(row.labels > 0, row.classes[1], row.classes[0])


def _median_gap(labellings: list[Any]) -> float | None:
    gaps = [1 - row.margin.lower / row.margin.upper for row in labellings if row.margin is not None]
    return float(np.median(gaps)) if gaps else None


def kernels() -> dict[str, float]:
    """What limits it: rates of the matrix products, and times of the factorisations."""
    import cupy

    rng = cupy.random.default_rng(0)
    n, k, m = 10_000, 4_097, 4_096
    Q = rng.standard_normal((n, k))
    V = rng.standard_normal((n, m))
    small = Q.astype(cupy.float32), V.astype(cupy.float32)
    gram = Q.T @ Q
    flops = 4.0 * n * k * m
    return {
        "float64 product, TFLOP/s": flops / _timed(lambda: Q @ (Q.T @ V)) / 1e12,
        "float32 product, TFLOP/s": flops
        / _timed(lambda: small[0] @ (small[0].T @ small[1]))
        / 1e12,
        "Gram matrix of 10,000 × 4,097, s": _timed(lambda: Q.T @ Q),
        "Cholesky of 4,097, s": _timed(lambda: cupy.linalg.cholesky(gram)),
        "eigenvectors of 4,097, s": _timed(lambda: cupy.linalg.eigh(gram)),
        "GB/s of elementwise work": 3 * V.nbytes / _timed(lambda: V * V - V) / 1e9,
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


def run() -> None:
    """The CPU's table."""
    results = Results("Probes: 50 concepts with 5 controls on 2,000 × 1,000 float32 (2 cores)")
    found = measured(2000, 1000, 50, 5, "cpu")
    results.add("50 concepts", "novikoff.probe", found["seconds"], found["verdicts"],
                f"certificates valid: {found['certificates_valid']}")  # fmt: skip
    results.show()


def markdown(report: dict[str, Any]) -> str:
    """The report as tables for the docs."""
    lines = [f"On {report['machine']}:", ""]
    if report["kernels"]:
        lines += ["| kernel | measured |", "|---|---|"]
        lines += [f"| {name} | {value:.3g} |" for name, value in report["kernels"].items()]
        lines.append("")
    lines += [
        "| X | concepts × (1 + controls) | seconds | verdicts | median gap of margins | valid |",
        "|---|---|---|---|---|---|",
    ]
    for row in report["runs"]:
        words = ", ".join(f"{count} {word}" for word, count in sorted(row["verdicts"].items()))
        gap = "" if row["margin_gap"] is None else f"{row['margin_gap']:.1%}"
        lines.append(
            f"| {row['n']:,} × {row['d']:,} | {row['concepts']:,} × {1 + row['controls']} "
            f"| {row['seconds']:.1f} | {words} | {gap} | {row['certificates_valid']} |"
        )
    for row in report["runs"]:
        parts = ", ".join(f"{part} {value:.1f} s" for part, value in row["parts"].items())
        lines += ["", f"{row['n']:,} × {row['d']:,}: {parts}."]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--small", action="store_true", help="the CPU's question only")
    options = parser.parse_args()
    machine = f"{platform.processor() or platform.machine()}, Python {platform.python_version()}"
    report: dict[str, Any] = {"machine": machine, "kernels": {}, "runs": []}
    if options.device == "cuda":
        import cupy

        name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        report["machine"] = f"one {name}, CuPy {cupy.__version__}"
        report["kernels"] = kernels()
        print(json.dumps(report["kernels"], indent=1), flush=True)
    sizes = [(2000, 1000, 50, 5)]
    if options.device == "cuda" and not options.small:
        sizes.append((10_000, 4_096, 1_000, 5))
    for size in sizes:
        report["runs"].append(measured(*size, options.device))
        print(json.dumps(report["runs"][-1], ensure_ascii=False), flush=True)
        if options.out is not None:
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / "probes.json").write_text(json.dumps(report, indent=1))
            (options.out / "probes.md").write_text(markdown(report))
    print(markdown(report))


if __name__ == "__main__":
    main()
