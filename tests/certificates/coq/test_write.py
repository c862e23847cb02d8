"""Certificates as files for Coq: accepted as they are, refused when they claim too much."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.certificates.coq.coq import CLOSED, REQUIRED, accepted, coqc, in_module, needs_coq
from tests.certificates.proofs import PROOFS
from tests.cli.shell import inside, novikoff

from novikoff import separate, to_coq
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.coq.write import Cost, coq_text
from novikoff.errors import CertificateError
from novikoff.matrix.problem import Problem


@needs_coq
def test_certificates_of_every_kind_and_storage_are_accepted(theory_folder):
    texts = [
        in_module(f"P{i}", coq_text(proof.certificate, proof.X, proof.y), holds=True)
        for i, proof in enumerate(PROOFS)
    ]
    accepted(theory_folder, "Proofs", REQUIRED + "".join(texts))


def data_of(kind):
    """A small file with this verdict, and the options that read it."""
    return {
        "separable": "dose,age,y\n0.1,30,no\n0.25,41,no\n1.5,20,yes\n2,35,yes\n",
        "touching": "dose,y\n-1,no\n0,no\n0,yes\n1,yes\n",
        "overlapping": "a,b,y\n0,0,no\n1,1,no\n0,1,yes\n1,0,yes\n0.5,0.25,no\n",
        "collinear": "a,b,y\n0,0,no\n1,2,yes\n2,4,no\n3,6,yes\n",
    }[kind]


@needs_coq
@pytest.mark.parametrize("kind", ["separable", "touching", "overlapping", "collinear"])
def test_from_a_file_to_closed_under_the_global_context(kind, tmp_path):
    (tmp_path / "data.csv").write_text(data_of(kind), encoding="utf-8")
    done = inside("prove", "data.csv", "--label", "y", "--out", "proof.v", folder=tmp_path)
    assert done.status == 0, done.err
    checked = coqc(tmp_path / "proof.v")
    assert (checked.returncode, checked.stdout.strip()) == (0, CLOSED), checked.stderr


def test_a_process_of_its_own_says_what_it_wrote(tmp_path):
    (tmp_path / "data.csv").write_text(data_of("overlapping"), encoding="utf-8")
    done = novikoff("prove", "data.csv", "--out", "p.v", "--label", "y", "--json", folder=tmp_path)
    assert done.status == 0, done.err
    told = done.json
    assert (told["kind"], told["rows"], told["of_rows"]) == ("overlapping", 4, 5)
    text = (tmp_path / "p.v").read_text(encoding="utf-8")
    assert told["data_sha256"] in text
    rows = re.findall(r"\((Plus|Minus), \[([^]]*)\]\);? \(\* row (\d+) \*\)", text)
    units = re.search(r"units : list Q := \[(.*)\]\.", text)[1].replace("(", "").replace(")", "")
    lines = data_of("overlapping").splitlines()[1:]
    for sign, cells, row in rows:
        *values, label = lines[int(row)].split(",")
        numbers = zip(cells.split("; "), units.split("; "), strict=True)
        assert [int(z) * Fraction(unit) for z, unit in numbers] == [*map(Fraction, values)]
        assert sign == ("Plus" if label == "yes" else "Minus")
    assert len(rows) == 4


def test_options_are_those_of_check(tmp_path):
    (tmp_path / "data.csv").write_text(data_of("separable"), encoding="utf-8")
    assert inside("prove", "data.csv", folder=tmp_path).status == 2
    options = ("--out", "p.v", "--no-intercept", "--features", "dose", "--label", "y")
    assert inside("prove", "data.csv", *options, folder=tmp_path).status == 0
    assert "planes_through_0" in (tmp_path / "p.v").read_text(encoding="utf-8")
    absent = inside("prove", "data.csv", "--label", "y", "--out", "absent/p.v", folder=tmp_path)
    assert absent.status == 2
    assert "absent" in absent.err


def test_a_certificate_at_hand_is_proven_as_it_is(tmp_path):
    (tmp_path / "data.csv").write_text(data_of("overlapping"), encoding="utf-8")
    points = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.25]])
    labels = ["no", "no", "yes", "yes", "no"]
    problem = Problem.of(points, labels, names=["a", "b"])
    claim = Certificate.not_separable(problem, range(4), [1] * 4, decimals=True, label="y")
    claim.save(tmp_path / "c.json")
    options = ("--certificate", "c.json", "--out", "p.v")
    done = inside("prove", "data.csv", *options, folder=tmp_path)
    assert done.status == 0, done.err
    text = (tmp_path / "p.v").read_text(encoding="utf-8")
    assert "forall others, ~ separable every_plane (data ++ others)" in text
    (tmp_path / "data.csv").write_text(data_of("overlapping").replace("0.5", "0.6"), "utf-8")
    refused = inside("prove", "data.csv", *options, folder=tmp_path)
    assert refused.status == 2
    assert "SHA-256" in refused.err


def test_what_is_not_valid_is_not_written(tmp_path):
    proof = PROOFS[0]
    with pytest.raises(CertificateError, match=r"nothing to prove.*SHA-256"):
        to_coq(proof.certificate, proof.X + 1, proof.y, tmp_path / "p.v")
    assert not (tmp_path / "p.v").exists()


def test_a_proof_in_floating_point_is_not_for_coq(tmp_path):
    xor = next(proof for proof in PROOFS if proof.name == "overlapping")
    claim = replace(xor.certificate, proof="floating point")
    with pytest.raises(CertificateError, match="exact=True"):
        to_coq(claim, xor.X, xor.y, tmp_path / "p.v")


@needs_coq
def test_words_of_the_user_stay_words(theory_folder):
    hostile = ['a *) Axiom f : False. (* "', 'b"', "c\nd", "(* e"]
    X = np.array([[0.0, 1.0, 2.0, 5.0], [1.0, 0.0, 3.0, 4.0]])
    problem = Problem.of(X, ["*) x", '" y'], names=hostile)
    certificate = separate(X, problem.y, names=hostile).certificate()
    named = Certificate.from_json(certificate.to_json())
    text = coq_text(named, X, problem.y)
    heading = text[: text.index("Require")]
    assert "f : False" in heading
    accepted(theory_folder, "Hostile", heading + REQUIRED + text[text.index("(* ** Data *)") :])
    assert "Axiom" not in re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


@needs_coq
def test_long_numbers(theory_folder):
    rng = np.random.default_rng(3)
    X = np.array([[Fraction(int(v), 3**200) for v in row] for row in rng.integers(-9, 9, (8, 2))])
    y = [int(3 * row[0] > row[1] - Fraction(1, 7**150)) for row in X]
    certificate = Certificate.separable(Problem.of(X, y), [3, -1], Fraction(1, 7**150))
    tiny = np.array([[5e-324, 1e308], [1e-310, -1e300]])
    apart = separate(tiny, [0, 1])
    texts = [
        in_module("Fractions", coq_text(certificate, X, y), holds=True),
        in_module("Floats", coq_text(apart.certificate(), tiny, [0, 1]), holds=True),
    ]
    accepted(theory_folder, "Long", REQUIRED + "".join(texts))


def test_the_margin_and_the_bound_are_those_of_the_verdict():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(60, 3)), 2)
    y = (X @ [1, 2, -1] > 0.3).astype(int)
    keep = np.abs(X @ [1, 2, -1] - 0.3) > 0.2
    verdict = separate(X[keep], y[keep], decimals=True, exact=True)
    text = coq_text(verdict.certificate(), X[keep], y[keep])
    low = Fraction(re.search(r"margin_squared_at_least \w+ \(([\d.]+)\) data", text)[1])
    high = Fraction(re.search(r"margin_squared_at_most \w+ \(([\d.]+)\) data", text)[1])
    assert low <= verdict.exact_margin_squared <= high <= low * (1 + Fraction(1, 10**9))
    mistakes = int(re.search(r"N\.of_nat n <= (\d+)", text)[1])
    assert mistakes in (int(verdict.mistake_bound.lower), int(verdict.mistake_bound.upper))


def test_what_a_large_proof_costs_is_said_first(tmp_path, caplog):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(20_000, 20))
    y = (X[:, 0] > 0).astype(int)
    X[:, 0] += np.where(y, 0.5, -0.5)
    certificate = Certificate.separable(Problem.of(X, y), [1] + [0] * 19)
    proof = to_coq(certificate, X, y, tmp_path / "p.v")
    assert proof.cost.numbers == 400_000
    assert "minutes" in caplog.text or "seconds" in caplog.text
    small = PROOFS[0].certificate.to_coq(tmp_path / "q.v", PROOFS[0].X, PROOFS[0].y)
    assert small.cost.seconds < 10
    assert len(caplog.records) == 1
    assert "3 hours and 40.0 GB for 1,000 numbers" in str(Cost(1000, 10_000.0, 40.0))
