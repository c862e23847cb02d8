"""Mutated certificates and files; see tests/certificates/fuzz.py."""

import numpy as np
from tests.certificates.fuzz import run
from tests.fuzz.cases import Case, Wrong


def draw(rng: np.random.Generator) -> Case:
    return Case(check, {"seed": int(rng.integers(2**63))})


def check(seed: int) -> str:
    """Whether the mutated certificate is true; the checker and `verify` must say the same."""
    report = run(seed, 1)
    if report.wrong:
        raise Wrong(report.wrong[0])
    return "valid" if report.counts["valid"] else "not valid"
