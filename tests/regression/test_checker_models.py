"""The stand-alone checker and `verify` on certificates about regressions: the same answers."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.certificates.proofs import changed, resealed
from tests.cli.shell import inside
from tests.regression.random_data import MODELS, MORE, random_data
from tests.test_checker import run

import novikoff


def written(folder, X, data):
    """A CSV file with tenths, so that decimals matter, and the DataFrame it was made of."""
    frame = pd.DataFrame(X / 10, columns=[f"a{j}" for j in range(X.shape[1])]).assign(**data)
    frame.to_csv(folder / "data.csv", index=False)
    return frame


def certified(frame, model, data, **options):
    columns = [name for name in frame.columns if name.startswith("a")]
    parts = {part: part for part in data}
    return novikoff.detect_separation(
        columns, data=frame, model=model, decimals=True, **parts, **options
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("model", [*MODELS, *MORE, "cox-exact"])
def test_the_checker_accepts_what_verify_accepts(model, seed, tmp_path):
    name = model.removesuffix("-exact")
    X, data = random_data(name, seed)
    frame = written(tmp_path, X, data)
    options = {"ties": "exact"} if model == "cox-exact" else {}
    found = certified(frame, name, data, **options)
    features = frame[[column for column in frame if column.startswith("a")]]
    certificate = found.certificate()
    assert novikoff.verify(certificate, features, **data).valid
    certificate.save(tmp_path / "c.json")
    status, answer = run(tmp_path / "c.json", tmp_path / "data.csv", file="models")
    assert (status, answer.splitlines()[0]) == (
        0,
        f"valid: {certificate.kind}, the {certificate.n} rows of the model {name!r}",
    )


def test_both_refuse_what_is_not_so(tmp_path):
    X, data = random_data("poisson", 0)
    frame = written(tmp_path, X, data)
    found = certified(frame, "poisson", data)
    certificate = found.certificate()
    assert certificate.kind == "touching"
    features = frame[[column for column in frame if column.startswith("a")]]

    def both(fields, **other):
        (tmp_path / "c.json").write_text(json.dumps(fields))
        verified = novikoff.verify(fields, features, **(data | other))
        frame.assign(**(data | other)).to_csv(tmp_path / "data.csv", index=False)
        status, _ = run(tmp_path / "c.json", tmp_path / "data.csv", file="models")
        return verified.valid, status

    assert both(certificate.to_dict()) == (True, 0)
    y = np.array(data["y"])
    turned = np.where(np.arange(len(y)) == np.flatnonzero(y == 0)[0], 3, y).tolist()
    assert both(certificate.to_dict(), y=turned) == (False, 1)

    def resigned(change):
        return resealed(changed(certificate, change))

    def turned_round(fields):
        fields["weights"] = [str(-Fraction(weight)) for weight in fields["weights"]]

    assert both(resigned(turned_round)) == (False, 1)
    assert both(resigned(lambda f: f["model"].update(name="negative-binomial"))) == (True, 0)
    assert both(resigned(lambda f: f["model"].update(intercept=False))) == (False, 1)
    assert both(resigned(lambda f: f["model"].update(name="ridge"))) == (False, 1)
    assert both(resigned(lambda f: f["model"].update(more=1))) == (False, 1)
    assert both(resigned(lambda f: f.update(kind="separable"))) == (False, 1)


def test_a_certificate_of_arrays_names_no_columns(tmp_path):
    found = novikoff.detect_separation([[0.0], [1.0]], [0, 1])
    found.certificate().save(tmp_path / "c.json")
    (tmp_path / "data.csv").write_text("x0,y\n0,0\n1,1\n")
    status, answer = run(tmp_path / "c.json", tmp_path / "data.csv", file="models")
    assert (status, "names no column y" in answer) == (2, True)


FORMULAS = [
    "y ~ x + g + h",
    "y ~ C(g) + C(h)",
    "y ~ C(g) * C(h) + x",
    "y ~ g:x + z:x",
    "y ~ C(h, Treatment(3)) + b",
    "y ~ C(h, contr.treatment(3)) + b",
    "y ~ 0 + g + `odd: name`",
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_the_checker_makes_the_columns_of_a_formula(formula, tmp_path):
    rng = np.random.default_rng(1)
    n = 40
    frame = pd.DataFrame(
        {
            "y": rng.poisson(1, n),
            "x": rng.integers(0, 30, n) / 10,
            "z": rng.integers(0, 30, n) / 10,
            "g": rng.choice(["a", "b:c", "d e"], n),
            "h": rng.integers(1, 5, n),
            "b": rng.random(n) < 0.5,
            "odd: name": rng.integers(0, 3, n),
        }
    )
    frame.loc[frame.g == "d e", "y"] = 0
    frame.to_csv(tmp_path / "data.csv", index=False)
    if "contr." in formula:  # an attribute, which the command line takes for code
        found = novikoff.detect_separation(formula, data=frame, model="poisson")
        found.certificate().save(tmp_path / "c.json")
    else:
        done = inside(
            "diagnose", "data.csv", "--model", "poisson", "--formula", formula, "--certificate",
            "c.json", folder=tmp_path,
        )  # fmt: skip
        assert done.status == 0, done.err
    status, answer = run(tmp_path / "c.json", tmp_path / "data.csv", file="models")
    assert (status, answer.split(":")[0]) == (0, "valid"), answer
    frame.assign(g=frame.g.replace("a", "b:c")).to_csv(tmp_path / "data.csv", index=False)
    changed_status, answer = run(tmp_path / "c.json", tmp_path / "data.csv", file="models")
    assert changed_status == (1 if "g" in formula else 0), answer


def test_the_checker_on_fixed_effects_of_hundreds_of_levels(tmp_path):
    rng = np.random.default_rng(3)
    n = 3000
    frame = pd.DataFrame(rng.integers(0, 300, (n, 2)), columns=["a", "b"])
    frame["x"] = rng.normal(size=n).round(2)
    for mean, kind in ((3, "overlapping"), (0.3, "touching")):
        frame.assign(y=rng.poisson(mean, n)).to_csv(tmp_path / "data.csv", index=False)
        inside(
            "diagnose", "data.csv", "--model", "poisson", "--formula", "y ~ x + C(a) + C(b)",
            "--certificate", "c.json", "--force", folder=tmp_path,
        )  # fmt: skip
        status, answer = run(tmp_path / "c.json", tmp_path / "data.csv", file="models")
        assert (status, answer.split(",")[0]) == (0, f"valid: {kind}")


def test_tied_events_with_others_to_come(tmp_path):
    """The rows of a tie come together: the package once put them in another order."""
    frame = pd.DataFrame({"a0": [-3, -3, -3, 3, 3, 3], "time": [2, 4, 3, 3, 4, 2],
                          "event": [1, 1, 1, 1, 0, 1]})  # fmt: skip
    frame.to_csv(tmp_path / "data.csv", index=False)
    found = novikoff.detect_separation(
        ["a0"], data=frame, model="cox", time="time", event="event", decimals=True
    )
    found.certificate().save(tmp_path / "c.json")
    assert novikoff.verify(
        found.certificate(), frame[["a0"]], time=frame["time"], event=frame["event"]
    ).valid
    status, answer = run(tmp_path / "c.json", tmp_path / "data.csv", file="models")
    assert status == 0, answer


def test_nothing_to_estimate_from_is_said():
    for options in (
        {"y": [0, 1], "weights": [0, 0]},
        {"y": [1, 1], "strata": [0, 0], "model": "conditional"},
        {"y": [0, 0], "trials": [0, 0], "model": "binomial"},
        {"time": [1, 2], "weights": [0, 0], "model": "cox"},
    ):
        with pytest.raises(novikoff.NovikoffError, match="nothing to estimate from"):
            novikoff.detect_separation([[0.0], [1.0]], **options)


FORGED = [
    {"columns": {"y": "y", "trials": "n"}}, {"columns": {"y": "a"}}, {"columns": {"y": "n"}},
    {"columns": {"y": "y", "weights": "a"}}, {"levels": [0, 1, 2]}, {"levels": [0, 0]},
    {"levels": [0, "1"]}, {"levels": []}, {"ties": "efron"}, {"decimals": False},
    {"features": ["a", "a"]}, {"features": ["y"]}, {"name": "ordinal"}, {"name": "poisson"},
]  # fmt: skip


@pytest.mark.parametrize("change", FORGED, ids=str)
def test_a_model_that_is_none_is_refused(change, tmp_path):
    """Each of these makes other rows than those of a logit model, or none that are defined."""
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "y": [0, 0, 1, 1], "n": [0, 1, 1, 0]})
    frame.to_csv(tmp_path / "data.csv", index=False)
    found = novikoff.detect_separation(["a"], data=frame, y="y", decimals=True)
    fields = found.certificate().to_dict()
    (tmp_path / "c.json").write_text(json.dumps(fields))
    assert run(tmp_path / "c.json", tmp_path / "data.csv", file="models")[0] == 0
    forged = resealed(fields | {"model": fields["model"] | change})
    (tmp_path / "c.json").write_text(json.dumps(forged))
    status, answer = run(tmp_path / "c.json", tmp_path / "data.csv", file="models")
    assert status == 1, answer
    part = "n" if change.get("columns") == {"y": "n"} else "y"
    if change.get("columns") != {"y": "n"}:
        assert not novikoff.verify(forged, frame[["a"]], frame[part]).valid


@pytest.mark.parametrize("cell", ["2", "maybe", "", "-1"])
def test_an_event_is_one_or_zero(cell, tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3], "t": [1, 2, 3], "e": [1, 1, 0]})
    frame.to_csv(tmp_path / "data.csv", index=False)
    options = {"model": "cox", "time": "t", "event": "e"}
    novikoff.detect_separation(["a"], data=frame, **options).certificate().save(tmp_path / "c.json")
    assert run(tmp_path / "c.json", tmp_path / "data.csv", file="models")[0] == 0
    frame.astype(str).assign(e=["1", "1", cell]).to_csv(tmp_path / "data.csv", index=False)
    assert run(tmp_path / "c.json", tmp_path / "data.csv", file="models")[0] == 2
