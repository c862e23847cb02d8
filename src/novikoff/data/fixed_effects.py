"""Columns for the fixed effects right of a formula's |: one for each level, and for its slopes."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.data.features import numbers, refuse_text
from novikoff.data.formula import FixedEffect
from novikoff.data.source import Source

Level: TypeAlias = tuple[Any, ...]  # a value of each column of the effect


def grouping_columns(source: Source, fixed: Iterable[FixedEffect]) -> list[str]:
    """The columns that fixed effects are made of; slopes are numbers."""
    named = [name for effect in fixed for name in (*effect.columns, *effect.slopes)]
    for name in named:
        source.resolve(name, "formula, --formula")
    refuse_text(source, [name for effect in fixed for name in effect.slopes])
    return named


def in_order(levels: Iterable[Level]) -> list[Level]:
    """The levels sorted, numbers before text."""
    return sorted(levels, key=lambda level: [(isinstance(value, str), value) for value in level])


def levels_together(source: Source, effect: FixedEffect) -> tuple[NDArray[np.intp], list[Level]]:
    """The level of each row, and the levels that occur, in order."""
    codes: NDArray[np.intp] = np.zeros(source.table.num_rows, dtype=np.intp)
    levels: list[Level] = [()]
    for name in effect.columns:
        column = source.column(name)
        column = getattr(column, "combine_chunks", lambda column=column: column)()
        encoded = column if hasattr(column, "dictionary") else column.dictionary_encode()
        values = encoded.dictionary.to_pylist()
        order = in_order((value,) for value in values)
        place = {value: k for k, (value,) in enumerate(order)}
        rank = np.array([place[value] for value in values], dtype=np.intp)
        found, codes = np.unique(
            codes * len(order) + rank[np.asarray(encoded.indices)], return_inverse=True
        )
        levels = [(*levels[both // len(order)], *order[both % len(order)]) for both in found]
    return codes, levels


def fixed_columns(
    source: Source,
    X: Any,
    names: Sequence[str],
    fixed: Iterable[FixedEffect],
    levels: Iterable[Sequence[Level]] | None = None,
) -> tuple[Any, tuple[str, ...]]:
    """X and its names with those of the fixed effects, whose `levels` are those that occur."""
    blocks, titles = [sp.csr_of(X)], list(names)
    n = X.shape[0]
    known = iter(levels or ())
    for effect in fixed:
        codes, here = levels_together(source, effect)
        every = here if levels is None else next(known)
        if levels is not None:
            place = {level: k for k, level in enumerate(every)}
            codes = np.array([place[level] for level in here], dtype=np.intp)[codes]
        called = [f"{effect.title}[{'^'.join(map(_shown, level))}]" for level in every]
        shape = (n, len(every))
        if effect.levels:
            blocks.append(sp.csr_array((np.ones(n), codes, np.arange(n + 1)), shape=shape))
            titles += called
        for slope in effect.slopes:
            values = numbers(source, slope)
            blocks.append(sp.csr_array((values, codes, np.arange(n + 1)), shape=shape))
            titles += [f"{name}:{slope}" for name in called]
    return sp.csr_array(sp.hstack(blocks)), tuple(titles)


def _shown(value: Any) -> str:
    """A value in a name: the number 1990.0 is called 1990, whatever file it stands in."""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if whole else value)
