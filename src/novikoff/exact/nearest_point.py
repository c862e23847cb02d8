"""The point of a polytope nearest to the origin, in rational numbers.

    minimise ‖Σ αᵢaᵢ‖²   over α ≥ 0, with Σ αᵢ = 1 in each group of rows

One group, rows yᵢx̂ᵢ: the minimum-norm point of their hull. Two groups, rows yᵢxᵢ grouped by class:
the nearest points of the two hulls. Wolfe's active-set method ("Finding the nearest point in a
polytope", 1976): every round solves the optimality system on a few rows, and the norm decreases
strictly, so that without rounding it ends, whatever the data. It is meant to be started from the
rows that floating point found, and is then usually done after one solve.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import flint

from novikoff.exact.lifting import solve_exactly


class Nearest(NamedTuple):
    """Where it ended: `alpha` on `rows`, and `point`, which is Σ αᵢaᵢ times the integer `scale`.

    `levels` are the multipliers of the groups: a·point on the active rows of each.
    `optimal` says that no row lies below its level, so that x is the nearest point itself and not
    just one that has all rows on its side.
    """

    rows: list[int]
    alpha: list[Any]
    point: Any
    scale: int
    levels: list[Any]
    optimal: bool


def nearest_point(
    A: Any,
    groups: Sequence[int],
    start: dict[int, Any],
    *,
    until_optimal: bool,
    check: Callable[[], None] = lambda: None,
) -> Nearest:
    """Start from positive weights on some rows; stop when the point is 0, or separates, or is best.

    `A` is an integer matrix, `groups` the group of each row (0, 1, …). The point separates when the
    least a·x of the groups add up to something positive; with `until_optimal` the search goes on
    from there to the nearest point itself.
    """
    table = A.table()
    rows, alpha = list(start), _normalise(list(start.values()), [groups[i] for i in start])
    n_groups = max(groups) + 1
    while True:
        check()
        chosen = [groups[i] for i in rows]
        solution = _affine_minimum(_take(table, rows), chosen, n_groups, check)
        if solution is None:
            rows, alpha = _without_dependence(table, rows, alpha, chosen, n_groups)
            continue
        target, levels = solution
        if any(value <= 0 for value in target):
            rows, alpha = _step_towards(rows, alpha, target)
            continue
        alpha = target
        point, scale = _combination(table, rows, alpha)
        levels = [level * scale for level in levels]
        if not any(point.entries()):
            return Nearest(rows, alpha, point, int(scale), levels, optimal=True)
        scores = (A * point).entries()
        lowest = [
            min((i for i, g in enumerate(groups) if g == group), key=scores.__getitem__)
            for group in range(n_groups)
        ]
        worst = min(lowest, key=lambda i: scores[i] - levels[groups[i]])
        if scores[worst] >= levels[groups[worst]]:
            return Nearest(rows, alpha, point, int(scale), levels, optimal=True)
        if not until_optimal and sum(scores[i] for i in lowest) > 0:
            return Nearest(rows, alpha, point, int(scale), levels, optimal=False)
        rows, alpha = [*rows, worst], [*alpha, flint.fmpq(0)]


def _take(table: list[list[Any]], rows: list[int]) -> Any:
    return flint.fmpz_mat([table[i] for i in rows])


def _normalise(alpha: list[Any], chosen: list[int]) -> list[Any]:
    totals: dict[int, Any] = {}
    for value, group in zip(alpha, chosen, strict=True):
        totals[group] = totals.get(group, flint.fmpq(0)) + value
    return [flint.fmpq(value) / totals[group] for value, group in zip(alpha, chosen, strict=True)]


def _affine_minimum(
    chosen_rows: Any, chosen: list[int], n_groups: int, check: Callable[[], None]
) -> tuple[list[Any], list[Any]] | None:
    """The α, of any sign, of the nearest point of the affine hull; None if it is not unique."""
    k = chosen_rows.nrows()
    gram = (chosen_rows * chosen_rows.transpose()).table()
    of_group = [[int(g == group) for g in chosen] for group in range(n_groups)]
    system = [gram[i] + [-of_group[g][i] for g in range(n_groups)] for i in range(k)]
    system += [of_group[g] + [0] * n_groups for g in range(n_groups)]
    found = solve_exactly(flint.fmpz_mat(system), [0] * k + [1] * n_groups, check)
    if found is None:
        return None
    solved = [flint.fmpq(value, found[1]) for value in found[0]]
    return solved[:k], solved[k:]


def _without_dependence(
    table: list[list[Any]], rows: list[int], alpha: list[Any], chosen: list[int], n_groups: int
) -> tuple[list[int], list[Any]]:
    """Move along an affine dependence, which keeps the point where it is, until a row drops."""
    lifted = [
        [*row, *(int(g == group) for group in range(n_groups))]
        for row, g in zip((table[i] for i in rows), chosen, strict=True)
    ]
    kernel, _ = flint.fmpz_mat(lifted).transpose().nullspace()
    direction = [row[0] for row in kernel.table()]
    pairs = list(zip(alpha, direction, strict=True))
    # The dependence sums to 0 in each group, so some entry of it is positive.
    step = min(value / change for value, change in pairs if change > 0)
    return _drop_zeros(rows, [value - step * change for value, change in pairs])


def _step_towards(
    rows: list[int], alpha: list[Any], target: list[Any]
) -> tuple[list[int], list[Any]]:
    """As far towards the target as the signs allow; what becomes 0 drops out."""
    step = min(v / (v - t) for v, t in zip(alpha, target, strict=True) if t <= 0)
    return _drop_zeros(rows, [v + step * (t - v) for v, t in zip(alpha, target, strict=True)])


def _drop_zeros(rows: list[int], alpha: list[Any]) -> tuple[list[int], list[Any]]:
    keep = [at for at, value in enumerate(alpha) if value != 0]
    return [rows[at] for at in keep], [alpha[at] for at in keep]


def _combination(table: list[list[Any]], rows: list[int], alpha: list[Any]) -> tuple[Any, Any]:
    """Σ αᵢaᵢ times a positive integer, as an integer column, and that integer."""
    weights, denominator = flint.fmpq_mat(1, len(alpha), alpha).numer_denom()
    point = (weights * _take(table, rows)).transpose()
    return (point, denominator) if denominator > 0 else (-1 * point, -denominator)
