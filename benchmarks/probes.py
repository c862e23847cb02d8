"""Many concepts on one X, proven: 50 with 5 controls each on 2,000 × 1,000 float32 numbers.

n is nearly 2(d + 1), so random labels are separable half of the time: the hardest place there is.
Half of the concepts are rare (4% of the rows), and with so few rows in a class even shuffled labels
are separable; the others are even, half of them planted with noise and half of them random.
`benchmarks/gpu.py` asks the larger question.
"""

from collections import Counter
from typing import Any

import numpy as np

import novikoff
from benchmarks.table import Results, best_of

RARE, TURNED = 0.04, 0.1
TOO_SHORT = 0.05  # seconds of a part that is not named
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


def add_probes(
    results: Results, name: str, X: Any, Y: Any, device: Any, limit: tuple[str, float]
) -> Any:
    """One call of `probe` with five controls a concept, its verdicts, and where its time goes."""

    def ask() -> Any:
        return novikoff.probe(X, Y, controls=5, device=device, random_state=0, progress=False)

    spent, probes = best_of(1, ask)
    words = Counter(row.verdict for probe in probes for row in (probe, *probe.controls))
    answer = ", ".join(f"{count} {word}" for word, count in sorted(words.items()))
    parts = [f"{part} {s:.1f} s" for part, s in probes.seconds.items() if s > TOO_SHORT]
    results.add(name, f"novikoff.probe, {device}", spent, answer, ", ".join(parts), limit)
    return probes


def run() -> None:
    """The CPU's table."""
    results = Results("Probes: 50 concepts × (1 + 5 controls), 2,000 × 1,000 float32")
    X, Y = workload(2000, 1000, 50)
    n_labellings = 6 * Y.shape[1]
    V = np.random.default_rng(0).standard_normal((len(X), 2 * n_labellings), dtype=np.float32)
    step = best_of(3, lambda: X @ (X.T @ V))[0].processor
    probes = add_probes(results, "50 concepts", X, Y, "cpu", ("one step of all labellings", step))
    results.show()
    print(f"certificates valid: {_verified(X, probes)}")


def _verified(X: Any, probes: Any) -> str:
    """How many of some certificates of each kind `verify` accepts."""
    rows = [row for probe in probes for row in (probe, *probe.controls)]
    chosen: list[Any] = []
    for word in ("separable", "overlapping", "touching", "not separable"):
        chosen += [row for row in rows if row.verdict == word][:CHECKED]
    labels = [np.where(row.labels > 0, row.classes[1], row.classes[0]) for row in chosen]
    valid = [
        novikoff.verify(row.certificate(), X, y).valid
        for row, y in zip(chosen, labels, strict=True)
    ]
    return f"{sum(valid)} of {len(valid)}"
