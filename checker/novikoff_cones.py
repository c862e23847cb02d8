"""What a tree of cones proves of the errors of every plane, beside novikoff_fewest.py.

A plane is a combination of a few vectors: the cones with one choice of their signs each hold all of
them. A row that is not above 0 at any corner of a cone is wrong for every plane in it. A cone is
left as it is, or halved at the middle of the edge between two corners. Numbers here are integers
that are never below the row's true scores: they are rounded up.
"""

import base64
import zlib
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from novikoff_check import spanned
from novikoff_numbers import need, numbers
from novikoff_rows import Row

MOST_VECTORS, MOST_CONES, DEEPEST, LEFT, BITS = 6, 1 << 23, 256, 255, 60
MOST_WORK = 1 << 34  # rows looked at, in all cones
MOST_HELD = 1 << 21  # rows of a cone and of those above it
Bounds = list[tuple[list[int], int]]  # what bounds a row at each corner, and what the row counts


def rank(rows: list[Row]) -> int:
    """How many of the rows are independent."""
    basis, uses = dict[int, Row](), dict.fromkeys((j for row in rows for j in row), 0)
    return sum(not spanned(basis, {j: x for j, x in row.items() if x}, uses) for row in rows)


def scores_at(vectors: Any, A: list[Row], width: int) -> list[list[int]]:
    """Each row's scores at the vectors, times a positive number; the vectors must reach all."""
    need(isinstance(vectors, list) and 1 <= len(vectors) <= MOST_VECTORS, "no 1 to 6 vectors")
    need(all(isinstance(v, list) and len(v) == width for v in vectors), "not a number a column")
    flat = numbers([value for vector in vectors for value in vector], whole=True)
    whole = [flat[start : start + width] for start in range(0, len(flat), width)]
    found = [[Fraction(sum(x * v[j] for j, x in row.items())) for v in whole] for row in A]
    thin = [dict(enumerate(row)) for row in found]
    need(rank(thin) == rank(A), "the cones do not hold all planes")
    common = [lcm(*(value.denominator for value in row)) for row in found]
    return [[int(v * c) for v in row] for row, c in zip(found, common, strict=True)]


def sides(scores: list[list[int]], counts: list[int]) -> tuple[int, Bounds]:
    """What is wrong for every plane; and of rows that share a plane, the side that counts more."""
    both: dict[tuple[int, ...], int] = {}
    for row, count in zip(scores, counts, strict=True):
        key = tuple(value // (gcd(*row) or 1) for value in row)
        both[key] = both.get(key, 0) + count
    sure = both.pop((0,) * len(scores[0]), 0)
    left = []
    for key, count in both.items():
        against = both.get(tuple(-value for value in key), 0)
        sure += min(count, against) if max(key, tuple(-v for v in key)) == key else 0
        if count > against:
            left.append((list(key), count - against))
    return sure, left


def rounded_up(values: list[int]) -> list[int]:
    """Integers of few digits, in proportion to these from above."""
    digits = BITS - max(abs(value).bit_length() for value in values)
    return [value << digits if digits >= 0 else -(-value >> -digits) for value in values]


class Tree:
    """The cones in the order of the tree: those that are halved, and those that are left."""

    def __init__(self, tree: bytes, corners: int) -> None:
        self.tree, self.corners, self.at, self.work = tree, corners, 0, 0

    def cone(self, rows: Bounds, wrong: int, depth: int, held: int) -> int:
        """The least that a cone proves: rows that are wrong in all of it are counted already."""
        need(self.at < len(self.tree), "the tree of cones is cut short")
        node, self.at = self.tree[self.at], self.at + 1
        kept, wrong = self.undecided(rows, wrong)
        self.work, held = self.work + len(kept), held + len(kept)
        need(self.work <= MOST_WORK and held <= MOST_HELD, "the tree of cones takes too long")
        if node == LEFT:
            return wrong
        a, b = divmod(node, MOST_VECTORS)
        need(a < b < self.corners and depth < DEEPEST, "a cone is halved at no edge")
        middles = [((bounds[a] + bounds[b] + 1) >> 1, bounds, count) for bounds, count in kept]
        halves = []
        for j in (b, a):
            half = [([*x[:j], middle, *x[j + 1 :]], count) for middle, x, count in middles]
            halves.append(self.cone(half, wrong, depth + 1, held))
        return min(halves)

    @staticmethod
    def undecided(rows: Bounds, wrong: int) -> tuple[Bounds, int]:
        """The rows that may be right or wrong in a cone, and what all others that are wrong count.

        A row that is bounded by positive numbers at all corners is so in every part of the cone.
        """
        wrong += sum(count for bounds, count in rows if max(bounds) <= 0)
        return [(x, count) for x, count in rows if min(x) <= 0 < max(x)], wrong


def least_of_cones(cones: Any, A: list[Row], weights: list[Fraction], width: int) -> Fraction:
    """What the errors of every plane count at least."""
    need(isinstance(cones, dict) and cones.keys() == {"vectors", "tree"}, "cones: other fields")
    read = zlib.decompressobj()
    tree = read.decompress(base64.b64decode(cones["tree"], validate=True), MOST_CONES + 1)
    need(len(tree) <= MOST_CONES and read.eof, "too many cones, or a tree that is cut short")
    unit = lcm(*(weight.denominator for weight in weights))
    counts = [int(weight * unit) for weight in weights if weight]
    if not counts:
        return Fraction(0)
    counting = [row for row, weight in zip(A, weights, strict=True) if weight]
    sure, left = sides(scores_at(cones["vectors"], counting, width), counts)
    walk, least = Tree(tree, len(cones["vectors"])), []
    for signs in range(1 << len(cones["vectors"])):
        turned = [[-v if signs >> j & 1 else v for j, v in enumerate(row)] for row, _ in left]
        bounds = [(rounded_up(row), n) for row, (_, n) in zip(turned, left, strict=True)]
        least.append(walk.cone(bounds, sure, 0, 0))
    need(walk.at == len(tree), "the tree of cones goes on after its last cone")
    return Fraction(min(least), unit)
