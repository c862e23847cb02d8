"""Frames of any library that speaks Arrow's protocol or that of data frames."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

import novikoff

# ibis sets an option of pandas that pandas gives up.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated")

FRAME = pd.DataFrame(
    {"x": [1.0, 2.0, 3.0, 4.0], "n": [2**60, 2**60 + 1, 5, 7], "y": ["a", "b", "a", "b"]}
)


class Arrow:
    """An object with Arrow's stream, and nothing else that is looked at."""

    def __init__(self, frame):
        self.frame = pl.from_pandas(frame)
        self.columns = list(frame.columns)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.frame.__arrow_c_stream__(requested_schema)


class Interchange:
    """An object with the protocol of data frames, and nothing else that is looked at."""

    def __init__(self, frame):
        self.frame = pa.Table.from_pandas(frame, preserve_index=False)
        self.columns = list(frame.columns)

    def __dataframe__(self, *args, **options):
        return self.frame.__dataframe__(*args, **options)


def relation(frame):
    duckdb = pytest.importorskip("duckdb")
    return duckdb.from_arrow(pl.from_pandas(frame).to_arrow())


def stream(frame):
    """Batches that can be read once."""
    return pa.Table.from_pandas(frame, preserve_index=False).to_reader()


def expression(frame):
    return pytest.importorskip("ibis").memtable(frame)


KINDS = pytest.mark.parametrize("kind", [Arrow, Interchange, relation, stream, expression])


@KINDS
def test_points_keep_their_names_and_no_integer_is_rounded(kind):
    verdict = novikoff.separate(kind(FRAME[["x", "n"]]), FRAME.y)
    assert verdict.names == ("x", "n")
    assert verdict.problem.X[:2, 1].tolist() == [2**60, 2**60 + 1]
    assert verdict.word == novikoff.separate(FRAME[["x", "n"]], FRAME.y).word


@KINDS
def test_a_table_with_its_label(kind):
    table = novikoff.read(kind(FRAME[["x", "y"]]), label="y")
    assert table.names == ("x",)
    assert table.X.ravel().tolist() == [1, 2, 3, 4]
    found = novikoff.detect_separation("y ~ x", kind(FRAME[["x", "y"]]))
    assert list(found.coefficients) == ["(intercept)", "x"]


@KINDS
def test_text_is_refused_by_the_name_of_its_column(kind):
    with pytest.raises(novikoff.NovikoffError, match="'y' holds text"):
        novikoff.separate(kind(FRAME), FRAME.y)


@KINDS
def test_estimators_keep_the_names_of_columns(kind):
    X = FRAME[["x"]]
    unit = novikoff.Perceptron().fit(kind(X), FRAME.x > 2)
    assert unit.feature_names_in_.tolist() == ["x"]
    assert unit.predict(kind(X)).tolist() == unit.predict(X).tolist()
    with pytest.raises(novikoff.NovikoffError, match="Feature names unseen at fit time"):
        unit.predict(kind(X.rename(columns={"x": "z"})))
    plain = novikoff.diagnose(LogisticRegression(), kind(X), FRAME.y)
    assert list(plain.coefficients) == ["(intercept)", "x"]


def test_labels_in_a_frame_are_a_column():
    with pytest.raises(novikoff.NovikoffError, match="y is a column"):
        novikoff.separate(FRAME[["x"]], relation(FRAME[["y"]]))


def test_a_frame_that_was_not_collected_is_refused_by_its_kind():
    with pytest.raises(novikoff.NovikoffError, match="a LazyFrame"):
        novikoff.separate(pl.LazyFrame(FRAME[["x"]]), FRAME.y)


def test_two_columns_of_one_name_are_named():
    twins = pd.concat([FRAME, FRAME[["x"]]], axis=1)
    with pytest.raises(novikoff.NovikoffError, match="columns 0 and 3 are both called 'x'"):
        novikoff.detect_separation("y ~ n", twins)
    table = pa.table([[1.0, 2.0], [1.0, 2.0]], names=["x", "x"])
    for X in (table, table.to_reader()):
        with pytest.raises(novikoff.NovikoffError, match="two columns are called 'x'"):
            novikoff.Perceptron().fit(X, [0, 1])


def test_a_column_of_lists_is_no_missing_value():
    with pytest.raises(novikoff.NovikoffError, match=r"row 0, column 0 is .*ndarray"):
        novikoff.separate(pa.table({"x": [[1.0], [2.0]]}), [0, 1])


def test_what_speaks_no_protocol_is_read_as_before():
    assert novikoff.separate(sp.csr_array(np.eye(2)), [0, 1]).word == "separable"
    assert novikoff.separate([[0.0], [1.0]], [0, 1]).word == "separable"
