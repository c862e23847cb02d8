"""Cones of planes: against enumeration of planes, changed in every part, and checked alone."""

import copy
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.certificates.proofs import Proof, oracle
from tests.oracles import fewest_errors as by_sets
from tests.separability.fewest.cases import flips

import novikoff
from novikoff import _core
from novikoff.certificates.conflicts import Cones
from novikoff.certificates.fields import content_digest
from novikoff.exact.points import ExactProblem
from novikoff.exact.rational import common_divisor
from novikoff.matrix.problem import Problem
from novikoff.separability.fewest import cones as searched
from novikoff.separability.fewest.instance import groups_of, instance_of

CHECKER = Path(__file__).parents[3] / "checker" / "novikoff_fewest.py"


def by_planes(X, y):
    """The fewest errors of points in general position: some best plane nearly touches d of them."""
    n, d = X.shape
    A = np.column_stack([X, np.ones(n)]) * y[:, None]
    best = n
    for touched in combinations(range(n), d):
        w = np.linalg.svd(A[list(touched)])[2][-1]
        scores = np.delete(A @ w, touched)
        assert np.abs(scores).min() > 1e-9
        best = min(best, int((scores < 0).sum()), int((scores > 0).sum()))
    return best


def searched_alone(X, y, weights=None, fit_intercept=True):
    """What cones say without conflicts, planes or a tree before them."""
    points = ExactProblem.of(Problem.of(X, y, fit_intercept=fit_intercept))
    counts = [Fraction(1)] * len(y) if weights is None else [Fraction(w) for w in weights]
    groups = groups_of(points, counts)
    _, coordinates = instance_of(points, groups, counts)
    unit = common_divisor(counts)
    return searched.search_cones(points, groups, coordinates, (sum(counts), unit), lambda: False)


def claim_of(proof, X, y, weights=None, fit_intercept=True):
    """A certificate that holds cones alone."""
    found = novikoff.fewest_errors(X, y, weights=weights, fit_intercept=fit_intercept)
    bounds = replace(found.errors, lower=proof.errors)
    return replace(found, errors=bounds, conflicts=(), tree=None, cones=proof.cones).certificate()


@pytest.mark.parametrize(("n", "d", "flipped"), [(12, 1, 4), (40, 2, 10), (24, 3, 8)])
def test_planes_through_points_say_the_same(n, d, flipped):
    X, y = flips(n, d, flipped, seed=n)
    proof = searched_alone(X, y)
    assert proof.errors == by_planes(X, y)
    assert novikoff.verify(claim_of(proof, X, y), X, y)


@st.composite
def noisy_problems(draw):
    n, d = draw(st.integers(3, 8)), draw(st.integers(1, 2))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X, y = rng.standard_normal((n, d)), rng.choice([-1, 1], n)
    y[:2] = -1, 1
    X *= 10.0 ** draw(st.sampled_from([-150, 0, 3, 150]))
    X[:, 0] += X[0, 0] * draw(st.sampled_from([0.0, 1e6]))
    if draw(st.booleans()):
        X[-1] = X[0]  # one point twice, with labels that may differ
    weights = draw(st.none() | st.lists(st.sampled_from([1, 2, 5]), min_size=n, max_size=n))
    return X, y, weights, draw(st.booleans())


@settings(max_examples=60, deadline=None)
@given(noisy_problems())
def test_all_sets_of_rows_say_the_same(problem):
    X, y, weights, fit_intercept = problem
    proof = searched_alone(X, y, weights, fit_intercept)
    if proof is None:  # points that meet in one plane
        return
    expected, _ = by_sets(X.tolist(), y.tolist(), fit_intercept=fit_intercept, weights=weights)
    assert proof.errors == expected
    claim = claim_of(proof, X, y, weights, fit_intercept)
    assert novikoff.verify(claim, X, y)
    more = replace(claim, errors=(expected + 1, max(expected + 1, claim.errors[1])))
    assert "the cones prove" in novikoff.verify(more, X, y).reason


def test_heavy_noise_is_proven_by_cones():
    X, y = flips(200, 3, 50, seed=1)
    found = novikoff.fewest_errors(X, y)
    assert found.optimal
    assert found.cones is not None
    assert f"{found.n_leaves} cones" in found.explain()
    assert dict(found.facts())["why not fewer"] == f"{found.n_leaves} cones of hyperplanes"
    certificate = novikoff.Certificate.from_json(found.certificate().to_json())
    assert str(certificate).endswith(f"{found.n_leaves} cones")
    assert novikoff.verify(certificate, X, y)
    with pytest.raises(novikoff.errors.CertificateError, match="Coq does not know cones"):
        novikoff.to_coq(certificate, X, y, "unwritten.v")


def test_points_that_meet_in_one_plane_are_left_to_the_tree():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (60, 2)).astype(float)
    y = rng.choice([-1, 1], 60)
    found = novikoff.fewest_errors(X, y)
    assert found.optimal
    assert novikoff.verify(found.certificate(), X, y)


@pytest.fixture(scope="module")
def certificate():
    X, y = flips(60, 2, 20, seed=3)
    proof = searched_alone(X, y)
    return X, y, claim_of(proof, X, y).to_dict(), proof.cones


def reason(certificate, change):
    X, y, fields, cones = certificate
    fields = copy.deepcopy(fields)
    tree = bytearray(cones.tree)
    changed = change(fields, tree)
    if changed is not None:
        fields["cones"]["tree"] = novikoff.certificates.cones.cones_to_json(
            replace(cones, tree=bytes(changed))
        )["tree"]
    fields["digest"] = content_digest(fields)
    verification = novikoff.verify(fields, X, y)
    assert not verification
    return verification.reason


def first(tree, halved):
    return next(k for k, node in enumerate(tree) if (node != 255) == halved)


def without_a_vector(fields, _):
    fields["cones"]["vectors"][1] = fields["cones"]["vectors"][0]


def a_shorter_vector(fields, _):
    fields["cones"]["vectors"][0].pop()


def text_for_a_tree(fields, _):
    fields["cones"]["tree"] = "no base64"


def another_field(fields, _):
    fields["cones"]["more"] = 1


def settled_too_early(_, tree):
    """The first cone that is halved is left as it is, and its halves are left out."""
    start = end = first(tree, halved=True)
    open_cones = 1
    while open_cones:
        open_cones += 1 if tree[end] != 255 else -1
        end += 1
    return [*tree[:start], 255, *tree[end:]]


CHANGES = {
    "do not hold all planes": without_a_vector,
    "not one number a column": a_shorter_vector,
    "cannot be read": text_for_a_tree,
    "and nothing else": another_field,
    "the cones prove": settled_too_early,
}
TREES = {
    "cut short": lambda _, tree: tree[:-1],
    "goes on": lambda _, tree: [*tree, 255],
    "no edge": lambda _, tree: [7, *tree[1:]],
    "an edge of a corner that is none": lambda _, tree: [5, *tree[1:]],
}


@pytest.mark.parametrize("expected", CHANGES)
def test_a_change_is_found_out(certificate, expected):
    assert expected in reason(certificate, CHANGES[expected])


@pytest.mark.parametrize("change", TREES)
def test_a_tree_that_is_none_is_refused(certificate, change):
    assert reason(certificate, TREES[change]) == "the tree of cones is none, or takes too long."


def test_the_checker_alone_says_the_same(certificate, tmp_path):
    X, y, fields, _ = certificate
    table = ["x0,x1,label", *(f"{a!r},{b!r},{c}" for (a, b), c in zip(X.tolist(), y, strict=True))]
    (tmp_path / "data.csv").write_text("\n".join(table))
    named = dict(fields, columns=["x0", "x1"], label="label")
    for errors, status in ((named["errors"], 0), ([str(int(named["errors"][0]) + 1)] * 2, 1)):
        changed = dict(named, errors=errors)
        changed["digest"] = content_digest(changed)
        path = tmp_path / "proof.json"
        path.write_text(novikoff.certificates.certificate.json.dumps(changed))
        command = [sys.executable, "-I", str(CHECKER), str(path), str(tmp_path / "data.csv")]
        done = subprocess.run([*command, "--label", "label"], capture_output=True, text=True)
        assert done.returncode == status, done.stdout
        assert status == 0 or "conflicts prove" in done.stdout or "above" in done.stdout


def test_a_plane_that_floats_cannot_see_is_not_left_out():
    rng = np.random.default_rng(1)
    X, y = flips(60, 2, 15, seed=1)
    X = np.column_stack([X, X[:, 0] + 1e-12 * rng.standard_normal(60)])
    assert searched_alone(X, y) is None


@pytest.mark.parametrize("weights", [[1e25] * 10, [0] + [1] * 9, [1e-300] * 9 + [0]])
def test_what_rows_count_is_in_any_unit_and_rows_that_count_nothing_may_go_anywhere(weights):
    rng = np.random.default_rng(0)
    X, y = np.zeros((10, 3)), rng.choice([-1, 1], 10)
    X[:, :2] = rng.standard_normal((10, 2))
    X[np.argmin(weights), 2] = min(weights) == 0  # a dimension that no row has which counts
    proof = searched_alone(X, y, weights)
    expected, _ = by_sets(X.tolist(), y.tolist(), weights=weights)
    assert proof.errors == expected
    claim = claim_of(proof, X, y, weights)
    assert novikoff.verify(claim, X, y)
    alone = Proof("", X, y, claim)
    assert oracle(claim.to_dict(), alone)


def test_a_tree_whose_path_holds_too_many_rows_is_refused():
    most = 1 << 21
    tree = np.array([1, 255, 255, 255, 1, 255, 255, 255], dtype=np.uint8)
    for rows, expected in ((most // 2, 0), (most // 2 + 1, -1)):
        above = np.tile(np.array([[2, -8]]), (rows, 1))
        weights = np.ones(rows, dtype=np.int64)
        assert _core.cone_tree_bound(above, -above, weights, tree, 60.0) == expected


def test_a_cone_that_decides_all_rows_may_be_halved():
    X, y = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]), np.array([1, -1, 1])
    found = novikoff.fewest_errors(X, y, fit_intercept=False)
    cones = Cones(((Fraction(1), Fraction(0)),), bytes([255] * 2))
    two = Cones((*cones.vectors, (Fraction(0), Fraction(1))), bytes([1] + [255] * 5))
    for given_cones in (cones, two):
        claim = replace(found, conflicts=(), tree=None, cones=given_cones).certificate()
        assert novikoff.verify(claim, X, y)
        assert oracle(claim.to_dict(), Proof("", X, y, claim))
