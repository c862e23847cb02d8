"""Float64 and exact arithmetic take the same calls; rows of weight 0; options of other types."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff
from novikoff.errors import DataError, NotFiniteError, NovikoffError, OptionError

X = np.array([[1.0, 2.0], [-1.0, 0.5], [0.0, 0.0], [3.0, 1.0], [-2.0, -2.0], [1.0, -1.0]])
Y = np.array([0, 1, 0, 1, 1, 0])
LEARNERS = [novikoff.Perceptron, novikoff.AveragedPerceptron]
quiet = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
DATA = {
    "float32": X.astype(np.float32),
    "int8": X.astype(np.int8),
    "bool": X > 0,
    "sparse": sp.csr_array(X),
    "fractions": np.array([[Fraction(v) for v in row] for row in X.tolist()], dtype=object),
    "subnormal": X * 1e-310,
    "huge": X * 1e300,
    "zeros": X * 0,
}
OPTIONS = [
    {},
    {"eta0": Fraction(1, 3)},
    {"eta0": 1e300},
    {"class_weight": {0: 0}},
    {"class_weight": {0: 0, 1: 0}},
    {"order": "random", "random_state": 0},
    {"fit_intercept": False},
]
WEIGHTS = [None, [0, 0, 0, 0, 0, 0], [1, 0, 2, 0, 0.5, 0], [4.0] * 6, [np.nan] * 6, [-1] * 6]


def outcome(call):
    """The name of our error, or None; any other error is the test's."""
    try:
        call()
    except NovikoffError as error:
        return type(error).__name__
    return None


@quiet
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("data", DATA.values(), ids=DATA.keys())
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_both_arithmetics_take_the_same_calls(learner, data, options):
    for weights in WEIGHTS:

        def fit(arithmetic, weights=weights):
            unit = learner(arithmetic=arithmetic, max_iter=3, **options)
            unit.fit(data, Y, weights).predict(data)

        def stream(arithmetic, weights=weights):
            unit = learner(arithmetic=arithmetic, **options)
            for _ in range(2):
                unit.partial_fit(data, Y, classes=[0, 1], sample_weight=weights)
            unit.predict(data)

        for call in (fit, stream):
            assert outcome(lambda c=call: c("float64")) == outcome(lambda c=call: c("exact"))


@pytest.mark.parametrize("arithmetic", ["float64", "exact"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_batch_of_weight_0_teaches_nothing(learner, arithmetic):
    unit = learner(arithmetic=arithmetic).partial_fit(X, Y, classes=[0, 1])
    w, mistakes = unit.coef_.copy(), unit.n_mistakes_
    unit.partial_fit(X, Y, sample_weight=np.zeros(6))
    assert (unit.coef_ == w).all()
    assert unit.n_mistakes_ == mistakes
    with pytest.raises(DataError, match="non-zero"):
        unit.fit(X, Y, sample_weight=np.zeros(6))


@quiet
@pytest.mark.parametrize(
    "learner",
    [
        *LEARNERS,
        novikoff.VotedPerceptron,
        lambda: novikoff.KernelPerceptron(gamma=0.5),
        lambda: novikoff.PocketPerceptron(ratchet=False, order="cyclic"),
    ],
)
def test_rows_of_weight_0_are_as_if_they_were_not_there(learner):
    weights = np.array([1.0, 0.0, 2.0, 0.0, 0.5, 0.0])
    kept = weights > 0
    with_zeros = learner().partial_fit(X, Y, classes=[0, 1], sample_weight=weights)
    without = learner().partial_fit(X[kept], Y[kept], classes=[0, 1], sample_weight=weights[kept])
    np.testing.assert_array_equal(with_zeros.decision_function(X), without.decision_function(X))
    assert with_zeros.n_mistakes_ == without.n_mistakes_
    before = with_zeros.decision_function(X)
    with_zeros.partial_fit(X, Y, sample_weight=np.zeros(6))
    np.testing.assert_array_equal(with_zeros.decision_function(X), before)


@pytest.mark.parametrize("arithmetic", ["float64", "exact"])
def test_weights_that_come_back_after_a_batch_prove_nothing(arithmetic):
    """One class only, x and −x: the same weights after the batch, and no cycle."""
    unit = novikoff.Perceptron(arithmetic=arithmetic, fit_intercept=False)
    unit.partial_fit([[1.0], [-3.0]], [1, 0], classes=[0, 1])
    for _ in range(3):
        unit.partial_fit([[-9.0], [9.0]], [1, 1])
        assert not hasattr(unit, "certificate_")
        assert unit.status_ is novikoff.Status.LEARNING
    fitted = novikoff.Perceptron(arithmetic=arithmetic).fit([[1.0], [1.0]], [0, 1])
    assert fitted.status_ is novikoff.Status.CYCLED
    assert novikoff.verify(fitted.certificate_, [[1.0], [1.0]], [0, 1]).valid


def test_steps_that_are_no_numbers_are_refused():
    for eta0, weight in ((1e300, 1e300), (1e-300, 1e-300)):
        for learner in (novikoff.Perceptron, novikoff.KernelPerceptron, novikoff.VotedPerceptron):
            with pytest.raises(NotFiniteError, match="eta0, class_weight and sample_weight"):
                learner(eta0=eta0).fit(X, Y, sample_weight=np.full(6, weight))


ALL = [
    novikoff.Perceptron, novikoff.AveragedPerceptron, novikoff.PocketPerceptron,
    novikoff.VotedPerceptron, novikoff.KernelPerceptron,
]  # fmt: skip
WRONG = [
    ("fit_intercept", "no"), ("fit_intercept", 1), ("fit_intercept", None), ("warm_start", "yes"),
    ("n_jobs", 0), ("n_jobs", 1.5), ("n_jobs", "all"), ("n_jobs", True), ("n_jobs", 10**30),
    ("verbose", "loud"), ("verbose", -1), ("random_state", "dice"), ("max_iter", 2.0),
    ("max_iter", True), ("eta0", "big"), ("eta0", np.nan), ("tie", 0), ("tie", None),
    ("order", None), ("class_weight", 3),
]  # fmt: skip


@pytest.mark.parametrize("learner", ALL)
@pytest.mark.parametrize(("option", "value"), WRONG)
def test_options_of_the_wrong_type_are_refused(learner, option, value):
    with pytest.raises(OptionError, match=option):
        learner(**{option: value}).fit(X, Y)
    unit = learner(**{option: value})
    if isinstance(unit, novikoff.PocketPerceptron):
        unit.set_params(ratchet=False)
    with pytest.raises(OptionError, match=option):
        unit.partial_fit(X, Y, classes=[0, 1])


@pytest.mark.parametrize("value", ["no", 1, None])
def test_functions_refuse_them_too(value):
    calls = [
        lambda **o: novikoff.separate(X, Y, **o),
        lambda **o: novikoff.trace(X, Y, **o),
        lambda **o: novikoff.radius(X, **o),
        lambda **o: novikoff.margins(([1.0, 0.0], 0.0), X, Y, **o),
        lambda **o: novikoff.mistake_bound(X, Y, **o),
        lambda **o: novikoff.mistake_bound_of(([1.0, 0.0], 0.0), X, Y, **o),
        lambda **o: novikoff.why_not(X, Y, **o),
        lambda **o: novikoff.lift_until_separable(X, Y, **o),
    ]
    for call in calls:
        with pytest.raises(OptionError, match="fit_intercept must be True or False"):
            call(fit_intercept=value)
    assert novikoff.separate(X, Y, fit_intercept=np.True_).word
