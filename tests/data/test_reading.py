"""`novikoff.read`: every kind of file, and the same points from each of them."""

import datetime
import gzip
import io
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file

from novikoff.data.reading import read
from novikoff.data.scans.api import scan
from novikoff.errors import DataError, FileError, NotFiniteError, OptionError
from novikoff.estimators.persistence.predict import read_for_model

COLUMNS = {"a": [1.0, 2.5, -3.0], "b": [0.1, 0.2, 0.3], "kind": ["no", "yes", "no"]}
TEXT = "a,b,kind\n1,0.1,no\n2.5,0.2,yes\n-3,0.3,no\n"


@pytest.fixture
def frame():
    return pa.table(COLUMNS)


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def check(table, decimals):
    assert table.X.tolist() == [[1.0, 0.1], [2.5, 0.2], [-3.0, 0.3]]
    assert table.X.flags.c_contiguous
    assert table.y.tolist() == ["no", "yes", "no"]
    assert (table.names, table.classes) == (("a", "b"), ("no", "yes"))
    assert table.signs.tolist() == [-1, 1, -1]
    assert table.decimals is decimals


class TestKinds:
    def test_csv(self, tmp_path):
        check(read(write(tmp_path / "t.csv", TEXT), label="kind"), True)

    @pytest.mark.parametrize("mark", [";", "\t", "|"])
    def test_the_delimiter_is_found(self, tmp_path, mark):
        check(read(write(tmp_path / "t.txt", TEXT.replace(",", mark)), label="kind"), True)

    def test_tsv(self, tmp_path):
        path = write(tmp_path / "t.tsv", TEXT.replace(",", "\t"))
        check(read(path, label="kind"), True)
        check(read(path, label="kind", delimiter="tab"), True)

    def test_gzip_and_zstd(self, tmp_path):
        check(read(write(tmp_path / "t.csv.gz", gzip.compress(TEXT.encode())), label="kind"), True)
        packed = pa.Codec("zstd").compress(TEXT.encode(), asbytes=True)
        check(read(write(tmp_path / "t.csv.zst", packed), label="kind"), True)

    def test_parquet(self, tmp_path, frame):
        pq.write_table(frame, tmp_path / "t.parquet")
        check(read(tmp_path / "t.parquet", label="kind"), False)

    def test_arrow_and_feather(self, tmp_path, frame):
        feather.write_feather(frame, tmp_path / "t.feather")
        check(read(tmp_path / "t.feather", label="kind"), False)
        with pa.ipc.new_file(str(tmp_path / "t.arrow"), frame.schema) as writer:
            writer.write_table(frame)
        check(read(tmp_path / "t.arrow", label="kind"), False)
        with pa.ipc.new_stream(str(tmp_path / "t.arrows"), frame.schema) as writer:
            writer.write_table(frame)
        check(read(tmp_path / "t.arrows", label="kind"), False)

    def test_the_kind_is_seen_from_the_first_bytes(self, tmp_path, frame):
        pq.write_table(frame, tmp_path / "t.data")
        check(read(tmp_path / "t.data", label="kind"), False)

    def test_npy_of_other_machines_and_of_no_real_numbers(self, tmp_path):
        np.save(tmp_path / "big.npy", np.array([[1, 2, 0], [3, 4, 1]], ">f4"))
        assert read(tmp_path / "big.npy", label=-1).X.tolist() == [[1.0, 2.0], [3.0, 4.0]]
        np.save(tmp_path / "complex.npy", np.array([[1j, 0], [2, 1]]))
        with pytest.raises(FileError, match=r"complex\.npy: 'x' holds complex128"):
            read(tmp_path / "complex.npy", label=-1)

    def test_npy_and_npz(self, tmp_path):
        X = np.array([[1.0, 2.0, 0.0], [3.0, 4.0, 1.0]])
        np.save(tmp_path / "t.npy", X)
        table = read(tmp_path / "t.npy", label=-1)
        assert table.X.tolist() == [[1.0, 2.0], [3.0, 4.0]]
        assert (table.names, table.classes) == (("x0", "x1"), (0.0, 1.0))
        names = np.array(["u", "v"])
        np.savez(tmp_path / "t.npz", X=X[:, :2], y=np.array(["p", "q"]), names=names)
        table = read(tmp_path / "t.npz", label="y")
        assert (table.names, table.classes) == (("u", "v"), ("p", "q"))

    def test_svmlight(self, tmp_path):
        X = sp.csr_array(np.array([[0.0, 1.5, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 3.0]]))
        dump_svmlight_file(X, [1, -1, 1], str(tmp_path / "t.svm"), zero_based=True)
        table = read(tmp_path / "t.svm")
        assert sp.issparse(table.X)
        assert table.X.toarray().tolist() == X.toarray().tolist()
        assert table.signs.tolist() == [1, -1, 1]
        assert read(tmp_path / "t.svm", drop=["x1"]).names == ("x0", "x2")

    def test_svmlight_that_counts_from_one(self, tmp_path):
        table = read(write(tmp_path / "t.svm", "1 1:5 3:7\n-1 2:6\n"))
        assert table.names == ("x1", "x2", "x3")
        assert table.X.toarray().tolist() == [[5, 0, 7], [0, 6, 0]]
        (new,) = read_for_model(str(write(tmp_path / "u.svm", "0 2:1 9:4\n")), table.recipe)
        assert new.X.toarray().tolist() == [[0, 1, 0]]

    @pytest.mark.parametrize("text", ["1 1:5 2\n", "1 2:1 1:2\n", "one 1:2\n", "1 1:inf\n-1 1:0\n"])
    def test_what_is_not_svmlight(self, tmp_path, text):
        with pytest.raises((FileError, NotFiniteError), match=r"t\.svm: "):
            read(write(tmp_path / "t.svm", text))

    @pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame])
    def test_frames(self, make):
        check(read(make(COLUMNS), label="kind"), False)

    def test_standard_input(self, monkeypatch):
        monkeypatch.setattr(
            sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT.encode())))
        )
        check(read("-", label="kind"), True)

    def test_built_in(self):
        assert read("dataset:xor").signs.tolist() == [-1, 1, 1, -1]


class TestText:
    def test_no_header(self, tmp_path):
        path = write(tmp_path / "t.csv", TEXT.partition("\n")[2])
        for label in (2, -1, "2", "x2"):
            table = read(path, label=label, header=False)
            assert (table.names, table.classes) == (("x0", "x1"), ("no", "yes"))

    def test_quotes_hide_commas_and_line_ends(self, tmp_path):
        text = 'a,"the, kind"\n1,"no\nreally"\n2,"say ""yes"""\n'
        table = read(write(tmp_path / "t.csv", text), label="the, kind")
        assert table.classes == ("no\nreally", 'say "yes"')

    def test_quotes_hide_line_ends_in_a_file_of_many_blocks(self, tmp_path):
        labels = ("a line\n" * 300, "a line, and\n1,2\n" * 300)
        lines = "".join(f'{i},"{labels[i % 2]}"\n' for i in range(3000))
        table = read(write(tmp_path / "t.csv", f"a,kind\n{lines}"), label="kind")
        assert table.X[:, 0].tolist() == list(range(3000))
        assert set(table.classes) == set(labels)

    def test_windows_line_ends_blank_lines_and_a_byte_order_mark(self, tmp_path):
        path = write(tmp_path / "t.csv", b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n\r\n").encode())
        check(read(path, label="kind"), True)

    @pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252"])
    def test_encodings(self, tmp_path, encoding):
        path = write(tmp_path / "t.csv", "größe,kind\n1,né\n2,où\n".encode(encoding))
        table = read(path, label="kind", encoding=encoding)
        assert (table.names, table.classes) == (("größe",), ("né", "où"))

    def test_utf_16_is_recognised(self, tmp_path):
        check(read(write(tmp_path / "t.csv", TEXT.encode("utf-16")), label="kind"), True)

    def test_a_type_holds_for_the_whole_column(self, tmp_path):
        lines = "".join(f"{i},{i % 2}\n" for i in range(400_000))
        table = read(write(tmp_path / "t.csv", f"a,y\n{lines}0.5,1\n"), label="y")
        assert table.X[-1, 0] == 0.5
        assert table.X[-2, 0] == 399_999

    @given(
        rows=st.lists(
            st.tuples(
                st.decimals(-(10**6), 10**6, allow_nan=False, places=6),
                st.text(st.characters(exclude_characters="\0\r", codec="utf-8"), min_size=1),
            ),
            min_size=2,
            max_size=8,
        )
    )
    def test_what_the_csv_module_writes_is_read_back(self, tmp_path_factory, rows):
        import csv

        labels = {label for _, label in rows}
        # Labels that are all numbers, truth values or dates are read as such.
        assume(len(labels) > 1 and any(set(label) - set("0123456789+-.eE:") for label in labels))
        assume(not {label.lower() for label in labels} <= {"true", "false", "nan", "inf", "0", "1"})
        path = tmp_path_factory.mktemp("written") / "t.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
            writer.writerow(["a", "kind"])
            writer.writerows((float(a), label) for a, label in rows)
        table = read(path, label="kind")
        assert table.X[:, 0].tolist() == [float(a) for a, _ in rows]
        assert table.y.tolist() == [label for _, label in rows]

    @pytest.mark.parametrize(
        "labels",
        [("2020-01-01", "2020-01-02"), ("12:30:00", "12:31:00"), ("2020-01-01 10:00:00", "x\ny")],
    )
    def test_dates_are_labels_as_they_stand(self, tmp_path, labels):
        rows = "".join(f'{i},"{labels[i % 2]}"\n' for i in range(4))
        path = write(tmp_path / "t.csv", "a,y\n" + rows)
        assert read(path, label="y").classes == labels
        assert scan(path, label="y").classes == labels
        assert read(path, label="y", positive=labels[0]).classes == labels[::-1]
        days = [datetime.date(2020, 1, 1 + i % 2) for i in range(4)]
        table = read(pa.table({"a": [0, 1, 2, 3], "y": days}), label="y")
        assert table.classes == ("2020-01-01", "2020-01-02")


class TestDecimals:
    def test_text_stands_for_decimals(self, tmp_path):
        assert read(write(tmp_path / "t.csv", TEXT), label="kind").decimals

    def test_arrow_decimals_do_too(self, tmp_path):
        from decimal import Decimal

        columns = {"a": pa.array([Decimal("0.10"), Decimal("0.25")]), "y": [0, 1]}
        table = read(pa.table(columns), label="y")
        assert table.decimals
        assert table.X.tolist() == [[0.1], [0.25]]

    def test_computed_numbers_do_not(self, tmp_path):
        path = write(tmp_path / "t.csv", TEXT)
        assert not read(path, label="kind", degree=2).decimals
        assert not read(path, label="kind", standardise=True).decimals
        assert not read(path, formula="kind ~ log(b)").decimals

    def test_a_formula_of_columns_does(self, tmp_path):
        assert read(write(tmp_path / "t.csv", TEXT), formula="kind ~ a + b").decimals

    def test_integers_that_are_rounded_are_mentioned(self, tmp_path):
        path = write(tmp_path / "t.csv", "a,y\n9007199254740993,0\n1,1\n")
        table = read(path, label="y", float64=True)
        assert table.X[0, 0] == 2.0**53
        assert "nearest" in table.notes[0]


def test_a_first_line_of_numbers_is_said(tmp_path):
    path = write(tmp_path / "pima.csv", "6,148,33.6,0,1\n1,85,26.6,1,0\n8,183,23.3,0,1\n")
    table = read(path, label=-1)
    assert table.n == 2
    assert table.notes == (
        "the first line holds only numbers (6,148,33.6,0,…) and was read as the names of the "
        "columns; if the first line is a row of data, say so (header=False, --no-header)",
    )
    assert scan(path, label=-1, cache=False).notes == table.notes
    assert read(path, label=-1, header=False).notes == ()
    assert read(path, label=-1, header=False).n == 3
    with pytest.raises(OptionError, match=r"which column .*only numbers .*--no-header"):
        read(path)
    with pytest.raises(DataError, match=r"no column '9' .*only numbers .*--no-header"):
        read(path, label="9")
    assert (
        read(write(tmp_path / "b.csv", "2019,2020,kind\n1,2,a\n2,3,b\n"), label="kind").notes == ()
    )


def test_a_first_line_like_the_rows_is_said_where_the_label_is_text(tmp_path):
    iris = "5.1,3.5,setosa\n4.9,3.0,setosa\n7.0,3.2,versicolor\n6.4,3.1,versicolor\n"
    table = read(write(tmp_path / "iris.csv", iris), label=-1)
    assert table.n == 3
    (note,) = table.notes
    assert note.startswith("the first line is like the rows below it (5.1,3.5,setosa) and was read")
    assert note.endswith("--no-header)")
    assert read(tmp_path / "iris.csv", label=-1, header=False).n == 4
    pixels = "kind,0,1\ncat,3,4\ndog,4,5\n"  # numbers for names, but no row has the kind "kind"
    assert read(write(tmp_path / "pixels.csv", pixels), label="kind").notes == ()
    texts = "a,b\na,x\nb,b\n"  # only text: it may well be a row, and as well the names
    notes = read(write(tmp_path / "t.csv", texts), label="a", categorical=["b"]).notes
    assert not any("first line" in note for note in notes)


def test_a_first_line_with_a_number_twice_suggests_no_header(tmp_path):
    path = write(tmp_path / "twice.csv", "1,1,no\n2,3,yes\n3,4,no\n")
    with pytest.raises(DataError, match=r"both called '1'.*--no-header"):
        read(path, label=2)
    assert read(path, label=2, header=False).n == 3


@pytest.mark.parametrize("text", ['a,y\n"1,0\n', "a,y\n1,0\n1\n", "a,y\n", "", "a,y\n1%,0\n2%,1\n"])
def test_a_scan_refuses_what_read_refuses(tmp_path, text):
    path = write(tmp_path / "t.csv", text)
    for reading in (read, lambda *a, **k: list(scan(*a, **k))):
        with pytest.raises((FileError, DataError), match=r"t\.csv"):
            reading(path, label="y")
