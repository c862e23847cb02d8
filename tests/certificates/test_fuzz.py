"""A short run of the fuzzer; `make fuzz` makes the long one."""

import json
from fractions import Fraction

import pytest
from tests.certificates.claims import digest_of, kind_of
from tests.certificates.fewest_claims import fewest
from tests.certificates.further_cases import fewest_cases, model_cases
from tests.certificates.fuzz import cases, run
from tests.certificates.model_claims import cox_rows
from tests.certificates.oracle import holds
from tests.certificates.proofs import checker

from novikoff.certificates import claims as kinds


def test_nothing_false_is_accepted_and_nothing_true_refused():
    report = run(seed=7, mutations=4000)
    assert report.wrong == []
    assert min(report.counts[f"valid {file}"] for file in ("check", "fewest", "models")) > 150
    assert report.counts["not valid"] > 500


def test_every_kind_and_encoding_is_mutated():
    found = {(fields["kind"], fields["encoding"]) for fields, _ in cases()}
    assert len(found) == 12
    assert {data.svmlight for _, data in cases()} == {True, False}


def test_the_further_kinds_are_mutated_in_every_form():
    fewest = [fields for fields, _ in fewest_cases()]
    assert {("tree" in fields, "row_weights" in fields) for fields in fewest} == {
        (tree, weights) for tree in (True, False) for weights in (True, False)
    }
    models = {fields["model"]["name"]: data for fields, data in model_cases()}
    assert len(models) == 12
    for fields, data in [*fewest_cases(), *model_cases()]:
        sealed = fields | {"digest": digest_of(fields)}
        assert holds(json.dumps(sealed), data)


@pytest.mark.parametrize(
    ("file", "weakened", "answer"),
    [
        ("fewest", "multipliers", None),
        ("fewest", "check_plane", Fraction(0)),
        ("models", "check_model", None),
    ],
)
def test_a_weakened_further_checker_is_found_out(monkeypatch, file, weakened, answer):
    monkeypatch.setattr(checker(file), weakened, lambda *_: answer)
    assert run(seed=7, mutations=1500).counts["false acceptance by checker"] > 0


@pytest.mark.parametrize("weakened", ["multipliers", "spanned", "scores"])
def test_a_weakened_checker_is_found_out(monkeypatch, weakened):
    answers = {"multipliers": None, "spanned": True, "scores": [1]}
    monkeypatch.setattr(checker(), weakened, lambda *_: answers[weakened])
    assert run(seed=7, mutations=1500).counts["false acceptance by checker"] > 0


@pytest.mark.parametrize(
    "weakened", ["multipliers_reason", "rank_reason", "separator_reason", "fewest_reason"]
)
def test_a_weakened_verify_is_found_out(monkeypatch, weakened):
    weaker = {
        kind: claim._replace(
            reasons=tuple(reason for reason in claim.reasons if reason.__name__ != weakened)
        )
        for kind, claim in kinds.CLAIMS.items()
    }
    assert weaker != kinds.CLAIMS
    monkeypatch.setattr(kinds, "CLAIMS", weaker)
    assert run(seed=7, mutations=1500).counts["false acceptance by verify"] > 0


def test_the_kinds_of_small_sets_are_known():
    one, two, three = (1, 1), (-2, -1), (-1, -1)
    assert kind_of((one, (2, 1))) == "separable"
    assert kind_of((one, three)) == "overlapping"
    assert kind_of((one, three, (2, 1))) == "touching"
    assert kind_of((one, two, (0, 1))) == "separable"
    assert kind_of(((0, 0), (1, 0))) == "touching"


def test_the_fewest_errors_of_small_sets_are_known():
    xor = ((-1, -1, -1), (-2, -2, -1), (1, 2, 1), (2, 1, 1))
    A = tuple(tuple(Fraction(x) for x in row) for row in xor)
    assert fewest(A, (Fraction(1),) * 4) == 1
    assert fewest(A, (Fraction(3), Fraction(2), Fraction(5), Fraction(7))) == 2
    assert fewest(A[:1], (Fraction(1),)) == 0


def test_the_rows_of_tied_events_come_together():
    x = [[Fraction(k)] for k in (1, 2, 4, 8)]
    parts = {"time": [1, 2, 2, 3], "event": [True, True, True, True]}
    assert [row[0] for row in cox_rows(x, parts, exact_ties=False)] == [-1, -2, 2, -6]
