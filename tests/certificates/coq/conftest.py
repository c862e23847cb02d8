"""The theory, compiled once, for tests of many small theorems."""

import shutil

import pytest
from tests.certificates.coq.coq import ROOT, coqc


@pytest.fixture(scope="session")
def theory_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("theory")
    shutil.copy(ROOT / "formal" / "Novikoff.v", folder)
    done = coqc(folder / "Novikoff.v")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
