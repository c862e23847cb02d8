"""Mutated certificates and files; see tests/certificates/fuzz.py."""

import sys
from random import Random

import numpy as np
from tests.certificates.fuzz import Report, one
from tests.fuzz.cases import Case, Wrong

LONGEST = 100_000  # digits of a number, as the checker sets it for itself


def draw(rng: np.random.Generator) -> Case:
    return Case(check, {"seed": int(rng.integers(2**63))})


def check(seed: int) -> str:
    """Whether the mutated certificate is true; the checker and `verify` must say the same."""
    report, limit = Report(), sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(LONGEST)
    try:
        one(Random(seed), report)
    finally:
        sys.set_int_max_str_digits(limit)
    if report.wrong:
        raise Wrong(report.wrong[0])
    return "valid" if report.counts["valid"] else "not valid"
