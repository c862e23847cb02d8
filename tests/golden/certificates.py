"""Problems of all kinds, each as the record of its verdict and its certificate.

A record says what was decided, and then its bits: a hash of the certificate's JSON, the ends of the
margins' intervals, the rows of the proof. Verdicts are the same on every machine, and so are most
proofs. But floating point proposes what exactly is proven (which of many separators, which rows),
by sums whose order the processor's registers and its BLAS choose. Separators are always such, and
those problems named in `PROPOSED` were found by writing the records with others
(`python -m tests.golden` says how): their records leave out the bits, except `--in-full`. Proofs in
floating point are in a section of their own, without bits too: LAPACK made their α.
"""

import hashlib
import warnings
from itertools import product

import numpy as np
import scipy.sparse as sp
from tests.golden import points as made

import novikoff
from novikoff import detect_separation, fewest_errors, separate

SECTIONS = ("certificates", "order of sums", "floating point", "errors")
MODELS = (
    "logit", "probit", "cloglog", "binomial", "poisson", "negative-binomial", "multinomial",
    "ordinal", "conditional", "cox",
)  # fmt: skip

PROPOSED = frozenset((
    "extreme 0 bias=False", "ties 0 bias=True", "ties 0 bias=False", "dummies 1 bias=True",
    "dummies 1 bias=False", "dummies 1 exact", "face 2", "face 5", "fewest 3 bias=False",
    "fewest 4 bias=True", "fewest separable", "logit 4", "probit 4", "cloglog 4", "binomial 3",
    "binomial 4", "poisson 3", "poisson 4", "negative-binomial 3", "negative-binomial 4",
    "multinomial 0", "multinomial 3", "multinomial 4", "ordinal 0", "ordinal 1", "ordinal 4",
    "cox 3",
))  # fmt: skip


def everything():
    """The name of each problem, and what makes its record."""
    yield from verdicts()
    yield from fewest()
    yield from regressions()


def section_of(problem, record):
    """Where a record is kept: most with the certificate's hash, some in sections of their own."""
    if "floating point" in problem:
        return "floating point"
    if is_proposed(problem, record):
        return "order of sums"
    return "certificates" if " " in record or record == "undecided" else "errors"


def is_proposed(problem, record):
    """Whether what is proven depends on the order of sums."""
    separates = record.startswith(("separable", "0..0", "complete"))
    return separates or problem in PROPOSED or "floating point" in problem


def record_of(problem, name, *, in_full=False):
    """What the golden file says of a problem: text, or the name of the error that ends it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer, bits = problem()
        except novikoff.NovikoffError as error:
            return type(error).__name__
    if in_full or not is_proposed(name, answer[0]):
        return " ".join([*answer, *bits])
    return " ".join(answer)


def hashed(certificate):
    """The first half of the SHA-256 of a certificate's JSON."""
    return hashlib.sha256(certificate.to_json().encode()).hexdigest()[:32]


def decided(*data, **options):
    """The record of `separate`."""

    def problem():
        verdict = separate(*data, **options)
        if verdict.word == "undecided":
            return [verdict.word], []
        certificate = verdict.certificate()
        valid = "valid" if novikoff.verify(certificate, *data).valid else "invalid"
        if verdict.word != "separable":
            rows = ",".join(map(str, verdict.rows[:12].tolist()))
            return [verdict.word, valid], [hashed(certificate), rows]
        intervals = (
            verdict.margin, verdict.augmented_margin, verdict.mistake_bound, verdict.radius
        )  # fmt: skip
        ends = [float(end).hex() for each in intervals for end in (each.lower, each.upper)]
        about = [f"{each.lower:.9g}" for each in intervals]
        return [verdict.word, valid, *about], [hashed(certificate), *ends]

    return problem


def verdicts():
    """Separable, touching, overlapping: numbers and storages of every kind, with and without b."""
    kinds = {
        "integers": (made.integers(30, 2, 1), made.close(60, 3, 2), made.overlapping(30, 2, 3)),
        "eighths": (made.eighths(30, 2, 4), made.eighths(30, 3, 5, noise=3)),
        "tenths": (made.tenths(30, 2, 6), made.tenths(30, 3, 7, noise=3)),
        "digits": (made.many_digits(30, 3, 8), made.many_digits(30, 3, 9, noise=3)),
        "fractions": (made.fractions(20, 2, 10), made.fractions(20, 2, 11, noise=3)),
        "extreme": (made.extreme(8, 2, 12, -300, 300), made.extreme(12, 2, 13)),
        "subnormal": (made.extreme(8, 2, 14, -1074, -1000), made.extreme(12, 2, 15, -1074, -1040)),
        "ties": (made.near_ties(12, 2, 16), made.near_ties(9, 3, 17)),
        "dummies": (made.rare_dummies(40, 4, 18), made.rare_dummies(60, 4, 19, noise=4)),
        "sparse": (made.sparse(40, 6, 20), made.sparse(40, 4, 21, noise=3)),
        "few": (made.overlapping(5, 2, 22), made.overlapping(6, 2, 23), made.overlapping(7, 3, 24)),
    }
    for (name, tables), bias in product(kinds.items(), (True, False)):
        for k, (X, y) in enumerate(tables):
            yield f"{name} {k} bias={bias}", decided(X, y, fit_intercept=bias)
    for name in ("integers", "eighths", "tenths", "dummies"):
        for k, (X, y) in enumerate(kinds[name]):
            yield f"{name} {k} exact", decided(X, y, exact=True)
            yield f"{name} {k} floats", decided(X, y, exact=False)
    for k, (X, y) in enumerate(kinds["tenths"]):
        yield f"tenths {k} decimals", decided(X, y, decimals=True)
        yield f"tenths {k} CSR decimals", decided(sp.csr_array(X), y, decimals=True)
    X, y = kinds["integers"][1]
    for kind in (np.int64, np.int32, np.uint8, np.float32, ">f8", ">i4", np.float16):
        rows = X % 256 if kind is np.uint8 else X % 1024
        yield f"type {np.dtype(kind).str}", decided(rows.astype(kind), y)
        if np.dtype(kind).kind != "f" and np.dtype(kind).isnative:
            yield f"type CSR {np.dtype(kind).str}", decided(sp.csr_array(rows.astype(kind)), y)
    big = X.astype(np.int64) * (2**53 + 1) // 1024
    yield "type long int64", decided(big, y)
    yield "type Fortran", decided(np.asfortranarray(X, dtype=float), y)
    for seed in range(12):
        X, y = made.overlapping(6 + seed, 3, 30 + seed)
        yield f"small {seed}", decided(np.where(np.abs(X) < 4, 0, X), y)
    for seed in range(8):
        yield f"face {seed}", decided(*made.rare_dummies(30 + 5 * seed, 3 + seed, 50 + seed))
    for d in (6, 9, 17, 40):
        yield f"columns {d} separable", decided(*made.many_digits(4 * d, d, 60))
        yield f"columns {d} overlapping", decided(*made.many_digits(4 * d, d, 61, noise=2 * d))
    yield "many rows", decided(*made.close(4000, 4, 70))
    yield "many rows, noise", decided(*made.eighths(4000, 4, 71, noise=9))
    for d in (120, 260):
        yield f"proof in floating point {d}", decided(*made.overlapping(3 * d, d, 72))


def fewest():
    """The fewest errors: plane, conflicts and tree."""

    def problem(*data, **options):
        def run():
            found = fewest_errors(*data, **options)
            bounds = found.errors
            wrong = ",".join(map(str, found.wrong_rows.tolist()))
            return [f"{bounds.lower}..{bounds.upper}"], [hashed(found.certificate()), wrong]

        return run

    for seed, bias in product(range(6), (True, False)):
        X, y = made.integers(18 + 2 * seed, 2, 80 + seed, noise=4)
        yield f"fewest {seed} bias={bias}", problem(X, y, fit_intercept=bias)
    for seed in range(3):
        X, y = made.tenths(20, 2, 90 + seed, noise=4)
        yield f"fewest tenths {seed}", problem(X, y)
        yield f"fewest decimals {seed}", problem(X, y, decimals=True)
        weights = made.weights_of(20, seed)
        yield f"fewest weights {seed}", problem(X, y, weights=weights)
    yield "fewest sparse", problem(*made.sparse(25, 4, 94, noise=6))
    yield "fewest int64", problem(*made.integers(25, 3, 95, noise=8))
    yield "fewest separable", problem(*made.integers(25, 2, 96))


def outcome(model, X, rng):
    """What was observed, for each model."""
    n = len(X)
    score = X[:, 0] + rng.randint(-1, 2, n)
    binary = (score > 0).astype(int)
    binary[:2] = 0, 1
    levels = np.clip(score, 0, 2)
    levels[:3] = 0, 1, 2
    strata = np.arange(n) // 4
    match model:
        case "binomial":
            trials = rng.randint(1, 4, n)
            return {"y": np.clip(score, 0, trials), "trials": trials}
        case "poisson" | "negative-binomial":
            return {"y": np.maximum(score, 0)}
        case "multinomial" | "ordinal":
            return {"y": levels}
        case "conditional":
            return {"y": binary, "strata": strata}
        case "cox":
            event = rng.randint(0, 2, n)
            event[0] = 1
            return {"time": rng.randint(1, 6, n), "event": event, "strata": strata % 2}
        case _:
            return {"y": binary}


def regressions():
    """Each model, from few values, so that all kinds of separation happen."""

    def problem(X, parts, **options):
        def run():
            found = detect_separation(X, **parts, **options)
            estimates = ",".join(str(each) for each in found.coefficients.values())
            separated = np.packbits(found.separated).tobytes().hex()
            bits = [] if found.kind == "undecided" else [hashed(found.certificate())]
            return [found.kind, estimates.replace(" ", "_"), separated], bits

        return run

    for model, seed in product(MODELS, range(5)):
        rng = np.random.RandomState(100 + seed)
        X = rng.randint(-1, 2, (12 + 3 * seed, 2)) * rng.randint(1, 4)
        if seed == 1:
            X[:, 1] = X[:, 0]
        if seed == 2:
            X = (X > 0).astype(int)
        parts = outcome(model, X, rng)
        if seed == 3:
            parts["weights"] = rng.randint(0, 3, len(X))
            parts["weights"][:3] = 1
        table = sp.csr_array(X.astype(float)) if seed == 4 else X / 10.0 if seed == 0 else X
        yield f"{model} {seed}", problem(table, parts, model=model, decimals=seed == 0)
