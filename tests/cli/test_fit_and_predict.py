"""`novikoff fit` and `novikoff predict`: from a file to a model to labels."""

import csv
import io
import re

import pyarrow.parquet as pq
import pytest
from tests.cli.shell import inside

pytestmark = pytest.mark.slow

TOWNS = """size,town,kind
1.5,Rome,small
2,Oslo,small
2.5,Rome,small
7,Oslo,large
8,Lima,large
9,Rome,large
"""


@pytest.fixture
def towns(tmp_path):
    (tmp_path / "t.csv").write_text(TOWNS)
    return tmp_path


def test_a_model_remembers_how_to_read_its_columns(towns):
    done = inside("fit", "t.csv", "--label", "kind", "--categorical", "town", "--positive",
                    "large", "--standardise", "--model", "m.novikoff", "--json",
                    folder=towns)  # fmt: skip
    assert done.status == 0
    report = done.json
    assert report["status"] == "CONVERGED"
    assert report["mistakes"] == sum(report["mistakes_per_epoch"])
    assert report["training"] == {"n": 6, "errors": 0, "accuracy": 1.0}

    (towns / "new.csv").write_text("id,town,size\na,Oslo,8.5\nb,Rome,1\nc,Lima,\n")
    done = inside("predict", "m.novikoff", "new.csv", folder=towns)
    assert done.status == 2
    assert "1 missing value ('size' 1), the first at row 2 (line 4)" in done.err
    assert done.out == ""

    done = inside("predict", "m.novikoff", "new.csv", "--drop-missing", folder=towns)
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    assert [row["predicted"] for row in rows] == ["large", "small", ""]
    assert float(rows[0]["score"]) > 0 > float(rows[1]["score"])

    done = inside("predict", "m.novikoff", "t.csv", "--out", "p.parquet", "--json", folder=towns)
    assert done.json["errors"] == 0
    assert done.json["predicted"] == {"large": 3, "small": 3}
    written = pq.read_table(towns / "p.parquet")
    assert written.column_names == ["size", "town", "kind", "predicted", "score"]
    assert written["predicted"].to_pylist() == written["kind"].to_pylist()


def test_a_model_remembers_what_means_a_missing_value(towns):
    text = TOWNS.replace("Oslo", "?", 1)
    (towns / "t.csv").write_text(text)
    fit = ("fit", "t.csv", "--label", "kind", "--drop", "size", "--categorical", "town")
    done = inside(*fit, "--missing", "?,-", "--drop-missing", "--model", "m", folder=towns)
    assert done.status == 0, done.err
    done = inside("predict", "m", "t.csv", "--drop-missing", "--json", folder=towns)
    assert done.status == 0, done.err
    assert done.json["without_prediction"] == 1


def test_holdout_and_three_classes(tmp_path):
    arguments = ("dataset:iris", "--holdout", "0.2", "--max-iter", "20", "--seed", "1")
    done = inside("fit", *arguments, "--order", "shuffled", "--model", "m", folder=tmp_path)
    assert done.status == 0
    assert "held out" in done.out
    assert re.search(r"of 30 rows (is|are) wrong", done.out)
    assert "note: It stopped after max_iter epochs" in done.err
    done = inside("predict", "m", "dataset:iris", "--json", folder=tmp_path)
    assert {"score[setosa]", "score[versicolor]", "score[virginica]"} <= set(done.json["table"][0])


def test_options_belong_to_learners(tmp_path):
    done = inside("fit", "dataset:and", "--kernel", "rbf")
    assert (done.status, done.err) == (2, "novikoff: perceptron has no option --kernel.\n")
    done = inside("fit", "dataset:and", "--max-iter", "0")
    assert done.status == 2
    assert "max_iter" in done.err


@pytest.mark.parametrize(
    ("learner", "options"),
    [("kernel", ("--kernel", "rbf", "--gamma", "2")), ("network", ("--hidden", "4"))],
)
def test_another_learner(tmp_path, learner, options):
    arguments = ("dataset:moons", "--learner", learner, *options, "--seed", "0", "--model", "m")
    done = inside("fit", *arguments, "--quiet", "--json", folder=tmp_path)
    assert done.status == 0, done.err
    errors = done.json["training"]["errors"]
    done = inside("predict", "m", "dataset:moons", "--json", folder=tmp_path)
    assert done.json["errors"] == errors


def test_a_file_that_is_no_model(towns):
    done = inside("predict", "t.csv", "t.csv", folder=towns)
    assert done.status == 2
    assert done.err.startswith("novikoff: t.csv: not a whole novikoff model")


def test_a_fit_is_kept_and_resumed(tmp_path):
    command = ("fit", "dataset:iris-versicolor-virginica", "--json")
    whole = inside(*command, "--max-iter", 40, folder=tmp_path).json
    kept = (*command, "--checkpoint", "run")
    assert inside(*kept, "--max-iter", 15, folder=tmp_path).status == 0
    again = inside(*kept, "--max-iter", 40, folder=tmp_path)
    assert again.status == 2
    assert "--resume" in again.err
    resumed = inside(*kept, "--max-iter", 40, "--resume", folder=tmp_path).json
    assert {**resumed, "seconds": 0} == {**whole, "seconds": 0}
    for options, message in (
        (("--resume",), "name it with --checkpoint"),
        (("--checkpoint", "n", "--learner", "network"), "a run of network cannot be saved"),
        (
            ("--checkpoint", "n", "--learner", "kernel"),
            "a run of a KernelPerceptron cannot be saved",
        ),
    ):
        done = inside(*command, *options, folder=tmp_path)
        assert done.status == 2
        assert message in done.err


def test_one_row_is_wrong(tmp_path):
    (tmp_path / "t.csv").write_text("x,kind\n0,a\n1,b\n2,b\n3,a\n")
    options = ("--label", "kind", "--learner", "pocket", "--max-iter", "50", "--seed", "0")
    done = inside("fit", "t.csv", *options, folder=tmp_path)
    assert "1 of 4 rows is wrong" in done.out
