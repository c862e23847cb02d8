"""`novikoff diagnose`: from a file to the answer, the proof, the page and the fit."""

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.shell import inside

CASES = Path(__file__).parents[1] / "cases" / "separation"


@pytest.fixture
def folder(tmp_path):
    for name in ("endometrial", "breast"):
        shutil.copy(CASES / f"{name}.csv", tmp_path)
    (tmp_path / "counts.csv").write_text("y,g,x\n0,a,1\n0,a,2\n3,b,1\n2,b,3\n0,b,2\n1,c,4\n,c,1\n")
    return tmp_path


def test_from_a_file_to_a_checked_proof(folder):
    done = inside(
        "diagnose", "endometrial.csv", "--label", "HG", "--certificate", "c.json",
        "--report", "page.html", "--fit", "--firth", folder=folder,
    )  # fmt: skip
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert "quasi-complete separation" in lines[0]
    table = next(i for i, line in enumerate(lines) if "NV" in line and "+∞" in line)
    rows = next(i for i, line in enumerate(lines) if line.startswith("separated: 13 of 79"))
    cells = next(i for i, line in enumerate(lines) if "where NV is 1" in line)
    steps = next(i for i, line in enumerate(lines) if line.startswith("- Do not report"))
    assert table < rows < cells < steps
    assert "4.30452" in done.out
    assert "NV              2.9293   0.60972    7.8546" in done.out
    page = (folder / "page.html").read_text("utf-8")
    assert "quasi-complete" in page
    assert "novikoff verify c.json endometrial.csv" in page
    checked = inside("verify", "c.json", "endometrial.csv", folder=folder)
    assert checked.status == 0
    assert checked.out.startswith("valid: ")


def test_json_of_a_cox_model(folder):
    done = inside(
        "diagnose", "breast.csv", "--model", "cox", "--time", "TIME", "--event", "CENS",
        "--drop", "pat", "--json", "--quiet", "--fit", folder=folder,
    )  # fmt: skip
    found = json.loads(done.out)
    assert found["kind"] == "quasi-complete"
    assert found["coefficients"] == {"T": "finite", "N": "finite", "G": "+∞", "CD": "finite"}
    assert found["limit"]["coefficients"]["G"] is None  # JSON has no infinity
    assert found["model"]["columns"] == {"time": "TIME", "event": "CENS"}


def test_formulas_missing_values_and_what_is_expected(folder):
    options = ["counts.csv", "--model", "poisson", "--formula", "y ~ C(g) + x"]
    done = inside("diagnose", *options, folder=folder)
    assert done.status == 2
    assert "missing" in done.err
    options += ["--drop-missing"]
    done = inside("diagnose", *options, "--certificate", "c.json", folder=folder)
    assert done.status == 0
    assert "where C(g)[T.b] is 1" not in done.out
    verify = ["verify", "c.json", "counts.csv", "--formula", "y ~ C(g) + x", "--drop-missing"]
    assert inside(*verify, folder=folder).status == 0
    assert inside("diagnose", *options, "--expect", "none", folder=folder).status == 1
    assert inside("diagnose", *options, "--expect", "quasi-complete", folder=folder).status == 0


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--model", "cox", "--formula", "~ PI"], "needs time"),
        (["--model", "poisson", "--label", "HG", "--trials", "PI"], "has no trials"),
        (["--label", "nowhere"], "nowhere"),
        (["--model", "conditional", "--label", "HG"], "needs strata"),
        (["--model", "poisson", "--label", "HG", "--firth"], "firthmodels"),
        ([], "which column holds the outcome? (--label, or --formula) There are 'NV'"),
    ],
)
def test_errors_name_what_is_wrong(folder, options, named):
    done = inside("diagnose", "endometrial.csv", *options, folder=folder)
    assert done.status == 2
    assert named in done.err


def test_built_in_data_says_which_its_labels_are():
    done = inside("diagnose", "dataset:touching", "--json")
    assert done.json["coefficients"] == {"(intercept)": "finite", "x1": "+∞"}


def test_text_is_coded_where_that_is_asked_for(folder):
    lines = ["town,size,y", "A,1,0", "A,3,1", "B,2,0", "B,1,1", "C,1,1", "C,3,1", "C,2,1"]
    (folder / "towns.csv").write_text("\n".join(lines) + "\n")
    named = inside("diagnose", "towns.csv", "--label", "y", "--categorical", "town", "--json",
                   folder=folder)  # fmt: skip
    options = ("--label", "y", "--categorical", "auto")
    found = inside("diagnose", "towns.csv", *options, "--json", "--certificate", "c.json",
                   folder=folder)  # fmt: skip
    assert found.json["coefficients"]["town[C]"] == "+∞"
    assert found.json["coefficients"] == named.json["coefficients"]
    verify = ("verify", "c.json", "towns.csv", "--categorical", "auto")
    assert inside(*verify, folder=folder).status == 0


def test_open_coefficients_are_one_line_if_all_are_open():
    done = inside("diagnose", "dataset:gaussian-wide")
    lines = [line.split() for line in done.out.splitlines()]
    assert ["all", "101", "coefficients", "not", "determined:"] in [line[:5] for line in lines]
    assert done.out.count("not determined") == 1


def test_the_base_level_is_named(folder):
    """It has no column, so no single coefficient moves its rows."""
    text = "y,x1,id1\n0,1.5,a\n0,2.5,a\n1,0.3,b\n0,1.7,b\n1,2.2,c\n0,0.9,c\n1,1.0,b\n"
    (folder / "base.csv").write_text(text)
    done = inside("diagnose", "base.csv", "--formula", "y ~ x1 + C(id1)", folder=folder)
    assert "where C(id1) = a, y is 0 in every row (2 rows)" in done.out
    done = inside("check", "base.csv", "--label", "y", "--categorical", "id1", folder=folder)
    assert "id1 = a: all 2 rows are 0" in done.out


def test_levels_of_numbers_in_an_order_of_their_own(folder):
    (folder / "grades.csv").write_text("x,y\n0,1\n1,2\n2,1\n3,3\n4,3\n5,2\n")
    done = inside(
        "diagnose", "grades.csv", "--label", "y", "--model", "ordinal", "--levels", "3,2,1",
        "--json", folder=folder,
    )  # fmt: skip
    assert list(json.loads(done.out)["coefficients"]) == ["3/2", "2/1", "x"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--model", "ordinal"], "have no order: list them"),
        (["--model", "conditional", "--strata", "s"], "which label of y is the case"),
    ],
)
def test_text_is_put_in_no_order(folder, options, named):
    (folder / "text.csv").write_text("x,s,y\n1,0,low\n3,0,high\n2,1,low\n4,1,high\n")
    arguments = ["diagnose", "text.csv", "--formula", "y ~ x", *options]
    done = inside(*arguments, folder=folder)
    assert done.status == 2
    assert named in done.err
    assert "--levels" in done.err
    done = inside(*arguments, "--levels", "low,high", folder=folder)
    assert "complete separation" in " ".join(done.out.split())
