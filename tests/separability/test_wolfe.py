"""Wolfe's method in slices: they bound the time to the next Ctrl-C, and change nothing else."""

from itertools import pairwise

import numpy as np
import pytest

from novikoff.separability.search import wolfe
from novikoff.separability.search.wolfe import nearest_in, new_active


def solved(monkeypatch, most_work, check=lambda: None):
    monkeypatch.setattr(wolfe, "SLICE", most_work)
    rng = np.random.default_rng(0)
    A = rng.standard_normal((400, 300))
    groups = (np.arange(400) % 2).astype(np.int64)
    active = new_active(A, np.array([0, 1]), 301)
    return nearest_in(A, groups, active, 10_000, check), active


def test_slices_change_no_bit(monkeypatch):
    checks = []
    ended, whole = solved(monkeypatch, 1 << 60)
    for most_work in (0, 1 << 20):
        again, sliced = solved(monkeypatch, most_work, lambda: checks.append(1))
        assert again == ended
        for one, other in zip(whole, sliced, strict=True):
            assert one.tobytes() == other.tobytes()
    assert len(checks) > 20


def test_the_work_of_a_slice_is_bounded_while_the_active_rows_grow(monkeypatch):
    """Once its rounds were counted before it started, when they were cheap: 4 s of one slice."""
    sizes = []
    monkeypatch.setattr(wolfe, "_slice", noted(wolfe._slice, sizes))
    solved(monkeypatch, 1 << 20)
    late = [later - size for size, later in pairwise(sizes) if size > 100]
    assert len(late) > 3
    assert max(late) <= wolfe.MOST_ENTERING  # each round is a slice by then


def noted(slice_of, sizes):
    def one(A, group, active, carried, most_work):
        ended = slice_of(A, group, active, carried, most_work)
        sizes.append(int(active.size[0]))
        return ended

    return one


def test_it_ends_between_two_slices(monkeypatch):
    def check():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solved(monkeypatch, 1 << 20, check)
