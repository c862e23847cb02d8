"""The stand-alone checker: on files, in a process of its own, against what `verify` says."""

import ast
import csv
import io
import json
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from tests.certificates.proofs import (
    CHECKER,
    PROOFS,
    XOR,
    changed,
    checker_for,
    lines_of,
    resealed,
)

from novikoff import separate
from novikoff.certificates.certificate import Certificate
from novikoff.data import read
from novikoff.matrix.problem import Problem

pytestmark = pytest.mark.slow

FILES = sorted(CHECKER.parent.glob("*.py"))


def run(*arguments, file="check", **environment):
    script = CHECKER.with_name(f"novikoff_{file}.py")
    command = [sys.executable, "-s", str(script), *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=os.environ | environment
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stderr == ""
    return done.returncode, done.stdout


def write_csv(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


@pytest.fixture
def files(tmp_path):
    def write(proof, fields=None):
        data, certificate = tmp_path / "data.csv", tmp_path / "certificate.json"
        lines = lines_of(proof.X, proof.y, proof.certificate.columns)
        data.write_text("".join(lines), encoding="utf-8", newline="")
        written = proof.certificate.to_dict() if fields is None else fields
        certificate.write_text(json.dumps(written), encoding="utf-8")
        return certificate, data

    return write


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_is_short_and_needs_only_python(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    known = sys.stdlib_module_names | {file.stem for file in FILES}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= known
        if isinstance(node, ast.ImportFrom):
            assert str(node.module).split(".")[0] in known


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.name)
def test_true_certificates_are_valid(proof, files):
    fields = proof.certificate.to_dict()
    status, text = run(*files(proof), file=checker_for(fields))
    assert (status, text.split(":")[0]) == (0, "valid"), text
    for other in {"check", "fewest", "models"} - {checker_for(fields)}:
        status, text = run(*files(proof), file=other)
        assert (status, f"novikoff_{checker_for(fields)}.py" in text) == (2, True)


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.name)
def test_a_changed_certificate_is_not_valid(proof, files):
    fields = changed(proof.certificate, lambda fields: fields.update(n=fields["n"] + 1))
    file = checker_for(fields)
    assert "digest" in run(*files(proof, fields), file=file)[1]
    status, text = run(*files(proof, resealed(fields)), file=file)
    assert status == 1
    assert "rows" in text


FALSE_CLAIMS = [
    ("separable", {"intercept": "100"}, "not on its side"),
    ("touching", {"intercept": "1/1000000"}, "not on its side"),
    ("touching", {"weights": ["0"]}, "on the plane"),
    ("touching", {"alpha": ["1", "2"]}, "is not 0"),
    ("touching", {"alpha": ["-1", "-1"]}, "above 0"),
    ("touching", {"rows": [1, 1]}, "twice"),
    ("touching", {"rows": [1, 4]}, "does not have"),
    ("touching", {"kind": "overlapping"}, "type: ['intercept', 'weights']"),
    ("touching", {"alpha": ["1", "2/2"]}, "lowest terms"),
    ("overlapping", {"kind": "undecided"}, "unknown"),
    ("overlapping", {"encoding": "float32"}, "unknown"),
    ("overlapping", {"version": True}, "type: ['version']"),
    ("overlapping", {"n": 4.0}, "type: ['n']"),
    ("overlapping", {"signature": "me"}, "type: ['signature']"),
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
    assert run(certificate, data, "--label", "cured")[0] == 1


def test_what_cannot_be_checked_says_so(tmp_path, files):
    certificate, data = files(PROOFS[0])
    assert run(tmp_path / "absent.json", data)[0] == 2
    assert run(certificate, tmp_path / "absent.csv")[0] == 2
    assert run(certificate, data, "--label", "absent")[0] == 2
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    assert run(tmp_path / "list.json", data)[0] == 2
    fields = {**PROOFS[0].certificate.to_dict(), "proof": "floating point"}
    status, text = run(*files(PROOFS[0], resealed(fields)))
    assert status == 2
    assert "novikoff.verify" in text


def test_a_cell_that_is_no_number_cannot_be_checked(files):
    certificate, data = files(PROOFS[0])
    data.write_text(data.read_text(encoding="utf-8").replace("3.25", "three"), encoding="utf-8")
    status, text = run(certificate, data)
    assert status == 2
    assert "three" in text


def sealed(path, **fields):
    """A certificate of nobody's program: any fields, with the digest that belongs to them."""
    path.write_text(json.dumps(resealed(fields)), encoding="utf-8")
    return path


@pytest.fixture
def forge(tmp_path):
    """A certificate about a file, with fields of one's own and the digests that belong to them."""

    def write(text, columns, **changes):
        data = tmp_path / "data.csv"
        data.write_text(text, encoding="utf-8")
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        cells = np.array([[float(row[header.index(name)]) for name in columns] for row in rows])
        y = np.array([row[header.index("lab")] for row in rows])
        problem = Problem.of(cells, y, names=[f"c{j}" for j in range(len(columns))])
        fields = Certificate.overlapping(problem, range(len(y)), [1] * len(y)).to_dict()
        fields |= {"columns": columns, "label": "lab"} | changes
        fields = {name: value for name, value in fields.items() if value is not ...}
        return sealed(tmp_path / "certificate.json", **fields), data

    return write


APART = "a,b,lab\n0,1,0\n0,1,0\n1,1,1\n1,1,1\n"
CROSSED = "a,b,lab\n0,0,0\n1,1,0\n0,1,1\n1,0,1\n"


def test_a_column_cannot_be_used_twice(forge):
    status, text = run(*forge(APART, ["b", "b"]))
    assert (status, "twice" in text) == (1, True)


def test_the_label_is_no_column(forge):
    separator = {"kind": "separable", "weights": ["0", "1"], "intercept": "-1/2", "rows": ...,
                 "alpha": ...}  # fmt: skip
    status, text = run(*forge(CROSSED, ["a", "lab"], **separator))
    assert (status, "the label" in text) == (1, True)
    status, text = run(*forge(CROSSED, ["a", "lab"], **separator, label=None))
    assert (status, "the label" in text) == (1, True)


def test_classes_are_two_of_one_kind(forge):
    for classes in (["0", "1", "2"], ["0"], ["0", 1], ["0", "0"], ["0", None], [0, 1.0]):
        status, text = run(*forge(CROSSED, ["a", "b"], classes=classes))
        assert status in (1, 2), (classes, text)
    assert run(*forge(CROSSED, ["a", "b"], classes=["0", "1"]))[0] == 0
    assert run(*forge(CROSSED, ["a", "b"], classes=[0, 1]))[0] == 0


def test_no_field_is_there_twice(forge):
    certificate, data = forge(CROSSED, ["a", "b"])
    text = certificate.read_text(encoding="utf-8").replace('"kind"', '"kind": "separable", "kind"')
    certificate.write_text(text, encoding="utf-8")
    status, text = run(certificate, data)
    assert (status, "twice" in text) == (2, True)


@pytest.mark.parametrize("row", ["0,0,0,7", "0,0"])
def test_every_row_has_as_many_cells_as_the_header(forge, row):
    certificate, data = forge(CROSSED, ["a", "b"])
    data.write_text(CROSSED.replace("0,0,0\n", row + "\n"), encoding="utf-8")
    status, text = run(certificate, data)
    assert (status, "row [0]" in text) == (2, True)


def test_no_name_of_the_file_is_there_twice(forge):
    certificate, data = forge(CROSSED, ["a", "b"])
    data.write_text(CROSSED.replace("a,b,lab", "a,b,a"), encoding="utf-8")
    assert run(certificate, data)[0] == 2


@pytest.mark.parametrize("number", ["1e200000000", "9" * 100_001, "1/" + "3" * 100_000, "1_0", "٣"])
def test_numbers_have_a_bounded_length(forge, number):
    status, text = run(*forge(CROSSED, ["a", "b"], alpha=[number] * 4))
    assert (status, "not a number" in text) == (1, True)
    certificate, data = forge(CROSSED, ["a", "b"])
    data.write_text(CROSSED.replace("0,0,0", f"{number},0,0"), encoding="utf-8")
    assert run(certificate, data)[0] == 2


def test_no_nesting_and_no_cell_is_a_traceback(forge, tmp_path):
    certificate, data = forge(CROSSED, ["a", "b"])
    deep = tmp_path / "deep.json"
    deep.write_text('{"format":' + "[" * 100_000, encoding="utf-8")
    assert run(deep, data)[0] == 2
    data.write_text(CROSSED.replace("0,0,0", f"{'7' * 200_000},0,0"), encoding="utf-8")
    assert run(certificate, data)[0] == 2
    data.write_bytes(bytes(range(256)) * 4)
    assert run(certificate, data)[0] == 2
    data.write_bytes(b"")
    assert run(certificate, data)[0] == 2
    assert run(certificate, tmp_path)[0] == 2
    assert run(data, certificate)[0] == 2


def test_the_answer_says_what_was_proven(forge):
    text = (
        CROSSED.replace("a,b,lab", "a,b,lab,größe")
        .replace(",0\n", ",0,5\n")
        .replace(",1\n", ",1,5\n")
    )
    certificate, data = forge(text, ["b", "a"])
    status, answer = run(certificate, data, PYTHONIOENCODING="utf-8")
    assert status == 0
    assert answer.splitlines() == [
        "valid: overlapping, with an intercept",
        "rows: all 4; numbers: as float64",
        "columns: 'b', 'a'",
        "label: 'lab', where '0' is -1 and '1' is +1",
        "columns left out: 'größe'",
    ]
    status, answer = run(certificate, data, PYTHONIOENCODING="ascii")
    assert (status, r"gr\xf6\xdfe" in answer) == (0, True)


def test_names_cannot_forge_the_answer(forge):
    name = "a\x1b[2K\nvalid: separable"
    status, answer = run(*forge(CROSSED.replace("a,", f'"{name}",', 1), [name, "b"]))
    assert status == 0
    assert "\x1b" not in answer
    assert len(answer.splitlines()) == 5


def test_the_label_of_the_certificate_is_the_label(forge):
    text = CROSSED.replace("lab", "lab,other").replace(",0\n", ",0,0\n").replace(",1\n", ",1,1\n")
    certificate, data = forge(text, ["a", "b"])
    assert run(certificate, data)[0] == run(certificate, data, "--label", "lab")[0] == 0
    status, text = run(certificate, data, "--label", "other")
    assert (status, "its label" in text) == (1, True)


def test_one_class_against_the_rest(tmp_path):
    data, certificate = tmp_path / "data.csv", tmp_path / "certificate.json"
    write_csv(data, ["x", "kind"], [[1, "a"], [2, "b"], [3, "c"], [4, "c"]])
    table = read(data, label="kind", positive="c")
    separate(table.X, table.y, names=table.names).certificate().save(certificate)
    status, answer = run(certificate, data)
    assert status == 0
    assert "'c' is -1 and 'not c' is +1" in answer
    write_csv(data, ["x", "kind"], [[1, "a"], [2, ""], [3, "c"], [4, "c"]])
    assert run(certificate, data)[0] == 1


LONG = "0.12345678901234567890"


@pytest.mark.parametrize("number", [LONG, LONG[:-1] + "1", "9007199254740993", "1e-400", "1e400"])
def test_a_number_that_float64_cannot_hold_is_not_read_as_another(forge, number):
    certificate, data = forge(CROSSED, ["a", "b"], decimals=True)
    assert run(certificate, data)[0] == 0
    data.write_text(CROSSED.replace("1,0,1", f"1,{number},1"), encoding="utf-8")
    status, text = run(certificate, data)
    assert status == 2
    assert "float64 cannot hold" in text or "too large" in text


SVMLIGHT = "+1 1:2.5 7:1 # a comment\n\n-1 3:-4\n1 qid:3 2:0 7:1e0\n-1 1:-1 3:.5\n"


def test_svmlight_and_sparse_certificates(tmp_path):
    data, certificate = tmp_path / "data.svm", tmp_path / "certificate.json"
    data.write_text(SVMLIGHT.replace(" qid:3", ""), encoding="utf-8")
    table = read(data)
    proof = separate(table.X, table.y, names=table.names, decimals=table.decimals).certificate()
    assert proof.encoding == "csr-float64"
    proof.save(certificate)
    status, answer = run(certificate, data)
    assert status == 0, answer
    assert "columns: 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'" in answer
    data.write_text(SVMLIGHT, encoding="utf-8")
    assert run(certificate, data)[0] == 0
    for other in (SVMLIGHT.replace("-4", "-5"), SVMLIGHT.replace("3:-4", "2:-4")):
        data.write_text(other, encoding="utf-8")
        assert run(certificate, data)[0] == 1
    for bad in ("-1 3:-4 3:-4", "-1 3", "-1 3:-4:5", "-1 x3:-4", "-1 label:3"):
        data.write_text(SVMLIGHT.replace("-1 3:-4", bad), encoding="utf-8")
        assert run(certificate, data)[0] == 2, bad
    sealed(certificate, **(proof.to_dict() | {"columns": [f"y{j}" for j in range(7)]}))
    assert run(certificate, data)[0] == 2


def test_columns_left_out_of_svmlight_are_named(tmp_path):
    data, certificate = tmp_path / "data.svm", tmp_path / "certificate.json"
    data.write_text(SVMLIGHT.replace(" qid:3", ""), encoding="utf-8")
    table = read(data, features=["x7", "x3"])
    separate(table.X, table.y, names=table.names).certificate().save(certificate)
    status, answer = run(certificate, data)
    assert status == 0, answer
    assert "columns: 'x7', 'x3'" in answer
    assert "columns left out: 'x1', 'x2'" in answer
