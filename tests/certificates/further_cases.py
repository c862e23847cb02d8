"""True certificates of the fewest errors and of regressions, each with the file it is about."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pandas as pd
from tests.certificates.claims import Data
from tests.certificates.mutations import Fields
from tests.regression.random_data import MODELS, MORE, random_data

from novikoff import detect_separation, fewest_errors
from novikoff.errors import NovikoffError

ROWS = 6  # the oracle of a regression goes through all small sets of its rows


@cache
def fewest_cases() -> list[tuple[Fields, Data]]:
    """With weights and without, with a tree and without; both classes, in small integers."""
    rng, found = Random(20260202), []
    wanted = Counter({(weighted, split): 6 for weighted in (0, 1) for split in (0, 1)})
    while wanted.total():
        n, d, weighted, split = rng.randint(3, 6), rng.randint(1, 2), *rng.choices((0, 1), k=2)
        cells = [[rng.choice(["0", "1", "-1", "0.1", "0.3"]) for _ in range(d)] for _ in range(n)]
        y = [rng.choice(("no", "yes")) for _ in range(n)]
        weights = [rng.choice((0, 1, 1, 2, 3)) for _ in range(n)] if weighted else None
        if len(set(y)) < 2 or wanted[weighted, split] == 0:
            continue
        X, names = [[float(cell) for cell in row] for row in cells], ["a", "b"][:d]
        best = fewest_errors(X, y, weights=weights, names=names, decimals=rng.random() < 0.5,
                             fit_intercept=rng.random() < 0.7)  # fmt: skip
        fields = best.certificate().to_dict()
        if split and fields["conflicts"] and "tree" not in fields:
            fields["tree"] = split_at(rng.randrange(n), X, y, fields)
        if ("tree" in fields) == bool(split) and fields["conflicts"]:
            wanted[weighted, split] -= 1
            rows = [[*row, label] for row, label in zip(cells, y, strict=True)]
            found.append((fields, Data([*names, "lab"], rows)))
    return found


def split_at(row: int, X: Any, y: Any, fields: Fields) -> dict[str, Any]:
    """A tree that proves what the shares do: the conflicts of the row are not needed if wrong."""
    shares = [[j, each["share"]] for j, each in enumerate(fields["conflicts"])]
    shares = [pair for pair in shares if pair[1] != "0"]
    sign = -1 if y[row] == "no" else 1

    def signed(i: int) -> list[float]:
        own = -1 if y[i] == "no" else 1
        return [own * x for x in X[i]] + [own] * fields["fit_intercept"]

    equal = {i for i in range(len(X)) if signed(i) == [sign * x for x in X[row]]
             + [sign] * fields["fit_intercept"]}  # fmt: skip
    spared = [pair for pair in shares if not equal & set(fields["conflicts"][pair[0]]["rows"])]
    return {"row": row, "right": shares, "wrong": spared}


@cache
def model_cases() -> list[tuple[Fields, Data]]:
    """Every model, on a few rows; tenths, so that decimals matter."""
    rng, found = Random(20260303), []
    wanted = Counter(dict.fromkeys([*MODELS, *MORE, "probit", "negative-binomial"], 5))
    seed = 0
    while wanted.total():
        name, seed = rng.choice([name for name in wanted if wanted[name]]), seed + 1
        X, data = random_data({"probit": "logit", "negative-binomial": "poisson"}.get(name, name),
                              seed)  # fmt: skip
        X, data = X[:ROWS], {part: values[:ROWS] for part, values in data.items()}
        scale = rng.choice((1, 1, 10))
        frame = pd.DataFrame(X / scale, columns=[f"a{j}" for j in range(X.shape[1])])
        texts = frame.map(lambda x: f"{x:g}")
        if name == "logit" and rng.random() < 0.5:
            data["y"] = [("lo", "up")[value] for value in data["y"]]
        if rng.random() < 0.4:
            data["weights"] = [rng.choice((0, 1, 2)) for _ in range(len(X))]
        options: dict[str, Any] = {"decimals": rng.random() < 0.5}
        if name == "cox":
            options["ties"] = rng.choice(("breslow", "efron", "exact"))
        try:
            verdict = detect_separation(
                list(frame.columns), data=frame.assign(**data), model=name,
                **{part: part for part in data}, **options)  # fmt: skip
            fields = verdict.certificate().to_dict()
        except NovikoffError:
            continue  # nothing to compare, or one class only
        wanted[name] -= 1
        extra = {"id": [str(i) for i in range(len(X))]} if rng.random() < 0.3 else {}
        table = pd.DataFrame(extra, index=texts.index).join(texts).assign(**data).astype(str)
        found.append((fields, Data(list(table.columns), table.to_numpy().tolist())))
    return found
