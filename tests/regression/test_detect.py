"""What `detect_separation` takes, what it refuses, and what it says."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import novikoff
from novikoff import detect_separation
from novikoff.certificates.models.question import signable
from novikoff.data.options import FileLayout, ReadOptions
from novikoff.data.reading import read_source
from novikoff.errors import (
    DataError,
    LabelError,
    MissingDependencyError,
    NotFiniteError,
    NotNumericError,
    OptionError,
    ShapeError,
)
from novikoff.regression.table import take_columns

X = np.array([[-1.0, 2.0], [0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [0.0, 3.0], [0.0, 0.0]])
Y = np.array([0, 0, 1, 1, 0, 1])


def answers(separation):
    return separation.kind, separation.separated.tolist(), list(separation.coefficients.values())


@pytest.mark.parametrize(
    "form",
    [
        X.tolist(),
        X.astype(np.float32),
        X.astype(np.int64),
        sp.csr_array(X),
        sp.coo_array(X),
        pd.DataFrame(X, columns=["a", "b"]),
        pl.DataFrame(X, schema=["a", "b"]),
        np.array([[Fraction(v) for v in row] for row in X.tolist()], dtype=object),
    ],
    ids=["list", "float32", "int", "csr", "coo", "pandas", "polars", "fractions"],
)
@pytest.mark.parametrize("model", ["logit", "poisson", "ordinal"])
def test_every_form_of_the_data_has_the_same_answer(form, model):
    plain = detect_separation(X, Y, model=model)
    found = detect_separation(form, Y, model=model)
    assert answers(found) == answers(plain)
    assert novikoff.verify(found.certificate(), form, Y).valid


def test_a_formula_a_list_of_columns_and_arrays_agree():
    table = pd.DataFrame(X, columns=["a", "b"]).assign(y=Y, w=[1, 1, 0, 1, 2, 1])
    arrays = detect_separation(X, Y, weights=table.w, names=["a", "b"])
    for found in (
        detect_separation("y ~ a + b", table, weights="w"),
        detect_separation("y ~ a + b", data=table, weights="w"),
        detect_separation(["a", "b"], "y", data=table, weights="w"),
        detect_separation("y ~ a + b", pl.from_pandas(table), weights="w"),
    ):
        assert answers(found) == answers(arrays)
        assert list(found.coefficients) == ["(intercept)", "a", "b"]
    assert not arrays.separated[2]
    assert answers(arrays) != answers(detect_separation(X, Y))


def test_offsets_and_exposure_change_nothing_and_are_fitted():
    y = [0, 0, 2, 1, 0, 3]
    plain = detect_separation(X, y, model="poisson")
    with_both = detect_separation(X, y, model="poisson", offset=np.arange(6.0), exposure=[2.0] * 6)
    assert answers(plain) == answers(with_both)
    fits = [found.limit().fit().coefficients for found in (plain, with_both)]
    assert fits[0] != fits[1]


def test_labels_in_an_order_of_their_own():
    y = pd.Series(pd.Categorical(list("lmhlmh"), categories=list("lmh"), ordered=True))
    found = detect_separation(X, y, model="ordinal")
    assert list(found.coefficients)[:2] == ["l/m", "m/h"]
    given = detect_separation(X, list("lmhlmh"), model="ordinal", levels=list("lmh"))
    assert answers(found) == answers(given)
    in_a_table = pd.DataFrame(X, columns=["a", "b"]).assign(y=y)
    assert answers(detect_separation("y ~ a + b", in_a_table, model="ordinal")) == answers(found)


@pytest.mark.parametrize("one", [1, True, 1.0, np.int64(1), "1"])
def test_zeros_and_ones_in_the_order_given(one):
    """The base class is the first one that is listed, whatever the labels are."""
    y, zero = [0, 0, 0, 1, 1, 1], "0" if one == "1" else type(one)(0)
    plain = detect_separation([[1], [2], [3], [4], [5], [6]], y)
    turned = detect_separation([[1], [2], [3], [4], [5], [6]], y, levels=[one, zero])
    assert (plain.model.levels, turned.model.levels) == ((0, 1), (1, 0))
    assert list(plain.coefficients.values()) == ["−∞", "+∞"]
    assert list(turned.coefficients.values()) == ["+∞", "−∞"]
    assert novikoff.verify(turned.certificate(), [[1], [2], [3], [4], [5], [6]], y).valid
    only = detect_separation([[1], [2], [3]], [1, 1, 1], levels=[one, zero])
    assert list(only.coefficients) == ["(intercept)", "x0"]
    assert only.coefficients["x0"] == "not determined"
    assert only.directions[0]["(intercept)"] < 0 or only.directions[0]["x0"] < 0


def test_decimals_are_what_is_written():
    x = np.array([[0.1], [0.2], [0.3], [0.6]])
    differences = {"model": "conditional", "strata": [0, 0, 1, 1]}
    # As written, the case is above by 0.1 and below by 0.3: no separation, with exact differences.
    found = detect_separation(x, [0, 1, 1, 0], decimals=True, **differences)
    assert found.kind == "none"
    assert novikoff.verify(found.certificate(), x, [0, 1, 1, 0], strata=[0, 0, 1, 1]).valid


def test_fractions_are_no_decimals():
    """The float64 next to such a fraction prints as another number, of at most 15 digits."""
    x = np.array([[0], [Fraction(-0.1)], [Fraction(0.5)]], dtype=object)
    found = detect_separation(x, [0, 4, 0], model="poisson", decimals=True)
    assert novikoff.verify(found.certificate(), x, [0, 4, 0]).valid


@pytest.mark.parametrize(
    "least", [2**53, 17 * 10**17, Decimal("0.12345678901234567890"), Fraction(1, 3)]
)
def test_times_that_float64_would_make_equal_are_refused(least):
    step = 1 if isinstance(least, int) else type(least)(10) ** -20
    time = [least + k * step for k in range(1, 5)]
    with pytest.raises(DataError, match=r"time is .* in row .: float64 would round it"):
        detect_separation([[1.0], [0.0], [2.0], [0.5]], model="cox", time=time)
    tenths = [Decimal(k) / 10 for k in range(1, 5)]
    found = detect_separation([[1.0], [0.0], [2.0], [0.5]], model="cox", time=tenths)
    assert found.certificate().n == 3  # none of them is a tie


def test_two_columns_of_counts_are_successes_and_failures():
    counts = np.array([[3, 1], [0, 4], [0, 5]])
    found = detect_separation([[0.0], [1.0], [2.0]], counts, model="binomial")
    assert dict(found.coefficients) == {"(intercept)": "finite", "x0": "−∞"}


def test_not_determined_is_one_line_where_it_is_true_of_all():
    found = detect_separation([[10, 11], [11, 10]], [1, 1], fit_intercept=False)
    assert set(found.coefficients.values()) == {"not determined"}
    assert "all 2 coefficients  not determined" in str(found.explain())


def test_complete_separation_leaves_nothing_to_fit():
    found = detect_separation([[1.0], [2.0]], [0, 1])
    assert found.limit().columns == ()
    with pytest.raises(DataError, match="nothing is left"):
        found.limit().fit()


def test_it_shows_itself():
    found = detect_separation(X, Y, names=["a", "b"])
    assert str(found) == str(found.explain())
    assert found.to_dict()["kind"] == found.kind
    assert "maximum-likelihood" in found._repr_html_()
    assert str(found.certificate()).startswith("certificate: logit")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"model": "ridge"}, OptionError, "model must be one of"),
        ({"model": "binomial"}, OptionError, "needs trials"),
        ({"model": "binomial", "trials": [0] * 6}, DataError, "fewer trials"),
        ({"model": "poisson", "y": -Y}, DataError, "not negative"),
        ({"model": "poisson", "y": ["a"] * 6}, DataError, "must hold numbers"),
        ({"model": "conditional"}, OptionError, "needs strata"),
        ({"model": "conditional", "strata": range(6)}, DataError, "no stratum has both"),
        ({"model": "cox", "y": None, "time": [1] * 6, "event": [2] * 6}, DataError, "event is 2"),
        ({"model": "cox", "y": None, "time": range(1, 7), "event": [0] * 6}, DataError, "at risk"),
        ({"model": "cox", "y": None, "time": [1] * 6, "entry": [1] * 6}, DataError, "entry is 1"),
        ({"model": "cox", "time": [1] * 6}, OptionError, "has no y"),
        ({"model": "cox", "y": None, "time": [1] * 6, "ties": "x"}, OptionError, "ties"),
        ({"y": [0, 1, 2, 0, 1, 2]}, LabelError, "multinomial"),
        ({"y": ["a"] * 6}, LabelError, "one class only"),
        ({"y": [0, 1]}, ShapeError, "6 rows"),
        ({"weights": [0] * 6}, DataError, "All weights are 0"),
        ({"weights": [-1] * 6}, DataError, "negative"),
        ({"model": "multinomial", "y": list("abcabc"), "levels": ["a", "b"]}, LabelError, "'c'"),
        ({"names": ["a"]}, ShapeError, "names"),
        ({"ties": "x"}, OptionError, "ties must be one of"),
        ({"fit_intercept": "no"}, OptionError, "fit_intercept must be True or False"),
        ({"decimals": "x"}, OptionError, "decimals must be True or False"),
        ({"offset": [1, 2]}, ShapeError, "X has 6 rows, but offset has the shape"),
        ({"offset": ["a"] * 6}, NotNumericError, "offset must hold numbers"),
        ({"offset": [0, np.nan] * 3}, NotFiniteError, "offset is nan in row 1"),
        ({"exposure": np.inf}, NotFiniteError, "exposure is inf in row 0"),
    ],
)
def test_bad_input_is_refused_by_name(options, error, message):
    y = options.pop("y", Y)
    with pytest.raises(error, match=message):
        detect_separation(X, y, **options)


@pytest.mark.parametrize("model", ["poisson", "multinomial", "ordinal"])
def test_float16_gives_the_same_answers(model):
    rng = np.random.default_rng(0)
    for _ in range(8):
        half, y = rng.integers(-2, 3, (20, 3)).astype(np.float16), rng.integers(0, 3, 20)
        found, known = (
            detect_separation(given, y, model=model, fit_intercept=False)
            for given in (half, half.astype(np.float64))
        )
        assert answers(found) == answers(known)
        assert novikoff.verify(found.certificate(), half, y).valid


@pytest.mark.parametrize("model", ["logit", "poisson", "multinomial", "ordinal"])
def test_sparse_integers_that_float64_would_round_are_exact(model):
    X = np.array([[2**62, 2**62 + 2], [2**53 + 1, 0], [2**62 + 2, 2**62], [0, 2**53 + 1]])
    y = [0, 0, 1, 1] if model == "logit" else [0, 0, 1, 2]
    sparse, known = (detect_separation(given, y, model=model) for given in (sp.csr_array(X), X))
    assert answers(sparse) == answers(known)
    wide = sp.csr_array(([2**62, 1], ([0, 1], [0, 1])), shape=(4, 1 << 24))
    with pytest.raises(DataError, match="beyond 2"):
        signable(wide)


def test_packages_are_asked_for_by_name(monkeypatch):
    found = detect_separation(X, Y)
    for package in ("statsmodels.api", "firthmodels"):
        monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(MissingDependencyError, match="statsmodels"):
        found.limit().fit()
    with pytest.raises(MissingDependencyError, match="firthmodels"):
        found.firth()


@pytest.mark.parametrize("model", ["logit", "poisson"])
def test_a_level_of_one_class_beside_measurements_is_found_soon(model):
    """Columns of 53 binary digits, and a last one that is 0 in all rows that stay finite."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 12))
    y = (rng.random(500) < 0.5).astype(int)
    rare = np.arange(500) < 4
    y[rare] = 0
    found = novikoff.detect_separation(np.column_stack([X, rare]), y, model=model)
    assert found.kind == "quasi-complete"
    assert found.separated.tolist() == rare.tolist()
    assert str(found.coefficients["x12"]) == "−∞"
    assert [name for name, fate in found.coefficients.items() if str(fate) != "finite"] == ["x12"]


@pytest.mark.parametrize("ties", ["efron", "exact"])
def test_differences_beyond_float64_are_exact(ties):
    X = [[1e300], [-1.7976931348623157e308], [1e308]]
    found = detect_separation(X, model="cox", time=[2, 2, 3], event=[1, 1, 0], ties=ties)
    assert novikoff.verify(found.certificate(), X, time=[2, 2, 3], event=[1, 1, 0])


@pytest.mark.parametrize("weight", [Fraction(1, 10**400), Decimal("1e-400"), -Fraction(1, 10**400)])
def test_a_weight_that_float64_would_make_0_is_refused(weight):
    X, y = [[0], [1], [2], [3]], [0, 1, 0, 1]
    with pytest.raises(DataError, match="in row 1: float64 would round it"):
        novikoff.detect_separation(X, y, weights=[1, weight, 1, 1])
    with pytest.raises(DataError, match="weights must hold numbers"):
        novikoff.detect_separation(X, y, weights=[1, 10**400, 1, 1])


@pytest.mark.parametrize(
    ("column", "cell"),
    [("x", "1.00000000000000000001"), ("x", "9007199254740993"), ("y", "1e-400"),
     ("time", "1.00000000000000000001"), ("weights", "1e-400")],
)  # fmt: skip
def test_a_file_with_numbers_that_float64_would_round_is_refused(column, cell, tmp_path):
    given = {"x": "0123", "y": "0101", "time": "1234", "weights": "1111"}
    cells = {name: [*values] for name, values in given.items()}
    cells[column][1] = cell
    table = [cells, *zip(*cells.values(), strict=True)]
    file = tmp_path / "data.csv"
    file.write_text("".join(",".join(row) + "\n" for row in table))
    parts = {name: name for name in cells if name != "x"}
    with pytest.raises(DataError, match=f"column '{column}' holds {cell} at row 1"):
        take_columns(read_source(str(file), FileLayout()), ReadOptions(), parts)


def test_numbers_as_programs_print_them_are_binary_ones(tmp_path):
    file = tmp_path / "data.csv"
    for cell, decimals in (("0.10000000000000001", False), ("0.1", True)):
        file.write_text(f"x,y\n{cell},0\n0.2,1\n0.3,1\n")
        assert (
            take_columns(read_source(str(file), FileLayout()), ReadOptions(), {"y": "y"}).decimals
            is decimals
        )
