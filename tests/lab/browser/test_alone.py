"""The page without a server: its engine in JavaScript beside the one in Python.

The answers must be the same JSON. Where a proof may choose its rows (α of overlapping classes, the
weak separator where it is not unique), Python's verifier judges what the page has chosen.
"""

import json
import random
import re
from fractions import Fraction
from pathlib import Path

from tests.lab.browser.visit import Visit
from tests.lab.point_sets import point_set

import novikoff
import novikoff.cli
import novikoff.lab
from novikoff.lab.engine.cached_answers import arrays_of, labels_of, verdict_of
from novikoff.lab.engine.jobs import JOBS
from novikoff.lab.messages import requests
from novikoff.regression.why_not import OverlapProof

SETS = 1000
PAGE = Path(novikoff.lab.__file__).parent / "page"
COMMANDS = Path(novikoff.cli.__file__).parent
ASKED = {
    "verdict": requests.VerdictRequest,
    "certificate": requests.VerdictRequest,
    "run": requests.RunRequest,
    "steps": requests.StepsRequest,
    "fewest": requests.FewestErrorsRequest,
    "space": requests.SpaceRequest,
    "lift": requests.LiftRequest,
    "network": requests.NetworkRequest,
}
ANSWER = """async (asked) => {
  const { answer } = await import("./engine.js");
  return JSON.stringify(asked.map(([path, body]) => answer(path, body)));
}"""


def questions(seed):
    """What is asked about a point set: its verdict, a run with its steps, now and then the rest."""
    draw, points = random.Random(seed + 10**6), point_set(seed)
    bias = draw.random() < 0.8
    options = {
        "eta0": draw.choice([1, 1, 0.5, 0.1]),
        "max_iter": draw.choice([5, 30]),
        "order": draw.choice(["cyclic", "shuffled", "random", "worst"]),
        "tie": draw.choice(["mistake", "+1", "-1"]),
        "fit_intercept": bias,
        "seed": draw.randint(0, 9),
    }
    yield "verdict", {"points": points, "fit_intercept": bias}
    if seed % 4:
        return
    yield "certificate", {"points": points, "fit_intercept": bias}
    yield "run", {"points": points, "options": options}
    yield "steps", {"points": points, "options": options, "first": 0, "count": 6}
    if seed % 20 == 0:
        yield "fewest", {"points": points, "fit_intercept": bias}
        if len(points["names"]) == 2:
            yield "space", {"points": points}


def asked_here(visit, asked):
    """What the engine of the page answers."""
    return json.loads(visit.page.evaluate(ANSWER, asked))


def asked_there(path, body):
    """What the engine in Python answers."""
    return json.loads(JOBS[path](ASKED[path](**body)).model_dump_json())


NUMBER = re.compile(r"\d+\.\d+(?:e[−+-]\d+)?")


def about_equal(mine, other):
    """Whether two texts are the same but for a last digit, which may round either way in a tie."""
    if NUMBER.split(mine) != NUMBER.split(other):
        return False
    pairs = zip(NUMBER.findall(mine), NUMBER.findall(other), strict=True)
    pairs = [[float(text.replace("−", "-")) for text in pair] for pair in pairs]
    return all(abs(one - two) <= 1e-5 * abs(one) for one, two in pairs)


def differences(mine, other, where=""):
    """Where two answers differ, numbers to seven digits."""
    if isinstance(mine, dict) and isinstance(other, dict) and mine.keys() == other.keys():
        for key in mine:
            yield from differences(mine[key], other[key], f"{where}.{key}")
    elif isinstance(mine, list) and isinstance(other, list) and len(mine) == len(other):
        for i, (one, two) in enumerate(zip(mine, other, strict=True)):
            yield from differences(one, two, f"{where}[{i}]")
    elif isinstance(mine, float | int) and isinstance(other, float | int):
        if abs(mine - other) > 1e-7 * max(1.0, abs(mine), abs(other)):
            yield where, mine, other
    elif isinstance(mine, str) and isinstance(other, str):
        if not about_equal(mine, other):
            yield where, mine, other
    elif mine != other:
        yield where, mine, other


# What a proof may choose, by the word of the verdict.
TEXTS = (".marks.alpha", ".verdict.why_not", ".verdict.facts")
CHOSEN = {
    "separable": (".marks.ringed", ".verdict.facts[3]"),
    "touching": (*TEXTS, ".marks.line", ".marks.normal", ".marks.direction"),
    "overlapping": (*TEXTS, ".marks.ringed", ".marks.shared"),
}


def check_verdict(body, mine):
    other = asked_there("verdict", body)
    word = mine["verdict"]["word"]
    assert word == other["verdict"]["word"]
    differ = [d for d in differences(mine, other) if not d[0].startswith(CHOSEN[word])]
    assert differ == [], body
    if word == "separable":
        return
    # The rows that the page chose prove it, and its words are those that Python finds for them.
    points = requests.LabelledPoints(**body["points"])
    verdict = verdict_of(points, body["fit_intercept"])
    alpha = {one["row"]: Fraction(one["text"]) for one in mine["marks"]["alpha"]}
    proof = OverlapProof.of(verdict, alpha)
    words = proof.meeting() if body["fit_intercept"] else proof.combination()
    assert mine["verdict"]["why_not"][:-1] == words + proof.inequalities(), body
    problem = verdict.problem
    certificate = novikoff.Certificate.not_separable(
        problem, alpha, alpha.values(), decimals=points.decimals
    )
    X, _ = arrays_of(points)
    assert novikoff.verify(certificate, X, labels_of(points)).valid
    if word == "touching":
        assert mine["marks"]["ringed"] == other["marks"]["ringed"]


def check_certificate(body, mine):
    points = requests.LabelledPoints(**body["points"])
    X, _ = arrays_of(points)
    there = novikoff.verify(mine["certificate"], X, labels_of(points))
    assert there.valid, (body, there.reason)
    assert novikoff.Certificate.from_json(mine["text"]).to_dict() == mine["certificate"]


def check_fewest(body, mine):
    other = asked_there("fewest", body)
    assert [mine[key] for key in ("least", "most", "proven")] == [
        other[key] for key in ("least", "most", "proven")
    ], body
    points = requests.LabelledPoints(**body["points"])
    right = [i for i in range(len(points.X)) if i not in mine["given_up"]]
    left = points.model_copy(
        update={"X": tuple(points.X[i] for i in right), "y": tuple(points.y[i] for i in right)}
    )
    if set(left.y) == {-1, 1}:
        assert verdict_of(left, body["fit_intercept"]).word == "separable"


def test_a_thousand_point_sets_get_the_same_answers(visit):
    asked = [[path, body] for seed in range(SETS) for path, body in questions(seed)]
    special = {"verdict": check_verdict, "certificate": check_certificate, "fewest": check_fewest}
    for start in range(0, len(asked), 500):
        part = asked[start : start + 500]
        for (path, body), answer in zip(part, asked_here(visit, part), strict=True):
            assert answer["status"] == 200, (path, body, answer)
            mine = answer["body"]
            if path in special:
                special[path](body, mine)
                continue
            ignored = (".cycle.certificate.digest",) if path == "run" else ()
            if path == "space":
                ignored = (".plane", ".points")  # in special position several planes are widest
            differ = list(differences(mine, asked_there(path, body)))
            assert [d for d in differ if not d[0].startswith(ignored)] == [], (path, body)


def test_the_presets_the_lift_and_the_network_are_the_same(visit):
    kept = visit.page.evaluate("async () => (await fetch('answers.json')).json()")
    for name in ("and", "or", "xor", "collinear", "touching", "toy", "iris-setosa-versicolor"):
        points = kept[f"presets/{name}"]["points"]
        question = {"points": points, "fit_intercept": True}
        asked = [["verdict", question], ["run", {"points": points}]]
        verdict, run = (answer["body"] for answer in asked_here(visit, asked))
        check_verdict(question, verdict)
        assert list(differences(run, asked_there("run", asked[1][1]))) == []
    # Fifty digits, cubed: lengths that no float64 holds.
    X = [[2.6, -1.8], [3.8, -1.9], [-1.7, 2], [3.2, -0.2], [-1.6, -1.7], [-3.3, 1.8], [3.8, 2.3]]
    long = {"X": [*X, [-1.2, -0.7]], "y": [-1, 1, -1, -1, -1, -1, 1, 1], "names": ["x1", "x2"]}
    long = {"points": {**long, "decimals": False}}
    assert asked_here(visit, [["lift", long]])[0]["body"]["tried"][-1]["word"] == "separable"
    xor = {"points": kept["presets/xor"]["points"]}
    (lift, network) = asked_here(visit, [["lift", xor], ["network", xor]])
    assert lift["body"]["tried"] == asked_there("lift", xor)["tried"]
    there = asked_there("network", xor)
    assert {**network["body"], "regions": None} == {**there, "regions": None}
    assert network["body"]["regions"]["plus"]


def test_what_it_cannot_do_it_says_with_the_command_that_can(visit):
    wide = {"X": [[0, 1, 2], [1, 1, 0]], "y": [1, -1], "names": ["a", "b", "c"]}
    many = {"X": [[i, i % 7] for i in range(301)], "y": [1, -1] * 150 + [1], "names": ["a", "b"]}
    small = {"X": [[0, 1], [1, 0]], "y": [1, -1], "names": ["a", "b"]}
    asked = [["verdict", {"points": wide}], ["verdict", {"points": many}]]
    asked += [["regions", {"points": small}], ["network", {"points": small, "hidden": 3}]]
    for answer in asked_here(visit, asked):
        assert answer["status"] == 422
        assert "novikoff " in answer["body"]["error"]
    texts = [path.read_text("utf-8") for path in PAGE.glob("engine*.js")]
    commands = {name for text in texts for name in re.findall(r"novikoff ([a-z]+)", text)}
    assert {f"{name}.py" for name in commands} <= {path.name for path in COMMANDS.iterdir()}
    long = {"points": {**many, "X": [[i / 10, i % 7] for i in range(300)], "y": [1, -1] * 150}}
    long["options"] = {"order": "worst", "max_iter": 50}
    (answer,) = asked_here(visit, [["run", long]])
    assert answer["body"]["n_epochs"] == 33
    assert "For all 50 epochs" in answer["body"]["summary"][-1]


def test_a_proof_of_the_page_is_checked_and_damage_is_found(visit):
    xor = {"X": [[0, 0], [0, 1], [1, 0], [1, 1]], "y": [-1, 1, 1, -1], "names": ["x1", "x2"]}
    xor["classes"] = ["no", "yes"]
    labels = ["no", "yes", "yes", "no"]
    proof = novikoff.separate(xor["X"], labels, decimals=True, names=xor["names"])
    fields = proof.certificate().to_dict()
    asked = [["verify", {"points": xor, "certificate": fields}]]
    asked.append(["verify", {"points": xor, "certificate": {**fields, "alpha": ["2"] * 4}}])
    moved = {**xor, "X": [[0, 0], [0, 1], [1, 0], [1, 2]]}
    asked.append(["verify", {"points": moved, "certificate": fields}])
    whole, changed, elsewhere = (answer["body"] for answer in asked_here(visit, asked))
    assert whole == {
        "valid": True,
        "reason": novikoff.verify(fields, xor["X"], labels).reason,
    }
    assert not changed["valid"]
    assert "digest" in changed["reason"]
    assert not elsewhere["valid"]


def test_the_page_works_without_a_server(visit, browser, tmp_path):
    visit.choose("and", "separable")
    visit.page.click("#forward")
    visit.sees("#panel-step h3", "Mistake 1 of 18")
    visit.choose("xor", "overlapping")
    visit.page.click("#verify-certificate")
    visit.sees("#verified", "✓ Valid")
    visit.choose("margin", "separable")
    visit["#margin"].fill("1.25")
    visit.sees("#verdict dd", "1.25")
    path = tmp_path / "mine.csv"
    path.write_text("a;b;kind\n1,5;2;no\n2,5;1;no\n0,5;3,25;yes\n", encoding="utf-8")
    visit["#file"].set_input_files(path)
    visit.page.click("#csv-done")
    visit.count("#plot .points .mark", 3)
    assert visit.points()["X"][2] == [0.5, 3.25]
    visit.page.click("#link")
    link = visit["#link-text"].input_value()
    context = browser.new_context()
    again = Visit(context.new_page(), link)
    assert again.points() == visit.points()
    context.close()
