"""Other sets of wrong rows, and the rows that are wrong in all: against enumeration."""

import numpy as np
import pytest
from tests.fewest.cases import grid, iris
from tests.oracles import fewest_errors as by_enumeration

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
    assert len(set(others.sets)) == len(others.sets)
    assert set(others.sets) <= set(sets)
    assert set(others.always_wrong) <= set.intersection(*map(set, sets)) if best else True
    assert others.only <= (len(sets) == 1)
    # Sampled as they are, on nine rows few are missed.
    assert len(others.sets) >= min(len(sets), 2)


def test_what_is_proven_is_said():
    # One row far on the wrong side, and nothing else that could be given up for it.
    X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [13.0]]
    found = novikoff.fewest_errors(X, [0, 0, 0, 1, 1, 1, 0])
    others = found.alternatives()
    assert (others.sets, others.only, others.always_wrong) == (((6,),), True, (6,))
    assert str(others) == "these are the only rows that will do: row 6."
    separable = novikoff.fewest_errors(X, [0, 0, 0, 1, 1, 1, 1]).alternatives()
    assert (separable.sets, separable.only) == (((),), True)


def test_iris():
    X, y = iris(1, 2)
    others = novikoff.fewest_errors(X, y).alternatives(most=5)
    assert len(others.sets) >= 2
    assert not others.only
    assert others.always_wrong == ()
    for rows in others.sets:
        kept = np.setdiff1d(np.arange(len(y)), rows)
        assert novikoff.separate(X[kept], y[kept]).word == "separable"
    with pytest.raises(OptionError, match="most must be 1 or more"):
        novikoff.alternatives(novikoff.fewest_errors(X, y), most=0)
