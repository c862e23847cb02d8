"""What a number is in a text file: the same to `read`, `scan`, a stream and the checker."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.cli.shell import inside

import novikoff
from novikoff.data import scan
from novikoff.errors import DataError, NotFiniteError
from novikoff.stream.parse import CsvLines, StreamColumns, SvmlightLines

CHECKER = Path(__file__).parents[2] / "checker" / "novikoff_check.py"
NUMBERS = {"+5": 5.0, " 7": 7.0, "1e3": 1000.0, "1E+03": 1000.0, "1.": 1.0, ".5": 0.5, "-0": 0.0}
TEXTS = ("0x10", "0X1f", "-0x1F", "0x1.8p3", "1_000", "1 000", "1e", "0b1", "١", "1/2")
INFINITE = ("inf", "-Inf", "infinity", "-INFINITY", "1e400")


def file_of(folder, cell, *, beside=("1", "2", "3"), many=0):
    """A column `a` in which the cell stands in row 2, or in the row after `many`."""
    above = [*beside[:2], *(str(i % 9) for i in range(many))]
    cells = [*above, cell, beside[2]]
    lines = [f"{value},{i % 2}\n" for i, value in enumerate(cells)]
    path = folder / "data.csv"
    path.write_text("a,y\n" + "".join(lines), encoding="utf-8")
    return path, len(above)


def scanned(path, **options):
    return np.concatenate([batch.X for batch in scan(path, label="y", cache=False, **options)])


def read(path, **options):
    return novikoff.read(path, label="y", **options).X


READERS = {"read": read, "scan": scanned}
BESIDE = {"integers": ("1", "2", "3"), "decimals": ("1.5", "2.5", "3.25"),
          "long decimals": ("0.1234567890123456", "2", "3")}  # fmt: skip


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
class TestCells:
    @pytest.mark.parametrize(("cell", "value"), NUMBERS.items())
    def test_decimals_are_numbers(self, cell, value, beside, reader, tmp_path):
        path, row = file_of(tmp_path, cell, beside=beside)
        assert reader(path)[row, 0] == value

    @pytest.mark.parametrize("cell", TEXTS)
    def test_anything_else_is_text(self, cell, beside, reader, tmp_path):
        path, row = file_of(tmp_path, cell, beside=beside)
        with pytest.raises(DataError, match="column 'a' holds numbers, but") as told:
            reader(path)
        assert f"{cell!r} at row {row} (line {row + 2})" in str(told.value)

    @pytest.mark.parametrize("cell", INFINITE)
    def test_an_infinity_is_refused_by_name(self, cell, beside, reader, tmp_path):
        path, row = file_of(tmp_path, cell, beside=beside)
        with pytest.raises(NotFiniteError, match=rf"column 'a' holds -?inf at row {row} "):
            reader(path)


@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
@pytest.mark.parametrize("cell", ["0x10", "1_000"])
def test_text_far_down_is_named_too(cell, beside, tmp_path):
    """Beyond the rows that tell a scan what a column holds."""
    path, row = file_of(tmp_path, cell, beside=beside, many=300_000)
    with pytest.raises(DataError, match=f"{cell}' at row {row} "):
        scanned(path)


def test_labels_of_hexadecimal_digits_stay_as_they_are(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,y\n1,0x1\n2,0xA\n3,0xA\n", encoding="utf-8")
    for table in (novikoff.read(path, label="y"), scan(path, label="y", cache=False)):
        assert table.classes == ("0x1", "0xA")


def test_categories_of_hexadecimal_digits_stay_as_they_are(tmp_path):
    path = tmp_path / "kinds.csv"
    path.write_text("a,y\n0x1,0\n0xA,1\n0xA,1\n", encoding="utf-8")
    for table in (novikoff.read, scan):
        assert table(path, label="y", categorical=["a"]).names == ("a[0xA]",)


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_numbers_are_not_rounded_in_any_encoding(reader, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("a,y\n0.123456789012345678901,0\n2,1\n3,1\n", encoding="utf-16")
    with pytest.raises(DataError, match="float64 would round"):
        reader(path)
    path.write_text("a,y\n0x10,0\n2,1\n3,1\n", encoding="utf-16")
    with pytest.raises(DataError, match="'0x10' at row 0"):
        reader(path)


@pytest.mark.parametrize("cell", [*TEXTS, *INFINITE])
def test_a_stream_knows_the_same_numbers(cell):
    lines = CsvLines(StreamColumns(label="y"), ",", ["a", "y"])
    with pytest.raises(DataError, match="column 'a' holds"):
        lines.parse(f"{cell},1".encode())


@pytest.mark.parametrize("pair", ["1:1_0", "1_0:1", "1:0x10", "+1:2"])
def test_a_stream_of_pairs_knows_the_same_numbers(pair):
    with pytest.raises(DataError, match="is not index:value"):
        SvmlightLines(StreamColumns()).parse(f"1 {pair}".encode())


@pytest.mark.parametrize("cell", [*TEXTS, *INFINITE[:-1]])
def test_the_checker_knows_the_same_numbers(cell, tmp_path):
    data, proof = tmp_path / "data.csv", tmp_path / "proof.json"
    data.write_text("a,y\n1,0\n16,1\n1000,1\n0.5,0\n", encoding="utf-8")
    done = inside("check", data, "--label", "y", "--certificate", proof)
    assert done.status == 0
    command = [sys.executable, CHECKER, proof, data]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    for number in ("16", "1000", "0.5"):
        changed = data.with_name("changed.csv")
        changed.write_text(data.read_text("utf-8").replace(f"{number},", f"{cell},"), "utf-8")
        told = subprocess.run([*command[:3], changed], capture_output=True, check=False)
        assert told.returncode == 2, told
