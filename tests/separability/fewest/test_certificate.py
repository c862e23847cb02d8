"""Certificates of the fewest errors: what is changed in them is found out, field by field."""

import copy

import numpy as np
import pytest

import novikoff
from novikoff.certificates.fields import content_digest


@pytest.fixture(scope="module")
def with_tree():
    rng = np.random.default_rng(58)
    X, y = rng.integers(-4, 5, (30, 3)).astype(float), rng.integers(0, 2, 30)
    fields = novikoff.fewest_errors(X, y).certificate().to_dict()
    assert "tree" in fields
    return X, y, fields


@pytest.fixture(scope="module")
def with_shares():
    X, y = np.array([[0.0], [0.0], [1.0], [1.0], [2.0]]), np.array([0, 1, 0, 1, 1])
    weights = [2, 1, 1, 3, 1]
    fields = novikoff.fewest_errors(X, y, weights=weights).certificate().to_dict()
    assert fields["errors"] == ["2", "2"]
    return X, y, fields


def reason(proof, change):
    """What `verify` says of the certificate after a change, its digest worked out anew."""
    X, y, fields = proof
    fields = copy.deepcopy(fields)
    change(fields)
    fields["digest"] = content_digest(fields)
    verification = novikoff.verify(fields, X, y)
    assert not verification
    return verification.reason


def parts(tree):
    """All nodes of a tree, the tree itself first."""
    below = tree.values() if isinstance(tree, dict) else ()
    return [
        tree,
        *(node for part in below for node in parts(part) if isinstance(part, dict | list)),
    ]


def first_split(tree):
    return next(node for node in parts(tree) if "row" in node)


def leaves(tree):
    if isinstance(tree, dict):
        parts = ("then",) if "fixed" in tree else ("right", "wrong")
        return [leaf for part in parts for leaf in leaves(tree[part])]
    return [tree]


def test_as_they_are(with_shares, with_tree):
    for X, y, fields in (with_shares, with_tree):
        assert novikoff.verify(fields, X, y)
        again = novikoff.Certificate.from_dict(fields)
        assert again.to_dict() == fields
        assert "conflicts" in str(again)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.update(errors=["3", "3"]), "the conflicts prove 2 errors, not the 3"),
        (lambda f: f.update(errors=["1", "1"]), "the wrong rows count 2, above the 1"),
        (lambda f: f.update(errors=["2"]), "errors must be two numbers"),
        (lambda f: f.update(errors=["2", "1"]), "the lesser one first"),
        (lambda f: f["wrong_rows"].pop(), "is not among the wrong rows"),
        (lambda f: f["wrong_rows"].reverse(), "rows must be distinct, in order"),
        (lambda f: f["wrong_rows"].append(5), "wrong_rows[2] is 5; rows are counted from 0"),
        (lambda f: f["conflicts"].pop(), "the conflicts prove 1 errors, not the 2"),
        (lambda f: f["conflicts"][0].update(share="2"), "add up to 2, above 1"),
        (lambda f: f["conflicts"][0].update(share="-1"), "the share is negative"),
        (
            lambda f: f["conflicts"][0].update(alpha=["1", "2"]),
            "conflict 0 does not hold: Σ αy is not 0",
        ),
        (lambda f: f["conflicts"][0].update(rows=[0, 3]), "Σ αyx is not 0 in column 0 (x0)"),
        (lambda f: f["conflicts"][0].update(rows=[0]), "one alpha a row is needed"),
        (lambda f: f["conflicts"][0].update(alpha=["1", "0"]), "an alpha is not positive"),
        (lambda f: f["conflicts"][0].update(more=1), "and nothing else"),
        (lambda f: f.update(conflicts={}), "conflicts must be a list"),
        (lambda f: f.pop("conflicts"), "needs conflicts"),
        (lambda f: f.update(row_weights=["1"] * 4), "one number a row"),
        (lambda f: f.update(row_weights=["1"] * 4 + ["-1"]), "none of them negative"),
        (lambda f: f.update(row_weights=["2"] * 5), "the wrong rows count 4, above the 2"),
        (lambda f: f.update(kind="separable"), "has no errors"),
        (lambda f: f.update(tree=[[7, "1"]]), "7 is not a conflict"),
        (lambda f: f.update(tree=[[0, "1"], [0, "1"]]), "is twice in a leaf"),
        (lambda f: f.update(tree=[[0, "0"]]), "a share is not positive"),
        (lambda f: f.update(tree={"row": 0}), "a split must have row, right and wrong"),
        (lambda f: f.update(tree={"row": 9, "right": [], "wrong": []}), "tree.row[0] is 9"),
        (lambda f: f.update(tree="deep"), "it must be a split or a list of shares"),
    ],
)
def test_changed_shares(with_shares, change, message):
    assert message in reason(with_shares, change)


def test_changed_trees(with_tree):
    fields = with_tree[2]

    def emptied(k):
        return lambda f: leaves(f["tree"])[k].clear()

    for k in range(len(leaves(fields["tree"]))):
        assert "the conflicts prove" in reason(with_tree, emptied(k))

    def twice(f):
        split = first_split(f["tree"])
        split["right"] = copy.deepcopy(split)

    assert "is split twice on one way" in reason(with_tree, twice)

    def swapped(f):
        split = first_split(f["tree"])
        split["right"], split["wrong"] = split["wrong"], split["right"]

    assert reason(with_tree, swapped)
    assert "the conflicts prove" in reason(with_tree, lambda f: f.pop("tree"))

    def deep(f):
        node = f["tree"] = {"row": 0, "right": [], "wrong": []}
        for _ in range(600):
            node["right"] = {"row": 0, "right": [], "wrong": []}
            node = node["right"]

    assert "more than 500 rows are split" in reason(with_tree, deep)


def test_fixed_rows():
    """Two equal pairs of opposite labels, and a row that no plane with one error gets wrong."""
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    fields = novikoff.fewest_errors(X, y).certificate().to_dict()
    assert fields["errors"] == ["1", "1"]
    conflict = {"rows": [0, 1, 2], "alpha": ["1", "2", "1"], "share": "1"}
    good = {"fixed": [3], "shares": [[0, "1"]], "then": [[0, "1"]]}
    fields.update(conflicts=[conflict], tree=good)
    fields["digest"] = content_digest(fields)
    assert novikoff.verify(fields, X, y)
    proof = (X, y, fields)
    for change, message in (
        ({"fixed": [0, 3], "shares": []}, None),
        ({"shares": []}, None),
        ({"fixed": []}, "tree.fixed is empty"),
        ({"fixed": [3, 0]}, "rows must be distinct, in order"),
        ({"fixed": [4]}, "tree.fixed[0] is 4"),
        ({"fixed": 3}, "fixed rows must have a list, shares and then"),
        ({"more": 3}, "fixed rows must have a list, shares and then"),
        ({"shares": good}, "it must be a split or a list of shares"),
        ({"shares": [[0, "2"]]}, "add up to 2, above 1"),
        ({"then": []}, "the conflicts prove 0 errors, not the 1"),
        ({"then": {"row": 3, "right": [[0, "1"]], "wrong": []}}, "row 3 is split twice"),
        ({"then": good}, "row 3 is split twice"),
    ):
        changed = {**good, **change}
        if message is None:  # a plane that is wrong on one of these rows has an error there
            again = {**fields, "tree": changed}
            assert novikoff.verify({**again, "digest": content_digest(again)}, X, y)
        else:
            assert message in reason(proof, lambda f, tree=changed: f.update(tree=tree))
    # With row 3 fixed, it bears whatever there is.
    unlimited = [conflict, {"rows": [1, 2, 3], "alpha": ["1", "2", "1"], "share": "0"}]
    two = {**fields, "conflicts": unlimited, "errors": ["1", "1"]}
    two["tree"] = {**good, "then": [[1, "1"]]}
    assert novikoff.verify({**two, "digest": content_digest(two)}, X, y)
    two["tree"] = {**good, "shares": [[0, "1/2"]], "then": [[1, "2"]]}
    verification = novikoff.verify({**two, "digest": content_digest(two)}, X, y)
    assert "the conflicts with row 1 add up to 2, above 1" in verification.reason


def test_a_weaker_claim_is_a_true_one(with_shares):
    X, y, fields = with_shares
    fields = copy.deepcopy(fields)
    fields["errors"] = ["1", "4"]
    fields["digest"] = content_digest(fields)
    verification = novikoff.verify(fields, X, y)
    assert verification
    assert verification.reason == "the fewest errors in weights are at least 1 and at most 4."
