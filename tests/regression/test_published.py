"""Answers that others published, on their own data."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import novikoff

CASES = Path(__file__).parents[1] / "cases"
POISSON = sorted((CASES / "poisson_separation").glob("*.csv"))


def case(name):
    return pd.read_csv(CASES / "separation" / f"{name}.csv")


def infinite(separation):
    return {n: str(e) for n, e in separation.coefficients.items() if e != "finite"}


@pytest.mark.parametrize("path", POISSON, ids=lambda path: path.stem)
def test_poisson_row_by_row(path):
    table = pd.read_csv(path)
    columns = [name for name in table.columns if name.startswith("x")]
    columns += [f"C({name})" for name in table.columns if name.startswith("id")]
    formula = f"y ~ {' + '.join(columns)}"
    found = novikoff.detect_separation(formula, table, model="poisson", decimals=True)
    assert found.separated.tolist() == table.separated.astype(bool).tolist()
    assert (found.kind == "none") == (table.separated.sum() == 0)
    same = novikoff.detect_separation(
        formula, table.assign(e=2.0), model="negative-binomial", exposure="e", decimals=True
    )
    assert same.coefficients == found.coefficients


def test_what_ppmlhdfe_estimates():
    """The first example of its guide: only ppmlhdfe converges, to b[x3] = 0.066."""
    table = pd.DataFrame(
        {
            "y": [0, 0, 0, 0, 0, 2, 3, 5, 7, 10],
            "x1": [0, 0, 0, 0, 1, 21, 0, 0, 0, -18],
            "x2": [1, 0, 0, 0, 9, 21, 0, 0, 0, -18],
            "x3": [0, 0, 0, 0, 0, 21, 0, 0, 0, 0],
        }
    )
    found = novikoff.detect_separation("y ~ x1 + x2 + x3", table, model="poisson")
    assert np.flatnonzero(found.separated).tolist() == [0, 4]
    assert infinite(found) == {"x1": "+∞", "x2": "−∞"}
    fit = found.limit().fit()
    assert fit.coefficients["x3"] == pytest.approx(0.066, abs=5e-4)
    assert np.isinf([fit.coefficients["x1"], fit.coefficients["x2"]]).all()


def test_the_second_example_of_ppmlhdfe():
    table = pd.DataFrame(
        {
            "y": [0, 0, 0, 0, 0, 2, 2, 2, 2, 4, 6, 6],
            "x1": [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -3, 0],
            "x2": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 0],
            "x3": [2, 0, 0, 4, 0, 0, 0, -2, 0, -3, 0, 0],
            "x4": [10, -2, 6, 5, 3, 3, 4, 15, -7, 15, 4, 4],
        }
    )
    found = novikoff.detect_separation("y ~ x1 + x2 + x3 + x4", table, model="poisson")
    assert np.flatnonzero(found.separated).tolist() == [4]
    fit = found.limit().fit()
    assert fit.coefficients["(intercept)"] == pytest.approx(0.59095, abs=5e-6)


@pytest.mark.parametrize("model", ["logit", "probit", "cloglog"])
def test_endometrial(model):
    found = novikoff.detect_separation("HG ~ NV + PI + EH", case("endometrial"), model=model)
    assert found.kind == "quasi-complete"
    assert infinite(found) == {"NV": "+∞"}


def test_silvapulle():
    found = novikoff.detect_separation("y ~ ghqs", case("silvapulle1981"))
    assert infinite(found) == {"(intercept)": "−∞", "ghqs": "+∞"}


def test_lizards():
    table = case("lizards").assign(all=lambda f: f.grahami + f.opalinus)
    formula = "grahami ~ height + diameter + light + time"
    found = novikoff.detect_separation(formula, table, model="binomial", trials="all")
    assert (found.kind, infinite(found)) == ("none", {})


FOODS = ["Fish", "Invertebrate", "Reptile", "Bird", "Other"]


def test_alligators():
    table = case("alligators")
    table["lake"] = pd.Categorical(table.lake, ["George", "Hancock", "Oklawaha", "Trafford"])
    table["sparse"] = (table.freq / 3).round()
    options = {"model": "multinomial", "levels": FOODS}
    formula = "foodchoice ~ size + C(lake, contr.treatment('George'))"
    full = novikoff.detect_separation(formula, table, weights="freq", **options)
    assert (full.kind, infinite(full)) == ("none", {})
    sparse = novikoff.detect_separation(formula, table, weights="sparse", **options)
    lake = "C(lake, contr.treatment('George'))[T.{}]".format
    assert sparse.kind == "quasi-complete"
    assert infinite(sparse) == {
        "Reptile: (intercept)": "−∞",
        **{f"Reptile: {lake(name)}": "+∞" for name in ("Hancock", "Oklawaha", "Trafford")},
        # The vignette's text says Hancock, judging by standard errors; but two of these birds were
        # eaten in Hancock, and none in Oklawaha.
        f"Bird: {lake('Oklawaha')}": "−∞",
    }
    birds = table[table.foodchoice == "Bird"].groupby("lake", observed=True).sparse.sum()
    assert birds.to_dict() == {"George": 1, "Hancock": 2, "Oklawaha": 0, "Trafford": 1}


def test_hepatitis():
    table = case("hepatitis")
    table["type"] = np.select([table.HCV == 1, table.nonABC == 1], ["C", "nonABC"], "none")
    found = novikoff.detect_separation(
        "type ~ group * time",
        table,
        model="multinomial",
        weights="counts",
        levels=["none", "C", "nonABC"],
    )
    assert found.kind == "quasi-complete"
    # Blood that was withheld before the test never gave hepatitis C: a cell of the interaction.
    assert infinite(found) == {"C: group[T.withhold]:time[T.pre]": "−∞"}


def test_stem_cells():
    table = case("stemcell")
    order = ["definitely", "probably", "probably not", "definitely not"]
    assert set(table.research) == set(order)
    found = novikoff.detect_separation(
        "research ~ religion + gender", table, model="ordinal", weights="frequency", levels=order
    )
    assert (found.kind, infinite(found)) == ("none", {})


def test_a_trial_in_five_centres():
    """Agresti: two centres without a success; the drug's effect comes from the others."""
    table = case("fungal").assign(n=lambda f: f.success + f.failure)
    found = novikoff.detect_separation(
        "success ~ 0 + C(centre) + treatment", table, model="binomial", trials="n"
    )
    assert infinite(found) == {"C(centre)[1]": "−∞", "C(centre)[3]": "−∞"}
    fit = found.limit().fit()
    assert fit.coefficients["treatment[T.placebo]"] == pytest.approx(-1.546, abs=5e-4)
    assert fit.standard_errors["treatment[T.placebo]"] == pytest.approx(0.7017, abs=5e-5)


def test_wine():
    """The first model of the tutorial of R's ordinal."""
    found = novikoff.detect_separation("rating ~ contact + temp", case("wine"), model="ordinal")
    assert (found.kind, infinite(found)) == ("none", {})
    fit = found.limit().fit()
    printed = {"contact[T.yes]": (1.528, 0.477), "temp[T.warm]": (2.503, 0.529)}
    for name, (value, error) in printed.items():
        assert fit.coefficients[name] == pytest.approx(value, abs=5e-4)
        assert fit.standard_errors[name] == pytest.approx(error, abs=5e-4)
    assert fit.result.llf == pytest.approx(-86.49, abs=5e-3)


def test_what_glm_prints_of_the_finite_part():
    """The standard errors in the vignette of R's detectseparation, but that of NV."""
    fit = novikoff.detect_separation("HG ~ NV + PI + EH", case("endometrial")).limit().fit()
    printed = {
        "(intercept)": (4.30452, 1.63730),
        "PI": (-0.04218, 0.04433),
        "EH": (-2.90261, 0.84555),
    }
    for name, (value, error) in printed.items():
        assert fit.coefficients[name] == pytest.approx(value, abs=5e-6)
        assert fit.standard_errors[name] == pytest.approx(error, abs=5e-6)


def test_infert():
    table = case("infert")
    found = novikoff.detect_separation(
        "case ~ spontaneous + induced + age", table, model="conditional", strata="stratum"
    )
    assert infinite(found) == {"age": "aliased"}  # matched, so it is the same in every stratum
    fit = found.limit().fit()
    assert fit.coefficients["spontaneous"] == pytest.approx(1.9859, abs=5e-5)
    assert fit.coefficients["induced"] == pytest.approx(1.4090, abs=5e-5)


def test_breast():
    table = case("breast")
    found = novikoff.detect_separation(
        ["T", "N", "G", "CD"], data=table, model="cox", time="TIME", event="CENS"
    )
    assert (found.kind, infinite(found)) == ("quasi-complete", {"G": "+∞"})
    fit = found.firth()
    assert np.isfinite(fit.coef_).all()


def test_the_examples_of_coxphf():
    monotone = novikoff.detect_separation(
        [[1], [1], [0]], model="cox", time=[1, 2, 3], event=[1, 1, 1]
    )
    assert dict(monotone.coefficients) == {"x0": "+∞"}
    late = novikoff.detect_separation(
        [[1], [0], [0], [1], [0], [1], [1], [1], [0], [0]],
        model="cox",
        entry=[1, 2, 5, 2, 1, 7, 3, 4, 8, 8],
        time=[2, 3, 6, 7, 8, 9, 9, 9, 14, 17],
        event=[1, 1, 1, 1, 1, 1, 1, 0, 0, 0],
    )
    assert late.kind == "none"
