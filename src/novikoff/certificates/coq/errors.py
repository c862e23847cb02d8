"""The fewest errors, in Coq: conflicts with their shares, a tree where there is one, and weights.

A tree is a split with `row`, `right` and `wrong`, or a leaf: pairs of a conflict and its share
there. Without a tree the shares of the conflicts themselves are the only leaf. Rows that are fixed
become splits: where such a row is wrong, the shares of the conflicts without it are the leaf.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.coq.theorem import (
    COMPUTE,
    ProofData,
    Theorem,
    digits,
    integer_list,
    list_term,
    proof_data,
    separator,
    spread,
)
from novikoff.exact.rational import over_one_denominator
from novikoff.exact.reading import ExactMatrix


def fewest_errors(claim: Any, reading: ExactMatrix, signs: NDArray[np.int8]) -> Theorem:
    """No plane makes fewer errors than `errors[0]`; the weights make at most `errors[1]`."""
    data = proof_data(reading, signs, None, fit_intercept=claim.fit_intercept)
    tree = claim.tree
    if tree is None:
        tree = [(j, conflict.share) for j, conflict in enumerate(claim.conflicts)]
    tree = _unfolded(tree, claim, data)
    counts = [Fraction(1)] * data.n if claim.row_weights is None else claim.row_weights
    unit = lcm(*(value.denominator for value in (*counts, *_shares(tree))))
    whole = [int(value * unit) for value in counts]
    alphas = (spread(c.rows, over_one_denominator(c.alpha)[0]) for c in claim.conflicts)
    conflicts = list_term(alphas, ";\n  ")
    definitions = (
        f"{separator(claim)}"
        f"Definition marks : list Z := {spread(claim.wrong_rows, [1] * len(claim.wrong_rows))}.\n"
        f"Definition conflicts : list (list Z) := {conflicts}.\n"
        f"Definition shares : tree := {_tree_term(tree, unit, data)}.\n"
    )
    if claim.row_weights is None:
        return Theorem(("Errors",), data, definitions, _count_rows(data, claim, unit))
    definitions += f"Definition counts : list Z := {integer_list(whole)}.\n"
    return Theorem(("Errors",), data, definitions, _weigh_rows(data, claim, unit, whole))


def _count_rows(data: ProofData, claim: Any, unit: int) -> list[tuple[str, str]]:
    """Every row counts 1."""
    p, least, most = data.planes, ceil(claim.errors[0]), floor(claim.errors[1])
    by = f"at_least_errors_by {p} units rows conflicts shares {digits(unit)} {least}"
    lower = f"rewrite <- (app_nil_r data); apply ({by}); {COMPUTE}"
    by = f"at_most_errors_by {p} units rows weights bias {_denominator(data, claim)} marks {most}"
    rest = f"allowed {p} bias /\\ separates weights bias (except marks data) /\\\n  "
    few = f"(N.of_nat (errors weights bias data) <= {most})%N"
    return [
        (f"at_least_errors {p} {least} data", lower),
        (rest + few, f"apply ({by}); {COMPUTE}"),
    ]


def _weigh_rows(data: ProofData, claim: Any, unit: int, counts: list[int]) -> list[tuple[str, str]]:
    """Every row counts its own weight; the errors are a multiple of what all of these share."""
    p, over = data.planes, digits(unit)
    step = gcd(*counts) or 1
    least = digits(ceil(claim.errors[0] * unit / step) * step)
    most = digits(floor(claim.errors[1] * unit))
    weight = f"weight_of_errors (map (over_L {over}) counts)"
    by = f"weight_of_errors_by {p} units rows counts conflicts shares {over} {step} {least}"
    upper = f"weight_at_most_by {p} units rows weights bias {_denominator(data, claim)} marks "
    upper += f"counts {over} {most}"
    lowest = f"(forall w b, allowed {p} b -> ({least} # {over}) <= {weight} w b data)"
    rest = f"allowed {p} bias /\\ separates weights bias (except marks data) /\\\n  "
    few = f"{weight} weights bias data <= ({most} # {over})"
    return [(lowest, f"apply ({by}); {COMPUTE}"), (rest + few, f"apply ({upper}); {COMPUTE}")]


def _denominator(data: ProofData, claim: Any) -> str:
    return digits(over_one_denominator(data.hat(claim.weights, claim.intercept))[1])


def _is_leaf(node: Any) -> bool:
    return isinstance(node, (list, tuple))


@dataclass(frozen=True)
class _Split:
    """A split as trees have it, made from a fixed row."""

    row: int
    right: Any
    wrong: Any


def _unfolded(node: Any, claim: Any, data: ProofData) -> Any:
    """The tree with a split for each fixed row."""
    if _is_leaf(node):
        return node
    if not hasattr(node, "then"):
        parts = (_unfolded(part, claim, data) for part in (node.right, node.wrong))
        return _Split(node.row, *parts)
    then = _unfolded(node.then, claim, data)
    for row in reversed(node.rows):
        equal = set(_equal_rows(row, data))
        rest = [(j, s) for j, s in node.shares if equal.isdisjoint(claim.conflicts[j].rows)]
        then = _Split(row, then, rest)
    return then


def _equal_rows(row: int, data: ProofData) -> list[int]:
    return [i for i in range(data.n) if data.signed[i] == data.signed[row]]


def _shares(node: Any) -> Iterator[Fraction]:
    """All shares in the leaves of a tree."""
    if _is_leaf(node):
        yield from (share for _, share in node)
    else:
        yield from _shares(node.right)
        yield from _shares(node.wrong)


def _tree_term(node: Any, unit: int, data: ProofData) -> str:
    """The tree in Coq; a split speaks of all rows that equal its row, for these go together."""
    if _is_leaf(node):
        pairs = sorted(node)
        return f"(Leaf {spread([j for j, _ in pairs], [int(s * unit) for _, s in pairs])})"
    equal = [digits(i) for i in _equal_rows(node.row, data)]
    right, wrong = (_tree_term(part, unit, data) for part in (node.right, node.wrong))
    return f"(Split {list_term(equal)}%N {right} {wrong})"
