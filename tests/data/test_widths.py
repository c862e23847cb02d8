"""Very many columns: cost follows the numbers that are stored, or there is an error at once."""

import subprocess
import sys

import pytest

pytest.importorskip("resource")

START = """
import resource, numpy as np, novikoff
from novikoff.core import sparse as sp
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
"""


def answer(script, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", START + script, *map(str, arguments)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_a_file_with_an_index_of_two_thousand_million(tmp_path):
    file = tmp_path / "wide.svm"
    file.write_text("1 2000000000:1\n-1 1:1\n")
    said = answer(
        """
import sys
from novikoff.errors import DataError
table = novikoff.read(sys.argv[1])
verdict = novikoff.separate(table.X, table.y, names=tuple(table.names))
print(verdict.word, tuple(table.names), table.notes)
try:
    novikoff.data.scan(sys.argv[1], cache=False).names
except DataError as error:
    print(error)
""",
        file,
    )
    assert "separable ('x1', 'x2000000000')" in said
    assert "1,999,999,998 columns are empty" in said
    assert "has 2,000,000,001 columns" in said


def test_a_matrix_of_two_thousand_million_columns_is_refused():
    said = answer("""
from novikoff.errors import DataError
X = sp.csr_array((np.ones(2), np.array([0, 1_999_999_999]), np.array([0, 1, 2])),
                 shape=(2, 2_000_000_000))
for ask in (novikoff.separate, novikoff.Perceptron().fit):
    try:
        ask(X, [0, 1])
    except DataError as error:
        print(error)
""")
    assert said.count("X has 2,000,000,000 columns") == 2


def test_a_line_of_too_many_cells_is_refused(tmp_path):
    file = tmp_path / "wide.csv"
    file.write_text(",".join(f"c{j}" for j in range(10**6)) + ",y\n" + "1," * 10**6 + "a\n")
    said = answer(
        """
import sys
from novikoff.errors import FileError
try:
    novikoff.read(sys.argv[1], label="y")
except FileError as error:
    print(error)
""",
        file,
    )
    assert "1,000,001 columns" in said
