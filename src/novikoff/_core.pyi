"""The compiled loops: arrays in, arrays out. Sources are in core/, at the top of the repository."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]

def csr_is_sound(indices: NDArray[Any], indptr: NDArray[Any], n_features: int) -> bool:
    """Whether the rows follow each other in the arrays, and all columns exist."""

def norm_bound(w: Floats) -> float:
    """An upper bound on the norm of w that is right to many digits."""

def row_norms(rows: object, with_bias: bool, norms: Floats) -> None:
    """Upper bounds on the norms of the rows, augmented by a 1 if there is a bias."""

def sha256_update(state: NDArray[np.uint32], data: Bytes) -> None:
    """Whole blocks of 64 bytes into the eight words of the state, in place."""

def number_at(data: Bytes, start: int, powers: Floats) -> tuple[float, int, int]:
    """The number that is written from `start` on, where it ends, and how it is held.

    It ends at `start` if there is none. The last byte must be a line end.
    """

def read_texts(
    data: Bytes,
    offsets: NDArray[np.int32],
    powers: Floats,
    values: Floats,
    how: NDArray[np.int8],
) -> None:
    """The number of each text, and how it is held: doubtful if there is none."""

def has_long_number(text: Bytes) -> bool:
    """Whether some bytes may write a number of over 15 digits, or of a very large exponent."""

def parse_svmlight(
    data: Bytes,
    powers: Floats,
    labels: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: Floats,
    doubtful: NDArray[np.int64],
) -> tuple[int, int, int, int, int, int]:
    """Lines of svmlight into the arrays of CSR, up to one that is bad.

    Returns the rows, the pairs that are stored, the numbers that only print so, those that are
    doubtful (each with its place and row in `doubtful`, as far as there is room), and of a bad line
    why and where it starts.
    """

def add_columns(
    X: Floats, centre: Floats, squared: bool, totals: Floats, tails: Floats, ends: Floats
) -> None:
    """Add xⱼ − centreⱼ of each row, or its square, to the totals; `ends` are least and greatest."""

def count_mistakes(examples: object, tie: int, weights: object) -> int:
    """How many of the presented examples are misclassified, without learning from them."""

# The perceptron, its orders and its watchers.

# The perceptron's relatives: averaged, voted, pocket, joint, kernel, streams.

# Exact signs, sums, residues, elimination modulo a prime.

# The search for separability: nearest points, passes, column statistics.

def nearest_point(
    A: Floats,
    group: NDArray[np.int64],
    bases: NDArray[np.int64],
    columns: NDArray[np.int64],
    alpha: Floats,
    Qt: Floats,
    R: Floats,
    point: Floats,
    along: Floats,
    size: NDArray[np.int64],
    is_active: NDArray[np.bool_],
    most_rounds: int,
    seconds: float,
) -> int:
    """Go on from the active rows to the nearest point, by Wolfe's method; how it ended."""

def least_scores(
    rows: object,
    y: NDArray[np.int8],
    w_hat: Floats,
    keep: int,
    extra: int,
    floor: float,
    seconds: float,
) -> tuple[NDArray[np.int64], Floats, Floats, Floats]:
    """The rows of the least scores of each class, the scores, and bounds on the least of each."""

def column_extents(rows: object, seconds: float) -> tuple[Floats, Floats, int, float, int, int]:
    """Least and greatest entries, the longest row and its square, what is stored and is not 0."""

def class_means(rows: object, y: NDArray[np.int8], seconds: float) -> Floats:
    """The mean of each column over the rows of class -1, then over those of class +1."""

def rough_perceptron(
    rows: object,
    y: NDArray[np.int8],
    with_bias: bool,
    most_epochs: int,
    w: Floats,
    delayed: Floats,
    seconds: float,
) -> tuple[float, bool]:
    """Epochs until one has no mistakes: how many examples were presented, and whether it did."""

def take_out_one_sided(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    data: Floats,
    column_starts: NDArray[Any],
    row_indices: NDArray[Any],
    seconds: float,
) -> tuple[NDArray[np.int64], NDArray[np.int8], NDArray[np.int64]]:
    """The columns that push all their rows to one side, their signs, and what settled each row."""

def add_weighted_gram(
    indptr: NDArray[Any],
    indices: NDArray[Any],
    data: Floats,
    weights: Floats,
    G: Floats,
    seconds: float,
) -> None:
    """Add AᵀDA on and below the diagonal to G, in column-major order."""

# The search for fewest errors: conflicts, covering, line search.
