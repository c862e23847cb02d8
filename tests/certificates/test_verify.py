import dataclasses
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from tests.certificates.proofs import PROOFS, XOR, oracle, resealed

import novikoff
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.fields import content_digest
from novikoff.certificates.verify import verify
from novikoff.errors import FileError, NotFiniteError, ShapeError
from novikoff.exact.reading import BINARY, ExactMatrix
from novikoff.exact.score_signs import score_signs
from novikoff.matrix.digest import data_sha256
from novikoff.matrix.problem import Problem


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.name)
def test_a_true_certificate_is_valid(proof, tmp_path):
    path = tmp_path / "certificate.json"
    proof.certificate.save(path)
    for certificate in (proof.certificate, path, str(path), proof.certificate.to_dict()):
        verification = verify(certificate, proof.X, proof.y)
        assert verification
        assert verification.valid
        assert str(verification).startswith("valid: ")
    assert oracle(proof.certificate.to_dict(), proof)


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.name)
def test_how_the_data_is_stored_does_not_matter(proof):
    dense = proof.X.toarray() if sp.issparse(proof.X) else proof.X
    assert verify(proof.certificate, pd.DataFrame(dense), pd.Series(proof.y)).valid
    assert verify(proof.certificate, np.asfortranarray(dense), list(proof.y)).valid
    if dense.dtype != object:
        assert verify(proof.certificate, sp.csr_array(dense), proof.y).valid
        assert verify(proof.certificate, sp.coo_array(dense), proof.y).valid
        exact = np.vectorize(Fraction, otypes=[object])(dense)
        assert verify(proof.certificate, exact, proof.y).valid


def test_a_zero_has_no_sign():
    proof = PROOFS[0]
    assert np.signbit(proof.X).any()
    assert verify(proof.certificate, proof.X + 0.0, proof.y).valid


def test_a_stored_zero_is_not_there():
    proof = next(proof for proof in PROOFS if proof.name == "separable, CSR")
    matrix = proof.X.copy()
    padded = sp.csr_array(
        (
            np.append(matrix.data, 0.0),
            np.append(matrix.indices, 0),
            np.append(matrix.indptr[:-1], matrix.indptr[-1] + 1),
        ),
        shape=matrix.shape,
    )
    assert padded.nnz == matrix.nnz + 1
    assert verify(proof.certificate, padded, proof.y).valid
    assert padded.nnz == matrix.nnz + 1


def refused(certificate, X, y):
    verification = verify(certificate, X, y)
    assert not verification.valid
    assert str(verification).startswith("not valid: ")
    return verification.reason


def test_claims_that_do_not_hold_are_refused_by_name():
    x, y = np.array([[-1.0], [0.0], [0.0], [1.0]]), np.array([0, 0, 1, 1])
    problem = Problem.of(x, y)
    separable = Certificate.separable
    assert "row 1 is on the plane" in refused(separable(problem, [1], 0), x, y)
    assert "row 2 is on the wrong side" in refused(separable(problem, [1], Fraction(-1, 9)), x, y)
    everywhere = Certificate.touching(problem, ([0], 0), [1, 2], [1, 1])
    assert "every row is on the plane" in refused(everywhere, x, y)
    unequal = Certificate.touching(problem, ([1], 0), [1, 2], [1, 2])
    assert "different shares" in refused(unequal, x, y)
    apart = Certificate.not_separable(problem, [0, 2], [1, 1])
    assert "not 0 in column 0 (x0)" in refused(apart, x, y)
    assert "do not span" in refused(Certificate.overlapping(problem, [1, 2], [1, 1]), x, y)


def test_other_data_is_refused_by_name():
    proof = PROOFS[0]
    assert "3 rows" in refused(proof.certificate, proof.X[:3], proof.y[:3])
    assert "1 columns" in refused(proof.certificate, proof.X[:, :1], proof.y)
    assert "SHA-256" in refused(proof.certificate, proof.X[::-1], proof.y)
    assert "SHA-256" in refused(proof.certificate, proof.X, 1 - proof.y)
    assert "label 2" in refused(proof.certificate, proof.X, [1, 1, 0, 2])
    assert "label 1" in refused(proof.certificate, proof.X, ["1", "1", "0", "0"])
    assert "float64 cannot hold" in refused(
        proof.certificate, np.full((4, 2), Fraction(1, 3)), proof.y
    )


def test_data_that_cannot_be_read_is_an_error():
    proof = PROOFS[0]
    with pytest.raises(NotFiniteError):
        verify(proof.certificate, np.full((4, 2), np.nan), proof.y)
    with pytest.raises(ShapeError):
        verify(proof.certificate, proof.X, proof.y[:2])
    with pytest.raises(FileError):
        verify("there is no such file", proof.X, proof.y)


def test_something_else_is_no_certificate():
    assert "got int" in refused(3, PROOFS[0].X, PROOFS[0].y)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e300])
def test_one_unit_in_the_last_place_decides(scale):
    below, above = scale, np.nextafter(scale, np.inf)
    x, y = np.array([[below], [above]]), np.array([0, 1])
    problem = Problem.of(x, y)
    middle = (Fraction(below) + Fraction(above)) / 2
    assert verify(Certificate.separable(problem, [1], -middle), x, y).valid
    for wrong in (Fraction(below), Fraction(above)):
        assert "on the plane" in refused(Certificate.separable(problem, [1], -wrong), x, y)


def test_columns_of_every_size_at_once():
    x = np.array([[1e300, 1e-300, 1.0], [1e300, -1e-300, 1.0], [-1e300, 3e-300, 1.0]])
    y = np.array([1, 0, 1])
    weights = [Fraction(1, 10**300), Fraction(10**300), Fraction(1)]
    separator = Certificate.separable(Problem.of(x, y), weights, Fraction(-1))
    assert "row 1" in refused(separator, x, y)
    lower = Certificate.separable(Problem.of(x, y), weights, Fraction(-3, 2))
    assert verify(lower, x, y).valid
    assert oracle(lower.to_dict(), PROOFS[0]._replace(X=x, y=y, certificate=lower))


def test_a_span_smaller_than_the_columns_is_proven_or_refused():
    rng = np.random.default_rng(3)
    wide = np.hstack([XOR, XOR @ [[0.5], [0.25]], np.full((4, 1), 0.1), np.zeros((4, 1))])
    y = np.array([0, 0, 1, 1])
    four = Certificate.overlapping(Problem.of(wide, y), range(4), [1] * 4)
    assert verify(four, wide, y).valid
    more = rng.integers(-5, 5, size=(30, 2)).astype(float)
    inside = np.vstack(
        [wide, np.column_stack([more, more @ [0.5, 0.25], np.full(30, 0.1), 0 * more[:, 0]])]
    )
    labels = np.append(y, np.zeros(30, dtype=int))
    assert verify(
        Certificate.overlapping(Problem.of(inside, labels), range(4), [1] * 4), inside, labels
    )
    inside[17, 2] = np.nextafter(inside[17, 2], 9.0)
    bent = Certificate.overlapping(Problem.of(inside, labels), range(4), [1] * 4)
    assert "row 17 is outside" in refused(bent, inside, labels)


def test_more_columns_than_rows():
    x = np.array([[1.0, 2.0, 3.0, 4.0]] * 2)
    y = np.array([0, 1])
    assert verify(Certificate.overlapping(Problem.of(x, y), [0, 1], [5, 5]), x, y).valid


small = st.integers(-4, 4).map(float)
awkward = st.floats(allow_nan=False, allow_infinity=False)
rational = st.fractions(max_denominator=1000) | awkward.map(Fraction)


@given(
    arrays.arrays(np.float64, st.tuples(st.integers(1, 8), st.just(3)), elements=small | awkward),
    st.lists(rational, min_size=3, max_size=3),
    rational,
    st.booleans(),
)
@settings(deadline=None, max_examples=150)
def test_signs_are_those_of_fractions(X, weights, intercept, sparse):
    expected = [
        sum((Fraction(x) * w for x, w in zip(row, weights, strict=True)), intercept)
        for row in X.tolist()
    ]
    signs = score_signs(ExactMatrix(sp.csr_array(X) if sparse else X, False), weights, intercept)
    assert signs.tolist() == [(score > 0) - (score < 0) for score in expected]


@given(
    st.lists(
        st.decimals(-1000, 1000, places=3).map(float) | small | st.just(1e-30) | st.just(1e20),
        min_size=4,
        max_size=12,
    ),
    st.fractions(max_denominator=50),
    st.fractions(max_denominator=50),
)
@settings(deadline=None, max_examples=150)
def test_decimals_are_what_they_print(values, weight, intercept):
    X = np.array(values).reshape(-1, 1)
    signs = score_signs(ExactMatrix(X, True), [weight], intercept)
    expected = [Fraction(repr(value)) * weight + intercept for value in values]
    assert signs.tolist() == [(score > 0) - (score < 0) for score in expected]


@pytest.mark.parametrize(
    ("column", "places"),
    [
        ([0.1, 2.25], 2),
        ([3.0, -4.0], 0),
        ([1e20, 1.5], 1),
        ([1e-30, 1.0], 30),
        ([123456789012345.0], 0),
        ([1234567890123456.0, 0.5], BINARY),
        ([0.1, 1 / 3], BINARY),
        ([0.30000000000000004], BINARY),
        ([5e-324], 324),
    ],
)
def test_decimal_places_are_per_column(column, places):
    X = np.column_stack([column, np.full(len(column), 1 / 3)])
    assert ExactMatrix(X, True).places.tolist() == [places, BINARY]
    assert ExactMatrix(sp.csr_array(X), True).places.tolist() == [places, BINARY]
    assert ExactMatrix(X, False).places.tolist() == [BINARY, BINARY]


def test_many_rows_on_the_plane_of_awkward_numbers():
    rng = np.random.default_rng(1)
    a = rng.normal(size=2000)
    X = np.column_stack([a, -2 * a, rng.normal(size=2000)])
    signs = score_signs(
        ExactMatrix(X, False), [Fraction(2, 3), Fraction(1, 3), Fraction(0)], Fraction(0)
    )
    assert not signs.any()
    X[1234, 1] = np.nextafter(X[1234, 1], 99.0)
    signs = score_signs(
        ExactMatrix(X, False), [Fraction(2, 3), Fraction(1, 3), Fraction(0)], Fraction(0)
    )
    assert np.flatnonzero(signs).tolist() == [1234]


def signs_of_fractions(X, weights, intercept, read=Fraction):
    scores = [
        sum((read(x) * w for x, w in zip(row, weights, strict=True)), Fraction(intercept))
        for row in X.tolist()
    ]
    return [(score > 0) - (score < 0) for score in scores]


def test_scores_of_the_size_of_their_rounding():
    rng = np.random.default_rng(8)
    w = rng.normal(size=9)
    X = rng.normal(size=(400, 9))
    X[:, -1] = -(X[:, :-1] @ w[:-1]) / w[-1]
    weights = [Fraction(value) for value in w.tolist()]
    expected = signs_of_fractions(X, weights, 0)
    assert score_signs(ExactMatrix(X, False), weights, Fraction(0)).tolist() == expected
    assert {-1, 1} <= set(expected)


def test_integers_whose_sums_float64_would_round():
    rng = np.random.default_rng(9)
    X = rng.integers(2**51, 2**52, size=(400, 3)).astype(np.float64)
    X[:, 2] = -np.rint((X[:, 0] * 1001 + X[:, 1] * 999) / 2001)
    weights = [Fraction(1001), Fraction(999), Fraction(2001)]
    near = [Fraction(k) for k in (0, 1, -1)]
    for intercept in near:
        expected = signs_of_fractions(X, weights, intercept)
        assert score_signs(ExactMatrix(X, False), weights, intercept).tolist() == expected


def test_decimals_too_far_apart_for_one_float64_scale():
    X = np.array([[123456789012345.0], [0.001], [999999999999999.0]])
    for value in X[:, 0].tolist():
        signs = score_signs(ExactMatrix(X, True), [Fraction(1)], -Fraction(repr(value)))
        assert signs.tolist() == signs_of_fractions(
            X, [Fraction(1)], -Fraction(repr(value)), lambda x: Fraction(repr(x))
        )


def test_a_rank_is_not_lost_to_an_unlucky_prime():
    prime = 2**61 - 1
    X = np.array([[0], [2 * prime], [prime], [prime]], dtype=object)
    y = np.array([0, 0, 1, 1])
    certificate = Certificate.overlapping(Problem.of(X, y), range(4), [1] * 4)
    assert verify(certificate, X, y).valid


def test_the_names_of_a_frame_are_those_of_the_certificate():
    X, y = pd.DataFrame({"a": [0.0, 1.0], "b": [5.0, 5.0]}), np.array([0, 1])
    certificate = Certificate.separable(Problem.of(X, y), [1, 0], Fraction(-1, 2))
    assert verify(certificate, X, y).valid
    assert verify(certificate, X.to_numpy(), y).valid
    assert "another order" in refused(certificate, X[["b", "a"]], y)
    assert "'b', 'c'" in refused(certificate, X.rename(columns={"b": "c"}), y)
    unnamed = Certificate.separable(Problem.of(X.to_numpy(), y), [1, 0], Fraction(-1, 2))
    assert verify(unnamed, X, y).valid


def test_labels_are_compared_exactly():
    X = np.array([[0.0], [1.0]])
    near = [float(2**53), float(2**53 + 2)]
    certificate = Certificate.separable(Problem.of(X, near), [1], Fraction(-1, 2))
    assert verify(certificate, X, near).valid
    assert verify(certificate, X, [2**53, 2**53 + 2]).valid
    assert "label" in refused(certificate, X, [2**53 + 1, 2**53 + 2])


def test_both_classes_are_there():
    X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    fields = Certificate.separable(Problem.of(X, y), [0], 1).to_dict()
    fields["data_sha256"] = data_sha256(X, np.array([1, 1], np.int8), "dense-float64")
    assert "no row has the label 0" in refused(resealed(fields), X, [1, 1])


def test_the_answer_says_of_what():
    answer = str(verify(PROOFS[1].certificate, PROOFS[1].X, PROOFS[1].y))
    assert answer.splitlines()[1:] == [
        "kind: touching, with an intercept",
        "rows: all 4; numbers: as float64",
        "columns: 'dose'",
        "label: not named, where 'no' is -1 and 'yes' is +1",
    ]


@pytest.mark.parametrize("name", ["a\0b", ""])
def test_what_is_no_file_is_said(name):
    with pytest.raises(FileError, match="certificate"):
        verify(name, [[0.0], [1.0]], [0, 1])


def test_float64_numbers_are_no_numbers_as_they_are_written():
    X, y = np.array([[0, 0], [0.3, 0.9], [0.1, 0.3]]), np.array(["a", "a", "b"])
    assert novikoff.separate(X, y).word == "separable"
    assert novikoff.separate(X, y, decimals=True).word == "overlapping"
    exact = np.vectorize(Fraction, otypes=[object])(X)
    signs = np.array([-1, -1, 1], dtype=np.int8)
    forged = dataclasses.replace(
        novikoff.separate(X, y).certificate(),
        encoding="fractions",
        decimals=True,
        data_sha256=data_sha256(exact, signs, "fractions"),
    )
    assert "as they are written" in verify(forged, X, y).reason
    assert verify(forged, exact, y)


def test_a_class_that_no_float64_holds_is_no_crash():
    fields = novikoff.separate(np.eye(2), [0, 1]).certificate().to_dict()
    fields |= {"classes": [0, 10**400]}
    fields["digest"] = content_digest(fields)
    for labels in ([0, 1], [0.0, 1.0]):
        assert "the label 1" in verify(fields, np.eye(2), np.array(labels)).reason
