"""The fewest errors, from plain data: what the shares and trees prove, and no more."""

from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import numpy as np
from tests.certificates.coq.coq import REQUIRED, accepted, in_module, needs_coq

from novikoff import separate
from novikoff.certificates.coq.errors import fewest_errors
from novikoff.exact.reading import ExactMatrix


def conflict(rows, alpha, share):
    return SimpleNamespace(rows=rows, alpha=[Fraction(a) for a in alpha], share=Fraction(share))


def split(row, right, wrong):
    return SimpleNamespace(row=row, right=right, wrong=wrong)


def text_of(X, y, errors, conflicts, weights=(0,), intercept=1, **more):
    wrong = more.get("wrong_rows", [i for i, label in enumerate(y) if label < 0])
    claim = SimpleNamespace(
        fit_intercept=True,
        errors=[Fraction(value) for value in errors],
        wrong_rows=wrong,
        weights=[Fraction(w) for w in weights],
        intercept=Fraction(intercept),
        conflicts=conflicts,
        tree=more.get("tree"),
        row_weights=more.get("row_weights"),
    )
    return fewest_errors(
        claim, ExactMatrix(np.asarray(X, float), True), np.array(y, np.int8)
    ).text()


ZIGZAG = [[0], [1], [2], [3]], [-1, 1, -1, 1]
MIDDLE = [conflict([0, 1, 2], [1, 2, 1], 1)]
SAME = [[0], [0], [0], [0]], [-1, 1, -1, 1]
RING = [conflict([i, (i + 1) % 4], [1, 1], "1/2") for i in range(3)] + [
    conflict([0, 3], [1, 1], "1/2")
]
# Rows 0 and 2 are the same point with the same label: both right, or both wrong.
TREE = split(0, [(0, Fraction(1)), (2, Fraction(1))], [])
PAIRS = [conflict([0, 1], [1, 1], 1), conflict([2, 3], [1, 1], "3/2")]
WEIGHTS = [Fraction(1), Fraction(2), Fraction(3, 2), Fraction(2)]
PLANE = {"weights": [1], "intercept": "-1/2", "wrong_rows": [2]}

CASES = [
    (True, text_of(*ZIGZAG, ("1", "1"), MIDDLE, **PLANE)),
    (True, text_of(*ZIGZAG, ("1/2", "3/2"), MIDDLE, **PLANE)),
    (True, text_of(*ZIGZAG, ("0", "2"), [], **{**PLANE, "wrong_rows": [0, 2]})),
    (False, text_of(*ZIGZAG, ("2", "2"), MIDDLE, **PLANE)),
    (False, text_of(*ZIGZAG, ("1", "0"), MIDDLE, **PLANE)),
    (False, text_of(*ZIGZAG, ("1", "1"), MIDDLE, **{**PLANE, "wrong_rows": [1]})),
    (False, text_of(*ZIGZAG, ("1", "1"), MIDDLE, **{**PLANE, "wrong_rows": [1, 2]})),
    (False, text_of(*ZIGZAG, ("1", "1"), [conflict([0, 1, 2], [1, 1, 1], 1)], **PLANE)),
    (False, text_of(*ZIGZAG, ("1", "1"), [conflict([0, 2], [1, 1], 1)], **PLANE)),
    (False, text_of(*ZIGZAG, ("1", "1"), [], **PLANE)),
    (True, text_of(*SAME, ("2", "2"), RING)),
    (False, text_of(*SAME, ("3", "3"), RING)),
    (False, text_of(*SAME, ("2", "2"), [*RING[:3], conflict([0, 3], [1, 1], "3/4")])),
    (False, text_of(*SAME, ("2", "2"), [*RING[:3], conflict([0, 3], [1, 1], "-1/2")])),
    (True, text_of(*SAME, ("2", "2"), RING, tree=TREE)),
    (False, text_of(*SAME, ("3", "3"), RING, tree=TREE)),
    (False, text_of(*SAME, ("2", "2"), RING, tree=split(0, [(0, Fraction(1))], []))),
    (False, text_of(*SAME, ("2", "2"), RING, tree=split(0, [], [(0, Fraction(1))]))),
    (False, text_of(*SAME, ("2", "2"), RING, tree=split(0, [(4, Fraction(2))], []))),
    (True, text_of(*SAME, ("5/2", "5/2"), PAIRS, row_weights=WEIGHTS)),
    (False, text_of(*SAME, ("5/2", "2"), PAIRS, row_weights=WEIGHTS)),
    (False, text_of(*SAME, ("3", "5/2"), PAIRS, row_weights=WEIGHTS)),
    (False, text_of(*SAME, ("5/2", "5/2"), PAIRS, row_weights=[*map(Fraction, (1, 2, 1, 2))])),
    # Weights of 2 make every number of errors even, so that a share above 2 proves 4.
    (True, text_of(*SAME, ("4", "4"), PAIRS, row_weights=[Fraction(2)] * 4)),
]


@needs_coq
def test_shares_and_trees_prove_what_they_prove(theory_folder):
    modules = (in_module(f"E{i}", text, holds=holds) for i, (holds, text) in enumerate(CASES))
    accepted(theory_folder, "Errors", REQUIRED + "".join(modules))


def fewest(X, y):
    """By trying all sets of rows to leave out."""
    for k in range(len(y)):
        for left_out in combinations(range(len(y)), k):
            kept = [i for i in range(len(y)) if i not in left_out]
            labels = y[kept]
            if len(set(labels.tolist())) < 2 or separate(X[kept], labels).word == "separable":
                return k
    raise AssertionError


@needs_coq
def test_disjoint_conflicts_of_random_points(theory_folder):
    """As many conflicts as can be taken one after another, none sharing a row with another."""
    rng = np.random.default_rng(8)
    modules = []
    for number in range(6):
        X = rng.integers(0, 3, (7, 2)).astype(float)
        y = np.array([-1, 1, *rng.choice([-1, 1], 5)])
        found, left = [], list(range(7))
        while len(set(y[left].tolist())) == 2:
            verdict = separate(X[left], y[left], exact=True)
            if verdict.word == "separable":
                break
            rows = sorted(left[i] for i in verdict.rows)
            alpha = dict(zip((left[i] for i in verdict.rows), verdict.exact_alpha(), strict=True))
            found.append(conflict(rows, [alpha[i] for i in rows], 1))
            left = [i for i in left if i not in rows]
        assert len(found) <= fewest(X, y)
        errors = (str(len(found)), "7")
        right = text_of(X, y, errors, found, weights=(0, 0))
        wrong = text_of(X, y, (str(len(found) + 1), "7"), found, weights=(0, 0))
        modules.append(in_module(f"R{number}", right, holds=True))
        modules.append(in_module(f"W{number}", wrong, holds=False))
    accepted(theory_folder, "Random", REQUIRED + "".join(modules))
