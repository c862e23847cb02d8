"""Any number of fixed effects, slopes and weights: answers as in rational numbers."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from typer.testing import CliRunner

import novikoff
from novikoff import data
from novikoff.certificates.span import span_reason
from novikoff.cli.main import app
from novikoff.errors import OptionError
from novikoff.exact.reading import ExactMatrix
from novikoff.regression import coefficients


def draw(seed):
    """A design of up to four factors, slopes by one, a covariate and a rare dummy."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 50))
    blocks = [rng.integers(-2, 3, (n, seed % 3))]
    for k in range(int(rng.integers(1, 5))):
        codes = rng.integers(0, rng.integers(2, 7), n)
        dummies = (codes[:, None] == np.arange(codes.max() + 1)).astype(float)
        blocks.append(dummies[:, seed % 2 :])
        if k == 0 and seed % 5 == 0:
            blocks.append(dummies * rng.integers(-3, 4, (n, 1)))
    rare = np.zeros((n, 1))
    rare[rng.integers(0, n, 2)] = 1
    X = sp.csr_array(np.hstack([*blocks, rare]).astype(float))
    model = ("poisson", "logit", "negative-binomial", "cloglog")[seed % 4]
    counts = model in ("poisson", "negative-binomial")
    y = rng.poisson(rng.choice([0.4, 1.5]), n) if counts else rng.integers(0, 2, n)
    weights = rng.integers(0, 3, n) if seed % 7 == 0 else np.ones(n)
    return X, y, model, weights


@pytest.mark.parametrize("seed", range(80))
def test_as_the_engine_in_rational_numbers(seed, monkeypatch):
    X, y, model, weights = draw(seed)
    plain = novikoff.detect_separation(X, y, model=model, weights=weights, exact=True)
    monkeypatch.setattr(coefficients, "MANY", 0)
    monkeypatch.setattr(coefficients, "fixed_effects", None)
    monkeypatch.setattr(coefficients, "decided", None)  # nobody else is asked
    found = novikoff.detect_separation(X, y, model=model, weights=weights)
    assert found.kind == plain.kind
    assert found.separated.tolist() == plain.separated.tolist()
    assert (found.finding.on_plane == np.sort(plain.finding.on_plane)).all()
    assert found.coefficients == plain.coefficients
    assert found.limit().columns == plain.limit().columns
    assert novikoff.verify(found.certificate(), X, y, weights=weights).valid
    # The rows of the certificate prove that no direction moves any other row on the plane.
    on = found.finding.on_plane
    if len(on):
        reading = ExactMatrix(sp.csr_array(found.question.rows[on]), False)
        places = np.searchsorted(on, found.finding.rows)
        assert span_reason(reading, places.tolist(), False) is None


def gravity(size, years=5):
    """Counts of trade between countries: exporter-year, importer-year and pair."""
    rng = np.random.default_rng(7)
    e, i, t = (a.ravel() for a in np.indices((size, size, years)))
    e, i, t = (a[e != i] for a in (e, i, t))
    pair = rng.normal(size=(size, size)) * 1.5
    rta = (t >= rng.integers(0, 2 * years, (size, size))[e, i]).astype(int)
    sizes = rng.normal(size=(2, size))
    y = rng.poisson(np.exp(sizes[0, e] + sizes[1, i] + pair[e, i] - 1 + 0.3 * rta))
    frame = pd.DataFrame({"y": y, "rta": rta, "exporter": e, "importer": i, "year": t})
    return frame.assign(pair=[f"{a}-{b}" for a, b in zip(e, i, strict=True)])


THREE_WAY = "y ~ rta | exporter^year + importer^year + pair"


def test_a_formula_with_three_fixed_effects():
    frame = gravity(14)
    found = novikoff.detect_separation(THREE_WAY, frame, model="poisson", signs=False)
    assert found.kind == "quasi-complete"
    # A level that never counts anything is separated with its rows.
    never = pd.Series(False, index=frame.index)
    for columns in (["exporter", "year"], ["importer", "year"], ["pair"]):
        never |= frame.groupby(columns).y.transform("sum") == 0
    assert found.separated[never].all()
    delta = {name: float(value) for name, value in found.directions[0].items()}
    eta = frame.rta * delta.get("rta", 0)
    for a in ("exporter", "importer"):
        names = "^".join([a, "year"]) + "[" + frame[a].astype(str) + "^" + frame.year.astype(str)
        eta = eta + (names + "]").map(delta).fillna(0)
    eta = eta + ("pair[" + frame.pair + "]").map(delta).fillna(0)
    assert (eta[frame.y > 0] == 0).all()
    assert (eta <= 0).all()
    assert ((eta < 0) == found.separated).all()
    assert set(map(str, found.coefficients.values())) <= {"undecided", "aliased"}


def test_slopes_by_group_are_columns():
    frame = gravity(6)
    both = novikoff.detect_separation("y ~ 1 | year[rta]", frame, model="poisson")
    alone = novikoff.detect_separation("y ~ 1 | year[[rta]]", frame, model="poisson")
    slopes = [f"year[{t}]:rta" for t in range(5)]
    assert list(alone.coefficients) == ["(intercept)", *slopes]
    assert list(both.coefficients) == [f"year[{t}]" for t in range(5)] + slopes


def test_slopes_alone_keep_the_constant():
    frame = gravity(6)
    here = ["rta", "year"]
    slopes = pd.get_dummies(frame.year).mul(frame.rta, axis=0).astype(float)
    names = [f"year[{t}]:rta" for t in range(5)]
    by_hand = novikoff.detect_separation(
        slopes.to_numpy(), frame.y, model="poisson", fit_intercept=True, names=names
    )
    found = novikoff.detect_separation("y ~ 1 | year[[rta]]", frame[["y", *here]], model="poisson")
    assert found.coefficients == by_hand.coefficients
    without = novikoff.detect_separation("y ~ 0 | year[[rta]]", frame, model="poisson")
    assert list(without.coefficients) == names


def test_names_in_backticks_may_hold_anything():
    frame = gravity(6)
    odd = {"exporter": "from a+b", "importer": "to | it", "rta": "r t"}
    plain = novikoff.detect_separation(
        "y ~ 1 | exporter^year + importer[rta]", frame, model="poisson"
    )
    formula = "y ~ 1 | `from a+b` ^ year + `to | it`[`r t`]"
    found = novikoff.detect_separation(formula, frame.rename(columns=odd), model="poisson")
    assert [*found.coefficients.values()] == [*plain.coefficients.values()]
    assert {"from a+b^year[0^1]", "to | it[0]:r t"} <= {*found.coefficients}


def test_the_command_line_takes_the_bar(tmp_path):
    gravity(6).to_csv(tmp_path / "trade.csv", index=False)
    arguments = ["--model", "poisson", "--formula", THREE_WAY, "--json"]
    result = CliRunner().invoke(app, ["diagnose", str(tmp_path / "trade.csv"), *arguments])
    assert '"kind": "quasi-complete"' in result.output
    assert "pair[0-1]" in result.output


@pytest.mark.parametrize("kind", ["csv", "parquet", "dask"])
@pytest.mark.parametrize(
    ("model", "formula"),
    [
        ("poisson", THREE_WAY),
        ("logit", "late ~ rta | name[year] + importer"),
        ("cloglog", "late ~ year | name^importer"),
    ],
)
def test_a_scan_and_a_dask_frame_have_the_answer_of_one_memory(folder, kind, model, formula):
    frame = gravity(8)
    frame = frame.assign(
        late=(frame.y > 1) * 1, name="f" + frame.exporter.astype(str), w=np.arange(len(frame)) % 3
    )
    here = novikoff.detect_separation(formula, frame, model=model, weights="w")
    assert here.kind == "quasi-complete"
    source = folder / f"rows.{kind}"
    if kind == "csv":
        frame.to_csv(source, index=False)
    elif kind == "parquet":
        frame.to_parquet(source)
    else:
        source = pytest.importorskip("dask.dataframe").from_pandas(frame, npartitions=3)
    rows = data.scan(source, formula=formula, weights="w", batch_rows=100, cache=False)
    there = novikoff.detect_separation(rows, model=model)
    if kind == "dask":
        there = novikoff.detect_separation(formula, source, model=model, weights="w")
    assert (there.kind, there.coefficients) == (here.kind, here.coefficients)
    assert there.separated_rows == np.flatnonzero(here.separated[frame.w > 0]).tolist()
    proof = there.certificate()
    assert novikoff.verify(proof, rows).valid
    assert not novikoff.verify(proof, data.scan(source, formula=formula, cache=False)).valid


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("y ~ rta | exporter | importer", "one | after the columns"),
        ("y ~ rta | exporter:year", "not a fixed effect"),
        ("y ~ rta | year[[rta]", "not a fixed effect"),
        ("Surv(y, rta) ~ year", "time= and event="),
        ("cbind(y, rta) ~ year", "trials="),
        ("y ~ rta + offset(year)", "offset="),
        ("y ~ i.year##c.rta", "firm[x]"),
        ("y ~ i(year, rta)", "firm[[x]]"),
        ("y ~ rta | y", "right of the ~"),
    ],
)
def test_what_a_formula_cannot_say_is_named(formula, message):
    with pytest.raises(OptionError) as caught:
        novikoff.detect_separation(formula, gravity(4), model="poisson")
    assert message in str(caught.value)


def test_three_factors_of_many_levels_are_decided():
    frame = gravity(40, years=10)
    found = novikoff.detect_separation(THREE_WAY, frame, model="poisson", signs=False)
    assert found.kind == "quasi-complete"
    X, names = found.regression.X, found.model.features
    assert X.shape[1] == len(names) > 2000
    proof = found.certificate()
    assert novikoff.verify(proof, X, frame.y.to_numpy()).valid
    changed = frame.y.to_numpy().copy()
    changed[np.flatnonzero(found.separated)[0]] = 1
    assert not novikoff.verify(proof, X, changed).valid


@pytest.mark.parametrize("model", ["multinomial", "ordinal", "conditional", "cox", "binomial"])
@pytest.mark.parametrize("sparse", [False, True])
def test_equal_rows_are_asked_about_once(model, sparse, monkeypatch):
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 2, (200, 3)), rng.integers(0, 3, 200)
    X[y == 2, 0] = 1
    parts = {
        "binomial": {"y": np.minimum(y, 1), "trials": 1 + X[:, 0]},
        "conditional": {"y": y > 1, "strata": X[:, 1]},
        "cox": {"time": y, "event": X[:, 2] > 0},
    }.get(model, {"y": y})
    asked = []
    engine = coefficients.decided

    def decided(rows, *options):
        asked.append(rows.toarray() if sp.issparse(rows) else rows)
        return engine(rows, *options)

    monkeypatch.setattr(coefficients, "decided", decided)
    monkeypatch.setattr(coefficients, "FEW", 0)
    matrix = sp.csr_array(X.astype(float)) if sparse else X
    found = novikoff.detect_separation(matrix, model=model, **parts)
    (rows,) = asked
    assert len(np.unique(rows, axis=0)) == len(rows) < 60
    monkeypatch.setattr(coefficients, "SAMPLED", 1)  # no equal rows are seen
    every = novikoff.detect_separation(matrix, model=model, **parts)
    assert len(asked[1]) > len(rows)
    assert (found.kind, found.coefficients) == (every.kind, every.coefficients)
    assert found.separated_rows == every.separated_rows
    assert novikoff.verify(found.certificate(), matrix, **parts).valid
