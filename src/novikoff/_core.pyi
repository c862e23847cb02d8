"""The compiled loops: arrays in, arrays out. Sources are in core/, at the top of the repository."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Signs: TypeAlias = NDArray[np.int8]

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

def exact_score(rows: object, i: int, w: Floats) -> float:
    """The score of a row, rounded once, to the nearest float64; 0 only if it is 0."""

def exact_dot(u: Floats, v: Floats) -> float:
    """The product of two vectors, rounded once, to the nearest float64; 0 only if it is 0."""

def exact_comparison(rows: object, i: int, u: Floats, v: Floats) -> int:
    """The sign of the score of a row with u minus that with v, exactly."""

def score_sign(rows: object, i: int, w: Floats, bound: float, exact_below: float) -> int:
    """The sign of the score of a row, exactly, given bound ≥ ‖x̂ᵢ‖·‖ŵ‖."""

def norm_after_update(w_norm: float, step: float, row_norm: float) -> float:
    """An upper bound on ‖ŵ + step·x̂‖ after a mistake on x̂."""

def least_row(rows: object, y: Floats, w: Floats) -> int:
    """The row whose y·(x·w + w[-1]) is least, exactly, for y = ±1; of equals, the first."""

def row_scores(rows: object, w: Floats, scores: Floats) -> None:
    """The score of each row, rounded; equal rows have equal scores."""

def filtered_signs(
    rows: object, y: Signs, w: Floats, extra: int, floor: float, signs: Signs, seconds: float
) -> None:
    """The sign of each score times y where floating point can tell, 0 where it cannot."""

def exact_signs(
    rows: object, y: Signs, indices: Integers, w: Floats, signs: Signs, seconds: float
) -> None:
    """The sign of the score times y for each of these rows, exactly."""

def sure_signs(rows: object, w: Floats, signs: Signs, seconds: float) -> None:
    """For the verifier: write the signs of scores that are beyond rounding."""

def count_places(rows: object, tens: Floats, places: Integers, seconds: float) -> None:
    """Raise the decimal places of each column to what its values need; −1 if 22 would not do."""

def column_ranges(
    rows: object, lowest: Integers, highest: Integers, greatest: Floats, seconds: float
) -> None:
    """Of each column the least and the greatest power of two in its entries, and its largest size.

    Every entry is an integer times 2^lowest, and below 2^highest; 0 and 1 if all are 0.
    """

def entry_residues(
    columns: Integers,
    values: Floats,
    lowest: Integers,
    tens: Floats,
    prime: int,
    found: Integers,
    seconds: float,
) -> None:
    """The residues of entries, each scaled as its column is."""

def sum_of_rows(
    rows: object,
    lowest: Integers,
    tens: Floats,
    indices: Integers,
    factors: Integers,
    prime: int,
    sums: Integers,
    seconds: float,
) -> None:
    """Σ factor · row modulo the prime, column by column."""

def score_residues(
    rows: object,
    lowest: Integers,
    tens: Floats,
    indices: Integers,
    w: Integers,
    b: int,
    prime: int,
    scores: Integers,
    seconds: float,
) -> None:
    """row·w + b modulo the prime, for some rows."""

def eliminate_columns(
    M: Floats,
    done: int,
    start: int,
    prime: int,
    factors: Floats,
    found: NDArray[np.bool_],
    seconds: float,
) -> int:
    """Eliminate in the columns from `start` on, as many as `found`, below the rows that are done.

    Whole rows are swapped, and the new pivot rows are brought up to date. Returns the rank.
    """

def reduce_block(M: Floats, first_row: int, last_row: int, first_column: int, prime: int) -> None:
    """Residues of whole numbers, in these rows and from this column on."""

def null_vectors(
    indptr: Integers,
    indices: Integers,
    data: Integers,
    order: Integers,
    width: int,
    prime: int,
    most: int,
    seconds: float,
) -> tuple[Integers, Integers] | None:
    """The free columns of sparse rows modulo a prime, and a null vector for each of them.

    It is 1 in its column, 0 in the other free ones. None if that is too much work, or over `most`
    numbers.
    """

def doubled_sums(
    A: Floats,
    group: Integers,
    alpha: Floats,
    n_groups: int,
    values: Floats,
    sizes: Floats,
    seconds: float,
) -> None:
    """The last rows (bases) plus Σ αᵢ(aᵢ − base) in doubled precision, and Σ|terms|."""

# The search for separability: nearest points, passes, column statistics.

# The search for fewest errors: conflicts, covering, line search.
