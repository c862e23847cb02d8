"""Some hundred runs of every learner, each as the record that the golden file keeps.

A record says mistakes, epochs and why the run stopped, then a hash of all that was learned, bit by
bit, and the first weights in hexadecimal for whoever has to find out what changed. What depends on
the order of a sum is left out, as that is the processor's choice: `decision_function` (compiled
code may add a row's products in any order), kernels whose values are rounded (BLAS, exp), and
`ReluNetwork`, which L-BFGS and BLAS train. Threads only run different classes at the same time.
"""

import hashlib
import tempfile
import warnings
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from tests.golden import points as made

import novikoff
from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from novikoff.data import scan

SECTIONS = ("runs", "errors")
SHOWN = 3  # numbers of a record in hexadecimal


def everything():
    """The name of each run, and what makes its record."""
    for part in (perceptrons, storages, extremes, exact, others, kernels, batches, online, traces):
        yield from part()
    yield from refused()


def section_of(run, record):
    """Runs that end with an error may change for reasons of their own."""
    return "runs" if " " in record else "errors"


def record_of(run, name, *, in_full=False):
    """What the golden file says of a run: text, or the name of the error that ends it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return " ".join(run())
        except novikoff.NovikoffError as error:
            return type(error).__name__


def written(*parts):
    """A hash of numbers (exact ones as text, others as their bits), and the first few of them."""
    hashed, shown = hashlib.sha256(), []
    for part in parts:
        values = np.asarray(part)
        if values.dtype == object:
            texts = [str(value) for value in values.ravel().tolist()]
            hashed.update(";".join(texts).encode())
            shown += [text[:20] for text in texts[:SHOWN]]
        else:
            kind = "<f8" if values.dtype.kind == "f" else "<i8"
            hashed.update(str(values.shape).encode() + values.astype(kind).tobytes())
            shown += [float(v).hex() for v in values.ravel()[:SHOWN].tolist()]
    return [hashed.hexdigest()[:16], *shown[:SHOWN]]


def fitted(learner, *data, **options):
    """The record of a fitted learner."""
    return lambda: record_of_fitted(learner.fit(*data, **options))


def record_of_fitted(learner):
    """How a run went, and everything that it learned."""
    names = [
        "coef_", "intercept_", "last_coef_", "last_intercept_", "exact_coef_", "exact_intercept_",
        "dual_coef_", "support_", "run_lengths_", "n_errors_", "mistakes_per_epoch_",
        "mistakes_", "pushes_", "survived_",
    ]  # fmt: skip
    learned = []
    for name in names:
        value = getattr(learner, name, None)
        if value is not None:
            learned += value if isinstance(value, list) else [value]
    proofs = getattr(learner, "certificate_", [])
    for proof in proofs if isinstance(proofs, list) else [proofs]:
        if proof is not None:
            learned += [np.array(proof.rows), np.array(proof.alpha, dtype=object)]
    status = ",".join(sorted({each.name for each in getattr(learner, "statuses_", [])}))
    return [str(int(np.sum(learner.n_mistakes_))), str(learner.n_iter_), status, *written(*learned)]


def perceptrons():
    """Orders, tie rules, steps, bias; on few rows, on many (where it skips), with weights."""
    few = {
        "separable": made.integers(40, 3, 1),
        "noisy": made.tenths(60, 4, 2, noise=9),
        "wide": made.many_digits(30, 19, 3),
    }
    for (name, data), order, tie in product(
        few.items(), ("cyclic", "shuffled", "random", "worst"), ("mistake", "+1", "-1")
    ):
        learner = Perceptron(max_iter=60, order=order, tie=tie, random_state=4)
        yield f"perceptron {name} {order} {tie}", fitted(learner, *data)
    for eta0, bias in product((0.1, 3.0, 1e-9), (False, True)):
        learner = Perceptron(eta0=eta0, fit_intercept=bias, max_iter=80)
        yield f"perceptron eta0={eta0} bias={bias}", fitted(learner, *few["noisy"])
        learner = Perceptron(eta0=eta0, fit_intercept=bias, max_iter=80, order="worst")
        yield f"perceptron worst eta0={eta0} bias={bias}", fitted(learner, *few["wide"])
    many = {
        "close": made.close(3000, 5, 5),
        "wide": made.many_digits(1500, 33, 6),
        "noisy": made.eighths(2000, 8, 7, noise=4),
        "far": made.integers(1200, 3, 8),
    }
    for (name, data), tie in product(many.items(), ("mistake", "-1")):
        for bias in (False, True):
            learner = Perceptron(max_iter=400, tie=tie, fit_intercept=bias)
            yield f"perceptron skips {name} {tie} bias={bias}", fitted(learner, *data)
    for order in ("shuffled", "random", "worst"):
        learner = Perceptron(max_iter=30, order=order, random_state=9)
        yield f"perceptron many close {order}", fitted(learner, *many["close"])
    X, y = few["noisy"]
    weights = made.weights_of(len(y), 10)
    for order in ("cyclic", "random", "worst"):
        learner = Perceptron(max_iter=50, order=order, random_state=11)
        yield f"perceptron weights {order}", fitted(learner, X, y, weights)
    yield (
        "perceptron class weights",
        fitted(Perceptron(max_iter=50, class_weight={0: 0.25, 1: 3}), X, y),
    )
    balanced = Perceptron(max_iter=50, class_weight="balanced", eta0=0.3)
    yield "perceptron balanced", fitted(balanced, X, y)
    X, y = made.integers(90, 4, 12, classes=4)
    for order in ("cyclic", "shuffled", "worst"):
        learner = Perceptron(max_iter=40, order=order, random_state=13)
        yield f"perceptron four classes {order}", fitted(learner, X, y)
    yield "perceptron four classes threads", fitted(Perceptron(max_iter=40, n_jobs=2), X, y)
    for seed in range(6):
        learner = Perceptron(max_iter=100_000)
        yield f"perceptron cycles {seed}", fitted(learner, *made.overlapping(8, 2, 20 + seed))
    yield "perceptron warm start", _warm(Perceptron(max_iter=7, warm_start=True), *few["noisy"])
    yield (
        "perceptron partial fit",
        _in_batches(Perceptron(eta0=0.7), *made.tenths(300, 6, 14, noise=20)),
    )


def _warm(learner, X, y):
    def run():
        learner.fit(X, y)
        return record_of_fitted(learner.fit(X[::2], y[::2]))

    return run


def _in_batches(learner, X, y, weights=None):
    """The same rows in batches of 1, 2, 3, … of them."""

    def run():
        start, size = 0, 1
        while start < len(y):
            part = slice(start, start + size)
            given = {} if weights is None else {"sample_weight": weights[part]}
            learner.partial_fit(X[part], y[part], classes=np.unique(y), **given)
            start, size = start + size, size + 1
        return record_of_fitted(learner)

    return run


def storages():
    """The same whole numbers in every storage and type: each has its own loops, none its own bits.

    Float32 holds other decimals than float64, and is a run of its own.
    """
    X, y = made.integers(120, 7, 30, noise=9)
    wide, labels = made.many_digits(80, 40, 31, noise=9)
    table = {
        "float64": X.astype(float),
        "float32": X.astype(np.float32),
        "big-endian": X.astype(">f8"),
        "int64": X.astype(np.int64),
        "int8": X.astype(np.int8),
        "big-endian int16": X.astype(">i2"),
        "Fortran": np.asfortranarray(X, dtype=float),
        "every other": np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2] + 0.0,
        "CSR": sp.csr_array(X.astype(float)),
        "CSR float32": sp.csr_array(X.astype(np.float32)),
        "CSR int64": sp.csr_array(X.astype(np.int64)),
        "COO": sp.coo_array(X.astype(float)),
        "lists": X.tolist(),
    }
    for name, matrix in table.items():
        yield f"storage {name}", fitted(Perceptron(max_iter=50), matrix, y)
        yield f"storage averaged {name}", fitted(AveragedPerceptron(max_iter=20), matrix, y)
    for kind in (np.float32, np.float16, ">f4", np.longdouble):
        learner = Perceptron(max_iter=50)
        yield f"storage digits {np.dtype(kind).str}", fitted(learner, wide.astype(kind), labels)
    yield "storage bool", fitted(Perceptron(max_iter=50), X > 0, y)
    yield "storage uint64", fitted(Perceptron(max_iter=50), (X + 20).astype(np.uint64), y)
    for index in (np.int32, np.int64):
        rows, signs = made.sparse(1500, 60, 32, noise=3, index=index)
        for order in ("cyclic", "shuffled", "worst"):
            learner = Perceptron(max_iter=25, order=order, random_state=1)
            yield f"storage sparse {index.__name__} {order}", fitted(learner, rows, signs)


def extremes():
    """Subnormal and huge numbers, cancelling ones, negative zeros, scores of exactly 0."""
    for seed, (low, high) in enumerate([(-1074, -900), (-1074, 400), (-300, 900), (500, 1000)]):
        data = made.extreme(30, 4, 40 + seed, low, high)
        for order in ("cyclic", "worst"):
            learner = Perceptron(max_iter=40, order=order)
            yield f"extreme {low} to {high} {order}", fitted(learner, *data)
        yield f"extreme averaged {low} to {high}", fitted(AveragedPerceptron(max_iter=9), *data)
        pocket = PocketPerceptron(max_iter=9, random_state=0)
        yield f"extreme pocket {low} to {high}", fitted(pocket, *data)
        rows = sp.csr_array(data[0])
        yield f"extreme CSR {low} to {high}", fitted(Perceptron(max_iter=40), rows, data[1])
        tiny = Perceptron(max_iter=9, eta0=5e-324)
        yield f"extreme eta0 {low} to {high}", fitted(tiny, *data)
    for seed, tie in product(range(3), ("mistake", "+1", "-1")):
        data = made.near_ties(25, 3, 50 + seed)
        yield f"ties {seed} {tie}", fitted(Perceptron(max_iter=50, tie=tie), *data)
        worst = Perceptron(max_iter=20, tie=tie, order="worst")
        yield f"ties worst {seed} {tie}", fitted(worst, *data)
        voted = VotedPerceptron(max_iter=10, tie=tie)
        yield f"ties voted {seed} {tie}", fitted(voted, *data)


def exact():
    """Rational weights: of whole numbers, decimals, fractions and numbers of extreme sizes."""
    tables = {
        "integers": made.integers(40, 4, 60, noise=3),
        "tenths": made.tenths(40, 4, 61),
        "fractions": made.fractions(25, 3, 62),
        "sparse": made.sparse(60, 12, 63),
        "digits": made.many_digits(25, 3, 64),
        "extreme": made.extreme(12, 2, 65, -200, 200),
        "long cycle": made.overlapping(9, 3, 66),
    }
    for (name, data), order in product(tables.items(), ("cyclic", "shuffled")):
        learner = Perceptron(arithmetic="exact", max_iter=60, order=order, random_state=2)
        yield f"exact {name} {order}", fitted(learner, *data)
    for name, data in tables.items():
        learner = AveragedPerceptron(arithmetic="exact", max_iter=20)
        yield f"exact averaged {name}", fitted(learner, *data)
    X, y = tables["tenths"]
    learner = Perceptron(arithmetic="exact", eta0=Fraction(1, 3), max_iter=30)
    yield "exact thirds", fitted(learner, X, y)
    weights = made.weights_of(len(y), 67)
    learner = Perceptron(arithmetic="exact", max_iter=30)
    yield "exact weights", fitted(learner, X, y, weights)


def others():
    """Pocket, averaged and voted: every order, with weights, in batches, for many classes."""
    noisy = made.tenths(150, 5, 70, noise=25)
    sparse = made.sparse(200, 40, 71, noise=30)
    classes = made.integers(90, 4, 72, classes=3, noise=10)
    weights = made.weights_of(150, 73)
    orders = ("cyclic", "shuffled", "random")
    for order, (name, data) in product(orders, (("dense", noisy), ("sparse", sparse))):
        options = {"order": order, "random_state": 5}
        for ratchet in (False, True):
            learner = PocketPerceptron(max_iter=12, ratchet=ratchet, **options)
            yield f"pocket {name} {order} ratchet={ratchet}", fitted(learner, *data)
        learner = AveragedPerceptron(max_iter=12, **options)
        yield f"averaged {name} {order}", fitted(learner, *data)
        learner = VotedPerceptron(max_iter=6, **options)
        yield f"voted {name} {order}", fitted(learner, *data)
    for ratchet in (False, True):
        learner = PocketPerceptron(max_iter=12, ratchet=ratchet, random_state=6)
        yield f"pocket weights ratchet={ratchet}", fitted(learner, *noisy, weights)
    for learner in (AveragedPerceptron(max_iter=9), VotedPerceptron(max_iter=5)):
        yield f"{type(learner).__name__} weights", fitted(learner, *noisy, weights)
    for each in (AveragedPerceptron, VotedPerceptron, PocketPerceptron):
        options = {} if each is not PocketPerceptron else {"ratchet": False, "random_state": 1}
        name = each.__name__
        yield f"{name} three classes", fitted(each(max_iter=8, **options), *classes)
        yield f"{name} batches", _in_batches(each(**options), *noisy)
        yield f"{name} batches, weights", _in_batches(each(**options), *noisy, weights)
        learner = each(max_iter=4, warm_start=True, **options)
        yield f"{name} warm start", _warm(learner, *noisy)
    for order, tie in product(orders, ("mistake", "-1")):
        options = {"order": order, "tie": tie, "random_state": 8}
        learner = AveragedPerceptron(multi_class="joint", max_iter=9, **options)
        yield f"joint {order} {tie}", fitted(learner, *classes)
    rows = sp.csr_array(classes[0].astype(float))
    joint = AveragedPerceptron(multi_class="joint", max_iter=9)
    yield "joint sparse", fitted(joint, rows, classes[1])
    yield "joint batches", _in_batches(AveragedPerceptron(multi_class="joint"), *classes)
    full = VotedPerceptron(max_iter=9, max_mistakes=20)
    yield "voted until full", fitted(full, *noisy)


def kernels():
    """Kernels whose values are whole numbers (or given): no order of a sum can change them."""
    X, y = made.integers(60, 3, 80, noise=9)
    values = (X @ X.T).astype(float) ** 2 + 1
    orders = ("cyclic", "shuffled", "random")
    for order, removal in product(orders, ("forgetron", "random")):
        options = {"order": order, "random_state": 3, "max_iter": 10}
        learner = KernelPerceptron(kernel="poly", degree=2, gamma=1, coef0=1, **options)
        yield f"kernel poly {order} {removal}", fitted(learner.set_params(removal=removal), X, y)
        learner = KernelPerceptron(kernel="precomputed", budget=12, removal=removal, **options)
        yield f"kernel budget {order} {removal}", fitted(learner, values, y)
    for order in orders:
        learner = KernelPerceptron(kernel="linear", order=order, random_state=3, max_iter=30)
        yield f"kernel linear {order}", fitted(learner, X, y)
    X, y = made.integers(60, 3, 81, classes=3)
    for budget in (None, 8):
        learner = KernelPerceptron(kernel="poly", gamma=1, budget=budget, max_iter=8)
        yield f"kernel three classes budget={budget}", fitted(learner, X, y)
        learner = KernelPerceptron(kernel="poly", gamma=1, budget=budget)
        yield f"kernel batches budget={budget}", _in_batches(learner, X, y)
    rows = sp.csr_array(X.astype(float))
    learner = KernelPerceptron(kernel="poly", gamma=1, max_iter=8)
    yield "kernel sparse", fitted(learner, rows, y)
    learner = KernelPerceptron(
        kernel="poly", degree=2, gamma=1, max_iter=8, class_weight="balanced"
    )
    yield "kernel balanced", fitted(learner, X, y)


def batches():
    """Rows from files, read in batches: CSV, svmlight and .npy."""
    X, y = made.tenths(700, 6, 90, noise=20)
    rows, signs = made.sparse(700, 30, 91, noise=20)

    def from_file(write, options, learner):
        def run():
            with tempfile.TemporaryDirectory() as folder:
                path = write(Path(folder))
                return record_of_fitted(learner.fit(scan(path, cache=False, **options)))

        return run

    def csv(folder):
        lines = [
            ",".join([*map(repr, row), str(label)])
            for row, label in zip(X.tolist(), y.tolist(), strict=True)
        ]
        (folder / "rows.csv").write_text("a,b,c,d,e,f,y\n" + "\n".join(lines) + "\n")
        return folder / "rows.csv"

    def svmlight(folder):
        lines = []
        for i, label in enumerate(signs.tolist()):
            span = slice(rows.indptr[i], rows.indptr[i + 1])
            pairs = zip(rows.indices[span].tolist(), rows.data[span].tolist(), strict=True)
            lines.append(" ".join([str(label), *(f"{j + 1}:{value!r}" for j, value in pairs)]))
        (folder / "rows.svmlight").write_text("\n".join(lines) + "\n")
        return folder / "rows.svmlight"

    learners = {
        "perceptron": lambda: Perceptron(max_iter=15),
        "averaged": lambda: AveragedPerceptron(max_iter=9),
        "pocket": lambda: PocketPerceptron(max_iter=6, order="cyclic"),
    }
    for name, learner in learners.items():
        options = {"label": "y", "batch_rows": 64}
        yield f"scan CSV {name}", from_file(csv, options, learner())
        options = {"batch_rows": 100}
        yield f"scan svmlight {name}", from_file(svmlight, options, learner())
    options = {"label": "y", "batch_rows": 64, "standardise": True}
    yield "scan standardised", from_file(csv, options, Perceptron(max_iter=15))


def online():
    """Learning from a stream: row by row, many at once, by name, with a window."""
    X, y = made.tenths(400, 5, 100, noise=60)
    signs = 2 * y - 1
    kinds = {
        "perceptron": (OnlinePerceptron, {}),
        "averaged": (OnlineAveragedPerceptron, {}),
        "pocket": (OnlinePocketPerceptron, {"window": 50}),
        "pocket without rows": (OnlinePocketPerceptron, {"keep_rows": False}),
    }

    def learned(learner, mistakes):
        weights = [learner.coef_, np.array([learner.intercept_])]
        return [str(int(np.sum(mistakes))), *written(*weights, np.array(mistakes))]

    def many(kind, options, rows):
        def run():
            learner = kind(eta0=0.3, **options)
            return learned(learner, learner.learn_many(rows, signs[: rows.shape[0]]))

        return run

    def one_by_one(kind, options):
        def run():
            learner = kind(**options)
            pairs = zip(X, signs.tolist(), strict=True)
            return learned(learner, [learner.learn(row, sign) for row, sign in pairs])

        return run

    def by_name(kind, options):
        def run():
            learner = kind(**options)
            rows = [{f"x{j}": x for j, x in enumerate(row) if x > -1} for row in X[:150].tolist()]
            pairs = zip(rows, signs.tolist(), strict=False)
            return learned(learner, [learner.learn(row, sign) for row, sign in pairs])

        return run

    sparse = made.sparse(400, 30, 101)[0]
    for name, (kind, options) in kinds.items():
        yield f"online {name} many", many(kind, options, X)
        yield f"online {name} many float32", many(kind, options, X.astype(np.float32))
        yield f"online {name} many sparse", many(kind, options, sparse)
        yield f"online {name} one by one", one_by_one(kind, options)
        yield f"online {name} by name", by_name(kind, options)
        tie = {**options, "tie": "-1", "fit_intercept": False}
        yield f"online {name} no bias", many(kind, tie, X)


def traces():
    """Every mistake of a run in its order, with its score."""
    tables = {"tenths": made.tenths(60, 3, 110, noise=5), "sparse": made.sparse(80, 9, 111)}

    def traced(data, options):
        def run():
            found = novikoff.trace(*data, max_iter=30, random_state=0, **options)
            counts = [str(found.n_mistakes), str(found.n_epochs), found.status.name]
            weights, bias = found.weights_after(found.n_mistakes)
            return [*counts, *written(weights, [bias], found.rounds, found.rows)]

        return run

    for (name, data), order in product(tables.items(), ("cyclic", "shuffled", "random", "worst")):
        yield f"trace {name} {order}", traced(data, {"order": order})


def refused():
    """What is refused, or cannot go on: the error's class is the record."""
    X, y = made.integers(20, 2, 120)
    huge = made.extreme(20, 2, 121, 1000, 1023)
    yield "error too large", fitted(Perceptron(eta0=1e300), *huge)
    yield "error too large, averaged", fitted(AveragedPerceptron(eta0=1e300), *huge)
    yield "error not a number", fitted(Perceptron(), np.where(X > 8, np.nan, X), y)
    yield "error infinite", fitted(Perceptron(), np.where(X > 8, np.inf, X), y)
    yield "error one class", fitted(Perceptron(), X, np.zeros(20))
    yield "error eta0", fitted(Perceptron(eta0=0), X, y)
    yield "error weights", fitted(Perceptron(), X, y, np.full(20, -1.0))
    yield "error integer too long", fitted(Perceptron(), X + 2**60 + 1, y)
    yield "error ragged", fitted(Perceptron(), [[1, 2], [3]], [0, 1])
