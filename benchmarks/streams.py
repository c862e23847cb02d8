"""Streams: one example a call beside river and scikit-learn; what safety on disk costs."""

import tempfile
import warnings
from pathlib import Path

import numpy as np

from benchmarks.perceptron import noisy
from benchmarks.table import Results, best_of
from novikoff import OnlineAveragedPerceptron, OnlinePerceptron, OnlinePocketPerceptron, Perceptron
from novikoff.stream import DurableStream, Place


def one_at_a_time(results: Results) -> None:
    """d = 20, arrays and dicts; the weights must be those of one pass of a batch."""
    X, y = noisy(200_000, 20)
    rows, labels = list(X), y.tolist()
    names = [f"f{j}" for j in range(20)]
    dicts = [dict(zip(names, row, strict=True)) for row in X[:100_000].tolist()]
    twin = Perceptron().partial_fit(X, y, classes=[-1, 1])

    def fed(learner, examples):
        for x, label in zip(examples, labels, strict=False):
            learner.learn(x, label)
        return learner

    for name, kind in (
        ("OnlinePerceptron", OnlinePerceptron),
        ("OnlineAveragedPerceptron", OnlineAveragedPerceptron),
        ("OnlinePocketPerceptron", OnlinePocketPerceptron),
    ):
        fed(kind(), rows[:10])
        seconds, learner = best_of(3, lambda kind=kind: fed(kind(), rows))
        same = learner._W[0, :-1].tobytes() == twin.coef_[0].tobytes()
        bits = "bits of partial_fit" if same else "OTHER WEIGHTS"
        workload = "one array a call, d = 20, 200,000 examples"
        results.add(workload, name, seconds, f"{len(rows) / seconds:,.0f} a second, {bits}")
    lists = X.tolist()
    seconds, _ = best_of(3, lambda: fed(OnlinePerceptron(), lists))
    answer = f"{len(rows) / seconds:,.0f} a second"
    results.add(workload, "OnlinePerceptron, lists", seconds, answer)
    OnlinePerceptron().learn_many(X[:10], y[:10])
    seconds, _ = best_of(3, lambda: OnlinePerceptron().learn_many(X, y))
    results.add(
        workload, "learn_many, all at once", seconds, f"{len(rows) / seconds:,.0f} a second"
    )
    workload = "one dict a call, d = 20, 100,000 examples"
    for name, options in (("OnlinePerceptron", {}), ("… hashing=1024", {"hashing": 1024})):
        fed(OnlinePerceptron(**options), dicts[:10])
        seconds, _ = best_of(3, lambda o=options: fed(OnlinePerceptron(**o), dicts))
        results.add(workload, name, seconds, f"{len(dicts) / seconds:,.0f} a second")
    peers(results, workload, dicts, labels)


def peers(results: Results, workload: str, dicts: list, labels: list) -> None:
    from river import linear_model
    from sklearn.linear_model import Perceptron as SklearnPerceptron

    def river() -> None:
        model = linear_model.Perceptron()
        for x, label in zip(dicts, labels, strict=False):
            model.learn_one(x, label > 0)

    seconds, _ = best_of(2, river)
    results.add(workload, "river", seconds, f"{len(dicts) / seconds:,.0f} a second")
    X = np.array([list(x.values()) for x in dicts[:3000]])

    def sklearn() -> None:
        model = SklearnPerceptron(shuffle=False)
        for i in range(len(X)):
            model.partial_fit(X[i : i + 1], labels[i : i + 1], classes=[-1, 1])

    seconds, _ = best_of(1, sklearn)
    answer = f"{len(X) / seconds:,.0f} a second"
    results.add(workload, "scikit-learn partial_fit", seconds * len(dicts) / len(X), answer)


def durability(results: Results) -> None:
    """What it costs to have every group of examples on disk before it is acknowledged."""
    X, y = noisy(50_000, 20)
    rows, labels = list(X), y.tolist()

    def kept(sync: int, n: int) -> None:
        with tempfile.TemporaryDirectory(dir=".") as folder:
            stream = DurableStream(Path(folder) / "run", OnlinePerceptron(), sync=sync)
            for i in range(n):
                stream.learn(rows[i], labels[i], Place(i + 1))
            stream.close()

    kept(1000, 100)
    for sync, n in ((0, 50_000), (1, 1000), (100, 20_000), (1000, 50_000)):
        seconds, _ = best_of(2, lambda sync=sync, n=n: kept(sync, n))
        name = f"DurableStream, sync={sync}"
        results.add(name, "novikoff", seconds, f"{n / seconds:,.0f} examples a second")


def run() -> None:
    """Print the table."""
    results = Results("Streams")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one_at_a_time(results)
        durability(results)
    results.show()


if __name__ == "__main__":
    run()
