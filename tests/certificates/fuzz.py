"""Mutated certificates and mutated data, digests computed again, for the checker and for `verify`.

    python -m tests.fuzz --targets certificates

The attacker has read the source: after each change the hash of the data and the digest are made to
fit again. What the checker or `verify` accepts and `tests.certificates.claims` does not is a false
acceptance; what they refuse and it accepts, a false refusal.
"""

import json
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import scipy.sparse as sp
from tests.certificates.claims import (
    Data,
    Refused,
    arrays,
    as_read,
    chosen,
    numbers,
)
from tests.certificates.further_cases import fewest_cases, model_cases
from tests.certificates.further_mutations import FEWEST, MODELS
from tests.certificates.mutations import MUTATIONS, Fields, Mutation, written
from tests.certificates.oracle import as_arrays, data_hash, holds, is_true
from tests.certificates.proofs import checker, checker_for

from novikoff import Certificate, separate, verify
from novikoff.certificates.fields import content_digest
from novikoff.errors import CertificateError, DataError, NovikoffError, OptionError

BROKEN = (Refused, TypeError, ValueError, LookupError, ArithmeticError, AttributeError)
PLAIN = ["0", "1", "2", "-1", "0.1", "0.2", "0.3", "-0.5", "1.25", "3"]


@dataclass
class Report:
    """How many of what, and the cases that must not be."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0


@cache
def cases() -> list[tuple[Fields, Data]]:
    """True certificates of every kind and encoding, each with the file it is about."""
    rng = Random(20260101)
    found: list[tuple[Fields, Data]] = []
    wanted = Counter({(kind, way): 8 for kind in ("separable", "touching", "overlapping")
                      for way in ("dense", "decimals", "sparse", "fractions")})  # fmt: skip
    while wanted.total():
        way = rng.choice(["dense", "decimals", "sparse", "fractions"])
        n, d = rng.randint(2, 6), rng.randint(1, 3)
        cells = [[rng.choice(PLAIN[:4] if rng.random() < 0.6 else PLAIN) for _ in range(d)]
                 for _ in range(n)]  # fmt: skip
        if way == "fractions":
            cells = [[rng.choice([cell, "1/3", "-2/7"]) for cell in row] for row in cells]
        signs = [rng.choice((-1, 1)) for _ in range(n)]
        if len(set(signs)) == 2:
            fields, data = certified(rng, way, cells, signs)
            if wanted[fields["kind"], way] > 0:
                wanted[fields["kind"], way] -= 1
                found += [(fields, data)]
                if fields["kind"] == "overlapping":
                    found += [(fields | {"kind": "not separable"}, data)]
    return found


def certified(
    rng: Random, way: str, cells: list[list[str]], signs: list[int]
) -> tuple[Fields, Data]:
    """The certificate of these cells and signs, and a file that holds them."""
    svmlight = way == "sparse" and rng.random() < 0.7
    names = [f"x{j}" for j in sorted(rng.sample(range(1, 9), len(cells[0])))]
    if not svmlight:
        names = rng.choice([["a", "b", "c"], ["x0", "x1", "x2"], ["größe", "a b", "1"]])[
            : len(names)
        ]
    reading = {"encoding": "fractions" if way == "fractions" else "dense-float64",
               "decimals": way == "decimals"}  # fmt: skip
    data = Data(names, cells)
    read = as_read(reading, numbers(reading, data, names))
    X = arrays(reading, read)
    labels = rng.choice([["no", "yes"], ["0", "1"], ["not c", "c"], ["false", "True"]])
    if svmlight:
        labels = ["-1", "+1"]
    numbers_or_text: list[list[Any]] = [[0, 1], [0.0, 1.0], labels]
    known: list[Any] = rng.choice(numbers_or_text) if labels[0] == "0" else labels
    known = {"false": [False, True], "-1": [-1, 1]}.get(labels[0], known)
    verdict = separate(
        sp.csr_array(X) if way == "sparse" else X, np.array(signs), decimals=way == "decimals",
        fit_intercept=rng.random() < 0.7, names=names,
    )  # fmt: skip
    fields = verdict.certificate().to_dict() | {"classes": known}
    table = [[*row, labels[s > 0]] for row, s in zip(cells, signs, strict=True)]
    header = [*names, "label" if svmlight else rng.choice(["lab", "y"])]
    if rng.random() < 0.5 or svmlight:
        fields["label"] = header[-1]
    return fields, Data(header, table, svmlight)


def resealed(fields: Fields, data: Data) -> Fields:
    """The hash of the data and the digest, as far as they can be computed, as an attacker would."""
    with suppress(*BROKEN):
        fields["data_sha256"] = data_hash(fields, data)
    with suppress(NovikoffError):
        fields["digest"] = content_digest(fields)
    return fields


def by_checker(text: str, data: Data) -> bool:
    """What the checker says: the file of it that such certificates are for."""
    try:
        file = checker_for(json.loads(text))
    except Exception:
        file = "check"
    try:
        checker(file).check(text, data.lines(), data.svmlight)
    except Exception:
        return False
    return True


def by_verify(text: str, data: Data) -> bool | None:
    """What `verify` says of the same numbers, if the file can be read at all."""
    try:
        fields = json.loads(text)
        if "model" in fields:
            X, outcome = as_arrays(fields, data)
        else:
            X, outcome = points_and_labels(fields, data)
    except (*BROKEN, RecursionError):
        return None
    try:
        return bool(verify(Certificate.from_json(text), X, **outcome))
    except CertificateError:
        return False
    except (DataError, OptionError):
        return None  # an outcome out of range, perhaps of a row that is absent, or not named


def points_and_labels(fields: Fields, data: Data) -> tuple[Any, dict[str, Any]]:
    """The numbers and the labels as a user of the package would have them."""
    label, columns = chosen(fields, data)
    X = arrays(fields, as_read(fields, numbers(fields, data, columns)))
    labels: list[Any] = [row[data.header.index(label)] for row in data.rows]
    classes = fields["classes"]
    if isinstance(classes[0], bool):
        labels = [{"true": True, "false": False}[text.lower()] for text in labels]
    elif not isinstance(classes[0], str):
        labels = [float(text) for text in labels if Fraction(float(text)) == Fraction(text)]
    elif any(a == f"not {b}" for a, b in (classes, classes[::-1])) and "" not in labels:
        labels = [text if text in classes else max(classes, key=len) for text in labels]
    if len(labels) != len(data.rows):
        raise ValueError("float64 does not hold a label")
    return X, {"y": np.array(labels)}


@cache
def families() -> list[tuple[list[tuple[Fields, Data]], list[Mutation]]]:
    """The true certificates, each kind with the mutations that can touch it."""
    return [
        (cases(), MUTATIONS),
        (fewest_cases(), MUTATIONS + 2 * FEWEST),
        (model_cases(), MUTATIONS + 4 * MODELS),
    ]


def one(rng: Random, report: Report) -> None:
    """Change a true certificate, or its file, and ask everybody."""
    known_cases, mutations = rng.choice(families())
    known, file = rng.choice(known_cases)
    fields = json.loads(json.dumps(known))
    data = Data(list(file.header), [list(row) for row in file.rows], file.svmlight)
    for mutation in rng.choices(mutations, k=rng.choice((1, 1, 1, 2, 2, 3))):
        with suppress(TypeError, ValueError, LookupError, AttributeError, OverflowError):
            mutation(rng, fields, data)  # what another one has broken already is left as it is
    if rng.random() < 0.95:
        fields = resealed(fields, data)
    text = written(rng, fields)
    start = time.perf_counter()
    answers = {"checker": by_checker(text, data), "verify": by_verify(text, data)}
    report.slowest = max(report.slowest, time.perf_counter() - start)
    expected = holds(text, data)
    if answers["verify"] and not expected and fields.get("proof") == "floating point":
        answers["verify"] = not is_true(text, data)
    report.counts["mutations"] += 1
    report.counts["valid" if expected else "not valid"] += 1
    report.counts[f"valid {checker_for(known)}"] += expected
    for who, answer in answers.items():
        if answer is not None and answer != expected:
            what = "false acceptance" if answer else "false refusal"
            report.counts[f"{what} by {who}"] += 1
            case = f"{what} by {who}:\n{text[:2000]}\n{''.join(data.lines())[:2000]}"
            if report.counts[f"{what} by {who}"] <= 3:
                report.wrong.append(case)


def run(seed: int, mutations: int) -> Report:
    """So many mutations from one seed."""
    rng, report, limit = Random(seed), Report(), sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(100_000)  # as the checker does for itself
    try:
        for _ in range(mutations):
            one(rng, report)
    finally:
        sys.set_int_max_str_digits(limit)
    return report
