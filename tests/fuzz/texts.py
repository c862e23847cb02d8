"""Text: numbers in every spelling are read as Python reads them, and damage is said in words."""

import io
import json
import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from tests.fuzz.cases import Case, Wrong

from novikoff import read
from novikoff.errors import NovikoffError
from novikoff.stream.feed import Settings, open_feed

SPELLINGS = [
    "0", "-0", "-0.0", "1", "+1", "-1", "01", "1.", ".5", "-.5", "1e5", "1E+5", "2e-3", "5e-324",
    "-4.9e-324", "2.5e-324", "1e-310", "2.2250738585072011e-308", "1.7976931348623157e308",
    "9007199254740993", "9007199254740992.5", "9223372036854775807", "9223372036854775808",
    "18446744073709551616", "-9223372036854775809", "123456789012345678901234567890", "0.1",
    "0.30000000000000004", "0.1000000000000000055511151231257827", "1e22", "1e23", "8.5e22",
    "1.00000000000000011102230246251565", "179769313486231570e291", "0." + "0" * 400 + "1",
    "1" + "0" * 300,
]  # fmt: skip
HOSTILE = [
    "", " ", "nan", "inf", "-inf", "NaN", "NA", "null", "1_000", "0x10", "0b1", "1e", "e5", "--1",
    "1,5", "1 2", "٣", "½", "１", "1e400", "-1e400", "1e-400", "1e99999999999", "True", "no",
    '"', '""', '"1', "'1'", "1\x00", "\x00", "\ufeff1", "\r", "#", ":", "=1+1", "{}", "[]", "1/3",
    "7" * 5000, "x" * 70_000,
]  # fmt: skip
BYTES = [b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b'"', b"\n", b"\r", b",",
         b":", b"\xc3", b"[" * 1000, b"{", b"\\ud800", b"\t", b" ", b"1", b"-", b"e"]  # fmt: skip
JSON: list[Any] = [None, True, 1e400, math.nan, 10**400, -0.0, 5e-324, "", "a", [], {}, "\ud800",
                   [[1]], 2**53 + 1]  # fmt: skip


def draw(rng: np.random.Generator) -> Case:
    kinds: list[Callable[[np.random.Generator], Case]] = [
        _good_csv, _good_svmlight, _bad_csv, _bad_svmlight, _stream,
    ]  # fmt: skip
    return kinds[rng.integers(len(kinds))](rng)


def _numbers(rng: np.random.Generator, n: int, d: int) -> list[list[str]]:
    """Numbers as people and programs write them."""
    one = [repr(float(x)) for x in rng.normal(size=4) * 10.0 ** rng.integers(-300, 300, 4)]
    return [[str(rng.choice([*SPELLINGS, *one])) for _ in range(d)] for _ in range(n)]


def _shape(rng: np.random.Generator) -> tuple[int, int]:
    return int(rng.integers(2, 6)), int(rng.integers(1, 4))


def _csv(rng: np.random.Generator, cells: list[list[str]]) -> str:
    """Lines with one of the delimiters, line ends, and ways to quote."""
    mark, end = str(rng.choice([",", ";", "\t", "|"])), str(rng.choice(["\n", "\r\n"]))
    quoted = rng.random() < 0.2
    lines = [[*(f"c{j}" for j in range(len(cells[0]))), "y"]]
    lines += [[*row, "ab"[i % 2]] for i, row in enumerate(cells)]
    text = end.join(mark.join(f'"{x}"' if quoted else x for x in line) for line in lines)
    return str(rng.choice(["", "\ufeff"])) + text + (end if rng.random() < 0.7 else "")


def _good_csv(rng: np.random.Generator) -> Case:
    cells = _numbers(rng, *_shape(rng))
    return Case(check_numbers, {"text": _csv(rng, cells), "suffix": ".csv", "cells": cells})


def _good_svmlight(rng: np.random.Generator) -> Case:
    cells = _numbers(rng, *_shape(rng))
    first = int(rng.integers(2))
    places = [first, *np.sort(rng.choice(np.arange(first + 1, 30), len(cells[0]) - 1, False))]
    lines = [
        f"{(-1) ** i} " + " ".join(f"{j}:{x}" for j, x in zip(places, row, strict=True))
        for i, row in enumerate(cells)
    ]
    wide = [["0"] * (int(places[-1]) + 1 - first) for _ in cells]
    for row, given in zip(wide, cells, strict=True):
        for j, x in zip(places, given, strict=True):
            row[int(j) - first] = x
    return Case(check_numbers, {"text": "\n".join(lines) + "\n", "suffix": ".svm", "cells": wide})


def _damaged(rng: np.random.Generator, text: bytes) -> bytes:
    for _ in range(int(rng.integers(0, 3))):
        at = int(rng.integers(len(text) + 1))
        text = text[:at] + BYTES[rng.integers(len(BYTES))] + text[at + int(rng.integers(2)) :]
    return text


def _bad_cells(rng: np.random.Generator) -> list[list[str]]:
    cells = _numbers(rng, *_shape(rng))
    for _ in range(int(rng.integers(0, 3))):
        row = cells[rng.integers(len(cells))]
        row[rng.integers(len(row))] = HOSTILE[rng.integers(len(HOSTILE))]
    return cells


def _bad_csv(rng: np.random.Generator) -> Case:
    text = _csv(rng, _bad_cells(rng)).encode("utf-8", "surrogatepass")
    return Case(check_damaged, {"text": _damaged(rng, text), "suffix": ".csv"})


def _bad_svmlight(rng: np.random.Generator) -> Case:
    lines = []
    for i, row in enumerate(_bad_cells(rng)):
        indices = rng.choice([0, 1, 2, 3, 7, 99, 2**31 - 1 if rng.random() < 0.01 else 5], len(row))
        pairs = (f"{j}:{x}" for j, x in zip(indices, row, strict=True))
        lines.append(f"{(-1) ** i} " + " ".join(pairs))
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return Case(check_damaged, {"text": _damaged(rng, text), "suffix": ".svm"})


def _stream(rng: np.random.Generator) -> Case:
    """Lines for `novikoff stream --skip-bad`: each is learned, or counted as bad."""
    kind = ["jsonl", "csv", "svmlight"][rng.integers(3)]
    if kind == "jsonl":
        records: list[Any] = []
        for i in range(int(rng.integers(1, 5))):
            values: list[Any] = [JSON[rng.integers(len(JSON))] for _ in range(3)]
            records.append({"a": values[0], "b": float(i), "y": i % 2} | (
                {"c" if rng.random() < 0.5 else "\ud800": values[1]} if rng.random() < 0.5 else {}
            ))  # fmt: skip
        text = "\n".join(map(json.dumps, records)).encode()
        if rng.random() < 0.1:
            text += b"\n" + b"[" * 100_000
    elif kind == "csv":
        text = _csv(rng, _bad_cells(rng)).encode("utf-8", "surrogatepass")
    else:
        case = _bad_svmlight(rng)
        text = case.arguments["text"]
    return Case(check_stream, {"text": _damaged(rng, text), "kind": kind})


def _in_file(text: bytes, suffix: str, use: Callable[[Path], Any]) -> Any:
    handle, name = tempfile.mkstemp(suffix)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        return use(Path(name))
    finally:
        os.unlink(name)


def check_numbers(text: str, suffix: str, cells: list[list[str]]) -> str:
    """Every number of a good file is the float64 nearest to it."""
    label = {} if suffix == ".svm" else {"label": "y"}
    if suffix == ".svm" and not any(float(cell) for row in cells for cell in row):
        return "nothing to read"
    table = _in_file(text.encode(), suffix, lambda path: read(path, float64=True, **label))
    dense = table.X.toarray() if sp.issparse(table.X) else table.X
    found = [[float(value) for value in row] for row in dense.tolist()]
    expected = [[float(cell) for cell in row] for row in cells]
    if suffix == ".svm":  # a column of zeros at an end is not known to such a file
        found, expected = _without_zeros(found), _without_zeros(expected)
    if found != expected:
        raise Wrong(f"read {found}, and it is {expected}")
    return f"read {suffix}"


def _without_zeros(rows: list[list[float]]) -> list[tuple[float, ...]]:
    """The columns that hold a number that is not 0."""
    return [column for column in zip(*rows, strict=True) if any(column)]


def check_damaged(text: bytes, suffix: str) -> str:
    """A table, or an error of ours."""
    label = {} if suffix == ".svm" else {"label": "y"}
    try:
        _in_file(text, suffix, lambda path: read(path, **label))
    except NovikoffError as error:
        str(error).encode("utf-8")
        return f"refused {suffix}"
    return f"taken {suffix}"


def check_stream(text: bytes, kind: str) -> str:
    """Every line is learned or skipped, unless the options do not fit the file."""
    label = None if kind == "svmlight" else "y"
    classes = ("a", "b") if kind == "csv" else ("-1", "1") if kind == "svmlight" else ("0", "1")
    return str(_in_file(text, ".txt", lambda path: _fed(path, kind, label, classes)))


def _fed(path: Path, kind: str, label: str | None, classes: tuple[str, str]) -> str:
    settings = Settings(str(path), format=kind, label=label, classes=classes)
    with open_feed(settings, state=None, sync=0, predictions=None) as feed:
        try:
            for line, ends_at in feed.lines(follow=False, patience=None):
                feed.take(line, ends_at, skip_bad=True)
            feed.finish(skip_bad=True)
        except NovikoffError as error:
            io.StringIO().write(str(error))
            return f"refused {kind}"
        return f"fed {kind}"
