"""What the stand-alone checker must not believe, and what it must say of what it believes.

Each certificate is true of some other file, in which a column has the name that would deceive: the
hash is that of the same numbers, so nothing but the checker's own reading stands in the way.
"""

import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from tests.certificates.proofs import CHECKER, checker, resealed

from novikoff import detect_separation, fewest_errors, separate, verify

XOR = "a,b,lab\n0,0,p\n1,1,p\n0,1,q\n1,0,q\n"
NUMBERS = XOR.replace("p", "0").replace("q", "1")


def asked(file, fields, text, svmlight=False):
    """(status, answer) of a certificate whose digest was made to fit."""
    lines = text.splitlines(keepends=True)
    try:
        return 0, checker(file).check(json.dumps(resealed(fields)), lines, svmlight)
    except checker().NotValid as error:
        return 1, str(error)
    except Exception as error:
        return 2, str(error)


def model_of(columns, features, **parts):
    frame = pd.DataFrame(columns)
    return detect_separation(features, data=frame, **parts).certificate().to_dict()


@pytest.mark.parametrize(
    ("name", "values", "text"),
    [
        ("lab[T.q]", [0, 0, 1, 1], XOR),
        ("C(lab)[T.q]", [0, 0, 1, 1], XOR),
        ("lab:lab", [0, 0, 1, 1], NUMBERS),
        ("lab[T.1]:lab", [0, 0, 1, 1], NUMBERS),
    ],
)
def test_no_feature_of_a_regression_is_made_of_the_outcome(name, values, text):
    labels = [line.split(",")[-1] for line in text.split()[1:]]
    labels = [int(cell) if cell.isdigit() else cell for cell in labels]
    fields = model_of({name: values, "lab": labels}, [name], y="lab")
    assert fields["kind"] == "separable"
    assert asked("models", fields, text)[0] == 1
    own = f"{name},lab\n" + "".join(f"{x},{y}\n" for x, y in zip(values, labels, strict=True))
    assert asked("models", fields, own)[0] == 0  # there it is a column of the file


def test_a_column_that_the_file_does_not_have_is_no_column_of_zeros():
    separable = "a,lab\n0,p\n1,p\n3,q\n4,q\n"
    fields = model_of({"x0": [0, 0, 0, 0], "lab": ["p", "p", "q", "q"]}, ["x0"], y="lab")
    assert fields["kind"] == "overlapping"
    assert asked("models", fields, separable) == (2, "the file has no column 'x0'")
    svmlight = "p 0:0\np 0:1\nq 0:3\nq 0:4\n"
    assert asked("models", fields, svmlight, svmlight=True)[0] == 2


def test_rows_without_weight_are_not_among_the_rows():
    frame = {"a": [0, 1, 3, 4, 2, 9], "lab": list("ppqqqp"), "w": [1, 1, 1, 1, 0, 0]}
    fields = model_of(frame, ["a"], y="lab", weights="w")
    text = pd.DataFrame(frame).to_csv(index=False)
    status, answer = asked("models", fields, text)
    assert status == 0
    assert "rows of the file: 4 of 6, the others without weight or trials" in answer
    verified = verify(fields, np.c_[frame["a"]], frame["lab"], weights=frame["w"])
    assert "rows of the data left out: 2, without weight or trials" in str(verified)


def test_rows_that_count_nothing_are_told():
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), list("ppqq")
    fields = fewest_errors(X, y, names=["a", "b"], weights=[0, 0, 1, 1]).certificate().to_dict()
    assert fields["errors"] == ["0", "0"]
    status, answer = asked("fewest", fields, XOR)
    assert status == 0
    assert "at most 0; 2 rows count 0, 2 rows count 1" in answer
    assert "weights: 2 rows count 0, 2 rows count 1" in str(verify(fields, X, y))


def test_the_label_of_svmlight_is_no_feature_and_no_feature_its_label():
    X, y = sp.csr_array([[-1.0], [-1.0], [1.0], [1.0]]), [1, 1, 2, 2]
    text = "-1 3:1\n-1 3:1\n+1 3:2\n+1 3:2\n"
    fields = separate(X, y, names=["label"]).certificate().to_dict() | {"label": "x3"}
    assert asked("check", fields, text, svmlight=True)[0] == 2
    zeros = separate(X * 0, y, names=["x1٣"]).certificate().to_dict()  # a digit of another script
    assert asked("check", zeros, text, svmlight=True)[0] == 2


def test_numbers_that_are_not_as_they_are_written_are_told():
    """0.1 + 0.3 = 2 · 0.2 as written, but not in a column that needs more than 15 digits."""
    text = "a,b,lab\n0.1,0.7,p\n0.2,0.7,q\n0.3,0.7,p\n0.12345678901234568,5,p\n"
    X = np.array([[0.1, 0.7], [0.2, 0.7], [0.3, 0.7], [0.12345678901234568, 5]])
    y = list("pqpp")
    proof = separate(X, y, names=["a", "b"], decimals=True).certificate()
    status, answer = asked("check", proof.to_dict(), text)
    assert status == 0
    assert "numbers: as written, but as float64 in 'a'\n" in answer
    assert "numbers: as written, but as float64 in 'a'" in str(verify(proof, X, y))
    short = separate(X[:3], y[:3], names=["a", "b"], decimals=True).certificate()
    status, answer = asked("check", short.to_dict(), text.rsplit("0.12345678901234568")[0])
    assert (status, "numbers: as written\n" in answer) == (0, True)


@pytest.mark.parametrize("alpha", [["1"], ["1"] * 5, []])
def test_one_alpha_for_each_row(alpha):
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), list("ppqq")
    fields = separate(X, y, names=["a", "b"]).certificate().to_dict()
    assert asked("check", fields | {"alpha": alpha}, XOR)[0] == 1


def test_shares_and_weights_are_exact():
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), list("ppqq")
    fields = fewest_errors(X, y, names=["a", "b"], weights=[Fraction(1, 3)] * 4).certificate()
    assert asked("fewest", fields.to_dict(), XOR)[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/full")
@pytest.mark.parametrize("to", [">&-", "> /dev/full", "| true"])
def test_the_status_stays_where_nobody_listens(tmp_path, to):
    data, certificate = tmp_path / "data.csv", tmp_path / "certificate.json"
    data.write_text(XOR, encoding="utf-8")
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), list("ppqq")
    proof = separate(X, y, names=["a", "b"]).certificate()
    for fields, status in ((proof.to_dict(), 0), (proof.to_dict() | {"n": 5}, 1)):
        certificate.write_text(json.dumps(resealed(fields)), encoding="utf-8")
        command = f'set -o pipefail; "{sys.executable}" "{CHECKER}" "{certificate}" "{data}" {to}'
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (status, "")
