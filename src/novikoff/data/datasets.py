"""Built-in datasets: small classics, pairs of well-known classes, made data with a known answer."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from novikoff.data.columns import choose
from novikoff.data.options import ReadOptions
from novikoff.data.source import Source, as_arrow, did_you_mean
from novikoff.data.synthetic import fibonacci, gaussian, known_margin, moons, parity
from novikoff.data.table import Table
from novikoff.errors import OptionError

LABEL = "label"


@dataclass(frozen=True)
class Dataset:
    """A built-in data set: its size, its verdict (checked by the tests), and what it shows.

    Examples
    --------
    >>> import novikoff
    >>> xor = next(dataset for dataset in novikoff.list_datasets() if dataset.name == "xor")
    >>> xor.n, xor.d, xor.verdict
    (4, 2, 'overlapping')
    """

    name: str
    n: int
    d: int
    verdict: str
    about: str
    family: str | None = None
    """The pattern of its relatives, if it has any: `parity-K`."""


DATASETS = (
    Dataset("and", 4, 2, "separable", "logical AND of two bits"),
    Dataset("or", 4, 2, "separable", "logical OR of two bits"),
    Dataset("nand", 4, 2, "separable", "logical NAND of two bits"),
    Dataset("xor", 4, 2, "overlapping", "exclusive OR: no line does it, the product x1·x2 does"),
    Dataset("collinear", 3, 2, "overlapping", "three points on a line, the middle one alone"),
    Dataset("touching", 4, 1, "touching", "x = −1, 0, 0, 1: the classes share the point 0 only"),
    Dataset("toy", 6, 2, "separable", "six points to work through by hand"),
    Dataset("parity-3", 8, 3, "overlapping", "is the number of ones odd?", "parity-K"),
    Dataset("iris", 150, 4, "three classes", "all of iris: choose with positive or classes"),
    Dataset("iris-setosa-versicolor", 100, 4, "separable", "iris, two species"),
    Dataset("iris-setosa-virginica", 100, 4, "separable", "iris, two species"),
    Dataset("iris-versicolor-virginica", 100, 4, "overlapping", "iris, the hard pair"),
    Dataset("wine", 178, 13, "three classes", "three cultivars: choose with positive or classes"),
    Dataset("breast-cancer", 569, 30, "separable", "geometric margin 4.1e-5, unscaled"),
    Dataset("digits", 1797, 64, "ten classes", "8×8 images: choose with positive or classes"),
    Dataset("digits-1-8", 356, 64, "separable", "two of the digits", "digits-A-B"),
    Dataset("moons", 200, 2, "overlapping", "two half circles that reach into each other"),
    Dataset("margin", 200, 5, "separable", "made with a geometric margin of exactly 1/4"),
    Dataset("fibonacci-20", 40, 20, "separable", "geometric margin about 1.6⁻ᴰ", "fibonacci-D"),
    Dataset("gaussian-wide", 150, 100, "separable", "random labels, n < 2d (Cover)"),
    Dataset("gaussian-tall", 250, 100, "overlapping", "random labels, n > 2d (Cover)"),
)  # fmt: skip


def list_datasets() -> tuple[Dataset, ...]:
    """What is built in, with size and verdict.

    Returns
    -------
    tuple of Dataset
        One for each.

    Examples
    --------
    >>> import novikoff
    >>> [dataset.name for dataset in novikoff.list_datasets()][:4]
    ['and', 'or', 'nand', 'xor']
    """
    return DATASETS


def load_dataset(name: str) -> Table:
    """A built-in data set by its name, or by that of its family: `parity-5`, `digits-3-5`.

    Parameters
    ----------
    name : str
        The name; `novikoff.list_datasets` has all of them.

    Returns
    -------
    Table
        The points `X`, the labels `y`, and their names.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.load_dataset("xor").X.tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    return choose(dataset_source(name), ReadOptions(label=LABEL))


def dataset_source(name: str) -> Source:
    """A built-in data set as the columns of a file, the labels in `label`."""
    for pattern, make in MAKERS.items():
        match = re.fullmatch(pattern, name)
        if match:
            columns, decimals = make(*match.groups())
            return Source(pa.table(columns), f"dataset:{name}", decimals=decimals)
    known = ", ".join(dataset.family or dataset.name for dataset in DATASETS)
    hint = did_you_mean(name, [dataset.name for dataset in DATASETS])
    raise OptionError(f"no built-in data set {name!r}; there are {known}.{hint}")


Columns = dict[str, Any]


def _columns(X: ArrayLike, y: ArrayLike, names: tuple[str, ...] | None = None) -> Columns:
    X = np.asarray(X, dtype=np.float64)
    names = names or tuple(f"x{j + 1}" for j in range(X.shape[1]))
    columns: Columns = {
        name: as_arrow(np.ascontiguousarray(X[:, j])) for j, name in enumerate(names)
    }
    return columns | {LABEL: as_arrow(np.ascontiguousarray(y))}


def _small(X: ArrayLike, y: ArrayLike) -> Callable[[], tuple[Columns, bool]]:
    return lambda: (_columns(X, y), True)


BITS = [[0, 0], [0, 1], [1, 0], [1, 1]]


def _scikit_learn(name: str) -> tuple[NDArray[np.float64], NDArray[Any], tuple[str, ...]]:
    from sklearn import datasets

    loaded = getattr(datasets, f"load_{name}")()
    y = np.asarray(loaded.target_names)[loaded.target]
    names = tuple(str(column).removesuffix(" (cm)") for column in loaded.feature_names)
    return loaded.data, y, names


def _whole(name: str) -> tuple[Columns, bool]:
    return _columns(*_scikit_learn(name.replace("-", "_"))), True


def _pair(name: str, first: str, second: str) -> tuple[Columns, bool]:
    if first == second:
        raise OptionError(f"{name}-{first}-{second}: two different classes are needed.")
    X, y, names = _scikit_learn(name)
    keep = np.isin(y.astype(str), (first, second))
    return _columns(X[keep], y[keep], names), True


def _margin() -> tuple[Columns, bool]:
    made = known_margin(200, 5, margin=0.25, seed=1)
    return _columns(made.X, made.y), False


SPECIES = "(setosa|versicolor|virginica)"
MAKERS: dict[str, Callable[..., tuple[Columns, bool]]] = {
    "and": _small(BITS, [0, 0, 0, 1]),
    "or": _small(BITS, [0, 1, 1, 1]),
    "nand": _small(BITS, [1, 1, 1, 0]),
    "xor": _small(BITS, [0, 1, 1, 0]),
    "collinear": _small([[0, 0], [1, 1], [2, 2]], [1, 0, 1]),
    "touching": _small([[-1], [0], [0], [1]], [0, 0, 1, 1]),
    "toy": _small([[2, 1], [3, 3], [1, 3], [-1, 0], [0, -2], [1, -1]], [1, 1, 1, -1, -1, -1]),
    "(iris|wine|breast-cancer|digits)": _whole,
    f"iris-{SPECIES}-{SPECIES}": partial(_pair, "iris"),
    "digits-([0-9])-([0-9])": partial(_pair, "digits"),
    "parity-([0-9]+)": lambda bits: (_columns(*parity(int(bits))), True),
    "fibonacci-([0-9]+)": lambda d: (_columns(*fibonacci(int(d))), True),
    "moons": lambda: (_columns(*moons(200, seed=0)), False),
    "margin": _margin,
    "gaussian-wide": lambda: (_columns(*gaussian(150, 100, seed=0)), False),
    "gaussian-tall": lambda: (_columns(*gaussian(250, 100, seed=0)), False),
}
