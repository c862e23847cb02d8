"""The five texts: each algorithm with its own conventions, and the options that make it ours.

A text's algorithm returns its final weights (bias last) and the rows it was mistaken on, in order.
The conventions that differ: sign at 0, bias or none, the learning rate, the order, when to stop.
"""

from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import novikoff

AND = ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1])
OR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, 1])
XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])
# Worked by hand in docs/perceptron.md.
BY_HAND = ([[2, 1], [1, 3], [-1, -1], [-2, 1]], [1, 1, -1, -1])


def random_separable(seed: int = 0, n: int = 40, d: int = 3) -> tuple[list, list]:
    """Integer points on both sides of an integer plane through the origin, none on it."""
    rng = np.random.default_rng(seed)
    w = rng.integers(-5, 6, d)
    w[0] = 3
    X = rng.integers(-9, 10, (n, d))
    X = X[X @ w != 0]
    return X.tolist(), np.sign(X @ w).tolist()


SEPARABLE = {"and": AND, "or": OR, "by hand": BY_HAND, "random": random_separable()}
THROUGH_THE_ORIGIN = {"by hand": BY_HAND, "random": random_separable()}


def dot(w, x):
    return sum(a * b for a, b in zip(w, x, strict=True))


def add(w, step, x):
    return [a + step * b for a, b in zip(w, x, strict=True)]


def assert_same_run(X, y, ours: dict, theirs: tuple[list, list]) -> None:
    """The same mistakes in the same order, the same final weights: traced, fitted, and exact."""
    weights, mistaken = theirs
    if not ours.get("fit_intercept", True):
        weights = [*weights, 0]
    run = novikoff.trace(X, y, **ours)
    assert run.rows.tolist() == mistaken
    w, b = run.weights_after(run.n_mistakes)
    assert [*w, b] == [float(value) for value in weights]
    exact = novikoff.Perceptron(arithmetic="exact", **ours)
    stops = run.status is not novikoff.Status.REACHED_MAX_ITER
    with nullcontext() if stops else pytest.warns(ConvergenceWarning):
        exact.fit(X, y)
    assert [*exact.exact_coef_[0], exact.exact_intercept_[0]] == weights
    assert exact.n_mistakes_ == len(mistaken)


def assert_same_xor(ours: dict, algorithm) -> None:
    """Epoch by epoch the same; ours proves that it cycles and stops, theirs goes round again."""
    run = novikoff.trace(*XOR, max_iter=50, **ours)
    assert run.status is novikoff.Status.CYCLED
    for T in range(1, run.n_epochs + 1):
        assert_same_run(*XOR, {"max_iter": T, **ours}, algorithm(T))
    assert algorithm(3 * run.n_epochs)[1][: run.n_mistakes] == run.rows.tolist()
    assert len(algorithm(50)[1]) > run.n_mistakes


class TestShallowModelChapter:
    """ "Part I, Shallow Model: Perceptron": sign(0) = +1, x̂ = (x, 1), η, exactly T epochs."""

    @staticmethod
    def algorithm(X, y, eta, T):
        X = [[*x, 1] for x in X]
        w, mistaken = [Fraction(0)] * len(X[0]), []
        for _ in range(T):
            for i in range(len(X)):
                predicted = 1 if dot(w, X[i]) >= 0 else -1
                if predicted != y[i]:
                    w = add(w, eta * y[i], X[i])
                    mistaken.append(i)
        return w, mistaken

    @pytest.mark.parametrize("name", SEPARABLE)
    @pytest.mark.parametrize("eta", [1, Fraction(1, 2), 4])
    def test_same_run(self, name, eta):
        X, y = SEPARABLE[name]
        ours = {"tie": "+1", "max_iter": 200, "eta0": float(eta)}
        assert_same_run(X, y, ours, self.algorithm(X, y, eta, T=200))

    def test_xor_for_a_fixed_number_of_epochs(self):
        assert_same_xor({"tie": "+1"}, lambda T: self.algorithm(*XOR, 1, T))

    def test_errors_are_at_most_the_bound(self):
        X, y = SEPARABLE["random"]
        _, mistaken = self.algorithm(X, y, 1, T=200)
        verdict = novikoff.separate(X, y)
        assert len(mistaken) <= verdict.mistake_bound.upper


class TestDeepLearningLecture:
    """ "Deep Learning - Theory and Practice", lecture 4: no bias, sign(0) = +1, `while True`."""

    @staticmethod
    def algorithm(X, y, passes=None):
        w, mistaken, done = [Fraction(0)] * len(X[0]), [], 0
        while True:  # the lecture's loop; a pass without a mistake changes nothing any more
            before = len(mistaken)
            for i in range(len(X)):
                y_hat = 1 if dot(w, X[i]) >= 0 else -1
                if y_hat != y[i]:
                    w = add(w, y[i], X[i])
                    mistaken.append(i)
            done += 1
            if len(mistaken) == before or done == passes:
                return w, mistaken

    @pytest.mark.parametrize("name", THROUGH_THE_ORIGIN)
    def test_same_run(self, name):
        X, y = SEPARABLE[name]
        ours = {"tie": "+1", "fit_intercept": False}
        assert_same_run(X, y, ours, self.algorithm(X, y))

    @pytest.mark.parametrize("name", ["and", "or"])
    def test_a_threshold_is_a_weight_on_a_constant_input(self, name):
        X, y = SEPARABLE[name]
        X = [[*x, 1] for x in X]  # sign(w·x − θ), with −θ learned as a weight
        assert_same_run(X, y, {"tie": "+1", "fit_intercept": False}, self.algorithm(X, y))

    def test_xor_for_a_fixed_number_of_epochs(self):
        ours = {"tie": "+1", "fit_intercept": False}
        assert_same_xor(ours, lambda T: self.algorithm(*XOR, passes=T))

    def test_a_stream_is_the_same_run(self):
        X, y = SEPARABLE["random"]
        w, _ = self.algorithm(X, y, passes=1)
        unit = novikoff.Perceptron(tie="+1", fit_intercept=False)
        for x, label in zip(X, y, strict=True):
            unit.partial_fit([x], [label], classes=[-1, 1])
        assert unit.coef_[0].tolist() == w


class TestLectureNotes2015:
    """ "Machine Learning Lecture Notes", 2015: x₀ = 1 first, sign(0) = +1, η ≤ 1, a stream."""

    @staticmethod
    def algorithm(X, y, eta, stop_after):
        X = [[1, *x] for x in X]
        w, mistaken, correct_in_a_row, t = [Fraction(0)] * len(X[0]), [], 0, 0
        while correct_in_a_row < len(X) and t < stop_after * len(X):
            i = t % len(X)
            if (1 if dot(w, X[i]) >= 0 else -1) == y[i]:
                correct_in_a_row += 1
            else:
                w = add(w, eta * y[i], X[i])
                mistaken.append(i)
                correct_in_a_row = 0
            t += 1
        return [*w[1:], w[0]], mistaken

    @pytest.mark.parametrize("name", SEPARABLE)
    @pytest.mark.parametrize("eta", [1, Fraction(1, 4)])
    def test_same_run(self, name, eta):
        X, y = SEPARABLE[name]
        ours = {"tie": "+1", "eta0": float(eta)}
        assert_same_run(X, y, ours, self.algorithm(X, y, eta, stop_after=1000))

    def test_all_examples_made_positive(self):
        X, y = SEPARABLE["random"]
        w, mistaken = self.algorithm(X, y, 1, stop_after=1000)
        positive = novikoff.to_positive_side(X, y)
        # Everything has label +1 now, so "x is misclassified" must mean w·x ≤ 0 for −1's sake.
        v, again = [Fraction(0)] * 4, []
        for _ in range(1000):
            before = len(again)
            for i, x in enumerate(positive.tolist()):
                if dot(v, x) < 0 or (dot(v, x) == 0 and y[i] < 0):
                    v, _ = add(v, 1, x), again.append(i)
            if len(again) == before:
                break
        assert (v, again) == (w, mistaken)

    def test_xor_for_a_fixed_number_of_epochs(self):
        assert_same_xor({"tie": "+1"}, lambda T: self.algorithm(*XOR, 1, stop_after=T))


class TestPerceptronNote2025:
    """ "Perceptron", 2025: y(θ·x + θ₀) ≤ 0 is a mistake, T epochs, and sgn(0) = −1 to predict."""

    @staticmethod
    def algorithm(X, y, T):
        theta, theta_0, mistaken = [Fraction(0)] * len(X[0]), Fraction(0), []
        for _ in range(T):
            for i in range(len(X)):
                if y[i] * (dot(theta, X[i]) + theta_0) <= 0:
                    theta = add(theta, y[i], X[i])
                    theta_0 += y[i]
                    mistaken.append(i)
        return [*theta, theta_0], mistaken

    @pytest.mark.parametrize("name", SEPARABLE)
    def test_same_run(self, name):
        X, y = SEPARABLE[name]
        assert_same_run(X, y, {"max_iter": 200}, self.algorithm(X, y, T=200))

    def test_xor_for_a_fixed_number_of_epochs(self):
        assert_same_xor({}, lambda T: self.algorithm(*XOR, T))

    def test_prediction_at_zero(self):
        w, _ = self.algorithm(*XOR, T=1)
        theirs = [1 if dot(w, [*x, 1]) > 0 else -1 for x in XOR[0]]
        unit = novikoff.Perceptron(tie="-1").fit(*AND)
        unit.coef_, unit.intercept_ = np.zeros((1, 2)), np.zeros(1)
        assert unit.predict(XOR[0]).tolist() == theirs == [-1] * 4

    def test_training_error(self):
        X, y = XOR
        theta, theta_0 = [1, 1], Fraction(-1, 2)
        h = [1 if dot(theta, x) + theta_0 > 0 else -1 for x in X]
        error = sum(a != b for a, b in zip(h, y, strict=True)) / len(y)
        assert novikoff.training_error((theta, theta_0), X, y, tie="-1") == error == 0.25


class TestLinearModelsNotes:
    """ "Linear Models and Perceptron": any misclassified i, sign(0) = +1, no bias, ‖x‖ ≤ 1."""

    @staticmethod
    def algorithm(X, y, choose, rounds=100_000):
        w, mistaken = [Fraction(0)] * len(X[0]), []
        for _ in range(rounds):
            wrong = [i for i in range(len(X)) if (1 if dot(w, X[i]) >= 0 else -1) != y[i]]
            if not wrong:
                return w, mistaken
            i = choose(wrong, w)
            w = add(w, y[i], X[i])
            mistaken.append(i)
        return w, mistaken

    @pytest.mark.parametrize("name", THROUGH_THE_ORIGIN)
    def test_same_run_with_the_worst_first(self, name):
        X, y = SEPARABLE[name]
        theirs = self.algorithm(
            X, y, lambda wrong, w: min(wrong, key=lambda i: y[i] * dot(w, X[i]))
        )
        assert_same_run(X, y, {"tie": "+1", "order": "worst", "fit_intercept": False}, theirs)

    @pytest.mark.parametrize("name", ["and", "or"])
    def test_same_run_with_the_bias_absorbed(self, name):
        X, y = SEPARABLE[name]
        X = novikoff.augment(X).tolist()
        theirs = self.algorithm(
            X, y, lambda wrong, w: min(wrong, key=lambda i: y[i] * dot(w, X[i]))
        )
        assert_same_run(X, y, {"tie": "+1", "order": "worst", "fit_intercept": False}, theirs)

    def test_xor_for_a_fixed_number_of_rounds(self):
        X, y = XOR

        def worst(wrong, w):
            return min(wrong, key=lambda i: y[i] * dot(w, X[i]))

        ours = {"tie": "+1", "order": "worst", "fit_intercept": False}
        assert_same_xor(ours, lambda T: self.algorithm(X, y, worst, rounds=T * len(X)))

    def test_at_most_one_over_gamma_squared_rounds_in_the_unit_ball(self):
        X, y = random_separable(seed=4)
        ball = novikoff.into_unit_ball(X)
        assert np.linalg.norm(ball.X, axis=1).max() <= 1 + 1e-12
        verdict = novikoff.separate(ball.X, y, fit_intercept=False)
        run = novikoff.trace(ball.X, y, order="worst", tie="+1", fit_intercept=False)
        assert run.status is novikoff.Status.CONVERGED
        assert run.n_mistakes <= 1 / verdict.augmented_margin.lower**2
