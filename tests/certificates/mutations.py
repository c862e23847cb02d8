"""How the fuzzer changes a certificate and the file it is about."""

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

from tests.certificates.claims import Data

Fields = dict[str, Any]
Mutation = Callable[[Random, Fields, Data], None]

NUMBERS = ["0", "1", "-1", "2", "1/2", "-3/7", "2/4", "1/0", "0.5", "1e3", "1e200000000", " 1", "",
           "+1", "-0", "٣", "1_0", "9" * 5000, "9" * 100_001,
           None, 1, 0.5, True, ["1"]]  # fmt: skip
CELLS = ["0", "1", "-1", "2", "0.1", "0.3", "1e-3", "0.30000000000000004", "1.0", " 1", "+1", "1/2",
         "0.12345678901234567890", "9007199254740993", "1e400", "1e-400", "1e99999", "nan", "inf",
         "", "x", "1_0", "0x1", "٣", "7" * 400, "-0.0", "5e-324"]  # fmt: skip
VALUES: list[Any] = [None, True, False, 0, 1, -1, 2, 4.0, "", "x", "true", [], {}, [[]], 10**30]


def change_number(rng: Random, fields: Fields, data: Data) -> None:
    name = rng.choice([name for name in ("weights", "alpha", "intercept") if name in fields])
    if name == "intercept":
        fields[name] = rng.choice(NUMBERS)
    elif fields[name]:
        fields[name][rng.randrange(len(fields[name]))] = rng.choice(NUMBERS)


def change_row(rng: Random, fields: Fields, data: Data) -> None:
    rows = fields.get("rows")
    if rows:
        at = rng.randrange(len(rows))
        rows[at] = rng.choice([rows[at] + 1, rows[at] - 1, rows[0], rows[-1], -1, 10**9, True, 1.0])
        if rng.random() < 0.5:
            with suppress(TypeError):
                rows.sort()


def change_length(rng: Random, fields: Fields, data: Data) -> None:
    lists = [name for name, value in fields.items() if isinstance(value, list)]
    values = fields[rng.choice(lists)]
    if rng.random() < 0.5 and values:
        values.pop(rng.randrange(len(values)))
    else:
        values.append(deepcopy(rng.choice([*values, *VALUES, "0", "a"])))


def change_value(rng: Random, fields: Fields, data: Data) -> None:
    name = rng.choice(list(fields))
    old = fields[name]
    if isinstance(old, bool):
        fields[name] = not old
    elif isinstance(old, int) and rng.random() < 0.7:
        fields[name] = old + rng.choice((-1, 1))
    else:
        fields[name] = deepcopy(rng.choice(VALUES))


def change_kind(rng: Random, fields: Fields, data: Data) -> None:
    """Another kind, with the fields that it has; their values made up, if need be."""
    kind = rng.choice(["separable", "touching", "overlapping", "not separable", "maybe"])
    spare = {"weights": [rng.choice(NUMBERS[:6]) for _ in fields["columns"]], "intercept": "0",
             "rows": list(range(fields["n"])), "alpha": ["1"] * fields["n"]}  # fmt: skip
    plane = kind in ("separable", "touching")
    alpha = kind in ("touching", "overlapping", "not separable")
    for name, needed in (
        ("weights", plane),
        ("intercept", plane),
        ("rows", alpha),
        ("alpha", alpha),
    ):
        if not needed:
            fields.pop(name, None)
        elif name not in fields:
            fields[name] = spare[name]
    fields["kind"] = kind


def change_columns(rng: Random, fields: Fields, data: Data) -> None:
    columns = fields["columns"]
    if isinstance(columns, list) and columns:
        at = rng.randrange(len(columns))
        names = [*columns, *data.header, "x0", "x1", "absent", "x01", 1]
        columns[at] = rng.choice(names)
        if rng.random() < 0.3:
            rng.shuffle(columns)


def change_label(rng: Random, fields: Fields, data: Data) -> None:
    fields["label"] = rng.choice([*data.header, None, "", "absent", 1])


def change_classes(rng: Random, fields: Fields, data: Data) -> None:
    known = [row[-1] for row in data.rows if row] + [
        "not c",
        "c",
        0,
        1,
        0.0,
        1.0,
        True,
        False,
        None,
    ]
    fields["classes"] = rng.choice(
        [fields["classes"][::-1] if isinstance(fields["classes"], list) else [],
         [rng.choice(known), rng.choice(known)], [rng.choice(known) for _ in range(3)]]
    )  # fmt: skip


def change_fields(rng: Random, fields: Fields, data: Data) -> None:
    if rng.random() < 0.5:
        fields.pop(rng.choice(list(fields)))
    else:
        name = rng.choice(["proof", "model", "signature", "weights", "rows", "conflicts"])
        fields[name] = deepcopy(rng.choice([*VALUES, "floating point"]))


def scale_proof(rng: Random, fields: Fields, data: Data) -> None:
    """Another proof of the same: all numbers times 3, where they are whole."""
    for name in ("weights", "alpha"):
        if isinstance(fields.get(name), list):
            fields[name] = [
                f"{3 * int(x)}" if str(x).lstrip("-").isdigit() else x for x in fields[name]
            ]


def change_cell(rng: Random, fields: Fields, data: Data) -> None:
    row = rng.choice(data.rows)
    if row:
        cells = [cell.strip() for cell in CELLS] if data.svmlight else CELLS
        row[rng.randrange(len(row))] = rng.choice(cells)


def move_cell(rng: Random, fields: Fields, data: Data) -> None:
    """A cell that is also elsewhere: data that stays plain, of another kind perhaps."""
    row, other = rng.choice(data.rows), rng.choice(data.rows)
    at = rng.randrange(len(row)) if row else 0
    if at < len(row) and at < len(other):
        row[at] = other[at]


def change_table(rng: Random, fields: Fields, data: Data) -> None:
    at = rng.randrange(len(data.rows))
    what = rng.randrange(6)
    if what == 0 and len(data.rows) > 1:
        data.rows.pop(at)
    elif what == 1:
        data.rows.insert(at, list(rng.choice(data.rows)))
    elif what == 2 and not data.svmlight:
        data.rows[at].append("1")
    elif what == 3 and not data.svmlight and len(data.rows[at]) > 1:
        data.rows[at].pop()
    elif what == 4:
        i = rng.randrange(len(data.rows))
        data.rows[i], data.rows[at] = data.rows[at], data.rows[i]
    elif rng.random() < 0.7:
        data.extra = " # a comment" if data.svmlight else "\n"
    elif data.svmlight:
        data.broken = rng.choice([" 3", " 99:1:2", " 99:1 99:1", " x99:1", " 1_1:1", " :"])
    else:
        data.broken = rng.choice([',"x"y', ",,", ",1,1"])


def change_header(rng: Random, fields: Fields, data: Data) -> None:
    if data.svmlight:
        return
    at = rng.randrange(len(data.header))
    what = rng.randrange(3)
    if what == 0:
        data.header[at] = rng.choice([*data.header, "a", "x0", "id"])
    elif what == 1:
        data.header.insert(at, "id")
        for i, row in enumerate(data.rows):
            row.insert(at, str(i))
    elif all(len(row) == len(data.header) for row in data.rows):
        order = rng.sample(range(len(data.header)), len(data.header))
        data.header[:] = [data.header[j] for j in order]
        for row in data.rows:
            row[:] = [row[j] for j in order]


MUTATIONS: list[Mutation] = [
    change_number, change_number, change_row, change_length, change_value, change_kind, change_kind,
    change_columns, change_label, change_classes, change_fields, scale_proof, change_cell,
    move_cell, move_cell, change_table, change_header,
]  # fmt: skip


def written(rng: Random, fields: Fields) -> str:
    """The text of the certificate, sometimes spelled as no program would."""
    text = json.dumps(fields)
    if rng.random() > 0.03:
        return text
    name = rng.choice(list(fields) or ["kind"])
    return rng.choice([
        text.replace("{", '{"' + name + '": 1, ', 1),
        text[:-1] + f', "{name}": ' + json.dumps(fields.get(name)) + "}",
        text.replace("[", "[" * 20_000, 1), text[:-1], text + " ", text.replace('"n": ', '"n": 0'),
        text.replace("1", "1e400", 1), text.replace(": true", ": NaN", 1), "[]", "",
    ])  # fmt: skip
