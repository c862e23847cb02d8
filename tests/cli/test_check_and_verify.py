"""`novikoff check` and `novikoff verify`: the verdict, the proof, and who checks it."""

import gzip
import html
import json
import shlex
from html import escape

import numpy as np
import pytest
from tests.cli.shell import inside, novikoff

from novikoff import separate

pytestmark = pytest.mark.slow

XOR = "x1,x2,kind\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n"
# All four points lie on the line a + b = 0.3 as they are written, and not as float64 has them.
DECIMALS = "a,b,kind\n0.1,0.2,no\n0.3,0,yes\n0.0,0.3,yes\n0.2,0.1,no\n"


@pytest.fixture
def xor(tmp_path):
    (tmp_path / "xor.csv").write_text(XOR)
    return tmp_path


def test_from_a_file_to_a_checked_proof(xor):
    done = novikoff("check", "xor.csv", "--label", "kind", "--certificate", "c.json", folder=xor)
    assert done.status == 0
    assert "overlapping" in done.out
    assert "next: " in done.out
    assert "novikoff verify c.json xor.csv" in done.err
    certificate = json.loads((xor / "c.json").read_text())
    assert certificate["kind"] == "overlapping"
    assert certificate["label"] == "kind"
    assert certificate["classes"] == ["no", "yes"]
    assert certificate["columns"] == ["x1", "x2"]

    done = novikoff("verify", "c.json", "xor.csv", folder=xor)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("valid: ")

    (xor / "other.csv").write_text(XOR.replace("1,1,no", "1,2,no"))
    done = inside("verify", "c.json", "other.csv", "--json", folder=xor)
    assert done.status == 1
    assert done.json["valid"] is False

    (xor / "d.json").write_text((xor / "c.json").read_text().replace('"n": 4', '"n": 5'))
    done = inside("verify", "d.json", "xor.csv", folder=xor)
    assert done.status == 1
    assert done.out.startswith("not valid: ")

    done = inside("verify", "none.json", "xor.csv", folder=xor)
    assert done.status == 2
    assert "none.json" in done.err
    assert done.out == ""


def test_json_is_alone_on_standard_output(xor):
    done = inside("check", "xor.csv", "--label", "kind", "--json", "--quiet", folder=xor)
    assert done.err == ""
    assert done.json["verdict"] == "overlapping"
    assert done.json["classes"] == ["no", "yes"]
    assert done.json["shared_point"] == [0.5, 0.5]
    assert done.json["explanation"]["separation"] == "none"


def test_standard_input_packed(xor):
    packed = gzip.compress(XOR.encode())
    done = inside("check", "-", "--label", "kind", "--json", stdin=packed)
    assert (done.status, done.json["verdict"]) == (0, "overlapping")
    assert done.json["file"] == "standard input"


def test_expect(xor):
    options = ("xor.csv", "--label", "kind", "--no-explain", "--quiet")
    assert inside("check", *options, "--expect", "overlapping", folder=xor).status == 0
    done = inside("check", *options, "--expect", "separable", folder=xor)
    assert done.status == 1
    assert "overlapping" in done.out


def test_a_lifted_proof_is_checked_with_the_same_options(xor):
    lifted = ("--lift", "degree=2")
    arguments = ("xor.csv", "--label", "kind", *lifted, "--certificate", "c.json", "--json")
    done = inside("check", *arguments, folder=xor)
    assert done.json["verdict"] == "separable"
    assert "x1 x2" in done.json["columns"]
    assert "lifted" in done.err
    assert inside("verify", "c.json", "xor.csv", *lifted, folder=xor).status == 0
    done = inside("verify", "c.json", "xor.csv", folder=xor)
    assert done.status == 2
    assert "no column 'x1^2'" in done.err


def test_one_against_the_rest_and_decimals(tmp_path):
    (tmp_path / "t.csv").write_text(DECIMALS)
    arguments = (
        "t.csv",
        "--label",
        "kind",
        "--positive",
        "no",
        "--certificate",
        "c.json",
        "--json",
    )
    done = inside("check", *arguments, folder=tmp_path)
    assert done.json["verdict"] == "overlapping"
    assert done.json["decimals"] is True
    assert done.json["classes"] == ["yes", "no"]
    assert inside("verify", "c.json", "t.csv", folder=tmp_path).status == 0

    done = inside("check", "dataset:iris", "--positive", "setosa", "--certificate", "i.json",
                    "--quiet", folder=tmp_path)  # fmt: skip
    assert "separable" in done.out
    assert inside("verify", "i.json", "dataset:iris", folder=tmp_path).status == 0


@pytest.mark.parametrize(
    "options",
    [
        ("--label", "kind", "--categorical", "the town"),
        ("--label", "kind", "--drop", "the town", "--standardise"),
        ("--label", "kind", "--features", "size,age", "--lift", "degree=2"),
        ("--label", "kind", "--drop", "the town", "--weights", "age"),
        ("--formula", "kind ~ size + C(`the town`)"),
    ],
    ids=" ".join,
)
def test_what_it_says_to_type_checks_the_certificate(tmp_path, options):
    name = "my towns.txt"
    (tmp_path / name).write_text(
        "size;age;the town;kind\n"
        "1.5;0;Rome;small\n2.1;3;Oslo;small\n?;2;Oslo;large\n7;2;Rome;large\n"
    )
    arguments = (name, *options, "--drop-missing", "--missing", "?", "--delimiter", ";")
    outputs = ("--certificate", "c.json", "--report", "page.html")
    done = inside("check", *arguments, *outputs, folder=tmp_path)
    assert done.status == 0
    command = next(line for line in done.err.splitlines() if line.startswith("certificate: "))
    command = command.removeprefix("certificate: c.json (").removesuffix(")")
    assert escape(command) in (tmp_path / "page.html").read_text()
    assert "counted from 0 as in the file" in (tmp_path / "page.html").read_text()
    program, *again = shlex.split(command)
    assert program == "novikoff"
    done = inside(*again, folder=tmp_path)
    assert (done.status, done.out[:6]) == (0, "valid:")


def test_the_report_is_one_page(xor):
    arguments = ("--label", "kind", "--report", "page.html", "--drop-missing", "--standardise")
    done = inside("check", "xor.csv", *arguments, folder=xor)
    assert done.status == 0
    page = (xor / "page.html").read_text()
    assert "overlapping" in page
    assert "standardised" in page
    assert "<script" not in page


def test_the_answer_says_what_was_proven_of_what(tmp_path):
    (tmp_path / "t.csv").write_text("id,x,kind\n1,0,a\n2,,b\n3,1,c\n4,2,b\n5,3,b\n")
    options = ("t.csv", "--label", "kind", "--features", "x", "--classes", "a,b", "--drop-missing")
    inside("check", *options, "--certificate", "c.json", folder=tmp_path)
    done = inside("verify", "c.json", "t.csv", "--drop-missing", folder=tmp_path)
    assert done.status == 0
    assert done.out.splitlines() == [
        "valid: y(w·x + b) > 0 on all 3 rows.",
        "kind: separable, with an intercept",
        "rows: all 3; numbers: as float64",
        "columns: 'x'",
        "label: 'kind', where 'a' is -1 and 'b' is +1",
        "columns left out: 'id'",
        "rows of the file left out: 1, 2",
    ]
    done = inside("verify", "c.json", "t.csv", "--drop-missing", "--json", folder=tmp_path)
    assert "columns left out: 'id'" in done.json["claim"]


def test_a_certificate_without_names_is_about_all_columns_in_order(xor):
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    separate(X, y).certificate().save(xor / "c.json")
    done = inside("verify", "c.json", "xor.csv", "--label", "kind", folder=xor)
    assert (done.status, done.out[:6]) == (0, "valid:")
    (xor / "more.csv").write_text("".join(f"{line},9\n" for line in XOR.splitlines()))
    assert inside("verify", "c.json", "more.csv", "--label", "kind", folder=xor).status == 1


def test_the_report_says_why_not_and_names_no_folder(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,kind\n0,0,no\n0,1,yes\n1,0,yes\n1,1,no\n")
    arguments = ("--label", "kind", "--report", tmp_path / "page.html")
    done = inside("check", tmp_path / "t.csv", *arguments, "--json")
    text = html.unescape((tmp_path / "page.html").read_text("utf-8"))
    assert str(tmp_path) not in text
    assert "Separability of t.csv" in text
    assert done.json["why_not"]
    for sentence in done.json["why_not"]:
        assert sentence in text


@pytest.mark.parametrize("command", ["diagnose", "fewest", "probe"])
def test_no_page_names_a_folder(command, tmp_path):
    (tmp_path / "t.csv").write_text("a,b,kind\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n2,3,1\n")
    np.save(tmp_path / "x.npy", np.arange(20.0).reshape(10, 2) % 7)
    (tmp_path / "y.csv").write_text("tone\n" + "0\n1\n" * 5)
    about = (tmp_path / "t.csv", "--label", "kind", "--certificate", tmp_path / "c.json")
    if command == "probe":
        about = (tmp_path / "x.npy", "--labels", tmp_path / "y.csv")
    done = inside(command, *about, "--report", tmp_path / "page.html")
    assert done.status == 0, done.err
    text = html.unescape((tmp_path / "page.html").read_text("utf-8"))
    assert str(tmp_path) not in text
    assert about[0].name in text
    if command != "probe":
        assert "novikoff verify c.json t.csv" in text


def test_the_infinite_coefficients_come_before_the_evidence(tmp_path):
    inside("check", "dataset:touching", "--report", "page.html", folder=tmp_path)
    text = (tmp_path / "page.html").read_text("utf-8")
    assert text.index("∞") < text.index("<h2>Evidence")
