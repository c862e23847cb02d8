"""The fewest errors, as docs/certificates.md has them, in another way: the oracle of the fuzzer.

The truth is found by all sets of rows: which of them can any plane have right, all together?
"""

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import Any

from tests.certificates.claims import (
    OPTIONAL,
    Rows,
    kind_of,
    require,
    strictly_written,
    written_fraction,
)

SPLIT = {"row", "right", "wrong"}
FIXED = {"fixed", "shares", "then"}
CONFLICT = {"rows", "alpha", "share"}
assert set(OPTIONAL["fewest errors"]) == {"row_weights", "tree"}


@lru_cache(maxsize=100_000)
def fewest(A: Rows, weights: tuple[Fraction, ...]) -> Fraction:
    """The least that the errors of any plane count."""
    n, least = len(A), sum(weights, Fraction(0))
    for chosen in range(1 << n):
        cost = sum((weights[i] for i in range(n) if not chosen >> i & 1), Fraction(0))
        if cost < least and separable(tuple(A[i] for i in range(n) if chosen >> i & 1)):
            least = cost
    return least


@lru_cache(maxsize=100_000)
def separable(A: Rows) -> bool:
    return not A or kind_of(A) == "separable"


def check_fewest(fields: dict[str, Any], A: Rows) -> None:
    """The plane, the conflicts and the tree prove what is claimed, and it is so."""
    n = len(A)
    given = fields.get("row_weights", ["1"] * n)
    require(isinstance(given, list) and len(given) == n)
    weights = tuple(map(written_fraction, given))
    require(min(weights) >= 0 and len(fields["errors"]) == 2)
    least, most = map(written_fraction, fields["errors"])
    require(0 <= least <= most)
    w = [written_fraction(text) for text in [*fields["weights"], fields["intercept"]]]
    require(len(w) == fields["d"] + 1 and (fields["fit_intercept"] or w[-1] == 0))
    check_rows(fields["wrong_rows"], n)
    for i, row in enumerate(A):
        score = sum(x * y for x, y in zip(row, w, strict=False))
        require(score > 0 or i in fields["wrong_rows"])
    require(sum(weights[i] for i in fields["wrong_rows"]) <= most)
    shares = [conflict_share(conflict, A) for conflict in fields["conflicts"]]
    tree = fields.get("tree", "none")
    rows = [frozenset(conflict["rows"]) for conflict in fields["conflicts"]]
    if tree == "none":
        proven = leaf(dict(enumerate(shares)), rows, weights, {})
    else:
        proven = least_leaf(tree, rows, weights, {}, A)
    require(least <= proven)
    assert proven <= fewest(A, weights) <= most, "the page's own proof is none"


def check_rows(rows: Any, n: int) -> None:
    require(isinstance(rows, list) and all(type(i) is int and 0 <= i < n for i in rows))
    require(all(a < b for a, b in pairwise(rows)))


def conflict_share(conflict: Any, A: Rows) -> Fraction:
    require(isinstance(conflict, dict) and set(conflict) == CONFLICT)
    rows, alpha = conflict["rows"], conflict["alpha"]
    check_rows(rows, len(A))
    require(isinstance(alpha, list) and rows and len(alpha) == len(rows))
    numbers = [written_fraction(text) for text in alpha]
    require(min(numbers) > 0)
    columns = zip(*([a * x for x in A[i]] for i, a in zip(rows, numbers, strict=True)), strict=True)
    require(not any(sum(column) for column in columns))
    share = written_fraction(conflict["share"])
    require(share >= 0)
    return share


def leaf(
    shares: dict[int, Fraction],
    rows: list[frozenset[int]],
    weights: tuple[Fraction, ...],
    taken: dict[int, bool],
) -> Fraction:
    """What the shares prove, if each row bears them."""
    for i, weight in enumerate(weights):
        load = sum(share for j, share in shares.items() if i in rows[j])
        allowed = {True: load, False: Fraction(0), None: weight}[taken.get(i)]
        require(load <= allowed)
    total = sum(shares.values(), Fraction(0))
    total += sum(weight for i, weight in enumerate(weights) if taken.get(i) is False)
    step = common_divisor(weights)
    return step * ceil(total / step) if step else Fraction(0)


def common_divisor(weights: tuple[Fraction, ...]) -> Fraction:
    """By Euclid, on fractions as they are."""
    found = Fraction(0)
    for weight in weights:
        while weight:
            found, weight = weight, found % weight
    return found


def least_leaf(
    node: Any,
    rows: list[frozenset[int]],
    weights: tuple[Fraction, ...],
    taken: dict[int, bool],
    A: Rows,
) -> Fraction:
    if isinstance(node, dict) and "fixed" in node:
        require(set(node) == FIXED and bool(node["fixed"]))
        check_rows(node["fixed"], len(A))
        shares = leaf_of(node["shares"], rows)
        sides = []
        for i in node["fixed"]:
            require(i not in taken)
            same = [k for k in range(len(A)) if A[k] == A[i]]
            rest = {j: share for j, share in shares.items() if rows[j].isdisjoint(same)}
            sides.append(leaf(rest, rows, weights, taken | dict.fromkeys(same, False)))
            taken = taken | dict.fromkeys(same, True)
        return min([*sides, least_leaf(node["then"], rows, weights, taken, A)])
    if isinstance(node, dict):
        require(set(node) == SPLIT)
        i = node["row"]
        require(type(i) is int and 0 <= i < len(A) and i not in taken)
        same = [k for k in range(len(A)) if A[k] == A[i]]
        sides = []
        for name, right in (("right", True), ("wrong", False)):
            further = taken | dict.fromkeys(same, right)
            sides.append(least_leaf(node[name], rows, weights, further, A))
        return min(sides)
    return leaf(leaf_of(node, rows), rows, weights, taken)


def leaf_of(node: Any, rows: list[frozenset[int]]) -> dict[int, Fraction]:
    """The shares of a leaf."""
    require(isinstance(node, list))
    shares: dict[int, Fraction] = {}
    for pair in node:
        require(isinstance(pair, list) and len(pair) == 2)
        j, share = pair[0], strictly_written(pair[1])
        require(type(j) is int and 0 <= j < len(rows) and j not in shares)
        shares[j] = share
    return shares
