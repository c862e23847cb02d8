"""`novikoff fewest`, its certificate, report and figure, and `fit --bound`."""

import json

import pytest
from tests.cli.shell import inside, novikoff

IRIS = "dataset:iris-versicolor-virginica"


def test_fewest_and_verify(tmp_path):
    options = ("--certificate", "c.json", "--report", "page.html")
    done = novikoff("fewest", IRIS, *options, folder=tmp_path)
    assert done.status == 0, done.err
    assert "fewest errors: 1, proven" in done.out
    assert "At least 1 error: every hyperplane errs on" in " ".join(done.out.split())
    assert "novikoff verify c.json dataset:iris-versicolor-virginica" in done.err
    claimed = json.loads((tmp_path / "c.json").read_text("utf-8"))
    assert (claimed["kind"], claimed["errors"]) == ("fewest errors", ["1", "1"])
    page = (tmp_path / "page.html").read_text("utf-8")
    for words in ("The fewest errors on", "Rows to look at", "Conflicts", "versicolor"):
        assert words in page
    done = inside("verify", "c.json", IRIS, folder=tmp_path)
    assert (done.status, done.out.split(":")[0]) == (0, "valid")
    edited = (tmp_path / "c.json").read_text("utf-8").replace('["1", "1"]', '["0", "0"]')
    (tmp_path / "edited.json").write_text(edited, "utf-8")
    assert inside("verify", "edited.json", IRIS, folder=tmp_path).status == 1


def test_json_with_weights_and_alternatives(tmp_path):
    lines = ["x,n,label", "0,5,a", "0.1,2,b", "0.1,1,a", "0.2,0,a", "0.3,3,b"]
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ("--label", "label", "--weights", "n", "--alternatives", "--certificate", "c.json")
    done = inside("fewest", "data.csv", *options, "--json", folder=tmp_path)
    assert done.status == 0, done.err
    said = json.loads(done.out)
    assert said["errors"] == {"lower": 1, "upper": 1}
    assert (said["optimal"], said["weighted"], said["decimals"]) == (True, True, True)
    assert said["alternatives"]["always_wrong"] == [2]
    again = ("--weights", "n")
    done = inside("verify", "c.json", "data.csv", *again, folder=tmp_path)
    assert (done.status, done.out[:6]) == (0, "valid:"), done.out + done.err


def test_time_is_kept(tmp_path):
    done = inside("fewest", IRIS, "--features", "sepal length,sepal width", "--time-limit", "0")
    assert done.status == 0
    assert "give more time" in " ".join(done.out.split())
    assert inside("fewest", IRIS, "--time-limit", "-1").status == 2


@pytest.mark.parametrize("learner", ["pocket", "perceptron"])
def test_fit_says_how_far_it_is(learner):
    options = ("--learner", learner, "--seed", "0", "--max-iter", "50", "--bound", "--json")
    if learner == "perceptron":
        options = tuple(option for option in options if option not in ("--seed", "0"))
    done = inside("fit", IRIS, *options)
    assert done.status == 0, done.err
    said = json.loads(done.out)
    assert (said["bound"]["lower"], said["bound"]["upper"]) == (1, 1)
    above = said["training"]["errors"] - 1
    assert said["bound"]["sentence"].endswith(f": 1, proven; this one makes {above} more")


def test_a_bound_is_about_hyperplanes():
    done = inside("fit", IRIS, "--learner", "kernel", "--bound")
    assert done.status == 2
    assert "--bound is about hyperplanes, but kernel does not learn one" in done.err


def test_a_verdict_has_the_same_limits():
    hurried = inside("check", IRIS, "--time-limit", "0")
    assert (hurried.status, "the time limit of 0 seconds" in " ".join(hurried.out.split())) == (
        2,
        True,
    )
    assert inside("check", IRIS, "--time-limit", "inf").status == 0
    assert inside("diagnose", IRIS, "--time-limit", "inf").status in (0, 1)
