"""From data to verdict to file, and back through both checkers."""

import csv
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.certificates.proofs import CHECKER, Proof, oracle

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.verify import verify
from novikoff.errors import CertificateError
from novikoff.separability.api import separate
from novikoff.separability.verdicts import Undecided

numbers = st.integers(-2, 2).map(float) | st.sampled_from([0.1, 0.2, 0.3, -0.7, 1e-9, 1e23])


@st.composite
def problems(draw):
    n, d = draw(st.integers(2, 9)), draw(st.integers(1, 3))
    rows = st.lists(numbers, min_size=d, max_size=d)
    X = np.array(draw(st.lists(rows, min_size=n, max_size=n)))
    y = np.array(draw(st.lists(st.sampled_from([0, 1]), min_size=n, max_size=n)))
    assume(len(set(y.tolist())) == 2)
    return X, y


@given(problems(), st.booleans(), st.booleans(), st.booleans())
@settings(deadline=None, max_examples=150)
def test_every_verdict_has_a_certificate_that_both_checkers_accept(
    problem, fit_intercept, decimals, sparse
):
    X, y = problem
    data = sp.csr_array(X) if sparse else X
    verdict = separate(data, y, fit_intercept=fit_intercept, decimals=decimals)
    certificate = Certificate.from_json(verdict.certificate().to_json())
    assert certificate.kind == verdict.word
    verification = verify(certificate, X, y)
    assert verification.valid, verification.reason
    assert oracle(certificate.to_dict(), Proof("", X, y, certificate))


def test_undecided_has_no_certificate():
    problem = separate([[0.0], [1.0]], [0, 1]).problem
    with pytest.raises(CertificateError, match="proves nothing"):
        Undecided(problem=problem, reason="a limit", advice="more time").certificate()


def test_breast_cancer_through_files(tmp_path):
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    names = data.feature_names.tolist()
    verdict = separate(data.data, data.target, decimals=True, names=names)
    Certificate.of(verdict, label="benign").save(tmp_path / "certificate.json")
    with (tmp_path / "data.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["benign", *names])
        writer.writerows(np.column_stack([data.target, data.data]).tolist())
    command = [sys.executable, "-I", str(CHECKER)]
    files = [str(tmp_path / "certificate.json"), str(tmp_path / "data.csv")]
    done = subprocess.run([*command, *files], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("valid: separable, with an intercept\nrows: all 569;")
    assert verify(files[0], data.data, data.target).valid
