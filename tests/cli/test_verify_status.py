"""`novikoff verify` and the stand-alone checker end with the same status, whatever they get."""

import json

import pytest
from tests.certificates.proofs import checker_for, resealed
from tests.cli.shell import inside
from tests.test_checker import run

import novikoff

XOR = "a,b,y\n0,0,0\n1,1,0\n0,1,1\n1,0,1\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "data.csv").write_text(XOR)
    command = ("check", "data.csv", "--label", "y", "--certificate", "c.json")
    assert inside(*command, folder=tmp_path).status == 0
    return tmp_path


def both(folder, text, data="data.csv"):
    (folder / "c.json").write_text(text)
    try:
        file = checker_for(json.loads(text))
    except (ValueError, TypeError, AttributeError, RecursionError):
        file = "check"
    done = inside("verify", "c.json", data, folder=folder)
    status, answer = run(folder / "c.json", folder / data, file=file)
    assert done.status == status, (done, answer)
    return status


UNREADABLE = {
    "empty": "",
    "no JSON": "{",
    "no object": "[1]",
    "another format": '{"format": "other"}',
    "nested": "[" * 20_000,
    "NaN": '{"format": NaN}',
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_certificate_cannot_be_checked(files, name):
    assert both(files, UNREADABLE[name]) == 2


def test_what_is_written_twice_or_of_another_version_cannot_be_checked(files):
    text = (files / "c.json").read_text()
    assert both(files, text.replace('"kind"', '"kind": "separable", "kind"')) == 2
    assert both(files, json.dumps(resealed(json.loads(text) | {"version": 2}))) == 2


CHANGES = [
    {"kind": "maybe"}, {"kind": 7}, {"kind": ...}, {"label": ...}, {"alpha": ...}, {"more": 1},
    {"alpha": ["1", "1", "1", "2"]}, {"alpha": ["1", "1", "1", "1e9"]}, {"alpha": [1, 1, 1, 1]},
    {"alpha": [None] * 4}, {"rows": [0, 0, 1, 2]}, {"rows": [[0], 1, 2, 3]}, {"n": 5}, {"n": "4"},
    {"encoding": "float32"}, {"classes": [0, 1, 2]}, {"columns": ["a", "a"]}, {"columns": ["a"]},
    {"data_sha256": "0" * 64}, {"columns": ["a", "y"]},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_what_is_not_of_the_form_or_not_so_is_not_valid(files, change):
    fields = json.loads((files / "c.json").read_text()) | change
    fields = {name: value for name, value in fields.items() if value is not ...}
    assert both(files, json.dumps(resealed(fields))) == 1
    assert both(files, json.dumps(fields)) == 1


def test_data_that_cannot_be_read_cannot_be_checked(files):
    text = (files / "c.json").read_text()
    assert both(files, text) == 0
    for bad in ("", "a,b,y\n1,2\n", XOR.replace("1,1,0", "one,1,0"), XOR.replace("a,b", "a,c")):
        (files / "bad.csv").write_text(bad)
        assert both(files, text, "bad.csv") == 2
    (files / "other.csv").write_text(XOR.replace("1,1,0", "1,2,0"))
    assert both(files, text, "other.csv") == 1
    assert both(files, text, "absent.csv") == 2


def test_the_further_kinds_too(files):
    best = novikoff.fewest_errors([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1], names=["a", "b"])
    fields = resealed(best.certificate().to_dict() | {"label": "y"})
    assert both(files, json.dumps(fields)) == 0
    assert both(files, json.dumps(resealed(fields | {"errors": ["0", "0"]}))) == 1
    assert both(files, json.dumps(resealed(fields | {"conflicts": [1]}))) == 1
    assert both(files, json.dumps(resealed(fields | {"tree": 1}))) == 1
