"""Certificates whose proof is in floating point: verified again, and refused where it fails."""

import subprocess
import sys

import numpy as np
import pytest
from tests.certificates.proofs import CHECKER

import novikoff
from novikoff.certificates.form import FLOATING
from novikoff.errors import CertificateError


@pytest.fixture(scope="module")
def proven():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(900, 300)), rng.integers(0, 2, 900)
    return X, y, novikoff.separate(X, y)


def test_many_rows_are_proven_in_floating_point(proven, tmp_path):
    X, y, verdict = proven
    assert verdict.word == "overlapping"
    assert verdict.alpha is None
    certificate = verdict.certificate()
    assert certificate.proof == FLOATING
    certificate.save(tmp_path / "proof.json")
    verification = novikoff.verify(tmp_path / "proof.json", X, y)
    assert verification.valid
    assert "floating point" in verification.reason


def test_it_is_not_believed_where_the_proof_fails(proven):
    X, y, verdict = proven
    certificate = verdict.certificate()
    near = np.array(verdict.alpha_float)
    for changed in (near[::-1], np.full(len(near), 1.0), near * np.linspace(1, 1.001, len(near))):
        false = novikoff.Certificate.overlapping(
            verdict.problem, verdict.rows, changed.tolist(), proof=FLOATING
        )
        assert not novikoff.verify(false, X, y).valid
    fewer = novikoff.Certificate.overlapping(
        verdict.problem, verdict.rows[1:], near[1:].tolist(), proof=FLOATING
    )
    assert not novikoff.verify(fewer, X, y).valid
    assert novikoff.verify(certificate, X, y).valid


def test_the_same_alpha_without_the_word_is_not_exact(proven):
    X, y, verdict = proven
    plain = novikoff.Certificate.overlapping(
        verdict.problem, verdict.rows, verdict.alpha_float.tolist()
    )
    assert not novikoff.verify(plain, X, y).valid


def test_what_it_cannot_be_for_is_refused(proven):
    _, _, verdict = proven
    with pytest.raises(CertificateError, match="can only be"):
        novikoff.Certificate.overlapping(verdict.problem, [0, 1], [1, 1], proof="by intimidation")
    with pytest.raises(CertificateError, match="float64 numbers"):
        novikoff.Certificate.overlapping(verdict.problem, [0, 1], [1, 2**60 + 1], proof=FLOATING)


def test_the_stand_alone_checker_says_that_it_cannot_check_it(proven, tmp_path):
    X, y, verdict = proven
    verdict.certificate().save(tmp_path / "proof.json")
    np.savetxt(
        tmp_path / "data.csv",
        np.column_stack([X, y]),
        delimiter=",",
        header=",".join([*(f"x{j}" for j in range(X.shape[1])), "y"]),
        comments="",
    )
    command = [sys.executable, "-I", str(CHECKER), str(tmp_path / "proof.json")]
    done = subprocess.run(
        [*command, str(tmp_path / "data.csv")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "floating point" in done.stdout
