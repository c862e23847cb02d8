"""The base of a factor has no column, and is named where its rows are responsible."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf

from novikoff import data, detect_separation, diagnose, separate

FRAME = pd.DataFrame(
    {
        "y": [0, 0, 1, 0, 1, 0, 1],
        "dose": [1.5, 2.5, 0.3, 1.7, 2.2, 0.9, 1.0],
        "ward": list("aabbccb"),
        "code": [7, 7, 8, 8, 9, 9, 8],
    }
)


def reasons(found):
    return list(found.explain().reasons)


@pytest.mark.parametrize("model", ["logit", "probit", "cloglog", "poisson", "negative-binomial"])
@pytest.mark.parametrize(
    ("formula", "name"),
    [
        ("y ~ dose + C(ward)", "C(ward) = a"),
        ("y ~ ward + dose", "ward = a"),
        ("y ~ C(code)", "C(code) = 7"),
        ("y ~ C(ward, contr.treatment(base='a')) + dose",
         "C(ward, contr.treatment(base='a')) = a"),
    ],
)  # fmt: skip
def test_the_base_is_named_by_its_level(model, formula, name):
    found = detect_separation(formula, data=FRAME, model=model)
    assert f"where {name}, y is 0 in every row (2 rows)" in reasons(found)


def test_other_levels_are_named_as_before_and_a_mixed_base_is_not():
    found = detect_separation(
        "y ~ dose + C(ward, contr.treatment(base='c'))", data=FRAME, model="logit"
    )
    words = "\n".join(reasons(found))
    assert "where C(ward, contr.treatment(base='c'))[T.a] is 1, y is 0 in every row" in words
    assert "= c," not in words


def test_a_formula_of_statsmodels_names_its_base():
    for formula in ("y ~ dose + C(ward)", "y ~ dose + C(ward, Treatment(reference='a'))"):
        found = diagnose(smf.logit(formula, FRAME))
        assert any(text.endswith(" = a, y is 0 in every row (2 rows)") for text in reasons(found))


def test_dummies_without_such_names_are_a_factor_where_no_row_has_two():
    X = pd.get_dummies(FRAME[["dose", "ward"]], drop_first=True, dtype=float)
    for design in (X, sm.add_constant(X)):
        found = diagnose(design, FRAME["y"])
        assert "where ward_b = ward_c = 0, y is 0 in every row (2 rows)" in reasons(found)
    one = detect_separation([[0.0, 1], [0, 2], [1, 1], [1, 2]], [0, 0, 1, 0], names=["x", "z"])
    assert "where x = 0, y is 0 in every row (2 rows)" in reasons(one)


def test_models_with_more_classes_or_pairs():
    many = FRAME.assign(y=["u", "u", "v", "u", "w", "u", "w"])
    found = reasons(detect_separation("y ~ C(ward)", data=many, model="multinomial"))
    assert {"where C(ward) = a, y is never 'v' (2 rows)",
            "where C(ward) = a, y is never 'w' (2 rows)"} <= set(found)  # fmt: skip
    found = reasons(
        detect_separation("y ~ C(ward)", data=many, model="ordinal", levels=list("uvw"))
    )
    assert "where C(ward) = a, y is 'u' in every row (2 rows)" in found
    trials = FRAME.assign(n=2)
    found = reasons(detect_separation("y ~ C(ward)", data=trials, model="binomial", trials="n"))
    assert "where C(ward) = a, every trial is a failure (2 rows)" in found
    times = FRAME.assign(t=[5, 6, 1, 2, 3, 4, 1])
    found = reasons(detect_separation("~ C(ward)", data=times, model="cox", time="t", event="y"))
    assert "where C(ward) = a, no event happens while others are at risk (2 rows)" in found


@pytest.mark.parametrize("seed", range(40))
def test_exactly_the_pure_levels_are_named(seed):
    """The oracle: a table of counts."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"g": rng.choice(list("abcd"), 12), "h": rng.choice(list("pq"), 12)})
    frame["y"] = rng.integers(0, 2, 12)
    if frame["y"].nunique() < 2:
        return
    found = detect_separation("y ~ C(g) + C(h)", data=frame)
    text = "\n".join(reasons(found))
    for factor in ("g", "h"):
        base = sorted(frame[factor].unique())[0]
        rows = frame.loc[frame[factor] == base, "y"]
        assert (f"where C({factor}) = {base}, " in text) == (rows.nunique() == 1)


def test_a_factor_of_ten_thousand_levels():
    levels = 10_000
    ids = np.r_[np.arange(levels), np.arange(levels)]
    y = np.r_[np.zeros(levels, int), np.ones(levels, int)]
    y[levels] = 0
    frame = pd.DataFrame({"y": y, "id": ids})
    found = detect_separation("y ~ C(id)", data=frame, model="poisson")
    assert "where C(id) = 0, y is 0 in every row (2 rows)" in reasons(found)


def test_explain_names_the_base_of_a_file(tmp_path):
    path = tmp_path / "wards.csv"
    FRAME.to_csv(path, index=False)
    table = data.read(path, label="y", categorical=["ward"], drop=["code"])
    verdict = separate(table.X, table.signs, names=table.names, decimals=table.decimals)
    by_columns = verdict.explain()
    assert [str(cell) for cell in by_columns.cells] == ["ward[b] = ward[c] = 0: all 2 rows are -1"]
