"""Certificates made by hand, one of every kind and storage, and the checker as their oracle."""

import copy
import csv
import importlib
import io
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.conflicts import Conflict, Fixed, Split
from novikoff.certificates.fields import content_digest
from novikoff.matrix.problem import Problem
from novikoff.separability.fewest.result import ErrorBounds, FewestErrors

CHECKER = Path(__file__).parents[2] / "checker" / "novikoff_check.py"


class Proof(NamedTuple):
    name: str
    X: Any
    y: Any
    certificate: Certificate


@cache
def checker(name: str = "check") -> Any:
    """A file of the stand-alone checker as a module."""
    sys.path.insert(0, str(CHECKER.parent))
    try:
        return importlib.import_module(f"novikoff_{name}")
    finally:
        sys.path.pop(0)


def checker_for(fields: dict[str, Any]) -> str:
    """The name of the file that checks such a certificate."""
    if "model" in fields:
        return "models"
    return "fewest" if fields.get("kind") == "fewest errors" else "check"


def resealed(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with their digest computed again, as a forger would."""
    return {**fields, "digest": content_digest(fields)}


def changed(certificate: Certificate, change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """A copy of the fields, changed, with the old digest."""
    fields = copy.deepcopy(certificate.to_dict())
    change(fields)
    return fields


XOR = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
LINE = np.array([[-1.0], [0.0], [0.0], [1.0]])


def _dense() -> list[Proof]:
    x = np.array([[1.5, -2.0], [3.25, 0.5], [-1.0, 0.1], [-0.0, -7.0]])
    y = np.array([1, 1, 0, 0])
    separable = Certificate.separable(Problem.of(x, y), [Fraction(2, 3), 0.125], -0.5)
    line_y = np.array(["no", "no", "yes", "yes"])
    line = Problem.of(LINE, line_y, names=["dose"])
    touching = Certificate.touching(line, ([3], 0), [2, 1], [Fraction(5, 7), Fraction(5, 7)])
    xor_y = np.array([False, False, True, True])
    overlapping = Certificate.overlapping(Problem.of(XOR, xor_y), range(4), [1] * 4)
    cycle = Certificate.not_separable(Problem.of(XOR, xor_y), range(4), [2] * 4)
    return [
        Proof("separable", x, y, separable),
        Proof("touching", LINE, line_y, touching),
        Proof("overlapping", XOR, xor_y, overlapping),
        Proof("not separable", XOR, xor_y, cycle),
    ]


def _without_bias() -> list[Proof]:
    x = np.array([[2, 1], [1, 3], [-1, -1], [4, -1]])
    y = np.array([1, 1, -1, 1])
    separable = Certificate.separable(Problem.of(x, y, fit_intercept=False), [1, 2])
    z = np.array([[1.0, 0.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    signs = np.array([-1, 1, -1, 1])
    flat = Problem.of(z, signs, fit_intercept=False)
    overlapping = Certificate.overlapping(flat, range(4), [1, 1, Fraction(1, 9), Fraction(1, 9)])
    return [
        Proof("separable, no bias", x, y, separable),
        Proof("overlapping, rank 2 of 3", z, signs, overlapping),
    ]


def _sparse() -> list[Proof]:
    x = sp.csr_array(
        np.array([[0.0, 2.5, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -4.0], [0.0, -1.0, 0.0]])
    )
    y = np.array([1, 1, -1, -1])
    separable = Certificate.separable(Problem.of(x, y), [1, 1, 1], Fraction(-1, 3))
    levels = sp.csr_array(np.eye(3)[[0, 0, 1, 1, 2, 2]])
    outcome = np.array([0, 1, 0, 1, 1, 1])
    problem = Problem.of(levels, outcome)
    touching = Certificate.touching(problem, ([0, 0, 1], 0), range(4), [1] * 4)
    crossed = np.array([0, 1, 0, 1, 0, 1])
    overlapping = Certificate.overlapping(Problem.of(levels, crossed), range(6), [3] * 6)
    return [
        Proof("separable, CSR", x, y, separable),
        Proof("touching, CSR", levels, outcome, touching),
        Proof("overlapping, CSR", levels, crossed, overlapping),
    ]


def _exact() -> list[Proof]:
    third = Fraction(1, 3)
    x = np.array([[third, 1], [-third, 0], [2 * third, 10**20], [-third, Fraction(-1, 7)]])
    y = np.array([1, 0, 1, 0])
    separable = Certificate.separable(Problem.of(x, y), [1, 0])
    middle = np.array([[Fraction(0)], [third], [2 * third]])
    inside = np.array([0, 1, 0])
    overlapping = Certificate.overlapping(Problem.of(middle, inside), range(3), [1, 2, 1])
    return [
        Proof("separable, fractions", x, y, separable),
        Proof("overlapping, fractions", middle, inside, overlapping),
    ]


def _decimal() -> list[Proof]:
    # x0 + x1 = 0.5 holds for the decimals 0.1 + 0.4 and 0.7 − 0.2, not for their binary values.
    x = np.array([[0.1, 0.4], [0.7, -0.2], [0.1, 0.4], [0.7, -0.2], [0.1, 0.2], [0.3, 0.3]])
    y = np.array([0, 1, 1, 0, 0, 1])
    plane = ([1, 1], Fraction(-1, 2))
    touching = Certificate.touching(Problem.of(x, y), plane, range(4), [1] * 4, decimals=True)
    tenths = np.array([[0.1], [0.2], [0.3]])
    inside = np.array([0, 1, 0])
    between = Problem.of(tenths, inside)
    overlapping = Certificate.overlapping(between, range(3), [1, 2, 1], decimals=True)
    # One tenth and the float64 next to it, and a plane between the two readings of 0.1.
    two = np.array([[0.1], [0.2]])
    split = Problem.of(two, np.array([0, 1]))
    separable = Certificate.separable(split, [10**20], -(10**19) - 1, decimals=True)
    return [
        Proof("touching, decimals", x, y, touching),
        Proof("overlapping, decimals", tenths, inside, overlapping),
        Proof("separable, decimals", two, np.array([0, 1]), separable),
    ]


def _fewest() -> list[Proof]:
    """Errors that are counted by hand: pairs that contradict each other, and a tree."""
    x = np.array([[0.0], [0.0], [1.0], [1.0], [2.0]])
    y = np.array([0, 1, 0, 1, 1])
    pairs = tuple(Conflict(rows, (Fraction(1),) * 2, Fraction(1)) for rows in ((0, 1), (2, 3)))
    two, weights = Fraction(2), tuple(map(Fraction, (2, 1, 1, 3, 1)))
    shares = FewestErrors(
        problem=Problem.of(x, y), errors=ErrorBounds(two, two), weights=(two,),
        intercept=Fraction(-1),
        wrong_rows=np.array([1, 2]), conflicts=pairs, row_weights=weights,
    )  # fmt: skip
    # Row 0 is wrong, or rows 1 and 2 are; both sides of the split prove what the shares prove.
    half = Fraction(1, 2)
    cases = Split(0, ((0, Fraction(1)), (1, Fraction(1))), ((1, half),))
    tree = replace(shares, tree=cases)
    # Row 3 counts 3: a plane that is wrong on it has no chance, and then it bears any share.
    fixed = Fixed((3,), ((0, Fraction(1)),), ((0, Fraction(1)), (1, Fraction(1))))
    origin = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0]])
    labels = np.array([1, 1, 0])
    always = Conflict((0,), (Fraction(1),), Fraction(1))
    one = ErrorBounds(Fraction(1), Fraction(1))
    alone = FewestErrors(
        problem=Problem.of(origin, labels, fit_intercept=False), errors=one, intercept=Fraction(0),
        weights=(Fraction(1), Fraction(0)), wrong_rows=np.array([0]), conflicts=(always,),
    )  # fmt: skip
    return [
        Proof("fewest errors, weights", x, y, shares.certificate()),
        Proof("fewest errors, tree", x, y, tree.certificate()),
        Proof("fewest errors, fixed rows", x, y, replace(shares, tree=fixed).certificate()),
        Proof("fewest errors, no bias", origin, labels, alone.certificate()),
    ]


PROOFS = [*_dense(), *_without_bias(), *_sparse(), *_exact(), *_decimal(), *_fewest()]


def lines_of(X: Any, y: Any, names: Sequence[str], label: str = "outcome") -> list[str]:
    """Points and labels as the lines of a CSV file."""
    dense = X.toarray() if sp.issparse(X) else X
    text = io.StringIO(newline="")
    rows = zip(dense.tolist(), y.tolist(), strict=True)
    csv.writer(text).writerows([[*names, label], *([*row, label] for row, label in rows)])
    return text.getvalue().splitlines(keepends=True)


def oracle(fields: dict[str, Any], proof: Proof) -> bool:
    """Whether the claim in `fields` holds for the proof's data, says the stand-alone checker."""
    lines = lines_of(proof.X, proof.y, fields["columns"], fields["label"] or "outcome")
    try:
        checker(checker_for(fields)).check(json.dumps(resealed(fields)), lines, svmlight=False)
    except checker().NotValid:
        return False
    return True
