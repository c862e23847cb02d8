"""`novikoff show`: what a file of ours is, whichever it is; and a model that needs no options."""

import pytest
from tests.cli.shell import inside, novikoff

MESSY = "size,town,when,kind\n1.5,A,2020-01-01,s\n,B,2021-02-03,s\n7.5,A,2022-03-04,l\n3,,,l\n"
READING = ("--label", "kind", "--categorical", "auto", "--impute", "mean", "--dates", "ordinal",
           "--standardise")  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "messy.csv").write_text(MESSY)
    files = ("--model", "model", "--checkpoint", "run")
    assert inside("fit", "messy.csv", *READING, *files, folder=tmp_path).status == 0
    return tmp_path


def test_a_model_tells_what_it_does_to_a_file(folder):
    told = inside("show", "model", "--json", folder=folder).json
    assert (told["kind"], told["learner"], told["classes"]) == ("model", "Perceptron", ["l", "s"])
    assert list(told["coefficients"]) == ["size", "town[B]", "when", "intercept"]
    assert told["missing cells become"] == {
        "size": 4.0,
        "town": "A",
        "when": (18262 + 18661 + 19055) / 3,
    }
    text = inside("show", "model", folder=folder).out
    assert "standardised: by the means" in text
    assert "missing cells become:\n  size: 4\n" in text


def test_predict_needs_no_options(folder):
    (folder / "new.csv").write_text("when,size,town\n,,\n2020-01-01,1.5,C\n")
    done = inside("predict", "model", "new.csv", folder=folder)
    assert done.status == 2
    assert "'C' at row 1 (line 3)" in done.err
    done = inside("predict", "model", "new.csv", "--unknown", "zero", folder=folder)
    assert done.status == 0
    assert [line.split(",")[3] for line in done.out.splitlines()[1:]] == ["l", "s"]


def test_verify_is_told_how_the_file_was_read(folder):
    options = READING[:-1]
    done = inside("check", "messy.csv", *options, "--certificate", "c.json", "-q", folder=folder)
    assert done.status == 0
    done = inside("verify", "c.json", "messy.csv", *options[2:], folder=folder)
    assert done.out.startswith("valid")
    assert "kind: separable" in inside("show", "c.json", folder=folder).out


def test_a_checkpoint_a_trace_and_a_stream(folder):
    run = inside("show", "run", "--json", folder=folder).json
    assert (run["kind"], run["learner"]) == ("checkpoint of a fit", "Perceptron")
    inside("trace", "dataset:toy", "--out", "t.parquet", "-q", folder=folder)
    assert inside("show", "t.parquet", "--json", folder=folder).json["mistakes"] == 2
    lines = "x,y\n1,1\n2,-1\n3,1\n"
    novikoff("stream", "-", "--label", "y", "--state", "st", "-q", folder=folder, stdin=lines)
    before = {path.name: path.read_bytes() for path in (folder / "st").iterdir()}
    told = inside("show", "st", "--json", folder=folder).json
    assert told["kind"] == "folder of a stream"
    assert told["account"].startswith("3 examples, 3 mistakes")
    (journal,) = (folder / "st").glob("journal-*")
    assert "journal of a stream" in inside("show", journal, folder=folder).out
    assert {path.name: path.read_bytes() for path in (folder / "st").iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PAR1", b"PK\x03\x04", b"{}"])
def test_a_file_that_is_not_ours(content, tmp_path):
    (tmp_path / "other").write_bytes(content)
    done = inside("show", "other", folder=tmp_path)
    assert done.status == 2
    assert len(done.err.strip().splitlines()) <= 3
    assert "unexpected" not in done.err
