"""Coq and the stand-alone checker, on the same changed certificates: they must not differ."""

import copy
import json
from contextlib import suppress
from random import Random

import numpy as np
import pytest
import scipy.sparse as sp
from tests.certificates.claims import Refused, arrays, as_read, chosen, numbers, sign
from tests.certificates.coq.coq import REQUIRED, accepted, in_module, needs_coq
from tests.certificates.fuzz import by_checker, cases
from tests.certificates.fuzz import resealed as resealed_for
from tests.certificates.mutations import MUTATIONS
from tests.certificates.proofs import PROOFS, oracle, resealed
from tests.certificates.test_tampering import CLAIM, mutations

from novikoff import verify
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.coq.write import coq_text
from novikoff.errors import CertificateError

LONGEST = 10**300  # the fuzzer also tries numbers of 5000 digits, which take Coq minutes
OTHER_DATA = ("the data has", "has the label", "SHA-256", "float64 cannot hold")


def changed_claims(proof, rng, most):
    """Certificates of the right form that claim something else, as a forger would seal them."""
    claims = []
    for what, fields in mutations(proof.certificate.to_dict(), rng):
        if what not in CLAIM:
            continue
        try:
            claims.append((fields, Certificate.from_dict(resealed(fields))))
        except CertificateError:
            continue
    return [claims[i] for i in rng.permutation(len(claims))[:most]]


@needs_coq
@pytest.mark.parametrize("part", range(2))
def test_certificates_made_by_hand(part, theory_folder):
    rng = np.random.default_rng(17 + part)
    modules, verdicts = [], []
    for proof in PROOFS[part::2]:
        dense = proof.X.toarray() if sp.issparse(proof.X) else proof.X
        for fields, claim in changed_claims(proof._replace(X=dense), rng, 14):
            holds = oracle(fields, proof)
            verdicts.append(holds)
            text = coq_text(claim, proof.X, proof.y)
            modules.append(in_module(f"C{len(modules)}", text, holds=holds))
    assert min(verdicts.count(True), verdicts.count(False)) > 10
    accepted(theory_folder, f"Hand{part}", REQUIRED + "".join(modules))


def fuzzed(rng):
    """A certificate and its data, changed by the fuzzer, with the checker's answer; or None.

    None where the certificate has not the form of one or is about other data: Coq is told rows and
    numbers, and knows of no files and no hashes.
    """
    known, file = rng.choice(cases())
    fields, data = copy.deepcopy(known), copy.deepcopy(file)
    for mutation in rng.choices(MUTATIONS, k=rng.choice((0, 1, 1, 2, 3))):
        with suppress(TypeError, ValueError, LookupError, AttributeError):
            mutation(rng, fields, data)
    text = json.dumps(resealed_for(fields, data))
    try:
        claim = Certificate.from_json(text)
        label, columns = chosen(fields, data)
        X = arrays(fields, as_read(fields, numbers(fields, data, columns)))
        at = data.header.index(label)
        y = np.array([claim.classes[sign(row[at], claim.classes) > 0] for row in data.rows])
    except (Refused, CertificateError, TypeError, ValueError, LookupError, ArithmeticError):
        return None
    exact = (*(claim.weights or ()), *(claim.alpha or ()), claim.intercept or 0)
    if claim.proof is not None or any(abs(value) > LONGEST for value in exact):
        return None
    verification = verify(claim, X, y)
    about_data = any(part in verification.reason for part in OTHER_DATA)
    if data.broken or (about_data and not verification.valid):
        return None
    return claim, X, y, by_checker(text, data)


@needs_coq
def test_certificates_of_the_fuzzer(theory_folder):
    rng = Random(3)
    found = [case for case in (fuzzed(rng) for _ in range(700)) if case is not None]
    answers = [holds for *_, holds in found]
    assert min(answers.count(True), answers.count(False)) > 40
    modules = [
        in_module(f"F{i}", coq_text(claim, X, y), holds=holds)
        for i, (claim, X, y, holds) in enumerate(found[:160])
    ]
    accepted(theory_folder, "Fuzzed", REQUIRED + "".join(modules))
