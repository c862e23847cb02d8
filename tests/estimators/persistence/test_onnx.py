"""ONNX models: under onnxruntime they say what our estimators say."""

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from sklearn import datasets
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, OneHotEncoder, StandardScaler

import novikoff
from novikoff.errors import MissingDependencyError, OptionError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

LEARNERS = [
    novikoff.Perceptron(max_iter=20),
    novikoff.Perceptron(max_iter=20, fit_intercept=False, tie="-1"),
    novikoff.PocketPerceptron(max_iter=20, random_state=0),
    novikoff.AveragedPerceptron(max_iter=20),
    novikoff.ReluNetwork(random_state=0, restarts=1, max_iter=20),
]


def predicted(model, X):
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return session.run(["label", "scores"], {"X": np.asarray(X, dtype=np.float64)})


def data(name):
    if name in ("digits", "iris"):
        loaded = getattr(datasets, f"load_{name}")()
        return loaded.data[:300], np.asarray(loaded.target_names)[loaded.target][:300]
    table = novikoff.load_dataset(name)
    return table.X, table.y


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("name", ["xor", "iris-versicolor-virginica", "breast-cancer", "digits"])
def test_labels_and_scores_are_ours(learner, name):
    X, y = data(name)
    learner.fit(X, y)
    labels, scores = predicted(novikoff.to_onnx(learner), X)
    assert labels.tolist() == learner.predict(X).tolist()
    expected = learner.decision_function(X).reshape(len(X), -1)
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["xor", "iris"])
def test_the_plane_of_fewest_errors_is_a_linear_learner_too(name):
    X, y = data(name)
    model = novikoff.FewestErrorsClassifier().fit(X[:, -2:], y)
    labels, scores = predicted(novikoff.to_onnx(model), X[:, -2:])
    assert labels.tolist() == model.predict(X[:, -2:]).tolist()
    assert scores.shape == (len(X), 1 if name == "xor" else 3)


@pytest.mark.parametrize("labels", [[False, True], [-1, 1], [2.0, 7.0], ["no", "yes"]])
def test_labels_keep_their_kind(labels):
    X = [[0.0], [1.0]]
    unit = novikoff.Perceptron().fit(X, labels)
    assert predicted(novikoff.to_onnx(unit), X)[0].tolist() == labels


@pytest.mark.parametrize("tie", ["mistake", "+1", "-1"])
def test_a_score_of_zero_falls_where_the_tie_rule_says(tie):
    unit = novikoff.Perceptron(tie=tie).fit([[0.0], [1.0]], ["low", "high"])
    unit.coef_, unit.intercept_ = np.array([[2.0]]), np.array([-1.0])
    assert unit.decision_function([[0.5]]) == [0.0]
    assert predicted(novikoff.to_onnx(unit), [[0.5]])[0].tolist() == unit.predict([[0.5]]).tolist()


def test_rounding_does_not_change_the_side():
    """Rows that cancel to the last bits: the plain product of float64 numbers gets many wrong."""
    rng = np.random.default_rng(0)
    d = 12
    w = rng.normal(size=d)
    X = rng.normal(size=(500, d))
    # The last entry makes each score as small as rounding allows.
    X[:, -1] = -(X[:, :-1] @ w[:-1]) / w[-1]
    unit = novikoff.Perceptron().fit([[0.0] * d, [1.0] * d], [-1, 1])
    unit.coef_, unit.intercept_ = w[np.newaxis], np.zeros(1)
    ours = unit.predict(X)
    assert np.count_nonzero(np.where(X @ w >= 0, 1, -1) != ours) > 20
    assert predicted(novikoff.to_onnx(unit), X)[0].tolist() == ours.tolist()


def test_numbers_too_large_to_be_halved_are_scored_all_the_same():
    unit = novikoff.Perceptron().fit([[0.0], [1.0]], [-1, 1])
    labels, _ = predicted(novikoff.to_onnx(unit), [[1e300], [-1e300]])
    assert labels.tolist() == unit.predict([[1e300], [-1e300]]).tolist()


def test_what_cannot_be_exported_says_so():
    X, y = data("xor")
    with pytest.raises(OptionError, match="VotedPerceptron cannot become an ONNX model"):
        novikoff.to_onnx(novikoff.VotedPerceptron(max_iter=3).fit(X, y))
    with pytest.raises(OptionError, match="a PCA cannot become ONNX"):
        novikoff.to_onnx(make_pipeline(PCA(), novikoff.Perceptron()).fit(X, y))


def test_without_the_package_the_way_to_get_it_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    unit = novikoff.Perceptron().fit([[0.0], [1.0]], [-1, 1])
    with pytest.raises(MissingDependencyError, match=r"novikoff\[onnx\]"):
        novikoff.to_onnx(unit)


def messy(n=600):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "a": rng.standard_normal(n),
            "town": rng.choice(["Rome", "Oslo", "Lima"], n),
            "b": 1e6 * rng.standard_normal(n),
            "zone": rng.integers(0, 4, n),
        }
    )
    frame.loc[::7, "a"] = np.nan
    return frame, np.where(frame.b / 1e6 + (frame.town == "Rome") > frame.a.fillna(0), "y", "n")


NUMBERS = [
    make_pipeline(SimpleImputer(), StandardScaler()),
    make_pipeline(SimpleImputer(strategy="median"), MinMaxScaler(), StandardScaler(with_std=False)),
    make_pipeline(SimpleImputer(strategy="constant", fill_value=-1.0), MaxAbsScaler()),
]


def session_of(model):
    return onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("numbers", NUMBERS, ids=range(3))
def test_the_labels_of_a_pipeline_of_mixed_columns(numbers, dtype):
    frame, y = messy()
    frame = frame.astype({"a": dtype, "b": dtype}).astype({"a": float, "b": float})
    steps = make_column_transformer(
        (numbers, ["a", "b"]),
        (OneHotEncoder(handle_unknown="ignore"), ["town"]),
        (OneHotEncoder(drop="first"), ["zone"]),
        sparse_threshold=0,
    )
    pipeline = make_pipeline(steps, novikoff.AveragedPerceptron(max_iter=5)).fit(frame, y)
    frame.loc[0, "town"] = "Ulm"  # unknown: zero in all columns
    feed = {name: frame[[name]].to_numpy().astype(dtype) for name in ("a", "b", "zone")}
    feed["town"] = frame[["town"]].to_numpy().astype(object)
    model = novikoff.to_onnx(pipeline, dtype=dtype)
    labels, scores = session_of(model).run(["label", "scores"], feed)
    assert labels.tolist() == pipeline.predict(frame).tolist()
    np.testing.assert_allclose(scores[:, 0], pipeline.decision_function(frame), rtol=1e-9)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_labels_of_a_pipeline_of_numbers(dtype):
    frame, y = messy()
    X = frame[["a", "b", "zone"]].to_numpy().astype(dtype)
    for unit in (novikoff.Perceptron(max_iter=5), novikoff.ReluNetwork(random_state=0, max_iter=5)):
        pipeline = make_pipeline(SimpleImputer(), StandardScaler(), unit).fit(X.astype(float), y)
        model = novikoff.to_onnx(pipeline, dtype=dtype)
        (labels,) = session_of(model).run(["label"], {"X": X})
        assert labels.tolist() == pipeline.predict(X.astype(float)).tolist()
