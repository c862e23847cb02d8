"""The search for fewest errors in the extension: plain Python, hostile input, and the time."""

import time

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from novikoff import _core
from novikoff.separability.fewest import search as conflict_simplex
from novikoff.separability.fewest.instance import descend


def in_time():
    return False


def rows(n, rank, seed):
    U = np.random.default_rng(seed).standard_normal((n, rank))
    return U / np.linalg.norm(U, axis=1, keepdims=True)


def new_walk(U):
    return conflict_simplex.new_walk(np.ascontiguousarray(U.T), 0)


# Line searches ------------------------------------------------------------------------------------


def loss_of(U, weights, w):
    return sum(weight for weight, score in zip(weights, U @ w, strict=True) if score <= _core.RIGHT)


def best_step(scores, slopes, weights):
    """The middle of the widest of the best intervals between two places, and the loss there."""
    loss = sum(weights[slopes > 0])
    places, best = -scores / slopes, (0.0, np.inf, 0.0)
    order = np.argsort(places)
    places = places[order]
    for k in range(len(order) - 1):
        loss += -weights[order[k]] if slopes[order[k]] > 0 else weights[order[k]]
        gap = places[k + 1] - places[k]
        is_wider = loss < best[1] + 1e-9 and gap > best[2]
        if gap > 1e-11 and (loss < best[1] - 1e-9 or is_wider):
            best = (places[k] + gap / 2, loss, gap)
    return best[:2]


def direction(U, scores, kind, rng):
    """As `line_search.hpp` chooses it, with the same random numbers."""
    rank = U.shape[1]
    v = rng.standard_normal(rank)
    if kind == 1:
        wrong = np.flatnonzero(scores <= 0)
        return U[wrong[int(rng.random() * len(wrong))]] if len(wrong) else v
    if kind == 2:
        near = np.argsort(np.abs(scores), kind="stable")[: 3 * rank]
        kept = []
        for _ in range(1 + int(rng.random() * (rank - 1)) if rank > 1 else 0):
            u = U[near[int(rng.random() * len(near))]]
            for one in kept:
                u = u - (u @ one) * one
            if np.linalg.norm(u) > 1e-9:
                kept.append(u / np.linalg.norm(u))
        for one in kept:
            v = v - (v @ one) * one
    return v


def descended(U, weights, start, steps, rng):
    w = start / np.linalg.norm(start)
    loss = loss_of(U, weights, w)
    best, best_loss = w, loss
    for step in range(steps):
        v = direction(U, U @ w, step % 3, rng)
        v = v / np.linalg.norm(v)
        theta, found = best_step(U @ w, U @ v, weights)
        if found > loss + 1e-9:
            continue
        w = (w + theta * v) / np.linalg.norm(w + theta * v)
        loss = loss_of(U, weights, w)
        if loss <= best_loss:
            best, best_loss = w, loss
    return best, best_loss


def both_descents(n, rank, steps, seed):
    U = rows(n, rank, seed)
    weights = np.random.default_rng(seed).integers(1, 4, n).astype(float)
    rngs = [np.random.default_rng(seed) for _ in range(2)]
    found = descend(U, weights, U[0] * 3, steps, rngs[0], in_time)
    expected = descended(U, weights, U[0] * 3, steps, rngs[1])
    assert rngs[0].bit_generator.state == rngs[1].bit_generator.state
    assert found[1] == loss_of(U, weights, found[0])
    return found, expected


@pytest.mark.parametrize(("n", "rank"), [(2, 1), (40, 3), (300, 5), (60, 20)])
@pytest.mark.parametrize("seed", range(8))
def test_two_line_searches_are_those_of_plain_python(n, rank, seed):
    (found, loss), (expected, least) = both_descents(n, rank, 2, seed)
    assert loss == least
    assert np.abs(found - expected).max() < 1e-8


@pytest.mark.parametrize(("n", "rank"), [(40, 3), (300, 5)])
@pytest.mark.parametrize("seed", range(8))
def test_many_line_searches_get_as_far_as_plain_python(n, rank, seed):
    """Rows whose scores stay as they are have slopes of rounding errors: planes may differ."""
    (_, loss), (_, least) = both_descents(n, rank, 90, seed)
    assert loss == least


def test_the_random_numbers_are_those_of_numpy():
    """A first step along a random direction: rare branches of the normal distribution included."""
    rank = 100_000
    U, ours, numpys = np.zeros((2, rank)), np.random.default_rng(5), np.random.default_rng(5)
    U[0, 0], U[1, 1] = 1.0, 1.0
    descend(U, np.ones(2), np.ones(rank), 1, ours, in_time)
    numpys.standard_normal(rank)
    assert ours.bit_generator.state == numpys.bit_generator.state


def test_the_loss_counts_what_is_not_a_number():
    plane, loss = descend(
        rows(8, 2, 0), np.ones(8), np.zeros(2), 5, np.random.default_rng(0), in_time
    )
    assert np.isnan(plane).all()
    assert loss == 8


# Walks from conflict to conflict ------------------------------------------------------------------


def walked(at, cost, x, room, *, sharpen=True):
    found = np.full((room, len(at.basis)), -7)
    is_unavoidable, count = _core.enumerate_conflicts(
        at, cost, x, found, 0, sharpen=sharpen, is_late=in_time
    )
    return is_unavoidable, found[:count]


@given(
    st.integers(2, 40), st.integers(1, 6), st.integers(0, 2**32 - 1), st.booleans(), st.booleans()
)
@settings(max_examples=150, deadline=None)
@example(n=22, rank=6, seed=7690, is_grid=False, sharpen=False)  # little weight on forbidden rows
def test_what_is_kept_are_uncovered_conflicts(n, rank, seed, is_grid, sharpen):
    """Σ αᵢuᵢ = 0 with α > 0 on just these rows, Σ x < 1; or a plane is right on all others."""
    rng = np.random.default_rng(seed)
    U = rng.integers(-2, 3, (n, rank)).astype(float) if is_grid else rows(n, rank, seed)
    at = new_walk(U)
    for _ in range(3):
        x, forbidden = rng.random(n), rng.random(n) < 0.2
        cost = np.where(forbidden, _core.FORBIDDEN, x)
        is_unavoidable, found = walked(at, cost, x, 50, sharpen=sharpen)
        if is_unavoidable:
            assert (U[~forbidden] @ at.separator > 0).all()
        for line in found:
            members = line[line >= 0]
            assert set(line[line < 0]) <= {-1}
            assert len(set(members)) == len(members)
            assert not forbidden[members].any()
            assert x[members].sum() < 1
            A = np.vstack([U[members].T, np.ones(len(members))])
            alpha, *_ = np.linalg.lstsq(A, np.append(np.zeros(rank), 1.0), rcond=None)
            assert (alpha > 0).all()
            assert np.abs(A @ alpha - np.append(np.zeros(rank), 1.0)).max() < 1e-5


@pytest.mark.parametrize("seed", range(6))
def test_the_least_cost_is_that_of_a_linear_program(seed):
    from scipy.optimize import linprog

    U, cost = rows(60, 4, seed), np.random.default_rng(seed).random(60)
    at = new_walk(U)
    is_unavoidable, _ = walked(at, cost, np.zeros(60), 0, sharpen=False)
    equations = np.vstack([U.T, np.ones(60)])
    best = linprog(cost, A_eq=equations, b_eq=[0, 0, 0, 0, 1], bounds=(0, None))
    assert not is_unavoidable
    assert cost[at.basis] @ at.inverse[:, -1] == pytest.approx(best.fun, abs=1e-9)


@pytest.mark.parametrize("rank", [4, 40, 320])
def test_the_inverse_stays_one(rank):
    """Also past many pivots, and past the widest basis whose inverse is fresh in each walk."""
    n = 3 * rank
    at, rng = new_walk(rows(n, rank, 1)), np.random.default_rng(0)
    for _ in range(3):
        walked(at, rng.random(n), np.zeros(n), 0, sharpen=False)
    columns = np.vstack([np.column_stack([at.columns.T, np.ones(n)]), np.eye(rank + 1)])[at.basis]
    assert np.abs(columns.T @ at.inverse - np.eye(rank + 1)).max() < 1e-6


def test_rows_of_the_greatest_numbers():
    U = np.array([[1e308, -1e308], [-1e308, 1e308], [5e-324, 0.0], [-5e-324, 0.0]])
    is_unavoidable, found = walked(new_walk(U), np.ones(4), np.zeros(4), 20)
    assert is_unavoidable in (False, True)
    assert ((found >= -1) & (found < 4)).all()
    _, loss = descend(U, np.ones(4), np.ones(2), 30, np.random.default_rng(0), in_time)
    assert loss <= 4


# Time ---------------------------------------------------------------------------------------------


def until(seconds):
    ends = time.monotonic() + seconds
    return lambda: time.monotonic() > ends


@pytest.mark.parametrize(("n", "rank"), [(3000, 900), (1500, 1400)])
def test_a_walk_that_is_late_ends_at_once_and_can_go_on(n, rank):
    at = new_walk(rows(n, rank, 0))
    found, cost = np.empty((1, rank + 1), np.int64), np.ones(n)
    for seconds in (0.1, 0.0, 0.1):
        began = time.monotonic()
        _core.enumerate_conflicts(at, cost, cost, found, 0, sharpen=True, is_late=until(seconds))
        assert time.monotonic() - began < seconds + 0.5  # it takes 0.05, but for other work


def test_what_was_interrupted_starts_afresh():
    at = new_walk(rows(50, 3, 0))
    walked(at, np.ones(50), np.zeros(50), 0)
    at.age[0], at.inverse[:] = -1, np.nan
    walked(at, np.ones(50), np.zeros(50), 0)
    assert np.isfinite(at.inverse).all()
    assert (at.basis < 50).all()


def test_a_descent_that_is_late_returns_what_it_has():
    U, weights, began = rows(20_000, 300, 0), np.ones(20_000), time.monotonic()
    plane, loss = descend(U, weights, U[0], 10**6, np.random.default_rng(0), until(0.2))
    assert time.monotonic() - began < 0.7
    assert loss == loss_of(U, weights, plane)


def test_a_descent_among_what_is_not_a_number():
    U = np.full((30, 4), np.nan)
    U[::2] = np.inf
    _, loss = descend(U, np.ones(30), np.ones(4), 30, np.random.default_rng(0), in_time)
    assert loss <= 30


def test_what_python_raises_comes_through():
    class Stop(Exception):  # noqa: N818
        """Raised by the caller's clock."""

    def stop():
        raise Stop

    with pytest.raises(Stop):
        descend(rows(9, 2, 0), np.ones(9), np.ones(2), 9, np.random.default_rng(0), stop)
    at = new_walk(rows(9, 2, 0))
    arguments = (np.ones(9), np.ones(9), np.empty((0, 0), np.int64), 0)
    with pytest.raises(Stop):
        _core.enumerate_conflicts(at, *arguments, sharpen=True, is_late=stop)


# Sums over conflicts ------------------------------------------------------------------------------


def test_sums_over_the_rows_of_conflicts():
    rng = np.random.default_rng(0)
    table, x = rng.integers(-1, 40, (700, 5)), rng.random(40)
    table[0], table[1, 0] = 39, -(2**63)
    sums = np.empty(690)
    _core.cover_sums(table, x, sums)
    for line, total in zip(table, sums, strict=False):
        expected = 0.0
        for row in line:
            if row < 0:
                break
            expected += x[row]
        assert total == expected


# What does not fit --------------------------------------------------------------------------------


def changed(place, value):
    at = list(new_walk(rows(6, 2, 0)))
    at[place] = value
    return tuple(at)


def stale(basis):
    at = new_walk(rows(6, 2, 0))
    at.age[0], at.basis[:] = 0, basis
    return at


WALK = new_walk(rows(6, 2, 0))
SIX, LINES = np.ones(6), np.empty((4, 3), np.int64)


@pytest.mark.parametrize(
    ("at", "cost", "x", "found", "count"),
    [
        (WALK, np.ones(5), SIX, LINES, 0),
        (WALK, SIX, np.ones(7), LINES, 0),
        (WALK, SIX, SIX, LINES[:, :2].copy(), 0),
        (WALK, SIX, SIX, np.empty((4, 4), np.int64), 0),
        (WALK, SIX, SIX, LINES, 5),
        (WALK, SIX, SIX, LINES, -1),
        (WALK, SIX, SIX, LINES, 2**62),
        (WALK, SIX, SIX, LINES.astype(np.int32), 0),
        (WALK, SIX.astype(np.float32), SIX, LINES, 0),
        (WALK[:5], SIX, SIX, LINES, 0),
        (changed(0, np.ones((3, 6))), SIX, SIX, LINES, 0),
        (changed(0, np.ones((0, 6))), SIX, SIX, LINES, 0),
        (changed(0, np.ones((2, 6), order="F")), SIX, SIX, LINES, 0),
        (changed(1, np.zeros(2, np.int64)), SIX, SIX, LINES, 0),
        (changed(1, np.zeros(3, np.int32)), SIX, SIX, LINES, 0),
        (changed(2, np.zeros((3, 2))), SIX, SIX, LINES, 0),
        (changed(3, np.zeros(2)), SIX, SIX, LINES, 0),
        (changed(4, np.zeros(3)), SIX, SIX, LINES, 0),
        (changed(5, np.zeros(0, np.int64)), SIX, SIX, LINES, 0),
        (changed(5, None), SIX, SIX, LINES, 0),
        (stale((0, 1, 9)), SIX, SIX, LINES, 0),
        (stale((0, -1, 2)), SIX, SIX, LINES, 0),
        (stale((0, 1, 2**63 - 1)), SIX, SIX, LINES, 0),
    ],
    ids=lambda value: "",
)
def test_a_walk_that_does_not_fit_is_refused(at, cost, x, found, count):
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        _core.enumerate_conflicts(at, cost, x, found, count, sharpen=True, is_late=in_time)


BITS = np.random.default_rng(0).bit_generator.capsule


@pytest.mark.parametrize(
    ("U", "weights", "plane", "bits"),
    [
        (np.ones((6, 2)), np.ones(5), np.ones(2), BITS),
        (np.ones((6, 2)), SIX, np.ones(3), BITS),
        (np.ones((0, 2)), np.ones(0), np.ones(2), BITS),
        (np.ones((6, 0)), SIX, np.ones(0), BITS),
        (np.ones((6, 2), np.float32), SIX, np.ones(2), BITS),
        (np.ones((6, 2)), SIX, np.ones(2), None),
        (np.ones((6, 2)), SIX, np.ones(2), np._core.multiarray._ARRAY_API),
    ],
    ids=lambda value: "",
)
def test_a_descent_that_does_not_fit_is_refused(U, weights, plane, bits):
    with pytest.raises((TypeError, ValueError)):
        _core.descend(U, weights, plane, 3, bits, in_time)


@pytest.mark.parametrize(
    ("table", "x", "sums"),
    [
        (np.array([[0, 6]]), SIX, np.ones(1)),
        (np.array([[2**63 - 1]]), SIX, np.ones(1)),
        (np.array([[0, 1]]), SIX, np.ones(2)),
        (np.array([[0, 1]], np.int32), SIX, np.ones(1)),
        (np.array([0, 1]), SIX, np.ones(1)),
    ],
    ids=lambda value: "",
)
def test_sums_that_do_not_fit_are_refused(table, x, sums):
    with pytest.raises((TypeError, ValueError)):
        _core.cover_sums(table, x, sums)
