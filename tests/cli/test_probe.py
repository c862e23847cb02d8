"""`novikoff probe` in a real process: table, JSON, page, figures, and what it refuses."""

import json

import numpy as np
import pytest
from tests.cli.shell import inside


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 6)).astype(np.float16)
    np.savez(tmp_path / "layers.npz", first=rng.standard_normal((80, 6)), second=X)
    np.save(tmp_path / "one.npy", X)
    rows = ["prompt,tone,colour"]
    rows += [f"{i // 4},{'warm' if X[i, 0] > 0 else 'cold'},{'rgb'[i % 3]}" for i in range(80)]
    (tmp_path / "labels.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_layers_with_everything(files):
    done = inside(
        "probe", "layers.npz", "--labels", "labels.csv", "--groups", "prompt", "--controls", "1",
        "--report", "page.html", "--figure", "lines.svg", "--heat-map", "map.png",
        folder=files,
    )  # fmt: skip
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].split()[:3] == ["layer", "concept", "verdict"]
    tone = next(line for line in lines if line.startswith("second "))
    assert tone.split()[:3] == ["second", "tone", "separable"]
    assert "tone in second: Separable, and none of 1 controls is" in done.out
    page = (files / "page.html").read_text("utf-8")
    assert "What may be concluded" in page
    assert "<script" not in page
    assert (files / "lines.svg").read_text("utf-8").startswith("<?xml")
    assert (files / "map.png").read_bytes().startswith(b"\x89PNG")


def test_json_is_one_document(files):
    done = inside(
        "probe", "one.npy", "--labels", "labels.csv", "--concepts", "tone", "--controls", "1",
        "--json", folder=files,
    )  # fmt: skip
    document = json.loads(done.out)
    assert document["device"] in ("cpu", "cuda")
    (row,) = document["probes"]
    assert (row["concept"], row["verdict"], row["n"], row["dimension"]) == (
        "tone",
        "separable",
        80,
        6,
    )
    assert 0 < row["margin"]["lower"] <= row["margin"]["upper"]


def test_labels_without_names_and_a_figure_of_margins(files):
    lines = (files / "labels.csv").read_text().splitlines()[1:]
    (files / "bare.csv").write_text("\n".join(line.replace(",", ";") for line in lines))
    done = inside(
        "probe", "one.npy", "--labels", "bare.csv", "--no-header", "--delimiter", ";",
        "--concepts", "x1", "--controls", "1", "--figure", "gap.svg", "--what", "margin",
        folder=files,
    )  # fmt: skip
    assert done.status == 0, done.err
    assert "x1: Separable" in done.out
    assert "geometric margin" in (files / "gap.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.npy", "--labels", "labels.csv"], "nowhere.npy: no such file"),
        (["one.npy", "--labels", "nowhere.csv"], "nowhere.csv: no such file"),
        (["one.npy", "--labels", "labels.csv", "--groups", "who"], "--groups who"),
        (["one.npy", "--labels", "labels.csv", "--concepts", "who"], "--concepts who"),
        (["labels.csv", "--labels", "labels.csv"], "not a whole NumPy file"),
        (["flat.npy", "--labels", "labels.csv"], "1 dimensions"),
        (["short.npz", "--labels", "labels.csv"], "3 rows, but Y has 80 labels"),
        (["one.npy", "--labels", "labels.csv", "--report", "one.npy"], "this is the input"),
    ],
)
def test_what_cannot_be_probed_is_a_sentence(files, arguments, message):
    np.save(files / "flat.npy", np.arange(5))
    np.savez(files / "short.npz", x=np.eye(3))
    done = inside("probe", *arguments, folder=files)
    assert done.status == 2
    assert message in done.err
    assert "Traceback" not in done.err
