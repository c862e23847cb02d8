"""Which columns mean what: labels, categories, missing values, weights, formulas, lifts."""

import json
import re
import shlex

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import novikoff
from novikoff.cli.reading import split_list
from novikoff.data.arrays import read_frame
from novikoff.data.columns import choose
from novikoff.data.features import FeatureRecipe
from novikoff.data.options import ReadOptions
from novikoff.data.reading import read
from novikoff.errors import (
    DataError,
    FileError,
    LabelError,
    LimitError,
    NotFiniteError,
    NotNumericError,
    OptionError,
    ShapeError,
)
from novikoff.estimators.persistence.predict import read_for_model

FRAME = pd.DataFrame(
    {
        "size": [1.0, 2.0, 3.0, 4.0],
        "town": ["Rome", "Oslo", "Rome", "Lima"],
        "count": [2, 0, 1, 5],
        "kind": ["c", "a", "b", "a"],
    }
)


class TestLabels:
    def test_the_greater_label_is_positive(self):
        table = read(FRAME, label="kind", classes=["c", "a"], drop=["town"])
        assert table.classes == ("a", "c")
        assert table.signs.tolist() == [1, -1, -1]
        assert table.rows.tolist() == [0, 1, 3]

    def test_positive_turns_two_round(self):
        table = read(FRAME, label="kind", classes=["a", "c"], positive="a", drop=["town"])
        assert table.classes == ("c", "a")
        assert table.signs.tolist() == [-1, 1, 1]

    def test_one_against_the_rest(self):
        table = read(FRAME, label="kind", positive="b", drop=["town"])
        assert table.classes == ("not b", "b")
        assert table.signs.tolist() == [-1, -1, 1, -1]

    @pytest.mark.parametrize("written", ["2", "2.0", 2])
    def test_a_number_is_found_however_it_is_written(self, written):
        frame = pd.DataFrame({"x": [1, 2, 3], "y": [0, 1, 2]})
        assert read(frame, label="y", positive=written).signs.tolist() == [-1, -1, 1]

    def test_three_classes_are_read_and_refused_where_two_are_meant(self):
        table = read(FRAME, label="kind", drop=["town"])
        assert table.classes == ("a", "b", "c")
        with pytest.raises(LabelError, match=r"has 3 classes .*--positive.*--classes"):
            table.signs  # noqa: B018

    def test_true_and_false(self):
        frame = pd.DataFrame({"x": [1, 2], "y": [True, False]})
        assert read(frame, label="y").signs.tolist() == [1, -1]
        assert read(frame, label="y", positive="false").signs.tolist() == [-1, 1]

    def test_what_is_not_there(self):
        with pytest.raises(LabelError, match=r"no label 'z' \(positive\); there are 'a', 'b', 'c'"):
            read(FRAME, label="kind", positive="z", drop=["town"])
        with pytest.raises(OptionError, match="two labels"):
            read(FRAME, label="kind", classes=["a"], drop=["town"])
        with pytest.raises(LabelError, match="one class only, 'a'"):
            read(FRAME[FRAME.kind == "a"], label="kind", drop=["town"])

    def test_missing_labels(self):
        frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": ["a", None, "b"]})
        with pytest.raises(LabelError, match="1 missing labels, the first at row 1"):
            read(frame, label="y")
        assert read(frame, label="y", drop_missing=True).rows.tolist() == [0, 2]


class TestColumns:
    def test_features_keep_the_order_that_was_asked_for(self):
        table = read(FRAME, label="kind", features=["count", "size"])
        assert table.names == ("count", "size")
        assert table.X[0].tolist() == [2.0, 1.0]

    def test_the_index_of_a_frame_is_no_column(self):
        table = read(FRAME[1:], label="kind", drop=["town"])
        assert table.names == ("size", "count")

    def test_what_is_no_table(self):
        with pytest.raises(DataError, match="got int"):
            read(3, label="kind")

    def test_categories_in_treatment_coding(self):
        table = read(FRAME, label="kind", categorical=["town"])
        assert table.names == ("size", "town[Oslo]", "town[Rome]", "count")
        assert table.X[:, 1:3].tolist() == [[0, 1], [1, 0], [0, 1], [0, 0]]
        assert "base 'Lima'" in table.notes[0]

    @pytest.mark.parametrize(
        ("options", "error", "message"),
        [
            ({}, OptionError, "which column holds the labels"),
            ({"label": "nope"}, DataError, "no column 'nope' .*'size', 'town'"),
            ({"label": "kind"}, DataError, "'town' holds text.*--categorical town.*--drop town"),
            ({"label": "kind", "drop": ["x"]}, DataError, "no column 'x' .*--drop"),
            ({"label": "kind", "features": ["kind"]}, OptionError, "'kind' cannot be a feature"),
            (
                {"label": "kind", "drop": ["size", "town", "count"]},
                ShapeError,
                "no feature is left",
            ),
            (
                {"label": "kind", "features": ["size"], "categorical": ["town"]},
                OptionError,
                "'town' is called categorical",
            ),
            ({"label": "kind", "drop": ["town"], "degree": 0}, OptionError, "at least 1; got 0"),
        ],
    )
    def test_what_cannot_be(self, options, error, message):
        with pytest.raises(error, match=message):
            read(FRAME, **options)

    def test_one_bad_cell_is_found(self, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("a,y\n1,0\n2,1\n\nabc,0\n4,1\n")
        with pytest.raises(DataError, match=r"text in 1 row: 'abc' at row 2 \(line 5\)"):
            read(path, label="y")
        assert read(path, label="y", missing=["abc"], drop_missing=True).n == 3

    def test_too_many_categories(self):
        frame = pd.DataFrame({"id": [str(i) for i in range(10_001)], "y": [0, 1] * 5000 + [0]})
        with pytest.raises(LimitError, match="10001 different values"):
            read(frame, label="y", categorical=["id"])


class TestMissing:
    def test_counted(self, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("a,b,y\n1,,0\nNA,2,1\n3,?,0\n,4,1\n5,5,0\n6,6,1\n")
        with pytest.raises(DataError, match=r"4 missing.*'a' 2, 'b' 2.*row 0 \(line 2\)"):
            read(path, label="y", missing=["?"])
        table = read(path, label="y", missing=["?"], drop_missing=True)
        assert table.X.tolist() == [[5, 5], [6, 6]]
        assert table.rows.tolist() == [4, 5]
        assert table.notes[0].startswith("4 rows with missing values left out")

    def test_nan_is_missing_and_infinity_is_an_error(self):
        frame = pd.DataFrame({"a": [1.0, np.nan, np.inf], "y": [0, 0, 1]})
        with pytest.raises(DataError, match="1 missing value"):
            read(frame, label="y")
        with pytest.raises(NotFiniteError, match="'a' holds inf at row 2"):
            read(frame, label="y", drop_missing=True)

    def test_nothing_left(self):
        frame = pd.DataFrame({"a": [np.nan, 1.0], "b": [1.0, np.nan], "y": [0, 1]})
        with pytest.raises(ShapeError, match="every row"):
            read(frame, label="y", drop_missing=True)
        frame = pd.DataFrame({"a": [1.0, 2.0, np.nan], "y": [0, 0, 1]})
        with pytest.raises(ShapeError, match="only class 0"):
            read(frame, label="y", drop_missing=True)


class TestWeights:
    def test_rows_of_weight_zero_did_not_happen(self):
        table = read(FRAME, label="kind", weights="count", drop=["town"])
        assert table.names == ("size",)
        assert table.weights.tolist() == [2.0, 1.0, 5.0]
        assert table.rows.tolist() == [0, 2, 3]

    def test_they_count(self):
        with pytest.raises(DataError, match=r"weight .* is -1.0 at row 1"):
            read(FRAME.assign(count=[1, -1, 1, 1]), label="kind", weights="count", drop=["town"])


class TestFormula:
    def test_label_and_columns(self):
        table = read(FRAME, formula="kind ~ size + town")
        assert table.label == "kind"
        assert table.names == ("size", "town[T.Oslo]", "town[T.Rome]")
        assert table.fit_intercept

    def test_without_intercept(self):
        assert not read(FRAME, formula="kind ~ size - 1").fit_intercept

    def test_functions_of_a_whole_column(self):
        table = read(FRAME, formula="kind ~ center(size) + poly(count, 2)", positive="a")
        np.testing.assert_allclose(table.X[:, 0], FRAME["size"] - 2.5)
        assert table.names == ("center(size)", "poly(count, 2)[1]", "poly(count, 2)[2]")
        named = FRAME.rename(columns={"size": "the size"})
        assert read(named, formula="kind ~ center(`the size`)", positive="a").X.shape == (4, 1)
        with pytest.raises(DataError, match="no column 'sise'"):
            read(FRAME, formula="kind ~ center(sise)", positive="a")

    @pytest.mark.parametrize(
        ("formula", "error", "message"),
        [
            ("kind ~ nope", DataError, "no column 'nope'"),
            ("kind ~ size +", OptionError, r"formula 'kind ~ size \+'"),
            ("kind ~ size + C(kind)", OptionError, "'kind' is the outcome, and right of the ~"),
            ("kind ~ size:kind", OptionError, "'kind' is the outcome, and right of the ~"),
            ("size + kind ~ count", OptionError, "one column left"),
            ("size + count", OptionError, "no label"),
        ],
    )
    def test_what_cannot_be(self, formula, error, message):
        with pytest.raises(error, match=message):
            read(FRAME, formula=formula)

    def test_a_saved_one_runs_no_code(self):
        recipe = FeatureRecipe(("size",), formula="kind ~ open('secret') + size")
        with pytest.raises(OptionError, match="computed by code"):
            recipe.to_dict()
        written = FeatureRecipe(("size",)).to_dict() | {"formula": "size + eval('1')"}
        with pytest.raises(OptionError, match="computed by code"):
            FeatureRecipe.from_dict(written)
        FeatureRecipe(("size",), formula="kind ~ log(size) + C(town):count").to_dict()


class TestRecipe:
    @pytest.mark.parametrize(
        "options",
        [
            {"categorical": ["town"], "standardise": True, "degree": 2},
            {"formula": "kind ~ size + town"},
            {"drop": ["town"], "standardise": True},
        ],
    )
    def test_it_does_the_same_again_after_a_trip_through_json(self, options):
        label = {} if "formula" in options else {"label": "kind"}
        table = read(FRAME, **label, **options)
        recipe = FeatureRecipe.from_dict(json.loads(json.dumps(table.recipe.to_dict())))
        assert np.array_equal(recipe.apply(read_frame(FRAME)), table.X)
        one = read_frame(FRAME.iloc[2:3].reset_index(drop=True))
        assert np.array_equal(recipe.apply(one), table.X[2:3])

    def test_a_new_category_is_named(self):
        recipe = read(FRAME, label="kind", categorical=["town"]).recipe
        with pytest.raises(DataError, match="'town' has the value 'Bern' at row 1"):
            recipe.apply(read_frame(FRAME.assign(town=["Rome", "Bern", "Rome", "Lima"])))

    def test_a_missing_column_is_named(self, tmp_path):
        recipe = read(FRAME, label="kind", drop=["town"]).recipe
        FRAME.drop(columns="count").to_csv(tmp_path / "t.csv", index=False)
        with pytest.raises(DataError, match=r"no column 'count' \(the model's column\)"):
            list(read_for_model(str(tmp_path / "t.csv"), recipe))

    def test_a_damaged_one_is_refused(self):
        with pytest.raises(FileError, match="does not say how to read"):
            FeatureRecipe.from_dict({"features": ["a"]})

    def test_lift(self):
        table = choose(
            read_frame(pd.DataFrame({"u": [2, 3], "v": [5, 7], "y": [0, 1]})),
            ReadOptions(label="y"),
        )
        lifted = read(pd.DataFrame({"u": [2, 3], "v": [5, 7], "y": [0, 1]}), label="y", degree=2)
        assert table.names == ("u", "v")
        assert lifted.names == ("u", "v", "u^2", "u v", "v^2")
        assert lifted.X[0].tolist() == [2, 5, 4, 10, 25]

    def test_a_lift_that_does_not_fit_is_refused(self):
        frame = pd.DataFrame(np.ones((2, 2000)), columns=[f"c{j}" for j in range(2000)])
        with pytest.raises(LimitError, match=r"degree 6 has \d+ columns"):
            read(frame.assign(y=[0, 1]), label="y", degree=6)

    def test_a_constant_column_can_be_standardised(self):
        table = read(pd.DataFrame({"u": [0.1, 0.1], "v": [1, 3], "y": [0, 1]}), label="y",
                     standardise=True)  # fmt: skip
        assert table.X.tolist() == [[0.0, -1.0], [0.0, 1.0]]


def test_a_column_that_is_not_there_has_a_neighbour(tmp_path):
    frame = pa.table({"NV": [1.0, 2.0], "petal length": [3.0, 4.0], "HG": [0, 1]})
    with pytest.raises(DataError, match=r"no column 'hg' .* Did you mean 'HG'\?"):
        read(frame, label="hg")
    with pytest.raises(DataError, match=r"Did you mean 'petal length'\?"):
        read(frame, label="HG", features=["petal_length"])
    with pytest.raises(DataError) as error:
        read(frame, label="zzz")
    assert "Did you mean" not in str(error.value)
    with pytest.raises(OptionError, match=r"no built-in data set 'irsi'.* Did you mean 'iris'\?"):
        read("dataset:irsi")


def test_the_columns_of_text_can_be_pasted_or_found(tmp_path):
    names = {"size": [1.0, 2.0, 3.0], "of, or": ["a", "b", "a"], "is it's": ["x", "y", "z"]}
    frame = pa.table({**names, "kind": [0, 1, 1]})
    with pytest.raises(DataError) as error:
        read(frame, label="kind")
    pasted = re.search(r"--categorical (.*), or --categorical auto", str(error.value)).group(1)
    (word,) = shlex.split(pasted)
    by_name = read(frame, label="kind", categorical=split_list(word))
    assert by_name.names == ("size", "of, or[b]", "is it's[y]", "is it's[z]")
    by_kind = read(frame, label="kind", categorical="auto")
    assert by_kind.names == by_name.names
    assert by_kind.X.tolist() == by_name.X.tolist()


def test_auto_does_not_make_categories_of_a_mistake(tmp_path):
    frame = pa.table({"size": ["1", "2", "3", "four"], "kind": [0, 1, 1, 0]})
    with pytest.raises(DataError, match="holds numbers, but text in 1 row: 'four'"):
        read(frame, label="kind", categorical="auto")


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_text_column_from_python_is_named(kind):
    frame = kind({"size": [1.0, 2.0], "town": ["Rome", "Oslo"]})
    for use in (novikoff.separate, novikoff.Perceptron().fit):
        with pytest.raises(NotNumericError, match=r"column 'town' holds text.*'Rome'.*categorical"):
            use(frame, [0, 1])
