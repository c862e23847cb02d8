"""Factors: columns of zeros and ones of which a row has at most one, its level.

In treatment coding one level has no column: the base, whose rows have zeros in all of them. It is a
level as the others are, so a base whose rows all have one outcome separates, too.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.matrix.digest import row_blocks
from novikoff.matrix.problem import Matrix

LEVEL = re.compile(r"(.+?)\[(?:T\.)?([^\[\]]*)\]")  # id1[b], C(id1)[T.b]
SHOWN = 3  # columns named where nobody knows what the base is called


@dataclass(frozen=True)
class Factor:
    """Columns of one factor, the rows in which all of them are 0, and what these are called."""

    columns: tuple[int, ...]
    base_rows: NDArray[np.bool_]
    title: str
    named: bool


def base_levels(names: Iterable[str], levels: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """The base of each factor that these columns code: its one level without a column.

    `levels` are the values of the columns that were coded, or of the factors themselves.
    """
    coded: dict[str, set[str]] = {}
    for match in filter(None, map(LEVEL.fullmatch, names)):
        coded.setdefault(match[1], set()).add(match[2])
    found = {}
    for factor, there in coded.items():
        called = re.fullmatch(r"C\(([^,]+?)(?:,.*)?\)", factor)
        values = levels.get(factor) or levels.get((called[1] if called else factor).strip("` "), ())
        missing = [value for value in values if str(value) not in there]
        if len(missing) == 1:
            found[factor] = missing[0]
    return found


def factors_of(X: Matrix, names: Sequence[str], bases: Mapping[str, Any]) -> list[Factor]:
    """The factors among the columns whose base has rows.

    Columns are a factor by their names (`id1[b]`), or because they stand side by side and no row
    has two of them.
    """
    levels = levels_in(X)
    by_name: dict[str, list[int]] = {}
    others = []
    for j in levels:
        match = LEVEL.fullmatch(names[j])
        if match:
            by_name.setdefault(match[1], []).append(j)
        else:
            others.append(j)
    ones = _Ones(X, levels)
    found = []
    for factor, columns in by_name.items():
        title = f"{factor} = {bases[factor]}" if factor in bases else None
        found += [_factor(run, ones, names, title) for run in _runs(columns, ones)]
    beside = np.split(np.array(others, dtype=np.intp), np.flatnonzero(np.diff(others) != 1) + 1)
    for part in beside:
        found += [_factor(run, ones, names, None) for run in _runs(part.tolist(), ones)]
    return [factor for factor in found if factor.base_rows.any()]


class _Ones:
    """Which rows have a 1 in a column of zeros and ones."""

    def __init__(self, X: Matrix, levels: list[int]) -> None:
        self.n = X.shape[0]
        self._X = sp.csc_array(X) if sp.issparse(X) and levels else X

    def __call__(self, j: int) -> NDArray[np.intp]:
        X = self._X
        if not sp.issparse(X):
            return np.flatnonzero(X[:, j] == 1)
        part = slice(X.indptr[j], X.indptr[j + 1])
        return np.asarray(X.indices[part][X.data[part] == 1], dtype=np.intp)


def _runs(columns: list[int], ones: _Ones) -> list[list[int]]:
    """The columns in their order, cut where a row would have two of them."""
    runs: list[list[int]] = []
    run_of_row = np.full(ones.n, -1)
    for j in columns:
        rows = ones(j)
        if not runs or (run_of_row[rows] == len(runs) - 1).any():
            runs.append([])
        runs[-1].append(j)
        run_of_row[rows] = len(runs) - 1
    return runs


def _factor(columns: list[int], ones: _Ones, names: Sequence[str], title: str | None) -> Factor:
    base = np.ones(ones.n, dtype=np.bool_)
    for j in columns:
        base[ones(j)] = False
    if title is None:
        first = [names[j] for j in columns]
        shown = first if len(first) <= SHOWN else [*first[: SHOWN - 1], "…", first[-1]]
        count = f" ({len(first)} columns)" if len(first) > SHOWN else ""
        return Factor(tuple(columns), base, f"{' = '.join(shown)} = 0{count}", False)
    return Factor(tuple(columns), base, title, True)


def levels_in(X: Matrix) -> list[int]:
    """The columns that hold zeros and ones, some of each."""
    if X.dtype == object:
        return []
    n, d = X.shape
    ones, others = np.zeros(d, dtype=np.intp), np.zeros(d, dtype=np.intp)
    if sp.issparse(X):
        rows = sp.csr_of(X)
        is_one = rows.data == 1
        ones += np.bincount(rows.indices[is_one], minlength=d)
        others += np.bincount(rows.indices[~is_one & (rows.data != 0)], minlength=d)
    else:
        for block in row_blocks(X):
            is_one = block == 1
            ones += is_one.sum(axis=0)
            others += (~is_one & (block != 0)).sum(axis=0)
    levels: list[int] = np.flatnonzero((0 < ones) & (ones < n) & (others == 0)).tolist()
    return levels
