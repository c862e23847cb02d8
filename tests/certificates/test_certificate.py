import dataclasses
import json
from fractions import Fraction

import numpy as np
import pytest
from tests.certificates.proofs import LINE, PROOFS, changed, resealed

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.claims import CLAIMS
from novikoff.certificates.fields import FIELDS
from novikoff.certificates.form import KINDS
from novikoff.errors import CertificateError, FileError, NovikoffError
from novikoff.matrix.problem import Problem

SEPARABLE, TOUCHING, OVERLAPPING = (proof.certificate for proof in PROOFS[:3])


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.name)
def test_what_is_saved_is_what_is_loaded(proof, tmp_path):
    path = tmp_path / "certificate.json"
    proof.certificate.save(path)
    assert Certificate.load(path) == proof.certificate
    assert Certificate.from_dict(proof.certificate.to_dict()) == proof.certificate
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["certificate.json"]


def test_the_file_is_plain_json_with_fractions_as_strings(tmp_path):
    path = tmp_path / "certificate.json"
    SEPARABLE.save(path)
    fields = json.loads(path.read_text(encoding="utf-8"))
    assert fields["format"] == "novikoff-certificate"
    assert fields["version"] == 1
    assert fields["weights"] == ["2/3", "1/8"]
    assert fields["intercept"] == "-1/2"
    assert "rows" not in fields
    assert list(fields)[-1] == "digest"


def test_fractions_of_any_length_survive(tmp_path):
    long = Fraction(10**9000 + 1, 3**9999)
    certificate = Certificate.separable(Problem.of(LINE, [0, 0, 1, 1]), [long], -long)
    certificate.save(tmp_path / "long.json")
    assert Certificate.load(tmp_path / "long.json") == certificate


def test_floats_are_the_rationals_they_are():
    certificate = Certificate.separable(Problem.of(LINE, [0, 0, 1, 1]), np.array([0.1]), 0.1)
    assert certificate.weights == (Fraction(0.1),)
    assert certificate.intercept == Fraction(0.1)


def test_rows_are_put_in_order_with_their_alpha():
    certificate = Certificate.not_separable(Problem.of(LINE, [0, 0, 1, 1]), [2, 1], [7, 3])
    assert certificate.rows == (1, 2)
    assert certificate.alpha == (3, 7)


def test_it_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        SEPARABLE.n = 3


def test_an_unwritable_place_is_a_file_error_and_leaves_nothing(tmp_path):
    with pytest.raises(FileError, match="nowhere"):
        SEPARABLE.save(tmp_path / "nowhere" / "certificate.json")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_file_is_a_file_error(tmp_path):
    with pytest.raises(FileError, match=r"absent\.json"):
        Certificate.load(tmp_path / "absent.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[1, 2]", "JSON object"),
        ('{"n": 1, "n": 2}', "twice"),
        ('{"n": NaN}', "NaN"),
        ("[" * 100_000, "not JSON"),
        ('{"format": "something else"}', "format"),
        ('{"format": "novikoff-certificate", "version": 2}', "version 2"),
        ('{"format": "novikoff-certificate", "version": true}', "version True"),
        ('{"format": "novikoff-certificate", "version": 1}', "missing"),
        ('{"n": ' + "9" * 5000 + "}", "not JSON"),
    ],
)
def test_what_is_not_a_certificate_is_refused(text, message):
    with pytest.raises(CertificateError, match=message):
        Certificate.from_json(text)


def test_bytes_that_are_not_text_are_refused(tmp_path):
    path = tmp_path / "noise.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CertificateError, match="UTF-8"):
        Certificate.load(path)


FORMS = [
    (SEPARABLE, "kind", "maybe", "kind"),
    (SEPARABLE, "n", 0, "n must be"),
    (SEPARABLE, "n", True, "n must be"),
    (SEPARABLE, "n", 4.0, "n must be"),
    (SEPARABLE, "d", -2, "d must be"),
    (SEPARABLE, "d", 3, "columns"),
    (SEPARABLE, "fit_intercept", 1, "fit_intercept"),
    (SEPARABLE, "fit_intercept", False, "fit_intercept is false"),
    (SEPARABLE, "decimals", "yes", "decimals"),
    (SEPARABLE, "encoding", "utf-8", "encoding"),
    (SEPARABLE, "data_sha256", "abc", "64 hexadecimal"),
    (SEPARABLE, "data_sha256", "A" * 64, "64 hexadecimal"),
    (SEPARABLE, "columns", "x0", "columns must be a list"),
    (SEPARABLE, "columns", ["x0", 1], "names"),
    (SEPARABLE, "columns", ["x0", "x0"], "same name"),
    (SEPARABLE, "label", 3, "label"),
    (SEPARABLE, "classes", [0, 0], "two different"),
    (SEPARABLE, "classes", [0, 1, 2], "two different"),
    (SEPARABLE, "classes", [0, None], "two different"),
    (SEPARABLE, "classes", [0, "1"], "one kind"),
    (SEPARABLE, "classes", [0, True], "one kind"),
    (SEPARABLE, "label", "x1", "one of the columns"),
    (SEPARABLE, "weights", ["1", "9" * 100_001], "at most 100000"),
    (SEPARABLE, "weights", ["1"], "1 weights"),
    (SEPARABLE, "weights", ["1", "0.5"], "p/q"),
    (SEPARABLE, "weights", ["1", 0.5], "p/q"),
    (SEPARABLE, "weights", ["1", "2/4"], "lowest terms"),
    (SEPARABLE, "weights", ["1", "1/0"], "lowest terms"),
    (SEPARABLE, "weights", ["1", "01"], "lowest terms"),
    (SEPARABLE, "weights", ["1", "-0"], "lowest terms"),
    (SEPARABLE, "weights", ["1", "٣"], "p/q"),
    (SEPARABLE, "weights", None, "null"),
    (SEPARABLE, "intercept", None, "null"),
    (SEPARABLE, "rows", [0], "no rows"),
    (TOUCHING, "rows", [1, 1], "distinct"),
    (TOUCHING, "rows", [2, 1], "distinct"),
    (TOUCHING, "rows", [1, 4], "rows are counted"),
    (TOUCHING, "rows", [-1, 1], "rows are counted"),
    (TOUCHING, "rows", [1, 2.0], "rows are counted"),
    (TOUCHING, "rows", [False, 2], "rows are counted"),
    (TOUCHING, "rows", [0, 1, 2], "3 rows, but 2"),
    (TOUCHING, "alpha", ["1", "0"], "alpha\\[1\\] is not positive"),
    (TOUCHING, "alpha", ["-1", "1"], "alpha\\[0\\] is not positive"),
    (TOUCHING, "alpha", None, "null"),
    (OVERLAPPING, "weights", ["1", "1"], "no weights"),
    (OVERLAPPING, "signature", "me", "not one of"),
]


@pytest.mark.parametrize(("certificate", "field", "value", "message"), FORMS)
def test_every_field_is_checked(certificate, field, value, message):
    fields = resealed(changed(certificate, lambda fields: fields.update({field: value})))
    with pytest.raises(CertificateError, match=message):
        Certificate.from_dict(fields)


@pytest.mark.parametrize("field", sorted(TOUCHING.to_dict()))
def test_no_field_may_be_missing(field):
    fields = changed(TOUCHING, lambda fields: fields.pop(field) and None)
    with pytest.raises(CertificateError):
        Certificate.from_dict(resealed(fields) if field != "digest" else fields)


def test_empty_rows_prove_nothing():
    fields = changed(TOUCHING, lambda fields: fields.update(rows=[], alpha=[]))
    with pytest.raises(CertificateError, match="empty"):
        Certificate.from_dict(resealed(fields))


def test_values_that_json_cannot_hold_are_refused():
    with pytest.raises(NovikoffError, match="plain JSON"):
        Certificate.from_dict({**SEPARABLE.to_dict(), "label": {1, 2}})


def test_labels_that_json_cannot_hold_are_known_by_their_text():
    days = np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[D]")
    problem = Problem.of([[0.0], [1.0]], days)
    certificate = Certificate.separable(problem, [1], Fraction(-1, 2))
    assert certificate.classes == ("2026-01-01", "2026-01-02")
    assert Certificate.from_json(certificate.to_json()) == certificate


def test_it_prints_what_it_claims():
    assert str(TOUCHING) == "certificate: touching, 4 × 1 with intercept, α on 2 rows"
    assert str(PROOFS[4].certificate) == "certificate: separable, 4 × 2 without intercept"


def test_the_table_of_fields_has_every_field_in_its_order():
    assert list(FIELDS) == [field.name for field in dataclasses.fields(Certificate)]
    optional = [name for name, field in FIELDS.items() if field.optional]
    defaults = [f.name for f in dataclasses.fields(Certificate) if f.default is None]
    assert optional == defaults


def test_the_table_of_kinds_has_every_kind():
    assert set(CLAIMS) == set(KINDS)


def test_a_file_that_is_too_large_is_neither_read_nor_written(tmp_path, monkeypatch):
    made = SEPARABLE
    made.save(tmp_path / "proof.json")
    size = (tmp_path / "proof.json").stat().st_size
    monkeypatch.setattr("novikoff.certificates.fields.LARGEST", size)
    assert Certificate.load(tmp_path / "proof.json") == made
    monkeypatch.setattr("novikoff.certificates.fields.LARGEST", size - 1)
    with pytest.raises(CertificateError, match="at most"):
        Certificate.load(tmp_path / "proof.json")
    with pytest.raises(CertificateError, match="at most"):
        made.save(tmp_path / "again.json")
    assert not (tmp_path / "again.json").exists()
