"""The same data, the same answer: on any number of cores, with any limit that is not reached."""

import numpy as np
import pytest
from tests.separability.fewest.cases import flips, iris

from novikoff import fewest_errors
from novikoff.separability.fewest import search as hitting


def hard(seed):
    """Labels that know nothing of the points: it takes a tree."""
    rng = np.random.default_rng(seed)
    return rng.integers(-4, 5, (30, 3)).astype(float), rng.integers(0, 2, 30)


@pytest.mark.parametrize("data", [hard(22), hard(58), flips(150, 5, 9), iris(1, 2)])
def test_one_core_or_two(data, monkeypatch):
    X, y = data
    proofs = []
    for cores, time_limit in ((1, None), (2, None), (4, 600.0), (2, 300.0)):
        monkeypatch.setattr(hitting, "n_cores", lambda cores=cores: cores)
        found = fewest_errors(X, y, time_limit=time_limit)
        assert found.optimal
        proofs.append(found.certificate().to_json())
    assert len(set(proofs)) == 1


def test_alternatives_too(monkeypatch):
    X, y = flips(60, 2, 4)
    found = fewest_errors(X, y)
    sets = []
    for cores in (1, 2):
        monkeypatch.setattr(hitting, "n_cores", lambda cores=cores: cores)
        sets.append(found.alternatives(time_limit=300.0))
    assert sets[0] == sets[1]
