"""Which outcome is modelled is said and never guessed; rows without one are left out or refused."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import statsmodels.api as sm

from novikoff import detect_separation, diagnose
from novikoff.data import read
from novikoff.errors import DataError, LabelError, OptionError

X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
LEVELS = ["low", "medium", "high"]
LABELS = LEVELS * 2


def ordered_by_polars(kind):
    return pl.Series("y", LABELS, dtype=kind)


ARROW = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2] * 2), pa.array(LEVELS), ordered=True)
ORDERED = {
    "pandas": pd.Categorical(LABELS, LEVELS, ordered=True),
    "a pandas series": pd.Series(pd.Categorical(LABELS, LEVELS, ordered=True)),
    "polars": ordered_by_polars(pl.Enum(LEVELS)),
    "arrow": ARROW,
    "numbers": [0, 1, 2] * 2,
    "numbers of pandas": pd.Series([0, 1, 2] * 2, dtype="Int64"),
}
UNORDERED = {
    "text": LABELS,
    "text of pandas": pd.Series(LABELS, dtype="string"),
    "categories of pandas": pd.Categorical(LABELS, LEVELS),
    "categories of polars": ordered_by_polars(pl.Categorical),
    "categories of arrow": pa.array(LABELS).dictionary_encode(),
    "numbers as text": ["1", "2", "10"] * 2,
    "dates": np.array(["2020-01-01", "2020-01-02"] * 3, dtype="datetime64[D]"),
}


@pytest.mark.parametrize("y", ORDERED.values(), ids=ORDERED)
def test_an_order_that_is_there_is_taken(y):
    found = detect_separation(X, y, model="ordinal")
    assert found.model.levels in ((0, 1, 2), tuple(LEVELS))
    make = {pl.Series: pl.DataFrame, pa.DictionaryArray: pa.table}.get(type(y), pd.DataFrame)
    table = make({"x": [row[0] for row in X], "y": y})
    in_a_table = detect_separation("y ~ x", table, model="ordinal")
    assert in_a_table.model.levels == found.model.levels


@pytest.mark.parametrize("y", UNORDERED.values(), ids=UNORDERED)
def test_an_order_is_never_guessed(y):
    with pytest.raises(LabelError, match=r"have no order: list them .* with levels="):
        detect_separation(X, y, model="ordinal")


def test_the_order_changes_the_verdict():
    """What the alphabet would have made of it: the data is separated in the true order only."""
    y = ["low", "low", "medium", "medium", "high", "high"]
    assert detect_separation(X, y, model="ordinal", levels=LEVELS).kind == "complete"
    assert detect_separation(X, y, model="ordinal", levels=sorted(LEVELS)).kind == "none"


@pytest.mark.parametrize("y", [[1, 2] * 3, [-1, 1] * 3, ["control", "case"] * 3, ["0", "1"] * 3])
def test_a_case_is_never_guessed(y):
    strata = [0, 0, 1, 1, 2, 2]
    with pytest.raises(LabelError, match="which label of y is the case"):
        detect_separation(X, y, model="conditional", strata=strata)
    found = detect_separation(X, y, model="conditional", strata=strata, levels=y[:2])
    assert str(found.coefficients["x0"]) == "+∞"
    turned = detect_separation(X, y, model="conditional", strata=strata, levels=y[1::-1])
    assert str(turned.coefficients["x0"]) == "−∞"
    for plain in ([0, 1] * 3, [False, True] * 3, [0.0, 1.0] * 3):
        known = detect_separation(X, plain, model="conditional", strata=strata)
        assert known.coefficients == found.coefficients


FRAME = pd.DataFrame(
    {"x": [1, 2, 3, 4, 5, 6], "s": [0, 0, 1, 1, 2, 2], "ill": ["no", "yes"] * 3, "n": [3] * 6}
).assign(k=[0, 1, 0, 2, 0, 3], dead=[1, 0, 1, 1, 0, 1], case=[0, 1] * 3, g=list("abcabc"))


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ({"y": "ill"}, "ill = 'yes' (against 'no')"),
        ({"y": "ill", "levels": ["yes", "no"]}, "ill = 'no' (against 'yes')"),
        ({"y": "ill", "model": "probit"}, "ill = 'yes' (against 'no')"),
        ({"y": "case", "model": "cloglog"}, "case = 1 (against 0)"),
        ({"y": "k", "model": "binomial", "trials": "n"}, "k (successes out of n)"),
        ({"y": "k", "model": "poisson"}, "k"),
        ({"y": "g", "model": "multinomial"}, "g = 'b', 'c' (against 'a')"),
        ({"y": "g", "model": "ordinal", "levels": list("cab")}, "g, 'c' < 'a' < 'b'"),
        ({"y": "case", "model": "conditional", "strata": "s"}, "case = 1 (against 0)"),
        ({"model": "cox", "time": "x", "event": "dead"}, "x until dead = 1"),
        ({"model": "cox", "time": "x"}, "x until an event, which every row has"),
    ],
)
def test_the_first_line_names_the_outcome(options, outcome):
    found = detect_separation(["n"] if options.get("time") else ["x"], data=FRAME, **options)
    first = str(found).splitlines()[0]
    assert f" of {outcome}: " in first
    document = found.to_dict()
    assert next(iter(document)) == "outcome"
    assert document["outcome"] == outcome


def test_many_levels_are_cut_short():
    many = detect_separation([[k % 3] for k in range(40)], list(range(20)) * 2, model="ordinal")
    assert "of y, 0 < 1 < 2 < 3 < 4 < 5 < … < 19: " in str(many)


MISSING = {
    "float": [0.0, 1.0, np.nan, 0.0, 1.0, 0.0],
    "float32": np.array([0, 1, np.nan, 0, 1, 0], dtype=">f4"),
    "object": [0, 1, None, 0, 1, 0],
    "Int64": pd.Series([0, 1, None, 0, 1, 0], dtype="Int64"),
    "boolean": pd.Series([False, True, None, False, True, False], dtype="boolean"),
    "polars": pl.Series([0, 1, None, 0, 1, 0]),
    "enum": pl.Series(["a", "b", None, "a", "b", "a"], dtype=pl.Enum(["a", "b"])),
}


@pytest.mark.parametrize("y", MISSING.values(), ids=MISSING)
@pytest.mark.parametrize("model", ["logit", "multinomial", "ordinal", "conditional"])
def test_a_missing_label_is_no_class(y, model):
    options = {"strata": [0, 0, 0, 1, 1, 1]} if model == "conditional" else {}
    with pytest.raises(LabelError, match=r"y has missing labels \(the first in row 2\)"):
        detect_separation(X, y, model=model, **options)


def test_a_missing_label_of_a_row_of_weight_0_is_absent_and_rows_keep_their_numbers():
    y = [0.0, np.nan, 1.0, 0.0, np.nan, 1.0]
    found = detect_separation(X, y, weights=[1, 0, 1, 1, 0, 1])
    assert found.model.levels == (0, 1)
    with pytest.raises(LabelError, match="the first in row 4"):
        detect_separation(X, y, weights=[1, 0, 1, 1, 1, 1])


def test_a_missing_stratum_is_no_stratum():
    strata = [0, 0, 1, 1, np.nan, 2]
    with pytest.raises(LabelError, match=r"strata has missing labels .the first in row 4"):
        detect_separation(X, [0, 1] * 3, model="conditional", strata=strata)


@pytest.mark.parametrize("kind", [pl.Enum(["no", "yes"]), pl.Categorical, pl.String])
def test_polars_text_of_every_kind(kind):
    frame = pl.DataFrame({"x": [1.0, 2, 3, 4], "g": ["p", "q", "p", "q"]}).with_columns(
        y=pl.Series(["no", "yes", None, "yes"], dtype=kind), g=pl.col("g").cast(pl.Categorical)
    )
    found = detect_separation("y ~ x + g", frame, drop_missing=True)
    assert found.model.levels == ("no", "yes")
    assert set(found.separated_rows) == {0, 1, 3}
    assert read(frame, label="y", features=["x"], drop_missing=True).rows.tolist() == [0, 1, 3]


def gaps():
    """Row 1 has no x and row 4 no label: rows 2, 3 and 5 are separated by b."""
    return pd.DataFrame(
        {
            "x": [1.0, np.nan, 3.0, 4.0, 5.0, 2.0, 1.0, 1.0],
            "b": [0, 1, 1, 1, 1, 1, 0, 0],
            "y": [0, 1, 1, 1, None, 1, 0, 1],
        }
    )


def test_rows_left_out_are_counted_in_every_number():
    with pytest.raises(DataError, match=r"the first at row 1: .*\(drop_missing, --drop-missing\)"):
        detect_separation("y ~ x + b", gaps())
    found = detect_separation("y ~ x + b", gaps(), drop_missing=True)
    assert found.n == len(found.separated) == 6
    assert found.separated_rows == [2, 3, 5]
    assert found.to_dict()["separated"] == json.loads(found.to_json())["separated"] == [2, 3, 5]
    assert "separated: 3 of 6 rows: 2, 3, 5" in str(found)
    plain = gaps().dropna()
    assert detect_separation("y ~ x + b", plain).coefficients == found.coefficients
    model = sm.Logit.from_formula("y ~ x + b", gaps().astype({"y": float}), missing="drop")
    assert diagnose(model).to_dict()["separated"] == [2, 3, 5]


def test_errors_number_rows_as_the_data_does():
    bad = gaps().assign(y=[0, 1, 1, -1, 2, 1, 0, 0])
    with pytest.raises(DataError, match=r"y is -1\.0 in row 3"):
        detect_separation("y ~ x + b", bad, model="poisson", drop_missing=True)
    counts = gaps().assign(e=[1, 1, 1, 1, 1, 0, 1, 1])
    with pytest.raises(OptionError, match=r"exposure is 0\.0 in row 5"):
        detect_separation("y ~ x + b", counts, model="poisson", exposure="e", drop_missing=True)


def test_where_rows_cannot_be_left_out():
    with pytest.raises(OptionError, match="drop_missing needs the columns of a table"):
        detect_separation(X, [0, 1] * 3, drop_missing=True)
    with pytest.raises(OptionError, match="drop_missing needs weights as the name of a column"):
        detect_separation("y ~ x", gaps(), weights=[1] * 8, drop_missing=True)


def test_rational_numbers_can_be_insisted_on_or_done_without():
    rng = np.random.default_rng(0)
    wide = rng.integers(0, 2, (40, 12)).astype(float)
    y = rng.integers(0, 2, 40)
    for exact in ("auto", True):
        assert detect_separation(wide, y, exact=exact).kind == diagnose(wide, y, exact=exact).kind
    with pytest.raises(OptionError, match="exact must be one of"):
        detect_separation(wide, y, exact="very")
