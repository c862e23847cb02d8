"""The run as data."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris
from tests.oracles import float_perceptron

import novikoff
from novikoff import Status
from novikoff.errors import FileError, OptionError


def setosa() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_iris(return_X_y=True)
    return X, np.where(y == 0, 1, -1)


def test_one_row_a_mistake():
    X, y = setosa()
    run = novikoff.trace(X, y, eta0=0.1)
    _, mistaken = float_perceptron(X, y, eta=0.1, epochs=run.n_epochs)
    assert run.rows.tolist() == mistaken
    assert run.labels.tolist() == y[mistaken].tolist()
    assert (run.rounds % len(X)).tolist() == mistaken
    assert run.epochs.tolist() == [1 + r // len(X) for r in run.rounds.tolist()]
    for k in range(run.n_mistakes):
        w, b = run.weights_after(k)
        score = sum(Fraction(a) * Fraction(x) for a, x in zip(w, X[mistaken[k]], strict=True))
        assert run.scores[k] == pytest.approx(float(score + Fraction(b)), rel=1e-15)
        w, b = run.weights_after(k + 1)
        assert run.squared_norms[k] == pytest.approx(w @ w + b * b, rel=1e-12)


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random", "worst"])
def test_it_is_the_run_of_the_estimator(order):
    X, y = setosa()
    unit = novikoff.Perceptron(order=order, random_state=3).fit(X, y)
    for storage in (np.asarray, sp.csr_array):
        run = novikoff.trace(storage(X), y, order=order, random_state=3)
        w, b = run.weights_after(run.n_mistakes)
        assert [*w, b] == [*unit.coef_[0], unit.intercept_[0]]
        assert run.status is unit.status_
        assert run.mistakes_per_epoch.tolist() == unit.mistakes_per_epoch_.tolist()


def test_a_reference_separator():
    X, y = setosa()
    verdict = novikoff.separate(X, y)
    run = novikoff.trace(X, y, separator=verdict)
    w_star = np.append(*verdict.reference)
    for k in range(run.n_mistakes):
        w, b = run.weights_after(k + 1)
        assert run.alignments[k] == pytest.approx(np.append(w, b) @ w_star, rel=1e-12)
        cosine = run.alignments[k] / np.linalg.norm(np.append(w, b)) / np.linalg.norm(w_star)
        assert run.cosines[k] == pytest.approx(cosine, rel=1e-12)
    unit = novikoff.Perceptron().fit(X, y)
    assert run.compared_with(unit).cosines[-1] == pytest.approx(1.0)


def test_without_a_reference_there_is_nothing_to_compare():
    run = novikoff.trace(*setosa())
    with pytest.raises(OptionError, match="separator"):
        _ = run.alignments
    with pytest.raises(OptionError, match="from 0 to"):
        run.weights_after(run.n_mistakes + 1)


def test_parquet_there_and_back(tmp_path):
    X, y = setosa()
    run = novikoff.trace(X, y, separator=([1, 1, -1, -1], 0.5), tie="+1")
    run.to_parquet(tmp_path / "run.parquet")
    again = novikoff.read_trace(tmp_path / "run.parquet", X, y)
    assert again.table.equals(run.table)
    assert again.status is run.status
    assert again.weights_after(2)[0].tolist() == run.weights_after(2)[0].tolist()
    with pytest.raises(FileError, match="150 × 4"):
        novikoff.read_trace(tmp_path / "run.parquet", X[45:55], y[45:55])
    (tmp_path / "no.parquet").write_text("hello")
    with pytest.raises(FileError, match="Parquet"):
        novikoff.read_trace(tmp_path / "no.parquet", X, y)


def test_a_long_run_is_arrays_and_not_objects():
    X, y = [[0.1, 0.1], [0.1, 1.1], [1.1, 0.1], [1.1, 1.1]], [-1, 1, 1, -1]
    run = novikoff.trace(X, y, max_iter=60_000)
    assert run.status is Status.REACHED_MAX_ITER
    assert run.n_mistakes == run.mistakes_per_epoch.sum() > 200_000
    assert (np.diff(run.rounds) > 0).all()
    assert run.table.num_rows == run.n_mistakes


@pytest.mark.parametrize("option", [{"max_iter": 0}, {"eta0": -1.0}, {"order": "sideways"}])
def test_options_are_those_of_the_perceptron(option):
    with pytest.raises(OptionError, match=next(iter(option))):
        novikoff.trace([[0.0], [1.0]], [0, 1], **option)
