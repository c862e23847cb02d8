"""A short run of the fuzzer; `make fuzz` makes the long one."""

import pytest
from tests.certificates.claims import kind_of
from tests.certificates.fuzz import cases, run
from tests.certificates.proofs import checker

from novikoff.certificates import verify


def test_nothing_false_is_accepted_and_nothing_true_refused():
    report = run(seed=7, mutations=3000)
    assert report.wrong == []
    assert min(report.counts["valid"], report.counts["not valid"]) > 500


def test_every_kind_and_encoding_is_mutated():
    found = {(fields["kind"], fields["encoding"]) for fields, _ in cases()}
    assert len(found) == 12
    assert {data.svmlight for _, data in cases()} == {True, False}


@pytest.mark.parametrize("weakened", ["multipliers", "spanned", "scores"])
def test_a_weakened_checker_is_found_out(monkeypatch, weakened):
    answers = {"multipliers": None, "spanned": True, "scores": [1]}
    monkeypatch.setattr(checker(), weakened, lambda *_: answers[weakened])
    assert run(seed=7, mutations=600).counts["false acceptance by checker"] > 0


@pytest.mark.parametrize("weakened", ["multipliers_reason", "rank_reason", "separator_reason"])
def test_a_weakened_verify_is_found_out(monkeypatch, weakened):
    monkeypatch.setattr(verify, weakened, lambda *_: None)
    assert run(seed=7, mutations=600).counts["false acceptance by verify"] > 0


def test_the_kinds_of_small_sets_are_known():
    one, two, three = (1, 1), (-2, -1), (-1, -1)
    assert kind_of((one, (2, 1))) == "separable"
    assert kind_of((one, three)) == "overlapping"
    assert kind_of((one, three, (2, 1))) == "touching"
    assert kind_of((one, two, (0, 1))) == "separable"
    assert kind_of(((0, 0), (1, 0))) == "touching"
