"""Exact loops of the extension against fractions, FLINT and plain Python; and what they refuse."""

import math
import time
from fractions import Fraction

import flint
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from novikoff import _core
from novikoff.core.progress import OutOfTime
from novikoff.exact.reading import TENS, ExactMatrix
from novikoff.exact.residues import combination_is_zero, residues_of, scores_are_zero, whole_rows
from novikoff.matrix.rows import rows_of

PRIME = 2**31 - 1
EDGES = [0.0, -0.0, 1.0, -1.0, 0.1, -0.3, 2.0**53, 5e-324, -1e-310, 1e-200, 1e200, 1.7e308]
FINITE = st.one_of(
    st.sampled_from(EDGES), st.floats(allow_nan=False, allow_infinity=False, width=64)
)


@st.composite
def rows_and_weights(draw):
    n, d = draw(st.integers(1, 4)), draw(st.sampled_from([1, 2, 3, 13, 20]))
    X = draw(hnp.arrays(np.float64, (n, d), elements=FINITE))
    w = draw(hnp.arrays(np.float64, d + 1, elements=FINITE))
    return X, w


def exact_scores(X, w):
    products = [[Fraction(a) * Fraction(b) for a, b in zip(x, w, strict=False)] for x in X.tolist()]
    return [sum(row, Fraction(w[-1])) for row in products]


def sign(value):
    return (value > 0) - (value < 0)


def both(X):
    return rows_of(X), rows_of(sp.csr_array(X))


@settings(max_examples=150, deadline=None)
@given(rows_and_weights(), st.sampled_from([-1, 1]))
def test_signs_that_are_written_are_right(case, y):
    X, w = case
    exact = exact_scores(X, w)
    n, labels = len(X), np.full(len(X), y, np.int8)
    for rows in both(X):
        signs = np.empty(n, np.int8)
        _core.filtered_signs(rows, labels, w, 3, 5e-324, signs, math.inf)
        assert all(s in (0, y * sign(e)) for s, e in zip(signs, exact, strict=True))
        _core.exact_signs(rows, labels, np.arange(n)[::-1].copy(), w, signs, math.inf)
        assert signs[::-1].tolist() == [y * sign(e) for e in exact]
        small = np.ldexp(w, -math.frexp(np.abs(w).max())[1])  # the verifier's are at most 2
        signs[:] = 2
        _core.sure_signs(rows, small, signs, math.inf)
        exact_small = exact_scores(X, small)
        assert all(s in (2, sign(e)) for s, e in zip(signs, exact_small, strict=True))


@pytest.mark.parametrize("d", [1, 5, 12, 40])
def test_filters_decide_what_is_far_from_their_bounds(d):
    rng = np.random.default_rng(d)
    X, w = rng.normal(size=(500, d)), rng.normal(size=d + 1)
    scores = np.array([float(value) for value in exact_scores(X, w)])
    sizes = np.abs(X) @ np.abs(w[:-1]) + abs(w[-1])
    sure = np.abs(scores) > (d + 10) * 2.0**-52 * sizes
    assert sure.mean() > 0.9
    for rows in both(X):
        signs, ones = np.full(500, 2, np.int8), np.ones(500, np.int8)
        _core.sure_signs(rows, w, signs, math.inf)
        assert (signs[sure] == np.sign(scores[sure])).all()
        _core.filtered_signs(rows, ones, w, 3, 5e-324, signs, math.inf)
        assert (signs[sure] == np.sign(scores[sure])).all()
        values = np.empty(500)
        _core.row_scores(rows, w, values)
        assert (np.abs(values - scores) <= (d + 3) * 2.0**-53 * sizes).all()


@pytest.mark.parametrize("kind", ["f8", "f4"])
@pytest.mark.parametrize("d", [11, 12, 13, 31, 64, 101])
def test_equal_rows_have_equal_scores_wherever_they_lie(kind, d):
    rng = np.random.default_rng(d)
    x, w = rng.normal(size=d).astype(kind), rng.normal(size=d + 1)
    found = set()
    for offset in range(9):
        memory, scores = np.zeros(3 * d + offset, kind), np.empty(3)
        X = memory[offset:].reshape(3, d)
        X[:] = x
        _core.row_scores(X, w, scores)
        found |= set(scores.tolist())
    assert len(found) == 1


def test_nan_and_infinity_decide_nothing():
    X = np.array([[np.nan], [np.inf], [-np.inf], [1e308]])
    signs = np.full(4, 2, np.int8)
    _core.sure_signs(X, np.array([2.0, 1.0]), signs, math.inf)
    assert signs[0] == 2
    _core.filtered_signs(X, np.ones(4, np.int8), np.array([np.inf, 1.0]), 3, 0.0, signs, math.inf)
    assert signs.tolist() == [0, 0, 0, 0]


@settings(max_examples=100, deadline=None)
@given(rows_and_weights(), st.randoms())
def test_the_least_row_is_the_first_of_the_least(case, random):
    X, w = case
    X = np.concatenate([X, X])
    y = np.array([random.choice([-1.0, 1.0]) for _ in X])
    sides = [Fraction(s) * value for s, value in zip(y, exact_scores(X, w), strict=True)]
    for rows in both(X):
        assert _core.least_row(rows, y, w) == sides.index(min(sides))


def test_a_sum_of_millions_of_terms_is_exact():
    """Limbs that only grew would be full after some hundred millions."""
    u = np.full(3 << 20, 0.1)
    u[1::2] = -1 / 3
    v = np.full(len(u), 7.0)
    v[-1] = 7.5
    half = len(u) // 2
    expected = (Fraction(0.1) * half - Fraction(1 / 3) * half) * 7 - Fraction(1 / 3) / 2
    assert _core.exact_dot(u, v) == float(expected)
    assert _core.exact_dot(u[:-2], u[:-2]) == float(
        (Fraction(0.1) ** 2 + Fraction(1 / 3) ** 2) * (half - 1)
    )


def test_no_rows_have_no_least():
    assert _core.least_row(np.empty((0, 2)), np.empty(0), np.zeros(3)) == -1


def as_integers(X, whole):
    return [
        [Fraction(x) * f for x, f in zip(row, whole.factors, strict=True)] for row in X.tolist()
    ]


BITS = st.builds(
    lambda m, e: math.ldexp(m, e), st.integers(-(2**53) + 1, 2**53 - 1), st.integers(-1074, -700)
)


@settings(max_examples=150, deadline=None)
@given(hnp.arrays(np.float64, (3, 4), elements=st.one_of(BITS, st.just(0.0))), st.integers(0, 40))
def test_residues_are_those_of_the_integers(X, k):
    for matrix in (X, sp.csr_array(X)):
        whole = whole_rows(ExactMatrix(matrix, False))
        assert whole is not None
        table = as_integers(X, whole)
        assert all(value.denominator == 1 for row in table for value in row)
        assert max(abs(value) for row in table for value in row) < 2**whole.bits
        prime = 0
        for row, x in zip(table, X, strict=True):
            found = residues_of(whole, np.arange(4), x, k)
            if not prime:
                from novikoff.exact.residues import prime_below

                prime = prime_below(k)
            assert found.tolist() == [int(value) % prime for value in row]
        factors, rows = [5, prime - 1, 0, 3], np.array([0, 2, 1, 0])
        sums = np.empty(4, np.int64)
        _core.sum_of_rows(
            whole.rows, whole.lowest, whole.tens, rows, np.array(factors), prime, sums, math.inf
        )
        expected = [
            sum(f * table[i][j] for f, i in zip(factors, rows, strict=True)) for j in range(4)
        ]
        assert sums.tolist() == [value % prime for value in expected]
        w, scores = np.array([prime - 1, prime - 2, 1, 0]), np.empty(4, np.int64)
        _core.score_residues(
            whole.rows, whole.lowest, whole.tens, rows, w, prime - 3, prime, scores, math.inf
        )
        dots = [sum(int(a) * b for a, b in zip(w, table[i], strict=True)) - 3 for i in rows]
        assert scores.tolist() == [value % prime for value in dots]


@settings(max_examples=100, deadline=None)
@given(hnp.arrays(np.int64, (3, 3), elements=st.integers(-(10**9), 10**9)), st.integers(0, 5))
def test_decimals_are_the_integers_that_they_stand_for(Z, places):
    X = Z / 10.0**places
    reading = ExactMatrix(X, True)
    assert (reading.places <= places).all()
    whole = whole_rows(reading)
    for row, z in zip(X, Z, strict=True):
        scaled = [int(v) * f / 10**places for v, f in zip(z.tolist(), whole.factors, strict=True)]
        assert residues_of(whole, np.arange(3), row, 0).tolist() == [int(v) % PRIME for v in scaled]
    zero = scores_are_zero(whole, np.arange(3), [0, 0, 0], 0)
    assert zero.all()
    assert combination_is_zero(whole, np.array([0, 1, 0]), [7, 0, -7])
    assert combination_is_zero(whole, np.array([0]), [1]) == (not Z[0].any())


@settings(max_examples=100, deadline=None)
@given(hnp.arrays(np.float64, (4, 3), elements=FINITE))
def test_ranges_hold_every_bit(X):
    for rows in both(X):
        lowest, highest = np.empty(3, np.int64), np.empty(3, np.int64)
        greatest = np.empty(3)
        _core.column_ranges(rows, lowest, highest, greatest, math.inf)
        for j, column in enumerate(X.T.tolist()):
            values = [Fraction(x) for x in column if x]
            if not values:
                assert (lowest[j], highest[j], greatest[j]) == (0, 1, 0.0)
                continue
            unit = Fraction(2) ** int(lowest[j])
            assert all((value / unit).denominator == 1 for value in values)
            assert any((value / unit).numerator % 2 for value in values)
            assert max(map(abs, values)) == Fraction(greatest[j])
            assert (
                Fraction(2) ** int(highest[j] - 1) <= greatest[j] < Fraction(2) ** int(highest[j])
            )


def test_a_column_that_is_not_finite_has_no_integers():
    for bad in (np.nan, np.inf, -np.inf):
        assert whole_rows(ExactMatrix(np.array([[1.0, bad], [2.0, 1.0]]), False)) is None


def places_of(column):
    """The loop in plain Python."""
    places = 0
    for x in column:
        fits = [k for k in range(23) if abs(m := np.rint(x * TENS[k])) < 1e15 and m / TENS[k] == x]
        if places < 0 or places in fits:
            continue
        places = max(places, fits[0]) if fits else -1
    return places


DECIMALS = st.builds(lambda m, e: m / 10.0**e, st.integers(-(10**16), 10**16), st.integers(0, 22))


@settings(max_examples=150, deadline=None)
@given(hnp.arrays(np.float64, (3, 2), elements=st.one_of(DECIMALS, FINITE)))
def test_places_are_those_of_the_loop_in_python(X):
    for rows in both(X):
        places = np.zeros(2, np.int64)
        _core.count_places(rows, TENS, places, math.inf)
        with np.errstate(over="ignore"):
            assert places.tolist() == [places_of(column) for column in X.T]


def doubled(A, group, alpha, n_groups):
    """The loop in plain Python."""
    k, d = len(A) - n_groups, A.shape[1]
    terms = [(A[k + g], 1.0) for g in range(n_groups)]
    for i in range(k):
        terms += [(A[i], alpha[i]), (-A[k + group[i]], alpha[i])]
    values, low, sizes = np.zeros(d), np.zeros(d), np.zeros(d)
    for x, a in terms:
        product = x * a
        x_split, a_split = 134217729.0 * x, 134217729.0 * a
        x_high, a_high = x_split - (x_split - x), a_split - (a_split - a)
        x_low, a_low = x - x_high, a - a_high
        lost = x_low * a_low - (((product - x_high * a_high) - x_low * a_high) - x_high * a_low)
        total = values + product
        part = total - values
        lost = lost + ((values - (total - part)) + (product - part))
        values, low, sizes = total, low + lost, sizes + np.abs(product)
    return values + low, sizes


@pytest.mark.parametrize(("k", "d"), [(0, 1), (1, 3), (40, 1), (50, 33)])
@pytest.mark.parametrize("n_groups", [1, 2])
def test_doubled_sums_have_the_bits_of_python(k, d, n_groups):
    rng = np.random.default_rng(k + d)
    A = rng.normal(size=(k + n_groups, d)) * 10.0 ** rng.integers(-20, 20, (k + n_groups, d))
    group = rng.integers(0, n_groups, k + n_groups)
    alpha = rng.random(k + n_groups) / (k + 1)
    values, sizes = np.empty(d), np.empty(d)
    _core.doubled_sums(A, group, alpha, n_groups, values, sizes, math.inf)
    expected, expected_sizes = doubled(A, group, alpha, n_groups)
    assert values.tobytes() == expected.tobytes()
    assert sizes.tobytes() == expected_sizes.tobytes()


def null_vectors(A, prime=PRIME, order=None, most=1 << 20):
    A = sp.csr_array(A % prime)
    order = np.arange(A.shape[0]) if order is None else order
    arrays = (A.indptr.astype(np.int64), A.indices.astype(np.int64), A.data.astype(np.int64))
    width = A.shape[1]
    found = _core.sparse_echelon(*arrays, order, width, prime, most, math.inf)
    if found is None:
        return None
    _, free, starts, columns, values = found
    return free, sp.csr_array((values, columns, starts), shape=(len(free), width)).toarray()


@pytest.mark.parametrize("prime", [5, 7, 101, 65537, PRIME])
@pytest.mark.parametrize("seed", range(8))
def test_null_vectors_are_those_of_flint(prime, seed):
    rng = np.random.default_rng(seed)
    n, width = int(rng.integers(1, 30)), int(rng.integers(1, 30))
    A = rng.integers(-(10**6), 10**6, (n, width)) * (rng.random((n, width)) < 0.2)
    free, vectors = null_vectors(A, prime, rng.permutation(n))
    rank = flint.nmod_mat([[int(x) % prime for x in row] for row in A], prime).rank()
    assert vectors.shape == (width - rank, width)
    assert (vectors[:, free] == np.eye(len(free))).all()
    assert not (A.astype(object) @ vectors.T.astype(object) % prime).any()
    B = sp.csr_array(A % prime)
    arrays = (B.indptr.astype(np.int64), B.indices.astype(np.int64), B.data.astype(np.int64))
    assert _core.rank_below(*arrays, width, prime, math.inf) == rank


def test_null_vectors_of_nothing_and_of_too_much():
    free, vectors = null_vectors(np.zeros((0, 3), int))
    assert free.tolist() == [0, 1, 2]
    assert (vectors == np.eye(3)).all()
    free, vectors = null_vectors(np.zeros((2, 0), int))
    assert free.shape == (0,)
    assert vectors.shape == (0, 0)
    assert null_vectors(np.zeros((1, 3), int), most=2) is None
    assert null_vectors(np.zeros((1, 3), int), most=3) is not None


@pytest.mark.parametrize("prime", [5, 8388593])
@pytest.mark.parametrize("seed", range(4))
def test_a_panel_is_eliminated_as_in_python(prime, seed):
    rng = np.random.default_rng(seed)
    n, width, start, end, done = 9, 14, 3, 9, 2
    M = rng.integers(0, prime, (n, width)).astype(float)
    M[:, start:end] *= rng.random((n, end - start)) < 0.5
    before = M.astype(int)
    factors, found = np.zeros((n - done, end - start)), np.zeros(end - start, bool)
    rank = _core.eliminate_columns(M, done, start, prime, factors, found, math.inf)
    old, new = before[done:, start:end], M[done:, start:end].astype(int)
    assert (M[:done] == before[:done]).all()
    assert (M[:, :start] >= 0).all()
    assert ((M >= 0) & (M < prime) & (np.floor(M) == M)).all()
    table = flint.nmod_mat(old.tolist(), prime)
    assert found.sum() == rank == table.rank()
    pivots = np.flatnonzero(found)
    assert not new[rank:].any()
    for i, j in enumerate(pivots):
        assert new[i, j]
        assert not new[i, :j].any()
    # factors · new rows are the old rows, in the order that the rows are in now.
    product = factors[:, :rank].astype(object) @ new[:rank].astype(object) % prime
    assert sorted(product.tolist()) == sorted(old.tolist())
    right = (
        factors[:rank, :rank].astype(object) @ M[done : done + rank, end:].astype(object) % prime
    )
    pivot_rows = [
        before[done:, end:].tolist()[old.tolist().index(row)] for row in product[:rank].tolist()
    ]
    if len({tuple(row) for row in old.tolist()}) == n - done:
        assert right.astype(int).tolist() == pivot_rows


@pytest.mark.parametrize("prime", [5, 101, 8388593])
def test_a_block_is_reduced_to_residues(prime):
    rng = np.random.default_rng(prime)
    M = rng.integers(-(2**53) + 1, 2**53, (5, 7)).astype(float)
    M[1, 2:6] = [0.0, prime, -prime, 2**53 - 1]
    before = M.astype(np.int64)
    _core.reduce_block(M, 1, 4, 2, prime)
    assert (M[1:4, 2:] == before[1:4, 2:] % prime).all()
    M[1:4, 2:] = before[1:4, 2:]
    assert (M == before).all()


X = np.ones((2, 3))
I3, F3, W4 = np.zeros(3, np.int64), np.zeros(3), np.ones(4)
TWO, Y, S = np.array([0, 1]), np.ones(2, np.int8), np.empty(2, np.int8)
NULL = (np.array([0, 1, 2]), np.array([0, 1]), np.ones(2, np.int64), TWO, 3, PRIME, 99, math.inf)
CONE = np.array([[2, -8], [-8, 2]])
CALLS = {
    _core.exact_score: (X, 0, W4),
    _core.exact_dot: (W4, W4),
    _core.exact_comparison: (X, 1, W4, W4),
    _core.score_sign: (X, 1, W4, 1e9, 0.0),
    _core.least_row: (X, np.ones(2), W4),
    _core.row_scores: (X, W4, np.empty(2)),
    _core.filtered_signs: (X, Y, W4, 3, 0.0, S, math.inf),
    _core.exact_signs: (X, Y, TWO, W4, S, math.inf),
    _core.sure_signs: (X, W4, S, math.inf),
    _core.count_places: (X, TENS, I3.copy(), math.inf),
    _core.column_ranges: (X, I3.copy(), I3.copy(), F3.copy(), math.inf),
    _core.entry_residues: (I3, W4[:3], I3, F3, PRIME, I3.copy(), math.inf),
    _core.sum_of_rows: (X, I3, F3, TWO, TWO, PRIME, I3.copy(), math.inf),
    _core.score_residues: (X, I3, F3, TWO, I3, 0, PRIME, TWO.copy(), math.inf),
    _core.eliminate_columns: (X, 0, 0, 101, np.zeros((2, 3)), np.zeros(3, bool), math.inf),
    _core.reduce_block: (X.copy(), 0, 2, 0, 101),
    _core.sparse_echelon: NULL,
    _core.cone_tree_bound: (CONE, -CONE, I3[:2] + 1, np.full(4, 255, np.uint8), math.inf),
    _core.doubled_sums: (X, I3[:2], W4[:2], 1, F3.copy(), F3.copy(), math.inf),
}
ANY_LENGTH = [
    (_core.reduce_block, 0), (_core.eliminate_columns, 0), (_core.sparse_echelon, 3),
    (_core.doubled_sums, 1), (_core.doubled_sums, 2), (_core.cone_tree_bound, 3),
]  # fmt: skip


@pytest.mark.parametrize("loop", CALLS, ids=lambda loop: loop.__name__)
def test_arrays_of_another_length_type_or_order_are_refused(loop):
    good = list(CALLS[loop])
    loop(*good)
    for k, value in enumerate(good):
        if not isinstance(value, np.ndarray):
            continue
        others = [value.astype(complex), value.astype(object), value.tolist(), None]
        others += [np.repeat(value, 2, axis=value.ndim - 1)[..., ::2]]
        if (loop, k) not in ANY_LENGTH:
            others += [value[..., :-1].copy(), np.concatenate([value, value], axis=-1)]
        for other in others:
            arguments = [*good[:k], other, *good[k + 1 :]]
            with pytest.raises((TypeError, ValueError, RuntimeError)):
                loop(*arguments)


@pytest.mark.parametrize(
    ("loop", "k", "value"),
    [
        (_core.exact_score, 1, -1),
        (_core.exact_score, 1, 2),
        (_core.exact_comparison, 1, 2),
        (_core.score_sign, 1, -(2**63)),
        (_core.exact_signs, 2, np.array([0, 2])),
        (_core.exact_signs, 2, np.array([-1, 0])),
        (_core.exact_signs, 2, np.array([0, 2**63 - 1])),
        (_core.count_places, 2, np.array([0, 23, 0])),
        (_core.entry_residues, 0, np.array([0, 0, 3])),
        (_core.entry_residues, 0, np.array([0, 0, -1])),
        (_core.entry_residues, 1, np.array([0, np.nan, 1])),
        (_core.entry_residues, 1, np.array([0, 1e300, 1])),
        (_core.entry_residues, 2, np.array([0, 0, 2**63 - 1])),
        (_core.entry_residues, 2, np.array([-(2**63), 0, 0])),
        (_core.entry_residues, 3, np.array([1e300, 1, 1])),
        (_core.entry_residues, 4, 4),
        (_core.entry_residues, 4, 2**31),
        (_core.sum_of_rows, 3, np.array([0, 2])),
        (_core.sum_of_rows, 4, np.array([0, PRIME])),
        (_core.sum_of_rows, 4, np.array([0, -1])),
        (_core.score_residues, 4, np.array([0, 0, PRIME])),
        (_core.score_residues, 5, PRIME),
        (_core.score_residues, 6, -PRIME),
        (_core.eliminate_columns, 1, 3),
        (_core.eliminate_columns, 1, -1),
        (_core.eliminate_columns, 2, 1),
        (_core.eliminate_columns, 2, -(2**63)),
        (_core.eliminate_columns, 3, 8388617),
        (_core.reduce_block, 1, -1),
        (_core.reduce_block, 2, 3),
        (_core.reduce_block, 3, 4),
        (_core.sparse_echelon, 0, np.array([0, 3, 2])),
        (_core.sparse_echelon, 0, np.array([1, 1, 2])),
        (_core.sparse_echelon, 0, np.zeros(0, np.int64)),
        (_core.sparse_echelon, 1, np.array([0, 3])),
        (_core.sparse_echelon, 2, np.array([0, PRIME])),
        (_core.sparse_echelon, 3, np.array([0, 2])),
        (_core.sparse_echelon, 4, 1),
        (_core.sparse_echelon, 4, -1),
        (_core.cone_tree_bound, 0, np.array([[2**60 + 1, -8], [-8, 2]])),
        (_core.cone_tree_bound, 1, np.array([[-2, 8], [8, -(2**63)]])),
        (_core.cone_tree_bound, 2, np.array([-1, 1])),
        (_core.cone_tree_bound, 2, np.array([2**60, 1])),
        (_core.doubled_sums, 1, np.array([1, 0])),
        (_core.doubled_sums, 3, 3),
        (_core.doubled_sums, 3, -1),
    ],
)
def test_numbers_out_of_range_are_refused(loop, k, value):
    arguments = list(CALLS[loop])
    arguments[k] = np.asarray(value, arguments[k].dtype) if np.ndim(value) else value
    scaled = list(CALLS[_core.entry_residues])
    if loop is _core.entry_residues and k == 3:
        arguments[1] = scaled[1] * 10
    with pytest.raises((ValueError, IndexError)):
        loop(*arguments)


def large():
    """Zeros that take no memory until they are written, and calls that would go on for long."""
    rows, many = np.zeros((1 << 23, 16)), np.zeros(1 << 21, np.int64)
    w, signs, y = np.ones(17), np.empty(1 << 23, np.int8), np.ones(1 << 23, np.int8)
    d, floats = np.zeros(16, np.int64), np.zeros(16)
    few = np.full((1, 16), 0.1)
    values = np.full(1 << 23, 0.1)
    rng = np.random.default_rng(0)
    M = rng.integers(0, 8388593, (1 << 16, 64)).astype(float)
    sparse = sp.csr_array(sp.random_array((3000, 3000), density=0.01, rng=rng))
    arrays = (sparse.indptr.astype(np.int64), sparse.indices.astype(np.int64))
    ones, order = np.ones(sparse.nnz, np.int64), np.arange(3000)
    lowest = np.full(16, -60)
    return [
        lambda s: _core.sure_signs(rows, w, signs, s),
        lambda s: _core.filtered_signs(rows, y, w, 3, 0.0, signs, s),
        lambda s: _core.exact_signs(few, y[:1], many, w, signs[: len(many)], s),
        lambda s: _core.count_places(rows, TENS, d.copy(), s),
        lambda s: _core.column_ranges(rows, d.copy(), d.copy(), floats, s),
        lambda s: _core.entry_residues(
            np.zeros(len(values), np.int64), values, lowest, floats, PRIME,
            np.empty(len(values), np.int64), s,
        ),
        lambda s: _core.sum_of_rows(few, lowest, floats * 0, many, many, PRIME, d.copy(), s),
        lambda s: _core.score_residues(
            few, lowest, floats * 0, many, d, 0, PRIME, np.empty(len(many), np.int64), s
        ),
        lambda s: _core.eliminate_columns(M, 0, 0, 8388593, M * 0, np.zeros(64, bool), s),
        lambda s: _core.sparse_echelon(*arrays, ones, order, 3000, PRIME, 1 << 24, s),
        lambda s: _core.doubled_sums(
            rows, np.zeros(len(rows), np.int64), np.zeros(len(rows)), 1, floats, floats.copy(), s
        ),
    ]  # fmt: skip


def test_every_loop_ends_with_its_time():
    for number, call in enumerate(large()):
        began = time.process_time()
        with pytest.raises(OutOfTime):
            call(0.0)
        assert time.process_time() - began < 0.5, number
