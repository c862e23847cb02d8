"""Cones alone: beside all sets of rows that can be given up, and forged trees in both checkers."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from tests.certificates.proofs import Proof, oracle
from tests.fuzz.cases import Case, Wrong
from tests.fuzz.fewest import WEIGHTS
from tests.fuzz.hostile import points, rows_of, signs_of, table_of
from tests.oracles import fewest_errors as by_enumeration
from tests.separability.fewest.test_cones import searched_alone

import novikoff
from novikoff.certificates.cones import MOST_WEIGHT
from novikoff.certificates.conflicts import Cones
from novikoff.exact.rational import common_divisor

NODES = [0, 1, 2, 3, 5, 7, 8, 9, 14, 15, 30, 35, 36, 42, 254]


def draw(rng: np.random.Generator) -> Case:
    data = points(rng, most_rows=7, most_columns=3)
    n = len(signs_of(data.y))
    weights = rng.choice([*WEIGHTS, 1e25], n)
    return Case(check, {
        "X": data.X, "y": data.y, "fit_intercept": bool(rng.random() < 0.6),
        "weights": weights.tolist() if rng.random() < 0.6 and weights.any() else None,
        "seed": int(rng.integers(1000)),
    })  # fmt: skip


def _forged(rng: np.random.Generator, width: int, cones: Cones | None) -> Cones:
    """Cones that are none, or prove little; or true ones with a change."""
    if cones is None or rng.random() < 0.5:
        numbers = [Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 3), Fraction(2) ** 2000]
        drawn = rng.integers(len(numbers), size=(int(rng.integers(1, 5)), width))
        vectors = tuple(tuple(numbers[k] for k in row) for row in drawn.tolist())
        leaves = bytes([255]) * 2 ** len(vectors)
        cones = Cones(vectors, leaves)
    tree = bytearray(cones.tree)
    for _ in range(int(rng.integers(1, 4))):
        k = int(rng.integers(len(tree) + 1))
        node = int(rng.choice(NODES))
        tree[k : k + int(rng.integers(2))] = [node, 255, 255][: int(rng.choice([0, 1, 3]))]
    return replace(cones, tree=bytes(tree))


def check(X: Any, y: Any, weights: list[float] | None, fit_intercept: bool, seed: int) -> str:
    """What cones prove is the fewest, both checkers accept it, and they agree on forged ones."""
    rows = rows_of(X)
    best, _ = by_enumeration(rows, signs_of(y), fit_intercept=fit_intercept, weights=weights)
    found = novikoff.fewest_errors(X, y, fit_intercept=fit_intercept, weights=weights)
    proof = searched_alone(X, y, weights, fit_intercept)
    if proof is not None and proof.errors != best:
        raise Wrong(f"cones prove {proof.errors} errors, and the fewest is {best}")

    def both(cones: Cones, lower: Fraction) -> tuple[bool, bool]:
        bounds = replace(found.errors, lower=lower, upper=max(lower, found.errors.upper))
        claim = replace(found, errors=bounds, conflicts=(), tree=None, cones=cones).certificate()
        certificate = novikoff.Certificate.from_json(claim.to_json())
        table = Proof("", table_of(X, certificate.encoding), np.asarray(y), certificate)
        return bool(novikoff.verify(certificate, X, y)), oracle(certificate.to_dict(), table)

    if proof is not None and both(proof.cones, best) != (True, True):
        raise Wrong(f"verify and the checker say {both(proof.cones, best)} of true cones")
    rng = np.random.default_rng(seed)
    counts = [Fraction(1 if weights is None else weights[i]) for i in range(len(rows))]
    is_short = sum(counts) < MOST_WEIGHT * common_divisor(counts)  # or `verify` refuses all cones
    word = "no cones" if proof is None else "cones"
    for _ in range(4):
        forged = _forged(rng, len(rows[0]) + fit_intercept, proof and proof.cones)
        more = best * (1 + Fraction(1, 10**30)) + Fraction(1, 10**400)
        for lower in (more, best, Fraction(0)):
            said = both(forged, lower)
            if (is_short and said[0] != said[1]) or (lower > best and any(said)):
                raise Wrong(f"verify and the checker say {said} of {forged}, {lower}")
            if said[0]:
                word += f", forged {'best' if lower else 'none'}"
                break
    return word
