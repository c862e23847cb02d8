"""`novikoff trace`, `plot`, `datasets` and `demo`."""

import csv
import re
from typing import get_args

import pyarrow.parquet as pq
import pytest
from tests.cli.shell import inside

from novikoff.cli.plot import WITHOUT_FILE, Kind

pytestmark = pytest.mark.slow


def test_trace(tmp_path):
    done = inside("trace", "dataset:iris-setosa-versicolor", "--out", "r.parquet", folder=tmp_path)
    assert done.status == 0
    assert re.search(r"bound R²/γ² +[\d.]+, for the augmented margin γ = [\d.]+", done.out)
    table = pq.read_table(tmp_path / "r.parquet")
    done = inside("trace", "dataset:iris-setosa-versicolor", "--json")
    assert done.json["mistakes"] == table.num_rows <= done.json["mistake_bound"]
    assert done.json["inequalities_hold"] is True
    squares = (done.json["R"] / done.json["augmented_margin"]) ** 2
    assert squares == pytest.approx(done.json["mistake_bound"])

    done = inside("trace", "dataset:xor", "--no-reference", "--json")
    assert done.json["status"] == "CYCLED"
    assert "mistake_bound" not in done.json


def test_the_run_can_be_compared_with_the_bound_that_is_printed():
    """ŵ*·ŵ ≥ kγ of a ŵ* of length 1: on these points it is kγ itself."""
    done = inside("trace", "dataset:toy")
    lines = [line.split() for line in done.out.splitlines()]
    (gamma,) = [float(line[-1]) for line in lines if line[:2] == ["bound", "R²/γ²"]]
    first, second = [float(line[-2]) for line in lines if line[0] in ("1", "2")]
    assert first == pytest.approx(gamma, rel=1e-5)
    assert second == pytest.approx(2 * gamma, rel=1e-5)


def test_plot(tmp_path):
    petals = ("dataset:iris-setosa-versicolor", "--features", "petal length,petal width")
    done = inside("plot", "separator", *petals, "--out", "s.svg", folder=tmp_path)
    assert (done.status, done.out) == (0, "written: s.svg\n")
    assert b"<svg" in (tmp_path / "s.svg").read_bytes()
    done = inside("plot", "run", "dataset:toy", folder=tmp_path)
    assert (tmp_path / "run.gif").read_bytes().startswith(b"GIF8")
    done = inside("plot", "convergence", "dataset:xor", "--out", "x.svg", folder=tmp_path)
    assert done.status == 0
    assert b"<svg" in (tmp_path / "x.svg").read_bytes()
    for arguments, message in (
        (("separator",), "give a FILE"),
        (("xor", "dataset:xor"), "leave out FILE"),
        (("xor", "--out", "x.bmp"), "ending must be one of .png, .svg, .pdf"),
    ):
        done = inside("plot", *arguments, folder=tmp_path)
        assert done.status == 2
        assert message in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.gif", "s.svg", "x.svg"]


@pytest.mark.parametrize("kind", [kind for kind in get_args(Kind) if kind != "run"])
def test_every_figure(tmp_path, kind):
    file = () if kind in WITHOUT_FILE else ("dataset:toy",)
    done = inside("plot", kind, *file, "--out", "figure.svg", folder=tmp_path)
    assert (done.status, done.out) == (0, "written: figure.svg\n"), done.err
    assert b"<svg" in (tmp_path / "figure.svg").read_bytes()


def test_datasets(tmp_path):
    listed = inside("datasets", "--json").json["datasets"]
    assert {"name": "xor", "n": 4, "d": 2, "verdict": "overlapping"}.items() <= listed[3].items()
    assert inside("datasets", "xor", "--out", "x.csv", folder=tmp_path).status == 0
    with (tmp_path / "x.csv").open() as file:
        assert next(csv.reader(file)) == ["x1", "x2", "label"]
    done = inside("datasets", "nope")
    assert done.status == 2
    assert done.err.startswith("novikoff: no built-in data set 'nope'; there are and, or")


def test_demo(tmp_path):
    done = inside("demo", "--out", "tour", folder=tmp_path)
    assert done.status == 0, done.err
    for words in ("separable", "overlapping", "It cycled", "valid: ", "w[x1] + b > 0", "degree 2"):
        assert words in done.out
    made = {path.name for path in (tmp_path / "tour").iterdir()}
    assert {"1-separator.png", "2-hulls.png", "2-xor-certificate.json", "4-lift.png"} <= made
