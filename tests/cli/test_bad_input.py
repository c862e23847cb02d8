"""Whatever is wrong with the input: one message, status 2, nothing left behind."""

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.cli.shell import inside

pytestmark = pytest.mark.slow

GOOD = "a,b,kind\n1,2,no\n3,4,yes\n"


def parquet(path):
    pq.write_table(pa.table({"a": [1.0, 2.0], "kind": [0, 1]}), path)
    path.write_bytes(path.read_bytes()[:-9])


# Name, content (text, bytes, a function that writes it, or None for no file), options, message.
CASES = [
    ("missing.csv", None, (), "missing.csv: no such file."),
    (".", None, (), ".: no files in this folder."),
    (os.fsdecode(b"w\xff.csv"), GOOD, (), "'w\\udcff.csv': the name of the file is not text"),
    ("empty.csv", "", (), "empty.csv: empty, there is nothing in the file."),
    ("names.csv", "a,b,kind\n", (), "names.csv: no rows, only the names of 3 columns"),
    ("ragged.csv", GOOD + "5,6\n", (), "ragged.csv: record 4 has 2 fields where 3 are expected"),
    (
        "marks.csv",
        GOOD.replace(",", ";"),
        ("--delimiter", ","),
        "marks.csv: no column 'kind' (label, --label); there are 'a;b;kind'. Only one column",
    ),
    ("column.csv", GOOD, ("--features", "a,c"), "column.csv: no column 'c' (features, --features)"),
    ("one.csv", GOOD.replace("yes", "no"), (), "one.csv: column 'kind' has one class only, 'no'"),
    (
        "three.csv",
        GOOD + "5,6,maybe\n",
        (),
        "three.csv: column 'kind' has 3 classes ('maybe', 'no', 'yes') but two are needed",
    ),
    (
        "text.csv",
        GOOD + "five,6,no\n7,8,yes\n",
        (),
        "text.csv: column 'a' holds numbers, but text in 1 row: 'five' at row 2 (line 4)",
    ),
    (
        "words.csv",
        "a,b,kind\nx,2,no\ny,4,yes\n",
        (),
        "words.csv: column 'a' holds text, not numbers: make categories of it",
    ),
    ("nan.csv", GOOD + "NaN,6,no\n", (), "nan.csv: 1 missing value ('a' 1), the first at row 2"),
    ("inf.csv", GOOD + "inf,6,no\n", (), "inf.csv: column 'a' holds inf at row 2 (line 4)"),
    ("twice.csv", "a,a,kind\n1,2,no\n3,4,yes\n", (), "twice.csv: columns 0 and 1 are both called"),
    (
        "latin.csv",
        "a,b,kind\n1,2,né\n3,4,où\n".encode("latin-1"),
        (),
        "latin.csv: column 'kind' is not utf-8 text",
    ),
    ("cut.parquet", parquet, (), "cut.parquet: not a whole Parquet file"),
    (
        "objects.npy",
        lambda path: np.save(path, np.array([[1, None]], dtype=object)),
        (),
        "objects.npy: not a whole NumPy file of numbers",
    ),
    ("good.csv", GOOD, ("--lift", "cubic"), "--lift is written degree=2"),
]


@pytest.mark.parametrize(
    ("name", "content", "options", "message"), CASES, ids=[case[0] for case in CASES]
)
def test_bad_input(tmp_path, name, content, options, message):
    path = tmp_path / name
    if isinstance(content, str | bytes):
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    elif content is not None:
        content(path)
    before = sorted(tmp_path.iterdir())
    arguments = ("--label", "kind", "--certificate", "c.json", "--report", "page.html", *options)
    done = inside("check", name, *arguments, folder=tmp_path)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith(f"novikoff: {message}")
    assert len(done.err.splitlines()) <= 2
    assert "Traceback" not in done.err
    assert sorted(tmp_path.iterdir()) == before


def test_debug_shows_the_traceback(tmp_path):
    done = inside("check", "missing.csv", "--label", "kind", "--debug", folder=tmp_path)
    assert done.status == 2
    assert "Traceback" in done.err
    assert "novikoff: missing.csv: no such file." in done.err


class TestOutput:
    @pytest.fixture
    def good(self, tmp_path):
        (tmp_path / "good.csv").write_text(GOOD)
        return tmp_path

    def check(self, folder, *options):
        return inside("check", "good.csv", "--label", "kind", "-q", *options, folder=folder)

    @pytest.mark.parametrize("option", ["--certificate", "--report"])
    def test_a_folder_that_is_not_there(self, good, option):
        done = self.check(good, option, "no/such/file")
        assert done.status == 2
        assert done.err == (
            "novikoff: no/such/file: cannot be written: No such file or directory.\n"
        )
        assert done.out == ""

    def test_a_full_disk(self, good):
        done = self.check(good, "--certificate", "/dev/full")
        assert done.status == 2
        assert done.err == "novikoff: /dev/full: cannot be written: No space left on device.\n"

    def test_an_old_file_survives_what_fails(self, good):
        (good / "c.json").write_text("old")
        done = inside(
            "check", "missing.csv", "--label", "kind", "--certificate", "c.json", folder=good
        )
        assert done.status == 2
        assert (good / "c.json").read_text() == "old"
