"""Other sets of wrong rows, and the rows that are wrong in all: against enumeration."""

import numpy as np
import pytest
from tests.oracles import fewest_errors as by_enumeration
from tests.separability.fewest.cases import flips, grid, iris

import novikoff
from novikoff.errors import OptionError


@pytest.mark.parametrize("seed", range(12))
def test_enumeration_has_them_all(seed):
    X, y = grid(9, 2, seed, size=2)
    weights = [1, 1, 2, 1, 1, 0, 1, 1, 1] if seed % 3 == 2 else None
    best, sets = by_enumeration(X.tolist(), y.tolist(), weights=weights)
    found = novikoff.fewest_errors(X, y, weights=weights)
    assert found.errors.upper == best
    others = found.alternatives()
    assert others.counted
    assert sorted(others.sets) == sorted(sets)
    assert len(set(others.sets)) == len(others.sets)
    assert set(others.always_wrong) == set.intersection(*map(set, sets)) if best else True
    assert others.only == (len(sets) == 1)
    # Where there are more than are asked for, what is found is a sample.
    if len(sets) > 1:
        sample = found.alternatives(most=1)
        assert (len(sample.sets), sample.counted, sample.only) == (1, False, False)
        assert set(sample.always_wrong) <= set(others.always_wrong)
    hurried = found.alternatives(time_limit=0)
    assert set(hurried.sets) <= set(sets)
    assert set(hurried.always_wrong) <= set(others.always_wrong)


def test_what_is_proven_is_said():
    # One row far on the wrong side, and nothing else that could be given up for it.
    X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [13.0]]
    found = novikoff.fewest_errors(X, [0, 0, 0, 1, 1, 1, 0])
    others = found.alternatives()
    assert (others.sets, others.only, others.always_wrong) == (((6,),), True, (6,))
    assert str(others) == "these are the only rows that will do: row 6."
    separable = novikoff.fewest_errors(X, [0, 0, 0, 1, 1, 1, 1]).alternatives()
    assert (separable.sets, separable.only) == (((),), True)


def test_the_least_numbers_are_counted_too():
    """A plane's weights are then beyond the largest numbers, unless it is shortened."""
    X, y = np.array([[-1.0], [0.0], [-1.0], [2.0], [2.0], [1.0]]), [0, 1, 1, 1, 1, 0]
    whole = novikoff.fewest_errors(X, y).alternatives()
    assert whole.counted
    tiny = novikoff.fewest_errors(X * 5e-324, y).alternatives()
    assert (tiny.counted, sorted(tiny.sets)) == (True, sorted(whole.sets))


def test_iris():
    X, y = iris(1, 2)
    found = novikoff.fewest_errors(X, y)
    others = found.alternatives()
    by_leaving_out = [
        (i,)
        for i in range(len(y))
        if novikoff.separate(np.delete(X, i, 0), np.delete(y, i)).word == "separable"
    ]
    assert others.counted
    assert sorted(others.sets) == by_leaving_out
    assert others.always_wrong == ()
    assert str(others).startswith(f"there are {len(others.sets)} sets of wrong rows of this size")
    with pytest.raises(OptionError, match="most must be 1 or more"):
        novikoff.alternatives(found, most=0)
    with pytest.raises(OptionError, match="time_limit must be seconds"):
        novikoff.alternatives(found, time_limit=-1)


def test_medium_data_against_the_conflicts():
    """Twenty wrong rows: those in all sets are wrong in every plane that leaving them in denies."""
    X, y = flips(120, 2, 6)
    found = novikoff.fewest_errors(X, y)
    others = found.alternatives()
    assert others.counted
    assert set(others.always_wrong) == set.intersection(*map(set, others.sets))
    for rows in others.sets:
        assert len(rows) == found.errors.upper
        kept = np.setdiff1d(np.arange(len(y)), rows)
        assert novikoff.separate(X[kept], y[kept]).word == "separable"
    for row in others.always_wrong:  # right for sure if it counts more than all the others
        weights = np.ones(len(y))
        weights[row] = len(y)
        assert novikoff.fewest_errors(X, y, weights=weights).errors.lower > found.errors.upper
