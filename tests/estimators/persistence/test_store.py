"""Models in files: what is saved is what is loaded, and nothing in a file can run."""

import json
import pickle
import zipfile
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from novikoff.data.datasets import load_dataset
from novikoff.errors import FileError, OptionError
from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.estimators.network import ReluNetwork
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.persistence.store import load, load_model, save
from novikoff.estimators.persistence.values import decode, encode
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.estimators.voted import VotedPerceptron


def fitted(name="and", **options):
    table = load_dataset(name)
    return table, Perceptron(**options).fit(table.X, table.y)


def same(one, other):
    """Whether two values are equal, to the last bit and type."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.random.RandomState):
        return same(one.get_state(), other.get_state())
    return type(one) is type(other) and one == other


@pytest.mark.parametrize("name", ["and", "xor", "iris-setosa-versicolor"])
@pytest.mark.parametrize("arithmetic", ["float64", "exact"])
def test_everything_comes_back(tmp_path, name, arithmetic):
    table, estimator = fitted(
        name, arithmetic=arithmetic, order="cyclic", random_state=7, class_weight={}
    )
    save(estimator, tmp_path / "m", about={"label": "y"})
    model = load_model(tmp_path / "m")
    assert model.about == {"label": "y"}
    for key, value in vars(estimator).items():
        assert same(value, getattr(model.estimator, key)), key
    assert np.array_equal(model.estimator.predict(table.X), estimator.predict(table.X))


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(
    "estimator",
    [
        AveragedPerceptron(max_iter=3),
        AveragedPerceptron(max_iter=3, arithmetic="exact"),
        AveragedPerceptron(max_iter=3, multi_class="joint"),
        KernelPerceptron(max_iter=3),
        KernelPerceptron(max_iter=3, budget=5),
        PocketPerceptron(max_iter=3, random_state=0),
        ReluNetwork(hidden=2, restarts=1, random_state=0),
        VotedPerceptron(max_iter=3),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_every_estimator_scores_the_same_and_goes_on_the_same(tmp_path, estimator, sparse):
    table = load_dataset("iris").part(np.arange(0, 150, 5))
    X = sp.csr_array(table.X) if sparse else table.X
    estimator = clone(estimator).fit(X, table.y)
    save(estimator, tmp_path / "m")
    again = load(tmp_path / "m")
    assert np.array_equal(again.decision_function(X), estimator.decision_function(X))
    if isinstance(estimator, ReluNetwork | PocketPerceptron):  # these learn whole, or not at all
        return
    for learner in (estimator, again):
        learner.partial_fit(X, table.y)
    assert np.array_equal(again.decision_function(X), estimator.decision_function(X))


def test_it_goes_on_learning_where_it_was(tmp_path):
    table = load_dataset("iris-setosa-versicolor")
    estimator = Perceptron(order="shuffled", random_state=1)
    estimator.partial_fit(table.X, table.y, classes=np.unique(table.y))
    save(estimator, tmp_path / "m")
    again = load(tmp_path / "m")
    for learner in (estimator, again):
        learner.partial_fit(table.X, table.y)
    assert np.array_equal(again.coef_, estimator.coef_)
    assert again.n_mistakes_ == estimator.n_mistakes_


def test_the_same_model_is_the_same_file(tmp_path):
    _, estimator = fitted(random_state=0)
    save(estimator, tmp_path / "a")
    save(load(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_what_cannot_be_saved(tmp_path):
    with pytest.raises(OptionError, match="not fitted"):
        save(Perceptron(), tmp_path / "m")
    with pytest.raises(OptionError, match="only novikoff's"):
        save(LogisticRegression(), tmp_path / "m")
    _, estimator = fitted()
    with pytest.raises(FileError, match=r"class_weight is a function.*may be code"):
        save(estimator.set_params(class_weight=lambda: 1), tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def rewritten(path, change):
    """The model file with its JSON changed."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    content = json.loads(members["model.json"])
    change(content)
    members["model.json"] = json.dumps(content).encode()
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(format="x"), "not a novikoff model"),
        (lambda c: c.update(version=2), "version 2"),
        (lambda c: c.update(estimator="os.system"), "unknown kind 'os.system'"),
        (lambda c: c["options"].update(evil=1), "no option 'evil'"),
        (lambda c: c["state"].update(predict=1), "'predict' cannot be part"),
        (lambda c: c["state"].update(__class__="x"), "'__class__' cannot be part"),
        (lambda c: c["state"].update(w={"array": "a99"}), "'a99' is missing"),
        (lambda c: c["state"].update(w={"pickle": "gASV"}), "unknown kind 'pickle'"),
        (lambda c: c["state"].update(w={"objects": {"shape": [2]}}), "not a whole"),
        (lambda c: c["state"].update(w=[1]), "bare list"),
        (lambda c: c["state"].update(w={"record": {"name": "Popen", "fields": {}}}), "'Popen'"),
        (lambda c: c["state"].update(status_={"status": "FINE"}), "not a whole"),
        (lambda c: c.pop("options"), "not a whole"),
        (lambda c: c.pop("state"), "which the model does not name"),
    ],
)
def test_a_changed_file_is_refused(tmp_path, change, message):
    _, estimator = fitted()
    save(estimator, tmp_path / "m")
    rewritten(tmp_path / "m", change)
    with pytest.raises(FileError, match=message):
        load(tmp_path / "m")


def test_a_pickle_is_never_opened(tmp_path):
    class Bomb:
        def __reduce__(self):
            return (pytest.fail, ("a pickle was opened",))

    (tmp_path / "m").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(FileError, match="not a whole novikoff model"):
        load(tmp_path / "m")
    _, estimator = fitted()
    save(estimator, tmp_path / "m")
    array = np.array([Bomb()], dtype=object)
    with zipfile.ZipFile(tmp_path / "m", "a") as file, file.open("a77.npy", "w") as member:
        np.lib.format.write_array(member, array, allow_pickle=True)
    with pytest.raises(FileError, match=r"'a77.npy', which the model does not name"):
        load(tmp_path / "m")


def test_every_cut_is_noticed(tmp_path):
    _, estimator = fitted()
    save(estimator, tmp_path / "m")
    whole = (tmp_path / "m").read_bytes()
    for size in range(0, len(whole), 97):
        (tmp_path / "cut").write_bytes(whole[:size])
        with pytest.raises(FileError, match="cut: "):
            load(tmp_path / "cut")


def test_no_file_and_a_directory(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        load(tmp_path / "m")
    with pytest.raises(FileError, match="cannot be read"):
        load(tmp_path)
    with pytest.raises(FileError, match="cannot be written"):
        save(fitted()[1], tmp_path / "no" / "m")


def test_an_unfitted_copy_of_a_loaded_one(tmp_path):
    _, estimator = fitted(eta0=0.5)
    save(estimator, tmp_path / "m")
    copy = clone(load(tmp_path / "m"))
    assert copy.eta0 == 0.5
    with pytest.raises(NotFittedError):
        copy.predict([[0, 0]])


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.fractions(),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(deadline=None, max_examples=100)
@given(VALUES)
def test_values_survive_json(value):
    arrays = {}
    text = json.dumps(encode(value, arrays, "value"))
    assert same(decode(json.loads(text), arrays), value)


def test_arrays_survive():
    for array in (
        np.arange(6.0).reshape(2, 3),
        np.array(["a", "bc"]),
        np.array(["a", 1, Fraction(1, 3)], dtype=object),
        np.zeros((0, 2), np.int8),
    ):
        arrays = {}
        written = json.loads(json.dumps(encode(array, arrays, "value")))
        assert same(decode(written, arrays), array)
    matrix = sp.random_array((5, 4), density=0.4, format="csr", rng=0)
    arrays = {}
    assert (decode(encode(matrix, arrays, "value"), arrays) != matrix).nnz == 0
