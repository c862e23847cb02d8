"""A short run of every target from a seed that stays; `make fuzz` makes the long one."""

import numpy as np
import pytest
import scipy.sparse as sp
from tests.fuzz import hostile
from tests.fuzz.campaign import run
from tests.fuzz.cases import IMPORTS, Case, Wrong
from tests.fuzz.targets import TARGETS
from tests.oracles import faces

CASES = {
    "verdicts": 120,
    "forged": 250,
    "regressions": 100,
    "fewest": 80,
    "cones": 40,
    "learners": 30,
    "certificates": 200,
    "texts": 250,
}


@pytest.mark.parametrize("target", TARGETS)
def test_no_answer_is_wrong(target):
    found = run(20260101, target, cases=CASES[target])
    assert found.cases == CASES[target]
    assert not found.failures, "\n".join([found.failures[0].said, found.failures[0].lines])


def drawn(seed):
    rng = np.random.default_rng(seed)
    return hostile.points(rng) if seed % 10 else hostile.wide_or_long(rng)


def test_a_problem_is_written_as_python_that_makes_it_again():
    names = {}
    exec(IMPORTS, names)
    for seed in range(300):
        X, y = drawn(seed)
        again = eval(hostile.source(X), names)
        assert hostile.rows_of(again) == hostile.rows_of(X)
        assert type(again) is type(X)
        if isinstance(X, np.ndarray):
            assert (again.dtype, again.strides) == (X.dtype, X.strides)
            assert again.flags.writeable == X.flags.writeable
        if sp.issparse(X):
            assert again.dtype == X.dtype
            assert again.nnz == X.nnz  # with zeros that are stored, and numbers in two halves
        assert hostile.signs_of(eval(hostile.source(y), names)) == hostile.signs_of(y)


def test_every_kind_of_data_is_drawn():
    kinds, words = set(), set()
    for seed in range(600):
        X, y = drawn(seed)
        kinds.add(type(X).__name__ if not isinstance(X, np.ndarray) else X.dtype.str)
        rows = hostile.rows_of(X)
        if len(rows) < 9 and len(rows[0]) < 5:
            words.add(faces(rows, hostile.signs_of(y))[0])
    assert words == {"separable", "touching", "overlapping"}
    assert kinds >= {
        "list", "DataFrame", "csr_array", "csr_matrix", "csc_array", "coo_array", "|O", "|b1",
        "<f4", ">f4", "<f2", "<f8", ">f8", "<i8", ">i8", "<u8", ">i4", "|u1",
    }  # fmt: skip


def check_of_a_program_with_a_mistake(X):
    if (abs(np.asarray(X, dtype=np.float64)) > 2.0**53).any():
        raise Wrong("beyond 2**53")
    return "fine"


def test_a_failing_case_is_made_smaller_and_repeats():
    X = np.array([[1.0, 2.0, 0.5], [3.0, 2.0**60, 7.0], [0.0, 5.0, 1.0], [2.0, 2.0, 2.0]])
    small = Case(check_of_a_program_with_a_mistake, {"X": X}).shrunk()
    assert small.arguments["X"].shape == (2, 1)
    lines = small.lines().replace(f"from {__name__} import", "from tests.fuzz.test_fuzz import")
    with pytest.raises(AssertionError, match="beyond 2"):
        exec(lines, {})
