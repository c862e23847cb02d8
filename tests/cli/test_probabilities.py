"""`fit --calibrate` and `predict --probabilities`: scikit-learn's numbers, out of the file."""

import csv
import io

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from tests.cli.shell import inside

import novikoff
from novikoff.data.write import held_out, write_columns


@pytest.fixture(params=[2, 3])
def data(request, tmp_path):
    import pyarrow as pa

    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 3)).round(3)
    centre = X @ rng.standard_normal((3, request.param)) + 0.5 * rng.standard_normal((300, 1))
    names = np.array(["b", "a", "c"])[: request.param]
    columns = {f"x{j}": X[:, j] for j in range(3)}
    table = pa.table({**columns, "kind": names[centre.argmax(axis=1)]})
    write_columns([table], tmp_path / "d.csv", [table])
    return tmp_path


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("more", [[], ["--positive", "a"]])
def test_the_probabilities_are_those_of_scikit_learn(method, more, data):
    options = ["--label", "kind", "--holdout", "0.4", "--calibrate", method, "--max-iter", "5"]
    done = inside("fit", "d.csv", *options, *more, "--model", "m", folder=data)
    assert f"{method}, fitted to the scores of 120 held-out rows" in done.out
    done = inside("predict", "m", "d.csv", "--probabilities", folder=data)
    rows = list(csv.DictReader(io.StringIO(done.out)))
    table = novikoff.read(data / "d.csv", label="kind", positive="a" if more else None)
    _, test = held_out(table, 0.4)
    unit = novikoff.load(data / "m")
    peer = CalibratedClassifierCV(FrozenEstimator(unit), method=method).fit(test.X, test.targets)
    expected = peer.predict_proba(table.X)
    found = [[float(row[f"probability[{name}]"]) for name in table.classes] for row in rows]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_what_is_missing_is_said(data):
    done = inside("fit", "d.csv", "--label", "kind", "--calibrate", "sigmoid", folder=data)
    assert (done.status, "--holdout" in done.err) == (2, True)
    inside("fit", "d.csv", "--label", "kind", "--max-iter", "2", "--model", "m", folder=data)
    done = inside("predict", "m", "d.csv", "--probabilities", folder=data)
    assert (done.status, "--calibrate" in done.err) == (2, True)
