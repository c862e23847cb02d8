"""Large files are read in batches by themselves, and nobody can tell from the answer."""

import numpy as np
import pytest
from tests.cli.shell import inside

import novikoff
from novikoff.cli import reading

READING = ("--label", "kind", "--categorical", "auto", "--impute", "median", "--dates", "parts")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rng = np.random.default_rng(0)
    lines = ["size,town,when,kind"]
    for k in range(400):
        size = "" if k % 11 == 0 else f"{rng.normal():.4f}"
        when = f"20{k % 20:02d}-{k % 12 + 1:02d}-11"
        lines.append(f"{size},{'ABC'[k % 3]},{when},{'no' if rng.random() < 0.5 else 'yes'}")
    (tmp_path / "messy.csv").write_text("\n".join(lines))
    return tmp_path


def test_weights_and_certificates_are_the_same(folder):
    answers = {}
    for how in ("--scan", "--no-scan"):
        fit = ("fit", "messy.csv", *READING, "--max-iter", "7", "--seed", "1", "--model")
        done = inside(*fit, f"m{how}", "--json", how, folder=folder)
        model = (folder / f"m{how}").read_bytes()
        check = ("check", "messy.csv", *READING, "--no-explain", "--certificate")
        assert inside(*check, f"c{how}", how, folder=folder).status == 0
        proof = (folder / f"c{how}").read_bytes()
        answers[how] = (model, proof, done.json["training"], done.json["mistakes_per_epoch"])
        options = READING[2:]
        assert inside("verify", f"c{how}", "messy.csv", *options, how, folder=folder).status == 0
    assert answers["--scan"] == answers["--no-scan"]


@pytest.mark.parametrize("positive", ["no", "yes"])
def test_held_out_rows_and_probabilities_are_the_same(folder, positive):
    learner = ("--learner", "averaged", "--max-iter", "3", "--positive", positive, "--standardise")
    held = ("--holdout", "0.3", "--seed", "5", "--calibrate", "sigmoid", "--json")
    told, models = [], []
    for how in ("--scan", "--no-scan"):
        fit = ("fit", "messy.csv", *READING, *learner, *held, how, "--model", f"m{how}")
        done = inside(*fit, folder=folder)
        assert done.status == 0, done.err
        told.append({k: v for k, v in done.json.items() if k not in ("seconds", "model", "notes")})
        told[-1]["notes"] = sorted(done.json["notes"])
        models.append((folder / f"m{how}").read_bytes())
    assert told[0] == told[1]
    assert models[0] == models[1]


def test_a_scan_goes_on_from_its_checkpoint(folder):
    fit = ("fit", "messy.csv", *READING, "--scan", "--json")
    for epochs in ("3", "6"):
        kept = ("--checkpoint", "kept", "--resume", "--max-iter", epochs)
        resumed = inside(*fit, *kept, folder=folder)
    straight = inside(*fit, "--max-iter", "6", folder=folder)
    assert resumed.json["mistakes_per_epoch"] == straight.json["mistakes_per_epoch"]


def test_rows_that_a_scan_leaves_out_are_counted(folder):
    reading = ("--label", "kind", "--features", "size", "--drop-missing", "--lift", "degree=2")
    done = inside("fit", "messy.csv", *reading, "--scan", "--max-iter", "2", folder=folder)
    assert "37 rows left out (missing values)" in done.err
    assert "lifted: all products of up to 2 columns" in done.err


def test_a_large_file_is_scanned_unless_all_of_it_is_needed(folder, monkeypatch):
    monkeypatch.setattr(reading, "LARGE", 1000)
    monkeypatch.setattr("novikoff.cli.fewest.MINUTE", 0.2)  # for --bound
    read = []
    for name in ("read_chosen", "open_scan"):
        module = "reading" if name == "read_chosen" else "scans.api"
        whole = getattr(__import__(f"novikoff.data.{module}", fromlist=[name]), name)

        def told(*args, name=name, whole=whole):
            read.append(name)
            return whole(*args)

        monkeypatch.setattr(f"novikoff.data.{module}.{name}", told)
    for options in ([], ["--holdout", "0.2"], ["--bound"], ["--no-scan"]):
        done = inside("fit", "messy.csv", *READING, "--max-iter", "2", *options, folder=folder)
        assert done.status == 0, done.err
    assert read == ["open_scan", "open_scan", "read_chosen", "read_chosen"]
    done = inside("fit", "messy.csv", *READING, "--bound", "--scan", folder=folder)
    assert (done.status, "--bound needs all rows" in done.err) == (2, True)
    assert novikoff.read(folder / "messy.csv", label="kind", features=["town"],
                         categorical=["town"]).n == 400  # fmt: skip
