"""The learners beyond a line beside scikit-learn's: what they answer first, then how fast."""

import tracemalloc
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    make_classification,
    make_moons,
)
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.table import Results, best_of
from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    PocketPerceptron,
    ReluNetwork,
    VotedPerceptron,
    lift_until_separable,
)

OURS = {
    "AveragedPerceptron": AveragedPerceptron(max_iter=20, order="shuffled", random_state=0),
    "VotedPerceptron": VotedPerceptron(order="shuffled", random_state=0),
    "PocketPerceptron": PocketPerceptron(max_iter=100, random_state=0),
    "KernelPerceptron, rbf": KernelPerceptron(max_iter=20, order="shuffled", random_state=0),
    "ReluNetwork, 10 hidden": ReluNetwork(hidden=10, restarts=3, random_state=0),
}
THEIRS = {
    "SGDClassifier, average": SGDClassifier(average=True, random_state=0),
    "MLPClassifier, 10 hidden": MLPClassifier((10,), max_iter=2000, random_state=0),
    "SVC, rbf": SVC(),
}


def held_out(results: Results) -> None:
    """Accuracy on a quarter of the data that nobody was trained on, features standardised."""
    for name, (X, y) in {
        "digits": load_digits(return_X_y=True),
        "breast_cancer": load_breast_cancer(return_X_y=True),
        "two moons, noise 0.2": make_moons(2000, noise=0.2, random_state=0),
    }.items():
        train, test, y_train, y_test = train_test_split(X, y, random_state=0)
        scaler = StandardScaler().fit(train)
        train, test = scaler.transform(train), scaler.transform(test)
        joint = {"AveragedPerceptron, joint": OURS["AveragedPerceptron"]}
        contenders = {**OURS, **(joint if len(set(y)) > 2 else {}), **THEIRS}
        for who, model in contenders.items():
            model = clone(model)
            if who.endswith("joint"):
                model.set_params(multi_class="joint")
            model.fit(train, y_train)  # compiled by now
            seconds, fitted = best_of(1, lambda m=model, X=train, y=y_train: clone(m).fit(X, y))
            accuracy = fitted.score(test, y_test)
            results.add(f"{name}, held out", who, seconds, f"{accuracy:.1%} right")


def large_kernels(results: Results) -> None:
    """RBF on 10,000 rows: accuracy on 2,000 others, then training time, to the very end."""
    gauss, labels = make_classification(12_000, 20, n_informative=10, random_state=0)
    moons, halves = make_moons(12_000, noise=0.1, random_state=0)
    for name, X, y in (("10,000 × 20", gauss, labels), ("10,000 moons, noise 0.1", moons, halves)):
        train, test, y_train, y_test = X[:10_000], X[10_000:], y[:10_000], y[10_000:]
        for who, model in {
            "KernelPerceptron": KernelPerceptron(),
            "KernelPerceptron, 5 epochs": KernelPerceptron(max_iter=5),
            "SVC": SVC(),
        }.items():
            seconds, fitted = best_of(3, lambda m=model, X=train, y=y_train: clone(m).fit(X, y))
            rows = fitted.dual_coef_.shape[1]
            answer = f"{fitted.score(test, y_test):.1%} right"
            results.add(f"rbf, {name}", who, seconds, answer, f"{rows} rows kept")


def budgets(results: Results) -> None:
    """A stream of 10,000 rows with 200 of them remembered; and what a small cache really takes."""
    X, y = make_classification(12_000, 20, n_informative=10, random_state=0)
    for removal in ("forgetron", "random"):
        model = KernelPerceptron(budget=200, removal=removal, gamma=0.02, random_state=0)

        def learn(model=model):
            fresh = clone(model)
            for first in range(0, 10_000, 500):
                fresh.partial_fit(X[first : first + 500], y[first : first + 500], classes=[0, 1])
            return fresh

        seconds, fitted = best_of(1, learn)
        answer = f"{fitted.score(X[10_000:], y[10_000:]):.1%} right"
        note = f"{fitted.support_vectors_.shape[0]} rows kept"
        results.add("stream of 10,000, budget 200", removal, seconds, answer, note)
    tracemalloc.start()
    seconds, _ = best_of(1, lambda: KernelPerceptron(cache_size=20, max_iter=1).fit(X, y))
    peak = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    note = "the Gram matrix would take 1,099 MB"
    results.add("cache_size=20, 12,000 rows", "KernelPerceptron", seconds, f"{peak:.1f} MB", note)


def optimum(results: Results) -> None:
    """The fewest errors on versicolor against virginica: one, by an integer program."""
    X, y = load_iris(return_X_y=True)
    X, y = X[50:] - X[50:].mean(axis=0), y[50:]
    for who, model in {
        "PocketPerceptron, 1000 epochs": PocketPerceptron(max_iter=1000, random_state=0),
        "SVC, linear": SVC(kernel="linear", C=100.0),
        "SGDClassifier, average": THEIRS["SGDClassifier, average"],
    }.items():
        seconds, fitted = best_of(3, lambda m=model: clone(m).fit(X, y))
        errors = int(np.count_nonzero(fitted.predict(X) != y))
        results.add("versicolor/virginica, fewest errors 1", who, seconds, f"{errors} errors")


def lifts(results: Results) -> None:
    """Parity of k bits: separable at degree k and not before, proven at every step."""
    for k in (2, 4, 6):
        bits = np.array([[i >> j & 1 for j in range(k)] for i in range(2**k)])
        y = bits.sum(axis=1) % 2
        seconds, search = best_of(
            1, lambda X=bits, y=y, k=k: lift_until_separable(X, y, max_degree=k)
        )
        step = search.smallest
        results.add(
            f"parity of {k} bits", "lift_until_separable", seconds, f"{step.name}, q = {step.q}"
        )


def run() -> None:
    """Print the table."""
    results = Results("Beyond a line")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        held_out(results)
        large_kernels(results)
        budgets(results)
        optimum(results)
        lifts(results)
    results.show()
