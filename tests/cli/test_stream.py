"""`novikoff stream` as a user runs it."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from tests.cli.shell import inside, novikoff

from novikoff import OnlinePerceptron, Perceptron, load

pytestmark = pytest.mark.slow


def numbers(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)).round(2)
    return X, np.where(X[:, 0] + 0.5 * rng.standard_normal(n) > 0, 1, -1)


@pytest.fixture
def files(tmp_path):
    """The same examples in three formats."""
    X, y = numbers()
    with (tmp_path / "a.csv").open("w") as file:
        file.write("a,b,c,label\n")
        file.writelines(f"{a},{b},{c},{label}\n" for (a, b, c), label in zip(X, y, strict=True))
    with (tmp_path / "a.jsonl").open("w") as file:
        for (a, b, c), label in zip(X.tolist(), y.tolist(), strict=True):
            file.write(json.dumps({"a": a, "b": b, "c": c, "label": label}) + "\n")
    with (tmp_path / "a.svm").open("w") as file:
        file.writelines(
            f"{label:+d} 1:{a} 2:{b} 3:{c} # a comment\n"
            for (a, b, c), label in zip(X, y, strict=True)
        )
    return tmp_path


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.svm"])
def test_formats_and_accounts(name, files):
    label = [] if name.endswith("svm") else ["--label", "label"]
    done = inside("stream", files / name, *label, "--json", "--window", "50")
    assert done.status == 0, done.err
    X, y = numbers()
    learner = OnlinePerceptron(window=50)
    learner.learn_many(X, y)
    account = learner.account
    assert done.json["mistakes"] == account.mistakes
    assert done.json["recent_error"] == account.recent_error
    assert done.json["gamma_at_most"] == pytest.approx(account.gamma_at_most, rel=1e-9)
    assert done.json["position"] == (files / name).stat().st_size


def test_test_then_train_writes_what_it_would_have_said(files):
    done = inside("stream", files / "a.csv", "--label", "label", "--test-then-train")
    X, y = numbers()
    learner, expected = OnlinePerceptron(), []
    for x, label in zip(X, y.tolist(), strict=True):
        expected.append(learner.predict(x))
        learner.learn(x, label)
    assert [int(line) for line in done.out.split()] == expected
    assert "300 examples" in done.err


def test_the_model_is_the_one_of_a_batch(files):
    done = inside("stream", "a.csv", "--label", "label", "--model", "m.novikoff", folder=files)
    assert done.status == 0, done.err
    X, y = numbers()
    twin = Perceptron().partial_fit(X, y, classes=[-1, 1])
    assert (load(files / "m.novikoff").coef_ == twin.coef_).all()
    predicted = inside("predict", "m.novikoff", "a.csv", folder=files)
    assert predicted.status == 0, predicted.err


def test_a_pipe_that_is_cut_and_resumed(files):
    text = (files / "a.csv").read_bytes()
    cut = text[: text.index(b"\n", 2000) + 1]
    command = ("stream", "-", "--label", "label", "--state", files / "run", "--json", "--sync", 100)
    first = novikoff(*command, stdin=cut)
    assert first.status == 0, first.err
    unsaid = novikoff(*command, stdin=text)
    assert unsaid.status == 2
    assert "--from-start" in unsaid.err
    anew = novikoff(*command, "--from-start", stdin=text)
    assert anew.status == 0, anew.err
    whole = inside("stream", files / "a.csv", "--label", "label", "--json").json
    assert {**anew.json, "source": 0, "resumed": 0} == {**whole, "source": 0, "resumed": 0}
    more = novikoff(*command, "--go-on", stdin="1.5,2,3,1\n")
    assert more.json["examples"] == 301
    assert more.json["position"] == len(text) + len("1.5,2,3,1\n")
    short = novikoff(*command, "--from-start", stdin=cut)
    assert short.status == 2
    assert "before what was learned" in short.err


def test_a_file_that_grows(files):
    text = (files / "a.csv").read_bytes()
    growing = files / "g.csv"
    growing.write_bytes(text[:1500])  # somewhere inside a line
    command = [sys.executable, "-m", "novikoff.cli", "stream", "g.csv", "--label", "label"]
    command += ["--follow", "--patience", "1.5", "--json", "--state", "run", "--sync", "0"]
    process = subprocess.Popen(command, cwd=files, stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not (files / "run" / "checkpoint").exists() and time.monotonic() < end:
        time.sleep(0.02)
    for start in range(1500, len(text), 1000):
        with growing.open("ab") as file:
            file.write(text[start : start + 1000])
        time.sleep(0.05)
    out, _ = process.communicate(timeout=60)
    assert json.loads(out)["examples"] == 300


def test_names_hashes_and_categories(files):
    (files / "towns.csv").write_text(
        "town,size,label\nRome,1,yes\nOslo,,no\nRome,3,yes\nBern,4,no\n"
    )
    options = ("--label", "label", "--classes", "no,yes", "--json")
    done = inside("stream", files / "towns.csv", *options, "--by-name")
    assert done.status == 0, done.err
    assert done.json["examples"] == 4
    hashed = inside(
        "stream", files / "towns.csv", *options, "--hash", "64", "--learner", "averaged"
    )
    assert hashed.json["examples"] == 4
    strict = inside("stream", files / "towns.csv", *options)
    assert strict.status == 2
    assert "line 2: column 'town' holds 'Rome'" in strict.err


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a,label\n1,2\n", (), "line 2: the label '2' is neither -1 nor 1"),
        ("a,label\n1,1\n2,x,1\n", (), "line 3: 3 fields where 2 are expected"),
        ("a,label\n1,1\n,1\n", (), "line 3: column 'a' has no value"),
        ("a,label\n1,1\ninf,1\n", (), "line 3: column 'a' holds 'inf'"),
        ("a,b\n1,1\n", (), "line 1: no column 'label'"),
        ("label\n1\n", (), "no feature is left"),
        ("a,label\n1,1\n", ("--follow", "-"), ""),
        ('{"a": 1}\n', ("--format", "jsonl"), "line 1: no label 'label'"),
        ('{"a": [1], "label": 1}\n', ("--format", "jsonl"), "line 1: 'a' holds a list"),
        ("{\n", ("--format", "jsonl"), "line 1: not JSON"),
        ("1 1:a\n", ("--format", "svmlight"), "an svmlight file has no names"),
        ("a,label\n1,1\n", ("--predictions", "p"), "--predictions is for --test-then-train"),
        ("a,label\n1,1\n", ("--classes", "a"), "two labels"),
        ("a,label\n1,1\n", ("--sync", "-1", "--state", "run"), "sync must be"),
    ],
)
def test_what_is_wrong_has_a_line_and_a_sentence(text, options, message, tmp_path):
    (tmp_path / "x.csv").write_text(text)
    done = inside("stream", "x.csv", "--label", "label", *options, folder=tmp_path)
    assert done.status == 2
    assert message in " ".join(done.err.split())


def test_a_first_line_of_numbers_is_said(tmp_path):
    (tmp_path / "t.csv").write_text("1.5,2,1\n1,3,-1\n2,4,1\n")
    done = inside("stream", "t.csv", "--label", "1", folder=tmp_path)
    assert done.status == 0
    noted = "note: the first line (1.5,2,1) was read as the columns' names; if the first line is an"
    assert done.err.count(noted) == 1
    assert "--names" in done.err
    done = inside("stream", "t.csv", "--label", "y", folder=tmp_path)
    assert done.status == 2
    assert "give the names of the columns (--names)" in " ".join(done.err.split())
    done = inside("stream", "t.csv", "--label", "y", "--names", "a,b,y", folder=tmp_path)
    assert done.status == 0
    assert "note" not in done.err


def test_bad_lines_can_be_skipped_and_are_counted(tmp_path):
    (tmp_path / "x.csv").write_text("a,label\n1,1\nx,1\n2,9\n\n3,-1\n")
    options = ("--label", "label", "--skip-bad", "--json", "--state", "run")
    done = inside("stream", "x.csv", *options, folder=tmp_path)
    assert (done.json["examples"], done.json["skipped"], done.json["lines"]) == (2, 2, 6)
    again = inside("stream", "x.csv", *options, folder=tmp_path)
    assert {**again.json, "resumed": False} == done.json


HOSTILE = (
    b"[" * 100_000,
    b'{"a": ' * 100_000,
    b'{"a": 1, "y": {}}',
    b'{"a": 1, "y": [1]}',
    b'{"a": NaN, "y": 1}',
    b'{"a": ' + b"9" * 5000 + b', "y": 1}',
    b"\xff\xfe{}",
    b"\x00",
)
HALF_A_PAIR = (b'{"\\ud800": 1, "y": 1}', b'{"a": "\\udfff", "y": 1}')


@pytest.mark.parametrize(
    "how", [(), ("--hash", 16), ("--hash", 16, "--test-then-train", "--predictions", "p")]
)
@pytest.mark.parametrize("state", [(), ("--state", "run")])
def test_hostile_lines_are_bad_lines(how, state, tmp_path):
    hostile = HOSTILE + (HALF_A_PAIR if how else ())
    good = [b'{"a": 1, "y": 1}', b'{"a": -1, "y": -1}', b'{"a": 2, "y": 1}']
    between = b"\n".join(part for line in hostile for part in (line, *good))
    (tmp_path / "x.jsonl").write_bytes(between + b"\n")
    options = ("stream", "x.jsonl", "--label", "y", "--skip-bad", "--json", *state, *how)
    done = inside(*options, folder=tmp_path)
    assert done.status == 0, done.err
    assert done.json["skipped"] == len(hostile)
    assert done.json["examples"] == 3 * len(hostile)


@pytest.mark.parametrize("line", [*HOSTILE, *HALF_A_PAIR], ids=lambda line: str(line[:12]))
def test_a_hostile_line_is_named(line, tmp_path):
    (tmp_path / "x.jsonl").write_bytes(b'{"a": 1, "y": 1}\n' + line + b"\n")
    done = inside("stream", "x.jsonl", "--label", "y", "--hash", 16, folder=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "x.jsonl: line 2: " in " ".join(done.err.split())
    assert "unexpected" not in done.err


def test_predictions_in_a_file_go_on_where_they_stopped(files):
    options = (
        "--label",
        "label",
        "--state",
        "run",
        "--sync",
        50,
        "--test-then-train",
        "--predictions",
        "p.txt",
    )
    whole = inside("stream", "a.csv", *options, folder=files)
    assert whole.status == 0, whole.err
    expected = (files / "p.txt").read_bytes()
    with (files / "p.txt").open("ab") as file:
        file.write(b"1\n1\n")  # written, but never acknowledged
    assert inside("stream", "a.csv", *options, folder=files).status == 0
    assert (files / "p.txt").read_bytes() == expected
    os.truncate(files / "p.txt", 10)
    done = inside("stream", "a.csv", *options, folder=files)
    assert done.status == 2
    assert "shorter than what was written" in done.err


def test_a_model_that_predict_could_not_use_is_refused_at_once(files):
    for more in (("--by-name",), ("--hash", 8)):
        done = inside(
            "stream", "a.csv", "--label", "label", "--model", "m.novikoff", "--state", "run", *more,
            folder=files,
        )  # fmt: skip
        assert done.status == 2
        assert "this stream has names" in done.err
        assert not (files / "run").exists()


def test_text_among_numbers_says_what_can_be_done(files):
    (files / "text.csv").write_text("x,town,label\n1,Rome,1\n2,Oslo,-1\n")
    done = inside("stream", files / "text.csv", "--label", "label")
    assert done.status == 2
    assert "line 2: column 'town' holds 'Rome'" in done.err
    assert "--by-name" in done.err
    assert "--drop town" in done.err
    none = inside("stream", files / "text.csv", "--label", "label", "--skip-bad")
    assert none.status == 0
    assert "2 lines that could not be learned" in none.out
    assert "nan" not in none.out
