"""How the fuzzer changes certificates of the fewest errors and of regressions."""

from copy import deepcopy
from itertools import pairwise
from random import Random
from typing import Any

from tests.certificates.claims import Data
from tests.certificates.mutations import NUMBERS, VALUES, Fields, Mutation

NAMES = ["logit", "probit", "cloglog", "binomial", "poisson", "negative-binomial", "multinomial",
         "ordinal", "conditional", "cox", "log-binomial", "adjacent-category",
         "continuation-ratio", "ridge", 1]  # fmt: skip
PARTS = ["y", "trials", "strata", "time", "event", "entry", "weights", "offset"]


def change_errors(rng: Random, fields: Fields, data: Data) -> None:
    side = rng.randrange(2)
    old = fields["errors"][side]
    near = [str(int(old) - 1), str(int(old) + 1)] if old.isdigit() else []
    fields["errors"][side] = rng.choice([*near, *near, rng.choice(NUMBERS)])


def change_wrong_rows(rng: Random, fields: Fields, data: Data) -> None:
    rows = fields["wrong_rows"]
    if rows and rng.random() < 0.5:
        rows.pop(rng.randrange(len(rows)))
    else:
        rows.append(rng.choice([*range(fields["n"] + 1), -1, True, 1.0]))
        if rng.random() < 0.7:
            rows.sort()


def change_conflict(rng: Random, fields: Fields, data: Data) -> None:
    conflicts = fields["conflicts"]
    what = rng.randrange(6)
    if what == 0 or not conflicts:
        conflicts.append(deepcopy(rng.choice([*conflicts, rng.choice(VALUES)])))
    elif what == 1:
        conflicts.pop(rng.randrange(len(conflicts)))
    else:
        conflict = rng.choice(conflicts)
        if what == 2:
            share = conflict["share"]
            conflict["share"] = rng.choice([*NUMBERS, "0", "1", "1/2", f"{share}0", f"{share}/2"])
        elif what == 3:
            at = rng.randrange(len(conflict["alpha"]))
            conflict["alpha"][at] = rng.choice(NUMBERS)
        elif what == 4:
            at = rng.randrange(len(conflict["rows"]))
            conflict["rows"][at] = rng.choice([*range(fields["n"] + 1), -1, True])
        else:
            conflict[rng.choice(["rows", "alpha", "share", "more"])] = rng.choice(VALUES)


def change_row_weights(rng: Random, fields: Fields, data: Data) -> None:
    given = fields.setdefault("row_weights", ["1"] * fields["n"])
    what = rng.randrange(4)
    if what == 0:
        fields.pop("row_weights")
    elif what == 1:
        given[rng.randrange(len(given))] = rng.choice(["0", "1", "2", "3", "1/2", "1/3", "3/2"])
    elif what == 2:
        fields["row_weights"] = [rng.choice(["0", "2"])] * len(given)
    else:
        given[rng.randrange(len(given))] = rng.choice(NUMBERS)


def places(tree: Any) -> list[tuple[Any, str]]:
    """Every place of a tree below its root, as the split and its side."""
    if not isinstance(tree, dict):
        return []
    sides = [side for side in ("right", "wrong", "shares", "then") if side in tree]
    return [(tree, side) for side in sides] + [x for side in sides for x in places(tree[side])]


def change_tree(rng: Random, fields: Fields, data: Data) -> None:
    shares = [[j, conflict["share"]] for j, conflict in enumerate(fields["conflicts"])]
    root: dict[str, Any] = {"tree": fields.get("tree", shares)}
    split, side = rng.choice([(root, "tree"), *places(root["tree"])])
    node, row = split[side], rng.choice([*range(fields["n"]), *range(fields["n"]), -1, True, 10**9])
    what = rng.randrange(6)
    if what < 2:
        spared = [pair for pair in shares if row not in fields["conflicts"][pair[0]]["rows"]]
        split[side] = {"row": row, "right": deepcopy(node), "wrong": rng.choice([spared, node, []])}
        if what == 1:
            split[side] = {"fixed": [row], "shares": rng.choice([shares, node]), "then": node}
    elif what == 2 and isinstance(node, dict):
        if "fixed" in node:
            node["fixed"] = rng.choice([[row], sorted({row, 0}), [], [0, 0], row])
        else:
            node[rng.choice(["row", "more"])] = row
    elif what == 3 and isinstance(node, list) and node:
        node[rng.randrange(len(node))][rng.randrange(2)] = rng.choice([*NUMBERS, 0, 1, -1, True])
    elif what == 4 and isinstance(node, list):
        node.append(rng.choice([*shares, [0, "1"], [0], 1, ["0", "1"]]))
    else:
        split[side] = rng.choice([deepcopy(rng.choice(VALUES)), shares, node])
    fields["tree"] = root["tree"]
    if rng.random() < 0.1:
        fields.pop("tree")


def change_model(rng: Random, fields: Fields, data: Data) -> None:
    model = fields["model"]
    what = rng.randrange(5)
    if what == 0:
        model["name"] = rng.choice(NAMES)
    elif what == 1:
        key = rng.choice(["intercept", "decimals"])
        model[key] = not model[key]
        if key == "decimals" and rng.random() < 0.5:
            fields["decimals"] = model[key]
    elif what == 2:
        model["ties"] = rng.choice(["breslow", "efron", "exact", "discrete", None, 1])
    elif what == 3:
        model[rng.choice([*model, "more"])] = deepcopy(rng.choice(VALUES))
    else:
        fields["model"] = deepcopy(rng.choice(VALUES))
    rename_columns(rng, fields)


def change_levels(rng: Random, fields: Fields, data: Data) -> None:
    levels = fields["model"]["levels"]
    what = rng.randrange(4)
    if what == 0:
        levels.reverse()
    elif what == 1:
        levels.append(rng.choice([0, 1, 2, "0", "a", True, None, 1.0, [1]]))
    elif levels:
        at = rng.randrange(len(levels))
        levels[at] = rng.choice([*levels, 0, 1, 2, 0.0, "0", "1", False, True, None])
    if what == 3:
        fields["model"]["levels"] = [str(level) for level in levels]
    rename_columns(rng, fields)


def made_up(rng: Random, model: Any, data: Data) -> list[str]:
    """Names of columns that no claim may have: the outcome coded or multiplied, and none at all."""
    parts = [name for part in ("y", "time", "event") if (name := model["columns"].get(part))]
    made = [f"C({name})[T.1]" for name in parts]
    for name in set(parts) & set(data.header):
        cell = rng.choice(data.rows)[data.header.index(name)]
        made += [f"{name}[T.{cell}]", f"{name}:{name}", f"{rng.choice(data.header)}:{name}"]
    return [*made, "x0", "x7"]


def change_parts(rng: Random, fields: Fields, data: Data) -> None:
    model = fields["model"]
    what = rng.randrange(5)
    if what == 0:
        model["columns"][rng.choice(PARTS)] = rng.choice([*data.header, "absent", 1])
    elif what == 1:
        model["columns"].pop(rng.choice(list(model["columns"])))
    elif what == 2:
        at = rng.randrange(len(model["features"]))
        model["features"][at] = rng.choice([*data.header, *made_up(rng, model, data)])
    elif what == 3:
        model["features"].append(rng.choice([*data.header, *made_up(rng, model, data)]))
    else:
        rng.shuffle(model["features"])
    rename_columns(rng, fields)


def rename_columns(rng: Random, fields: Fields) -> None:
    """Mostly, the coefficients follow: an attacker would not leave them as they were."""
    model = fields["model"]
    if rng.random() < 0.2 or not isinstance(model, dict):
        return
    columns = (["(intercept)"] if model["intercept"] else []) + model["features"]
    levels = model["levels"]
    if model["name"] == "multinomial":
        columns = [f"{level}: {column}" for level in levels[1:] for column in columns]
    if model["name"] == "ordinal":
        columns = [f"{a}/{b}" for a, b in pairwise(levels)] + columns
    fields["columns"] = columns
    fields["d"] = len(columns)
    if rng.random() < 0.5 and isinstance(fields.get("weights"), list):
        short = fields["d"] - len(fields["weights"])
        fields["weights"] = [*fields["weights"], *["0"] * short][: fields["d"]]


FEWEST: list[Mutation] = [
    change_errors, change_wrong_rows, change_conflict, change_conflict, change_row_weights,
    change_tree, change_tree,
]  # fmt: skip
MODELS: list[Mutation] = [change_model, change_levels, change_parts, change_parts]
