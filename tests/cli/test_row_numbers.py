"""Where rows of a file were left out, every sentence, panel and document numbers the rest as it."""

import json
import re
from pathlib import Path

import pytest
from tests.cli.shell import inside

# Rows 0, 3 and 5 have no age. Of the others 2 and 4 are one point with both labels.
FILE = "age,dose,ill\n,1,no\n20,1,no\n30,2,no\n,2,yes\n30,2,yes\n,3,yes\n40,3,yes\n10,9,no\n"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "patients.csv"
    path.write_text(FILE)
    return str(path)


def rows_in(text: str) -> set[int]:
    named = re.findall(r"\brows? ((?:\d+(?:, | and )?)+)", text)
    return {int(number) for part in named for number in re.findall(r"\d+", part)}


def test_check_speaks_of_the_rows_of_the_file(file: str, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    result = inside(
        "check", file, "--label", "ill", "--drop-missing", "--json", "--report", str(report)
    )
    found = json.loads(result.out)
    assert found["rows"] == [2, 4]
    assert found["rows_on_plane"] == [2, 4]
    assert rows_in(" ".join(found["why_not"])) == {2, 4}
    assert found["explanation"]["rows_on_plane"] == [2, 4]
    page = report.read_text()
    assert "counted from 0 as in the file; the certificate counts the 5 that were used" in page
    panel = inside("check", file, "--label", "ill", "--drop-missing").out
    assert re.search(r"on the plane\s+2 rows: 2, 4", panel)


def test_fewest_speaks_of_the_rows_of_the_file(file: str) -> None:
    found = json.loads(
        inside("fewest", file, "--label", "ill", "--drop-missing", "--alternatives", "--json").out
    )
    assert set(found["wrong_rows"]) <= {2, 4}
    assert {row for conflict in found["conflicts"] for row in conflict["rows"]} == {2, 4}
    assert rows_in(found["explanation"]) <= {2, 4}
    assert {row for rows in found["alternatives"]["sets"] for row in rows} == {2, 4}


def test_a_trace_shows_the_rows_of_the_file(file: str) -> None:
    shown = inside("trace", file, "--label", "ill", "--drop-missing").out
    rows = {
        int(line.split()[3]) for line in shown.splitlines() if re.match(r"\s+\d+\s+\d+\s", line)
    }
    assert rows
    assert rows <= {1, 2, 4, 6, 7}
    assert rows & {6, 7}


def test_diagnose_speaks_of_the_rows_of_the_file(file: str, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    arguments = ["diagnose", file, "--label", "ill", "--drop-missing"]
    found = json.loads(inside(*arguments, "--json", "--report", str(report)).out)
    shown = inside(*arguments).out
    assert found["outcome"] == "ill = 'yes' (against 'no')"
    assert f"of {found['outcome']}: " in " ".join(shown.split())
    assert found["separated"] == [1, 6, 7]
    assert "separated: 3 of 5 rows: 1, 6, 7" in " ".join(shown.split())
    assert "<td>7</td>" in report.read_text().replace(' class="number"', "")
