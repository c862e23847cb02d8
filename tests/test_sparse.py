"""Sparse matrices whose arrays do not fit: refused by name in every storage, and never followed."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff
from novikoff.errors import DataError, ShapeError
from novikoff.matrix.problem import matrix_of

X = np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0], [0.0, 0.0, 4.0], [5.0, 6.0, 0.0]])
Y = [0, 1, 0, 1]


def compressed(kind, **changes):
    """A matrix of that kind whose arrays were changed behind scipy's back."""
    matrix = getattr(sp, f"{kind}_array")(X)
    for name, (at, value) in changes.items():
        getattr(matrix, name)[at] = value
    return matrix


def coordinates(axis, value):
    matrix = sp.coo_array(X)
    matrix.coords[axis][1] = value
    return matrix


def lists(which, value):
    matrix = sp.lil_array(X)
    getattr(matrix, which)[1].append(value)
    return matrix


def diagonals():
    matrix = sp.dia_array(X)
    matrix.offsets = np.arange(50, dtype=np.int32)
    return matrix


def replaced(kind, **arrays):
    matrix = getattr(sp, f"{kind}_array")(X)
    for name, array in arrays.items():
        setattr(matrix, name, array)
    return matrix


UNSOUND = {
    "csr column too great": lambda: compressed("csr", indices=(2, 10**9)),
    "csr column just too great": lambda: compressed("csr", indices=(0, 3)),
    "csr column negative": lambda: compressed("csr", indices=(2, -1)),
    "csr end beyond the data": lambda: compressed("csr", indptr=(4, 10**9)),
    "csr start beyond the data": lambda: compressed("csr", indptr=(1, 10**9)),
    "csr start negative": lambda: compressed("csr", indptr=(2, -5)),
    "csr first start": lambda: compressed("csr", indptr=(0, 1)),
    "csr too few rows": lambda: replaced("csr", indptr=np.array([0, 1], np.int32)),
    "csr too few data": lambda: replaced("csr", data=np.ones(2)),
    "csr indices that are floats": lambda: replaced("csr", indices=np.ones(6)),
    "csc row too great": lambda: compressed("csc", indices=(2, 4)),
    "csc end beyond the data": lambda: compressed("csc", indptr=(3, 10**9)),
    "bsr column too great": lambda: compressed("bsr", indices=(0, 10**6)),
    "coo row too great": lambda: coordinates(0, 10**9),
    "coo column negative": lambda: coordinates(1, -1),
    "lil column too great": lambda: lists("rows", 10**6),
    "lil more numbers than columns": lambda: lists("data", 1.0),
    "dia more offsets than diagonals": diagonals,
}


@pytest.mark.parametrize("make", UNSOUND.values(), ids=UNSOUND.keys())
def test_every_storage_is_checked_before_it_is_used(make):
    doors = [
        lambda Z: matrix_of(Z),
        lambda Z: novikoff.separate(Z, Y),
        lambda Z: novikoff.Perceptron().fit(Z, Y),
        lambda Z: novikoff.Perceptron().fit(X, Y).predict(Z),
        lambda Z: novikoff.Perceptron().partial_fit(Z, Y, classes=[0, 1]),
        lambda Z: novikoff.trace(Z, Y),
        lambda Z: novikoff.radius(Z),
    ]
    for door in doors:
        with pytest.raises(ShapeError, match="whose arrays do not fit"):
            door(make())


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "lil", "dia", "dok"])
@pytest.mark.parametrize("style", ["array", "matrix"])
def test_sound_storage_passes(kind, style):
    matrix = getattr(sp, f"{kind}_{style}")(X)
    np.testing.assert_array_equal(matrix_of(matrix).toarray(), X)


def test_numbers_behind_the_end_of_a_csr_matrix_are_not_data():
    matrix = sp.csr_array(X)
    matrix.data = np.append(matrix.data, [np.nan, np.inf])
    matrix.indices = np.append(matrix.indices, [10**6, -3]).astype(np.int32)
    np.testing.assert_array_equal(matrix_of(matrix).toarray(), X)
    assert novikoff.separate(matrix, Y).word == novikoff.separate(X, Y).word


def test_entries_given_twice_are_added_before_they_are_checked():
    matrix = sp.csr_array((np.array([1e308, 1e308, 1.0]), np.array([0, 0, 0]), [0, 2, 3]))
    with np.errstate(over="ignore"), pytest.raises(DataError, match=r"infinity .row 0, column 0"):
        matrix_of(matrix)
    # The caller's own arrays stay as they are.
    assert len(matrix.data) == 3


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_any_arrays_are_a_matrix_or_one_of_our_errors(data):
    """Arrays drawn at random: what passes is a matrix, and what is a matrix passes."""
    integers = st.integers(-2, 5)
    starts = data.draw(st.lists(integers, min_size=4, max_size=5).map(sorted) | st.lists(integers))
    columns = data.draw(st.lists(integers, max_size=6))
    matrix = sp.csr_array((3, 4))
    matrix.indptr, matrix.indices = np.array(starts, np.int32), np.array(columns, np.int32)
    matrix.data = np.ones(len(columns))
    is_sound = (
        len(starts) == 4
        and starts[0] == 0
        and starts == sorted(starts)
        and starts[-1] <= len(columns)
        and all(0 <= column < 4 for column in columns[: starts[-1]])
    )
    if not is_sound:
        with pytest.raises(ShapeError):
            matrix_of(matrix)
        return
    expected = np.zeros((3, 4))
    for i in range(3):
        for column in columns[starts[i] : starts[i + 1]]:
            expected[i, column] += 1
    np.testing.assert_array_equal(matrix_of(matrix).toarray(), expected)


def test_a_process_survives_what_used_to_kill_it():
    program = (
        "import numpy as np, scipy.sparse as sp, novikoff\n"
        "X = sp.csr_array(np.eye(4)); X.indices[1] = 2**30; X.indptr[2] = 2**30\n"
        "for call in (novikoff.separate, novikoff.Perceptron().fit, novikoff.trace):\n"
        "    try: call(X, [0, 1, 0, 1])\n"
        "    except novikoff.NovikoffError as error: print(type(error).__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()) == (0, ["ShapeError"] * 3), done.stderr
