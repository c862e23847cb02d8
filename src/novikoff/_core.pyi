"""The compiled loops: arrays in, arrays out. Sources are in core/, at the top of the repository."""

from collections.abc import Callable
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

# The search for fewest errors: conflicts, covering, line search.

FORBIDDEN: float  # the cost of a row that a walk is to avoid: more than any cover
RIGHT: float  # a score above this is taken to be positive: rows and planes have length 1

def enumerate_conflicts(
    at: object,
    cost: Floats,
    x: Floats,
    found: NDArray[np.int64],
    count: int,
    sharpen: bool,
    is_late: Callable[[], bool],
) -> tuple[bool, int]:
    """Walk to the conflict of the least cost: whether `FORBIDDEN` rows are unavoidable, and count.

    Conflicts that x leaves uncovered go into `found`, where there are `count`, a line each, filled
    up with −1. With `sharpen` the walk goes on to what x covers less.
    """

def descend(
    U: Floats,
    weights: Floats,
    plane: Floats,
    steps: int,
    bit_generator: object,
    is_late: Callable[[], bool],
) -> float:
    """Line searches from a plane, which becomes the last of the best ones; its loss."""

def cover_sums(table: NDArray[np.int64], x: Floats, sums: Floats) -> None:
    """Σ x over the rows of each line of the table, up to its first negative number."""
