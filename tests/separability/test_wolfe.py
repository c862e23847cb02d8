"""The core hears time limits while it runs the method of Wolfe."""

import numpy as np
import pytest

from novikoff.core.progress import Deadline, OutOfTime
from novikoff.separability.search.wolfe import nearest_in, new_active


def test_it_ends_when_the_time_is_over():
    rng = np.random.default_rng(0)
    A = rng.standard_normal((1500, 1000))  # it would take far longer than a pause
    groups = (np.arange(1500) % 2).astype(np.int64)
    active = new_active(A, np.array([0, 1]), 1001)
    with Deadline(1e-9).enforced(), pytest.raises(OutOfTime):
        nearest_in(A, groups, active, 10_000)
