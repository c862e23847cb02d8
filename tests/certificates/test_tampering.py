"""Change one thing, and verification fails with the right reason: in the file, then by a forger.

A forger computes the digest again. Then the mathematics has to refuse, and where it does not, the
changed certificate must be a true one, by the word of the stand-alone checker.
"""

import copy
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from tests.certificates.proofs import PROOFS, oracle, resealed

from novikoff.certificates.certificate import FORMAT, Certificate
from novikoff.certificates.fields import text_of
from novikoff.certificates.verify import verify
from novikoff.errors import CertificateError
from novikoff.matrix.digest import ENCODINGS

LIST_FIELDS = ("weights", "alpha", "rows", "columns", "classes")
LIST_FIELDS += ("errors", "wrong_rows", "conflicts", "row_weights")
ids = {"argvalues": PROOFS, "ids": [proof.name for proof in PROOFS]}


def numbers_near(text, rng):
    """Other fractions: a little more, a little less, of another sign, of another size, random."""
    value = Fraction(text)
    tiny = Fraction(1, 10**30)
    noise = Fraction(int(rng.integers(-50, 50)), int(rng.integers(1, 50)))
    others = [value + 1, value - 1, -value, 2 * value, value / 3, value + tiny, value - tiny, noise]
    others += [Fraction(0), Fraction(value.numerator + 1, value.denominator)]
    others += [Fraction(value.numerator, value.denominator + 1), value + Fraction(1, 2**80)]
    return [text_of(other) for other in others if other != value]


def digits_changed(text, rng):
    """The same text with one digit another."""
    places = [at for at, digit in enumerate(text) if digit.isdigit()]
    at = int(rng.choice(places))
    return text[:at] + str((int(text[at]) + int(rng.integers(1, 10))) % 10) + text[at + 1 :]


def with_item(fields, name, at, value):
    other = copy.deepcopy(fields)
    other[name][at] = value
    return other


def mutated_conflicts(fields, rng):
    """The conflicts of the fewest errors, and the leaves of their tree, changed in many ways."""
    for k, conflict in enumerate(fields.get("conflicts", [])):
        for other in numbers_near(conflict["share"], rng):
            yield "conflicts", with_item(fields, "conflicts", k, {**conflict, "share": other})
        for at, text in enumerate(conflict["alpha"]):
            for other in numbers_near(text, rng):
                changed = with_item(conflict, "alpha", at, other)
                yield "conflicts", with_item(fields, "conflicts", k, changed)
        for at, row in enumerate(conflict["rows"]):
            for other in (row + 1, row - 1, fields["n"]):
                changed = with_item(conflict, "rows", at, other)
                yield "conflicts", with_item(fields, "conflicts", k, changed)
    tree = fields.get("tree", {})
    for side in sorted(tree.keys() & {"right", "wrong", "shares", "then"}):
        for at, (j, share) in enumerate(tree[side]):
            for pair in [[1 - j, share], [9, share], *([j, x] for x in numbers_near(share, rng))]:
                yield "tree", {**fields, "tree": with_item(tree, side, at, pair)}
        yield "tree", {**fields, "tree": {**tree, side: []}}
    for row in range(fields["n"] + 1):
        if "row" in tree and row != tree["row"]:
            yield "tree", {**fields, "tree": {**tree, "row": row}}
        if "fixed" in tree and [row] != tree["fixed"]:
            yield "tree", {**fields, "tree": {**tree, "fixed": [row]}}


def mutations(fields, rng):
    """(what was changed, the changed fields): every single number and flag, in many ways."""
    for name in ("weights", "alpha", "errors", "row_weights"):
        for at, text in enumerate(fields.get(name, [])):
            for other in [*numbers_near(text, rng), digits_changed(text, rng)]:
                yield name, with_item(fields, name, at, other)
    for other in numbers_near(fields["intercept"], rng) if "intercept" in fields else []:
        yield "intercept", {**fields, "intercept": other}
    for name in ("rows", "wrong_rows"):
        for at, row in enumerate(fields.get(name, [])):
            for other in {row + 1, row - 1, -row, 0, fields["n"] - 1, fields["n"], 10**9} - {row}:
                yield name, with_item(fields, name, at, other)
    yield from mutated_conflicts(fields, rng)
    for name in ("n", "d"):
        for other in (fields[name] + 1, fields[name] - 1, 0, -1, 2 * fields[name], 10**12):
            yield name, {**fields, name: other}
    for name in ("fit_intercept", "decimals"):
        yield name, {**fields, name: not fields[name]}
    for name, values in (
        (
            "kind",
            ("separable", "touching", "overlapping", "not separable", "fewest errors", "proven"),
        ),
        ("encoding", (*ENCODINGS, "float32")),
    ):
        for other in set(values) - {fields[name]}:
            yield name, {**fields, name: other}
    for at in range(64):
        text = fields["data_sha256"]
        other = "0123456789abcdef"[(int(text[at], 16) + int(rng.integers(1, 16))) % 16]
        yield "data_sha256", {**fields, "data_sha256": text[:at] + other + text[at + 1 :]}
    yield "classes", {**fields, "classes": fields["classes"][::-1]}
    yield "classes", {**fields, "classes": [fields["classes"][0], "another"]}
    yield "columns", {**fields, "columns": [*fields["columns"], "more"]}
    yield "columns", {**fields, "columns": fields["columns"][1:]}
    yield "columns", {**fields, "columns": ["renamed", *fields["columns"][1:]]}
    yield "label", {**fields, "label": "another"}
    yield "version", {**fields, "version": 2}
    yield "format", {**fields, "format": FORMAT + "s"}
    for name in LIST_FIELDS:
        if name in fields:
            yield name, {**fields, name: fields[name][:-1]}
            yield name, {**fields, name: [*fields[name], fields[name][0]]}
    for name in set(fields) - {"digest"}:
        yield name, {key: value for key, value in fields.items() if key != name}


# Whoever reseals the file may rename things: the hash is over numbers and labels, not over names.
WORDS = {"columns", "label"}
# With these changed the certificate makes another claim, which may be true.
CLAIM = {"weights", "intercept", "alpha", "rows", "kind", "fit_intercept", "decimals"}
CLAIM |= {"errors", "wrong_rows", "conflicts", "row_weights", "tree"}
REASONS = {
    "n": ("rows", "n must be", "row_weights", "n − 1"),
    "d": ("columns", "weights", "d must be"),
    "data_sha256": ("SHA-256",),
    "encoding": ("SHA-256", "encoding", "float64 cannot hold", "numbers as they are written"),
    "classes": ("SHA-256", "classes"),
    "version": ("version",),
    "format": ("format",),
}


@pytest.mark.parametrize("proof", **ids)
def test_a_changed_file_is_not_valid(proof):
    fields = proof.certificate.to_dict()
    rng = np.random.default_rng(7)
    count = 0
    for what, changed in mutations(fields, rng):
        verification = verify(changed, proof.X, proof.y)
        assert not verification.valid, (what, changed)
        expected = {"version": "version", "format": "format"}.get(what, "digest")
        assert expected in verification.reason or "missing" in verification.reason, (what, changed)
        count += 1
    for at in range(64):
        digest = fields["digest"]
        other = "1" if digest[at] != "1" else "2"
        changed = {**fields, "digest": digest[:at] + other + digest[at + 1 :]}
        assert "digest" in verify(changed, proof.X, proof.y).reason
    assert count > 100


@pytest.mark.parametrize("proof", **ids)
def test_a_forged_file_is_valid_only_if_what_it_says_is_true(proof):
    rng = np.random.default_rng(11)
    for what, changed in mutations(proof.certificate.to_dict(), rng):
        verification = verify(resealed(changed), proof.X, proof.y)
        if verification.valid:
            assert what in CLAIM | WORDS, (what, changed)
            assert oracle(changed, proof), (what, changed)
        elif "missing" not in verification.reason:
            assert any(part in verification.reason for part in REASONS.get(what, ("",)))


@pytest.mark.parametrize("proof", **ids)
def test_what_is_refused_is_not_true(proof):
    """The other direction: a claim that the checker accepts is not refused."""
    rng = np.random.default_rng(13)
    for what, changed in mutations(proof.certificate.to_dict(), rng):
        if what not in CLAIM:
            continue
        try:
            certificate = Certificate.from_dict(resealed(changed))
        except CertificateError:
            continue
        if not verify(certificate, proof.X, proof.y).valid:
            assert not oracle(changed, proof), (what, changed)


def cells_changed(X, rng):
    """(row, column, the changed matrix): every cell, in several ways."""
    dense = X.toarray() if sp.issparse(X) else X
    for at in np.ndindex(dense.shape):
        value = dense[at]
        if dense.dtype == object:
            others = [value + 1, value + Fraction(1, 10**40), -value - 1]
        elif dense.dtype.kind == "i":
            others = [value + 1, value - 1, -value - 1]
        else:
            up, down = np.nextafter(value, np.inf), np.nextafter(value, -np.inf)
            others = [up, down, value + 1.0, -value - 1.0, float(rng.normal())]
        for other in others:
            changed = dense.copy()
            changed[at] = other
            yield sp.csr_array(changed) if sp.issparse(X) else changed


@pytest.mark.parametrize("proof", **ids)
def test_one_changed_cell_is_found(proof):
    for changed in cells_changed(proof.X, np.random.default_rng(5)):
        verification = verify(proof.certificate, changed, proof.y)
        assert not verification.valid
        assert "SHA-256" in verification.reason or "float64 cannot hold" in verification.reason


@pytest.mark.parametrize("proof", **ids)
def test_one_changed_label_is_found(proof):
    negative, positive = proof.certificate.classes
    for row in range(len(proof.y)):
        changed = proof.y.copy()
        changed[row] = negative if changed[row] == positive else positive
        verification = verify(proof.certificate, proof.X, changed)
        assert not verification.valid
        assert "SHA-256" in verification.reason or "no row has" in verification.reason


@pytest.mark.parametrize("proof", **ids)
def test_rows_and_columns_in_another_order_are_other_data(proof):
    other = proof.X[::-1]
    if (other != proof.X).sum() or (proof.y[::-1] != proof.y).any():
        assert "SHA-256" in verify(proof.certificate, other, proof.y[::-1]).reason
