"""The stand-alone checker: on files, in a process of its own, against what `verify` says."""

import ast
import csv
import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from tests.certificates.proofs import CHECKER, PROOFS, XOR, changed, resealed

from novikoff import separate
from novikoff.certificates.certificate import Certificate
from novikoff.data import read
from novikoff.problem import Problem

DENSE = [proof for proof in PROOFS if not sp.issparse(proof.X)]


def run(*arguments):
    command = [sys.executable, "-I", str(CHECKER), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def write_csv(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture
def files(tmp_path):
    def write(proof, fields=None):
        data, certificate = tmp_path / "data.csv", tmp_path / "certificate.json"
        rows = zip(proof.X.tolist(), proof.y.tolist(), strict=True)
        header = [*proof.certificate.columns, "outcome"]
        write_csv(data, header, [[*row, label] for row, label in rows])
        written = proof.certificate.to_dict() if fields is None else fields
        certificate.write_text(json.dumps(written), encoding="utf-8")
        return certificate, data

    return write


def test_it_is_short_and_needs_only_python():
    text = CHECKER.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom):
            assert node.module in sys.stdlib_module_names


@pytest.mark.parametrize("proof", DENSE, ids=lambda proof: proof.name)
def test_true_certificates_are_valid(proof, files):
    status, text = run(*files(proof))
    assert (status, text.split(":")[0]) == (0, "valid"), text


@pytest.mark.parametrize("proof", DENSE, ids=lambda proof: proof.name)
def test_a_changed_certificate_is_not_valid(proof, files):
    fields = changed(proof.certificate, lambda fields: fields.update(n=fields["n"] + 1))
    assert "digest" in run(*files(proof, fields))[1]
    status, text = run(*files(proof, resealed(fields)))
    assert status == 1
    assert "rows" in text


FALSE_CLAIMS = [
    ("separable", {"intercept": "100"}, "not on its side"),
    ("touching", {"intercept": "1/1000000"}, "not on its side"),
    ("touching", {"weights": ["0"]}, "on the plane"),
    ("touching", {"alpha": ["1", "2"]}, "is not 0"),
    ("touching", {"alpha": ["-1", "-1"]}, "above 0"),
    ("touching", {"rows": [1, 1]}, "no row twice"),
    ("touching", {"rows": [1, 4]}, "rows of the file"),
    ("touching", {"kind": "overlapping"}, "do not span"),
    ("overlapping", {"kind": "undecided"}, "unknown"),
    ("overlapping", {"classes": [True, False]}, "SHA-256"),
    ("separable", {"data_sha256": "0" * 64}, "SHA-256"),
    ("separable, decimals", {"decimals": False}, "not on its side"),
    ("overlapping, decimals", {"decimals": False}, "is not 0"),
]


@pytest.mark.parametrize(("name", "change", "message"), FALSE_CLAIMS)
def test_a_resealed_falsehood_is_found(name, change, message, files):
    proof = next(proof for proof in PROOFS if proof.name == name)
    fields = resealed(changed(proof.certificate, lambda fields: fields.update(change)))
    status, text = run(*files(proof, fields))
    assert status == 1
    assert message in text


def test_one_changed_cell_is_found(files):
    certificate, data = files(PROOFS[0])
    data.write_text(data.read_text(encoding="utf-8").replace("3.25", "3.26"), encoding="utf-8")
    status, text = run(certificate, data)
    assert status == 1
    assert "SHA-256" in text


def test_columns_are_found_by_name_and_the_label_by_option(tmp_path):
    problem = Problem.of(XOR, np.array([1.0, 1.0, 2.0, 2.0]), names=["a", "b"])
    certificate = tmp_path / "certificate.json"
    Certificate.overlapping(problem, range(4), [1] * 4).save(certificate)
    rows = [[7, 1, b, a] for a, b in XOR[:2].tolist()] + [[8, 2, b, a] for a, b in XOR[2:].tolist()]
    write_csv(tmp_path / "data.csv", ["id", "group", "b", "a"], rows)
    assert run(certificate, tmp_path / "data.csv", "--label", "group")[0] == 0
    assert run(certificate, tmp_path / "data.csv")[0] == 1
    named = Certificate.overlapping(problem, range(4), [1] * 4, label="group")
    named.save(certificate)
    assert run(certificate, tmp_path / "data.csv")[0] == 0


def test_columns_without_known_names_are_taken_in_order(tmp_path):
    problem = Problem.of(XOR, ["n", "n", "p", "p"])
    certificate = tmp_path / "certificate.json"
    Certificate.overlapping(problem, range(4), [1] * 4).save(certificate)
    rows = [[*row, label] for row, label in zip(XOR.tolist(), "nnpp", strict=True)]
    write_csv(tmp_path / "data.csv", ["left", "right", "class"], rows)
    assert run(certificate, tmp_path / "data.csv")[0] == 0


def test_a_span_smaller_than_the_columns(tmp_path):
    wide = np.hstack([XOR, XOR[:, :1] * 0.1, np.full((4, 1), 3.0)])
    labels = np.array([0, 0, 1, 1])
    certificate, data = tmp_path / "certificate.json", tmp_path / "data.csv"
    Certificate.overlapping(Problem.of(wide, labels), range(4), [1] * 4).save(certificate)
    rows = [[*row, label] for row, label in zip(wide.tolist(), labels.tolist(), strict=True)]
    write_csv(data, ["x0", "x1", "x2", "x3", "y"], rows)
    assert run(certificate, data)[0] == 0
    outside = np.vstack([wide, [0.5, 0.5, 0.5, 3.0]])
    more = np.append(labels, 1)
    Certificate.overlapping(Problem.of(outside, more), range(4), [1] * 4).save(certificate)
    write_csv(data, ["x0", "x1", "x2", "x3", "y"], [*rows, [0.5, 0.5, 0.5, 3.0, 1]])
    status, text = run(certificate, data)
    assert status == 1
    assert "span" in text


def test_long_integers_are_read(tmp_path):
    x = np.array([[-1.0], [1.0]])
    big = Fraction(7**6000, 3**9000)
    certificate = tmp_path / "certificate.json"
    Certificate.separable(Problem.of(x, [0, 1]), [big]).save(certificate)
    write_csv(tmp_path / "data.csv", ["x0", "y"], [[-1.0, 0], [1.0, 1]])
    assert run(certificate, tmp_path / "data.csv")[0] == 0


def test_labels_may_be_truth_values(tmp_path):
    data, certificate = tmp_path / "data.csv", tmp_path / "certificate.json"
    write_csv(data, ["x", "cured"], [[1, "true"], [2, "TRUE"], [3, "False"], [4, "false"]])
    table = read(data, label="cured")
    separate(table.X, table.y, names=table.names).certificate().save(certificate)
    assert run(certificate, data, "--label", "cured")[0] == 0
    write_csv(data, ["x", "cured"], [[1, "true"], [2, "maybe"], [3, "False"], [4, "false"]])
    assert run(certificate, data, "--label", "cured")[0] == 2


def test_what_cannot_be_checked_says_so(tmp_path, files):
    certificate, data = files(PROOFS[0])
    assert run(tmp_path / "absent.json", data)[0] == 2
    assert run(certificate, tmp_path / "absent.csv")[0] == 2
    assert run(certificate, data, "--label", "absent")[0] == 2
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    assert run(tmp_path / "list.json", data)[0] == 2
    sparse = next(proof for proof in PROOFS if sp.issparse(proof.X))
    sparse.certificate.save(certificate)
    status, text = run(certificate, data)
    assert status == 2
    assert "novikoff.verify" in text


def test_a_cell_that_is_no_number_cannot_be_checked(files):
    certificate, data = files(PROOFS[0])
    data.write_text(data.read_text(encoding="utf-8").replace("3.25", "three"), encoding="utf-8")
    status, text = run(certificate, data)
    assert status == 2
    assert "three" in text
