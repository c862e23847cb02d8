"""Online learners beside `partial_fit`, bit for bit, and beside the textbook in plain Python."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction import DictVectorizer, FeatureHasher
from tests import oracles
from tests.estimators.problems import problems, signs

from novikoff import (
    AveragedPerceptron,
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
    Perceptron,
    PocketPerceptron,
    separate,
)
from novikoff.data import known_margin
from novikoff.errors import DataError, LabelError, NotFiniteError, OptionError, ShapeError
from novikoff.stream.durable import read_checkpoint, write_checkpoint
from novikoff.stream.online import estimator_of

TIES = st.sampled_from(["mistake", "+1", "-1"])
PAIRS = [
    (OnlinePerceptron(), Perceptron()),
    (OnlineAveragedPerceptron(), AveragedPerceptron()),
    (OnlinePocketPerceptron(keep_rows=False), PocketPerceptron(ratchet=False, order="cyclic")),
]


def noisy(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.where(X @ rng.standard_normal(d) + 0.3 * rng.standard_normal(n) > 0, 1, -1)


def same(left, right):
    """All that was learned and counted, to the bit."""
    pairs = zip(left._arrays().values(), right._arrays().values(), strict=True)
    return all(a.tobytes() == b.tobytes() for a, b in pairs)


@settings(max_examples=60, deadline=None)
@given(problems(), TIES, st.booleans(), st.sampled_from([1.0, 0.1, 3.0]))
def test_the_textbook_row_by_row(problem, tie, fit_intercept, eta0):
    X, labels = problem
    y = signs(labels)
    learner = OnlinePerceptron(tie=tie, fit_intercept=fit_intercept, eta0=eta0, window=3)
    flags = [learner.learn(x, label) for x, label in zip(X.tolist(), y, strict=True)]
    if fit_intercept:
        w, mistaken = oracles.float_perceptron(X.tolist(), y, eta=eta0, tie=tie)
        assert [*learner.coef_.tolist(), learner.intercept_] == w
        assert [i for i, wrong in enumerate(flags) if wrong] == mistaken
    else:
        twin = Perceptron(tie=tie, fit_intercept=False, eta0=eta0)
        twin.partial_fit(X, y, classes=[-1, 1])
        assert learner.coef_.tolist() == twin.coef_[0].tolist()
    account = learner.account
    assert (account.examples, account.mistakes) == (len(y), sum(flags))
    assert account.recent_mistakes == sum(flags[-3:])


@pytest.mark.parametrize(("online", "batch"), PAIRS, ids=lambda pair: type(pair).__name__)
def test_the_bits_of_partial_fit(online, batch):
    X, y = noisy(3000, 7)
    X[::5] = np.round(X[::5])  # ties among the rest
    learner = pickle.loads(pickle.dumps(online))
    twin = batch.__class__(**batch.get_params())
    for x, label in zip(X, y.tolist(), strict=True):
        learner.learn(x, label)
    twin.partial_fit(X, y, classes=[-1, 1])
    assert learner.coef_.tobytes() == twin.coef_[0].tobytes()
    assert learner.intercept_ == twin.intercept_[0]
    assert [learner.predict(x) for x in X[:500]] == twin.predict(X[:500]).tolist()
    # ... and as an estimator it goes on as one.
    more, labels = noisy(500, 7, seed=1)
    goes_on = estimator_of(learner).partial_fit(more, labels)
    twin.partial_fit(more, labels)
    assert goes_on.coef_.tobytes() == twin.coef_.tobytes()
    assert goes_on.n_mistakes_ == twin.n_mistakes_


@pytest.mark.parametrize(
    "kind", [OnlinePerceptron, OnlineAveragedPerceptron, OnlinePocketPerceptron]
)
@pytest.mark.parametrize(
    "form",
    [np.asarray, np.asfortranarray, np.float32, np.ndarray.tolist, sp.csr_array, np.round],
    ids=["array", "fortran", "float32", "lists", "csr", "integers"],
)
def test_many_at_once_is_one_by_one(kind, form):
    X, y = noisy(800, 5)
    X[X < -1] = 0.0
    if form is np.round:
        X = X.round() + 0.0  # integers have no −0
        data = X.astype(np.int64)
    else:
        data = form(X)
        X = X.astype(np.float32).astype(float) if form is np.float32 else X
    one, many = kind(window=50), kind(window=50)
    flags = [one.learn(x, label) for x, label in zip(X, y.tolist(), strict=True)]
    found = [many.learn_many(data[:300], y[:300]), many.learn_many(data[300:], y[300:])]
    assert np.concatenate(found).tolist() == flags
    if form is sp.csr_array:  # its rows have fewer numbers, so bounds may be tighter
        assert one._W.tobytes() == many._W.tobytes()
        assert one._counts.tobytes() == many._counts.tobytes()
    else:
        assert same(one, many)


def named(X):
    return [{f"f{j}": value for j, value in enumerate(row) if value} for row in X.tolist()]


def test_names_make_the_columns_of_a_vectorizer():
    X, y = noisy(400, 6)
    X[np.abs(X) < 0.5] = 0.0
    examples = named(X)
    for i, example in enumerate(examples):
        example["town"] = ["Rome", "Oslo", "Bern"][i % 3]
        if i == 200:
            example["late"] = 2.5
    learner = OnlinePerceptron()
    flags = [learner.learn(x, label) for x, label in zip(examples, y.tolist(), strict=True)]
    vectorizer = DictVectorizer()
    twin = OnlinePerceptron()
    assert twin.learn_many(vectorizer.fit_transform(examples), y).tolist() == flags
    weights = dict(zip(learner.names, learner.coef_.tolist(), strict=True))
    assert [weights[name] for name in vectorizer.feature_names_] == twin.coef_.tolist()
    assert {"town=Rome", "late"} <= set(learner.names)
    again = OnlinePerceptron()
    assert again.learn_many(examples, y).tolist() == flags
    before = learner.n_features
    assert learner.predict({"unheard of": 3.0, "f1": 1.0}) == learner.predict({"f1": 1.0})
    assert learner.n_features == before


@pytest.mark.parametrize(
    ("least", "size"), [(1.0, 32), (0.0, 32), (0.0, 2**14)], ids=["other names", "same", "apart"]
)
def test_hashing_is_that_of_the_feature_hasher(least, size):
    X, y = noisy(300, 40)
    X = np.rint(8 * X) / 8  # names that meet in a column are added up in any order
    X[np.abs(X) < least] = 0.0
    examples = named(X)
    if least:
        examples = [{**x, "town": "Rome" if x else "Oslo"} for x in examples]
    learner, twin = OnlinePerceptron(hashing=size), OnlinePerceptron()
    flags = [learner.learn(x, label) for x, label in zip(examples, y.tolist(), strict=True)]
    hashed = FeatureHasher(size).transform(examples)
    assert twin.learn_many(hashed, y).tolist() == flags
    assert learner.coef_.tolist() == twin.coef_.tolist()


@pytest.mark.parametrize("hashing", [None, 2**14])
@pytest.mark.parametrize("value", [Decimal("0.12345678901234567891"), Fraction(1, 3), 2**53 + 1])
def test_numbers_that_float64_would_round_are_refused_among_familiar_names(hashing, value):
    learner = OnlinePerceptron(hashing=hashing)
    learner.learn({"a": 1.0, "b": 2}, 1)
    learner.learn({"a": np.float32(0.5), "b": True}, 1)
    before = learner.coef_.tolist()
    with pytest.raises(DataError, match="which float64 would round"):
        learner.learn({"a": value, "b": 2.0}, -1)
    assert learner.coef_.tolist() == before
    with pytest.raises(DataError, match="which float64 would round"):
        learner.predict({"a": value, "b": 2.0})
    assert [learner.predict({"a": sign * 2**60, "b": 2.0}) for sign in (1, -1)] == [1, -1]


@settings(max_examples=40, deadline=None)
@given(problems(), st.sampled_from([1.0, 0.1]), st.booleans())
def test_the_theorem_read_backwards(problem, eta0, fit_intercept):
    """No unit vector has all examples further on their side than the account allows."""
    X, labels = problem
    learner = OnlinePerceptron(eta0=eta0, fit_intercept=fit_intercept)
    for _ in range(3):
        learner.learn_many(X, signs(labels))
    account = learner.account
    hats = [[*map(Fraction, x), Fraction(int(fit_intercept))] for x in X.tolist()]
    norms = [sum(v * v for v in hat) for hat in hats]
    assert Fraction(account.radius) ** 2 >= max(norms)
    assert Fraction(account.norm) ** 2 >= sum(Fraction(v) ** 2 for v in learner._W[0].tolist())
    # The exact Σ y x̂ over the mistakes: its norm over M bounds every margin.
    w, sums, mistakes = [0.0] * len(hats[0]), [Fraction(0)] * len(hats[0]), 0
    for hat, y in list(zip(hats, signs(labels), strict=True)) * 3:
        score = sum(Fraction(a) * b for a, b in zip(w, hat, strict=True))
        if oracles.is_mistake(score, y, "mistake"):
            mistakes += 1
            w = [a + eta0 * y * float(b) for a, b in zip(w, hat, strict=True)]
            sums = [a + y * b for a, b in zip(sums, hat, strict=True)]
    assert account.mistakes == mistakes
    if mistakes:
        square = sum(v * v for v in sums) / mistakes**2
        assert Fraction(account.gamma_at_most) ** 2 >= min(square, max(norms))
        assert Fraction(account.radius_over_root) ** 2 >= max(norms) / mistakes
        assert account.gamma_at_most <= account.radius_over_root * (1 + 1e-9)


def test_the_bound_is_above_a_margin_that_is_known():
    made = known_margin(400, 6, margin=0.05, seed=1)
    learner = OnlinePerceptron()
    for _ in range(20):
        learner.learn_many(made.X[::-1], made.y[::-1])
    account, verdict = learner.account, separate(made.X, made.y)
    assert account.mistakes > 20
    assert verdict.augmented_margin.lower <= account.gamma_at_most
    assert account.gamma_at_most <= account.radius_over_root * (1 + 1e-9)


def test_the_window_and_its_verdict():
    X, y = noisy(300, 2)
    learner = OnlinePerceptron(window=40, keep_rows=True)
    learner.learn_many(X[:250], y[:250])
    for x, label in zip(X[250:], y[250:].tolist(), strict=True):
        learner.learn(x, label)
    assert learner._memory.matrix(2).tolist() == X[-40:].tolist()
    square = OnlinePerceptron(window=4, keep_rows=True)
    square.learn_many([[5, 5], [0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, 1, -1, -1])
    assert square.window_verdict().word == "overlapping"
    by_name = OnlinePerceptron(window=2, keep_rows=True)
    by_name.learn_many([{"a": 1.0}, {"b": 1.0}, {"a": 2.0, "b": 1.0}], [1, -1, 1])
    assert by_name.window_verdict().word == "separable"
    with pytest.raises(OptionError, match="keep_rows=True"):
        OnlinePerceptron().window_verdict()


def test_a_window_of_examples_without_a_number_goes_on_from_a_file(tmp_path):
    learner = OnlinePerceptron(window=5, keep_rows=True)
    for label in (1, -1):
        learner.learn({}, label)
    write_checkpoint(learner, tmp_path / "kept")
    again = read_checkpoint(tmp_path / "kept").learner
    for one in (learner, again):
        one.learn_many([{"a": 1.0}, {"a": -1.0}], [1, -1])
    assert again.window_verdict().word == learner.window_verdict().word == "touching"


def test_the_pocket_follows_a_plane_that_turns():
    X, y = noisy(4000, 5)
    y = np.where(np.arange(4000) < 2000, y, -y)
    pocket = OnlinePocketPerceptron(window=200)
    pocket.learn_many(X[:2000], y[:2000])
    assert (
        np.mean([pocket.predict(x) == label for x, label in zip(X[2000:], y[2000:], strict=True)])
        < 0.1
    )
    pocket.learn_many(X[2000:], y[2000:])
    share = np.mean(
        [pocket.predict(x) == label for x, label in zip(X[3000:], y[3000:], strict=True)]
    )
    assert share > 0.9


def test_what_cannot_be_learned_leaves_nothing_behind():
    learner = OnlinePerceptron()
    learner.learn_many(*noisy(50, 3))
    before = [array.copy() for array in learner._arrays().values()]
    for x, y, error in (
        (np.array([1.0, np.nan, 2.0]), 1, NotFiniteError),
        ([1.0, 2.0, np.inf], 1, NotFiniteError),
        (np.array([1.0, 2.0]), 1, ShapeError),
        ([1.0, 2.0, 3.0, 4.0], 1, ShapeError),
        (np.ones((2, 3)), 1, ShapeError),
        ([1, 2, 2**53 + 1], 1, DataError),
        (["a", "b", "c"], 1, DataError),
        ({"a": 1.0}, 1, DataError),
        (np.ones(3), 0, LabelError),
        (np.ones(3), [1], LabelError),
        (np.ones(3), None, LabelError),
    ):
        with pytest.raises(error):
            learner.learn(x, y)
    after = learner._arrays().values()
    assert all(a.tobytes() == b.tobytes() for a, b in zip(before, after, strict=True))
    with pytest.raises(NotFiniteError, match="column 2"):
        learner.learn([1.0, 2.0, np.nan], -1)


@pytest.mark.parametrize(
    ("example", "error"),
    [
        ({"a": math.nan}, NotFiniteError),
        ({"a": None}, DataError),
        ({"a": 2**53 + 1}, DataError),
        ({"a": 10**400}, DataError),
        ({"a": [1]}, DataError),
        ([1.0], DataError),
    ],
)
@pytest.mark.parametrize("hashing", [None, 16])
def test_names_that_cannot_be_learned(example, error, hashing):
    learner = OnlinePerceptron(hashing=hashing)
    learner.learn({"a": 1.0}, 1)
    learner.learn({"a": 3.0}, -1)
    before = learner.account
    with pytest.raises(error):
        learner.learn(example, 1)
    assert learner.account == before
    learner.learn({"a": 2.0**60}, 1)
    assert learner.account.examples == before.examples + 1


def test_weights_beyond_float64_are_an_error():
    learner = OnlinePerceptron(fit_intercept=False)
    learner.learn(np.array([1e308, 1e308]), 1)
    with pytest.raises(NotFiniteError, match="beyond what float64 can hold"):
        learner.learn(np.array([1e308, -1e308]), 1)


@pytest.mark.parametrize(
    "options", [{"eta0": 0}, {"window": 0}, {"classes": (1, 1)}, {"tie": "0"}, {"hashing": 0}]
)
def test_options_that_cannot_be(options):
    with pytest.raises(OptionError):
        OnlinePerceptron(**options)
