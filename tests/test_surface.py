"""The public surface: sorted, lazy, documented, and there."""

import subprocess
import sys
from pathlib import Path

import pytest

import novikoff
from novikoff import errors

ROOT = Path(__file__).parents[1]


def test_public_names_are_sorted_and_there():
    assert novikoff.__all__ == sorted(novikoff.__all__)
    for name in novikoff.__all__:
        assert getattr(novikoff, name).__doc__, f"{name} does not say what it is for"
    assert set(novikoff.__all__) <= set(dir(novikoff))
    with pytest.raises(AttributeError, match="no attribute 'perceptron_of_theseus'"):
        _ = novikoff.perceptron_of_theseus


def test_importing_loads_nothing_heavy():
    heavy = ["numpy", "sklearn", "scipy", "matplotlib", "pyarrow", "pandas", "flint"]
    code = f"import novikoff, sys; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_every_error_is_ours_and_in_the_tree():
    drawn = errors.__doc__ or ""
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), errors.NovikoffError)
        assert name in drawn


def test_every_public_name_is_documented():
    docs = ROOT / "docs"
    files = [ROOT / "README.md", *docs.glob("*.md"), *docs.glob("regressions/*.md")]
    pages = "".join(page.read_text("utf-8") for page in files)
    missing = [name for name in novikoff.__all__ if name not in pages]
    assert not missing
