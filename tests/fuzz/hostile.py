"""Data as nobody would choose it: numbers of every size and kind, in every kind of array.

Everything is drawn from a NumPy generator, so one seed gives one problem. `source` writes a value
as Python that makes it again: its type, its byte order, its strides, zeros that are stored.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy.sparse as sp

TINY, LEAST, MOST = 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308
EDGES = [
    0.0, -0.0, 1.0, -1.0, 0.1, 1.0 + 2.0**-52, 2.0**53 - 1, 2.0**53, 2.0**53 + 2, -(2.0**53), 1e23,
]  # fmt: skip
EXTREMES = [
    0.0, -0.0, TINY, -TINY, 3 * TINY, 1e-310, LEAST, -LEAST, 1e-160, 1.0, -1.0, 3.0, 1e160, -1e160,
    1e300, -1e300, MOST, -MOST,
]  # fmt: skip
LONG = [0, 1, -1, 2, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, 2**62 + 2, 2**63 - 1]

Drawn = Callable[[np.random.Generator, int], list[Any]]


def _floats(numbers: Callable[[np.random.Generator, int], Any]) -> Drawn:
    return lambda rng, n: [float(value) for value in numbers(rng, n)]


# So many numbers of a kind, as Python's own floats.
FLOATS: dict[str, Drawn] = {
    "integers": _floats(lambda rng, n: rng.integers(-3, 4, n)),
    "dyadic": _floats(lambda rng, n: rng.integers(-20, 21, n) / 8),
    "decimals": _floats(lambda rng, n: np.round(rng.normal(size=n), int(rng.integers(1, 4)))),
    "normal": _floats(lambda rng, n: rng.normal(size=n)),
    "subnormal": _floats(lambda rng, n: rng.integers(-40, 41, n) * TINY),
    "nearly subnormal": _floats(lambda rng, n: rng.integers(-9, 10, n) * LEAST / 4),
    "tiny": _floats(lambda rng, n: rng.integers(-9, 10, n) * 1e-300),
    "huge": _floats(lambda rng, n: rng.integers(-9, 10, n) * 1e300),
    "largest": _floats(lambda rng, n: rng.integers(-4, 5, n) * (MOST / 4)),
    "mixed": _floats(lambda rng, n: rng.normal(size=n) * 2.0 ** rng.integers(-1000, 1000, n)),
    "edges": _floats(lambda rng, n: rng.choice(EDGES, n)),
    "extremes": _floats(lambda rng, n: rng.choice(EXTREMES, n)),
    "nearly equal": _floats(lambda rng, n: 1.0 + rng.integers(-2, 3, n) * 2.0**-52),
}
# The same for numbers that float64 does not hold.
EXACT: dict[str, Drawn] = {
    "long": lambda rng, n: [LONG[k] for k in rng.integers(0, len(LONG), n)],
    "small": lambda rng, n: [int(k) for k in rng.integers(-3, 4, n)],
    "thirds": lambda rng, n: [
        Fraction(int(p), int(q))
        for p, q in zip(rng.integers(-9, 10, n), rng.integers(1, 8, n), strict=True)
    ],
    "far": lambda rng, n: [
        Fraction(int(k)) * Fraction(10) ** int(e)
        for k, e in zip(rng.integers(-9, 10, n), rng.integers(-290, 290, n), strict=True)
    ],
    "decimals": lambda rng, n: [
        Decimal(int(k)).scaleb(-int(e))
        for k, e in zip(rng.integers(-(10**6), 10**6, n), rng.integers(0, 25, n), strict=True)
    ],
}


class Points(NamedTuple):
    """A matrix in some storage, and a label for each row."""

    X: Any
    y: Any


def points(rng: np.random.Generator, *, most_rows: int = 8, most_columns: int = 4) -> Points:
    """A labelled problem, of both classes."""
    shape = int(rng.integers(2, most_rows + 1)), int(rng.integers(1, most_columns + 1))
    if rng.random() < 0.2:
        return _exact_points(rng, *shape)
    X = float_matrix(rng, *shape)
    signs = labels(rng, X)
    if rng.random() < 0.2:
        X, signs = _contradicted(rng, X, signs)
    return Points(stored(rng, X), named(rng, signs))


def wide_or_long(rng: np.random.Generator) -> Points:
    """The same of another shape: few rows and many columns, or many rows."""
    n, d = (4, 50) if rng.random() < 0.5 else (200, 3)
    X = float_matrix(rng, n, d)
    return Points(stored(rng, X), named(rng, labels(rng, X)))


def float_matrix(rng: np.random.Generator, n: int, d: int) -> Any:
    """Float64 numbers of one kind or of several, with columns and rows that depend on others."""
    kinds = list(FLOATS)
    kind = kinds[rng.integers(len(kinds))]
    same = rng.random() < 0.5
    columns = [FLOATS[kind if same else kinds[rng.integers(len(kinds))]](rng, n) for _ in range(d)]
    X = np.array(columns).T.copy()
    for change in (_columns, _rows):
        while rng.random() < 0.35:
            change(rng, X)
    if rng.random() < 0.2:
        powers = rng.integers(-1000, 1001, n)[:, None] if rng.random() < 0.5 else rng.integers(
            -1000, 1001, d
        )  # fmt: skip
        with np.errstate(all="ignore"):
            X = _if_finite(np.ldexp(X, powers), X)
    if rng.random() < 0.3:
        X[rng.random(X.shape) < 0.3] = rng.choice([0.0, -0.0])
    return X


def _if_finite(new: Any, old: Any) -> Any:
    return new if np.isfinite(new).all() else old


def _columns(rng: np.random.Generator, X: Any) -> None:
    """A column that is 0, constant, constant on some rows, a copy of another, or a sum."""
    j, k, m = (int(rng.integers(X.shape[1])) for _ in range(3))
    some = rng.random(len(X)) < 0.6
    value = rng.choice([0.0, 1.0, 0.1, 3.0, -1.0])
    with np.errstate(all="ignore"):
        new = [
            lambda: np.zeros(len(X)),
            lambda: np.full(len(X), value),
            lambda: np.where(some, value, X[:, j]),
            lambda: X[:, k].copy(),
            lambda: np.ldexp(X[:, k], int(rng.integers(-60, 60))),
            lambda: -X[:, k],
            lambda: X[:, k] + X[:, m],
            lambda: X[:, k] - value,
        ][rng.integers(8)]()
    X[:, j] = _if_finite(new, X[:, j])


def _rows(rng: np.random.Generator, X: Any) -> None:
    """A row that is 0, a copy of another, its opposite, its double, or between two others."""
    i, k, m = (int(rng.integers(len(X))) for _ in range(3))
    with np.errstate(all="ignore"):
        new = [
            lambda: np.zeros(X.shape[1]),
            lambda: X[k].copy(),
            lambda: -X[k],
            lambda: 2 * X[k],
            lambda: X[k] / 2 + X[m] / 2,
            lambda: X[k] + X[m],
        ][rng.integers(6)]()
    X[i] = _if_finite(new, X[i])


def labels(rng: np.random.Generator, X: Any) -> Any:
    """−1 and +1, both of them: at random, or by the sign of a column, of which some are wrong."""
    signs = rng.choice([-1, 1], len(X))
    if rng.random() < 0.6:
        column = X[:, rng.integers(X.shape[1])]
        order = np.argsort(column, kind="stable")
        signs = np.where(np.argsort(order, kind="stable") < len(X) // 2, -1, 1)
        signs[rng.random(len(X)) < rng.choice([0.0, 0.0, 0.2])] *= -1
    if abs(signs.sum()) == len(X):
        signs[rng.integers(len(X))] *= -1
    return signs


def _contradicted(rng: np.random.Generator, X: Any, signs: Any) -> tuple[Any, Any]:
    """One point in both classes."""
    i = int(rng.integers(len(X)))
    return np.vstack([X, X[i : i + 1]]), np.append(signs, -signs[i])


def _exact_points(rng: np.random.Generator, n: int, d: int) -> Points:
    """Numbers that float64 rounds: long integers, fractions, decimals."""
    kinds = list(EXACT)
    kind = kinds[rng.integers(len(kinds))]
    columns = [EXACT[kind if rng.random() < 0.7 else "small"](rng, n) for _ in range(d)]
    X = np.array(columns, dtype=object).T.copy()
    if rng.random() < 0.3:
        X[rng.integers(n)] = X[rng.integers(n)]
    if rng.random() < 0.3:
        X[:, rng.integers(d)] = X[:, rng.integers(d)]
    signs = rng.choice([-1, 1], n)
    signs[:2] = -1, 1
    if kind in ("long", "small") and rng.random() < 0.8:
        X = abs(X).astype(np.uint64) if rng.random() < 0.3 else X.astype(np.int64)
        if rng.random() < 0.2:
            X = X.astype(X.dtype.newbyteorder(">"))
        elif rng.random() < 0.2:
            X = sp.csr_array(X)
    return Points(X, named(rng, signs))


def named(rng: np.random.Generator, signs: Any) -> Any:
    """Labels of some kind for the signs; the greater one is +1."""
    kinds: list[list[Any]] = [[-1, 1], [0, 1], [False, True], ["a", "b"], [0.5, 2.0], [-7, 300]]
    kind = kinds[rng.integers(len(kinds))]
    given = np.array(kind)[(signs > 0).astype(int)]
    return given.tolist() if rng.random() < 0.3 else given


def stored(rng: np.random.Generator, X: Any) -> Any:
    """Float64 numbers as some array holds them; rounded where it is of a narrow type."""
    ways = [_plain, _dense, _dense, _narrow, _sparse, _sparse, _other]
    return ways[rng.integers(len(ways))](rng, X)


def _plain(rng: np.random.Generator, X: Any) -> Any:
    return X


def _dense(rng: np.random.Generator, X: Any) -> Any:
    """Float64 in columns, with gaps, turned round, read-only, or big-endian."""
    return [
        lambda: np.asfortranarray(X),
        lambda: np.repeat(X, 2, axis=1)[:, ::2],
        lambda: X[::-1].copy()[::-1],
        lambda: np.broadcast_to(X, X.shape),
        lambda: X.astype(">f8"),
        lambda: np.asfortranarray(X.astype(">f8")),
    ][rng.integers(6)]()


def _narrow(rng: np.random.Generator, X: Any) -> Any:
    """A type that holds fewer numbers, if these are in its range."""
    kind = np.dtype(str(rng.choice(["f4", ">f4", "f2", "i1", "u1", "i2", ">i4", "i8", "u8", "?"])))
    with np.errstate(all="ignore"):
        if kind.kind == "f":
            return _if_finite(X.astype(kind), X)
    if kind.kind == "b":
        return X > 0
    info = np.iinfo(kind)
    whole = np.rint(X)
    inside = (whole >= info.min) & (whole <= min(info.max, 2**62))
    return np.where(inside, whole, 0).astype(kind)


def _sparse(rng: np.random.Generator, X: Any) -> Any:
    """CSR, CSC or COO, some zeros stored, some numbers in two halves, in any order."""
    entries = []
    for i, j in np.ndindex(X.shape):
        value = float(X[i, j])
        if value == 0 and rng.random() < 0.7:
            continue
        halves = rng.random() < 0.2 and value / 2 * 2 == value
        entries += [(i, j, value / 2)] * 2 if halves else [(i, j, value)]
    entries = [entries[k] for k in rng.permutation(len(entries))]
    rows, columns = (np.array([entry[k] for entry in entries], dtype=np.int64) for k in (0, 1))
    values = np.array([entry[2] for entry in entries], dtype=np.float64)
    if rng.random() < 0.15:
        with np.errstate(all="ignore"):
            narrow = values.astype(np.float32)
        values = narrow if np.isfinite(narrow).all() else values
    triple = (values, (rows, columns))
    form = rng.integers(4)
    if form == 0:
        return sp.coo_array(triple, shape=X.shape)
    if form == 1:
        return sp.csc_array(sp.coo_array(triple, shape=X.shape))
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(len(X) + 1))
    kind = np.int64 if rng.random() < 0.5 else np.int32
    made = sp.csr_array if form == 2 else sp.csr_matrix
    arrays = (values[order], columns[order].astype(kind), starts.astype(kind))
    return made(arrays, shape=X.shape)


def _other(rng: np.random.Generator, X: Any) -> Any:
    """Lists of Python's numbers, fractions of the same, or a DataFrame."""
    form = rng.integers(3)
    if form == 0:
        return X.tolist()
    if form == 1:
        return np.array([[Fraction(value) for value in row] for row in X.tolist()], dtype=object)
    return pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])


def rows_of(X: Any, *, decimals: bool = False) -> list[list[Fraction]]:
    """The exact numbers of any of these, as plain Python reads them.

    With `decimals`, a column of floats whose numbers all print with at most 15 digits is what it
    prints as.
    """
    if sp.issparse(X):
        dense = [[Fraction(0)] * X.shape[1] for _ in range(X.shape[0])]
        coo = sp.coo_array(X)
        places = zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist(), strict=True)
        for i, j, value in places:
            dense[i][j] += Fraction(value)
    else:
        table = X if isinstance(X, list) else np.asarray(X).tolist()
        dense = [[Fraction(value) for value in row] for row in table]
    if decimals and (isinstance(X, list) or np.dtype(_dtype(X)).kind == "f"):
        for j in range(len(dense[0])):
            texts = [Decimal(repr(float(row[j]))).normalize() for row in dense]
            if all(len(text.as_tuple().digits) <= 15 for text in texts):
                for row, text in zip(dense, texts, strict=True):
                    row[j] = Fraction(text)
    return dense


def table_of(X: Any, encoding: str) -> Any:
    """The dense array that is written to a file for a certificate of this encoding."""
    dense = np.asarray(X.toarray() if sp.issparse(X) else X)
    whole = encoding == "fractions" or dense.dtype.kind in "iuf"
    return dense if whole else dense.astype(np.float64)


def _dtype(X: Any) -> Any:
    return X.dtypes.iloc[0] if isinstance(X, pd.DataFrame) else X.dtype


def signs_of(y: Any) -> list[int]:
    """The labels as −1 and +1; the greater is +1."""
    values = np.asarray(y).tolist()
    return [1 if value == max(values) else -1 for value in values]


def source(value: Any) -> str:
    """Python that makes a value again; `np`, `pd`, `sp`, Fraction and Decimal are at hand."""
    if isinstance(value, pd.DataFrame):
        return f"pd.DataFrame({source(value.to_numpy().copy())}, columns={list(value.columns)!r})"
    if isinstance(value, sp.coo_array):
        parts = f"({source(value.data)}, ({source(value.row)}, {source(value.col)}))"
        return f"sp.coo_array({parts}, shape={value.shape})"
    if sp.issparse(value):
        parts = ", ".join(source(part) for part in (value.data, value.indices, value.indptr))
        return f"sp.{type(value).__name__}(({parts}), shape={tuple(map(int, value.shape))})"
    if isinstance(value, np.ndarray):
        return _array_source(value)
    if isinstance(value, np.generic):
        return source(value.item())
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(source, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside},)"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {source(part)}" for key, part in value.items()) + "}"
    return repr(value)


def _array_source(value: Any) -> str:
    kind = "object" if value.dtype == object else repr(value.dtype.str)
    text = f"np.array({source(value.tolist())}, {kind})"
    if value.ndim != 2 or 0 in value.shape:
        return text
    if not value.flags.writeable:
        return f"np.broadcast_to({text}, {value.shape})"
    if value.flags.c_contiguous:
        return text
    if value.flags.f_contiguous:
        return f"np.asfortranarray({text})"
    if value.strides[0] < 0:
        return f"{text}[::-1].copy()[::-1]"
    return f"np.repeat({text}, 2, axis=1)[:, ::2]"
