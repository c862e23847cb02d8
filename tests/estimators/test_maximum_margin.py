"""The hard margin against the distance of the hulls, and data without a margin."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff
from novikoff import Interval, MaximumMarginClassifier
from novikoff.errors import LabelError, SeparationError


def margin_of(model, X, y):
    """The least distance of a row to the plane of the model, on its own side."""
    sides = np.where(np.asarray(y) == model.classes_[1], 1.0, -1.0)
    scores = X @ model.coef_[0] + model.intercept_[0]
    return (sides * scores).min() / np.linalg.norm(model.coef_)


def squared_distance(a, b, c):
    """From the point a to the segment from b to c, in rational numbers."""
    along = [Fraction(q - p) for p, q in zip(b, c, strict=True)]
    to = [Fraction(q - p) for p, q in zip(b, a, strict=True)]
    length = sum(v * v for v in along)
    share = sum(u * v for u, v in zip(to, along, strict=True)) / length if length else Fraction(0)
    share = min(Fraction(1), max(Fraction(0), share))
    return sum((u - share * v) ** 2 for u, v in zip(to, along, strict=True))


def squared_margin(X, y, fit_intercept):
    """In the plane: half the distance of the hulls, between a corner and an edge; by definition."""
    below = [tuple(x) for x, label in zip(X, y, strict=True) if not label]
    above = [tuple(x) for x, label in zip(X, y, strict=True) if label]
    if not fit_intercept:  # the distance of the origin from the hull of the rows, signs turned
        both = above + [(-a, -b) for a, b in below]
        return min(squared_distance((0, 0), b, c) for b in both for c in both)
    pairs = [(below, above), (above, below)]
    return min(
        squared_distance(a, b, c) / 4 for mine, other in pairs for a in mine for b in other
        for c in other
    )  # fmt: skip


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_the_margin_is_half_the_distance_of_the_hulls(seed, fit_intercept):
    rng = np.random.default_rng(seed)
    X = rng.integers(-50, 51, (25, 2))
    X = X[X @ [3, -2] != 0]
    y = X @ [3, -2] > (40 if fit_intercept else 0)
    model = MaximumMarginClassifier(fit_intercept=fit_intercept).fit(X, y)
    expected = float(squared_margin(X.tolist(), y, fit_intercept)) ** 0.5
    assert expected in Interval(
        model.margin_.lower * (1 - 1e-15), model.margin_.upper * (1 + 1e-15)
    )
    assert model.margin_.upper == pytest.approx(expected, rel=1e-9)
    assert margin_of(model, X, y) == pytest.approx(expected, rel=1e-9)
    assert (model.predict(X) == y).all()
    assert np.array_equal(model.support_vectors_, X[model.support_])
    assert novikoff.verify(model.certificate_, X, y).valid


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=9),
    st.sampled_from([1.0, 1e-150, 1e150, 3e-7]),
    st.data(),
)
def test_it_fits_exactly_what_is_separable(points, scale, data):
    labels = data.draw(st.lists(st.booleans(), min_size=len(points), max_size=len(points)))
    if len(set(labels)) < 2:
        return
    X = np.array(points) * scale
    verdict = novikoff.separate(X, labels)
    if verdict.word != "separable":
        with pytest.raises(SeparationError, match=verdict.word) as refused:
            MaximumMarginClassifier().fit(X, labels)
        assert refused.value.answer.word == verdict.word
        return
    model = MaximumMarginClassifier().fit(X, labels)
    assert (model.predict(X) == labels).all()
    assert margin_of(model, X, labels) >= model.margin_.lower * (1 - 1e-9)
    exact = novikoff.separate(np.array(points), labels, exact=True).exact_margin_squared
    assert float(exact) ** 0.5 * scale == pytest.approx(model.margin_.middle, rel=1e-9)


def test_breast_cancer_where_a_soft_margin_gives_up():
    X, y = load_breast_cancer(return_X_y=True)
    model = MaximumMarginClassifier().fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.margin_.upper / model.margin_.lower < 1 + 1e-6
    assert margin_of(model, X, y) >= model.margin_.lower * (1 - 1e-6)


def test_names_sparse_rows_and_pipelines():
    data = load_iris(as_frame=True)
    y = data.target_names[data.target]
    X, two = data.data, np.where(y == "setosa", "setosa", "other")
    pipe = make_pipeline(StandardScaler(), MaximumMarginClassifier()).set_output(transform="pandas")
    assert pipe.fit(X, two)[-1].feature_names_in_.tolist() == list(X.columns)
    dense, sparse = MaximumMarginClassifier(), MaximumMarginClassifier()
    dense.fit(X.to_numpy(), two)
    sparse.fit(sp.csr_array(X.to_numpy()), two)
    assert np.allclose(dense.coef_, sparse.coef_)
    assert sp.issparse(sparse.support_vectors_)
    assert (sparse.support_vectors_.toarray() == dense.support_vectors_).all()


def test_without_an_intercept_it_is_the_origin_that_is_in_the_way():
    X, y = [[1.0], [2.0]], [0, 1]
    assert MaximumMarginClassifier().fit(X, y).support_.tolist() == [0, 1]
    with pytest.raises(SeparationError, match=r"no hyperplane through the origin .* rows 0, 1"):
        MaximumMarginClassifier(fit_intercept=False).fit(X, y)


def test_more_than_two_classes_are_told_what_to_do():
    X, y = [[0.0], [1.0], [2.0]], ["a", "b", "c"]
    with pytest.raises(LabelError, match="OneVsOneClassifier"):
        MaximumMarginClassifier().fit(X, y)
    assert OneVsOneClassifier(MaximumMarginClassifier()).fit(X, y).predict(X).tolist() == y


def test_without_time_nothing_is_claimed():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 30))
    with pytest.raises(SeparationError, match="Raise time_limit"):
        MaximumMarginClassifier(time_limit=1e-9).fit(X, X[:, 0] + X[:, 1] > 0.1)


def test_a_saved_model_is_the_same_model(tmp_path):
    X, y = np.array([[0.0, 1.0], [2.0, 0.0], [5.0, 5.0]]), ["a", "b", "b"]
    model = MaximumMarginClassifier().fit(X, y)
    novikoff.save(model, tmp_path / "model.novikoff")
    again = novikoff.load(tmp_path / "model.novikoff")
    assert again.margin_ == model.margin_
    assert again.coef_.tobytes() == model.coef_.tobytes()
    assert again.predict(X).tolist() == y
